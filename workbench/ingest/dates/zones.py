"""Names of time zones as people write them after a clock time."""

from __future__ import annotations

import re
from datetime import UTC, timedelta, timezone, tzinfo
from typing import Final

from workbench.model.errors import TimeError
from workbench.model.time import zone_of

_HOURS: Final = {
    "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "MEZ": 1, "CEST": 2, "MESZ": 2, "EET": 2,
    "EEST": 3, "SAST": 2, "MSK": 3, "JST": 9, "KST": 9, "SGT": 8, "HKT": 8, "AWST": 8, "AEST": 10, "AEDT": 11,
    "NZST": 12, "NZDT": 13, "EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
    "AKST": -9, "AKDT": -8, "HST": -10, "BRT": -3, "ART": -3,
}
_REGIONS: Final = {"ET": "America/New_York", "CT": "America/Chicago", "MT": "America/Denver",
                   "PT": "America/Los_Angeles"}
AMBIGUOUS: Final = frozenset({"CST", "IST"})
_OFFSET = re.compile(r"\s*(?:UTC|GMT)?\s?([+-])(\d{1,2})(?::?(\d{2}))?(?!\d)")
_NAME = re.compile(r"\s*\(?([A-Z]{1,4}|[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+)\b\)?(?![/\w])")


def read_zone(text: str, at: int) -> tuple[tzinfo | str, int] | None:
    """The zone written at character `at` and the offset after it; an ambiguous abbreviation comes back as its name."""
    if (match := _OFFSET.match(text, at)) and int(match[2]) <= 14:
        size = timedelta(hours=int(match[2]), minutes=min(int(match[3] or 0), 59))
        return timezone(-size if match[1] == "-" else size), match.end()
    if (match := _NAME.match(text, at)) is None:
        return None
    name = match[1]
    if name in AMBIGUOUS:
        return name, match.end()
    if name in _HOURS:
        return (UTC if _HOURS[name] == 0 else timezone(timedelta(hours=_HOURS[name]))), match.end()
    if name in _REGIONS or "/" in name:
        try:
            return zone_of(_REGIONS.get(name, name)), match.end()
        except TimeError:
            return None
    return None
