"""Single points that the grammar does not know, by dateparser; refused unless it used every number of the phrase.

Only for whole phrases, never to search a text (it takes "We may" for two dates). Imported when first needed.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, tzinfo
from typing import Final

from workbench.ingest.dates.calendar import day_of, unit_period
from workbench.ingest.dates.lexicon import Unit
from workbench.ingest.dates.point import Point, Scope
from workbench.model.errors import TimeError
from workbench.model.time import Instant, Interval, Period, Precision

_UNITS: Final = {"day": Unit.DAY, "week": Unit.WEEK, "month": Unit.MONTH, "quarter": Unit.QUARTER, "year": Unit.YEAR}
_LONGEST: Final = 60


def read_point(scope: Scope, phrase: str, language: str) -> Point | None:
    """The point that dateparser reads in the whole phrase, or None. Wall-clock readings as in `Point`."""
    if not 3 <= len(phrase) <= _LONGEST or not re.search(r"\w{2}", phrase) or not _plausible(phrase):
        return None
    base = scope.now.to_datetime()
    if base is None:
        return None
    settings = {"RELATIVE_BASE": base.replace(tzinfo=None), "PREFER_DATES_FROM": "future" if scope.future else "past",
                "PREFER_DAY_OF_MONTH": "first", "PREFER_MONTH_OF_YEAR": "first", "RETURN_TIME_AS_PERIOD": True,
                "TIMEZONE": "UTC", "RETURN_AS_TIMEZONE_AWARE": False, "STRICT_PARSING": False}
    from dateparser.date import DateDataParser  # type: ignore[import-untyped, unused-ignore]

    try:
        data = DateDataParser(languages=[language], settings=settings).get_date_data(phrase)
    except Exception:  # whatever a library raises on odd input, the phrase is only unresolved
        return None
    found: datetime | None = data.date_obj
    if found is None:
        return None
    zone: tzinfo | None = found.tzinfo
    try:
        local = Instant.of(found.year, found.month, found.day, found.hour, found.minute, found.second)
        if data.period == "time":
            return Point(Period(Interval(local, Instant(local + 1)), Precision.INSTANT), "fallback", zone=zone)
        if data.period not in _UNITS or not _all_used(phrase, found):
            return None
        period = day_of(local) if data.period == "day" else unit_period(local, _UNITS[data.period])
    except TimeError:
        return None
    return Point(period, "fallback")


def _plausible(phrase: str) -> bool:
    """Words of letters, digits and a little punctuation: not code, not a lone number."""
    if re.search(r"[^\w\s.,:/’'+-]", phrase):
        return False
    return any(unicodedata.category(char).startswith("L") for char in phrase)


def _all_used(phrase: str, found: datetime) -> bool:
    """Whether each number of the phrase is part of the date; relative phrases have small numbers."""
    parts = {found.year, found.year % 100, found.month, found.day, found.hour, found.minute, found.hour % 12}
    return all(int(number) in parts or int(number) < 32 for number in re.findall(r"\d{1,9}", phrase)) and (
        len(re.findall(r"\d{10,}", phrase)) == 0)

