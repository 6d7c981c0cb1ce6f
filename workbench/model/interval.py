"""Intervals with Allen's relations, and dates known within bounds. Half-open `[start, end)` throughout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from enum import StrEnum
from typing import Final

from workbench.model.errors import TimeError
from workbench.model.instant import BEGINNING, DAY, EARLIEST, FOREVER, LATEST, Instant, civil_instant, in_zone


class Allen(StrEnum):
    """The thirteen relations between two proper intervals (J. F. Allen, CACM 26(11), 1983), OWL-Time names."""

    BEFORE = "before"
    MEETS = "meets"
    OVERLAPS = "overlaps"
    STARTS = "starts"
    DURING = "during"
    FINISHES = "finishes"
    EQUALS = "equals"
    AFTER = "after"
    MET_BY = "metBy"
    OVERLAPPED_BY = "overlappedBy"
    STARTED_BY = "startedBy"
    CONTAINS = "contains"
    FINISHED_BY = "finishedBy"

    @property
    def inverse(self) -> Allen:
        """The relation of b to a, where this is the relation of a to b."""
        return _INVERSE[self]


_INVERSE: Final = {
    Allen.BEFORE: Allen.AFTER, Allen.MEETS: Allen.MET_BY, Allen.OVERLAPS: Allen.OVERLAPPED_BY,
    Allen.STARTS: Allen.STARTED_BY, Allen.DURING: Allen.CONTAINS, Allen.FINISHES: Allen.FINISHED_BY,
    Allen.EQUALS: Allen.EQUALS,
}
_INVERSE.update({value: key for key, value in list(_INVERSE.items())})


@dataclass(frozen=True, slots=True)
class Interval:
    """A half-open, non-empty stretch of time `[start, end)`; `BEGINNING`/`FOREVER` where it is unbounded.

    Raises:
        TimeError: the end is not after the start.
    """

    start: Instant = BEGINNING
    end: Instant = FOREVER

    def __post_init__(self) -> None:
        if self.end <= self.start:
            raise TimeError(f"an interval must end after it starts: [{self.start}, {self.end})")

    def __contains__(self, instant: object) -> bool:
        return isinstance(instant, int) and self.start <= instant < self.end

    def overlaps(self, other: Interval) -> bool:
        """Whether the two share an instant."""
        return self.start < other.end and other.start < self.end

    def relation(self, other: Interval) -> Allen:
        """The one Allen relation that holds between this interval and another.

        >>> Interval(Instant(0), Instant(5)).relation(Interval(Instant(5), Instant(9)))
        <Allen.MEETS: 'meets'>
        """
        a, b = self, other
        if a.end < b.start:
            return Allen.BEFORE
        if a.end == b.start:
            return Allen.MEETS
        if b.end < a.start:
            return Allen.AFTER
        if b.end == a.start:
            return Allen.MET_BY
        if a.start == b.start:
            if a.end == b.end:
                return Allen.EQUALS
            return Allen.STARTS if a.end < b.end else Allen.STARTED_BY
        if a.end == b.end:
            return Allen.FINISHES if a.start > b.start else Allen.FINISHED_BY
        if a.start < b.start:
            return Allen.OVERLAPS if a.end < b.end else Allen.CONTAINS
        return Allen.DURING if a.end < b.end else Allen.OVERLAPPED_BY

    def __str__(self) -> str:
        return f"[{self.start}, {self.end})"


class Precision(StrEnum):
    """How finely a date was stated."""

    INSTANT = "instant"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    QUARTER = "quarter"
    HALF = "half"
    YEAR = "year"
    DECADE = "decade"
    CENTURY = "century"
    SPAN = "span"


_EXACT: Final = frozenset({Precision.INSTANT, Precision.DAY})


@dataclass(frozen=True, slots=True)
class Bound:
    """A start or an end known only within limits: `earliest ≤ best ≤ latest`.

    Attributes:
        best: the instant that the default reading uses.
        earliest, latest: the instant lies in `[earliest, latest]`; equal to `best` where it is exact.
        period: the stretch that the date expression denotes, or None if it was not a period.
        phrase: the words or the EDTF text as given.
    """

    best: Instant
    earliest: Instant
    latest: Instant
    period: Interval | None = None
    phrase: str = ""

    def __post_init__(self) -> None:
        if not self.earliest <= self.best <= self.latest:
            raise TimeError(f"{self.phrase!r}: bounds out of order: {self.earliest} ≤ {self.best} ≤ {self.latest}")

    @classmethod
    def exact(cls, instant: Instant, phrase: str = "") -> Bound:
        """A bound without doubt."""
        return cls(instant, instant, instant, None, phrase)


@dataclass(frozen=True, slots=True)
class Period:
    """What a date expression denotes: a stretch of time at some precision ("2019", "early 1990s", "5 Nov 2024 9am").

    Attributes:
        interval: `[first instant, first instant after)`; an exact instant is one microsecond long.
        precision: how finely it was stated; `INSTANT` and `DAY` count as exact.
        approximate: "about", EDTF `~`: the true period may lie one length of the period earlier or later.
    """

    interval: Interval
    precision: Precision
    approximate: bool = False
    phrase: str = ""

    def _slack(self) -> int:
        return self.interval.end - self.interval.start if self.approximate else 0

    def as_start(self) -> Bound:
        """Read as a start: best = first instant; latest = first instant after the period (exact for day/instant)."""
        first, after = self.interval.start, self.interval.end
        latest = first if self.precision in _EXACT else after
        return Bound(first, first.plus(-self._slack()), latest.plus(self._slack()), self.interval, self.phrase)

    def as_end(self) -> Bound:
        """Read as an end: a day or instant is exact and exclusive; a coarser period is inclusive
        (best = latest = first instant after it, earliest = its first instant)."""
        first, after = self.interval.start, self.interval.end
        best = first if self.precision in _EXACT else after
        return Bound(best, first.plus(-self._slack()), best.plus(self._slack()), self.interval, self.phrase)


@dataclass(frozen=True, slots=True)
class Unparsed:
    """A time expression that could not be resolved: kept with its reason, never dropped.

    Attributes:
        phrase: the text as given.
        reason: why it could not be resolved.
    """

    phrase: str
    reason: str


def year_period(year: int, phrase: str = "", precision: Precision = Precision.YEAR, length: int = 1) -> Period:
    """The period of `length` calendar years from 1 January of `year` (UTC)."""
    start, end = Instant.of(year), Instant.of(year + length)
    if end <= start:  # both clamped beyond ±200,000 years
        start = EARLIEST if start <= EARLIEST else Instant(LATEST - 1)
        end = Instant(start + 1)
    return Period(Interval(start, end), precision, phrase=phrase)


def month_period(year: int, month: int, months: int = 1, phrase: str = "",
                 precision: Precision = Precision.MONTH) -> Period:
    """The period of `months` calendar months from the first of `month` (UTC); it may cross a year's end."""
    end_year, end_month = divmod(year * 12 + month - 1 + months, 12)
    start, end = Instant.of(year, month), Instant.of(end_year, end_month + 1)
    if end <= start:
        return year_period(year, phrase, precision)
    return Period(Interval(start, end), precision, phrase=phrase)


def day_period(year: int, month: int, day: int, phrase: str = "") -> Period:
    """One calendar day (UTC).

    Raises:
        TimeError: there is no such day.
    """
    start = civil_instant(phrase or f"{year}-{month:02d}-{day:02d}", year, month, day, 0, 0, 0, 0, "Z", UTC)
    return Period(Interval(start, Instant(start + DAY)), Precision.DAY, phrase=phrase)


def shift_to_zone(period: Period, zone: tzinfo) -> Period:
    """A period read on a wall clock in `zone`, moved to UTC."""
    if zone is UTC:
        return period
    start, end = in_zone(period.interval.start, zone), in_zone(period.interval.end, zone)
    return replace(period, interval=Interval(start, end)) if start < end else period


@dataclass(frozen=True, slots=True)
class Vantage:
    """Where a question is answered from.

    Attributes:
        valid_at: the instant in the world that the question is about.
        known_at: only what the store held at this instant of knowledge time counts (inclusive: a belief taken in at
            exactly `known_at` is known).
    """

    valid_at: Instant
    known_at: Instant

    def __iter__(self) -> Iterator[Instant]:
        yield self.valid_at
        yield self.known_at
