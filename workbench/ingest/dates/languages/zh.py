"""Chinese time words, simplified and traditional where they differ. Each character is a token; no spaces needed."""

from __future__ import annotations

from typing import Final

from workbench.ingest.dates.lexicon import Cat, Language, Unit


def _period(unit: int, forms: dict[int, str]) -> dict[int, str]:
    return {unit * 10 + 5 + offset: text for offset, text in forms.items()}


def _measured(*units: str) -> dict[int, str]:
    names = {-1: "上", 0: "这|这个|本|這|這個", 1: "下"}
    return {offset: "|".join(f"{prefix}{middle}{unit}" for unit in units for prefix in forms.split("|")
                             for middle in ("", "个", "一个", "個")) for offset, forms in names.items()}


def _weekdays(name: str) -> str:
    return "|".join(prefix + name for prefix in ("周", "星期", "礼拜", "週", "禮拜"))


LANGUAGE: Final = Language(
    code="zh",
    marks=frozenset("的了在是和于我他她不有"),
    week_relative=True,
    table={
        Cat.VAGUE: {2: "一两|一兩", 3: "几|数|幾|數|好几|若干"},
        Cat.HALF_NUMBER: "半|半个|半個",
        Cat.MULTIPLIER: {10_000: "万|萬", 10**8: "亿|億"},
        Cat.HALF_MORE: "半",
        Cat.ORDINAL_MARK: "号|號",
        Cat.WEEKDAY: {0: _weekdays("一"), 1: _weekdays("二"), 2: _weekdays("三"), 3: _weekdays("四"),
                      4: _weekdays("五"), 5: _weekdays("六"), 6: _weekdays("日") + "|" + _weekdays("天")},
        Cat.SEASON: {21: "春天|春季|春", 22: "夏天|夏季|夏", 23: "秋天|秋季|秋", 24: "冬天|冬季|冬"},
        Cat.UNIT: {Unit.SECOND: "秒|秒钟|秒鐘", Unit.MINUTE: "分钟|分鐘",
                   Unit.HOUR: "小时|个小时|小時|個小時|钟头|个钟头",
                   Unit.DAY: "天|日", Unit.WEEK: "周|星期|个星期|礼拜|个礼拜|週|個星期|個禮拜",
                   Unit.WEEKEND: "周末|週末",
                   Unit.MONTH: "个月|個月", Unit.QUARTER: "季度|个季度|個季度|季", Unit.YEAR: "年",
                   Unit.DECADE: "个年代", Unit.CENTURY: "世纪|个世纪|世紀|個世紀"},
        Cat.FIXED_PERIOD: {
            **_period(Unit.YEAR, {-3: "大前年", -2: "前年", -1: "去年|上一年",
                                  0: "今年|本年", 1: "明年", 2: "后年|後年"}),
            **_period(Unit.MONTH, _measured("月")), **_period(Unit.WEEK, _measured("周", "星期", "礼拜", "週")),
            **_period(Unit.WEEKEND, _measured("周末", "週末")), **_period(Unit.QUARTER, _measured("季度")),
            **_period(Unit.CENTURY, _measured("世纪")),
        },
        Cat.RELATIVE: {-1: "上|上个|上一个|上個", 0: "这|这个|本|這|這個", 1: "下|下个|下一个|下個"},
        Cat.TRAILING: "过去|最近|近|过去的|最近的|過去|這|这|前",
        Cat.AGO_POST: "前|以前|之前",
        Cat.HENCE_POST: "后|以后|之后|後|以後|之後",
        Cat.DAY_WORD: {-3: "大前天", -2: "前天", -1: "昨天|昨日|昨",
                       0: "今天|今日|当天|今", 1: "明天|明日|明", 2: "后天|後天"},
        Cat.NOW: "现在|目前|现|現在",
        Cat.HALF_DAY: {0: "上午|早上|凌晨|清晨|早晨", 12: "下午|晚上|傍晚|中午"},
        Cat.OCLOCK: "点|时|點|点钟|點鐘|點",
        Cat.CLOCK_WORD: {12: "中午|正午", 0: "午夜|半夜"},
        Cat.HALF_HOUR: "半",
        Cat.DAY_PART: {0: "上午|早上|早晨|清晨|早", 1: "下午", 2: "晚上|傍晚|晚", 3: "夜里|深夜|夜"},
        Cat.EDGE_POST: {0: "初|年初|月初|上旬|伊始|初期|早期", 1: "底|末|年底|年末|月底|月末|下旬|末期|晚期|后期",
                        2: "中|年中|中旬|中期|中叶", 3: "前半", 4: "后半|後半"},
        Cat.APPROX: "大约|大概|约|差不多|大約|約",
        Cat.APPROX_POST: "左右|前后|前後|许",
        Cat.ERA_BEFORE: "公元前|西元前|前",
        Cat.ERA: "公元|西元",
        Cat.REIGN: {1911: "民国|民國"},
        Cat.QUARTER_WORD: {1: "第一季度|一季度|第1季度|第一季|1季度", 2: "第二季度|二季度|第2季度|第二季|2季度",
                           3: "第三季度|三季度|第3季度|第三季|3季度", 4: "第四季度|四季度|第4季度|第四季|4季度"},
        Cat.QUARTER_PREFIX: "q",
        Cat.HALF_WORD: {1: "上半年", 2: "下半年"},
        Cat.FISCAL: "财年|财政年度",
        Cat.WEEK_PREFIX: "第",
        Cat.DECADE_MARK: "年代",
        Cat.HOLIDAY: {1225: "圣诞节|圣诞|聖誕節", 1224: "平安夜", 101: "元旦", 1001: "国庆节|国庆|國慶節",
                      501: "劳动节|五一",
                      1_000_000: "复活节"},
        Cat.FILLER: "的|,|，|、",
        Cat.AT: "在|的|于",
        Cat.IN: "在|于|於|是在",
        Cat.SINCE: "自|自从|从|由|自從|從|打从",
        Cat.AT_LEAST: "至少",
        Cat.BY: "不晚于|最迟|最晚",
        Cat.BEFORE: "早于",
        Cat.AFTER: "晚于",
        Cat.UNTIL: "直到|直至|到|至|截至|截止到|截止|一直到",
        Cat.FROM: "从|自|由|從|在",
        Cat.TO: "到|至|直到|-|–|—|~|～|直至",
        Cat.BETWEEN: "在|介于",
        Cat.AND: "和|与|到|至|與",
        Cat.FOR: "长达|为期",
        Cat.SINCE_POST: "以来|起|开始|以來|開始|至今|至今为止|之后至今",
        Cat.AFTER_POST: "以后|之后|后|過後|以後|之後|後",
        Cat.BEFORE_POST: "以前|之前|前",
        Cat.UNTIL_POST: "为止|為止",
        Cat.IN_POST: "期间|间|之间|期間|之間|内|中",
        Cat.DURING_POST: "了|多",
        Cat.YEAR_MARK: "年",
        Cat.MONTH_MARK: "月|月份",
        Cat.DAY_MARK: "日|号|號",
    })
