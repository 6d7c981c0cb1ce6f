"""Points that name a calendar date: ISO, numeric dates, day-month-year in either order, dates in characters."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC

from workbench.ingest.dates.calendar import shift, unit_period
from workbench.ingest.dates.lexicon import Cat, Unit
from workbench.ingest.dates.point import Parsed, Point, Scope, dated, failed, without_year
from workbench.ingest.dates.years import day_number, relative_year, two_digits, year_after, year_number
from workbench.model.errors import TimeError
from workbench.model.time import Precision, parse_period, year_period


def iso(scope: Scope, i: int) -> Parsed:
    """`2024-05-04`, `2023-W05`, `2024-05-04T09:00+09:00`, also `2019-20` for two years."""
    reader = scope.reader
    if reader.kind(i) != "iso":
        return None
    raw = reader.raw(i)
    if (pair := re.fullmatch(r"(\d{4})-(\d{2})", raw)) and int(pair[2]) > 12 and (
            int(pair[2]) == (int(pair[1]) + 1) % 100):
        return replace(dated(int(pair[1]), 0, 0, "year-pair"),
                       period=year_period(int(pair[1]), precision=Precision.SPAN, length=2)), i + 1
    try:
        period = parse_period(raw, UTC)
    except TimeError as error:
        return failed(str(error), "iso"), i + 1
    zoned = period.precision is Precision.INSTANT and re.search(r"(?:Z|[+-]\d\d:?\d\d)$", raw) is not None
    return Point(period, "iso", zone=UTC if zoned else None), i + 1


def numeric(scope: Scope, i: int) -> Parsed:
    """`4.5.2024`, `4/5/2024`, `2024/05/04`, `5/2024`; refused where day and month cannot be told apart."""
    reader = scope.reader
    kind = reader.kind(i)
    if kind == "short":
        if reader.language.day_first and reader.language.code == "de":
            day, month = (int(part) for part in reader.word(i).split(".")[:2])
            return without_year(scope, month, day, "dotted"), i + 1
        return None
    if kind not in ("dotted", "slash"):
        return None
    parts = [part.strip() for part in re.split(r"[./-]", reader.word(i))]
    numbers = [int(part) for part in parts]
    if len(parts) == 2:
        return dated(numbers[1], numbers[0], 0, "slashed"), i + 1
    if len(parts[0]) == 4:
        return dated(numbers[0], numbers[1], numbers[2], "numeric"), i + 1
    first, second, year = numbers
    if len(parts[2]) == 2:
        year = two_digits(scope, year)
    elif len(parts[2]) != 4:
        return None
    if first > 12 or kind == "dotted" or first == second or reader.language.day_first:
        return dated(year, second, first, "numeric"), i + 1
    if second > 12 or reader.language.day_first is False:
        return dated(year, first, second, "numeric"), i + 1
    return failed("day and month cannot be told apart; write the month as a word or use ISO 8601", "numeric"), i + 1


def day_month(scope: Scope, i: int) -> Parsed:
    """`4 May 2024`, `the 4th of May`, `May 4th, 2024`, `May 2024`, `Tuesday, 4 May`, `5 Nov`, `May`."""
    reader = scope.reader
    if named := reader.get(i, Cat.WEEKDAY):
        j = reader.skip(named[1], Cat.FILLER)
        return day_month(scope, j) if day_number(scope, j) or reader.get(j, Cat.MONTH) else None
    if month := reader.get(i, Cat.MONTH):
        after = day_number(scope, reader.skip(month[1], Cat.FILLER) if reader.language.code == "en" else month[1])
        if after and after[0] <= 31 and not reader.get(after[1], Cat.UNIT):
            return _complete(scope, month[0], after[0], after[1], "month-day")
        return _complete(scope, month[0], 0, month[1], "month")
    if (day := day_number(scope, i)) and (
            month := reader.get(reader.skip(day[1], Cat.FILLER), Cat.MONTH)) and (
            reader.word(day[1]) != "in" or day[1] > i + 1):  # "5 in July 2008" counts things
        return _complete(scope, month[0], day[0], month[1], "day-month")
    return None


def year_first(scope: Scope, i: int) -> Parsed:
    """`2018, July 10`, `2023 May`."""
    reader = scope.reader
    if (year := year_number(scope, i) or relative_year(scope, i)) is None:
        return None
    month = reader.get(reader.skip(year[1], Cat.FILLER), Cat.MONTH)
    if month is None or (i and reader.get(i - 1, Cat.MONTH)):
        return None
    day = day_number(scope, month[1])
    if day and day[0] <= 31 and year_number(scope, month[1]) is None:
        return dated(year[0], month[0], day[0], "year-first"), day[1]
    return dated(year[0], month[0], 0, "year-first"), month[1]


def _complete(scope: Scope, month: int, day: int, j: int, rule: str) -> Parsed:
    if year := year_after(scope, j):
        return dated(year[0], month, day, rule), year[1]
    return without_year(scope, month, day, rule), j


def characters(scope: Scope, i: int) -> Parsed:
    """`2023年5月4日`, `去年5月`, `5月4日`, `下个月5号`."""
    reader = scope.reader
    year = relative_year(scope, i)
    if year is None and (marked := year_number(scope, i)) and reader.get(marked[1] - 1, Cat.YEAR_MARK):
        year = marked
    j = reader.skip(year[1], Cat.FILLER) if year else i
    month = reader.digits(j)
    if month is not None and (mark := reader.get(month[1], Cat.MONTH_MARK)) and month[0] <= 99:
        j = mark[1]
        day = reader.digits(j)
        found = day and reader.get(day[1], Cat.DAY_MARK)
        number, j = (day[0], found[1]) if day and found else (0, j)
        if number and (named := reader.get(j, Cat.WEEKDAY)) and reader.word(j) == "(":
            j = named[1]
        if year:
            return dated(year[0], month[0], number, "characters"), j
        return without_year(scope, month[0], number, "characters"), j
    if (fixed := reader.get(i, Cat.FIXED_PERIOD)) and fixed[0] // 10 == Unit.MONTH and (
            day := reader.digits(fixed[1])) and (mark := reader.get(day[1], Cat.DAY_MARK)):
        start = shift(unit_period(scope.now, Unit.MONTH).interval.start, Unit.MONTH, fixed[0] % 10 - 5).civil()
        return dated(start[0], start[1], day[0], "characters"), mark[1]
    return None
