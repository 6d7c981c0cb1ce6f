"""Points that name a calendar date: ISO, day-month-year, quarters, decades, centuries, BC, weeks, holidays."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC
from typing import Final

from workbench.ingest.dates.calendar import easter, season_period, shift, unit_period
from workbench.ingest.dates.lexicon import Cat, Found, Unit
from workbench.ingest.dates.point import Parsed, Point, Rule, Scope, dated, failed, remembered, without_year
from workbench.model.errors import TimeError
from workbench.model.time import (
    DAY,
    Precision,
    day_period,
    month_period,
    parse_period,
    year_period,
)

_ROMAN: Final = re.compile(r"(?=[ivxlc])(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_ROMAN_VALUE: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


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
    parts = [part.strip() for part in re.split(r"[./]", reader.word(i))]
    numbers = [int(part) for part in parts]
    if len(parts) == 2:
        return dated(numbers[1], numbers[0], 0, "slashed"), i + 1
    if len(parts[0]) == 4:
        return dated(numbers[0], numbers[1], numbers[2], "numeric"), i + 1
    first, second, year = numbers
    if len(parts[2]) == 2:
        year = _two_digits(scope, year)
    elif len(parts[2]) != 4:
        return None
    if first > 12 or kind == "dotted" or first == second or reader.language.day_first:
        return dated(year, second, first, "numeric"), i + 1
    if second > 12 or reader.language.day_first is False:
        return dated(year, first, second, "numeric"), i + 1
    return failed("day and month cannot be told apart; write the month as a word or use ISO 8601", "numeric"), i + 1


def _two_digits(scope: Scope, number: int) -> int:
    """The year of two digits that lies within 80 years before and 20 after the anchor."""
    base = (scope.year + 20) // 100 * 100 + number
    return base if base <= scope.year + 20 else base - 100


def era(scope: Scope, i: int) -> tuple[int, int] | None:
    """-1 for BC, 1 for AD at `i`, and the index after it."""
    if found := scope.reader.get(i, Cat.ERA_BEFORE):
        return -1, found[1]
    if found := scope.reader.get(i, Cat.ERA):
        return 1, found[1]
    return None


@remembered
def year_number(scope: Scope, i: int) -> Found | None:
    """A year with its era, astronomical: `2023`, `44 BC` (-43), `AD 79`, `year 12000`, `2023年`, `'23`."""
    reader = scope.reader
    any_size = False
    worded = reader.get(i, Cat.YEAR_WORD)
    if worded is not None and worded[0] == 0:
        i, any_size = worded[1], True
    before = era(scope, i)
    if before:
        i, any_size = before[1], True
    if reader.word(i) in ("'", "’") and reader.kind(i + 1) == "num" and len(reader.word(i + 1)) == 2:
        return (_two_digits(scope, int(reader.word(i + 1))), i + 2) if reader.word(i + 1).isdecimal() else None
    number = reader.digits(i) or _grouped(scope, i, any_size)
    if number is None:
        return None
    value, j = number
    sign = before[0] if before else 0
    marked = reader.get(j, Cat.YEAR_MARK)
    if marked:
        j, any_size = marked[1], True
        value = _two_digits(scope, value) if value < 100 and not sign else value
    if not sign and (after := era(scope, j)) is not None:
        sign, j = after
    if sign < 0:
        return 1 - value, j
    if sign > 0 or any_size or (1000 <= value <= 2999 and len(reader.word(i)) == 4):
        return value, j
    return None


def _grouped(scope: Scope, i: int, any_size: bool) -> Found | None:
    word = scope.reader.word(i)
    if any_size and scope.reader.kind(i) == "num" and re.fullmatch(r"\d{1,3}(?:[,.]\d{3})+", word):
        return int(re.sub("[,.]", "", word)), i + 1
    return None


@remembered
def relative_year(scope: Scope, i: int) -> Found | None:
    """A year told by the anchor: `last year`, `el año pasado`, `去年`, `two years ago` is left to its own rule."""
    reader = scope.reader
    if (fixed := reader.get(i, Cat.FIXED_PERIOD)) and fixed[0] // 10 == Unit.YEAR:
        return scope.year + fixed[0] % 10 - 5, fixed[1]
    if (turn := reader.get(i, Cat.RELATIVE)) and (unit := reader.get(turn[1], Cat.UNIT)) and unit[0] == Unit.YEAR:
        return scope.year + turn[0], unit[1]
    if (unit := reader.get(i, Cat.UNIT)) and unit[0] == Unit.YEAR and (
            turn := reader.get(unit[1], Cat.RELATIVE_POST)):
        return scope.year + turn[0], turn[1]
    return None


def year_after(scope: Scope, i: int) -> Found | None:
    """The year that completes a date ending before `i`: an explicit or a relative one, after fillers."""
    reader = scope.reader
    for j in dict.fromkeys((i, reader.skip(i, Cat.FILLER))):
        if found := year_number(scope, j) or relative_year(scope, j):
            return found
    if reader.word(i) == "-" and reader.glued(i) and (found := year_number(scope, i + 1)):
        return found
    return None


@remembered
def _day_number(scope: Scope, i: int) -> Found | None:
    reader = scope.reader
    if (ordinal := reader.get(i, Cat.ORDINAL)) and ordinal[0] <= 31:
        return ordinal
    number = reader.digits(i)
    if number is None or number[0] > 99 or (reader.kind(i) == "num" and len(reader.word(i)) > 2):
        return None
    value, j = number
    mark = reader.get(j, Cat.ORDINAL_MARK)
    return (value, mark[1]) if mark and reader.glued(j) else (value, j)


def day_month(scope: Scope, i: int) -> Parsed:
    """`4 May 2024`, `the 4th of May`, `May 4th, 2024`, `May 2024`, `Tuesday, 4 May`, `5 Nov`, `May`."""
    reader = scope.reader
    if named := reader.get(i, Cat.WEEKDAY):
        j = reader.skip(named[1], Cat.FILLER)
        return day_month(scope, j) if _day_number(scope, j) or reader.get(j, Cat.MONTH) else None
    if month := reader.get(i, Cat.MONTH):
        after = _day_number(scope, reader.skip(month[1], Cat.FILLER) if reader.language.code == "en" else month[1])
        if after and after[0] <= 31 and not reader.get(after[1], Cat.UNIT):
            return _complete(scope, month[0], after[0], after[1], "month-day")
        return _complete(scope, month[0], 0, month[1], "month")
    if (day := _day_number(scope, i)) and (
            month := reader.get(reader.skip(day[1], Cat.FILLER), Cat.MONTH)):
        return _complete(scope, month[0], day[0], month[1], "day-month")
    return None


def year_first(scope: Scope, i: int) -> Parsed:
    """`2018, July 10`, `2023 May`."""
    reader = scope.reader
    if (year := year_number(scope, i)) is None:
        return None
    month = reader.get(reader.skip(year[1], Cat.FILLER), Cat.MONTH)
    if month is None or reader.get(i - 1, Cat.MONTH):
        return None
    day = _day_number(scope, month[1])
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
        if year:
            return dated(year[0], month[0], number, "characters"), j
        return without_year(scope, month[0], number, "characters"), j
    if (fixed := reader.get(i, Cat.FIXED_PERIOD)) and fixed[0] // 10 == Unit.MONTH and (
            day := reader.digits(fixed[1])) and (mark := reader.get(day[1], Cat.DAY_MARK)):
        start = shift(unit_period(scope.now, Unit.MONTH).interval.start, Unit.MONTH, fixed[0] % 10 - 5).civil()
        return dated(start[0], start[1], day[0], "characters"), mark[1]
    return None


def quarter(scope: Scope, i: int) -> Parsed:
    """`Q3 2023`, `2023 Q3`, `third quarter of 2023`, `H1 2024`, `first half of 2024`, `2023年第三季度`."""
    reader = scope.reader
    leading = year_number(scope, i) or relative_year(scope, i)
    j = reader.skip(leading[1], Cat.FILLER) if leading else i
    if leading and reader.word(j) == "-":
        j += 1
    size, number = 3, None
    if word := reader.get(j, Cat.QUARTER_WORD):
        number = word
    elif (prefix := reader.get(j, Cat.QUARTER_PREFIX)) and (digit := reader.digits(prefix[1])):
        number = digit if digit[0] <= 4 else None
    elif word := reader.get(j, Cat.HALF_WORD):
        size, number = 6, word
    elif (prefix := reader.get(j, Cat.HALF_PREFIX)) and (digit := reader.digits(prefix[1])):
        size, number = 6, digit if digit[0] <= 2 else None
    elif (ordinal := _day_number(scope, j)) and (unit := reader.get(ordinal[1], Cat.UNIT)) and (
            unit[0] in (Unit.QUARTER, Unit.HALF)) and (reader.get(j, Cat.ORDINAL) or ordinal[1] > j + 1):
        size = 3 if unit[0] == Unit.QUARTER else 6
        number = (ordinal[0], unit[1]) if ordinal[0] <= 12 // size else None
    if number is None or not number[0]:
        return None
    precision = Precision.QUARTER if size == 3 else Precision.HALF
    year = leading or year_after(scope, number[1])
    month = (number[0] - 1) * size + 1
    if year:
        return Point(month_period(year[0], month, size, precision=precision), "quarter"), max(year[1], number[1])
    last = next(period for back in range(3) if (period := month_period(
        scope.year + (1 if scope.future else 0) - back, month, size, precision=precision)).interval.start <= scope.now
        or scope.future)
    return Point(last, "quarter:bare", weak=True), number[1]


def fiscal(scope: Scope, i: int) -> Parsed:
    """`FY2023`, `FY23`: taken as about the calendar year, since companies differ."""
    reader = scope.reader
    if (prefix := reader.get(i, Cat.FISCAL)) is None or (number := reader.digits(prefix[1])) is None:
        return None
    year = _two_digits(scope, number[0]) if number[0] < 100 else number[0]
    return Point(replace(year_period(year), approximate=True), "fiscal-year"), number[1]


def decade(scope: Scope, i: int) -> Parsed:
    """`1990s`, `the '90s`, `nineties`, `los años 90`, `la década de 1990`, `20世纪90年代`."""
    reader = scope.reader
    base = 0
    if (century_found := century(scope, i)) and not century_found[0].trouble:
        base = century_found[0].period.interval.start.civil()[0] // 100 * 100
    j = century_found[1] if base and century_found else i
    quote = reader.word(j) in ("'", "’")
    j = j + 1 if quote else j
    if word := reader.get(j, Cat.DECADE_WORD):
        plural = reader.get(i - 1, Cat.YEAR_WORD) if i else None
        if reader.language.code != "es" or (plural and plural[0] == 1):
            return _decade(scope, word[0], base), word[1]
    number = reader.digits(j)
    if number and (mark := reader.get(number[1], Cat.DECADE_MARK)) and number[0] % 10 == 0 and (
            reader.glued(number[1]) or reader.language.code == "zh"):
        return _decade(scope, number[0], base), mark[1]
    if (plural := reader.get(i, Cat.YEAR_WORD)) and plural[0] == 1:
        if word := reader.get(plural[1], Cat.DECADE_WORD):
            return _decade(scope, word[0], 0), word[1]
        if (number := reader.digits(plural[1])) and number[0] % 10 == 0:
            return _decade(scope, number[0], 0), number[1]
    if (unit := reader.get(i, Cat.UNIT)) and unit[0] == Unit.DECADE:
        j = reader.skip(unit[1], Cat.FILLER)
        if (plural := reader.get(j, Cat.YEAR_WORD)) and plural[0] == 1:
            return decade(scope, j)
        if (number := reader.digits(j)) and number[0] % 10 == 0:
            return _decade(scope, number[0], 0), number[1]
    return None


def _decade(scope: Scope, number: int, base: int) -> Point:
    if number < 100:
        number += base or (scope.year // 100 * 100 - (100 if number > scope.year % 100 else 0))
    elif number % 100 == 0 and number != 2000 and scope.reader.language.code == "en":
        return Point(year_period(number, precision=Precision.CENTURY, length=100), "century:hundreds")
    return Point(year_period(number, precision=Precision.DECADE, length=10), "decade")


@remembered
def century(scope: Scope, i: int) -> Parsed:
    """`20th century` (1901–2000), `5th century BC`, `siglo XX`, `20世纪`."""
    reader = scope.reader
    before = era(scope, i)
    start = before[1] if before else i
    number: Found | None = None
    if prefix := reader.get(start, Cat.CENTURY_PREFIX):
        roman = reader.word(prefix[1])
        if roman and _ROMAN.fullmatch(roman):
            values = [_ROMAN_VALUE[char] for char in roman]
            total = sum(-low if low < high else low for low, high in zip(values, [*values[1:], 0], strict=True))
            number = total, prefix[1] + 1
        else:
            number = reader.digits(prefix[1])
    elif (ordinal := _day_number(scope, start)) and (
            unit := reader.get(ordinal[1] + (reader.word(ordinal[1]) == "-"), Cat.UNIT)) and unit[0] == Unit.CENTURY:
        number = ordinal[0], unit[1]
        if reader.language.code != "zh" and ordinal[1] == start + 1 and not reader.get(start, Cat.ORDINAL):
            return None
    if number is None or not 1 <= number[0] <= 99:
        return None
    sign, end = before if before else era(scope, number[1]) or (1, number[1])
    first = (number[0] - 1) * 100 + 1 if sign > 0 else 1 - number[0] * 100
    return Point(year_period(first, precision=Precision.CENTURY, length=100), "century"), max(end, number[1])


def season(scope: Scope, i: int) -> Parsed:
    """`spring 2023`, `the winter of 2022`, `2023年春`, `summer`; winter 2023 begins in December 2023."""
    reader = scope.reader
    leading = year_number(scope, i) or relative_year(scope, i)
    j = reader.skip(leading[1], Cat.FILLER) if leading else i
    if (found := reader.get(j, Cat.SEASON)) is None:
        return None
    if year := leading or year_after(scope, found[1]):
        return Point(season_period(year[0], found[0]), "season"), max(year[1], found[1])
    years = range(scope.year + 1, scope.year - 3, -1)
    last = next(period for back in years if (period := season_period(back, found[0])).interval.start <= scope.now)
    return Point(last, "season:bare", weak=True), found[1]


def week(scope: Scope, i: int) -> Parsed:
    """`week 5 of 2023`, `KW 5 2023`, `2023年第5周`, `the week of 5 May 2024`."""
    reader = scope.reader
    leading = year_number(scope, i)
    j = leading[1] if leading else i
    if prefix := reader.get(j, Cat.WEEK_PREFIX):
        number = reader.digits(prefix[1])
        end = number[1] if number else 0
        if number and reader.language.code == "zh":
            unit = reader.get(end, Cat.UNIT)
            end = unit[1] if unit and unit[0] == Unit.WEEK else 0
        if number and end and (year := leading or year_after(scope, end)):
            try:
                period = parse_period(f"{year[0]:04d}-W{number[0]:02d}", UTC)
            except TimeError as error:
                return failed(str(error), "week"), max(year[1], end)
            return Point(period, "week"), max(year[1], end)
    if (unit := reader.get(i, Cat.UNIT)) and unit[0] == Unit.WEEK:
        j = reader.skip(unit[1], Cat.FILLER)
        found = day_month(scope, j) or iso(scope, j)
        if found and j > unit[1] and not found[0].trouble and found[0].period.precision is Precision.DAY:
            return Point(unit_period(found[0].period.interval.start, Unit.WEEK), "week-of"), found[1]
    return None


def holiday(scope: Scope, i: int) -> Parsed:
    """`Christmas 2020`, `Ostern 2024`, `2020年圣诞节`; without a year like any day of a month."""
    reader = scope.reader
    leading = year_number(scope, i) or relative_year(scope, i)
    found = reader.get(leading[1] if leading else i, Cat.HOLIDAY)
    if found is None:
        return None
    value, end = found
    year = leading or year_after(scope, end)
    end = max(year[1], end) if year else end
    if value < 10_000:
        month, day = divmod(value, 100)
        return (dated(year[0], month, day, "holiday") if year else without_year(scope, month, day, "holiday")), end
    if year and not 1583 <= year[0] <= 9999:
        return failed("Easter is computed for the Gregorian years 1583–9999", "holiday"), end
    offset = (value - 1_000_000) * DAY
    days = [easter(y).interval.start.plus(offset) for y in ([year[0]] if year else (scope.year, scope.year - 1))]
    start = next((day for day in days if day <= scope.now), days[0])
    return Point(day_period(*start.civil()[:3]), "holiday"), end


def year_alone(scope: Scope, i: int) -> Parsed:
    """`2023`, `44 BC`, `AD 79`, `year 12000`, `2023年`."""
    if (found := year_number(scope, i)) is None:
        return None
    plain = found[1] == i + 1
    return replace(dated(found[0], 0, 0, "year"), weak=plain), found[1]




ABSOLUTE: Final[tuple[Rule, ...]] = (
    iso, numeric, day_month, year_first, characters,
    quarter, fiscal, decade, century, season, week, holiday, year_alone)
