"""Instants: points on the UTC time line beyond what `datetime` can hold, and wall clocks in time zones."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
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
        return civil_instant(text, year, month, day, *clock, micro, match["z"], zone)

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


def civil_instant(text: str, year: int, month: int, day: int, hour: int, minute: int, second: int, micro: int,
           offset: str | None, zone: tzinfo) -> Instant:
    """The instant of civil fields read with an offset, or in a zone; `text` is for the message.

    Raises:
        TimeError: no such date or time of day.
    """
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
    try:
        offset = naive.replace(tzinfo=zone).utcoffset() or timedelta(0)
    except OverflowError:
        return local
    return local.plus(-(offset // timedelta(microseconds=1)))


def local_time(instant: Instant, zone: tzinfo) -> Instant:
    """The wall-clock reading of `instant` in `zone`, as if it were UTC; the inverse of `in_zone`."""
    aware = instant.to_datetime()
    if zone is UTC or aware is None:
        return instant
    try:
        offset = aware.astimezone(zone).utcoffset() or timedelta(0)
    except OverflowError:  # the wall clock would leave years 1-9999
        return instant
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
