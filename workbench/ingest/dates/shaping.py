"""Points changed by the words around them, and pairs of points that share a year."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from workbench.ingest.dates.calendar import edge_of, part_of, shift
from workbench.ingest.dates.point import Point, Scope, dated
from workbench.model.time import DAY, Interval, Precision

_EDGES: Final = ("beginning-of:", "end-of:", "middle-of:", "first-half-of:", "second-half-of:")


def approximate(point: Point) -> Point:
    """The point with "about" before it."""
    return replace(point, period=replace(point.period, approximate=True), rule=point.rule + "~", weak=False)


def in_part(point: Point, part: int) -> Point:
    """The early, middle or late part of the point."""
    return replace(point, period=part_of(point.period, part), rule="part:" + point.rule, weak=False, bare=None)


def on_side(scope: Scope, point: Point, later: int) -> Point:
    """The part of the point before the anchor, or after it."""
    low, high, now = point.period.interval.start, point.period.interval.end, scope.now
    if not low < now < high:
        return point
    interval = Interval(now, high) if later else Interval(low, now)
    return replace(point, period=replace(point.period, interval=interval, precision=Precision.SPAN),
                   rule=("earlier:", "later:")[later] + point.rule)


def at_edge(point: Point, edge: int) -> Point:
    """The beginning, end, middle or a half of the point."""
    return replace(point, period=edge_of(point.period, edge), whole=point.period.interval, bare=None,
                   edge=None if edge > 1 or point.period.precision in (Precision.DAY, Precision.INSTANT) else edge,
                   rule=_EDGES[edge] + point.rule, weak=False)


def displaced(point: Point, unit: int, count: float) -> Point:
    """The point moved by `count` units."""
    low, high = (shift(end, unit, count) for end in (point.period.interval.start, point.period.interval.end))
    if not low < high:
        return point
    return replace(point, period=replace(point.period, interval=Interval(low, high)), best=None, whole=None, edge=None)


def is_now(scope: Scope, point: Point) -> bool:
    """Whether a range up to it is open: "2015 to today"."""
    return point.rule == "now" or (point.rule == "day-word" and scope.now in point.period.interval)


def joinable(left: Point, right: Point) -> bool:
    """Whether the second point can end a range that the first begins."""
    return bool(left.trouble or right.trouble) or left.period.interval.start <= right.period.interval.start or (
        left.bare is not None or right.bare is not None or right.rule == "weekday:bare")


def share_year(left: Point, right: Point) -> tuple[Point, Point]:
    """A missing year is the other limit's: `March to May 2024`, `May 2023 to March`."""
    if left.trouble or right.trouble:
        return left, right
    if left.bare and not right.bare:
        year = right.period.interval.start.civil()[0]
        guess = dated(year, *left.bare, left.rule)
        if not guess.trouble and guess.period.interval.start > right.period.interval.start:
            guess = dated(year - 1, *left.bare, left.rule)
        return guess, right
    if right.rule == "weekday:bare" and right.period.interval.start < left.period.interval.start:
        low, high = (end.plus(7 * DAY) for end in (right.period.interval.start, right.period.interval.end))
        return left, replace(right, period=replace(right.period, interval=Interval(low, high)))
    if right.bare:
        year = left.period.interval.start.civil()[0]
        guess = dated(year, *right.bare, right.rule)
        if not guess.trouble and guess.period.interval.start < left.period.interval.start:
            guess = dated(year + 1, *right.bare, right.rule)
        return left, guess
    return left, right
