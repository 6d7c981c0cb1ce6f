"""Wall-clock arithmetic. Every instant and interval here is a local reading, written as if it were UTC."""

from __future__ import annotations

from typing import Final

from workbench.ingest.dates.lexicon import Unit
from workbench.model.time import (
    DAY,
    SECOND,
    Instant,
    Interval,
    Period,
    Precision,
    day_period,
    days_in_month,
    month_period,
    year_period,
)

_SECONDS: Final = {Unit.SECOND: 1, Unit.MINUTE: 60, Unit.HOUR: 3600, Unit.DAY: 86_400, Unit.WEEK: 604_800,
                   Unit.WEEKEND: 604_800, Unit.FORTNIGHT: 1_209_600}
_MONTHS: Final = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.HALF: 6, Unit.YEAR: 12, Unit.DECADE: 120, Unit.CENTURY: 1200,
                  Unit.MILLENNIUM: 12_000}
_PRECISION: Final = {Unit.WEEK: Precision.WEEK, Unit.MONTH: Precision.MONTH, Unit.QUARTER: Precision.QUARTER,
                     Unit.HALF: Precision.HALF, Unit.YEAR: Precision.YEAR, Unit.DECADE: Precision.DECADE,
                     Unit.CENTURY: Precision.CENTURY, Unit.MILLENNIUM: Precision.SPAN}


def day_of(local: Instant) -> Period:
    """The calendar day of a reading."""
    year, month, day = local.civil()[:3]
    return day_period(year, month, day)


def weekday(local: Instant) -> int:
    """0 Monday … 6 Sunday."""
    return (int(local) // DAY + 3) % 7


def shift(local: Instant, unit: int, count: float) -> Instant:
    """A reading moved by `count` units; months keep the day where it exists, else take the month's last."""
    if unit in _SECONDS:
        return local.plus(int(count * _SECONDS[unit]) * SECOND)
    whole = round(count * _MONTHS[unit])
    year, month, day, *clock = local.civil()
    year, month = (year * 12 + month - 1 + whole) // 12, (month - 1 + whole) % 12 + 1
    return Instant.of(year, month, min(day, days_in_month(year, month)), *clock)


def unit_period(local: Instant, unit: int) -> Period:
    """The calendar unit around a reading: its day, ISO week, weekend, month, quarter, half, year, decade, century."""
    year, month = local.civil()[:2]
    if unit <= Unit.DAY:
        return day_of(local)
    if unit in (Unit.WEEK, Unit.WEEKEND, Unit.FORTNIGHT):
        monday = day_of(local).interval.start.plus(-weekday(local) * DAY)
        if unit == Unit.WEEKEND:
            return Period(Interval(monday.plus(5 * DAY), monday.plus(7 * DAY)), Precision.SPAN)
        return Period(Interval(monday, monday.plus(7 * DAY)), Precision.WEEK)
    if unit < Unit.YEAR:
        size = _MONTHS[unit]
        return month_period(year, (month - 1) // size * size + 1, size, precision=_PRECISION[unit])
    size = _MONTHS[unit] // 12
    return year_period(year // size * size, precision=_PRECISION[unit], length=size)


def season_period(year: int, season: int) -> Period:
    """Meteorological season (21 spring … 24 winter) that begins in `year`, northern hemisphere."""
    return month_period(year, (season - 20) * 3, 3, precision=Precision.SEASON)


def part_of(period: Period, part: int) -> Period:
    """Early (0), middle (1) or late (2) part: of a decade years 0–3, 4–6, 7–9; of a month days 1–10, 11–20, 21–; of
    anything else about its thirds."""
    start, end = period.interval.start, period.interval.end
    if period.precision is Precision.DECADE:
        year = start.civil()[0]
        cuts = [Instant.of(year + offset) for offset in (0, 4, 7, 10)]
    elif period.precision is Precision.CENTURY:
        year = start.civil()[0]
        cuts = [Instant.of(year + offset) for offset in (0, 33, 67, 100)]
    elif period.precision is Precision.MONTH:
        cuts = [start, start.plus(10 * DAY), start.plus(20 * DAY), end]
    elif period.precision in (Precision.YEAR, Precision.HALF, Precision.QUARTER, Precision.SEASON):
        months = {Precision.YEAR: 12, Precision.HALF: 6}.get(period.precision, 3)
        cuts = [shift(start, Unit.MONTH, months * third // 3) for third in range(4)]
    else:
        third = (end - start) // 3
        cuts = [start, start.plus(third), start.plus(2 * third), end]
    if not cuts[part] < cuts[part + 1]:
        return period
    return Period(Interval(cuts[part], cuts[part + 1]), Precision.SPAN, period.approximate)


_EDGE: Final = {Precision.WEEK: (Unit.DAY, 1), Precision.MONTH: (Unit.DAY, 7), Precision.DECADE: (Unit.YEAR, 2),
                Precision.CENTURY: (Unit.DECADE, 1)}


def edge_of(period: Period, edge: int) -> Period:
    """Beginning (0), end (1), middle (2), first (3) or second half (4): the beginning or end of a year, half, quarter
    or season is its first or last month, of a month seven days, of a decade two years; a day is itself."""
    if edge == 2:
        return part_of(period, 1)
    if edge > 2:
        return _half_of(period, edge - 3)
    start, end = period.interval.start, period.interval.end
    if period.precision in (Precision.DAY, Precision.INSTANT):
        return period
    unit, count = _EDGE.get(period.precision, (Unit.MONTH, 1))
    low, high = (start, shift(start, unit, count)) if edge == 0 else (shift(end, unit, -count), end)
    low, high = max(low, start), min(high, end)
    return Period(Interval(low, high), Precision.SPAN, period.approximate) if low < high else period


def _half_of(period: Period, second: int) -> Period:
    start, end = period.interval.start, period.interval.end
    (year, month), (last_year, last_month) = start.civil()[:2], end.civil()[:2]
    months = (last_year - year) * 12 + last_month - month
    middle = shift(start, Unit.MONTH, months // 2) if months > 1 else start.plus((end - start) // (2 * DAY) * DAY)
    low, high = (middle, end) if second else (start, middle)
    return Period(Interval(low, high), Precision.SPAN, period.approximate) if low < high else period


def nth_weekday(year: int, month: int, day: int, number: int) -> Period | None:
    """The `number`th weekday (0 Monday) of a month, 9 = the last; None if there are not so many."""
    first = Instant.of(year, month)
    length = days_in_month(year, month)
    offset = (day - weekday(first)) % 7
    count = (length - 1 - offset) // 7 + 1
    number = count if number == 9 else number
    return None if not 1 <= number <= count else day_of(first.plus((offset + 7 * (number - 1)) * DAY))


def easter(year: int) -> Period:
    """Easter Sunday of a Gregorian year (anonymous algorithm, Nature 20 April 1876)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    week = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 19 * week) // 433
    month = (h + week - 7 * m + 90) // 25
    return day_period(year, month, (h + week - 7 * m + 33 * month + 19) % 32)
