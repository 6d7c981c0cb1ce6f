"""One point of a time phrase: the period it names, before a qualifier says what to do with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import wraps
from typing import Final, TypeVar, cast

from workbench.ingest.dates.lexicon import Reader
from workbench.model.errors import TimeError
from workbench.model.time import (
    Bound,
    Instant,
    Interval,
    Period,
    Precision,
    day_period,
    in_zone,
    local_time,
    month_period,
    shift_to_zone,
    year_period,
)

_NO_PERIOD: Final = Period(Interval(Instant(0), Instant(1)), Precision.INSTANT)


@dataclass(frozen=True, slots=True)
class Point:
    """What a point expression denotes.

    Attributes:
        period: wall-clock readings in the speaker's zone, written as if UTC.
        rule: id of the rule that read it.
        best: the reading that counts as its start and end if that is not the period's ("three weeks ago").
        whole: the period that "beginning of" or "end of" refers to; `edge` is 0 or 1 then.
        edge: 0 beginning of, 1 end of, None otherwise.
        bare: (month, day or 0) if the year was not written but inferred.
        weak: too vague to be taken for a date without a qualifier before it ("may", "2019").
        zone: the zone that the phrase itself names, or None.
        trouble: why it denotes nothing, or "".
    """

    period: Period
    rule: str
    best: Instant | None = None
    whole: Interval | None = None
    edge: int | None = None
    bare: tuple[int, int] | None = None
    weak: bool = False
    zone: tzinfo | None = None
    trouble: str = ""

    def settled(self, zone: tzinfo) -> Point:
        """The same with all readings moved to UTC."""
        zone = self.zone or zone
        whole = self.whole
        if whole is not None:
            low, high = in_zone(whole.start, zone), in_zone(whole.end, zone)
            whole = Interval(low, high) if low < high else whole
        return replace(self, period=shift_to_zone(self.period, zone), whole=whole,
                       best=None if self.best is None else in_zone(self.best, zone))

    def as_start(self) -> Bound:
        """Read as a start (`Period.as_start`), with `best` if given."""
        return self._centred(self.period.as_start())

    def as_end(self) -> Bound:
        """Read as an end (`Period.as_end`), with `best` if given."""
        return self._centred(self.period.as_end())

    def _centred(self, bound: Bound) -> Bound:
        if self.best is None:
            return bound
        after = bound.earliest + (self.period.interval.end - self.period.interval.start)
        return replace(bound, best=min(max(self.best, bound.earliest), Instant(max(after, bound.latest))),
                       latest=Instant(max(after, bound.latest)))


T = TypeVar("T")
Parsed = tuple[Point, int] | None
Rule = Callable[["Scope", int], Parsed]


def remembered(rule: Callable[[Scope, int], T]) -> Callable[[Scope, int], T]:
    """The rule with its answers kept in the reader, for rules that many others ask at the same place."""

    @wraps(rule)
    def ask(scope: Scope, i: int) -> T:
        memo, key = scope.reader.memo, (rule, i, scope.future)
        if key not in memo:
            memo[key] = rule(scope, i)
        return cast(T, memo[key])

    return ask


def failed(reason: str, rule: str) -> Point:
    """A point that is understood but denotes nothing."""
    return Point(_NO_PERIOD, rule, trouble=reason)


@dataclass(frozen=True)
class Scope:
    """What the rules look at: the marked text, and the anchor as UTC instant and as reading in the speaker's zone.

    `future`: a date without a year, or a bare weekday, is the coming one instead of the last one.
    """

    reader: Reader
    anchor: Instant
    zone: tzinfo
    future: bool = False

    @property
    def now(self) -> Instant:
        """The anchor's wall-clock reading in the speaker's zone."""
        try:
            return local_time(self.anchor, self.zone)
        except OverflowError:  # the first and last hours of years 1 and 9999 have no local datetime
            return self.anchor

    @property
    def year(self) -> int:
        """The anchor's year in the speaker's zone."""
        return self.now.civil()[0]

    def ahead(self) -> Scope:
        """The same, preferring coming dates."""
        return replace(self, future=True)


def dated(year: int, month: int, day: int, rule: str) -> Point:
    """The point of a calendar date; `day` 0 means the month, `month` 0 the year."""
    try:
        if not month:
            return Point(year_period(year), rule)
        if not 1 <= month <= 12:
            return failed(f"there is no month {month}", rule)
        return Point(day_period(year, month, day) if day else month_period(year, month), rule)
    except TimeError as error:
        return failed(str(error), rule)


def without_year(scope: Scope, month: int, day: int, rule: str) -> Point:
    """A month, or a day of a month, without its year: the latest that began by the anchor, or the coming one."""
    years = range(scope.year, scope.year + 9) if scope.future else range(scope.year, scope.year - 9, -1)
    chosen: Point | None = None
    for year in years:
        point = dated(year, month, day, rule)
        interval = point.period.interval
        if not point.trouble and (interval.end > scope.now if scope.future else interval.start <= scope.now):
            chosen = point
            break
    if chosen is None:
        return failed(f"month {month} has no day {day}", rule)
    return replace(chosen, bare=(month, day), weak=not day)


def first_of(scope: Scope, i: int, rules: tuple[Rule, ...]) -> Parsed:
    """The longest reading of any rule at `i`; the earlier rule wins ties."""
    best: Parsed = None
    for rule in rules:
        found = rule(scope, i)
        if found is not None and (best is None or found[1] > best[1]):
            best = found
    return best
