"""Points told from the anchor: yesterday, last Tuesday, three weeks ago, next spring, two years from now."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from workbench.ingest.dates.calendar import day_of, season_period, shift, unit_period, weekday
from workbench.ingest.dates.lexicon import Cat, Found, Unit
from workbench.ingest.dates.point import Parsed, Point, Rule, Scope, dated, failed, remembered
from workbench.ingest.dates.years import year_after
from workbench.model.time import DAY, Instant, Interval, Period, Precision, year_period

_MOST_YEARS: Final = 9_000
_YEARS: Final = {Unit.YEAR: 1, Unit.DECADE: 10, Unit.CENTURY: 100, Unit.MILLENNIUM: 1000}


@remembered
def counted(scope: Scope, i: int) -> tuple[float, int, bool, int] | None:
    """`three weeks`, `a year and a half`, `a couple of years`, `65 million years`: (count, unit, vague, next)."""
    reader = scope.reader
    vague = False
    approximate = reader.get(i, Cat.APPROX)
    if approximate:
        i, vague = approximate[1], True
    number: tuple[float, int] | None = reader.number(i)
    if (few := reader.get(i, Cat.VAGUE)) and number is None and not reader.get(few[1], Cat.MULTIPLIER) and (
            several := reader.number(few[1])):
        return None if (stretch := counted(scope, few[1])) is None else (several[0], stretch[1], True, stretch[3])
    if (found := reader.get(i, Cat.VAGUE)) and (number is None or found[1] > number[1]):
        number, vague = found, True
        if times := reader.get(found[1], Cat.MULTIPLIER):
            number = float(found[0] * times[0]), times[1]
    if number is None and (found := reader.get(i, Cat.ONE)):
        number = found
    if number is None:
        return None
    count, j = number
    j = reader.skip(j, Cat.APPROX_POST)
    half = reader.get(j, Cat.HALF_MORE)
    if half and reader.get(half[1], Cat.UNIT):
        count, j = count + 0.5, half[1]
    unit = reader.get(j, Cat.UNIT)
    if unit is None or (reader.language.characters and unit[0] == Unit.YEAR and 1000 <= count <= 2999):
        return None  # 2023年 is a year, not a count of years
    j = unit[1]
    if half := reader.get(j, Cat.HALF_MORE):
        count, j = count + 0.5, half[1]
    if post := reader.get(j, Cat.APPROX_POST):
        vague, j = True, post[1]
    return count, unit[0], vague, j


def moved(scope: Scope, count: float, unit: int, vague: bool, rule: str) -> Point:
    """The point `count` units from the anchor: exact for hours and days, the day in its week for weeks, the calendar
    unit for months and longer. Beyond the range of years it is clamped."""
    years = count * _YEARS.get(unit, 0)
    if abs(years) > _MOST_YEARS:
        year = scope.year + int(max(min(years, 1e12), -1e12))
        return Point(year_period(year, precision=Precision.SPAN), rule)
    if unit in (Unit.SECOND, Unit.MINUTE, Unit.HOUR) and abs(count) < 1e9:
        at = shift(scope.now, unit, count)
        return Point(Period(Interval(at, Instant(at + 1)), Precision.INSTANT, vague), rule)
    if not years and abs(count) > 50_000_000:
        return failed("too many units to count from the anchor", rule)
    there = shift(scope.now, unit, count)
    if unit in (Unit.WEEK, Unit.FORTNIGHT, Unit.WEEKEND) or (unit == Unit.DAY and vague):
        day = day_of(there).interval.start
        low, high = (3, 4) if unit != Unit.DAY else (1, 2)
        period = Period(Interval(day.plus(-low * DAY), day.plus(high * DAY)), Precision.WEEK)
        return Point(period, rule, best=day)
    if unit == Unit.DAY:
        return Point(day_of(there), rule)
    whole = count == int(count)
    period = unit_period(there, min(unit, Unit.YEAR) if whole else Unit.MONTH)
    return Point(replace(period, approximate=vague or not whole or unit > Unit.YEAR), rule)


def ago(scope: Scope, i: int) -> Parsed:
    """`three weeks ago`, `vor drei Wochen`, `hace tres semanas`, `三周前`."""
    reader = scope.reader
    prefix = reader.get(i, Cat.AGO_PRE)
    found = counted(scope, prefix[1] if prefix else i)
    if found is None:
        return _weekdays_ago(scope, i)
    count, unit, vague, j = found
    if not prefix:
        suffix = reader.get(j, Cat.AGO_POST)
        if suffix is None:
            return None
        j = suffix[1]
    if unit == Unit.YEAR and count == int(count) and abs(count) < _MOST_YEARS and not vague and (
            month := reader.get(reader.skip(j, Cat.FILLER), Cat.MONTH)):
        return dated(scope.year - int(count), month[0], 0, "ago:month"), month[1]
    if (today := reader.get(j, Cat.DAY_WORD)) and today[0] == 0 and unit >= Unit.DAY and count < 1000:
        return Point(day_of(shift(scope.now, unit, -count)), "ago:day"), today[1]
    return moved(scope, -count, unit, vague, "ago"), j


def _weekdays_ago(scope: Scope, i: int) -> Parsed:
    number = scope.reader.number(i)
    if number and (day := scope.reader.get(number[1], Cat.WEEKDAY)) and (
            after := scope.reader.get(day[1], Cat.AGO_POST)) and 1 <= number[0] <= 1000:
        back = (weekday(scope.now) - day[0] - 1) % 7 + 1 + 7 * (int(number[0]) - 1)
        return Point(day_of(scope.now.plus(-back * DAY)), "ago:weekday"), after[1]
    return None


def month_ago(scope: Scope, i: int) -> Parsed:
    """`May two years ago`."""
    reader = scope.reader
    if (month := reader.get(i, Cat.MONTH)) is None or (found := counted(scope, month[1])) is None:
        return None
    count, unit, vague, j = found
    after = reader.get(j, Cat.AGO_POST)
    if after is None or unit != Unit.YEAR or vague or count != int(count) or count > _MOST_YEARS:
        return None
    return dated(scope.year - int(count), month[0], 0, "ago:month"), after[1]


def hence(scope: Scope, i: int) -> Parsed:
    """`in two weeks`, `two weeks from now`, `dentro de dos semanas`, `两周后`."""
    reader = scope.reader
    prefix = reader.get(i, Cat.HENCE_PRE)
    found = counted(scope, prefix[1] if prefix else i)
    if found is None:
        return None
    count, unit, vague, j = found
    suffix = reader.get(j, Cat.HENCE_POST)
    if not prefix and not suffix:
        return None
    j = suffix[1] if suffix else reader.skip(j, Cat.FILLER) if reader.word(j) in ("'", "’") else j
    return moved(scope, count, unit, vague, "hence"), j


def day_word(scope: Scope, i: int) -> Parsed:
    """`yesterday`, `vorgestern`, `the day after tomorrow`; `now` is the anchor's instant."""
    if found := scope.reader.get(i, Cat.DAY_WORD):
        clipped = scope.reader.language.week_relative and found[1] == i + 1  # "昨" counts only in "昨晚"
        return Point(day_of(scope.now.plus(found[0] * DAY)), "day-word", weak=clipped), found[1]
    if found := scope.reader.get(i, Cat.NOW):
        at = scope.now
        return Point(Period(Interval(at, Instant(at + 1)), Precision.INSTANT), "now", weak=True), found[1]
    return None


