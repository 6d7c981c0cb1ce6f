"""Reading of ISO 8601 dates and EDTF (ISO 8601-2:2019) levels 0 and 1 as starts and ends of validity."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import Final

from workbench.model.errors import TimeError
from workbench.model.instant import BEGINNING, DAY, FOREVER, Instant
from workbench.model.interval import (
    Bound,
    Interval,
    Period,
    Precision,
    Unparsed,
    day_period,
    month_period,
    shift_to_zone,
    year_period,
)

_NO_LIMIT: Final = frozenset({"", "..", "/", "../", "/..", "../.."})
_SEASON_MONTH: Final = {21: 3, 22: 6, 23: 9, 24: 12, 25: 3, 26: 6, 27: 9, 28: 12, 29: 9, 30: 12, 31: 3, 32: 6}
_EDTF = re.compile(r"Y?(?P<y>[+-]?(?:\d{4,18}|\d{3}X|\d{2}XX|\d{1,3}XXX?))(?:-(?P<m>\d{2}|XX)(?:-(?P<d>\d{2}|XX))?)?"
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
    match = _EDTF.fullmatch(phrase)
    if match and (phrase.startswith("Y") or len(match["y"]) < 11):  # longer without Y is a count of seconds, not a year
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


@lru_cache(maxsize=65_536)
def read_start(text: str, zone: tzinfo = UTC) -> Bound | Unparsed | None:
    """Read ISO or EDTF text as the start of a validity.

    `2019` → best 2019-01-01, latest 2020-01-01. `../2020` → began no later than 2020. `2020/..` → no earlier than
    2020. `2018/2020` → somewhere in between. `..` or empty → None (start unknown). What cannot be read comes back
    as `Unparsed`.

    >>> read_start("../2020").latest
    Instant('2021-01-01T00:00:00Z')
    """
    return _read(text, zone, Period.as_start, prefer_later=False)


@lru_cache(maxsize=65_536)
def read_end(text: str, zone: tzinfo = UTC) -> Bound | Unparsed | None:
    """Read ISO or EDTF text as the end of a validity (exclusive when a day or an instant, inclusive when coarser).

    `2023` → best = latest = 2024-01-01, earliest 2023-01-01. `../2020` → ended no later than 2020. `2020/..` → no
    earlier than 2020. `..` or empty → None (no end stated).

    >>> read_end("2023").best
    Instant('2024-01-01T00:00:00Z')
    """
    return _read(text, zone, Period.as_end, prefer_later=True)


def _read(text: str, zone: tzinfo, side: Callable[[Period], Bound], *, prefer_later: bool) -> Bound | Unparsed | None:
    """A bound from one date, or from the two limits of `low/high`; the best value is that of the preferred limit."""
    phrase = text.strip()
    if phrase in _NO_LIMIT:
        return None
    try:
        if "/" not in phrase:
            return replace(side(parse_period(phrase, zone)), phrase=phrase)
        low, high = _limits(phrase, zone)
        known = (high or low) if prefer_later else (low or high)
        assert known is not None
        earliest = side(low).earliest if low else BEGINNING
        latest = side(high).latest if high else FOREVER
        best = side(known).best
        return Bound(best, min(earliest, best), max(latest, best), known.interval, phrase)
    except TimeError as error:
        return Unparsed(phrase, str(error))
