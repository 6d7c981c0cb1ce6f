"""Points that name a longer calendar period: quarters, decades, centuries, seasons, weeks, years; and holidays."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC
from typing import Final

from workbench.ingest.dates.absolute import characters, day_month, iso, numeric, year_first
from workbench.ingest.dates.calendar import easter, nth_weekday, season_period, unit_period
from workbench.ingest.dates.lexicon import Cat, Found, Unit
from workbench.ingest.dates.point import Parsed, Point, Rule, Scope, dated, failed, remembered, without_year
from workbench.ingest.dates.years import day_number, era, relative_year, two_digits, year_after, year_number
from workbench.model.errors import TimeError
from workbench.model.time import (
    DAY,
    Instant,
    Interval,
    Period,
    Precision,
    day_period,
    month_period,
    parse_period,
    year_period,
)

_ROMAN: Final = re.compile(r"(?=[ivxlc])(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_ROMAN_VALUE: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


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
    elif swapped := _swapped(scope, j):
        size, number = swapped
    elif (prefix := reader.get(j, Cat.QUARTER_PREFIX)) and (digit := reader.digits(prefix[1])):
        number = digit if digit[0] <= 4 else None
    elif word := reader.get(j, Cat.HALF_WORD):
        size, number = 6, word
    elif (prefix := reader.get(j, Cat.HALF_PREFIX)) and (digit := reader.digits(prefix[1])):
        size, number = 6, digit if digit[0] <= 2 else None
    elif (ordinal := day_number(scope, j)) and (unit := reader.get(ordinal[1], Cat.UNIT)) and (
            unit[0] in (Unit.QUARTER, Unit.HALF)) and (reader.get(j, Cat.ORDINAL) or ordinal[1] > j + 1):
        size = 3 if unit[0] == Unit.QUARTER else 6
        number = (ordinal[0], unit[1]) if ordinal[0] <= 12 // size else None
    if number is None or not number[0]:
        return None
    precision = Precision.QUARTER if size == 3 else Precision.HALF
    end = number[1] + (reader.word(number[1]) == "/")
    year = leading or year_after(scope, end)
    if year is None and (short := reader.digits(end)) and len(reader.word(end)) == 2 and reader.glued(end) and (
            reader.word(j).isdecimal()):
        year = two_digits(scope, short[0]), short[1]
    month = (number[0] - 1) * size + 1
    if year:
        return Point(month_period(year[0], month, size, precision=precision), "quarter"), max(year[1], number[1])
    last = next(period for back in range(3) if (period := month_period(
        scope.year + (1 if scope.future else 0) - back, month, size, precision=precision)).interval.start <= scope.now
        or scope.future)
    return Point(last, "quarter:bare", weak=True), number[1]


def _swapped(scope: Scope, i: int) -> tuple[int, Found] | None:
    """(months, (number, next)) of `3Q` and `1H`."""
    reader = scope.reader
    digit = reader.digits(i)
    if digit is None or not 1 <= digit[0] <= 4 or not reader.glued(digit[1]) or len(reader.word(digit[1])) != 1:
        return None
    if found := reader.get(digit[1], Cat.QUARTER_PREFIX):
        return 3, (digit[0], found[1])
    if digit[0] <= 2 and (found := reader.get(digit[1], Cat.HALF_PREFIX)) and reader.raw(digit[1]) == "H":
        return 6, (digit[0], found[1])
    return None


def fiscal(scope: Scope, i: int) -> Parsed:
    """`FY2023`, `FY23`: taken as about the calendar year, since companies differ."""
    reader = scope.reader
    if (prefix := reader.get(i, Cat.FISCAL)) is None or (number := reader.digits(prefix[1])) is None:
        return None
    year = two_digits(scope, number[0]) if number[0] < 100 else number[0]
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
        if reader.language.decade_words_alone or (plural and plural[0] == 1):
            return _decade(scope, word[0], base), word[1]
    number = reader.digits(j)
    if number and (mark := reader.get(number[1], Cat.DECADE_MARK)) and number[0] % 10 == 0 and (
            reader.glued(number[1]) or reader.language.characters):
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
    length = 100
    if prefix := reader.get(start, Cat.CENTURY_PREFIX):
        total = _roman(reader.word(prefix[1]))
        number = (total, prefix[1] + 1) if total else reader.digits(prefix[1])
    elif (unit := reader.get(start + 1, Cat.UNIT)) and unit[0] == Unit.CENTURY and (
            total := _roman(re.sub("(?:eme|e|er)$", "", reader.word(start)))):
        number = total, unit[1]
    elif (ordinal := day_number(scope, start)) and (
            unit := reader.get(ordinal[1] + (reader.word(ordinal[1]) == "-"), Cat.UNIT)) and (
            unit[0] in (Unit.CENTURY, Unit.MILLENNIUM)):
        number, length = (ordinal[0], unit[1]), 100 if unit[0] == Unit.CENTURY else 1000
        if not reader.language.characters and ordinal[1] == start + 1 and not reader.get(start, Cat.ORDINAL):
            return None
    if number is None or not 1 <= number[0] <= 99:
        return None
    sign, end = before if before else era(scope, number[1]) or (1, number[1])
    first = (number[0] - 1) * length + 1 if sign > 0 else 1 - number[0] * length
    precision = Precision.CENTURY if length == 100 else Precision.SPAN
    return Point(year_period(first, precision=precision, length=length), "century"), max(end, number[1])


def _roman(word: str) -> int:
    """The value of a numeral in lower case, 0 if it is none."""
    if not word or not _ROMAN.fullmatch(word):
        return 0
    values = [_ROMAN_VALUE[char] for char in word]
    return sum(-low if low < high else low for low, high in zip(values, [*values[1:], 0], strict=True))


def season(scope: Scope, i: int) -> Parsed:
    """`spring 2023`, `the winter of 2022`, `2023年春`, `summer`; winter 2023 begins in December 2023."""
    reader = scope.reader
    leading = year_number(scope, i) or relative_year(scope, i)
    j = reader.skip(leading[1], Cat.FILLER) if leading else i
    if (found := reader.get(j, Cat.SEASON)) is None:
        return None
    if reader.language.code == "en" and all(reader.raw(k)[:1].isupper() for k in (found[1] - 1, found[1])) and (
            reader.kind(found[1]) == "word"):
        return None  # "the 2014 Winter Olympics"
    if year := leading or year_after(scope, found[1]):
        end = max(year[1], found[1])
        pair = reader.digits(end + 1) if reader.word(end) in ("/", "-", "–") else None
        end = pair[1] if pair and pair[0] % 100 == (year[0] + 1) % 100 else end
        return Point(season_period(year[0], found[0]), "season"), end
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
        if number and reader.language.characters:
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
    """`Christmas 2020`, `Ostern 2024`, `2020年圣诞节`, `last Christmas`; without a year like any day of a month."""
    reader = scope.reader
    leading = year_number(scope, i) or relative_year(scope, i)
    turn = None if leading else reader.get(i, Cat.RELATIVE)
    found = reader.get(reader.skip(leading[1], Cat.FILLER) if leading else turn[1] if turn else i, Cat.HOLIDAY)
    if found is None:
        return None
    value, end = found
    if turn:
        days = sorted(start for year in range(scope.year - 2, scope.year + 3) if (start := _feast(year, value)))
        today = unit_period(scope.now, Unit.DAY).interval.start
        chosen = (max((day for day in days if day < today), default=None) if turn[0] < 0 else
                  min((day for day in days if day > today), default=None) if turn[0] > 0 else _feast(scope.year, value))
        return (Point(day_period(*chosen.civil()[:3]), "holiday:turned"), end) if chosen else None
    year = leading or year_after(scope, end)
    end = max(year[1], end) if year else end
    if value < 10_000:
        month, day = divmod(value, 100)
        if year:
            return dated(year[0], month, day, "holiday"), end
        vague = reader.word(end - 1) == "year"  # "a happy new year" tells no day
        return replace(without_year(scope, month, day, "holiday"), weak=vague), end
    if year and not 1583 <= year[0] <= 9999:
        return failed("movable feasts are computed for the Gregorian years 1583–9999", "holiday"), end
    starts = [start for y in ([year[0]] if year else (scope.year, scope.year - 1)) if (start := _feast(y, value))]
    if not starts:
        return failed("that day is not computed for this year", "holiday"), end
    start = next((day for day in starts if day <= scope.now), starts[0])
    return Point(day_period(*start.civil()[:3]), "holiday"), end


def _feast(year: int, value: int) -> Instant | None:
    """The first instant of a holiday in a year."""
    if value < 10_000:
        return Instant.of(year, value // 100, value % 100)
    if not 1583 <= year <= 9999:
        return None
    if value >= 2_000_000:
        found = nth_weekday(year, value // 1000 % 100, value // 10 % 10, value % 10)
        return found.interval.start if found else None
    return easter(year).interval.start.plus((value - 1_000_000) * DAY)


def nth(scope: Scope, i: int) -> Parsed:
    """`the first Monday of May 2020`, `last Sunday in October`, `the first week of June 2022`."""
    reader = scope.reader
    turn = reader.get(i, Cat.RELATIVE)
    number = (9, turn[1]) if turn and turn[0] == -1 else day_number(scope, i)
    if number is None or not (number[0] == 9 or 1 <= number[0] <= 5) or (
            not turn and number[1] == i + 1 and not reader.get(i, Cat.ORDINAL)):
        return None
    named, unit = reader.get(number[1], Cat.WEEKDAY), reader.get(number[1], Cat.UNIT)
    end = named[1] if named else unit[1] if unit and unit[0] == Unit.WEEK else 0
    j = reader.skip(end, Cat.FILLER, Cat.IN) if end else 0
    if j <= end or not reader.get(j, Cat.MONTH) or (month := day_month(scope, j)) is None or month[0].trouble or (
            month[0].period.precision is not Precision.MONTH):
        return None
    first, after = month[0].period.interval.start, month[0].period.interval.end
    if named:
        found = nth_weekday(*first.civil()[:2], named[0], number[0])
        return (failed("the month has not so many of them", "nth") if found is None else Point(found, "nth")), month[1]
    low = after.plus(-7 * DAY) if number[0] == 9 else first.plus(7 * (number[0] - 1) * DAY)
    high = min(low.plus(7 * DAY), after)
    return (Point(Period(Interval(low, high), Precision.WEEK), "nth:week"), month[1]) if low < high else None


def year_alone(scope: Scope, i: int) -> Parsed:
    """`2023`, `44 BC`, `AD 79`, `year 12000`, `2023年`."""
    if (found := year_number(scope, i)) is None:
        return None
    plain = found[1] == i + 1
    return replace(dated(found[0], 0, 0, "year"), weak=plain), found[1]


ABSOLUTE: Final[tuple[Rule, ...]] = (
    iso, numeric, day_month, year_first, characters,
    quarter, fiscal, decade, century, season, week, holiday, nth, year_alone)
