"""Instants, intervals and imprecise dates. No I/O, no clock of the machine.

All intervals are half-open `[start, end)`, in UTC, counted in microseconds. Years are astronomical (year 0 is
1 BC, year -43 is 44 BC). Reading of imprecise dates follows EDTF (ISO 8601-2:2019) levels 0 and 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from workbench.model.errors import TimeError

SECOND: Final = 1_000_000
DAY: Final = 86_400 * SECOND
_MAX_YEAR: Final = 200_000


def _days_from_civil(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 in the proleptic Gregorian calendar (H. Hinnant, "chrono-Compatible Low-Level Date
    Algorithms"); any year."""
    year -= month <= 2
    era = year // 400
    yoe = year - era * 400
    doy = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146_097 + yoe * 365 + yoe // 4 - yoe // 100 + doy - 719_468


def _civil_from_days(days: int) -> tuple[int, int, int]:
    days += 719_468
    era = days // 146_097
    doe = days - era * 146_097
    yoe = (doe - doe // 1460 + doe // 36_524 - doe // 146_096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    day = doy - (153 * mp + 2) // 5 + 1
    month = mp + (3 if mp < 10 else -9)
    return yoe + era * 400 + (month <= 2), month, day


def days_in_month(year: int, month: int) -> int:
    """Length of a month in days.

    >>> days_in_month(2024, 2), days_in_month(-1, 2)
    (29, 28)
    """
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


class Instant(int):
    """A point on the UTC time line: whole microseconds since 1970-01-01T00:00:00Z, any year within ±200,000.

    An `int`, so instants compare, hash and sort as numbers; beyond ±200,000 years the constructors clamp to the
    first or last instant of that range. `BEGINNING` and `FOREVER` stand for -∞ and +∞.

    >>> Instant.of(2024, 3, 1)
    Instant('2024-03-01T00:00:00Z')
    >>> Instant.parse("-0043-03-15T00:00:00Z") < Instant.parse("12000-01-01T00:00:00Z")
    True
    """

    __slots__ = ()

    @classmethod
    def of(cls, year: int, month: int = 1, day: int = 1, hour: int = 0, minute: int = 0, second: int = 0,
           micro: int = 0) -> Instant:
        """The instant of a civil UTC date and time; a year beyond ±200,000 is clamped."""
        if year > _MAX_YEAR:
            return LATEST
        if year < -_MAX_YEAR:
            return EARLIEST
        seconds = _days_from_civil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
        return cls(seconds * SECOND + micro)

    @classmethod
    def from_datetime(cls, value: datetime) -> Instant:
        """From an aware `datetime`.

        Raises:
            TimeError: the value has no offset.
        """
        if value.tzinfo is None:
            raise TimeError(f"{value.isoformat()} has no time zone; give an offset or a zone")
        delta = value - datetime(1970, 1, 1, tzinfo=UTC)
        return cls((delta.days * 86_400 + delta.seconds) * SECOND + delta.microseconds)

    @classmethod
    def parse(cls, text: str, zone: tzinfo = UTC) -> Instant:
        """Read an ISO 8601 date or date-time, with or without offset (then in `zone`); a date is its first instant.

        Years before 0 and after 9999 are accepted (`-0043-03-15`, `12000-01-01`).

        Raises:
            TimeError: not a date, or a date that does not exist (month 13, 30 February, second 60).
        """
        match = _ISO.fullmatch(text.strip())
        if match is None:
            raise TimeError(f"{text!r} is not an ISO 8601 date or time; write 2024-05-01 or 2024-05-01T09:00:00Z")
        year, month, day = int(match["y"]), int(match["m"] or 1), int(match["d"] or 1)
        clock = (int(match["h"] or 0), int(match["mi"] or 0), int(match["s"] or 0))
        micro = int((match["f"] or "0")[:6].ljust(6, "0"))
        return _civil(text, year, month, day, *clock, micro, match["z"], zone)

    @property
    def finite(self) -> bool:
        """False for `BEGINNING` and `FOREVER` only."""
        return BEGINNING < self < FOREVER

    def civil(self) -> tuple[int, int, int, int, int, int, int]:
        """(year, month, day, hour, minute, second, microsecond) in UTC."""
        days, rest = divmod(int(self), DAY)
        seconds, micro = divmod(rest, SECOND)
        return (*_civil_from_days(days), seconds // 3600, seconds // 60 % 60, seconds % 60, micro)

    def to_datetime(self) -> datetime | None:
        """As an aware UTC `datetime`; None outside years 1–9999."""
        if not _MIN_DT <= self <= _MAX_DT:
            return None
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=int(self))

    def iso(self) -> str:
        """The xsd:dateTime form in UTC, with fraction only if there is one; `-inf`/`inf` at the ends of time."""
        if self <= BEGINNING:
            return "-inf"
        if self >= FOREVER:
            return "inf"
        year, month, day, hour, minute, second, micro = self.civil()
        sign, year = ("-", -year) if year < 0 else ("", year)
        fraction = f".{micro:06d}".rstrip("0") if micro else ""
        return f"{sign}{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}{fraction}Z"

    def __repr__(self) -> str:
        return f"Instant({self.iso()!r})"

    def __str__(self) -> str:
        return self.iso()

    def plus(self, micros: int) -> Instant:
        """Shifted by whole microseconds; the ends of time stay where they are, all else stays within range."""
        if not self.finite:
            return self
        return Instant(min(max(int(self) + micros, int(EARLIEST)), int(LATEST)))


BEGINNING: Final = Instant(-(2**63) + 1)
FOREVER: Final = Instant(2**63 - 1)
EARLIEST: Final = Instant(_days_from_civil(-_MAX_YEAR, 1, 1) * DAY)
LATEST: Final = Instant(_days_from_civil(_MAX_YEAR + 1, 1, 1) * DAY - 1)
_MIN_DT: Final = Instant(_days_from_civil(1, 1, 1) * DAY)
_MAX_DT: Final = Instant(_days_from_civil(10_000, 1, 1) * DAY - 1)

_ISO = re.compile(
    r"(?P<y>[+-]?\d{4,9})(?:-(?P<m>\d{2})(?:-(?P<d>\d{2})"
    r"(?:[T ](?P<h>\d{2})(?::?(?P<mi>\d{2})(?::?(?P<s>\d{2})(?:[.,](?P<f>\d{1,12}))?)?)?\s*"
    r"(?P<z>Z|z|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?)?)?", re.ASCII)


def _civil(text: str, year: int, month: int, day: int, hour: int, minute: int, second: int, micro: int,
           offset: str | None, zone: tzinfo) -> Instant:
    if not 1 <= month <= 12:
        raise TimeError(f"{text!r}: there is no month {month}")
    if not 1 <= day <= days_in_month(year, month):
        raise TimeError(f"{text!r}: month {month} of {year} has no day {day}")
    midnight_after = hour == 24 and minute == second == micro == 0
    if (hour > 23 and not midnight_after) or minute > 59 or second > 59:
        raise TimeError(f"{text!r}: {hour:02d}:{minute:02d}:{second:02d} is not a time of day")
    local = Instant.of(year, month, day, hour, minute, second, micro)
    if offset:
        return local if offset in "Zz" else local.plus(-_offset_micros(offset, text))
    return in_zone(local, zone)


def _offset_micros(offset: str, text: str) -> int:
    digits = offset[1:].replace(":", "").ljust(4, "0")
    hours, minutes = int(digits[:2]), int(digits[2:])
    if hours > 18 or minutes > 59:
        raise TimeError(f"{text!r}: {offset} is not a UTC offset")
    size = (hours * 3600 + minutes * 60) * SECOND
    return -size if offset[0] == "-" else size


def in_zone(local: Instant, zone: tzinfo) -> Instant:
    """The UTC instant of a wall-clock reading `local` (given as if UTC) in `zone`.

    Outside years 1–9999 the zone's rules are unknown and the reading is taken as UTC. A reading that a clock
    change skips or repeats takes the earlier offset (`fold=0`).
    """
    if zone is UTC or not local.finite:
        return local
    naive = local.to_datetime()
    if naive is None:
        return local
    offset = naive.replace(tzinfo=zone).utcoffset() or timedelta(0)
    return local.plus(-(offset // timedelta(microseconds=1)))


def local_time(instant: Instant, zone: tzinfo) -> Instant:
    """The wall-clock reading of `instant` in `zone`, as if it were UTC; the inverse of `in_zone`."""
    aware = instant.to_datetime()
    if zone is UTC or aware is None:
        return instant
    offset = zone.utcoffset(aware.astimezone(zone)) or timedelta(0)
    return instant.plus(offset // timedelta(microseconds=1))


def has_offset(text: str) -> bool:
    """Whether an ISO 8601 text carries its own UTC offset.

    >>> has_offset("2024-05-01T09:00+09:00"), has_offset("2024-05-01")
    (True, False)
    """
    match = _ISO.fullmatch(text.strip())
    return match is not None and match["z"] is not None


def zone_of(name: str | None) -> tzinfo:
    """The zone of an IANA name, a UTC offset (`+09:00`), `UTC`/`Z`, or None (UTC).

    Raises:
        TimeError: no such zone.
    """
    if not name or name in ("UTC", "Z"):
        return UTC
    if re.fullmatch(r"[+-]\d{2}:?\d{2}", name):
        return timezone(timedelta(microseconds=_offset_micros(name, name)))
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise TimeError(f"unknown time zone {name!r}; use an IANA name such as Europe/Berlin") from error


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

    def intersection(self, other: Interval) -> Interval | None:
        """The shared part, or None."""
        start, end = max(self.start, other.start), min(self.end, other.end)
        return Interval(start, end) if start < end else None

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
    start = _civil(phrase or f"{year}-{month:02d}-{day:02d}", year, month, day, 0, 0, 0, 0, "Z", UTC)
    return Period(Interval(start, Instant(start + DAY)), Precision.DAY, phrase=phrase)


def shift_to_zone(period: Period, zone: tzinfo) -> Period:
    """A period read on a wall clock in `zone`, moved to UTC."""
    if zone is UTC:
        return period
    start, end = in_zone(period.interval.start, zone), in_zone(period.interval.end, zone)
    return replace(period, interval=Interval(start, end)) if start < end else period


_SEASON_MONTH: Final = {21: 3, 22: 6, 23: 9, 24: 12, 25: 3, 26: 6, 27: 9, 28: 12, 29: 9, 30: 12, 31: 3, 32: 6}
_EDTF = re.compile(r"Y?(?P<y>[+-]?(?:\d{4,9}|\d{3}X|\d{2}XX|\d{1,3}XXX?))(?:-(?P<m>\d{2}|XX)(?:-(?P<d>\d{2}|XX))?)?"
                   r"(?P<q>[?~%])?", re.ASCII)
_WEEK = re.compile(r"(?P<y>\d{4})-?W(?P<w>\d{2})(?:-?(?P<d>[1-7]))?(?P<q>[?~%])?", re.ASCII)


def parse_period(text: str, zone: tzinfo = UTC) -> Period:
    """Read one ISO 8601 or EDTF level 0–1 date: `2023`, `2023-05`, `2023-05-09`, `199X`, `19XX`, `2023-21` (season),
    `2023-34` (quarter), `2023-W05`, `-0043-03-15`, `Y12000`, each with `?`, `~` or `%`; or a date-time.

    A zoneless date is a wall-clock reading in `zone`.

    Raises:
        TimeError: not such a date, or one that does not exist.
    """
    phrase = text.strip()
    if match := _WEEK.fullmatch(phrase):
        return shift_to_zone(_week(phrase, match), zone)
    if match := _EDTF.fullmatch(phrase):
        period = shift_to_zone(_edtf(phrase, match), zone)
        return replace(period, approximate=match["q"] in ("~", "%"))
    if "T" in phrase or re.fullmatch(r".*\d{2}:\d{2}.*", phrase):
        start = Instant.parse(phrase, zone)
        return Period(Interval(start, Instant(start + 1)), Precision.INSTANT, phrase=phrase)
    raise TimeError(f"{text!r} is not an ISO 8601 or EDTF date; write 2023, 2023-05, 2023-05-09, 199X or ../2020")


def _week(phrase: str, match: re.Match[str]) -> Period:
    year, week = int(match["y"]), int(match["w"])
    try:
        day = datetime.fromisocalendar(year, week, int(match["d"] or 1)).replace(tzinfo=UTC)
    except ValueError as error:
        raise TimeError(f"{phrase!r}: year {year} has no week {week}") from error
    start = Instant.from_datetime(day)
    if match["d"]:
        return Period(Interval(start, Instant(start + DAY)), Precision.DAY, phrase=phrase)
    return Period(Interval(start, Instant(start + 7 * DAY)), Precision.WEEK, match["q"] in ("~", "%"), phrase)


def _edtf(phrase: str, match: re.Match[str]) -> Period:
    digits, month, day = match["y"], match["m"], match["d"]
    if "X" in digits:
        unknown = digits.count("X")
        length = 10**unknown
        precision = {1: Precision.DECADE, 2: Precision.CENTURY}.get(unknown, Precision.SPAN)
        return year_period(int(digits.replace("X", "0")), phrase, precision, length)
    year = int(digits)
    if month is None or month == "XX":
        return year_period(year, phrase)
    number = int(month)
    if 1 <= number <= 12:
        if day is None or day == "XX":
            return month_period(year, number, phrase=phrase)
        return day_period(year, number, int(day), phrase)
    if day is None and number in _SEASON_MONTH:
        return month_period(year, _SEASON_MONTH[number], 3, phrase, Precision.SEASON)
    if day is None and 33 <= number <= 36:
        return month_period(year, (number - 33) * 3 + 1, 3, phrase, Precision.QUARTER)
    if day is None and 40 <= number <= 41:
        return month_period(year, (number - 40) * 6 + 1, 6, phrase, Precision.HALF)
    raise TimeError(f"{phrase!r}: there is no month {number}")


def _limits(text: str, zone: tzinfo) -> tuple[Period | None, Period | None]:
    left, _, right = text.partition("/")
    return tuple(None if side.strip() in ("", "..") else parse_period(side, zone)  # type: ignore[return-value]
                 for side in (left, right))


def read_start(text: str, zone: tzinfo = UTC) -> Bound | Unparsed | None:
    """Read ISO or EDTF text as the start of a validity.

    `2019` → best 2019-01-01, latest 2020-01-01. `../2020` → began no later than 2020. `2020/..` → no earlier than
    2020. `2018/2020` → somewhere in between. `..` or empty → None (start unknown). What cannot be read comes back
    as `Unparsed`.

    >>> read_start("../2020").latest
    Instant('2021-01-01T00:00:00Z')
    """
    phrase = text.strip()
    if phrase in ("", "..", "../.."):
        return None
    try:
        if "/" not in phrase:
            return replace(parse_period(phrase, zone).as_start(), phrase=phrase)
        low, high = _limits(phrase, zone)
        known = low or high
        assert known is not None
        earliest = low.as_start().earliest if low else BEGINNING
        latest = high.as_start().latest if high else FOREVER
        best = known.interval.start
        return Bound(best, min(earliest, best), max(latest, best), known.interval, phrase)
    except TimeError as error:
        return Unparsed(phrase, str(error))


def read_end(text: str, zone: tzinfo = UTC) -> Bound | Unparsed | None:
    """Read ISO or EDTF text as the end of a validity (exclusive when a day or an instant, inclusive when coarser).

    `2023` → best = latest = 2024-01-01, earliest 2023-01-01. `../2020` → ended no later than 2020. `2020/..` → no
    earlier than 2020. `..` or empty → None (no end stated).

    >>> read_end("2023").best
    Instant('2024-01-01T00:00:00Z')
    """
    phrase = text.strip()
    if phrase in ("", "..", "../.."):
        return None
    try:
        if "/" not in phrase:
            return replace(parse_period(phrase, zone).as_end(), phrase=phrase)
        low, high = _limits(phrase, zone)
        known = high or low
        assert known is not None
        earliest = low.as_end().earliest if low else BEGINNING
        latest = high.as_end().latest if high else FOREVER
        best = known.as_end().best
        return Bound(best, min(earliest, best), max(latest, best), known.interval, phrase)
    except TimeError as error:
        return Unparsed(phrase, str(error))


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
