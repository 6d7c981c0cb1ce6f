"""Clock times and parts of a day, alone or on a date."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final

from workbench.ingest.dates.calendar import day_of
from workbench.ingest.dates.lexicon import Cat, Found, Unit
from workbench.ingest.dates.point import Parsed, Point, Scope, failed, remembered
from workbench.ingest.dates.zones import read_zone
from workbench.model.time import DAY, SECOND, Instant, Interval, Period, Precision

_DAY_PARTS: Final = ((5, 12), (12, 18), (18, 24), (18, 30))


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day in seconds after midnight, the zone it names, and the index of the next token."""

    seconds: int
    zone: tzinfo | None
    next: int
    trouble: str = ""


@remembered
def read_clock(scope: Scope, i: int) -> Clock | None:
    """`17:30`, `5pm`, `5:30 p.m. CET`, `17 Uhr 30`, `las 5 de la tarde`, `下午5点半`, `noon`."""
    reader = scope.reader
    if word := reader.get(i, Cat.CLOCK_WORD):
        return _zoned(scope, word[0] * 3600, word[1])
    leading = reader.get(i, Cat.HALF_DAY)
    j = leading[1] if leading else i
    minute = second = 0
    if reader.kind(j) == "clock":
        hour, minute, second = ([int(part) for part in re.split("[:：]", reader.word(j))] + [0])[:3]
        end = j + 1
        end = ended[1] if (ended := reader.get(end, Cat.OCLOCK)) else end
        marked = True
    else:
        number = reader.digits(j)
        if number is None or number[0] > 24:
            return None
        hour, end = number
        mark = reader.get(end, Cat.OCLOCK)
        marked = mark is not None
        if mark:
            end = mark[1]
            minutes = _minutes(scope, end)
            minute, end = minutes if minutes else (0, end)
    half = leading or reader.get(end, Cat.HALF_DAY)
    if half and not leading:
        end = half[1]
    if not half and not marked:
        return None
    if half and (hour > 12 or (hour == 0 and half[0] == 0)):
        half = None
    if half:
        hour = hour % 12 + half[0]
    if hour > 24 or minute > 59 or second > 59 or (hour == 24 and minute):
        return Clock(0, None, end, f"{hour:02d}:{minute:02d} is not a time of day")
    return _zoned(scope, hour * 3600 + minute * 60 + second, end)


def _minutes(scope: Scope, i: int) -> Found | None:
    reader = scope.reader
    if half := reader.get(i, Cat.HALF_HOUR):
        return 30, half[1]
    number = reader.digits(i)
    if number is None or number[0] > 59 or reader.language.code in ("en", "es"):
        return None
    if reader.language.characters:
        return (number[0], number[1] + 1) if reader.word(number[1]) == "分" else None
    return number


def _zoned(scope: Scope, seconds: int, end: int) -> Clock:
    reader = scope.reader
    at = reader.tokens[end - 1].end
    found = read_zone(reader.text, at)
    if found is None:
        return Clock(seconds, None, end)
    while end < reader.size and reader.tokens[end].start < found[1]:
        end += 1
    if isinstance(found[0], str):
        return Clock(seconds, None, end, f"{found[0]} names several zones; write an offset such as UTC+8")
    return Clock(seconds, found[0], end)


def _at(day: Instant, clock: Clock, rule: str) -> Point:
    if clock.trouble:
        return failed(clock.trouble, rule)
    start = day.plus(clock.seconds * SECOND)
    return Point(Period(Interval(start, Instant(start + 1)), Precision.INSTANT), rule, zone=clock.zone)


def alone(scope: Scope, i: int) -> Parsed:
    """A clock time without a date: on the anchor's day. Also `this morning`, `last night`."""
    reader = scope.reader
    turn = reader.get(i, Cat.RELATIVE)
    if turn and (part := reader.get(turn[1], Cat.DAY_PART)):
        return _part(day_of(scope.now.plus(turn[0] * DAY)).interval.start, part[0]), part[1]
    clock = read_clock(scope, i)
    if clock is None:
        return None
    return _at(day_of(scope.now).interval.start, clock, "clock"), clock.next


def _part(day: Instant, part: int) -> Point:
    low, high = _DAY_PARTS[part]
    hour = 3600 * SECOND
    return Point(Period(Interval(day.plus(low * hour), day.plus(high * hour)), Precision.SPAN), "day-part")


def with_clock(scope: Scope, found: tuple[Point, int]) -> tuple[Point, int]:
    """A date followed by a clock time or a part of the day: `next Friday at 5pm CET`, `yesterday evening`."""
    point, j = found
    reader = scope.reader
    if not _takes_clock(point):
        return found
    for k in dict.fromkeys((j, reader.skip(j, Cat.AT), reader.skip(j, Cat.FILLER, Cat.AT, Cat.IN))):
        if (clock := read_clock(scope, k)) is not None:
            return _clock_on(point, clock), clock.next
        if point.period.precision is Precision.DAY and (part := reader.get(k, Cat.DAY_PART)):
            return _part(point.period.interval.start, part[0]), part[1]
    return found


def on_date(scope: Scope, i: int, date: Parsed, clock: Clock) -> Parsed:
    """A clock time before its date: `at 5pm on 4 May 2024`."""
    if date is None or not _takes_clock(date[0]):
        return None
    return _clock_on(date[0], clock), date[1]


def _takes_clock(point: Point) -> bool:
    return not point.trouble and (point.period.precision is Precision.DAY or point.rule == "day-part")


def _clock_on(point: Point, clock: Clock) -> Point:
    """The clock time on the point's day; in a night, hours before noon are those of the next day."""
    day = day_of(point.period.interval.start).interval.start
    if point.rule == "day-part" and point.period.interval.end > day.plus(DAY) and clock.seconds < 12 * 3600:
        day = day.plus(DAY)
    return _at(day, clock, point.rule + "+clock")


def tolerance(unit: int) -> int:
    """Half of a unit in microseconds: how far a stated duration may be off."""
    days = {Unit.WEEK: 3, Unit.FORTNIGHT: 7, Unit.MONTH: 15, Unit.QUARTER: 45, Unit.HALF: 91, Unit.YEAR: 182,
            Unit.DECADE: 1826, Unit.CENTURY: 18_262, Unit.MILLENNIUM: 182_621}
    return days.get(unit, 0) * DAY