@remembered
def _turned_unit(scope: Scope, i: int) -> tuple[int, int, int] | None:
    """(unit, offset, next) of `last week`, `la semana pasada`, `上周`."""
    reader = scope.reader
    if (fixed := reader.get(i, Cat.FIXED_PERIOD)) is not None:
        return fixed[0] // 10, fixed[0] % 10 - 5, fixed[1]
    if (turn := reader.get(i, Cat.RELATIVE)) and (unit := reader.get(turn[1], Cat.UNIT)):
        return unit[0], turn[0], unit[1]
    if (unit := reader.get(reader.skip(i, Cat.FILLER), Cat.UNIT)) and (
            turn := reader.get(unit[1], Cat.RELATIVE_POST)):
        return unit[0], turn[0], turn[1]
    return None


def turned(scope: Scope, i: int) -> Parsed:
    """`last month`, `this quarter`, `next year`, `la semana pasada`, `上个月`, and a weekday after it."""
    found = _turned_unit(scope, i)
    if found is None:
        return None
    unit, offset, j = found
    if unit < Unit.DAY:
        return None
    period = unit_period(shift(scope.now, unit, offset), unit)
    if unit == Unit.WEEKEND and offset < 0 and weekday(scope.now) > 4:
        period = unit_period(scope.now.plus(-7 * DAY), unit)
    if unit == Unit.WEEK and (day := scope.reader.get(scope.reader.skip(j, Cat.FILLER), Cat.WEEKDAY)):
        return Point(day_of(period.interval.start.plus(day[0] * DAY)), "week-day"), day[1]
    return Point(period, "turned"), j


def _weekday_at(scope: Scope, day: int, offset: int | None) -> Instant:
    """A reading on the weekday: last (-1), next (1), of this week (0), or nearest by the scope's direction (None)."""
    today = weekday(scope.now)
    if offset == 0:
        return scope.now.plus((day - today) * DAY)
    ahead = offset > 0 if offset is not None else scope.future
    extra = 7 * (abs(offset or 1) - 1)
    if ahead:
        return scope.now.plus(((day - today - 1) % 7 + 1 + extra) * DAY)
    return scope.now.plus(-((today - day - 1) % 7 + 1 + extra) * DAY)


