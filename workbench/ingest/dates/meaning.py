"""From a reading to start and end: what each qualifier means at each role.

| words | start | end |
|---|---|---|
| in, on, at X | X as a start | (role END: X as an end) |
| since, from X | X as a start | |
| since before X | no later than X's first instant | |
| throughout X | X as a start | X as an end |
| after X | first instant after X, exact | (role END: no earlier than that) |
| before X | (role START: no later than X's first instant) | no later than X's first instant |
| by X | no later than X | (role END: no later than X) |
| until X | | X as an end; a day or instant is exclusive |
| through X | | first instant after X, exact |
| until the end of X, since the beginning of X | first instant of X | first instant after X |
| between X and Y, one event | somewhere from X to Y | somewhere from X to Y |
"""

from __future__ import annotations

from dataclasses import replace

from workbench.ingest.dates.point import Point
from workbench.ingest.dates.spans import Reading
from workbench.ingest.dates.values import Role, TimeSpan
from workbench.model.errors import TimeError
from workbench.model.time import BEGINNING, FOREVER, Bound, Instant, Interval, Precision, Unparsed


def span_of(reading: Reading, role: Role, phrase: str, language: str) -> TimeSpan | Unparsed:
    """The meaning of a reading whose points are already moved to UTC."""
    limits = (limit[1] for limit in (reading.lower, reading.upper) if limit)
    for point in (reading.at, *limits):
        if point is not None and point.trouble:
            return Unparsed(phrase, point.trouble)
    try:
        start, end = _limits(reading, role)
    except TimeError as error:
        return Unparsed(phrase, str(error))
    if start is not None and end is not None and end.best <= start.best:
        return Unparsed(phrase, f"it ends ({end.best}) before it starts ({start.best})")
    if start is not None and end is not None and end.earliest < start.earliest:
        end = replace(end, earliest=start.earliest)
    return TimeSpan(_named(start, phrase), _named(end, phrase), phrase, reading.rule, language)


def _named(bound: Bound | None, phrase: str) -> Bound | None:
    return None if bound is None else replace(bound, phrase=phrase)


def _limits(reading: Reading, role: Role) -> tuple[Bound | None, Bound | None]:
    if reading.at is not None:
        return (None, reading.at.as_end()) if role is Role.END else (reading.at.as_start(), None)
    if reading.duration is not None:
        return (None, reading.duration) if role is Role.END else (reading.duration, None)
    lower, upper = reading.lower, reading.upper
    if lower and upper:
        if role is not Role.AT and lower[0] in ("between", "after") and upper[0] in ("between", "before"):
            bound = _somewhere(lower, upper, role)
            return (bound, None) if role is Role.START else (None, bound)
        start, end = _start(*lower), _end(*upper)
        return (start if role is not Role.END else None), (end if role is not Role.START else None)
    if lower:
        return (None, _end_after(*lower)) if role is Role.END else (_start(*lower), None)
    assert upper is not None
    kind, point = upper
    if role is Role.START or (role is Role.AT and kind == "by"):
        return _start_before(kind, point), None
    return None, _end(kind, point)


def _first(point: Point) -> Instant:
    """The first instant of the point; of "the beginning of X" that of X, of "the end of X" the instant after X."""
    if point.edge is not None and point.whole is not None:
        return point.whole.end if point.edge else point.whole.start
    return point.best if point.best is not None else point.period.interval.start


def _past(point: Point) -> Instant:
    """The first instant after the point; an instant has none of its own length."""
    if point.edge is not None and point.whole is not None:
        return point.whole.end if point.edge else point.whole.start
    interval = point.period.interval
    return interval.start if point.period.precision is Precision.INSTANT else interval.end


def _exact(instant: Instant, point: Point) -> Bound:
    slack = point.period.interval.end - point.period.interval.start if point.period.approximate else 0
    return Bound(instant, instant.plus(-slack), instant.plus(slack), _stretch(point))


def _stretch(point: Point) -> Interval:
    return point.whole if point.edge is not None and point.whole is not None else point.period.interval


def _start(kind: str, point: Point) -> Bound:
    if kind == "after":
        return _exact(_past(point), point)
    if kind == "exactly":
        return point.as_start()
    if kind == "since-before":
        return _start_before("before", point)
    if point.edge == 0:
        return _exact(_first(point), point)
    bound = point.as_start()
    return replace(bound, earliest=BEGINNING) if kind == "since-at-least" else bound


def _end(kind: str, point: Point) -> Bound:
    if kind == "through":
        return _exact(_past(point), point)
    if kind == "before":
        first = _first(point)
        return Bound(first, BEGINNING, first, _stretch(point))
    if kind == "by":
        bound = point.as_end()
        return replace(bound, earliest=BEGINNING)
    if point.edge is not None:
        return _exact(_past(point), point)
    return point.as_end()


def _start_before(kind: str, point: Point) -> Bound:
    """Began no later than the point: before X's first instant, or by X at the latest within X."""
    if kind == "before":
        first = _first(point)
        return Bound(first, BEGINNING, first, _stretch(point))
    bound = point.as_start()
    return replace(bound, earliest=BEGINNING)


def _end_after(kind: str, point: Point) -> Bound:
    """Ended no earlier than the point ("left after 2019"), or with it ("left as of 2019")."""
    if kind == "after":
        past = _past(point)
        return Bound(past, past, FOREVER, _stretch(point))
    bound = point.as_end()
    return replace(bound, latest=FOREVER) if kind == "since-at-least" else bound


def _somewhere(lower: tuple[str, Point], upper: tuple[str, Point], role: Role) -> Bound:
    low = _past(lower[1]) if lower[0] == "after" else _first(lower[1])
    high = _first(upper[1]) if upper[0] == "before" else _past(upper[1])
    return Bound(low if role is Role.START else high, low, high, Interval(low, high))
