"""Japanese time words. Each character is a token; particles that mark a limit stand behind the date."""

from __future__ import annotations

from typing import Final

from workbench.ingest.dates.lexicon import Cat, Language, Unit


def _period(unit: int, forms: dict[int, str]) -> dict[int, str]:
    return {unit * 10 + 5 + offset: text for offset, text in forms.items()}


def _weekday(char: str) -> str:
    return f"{char}曜日|{char}曜|({char})|({char}曜日)"


def _nth_quarter(digit: str, numeral: str) -> str:
    return f"第{digit}四半期|第{numeral}四半期|{digit}四半期"


LANGUAGE: Final = Language(
    code="ja",
    marks=frozenset("はがをにでとものた"),
    week_relative=True,
    table={
        Cat.VAGUE: {2: "一、二", 3: "数|何"},
        Cat.HALF_NUMBER: "半",
        Cat.HALF_MORE: "半",
        Cat.WEEKDAY: {day: _weekday(char) for day, char in enumerate("月火水木金土日")},
        Cat.SEASON: {21: "春|春季", 22: "夏|夏季", 23: "秋|秋季", 24: "冬|冬季"},
        Cat.UNIT: {Unit.SECOND: "秒|秒間", Unit.MINUTE: "分|分間", Unit.HOUR: "時間", Unit.DAY: "日|日間",
                   Unit.WEEK: "週間|週", Unit.WEEKEND: "週末",
                   Unit.MONTH: "か月|ヶ月|カ月|ヵ月|ケ月|箇月|か月間|ヶ月間|カ月間|月",
                   Unit.QUARTER: "四半期", Unit.YEAR: "年|年間", Unit.CENTURY: "世紀"},
        Cat.FIXED_PERIOD: {
            **_period(Unit.YEAR, {-2: "一昨年|おととし", -1: "去年|昨年|前年", 0: "今年|本年|ことし", 1: "来年|翌年",
                                  2: "再来年"}),
            **_period(Unit.MONTH, {-2: "先々月", -1: "先月|前月", 0: "今月|本月|当月", 1: "来月|翌月", 2: "再来月"}),
            **_period(Unit.WEEK, {-2: "先々週", -1: "先週|前週", 0: "今週|この週|本週", 1: "来週|翌週", 2: "再来週"}),
            **_period(Unit.WEEKEND, {-1: "先週末", 0: "今週末", 1: "来週末"}),
            **_period(Unit.QUARTER, {-1: "前四半期", 0: "今四半期", 1: "来四半期"}),
        },
        Cat.TRAILING: "過去|この|ここ|直近",
        Cat.AGO_POST: "前|前に|まえ",
        Cat.HENCE_POST: "後|後に|以内に",
        Cat.DAY_WORD: {-2: "一昨日|おととい|おとつい", -1: "昨日|きのう|昨|前日", 0: "今日|本日|きょう|今|当日",
                       1: "明日|あした|翌日|あす|明", 2: "明後日|あさって"},
        Cat.NOW: "現在|いま|今現在",
        Cat.HALF_DAY: {0: "午前|朝|早朝", 12: "午後|夕方|夜|晩"},
        Cat.OCLOCK: "時",
        Cat.CLOCK_WORD: {12: "正午", 0: "深夜零時"},
        Cat.HALF_HOUR: "半",
        Cat.DAY_PART: {0: "朝|午前|午前中|早朝", 1: "午後|昼", 2: "夕方|夕", 3: "夜|晩|深夜"},
        Cat.EDGE_POST: {0: "初め|の初め|始め|の始め|はじめ|のはじめ|初頭|上旬|初旬|初期|頭|冒頭",
                        1: "末|の末|末頃|の終わり|終わり|下旬|終盤|末期",
                        2: "半ば|の半ば|なかば|中頃|の中頃|中旬|中期|中ごろ", 3: "前半|の前半", 4: "後半|の後半"},
        Cat.APPROX: "約|およそ|だいたい|ほぼ",
        Cat.APPROX_POST: "頃|ごろ|の頃|前後|くらい|ぐらい|ほど",
        Cat.ERA_BEFORE: "紀元前|西暦前",
        Cat.ERA: "西暦|紀元",
        Cat.REIGN: {2018: "令和", 1988: "平成", 1925: "昭和", 1911: "大正", 1867: "明治"},
        Cat.QUARTER_WORD: {n: _nth_quarter(str(n), "一二三四"[n - 1]) for n in range(1, 5)},
        Cat.QUARTER_PREFIX: "q",
        Cat.HALF_WORD: {1: "上半期|上期|前半", 2: "下半期|下期|後半"},
        Cat.FISCAL: "会計年度",
        Cat.DECADE_MARK: "年代",
        Cat.HOLIDAY: {1225: "クリスマス", 1224: "クリスマスイブ|クリスマス・イブ", 101: "元日|元旦|お正月|正月",
                      1231: "大晦日|大みそか", 503: "憲法記念日", 1_000_000: "復活祭|イースター"},
        Cat.FILLER: "の|,|、",
        Cat.AT: "の|に|、",
        Cat.BY: "遅くとも",
        Cat.TO: "から|より|-|–|—|~|〜|～|乃至",
        Cat.AND: "と",
        Cat.SINCE_POST: "から|以来|以降|より|からずっと|から現在|から現在まで|以降ずっと|から今日まで",
        Cat.AFTER_POST: "より後|の後|以後",
        Cat.BEFORE_POST: "以前|より前|前|以前に|より前に|までに",
        Cat.UNTIL_POST: "まで|までは|まで続いた",
        Cat.IN_POST: "に|には|の間|の間に|間|まで|にかけて|中|中に|までの間",
        Cat.DURING_POST: "の間|間|ずっと",
        Cat.YEAR_MARK: "年|年度",
        Cat.MONTH_MARK: "月",
        Cat.DAY_MARK: "日",
    })