def week_day(scope: Scope, i: int) -> Parsed:
    """`last Tuesday` (before the anchor's day), `next Friday` (after it), `this Friday`, `Tuesday last week`."""
    reader = scope.reader
    turn = reader.get(i, Cat.RELATIVE)
    day = reader.get(turn[1] if turn else i, Cat.WEEKDAY)
    if day is None or reader.word(day[1] - 1).endswith("days"):  # "Mondays" recur
        return None
    if turn:
        if reader.language.week_relative:
            start = unit_period(scope.now, Unit.WEEK).interval.start
            return Point(day_of(start.plus((7 * turn[0] + day[0]) * DAY)), "weekday:of-week"), day[1]
        return Point(day_of(_weekday_at(scope, day[0], turn[0])), "weekday"), day[1]
    after = reader.skip(day[1], Cat.FILLER)
    if (week := _turned_unit(scope, after)) and week[0] == Unit.WEEK:
        start = unit_period(shift(scope.now, Unit.WEEK, week[1]), Unit.WEEK).interval.start
        return Point(day_of(start.plus(day[0] * DAY)), "weekday:of-week"), week[2]
    if post := reader.get(day[1], Cat.RELATIVE_POST):
        return Point(day_of(_weekday_at(scope, day[0], post[0])), "weekday"), post[1]
    weak = len(reader.word(i)) <= 3 and reader.word(i).isascii()
    return Point(day_of(_weekday_at(scope, day[0], None)), "weekday:bare", weak=weak), day[1]


def turned_part(scope: Scope, i: int) -> Parsed:
    """`last May`, `next spring`, `este verano`, `mayo pasado`: last = the latest that began before this one."""
    reader = scope.reader
    turn = reader.get(i, Cat.RELATIVE)
    j = turn[1] if turn else i
    month, part = reader.get(j, Cat.MONTH), reader.get(j, Cat.SEASON)
    named = month or part
    if named is None:
        return None
    end = named[1]
    if turn is None:
        turn = reader.get(end, Cat.RELATIVE_POST)
        if turn is None:
            return None
        end = turn[1]
    if month and turn[0] and (day := reader.digits(end)) and day[0] <= 31 and year_after(scope, day[1]) is None:
        return None
    years = range(scope.year - 3, scope.year + 4)
    periods = [dated(y, month[0], 0, "").period if month else season_period(y, named[0]) for y in years]
    if turn[0] == 0:
        around = [p for p in periods if scope.now in p.interval]
        period = around[0] if around else periods[3]
    elif turn[0] > 0:
        period = [p for p in periods if p.interval.start > scope.now][turn[0] - 1]
    else:
        period = [p for p in periods if p.interval.end <= scope.now][turn[0]]
    return Point(period, "turned:month" if month else "turned:season"), end


def turned_number(scope: Scope, i: int) -> Found | None:
    """The index after `the past` before a count, or after nothing."""
    j = scope.reader.skip(i, Cat.FILLER)
    return scope.reader.get(j, Cat.TRAILING) or scope.reader.get(i, Cat.TRAILING)


def day_of_month(scope: Scope, i: int) -> Parsed:
    """`the 5th of last month`, `the 5th`."""
    reader = scope.reader
    number = reader.get(i, Cat.ORDINAL) or reader.digits(i)
    if number is None or not 1 <= number[0] <= 31:
        return None
    mark = reader.get(number[1], Cat.ORDINAL_MARK)
    found = _turned_unit(scope, reader.skip(mark[1] if mark else number[1], Cat.FILLER))
    if found is None and (this := reader.get(reader.skip(mark[1] if mark else number[1], Cat.FILLER), Cat.UNIT)) and (
            this[0] == Unit.MONTH and reader.get(this[1] - 3, Cat.FILLER)):
        found = Unit.MONTH, 0, this[1]
    if found is None or found[0] != Unit.MONTH:
        return _day_alone(scope, int(number[0]), mark[1]) if mark and reader.language.day_first is None else None
    year, month = shift(unit_period(scope.now, Unit.MONTH).interval.start, Unit.MONTH, found[1]).civil()[:2]
    point = dated(year, month, int(number[0]), "day-of-month")
    return point, found[2]


def _day_alone(scope: Scope, day: int, j: int) -> Parsed:
    year, month = scope.now.civil()[:2]
    steps = range(13) if scope.future else range(0, -13, -1)
    months = [(year + (month - 1 + k) // 12, (month - 1 + k) % 12 + 1) for k in steps]
    points = [point for y, m in months if not (point := dated(y, m, day, "day-of-month:bare")).trouble]
    for point in points:
        start = point.period.interval.start
        if (start > scope.now) if scope.future else (start <= scope.now):
            return replace(point, weak=True), j
    return None


def weekend(scope: Scope, i: int) -> Parsed:
    """`the weekend`: the latest that began by the anchor, or the coming one."""
    unit = scope.reader.get(i, Cat.UNIT)
    if unit is None or unit[0] != Unit.WEEKEND:
        return None
    period = unit_period(scope.now, Unit.WEEKEND)
    if period.interval.start > scope.now and not scope.future:
        period = unit_period(scope.now.plus(-7 * DAY), Unit.WEEKEND)
    return Point(period, "weekend:bare", weak=True), unit[1]


RELATIVE: Final[tuple[Rule, ...]] = (ago, month_ago, hence, day_word, turned, week_day, turned_part, day_of_month,
                                     weekend)
