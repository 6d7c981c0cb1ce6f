"""Everything about time in one place to import from: instants, intervals, bounds, and the reading of dates.

All intervals are half-open `[start, end)`, in UTC, counted in microseconds. Years are astronomical (year 0 is 1 BC,
year -43 is 44 BC).
"""

from workbench.model.edtf import parse_period, read_end, read_start
from workbench.model.instant import (
    BEGINNING,
    DAY,
    EARLIEST,
    FOREVER,
    LATEST,
    SECOND,
    Instant,
    days_in_month,
    has_offset,
    in_zone,
    local_time,
    zone_of,
)
from workbench.model.interval import (
    Allen,
    Bound,
    Interval,
    Period,
    Precision,
    Unparsed,
    Vantage,
    day_period,
    month_period,
    shift_to_zone,
    year_period,
)

__all__ = [
    "BEGINNING", "DAY", "EARLIEST", "FOREVER", "LATEST", "SECOND", "Allen", "Bound", "Instant", "Interval", "Period",
    "Precision", "Unparsed", "Vantage", "day_period", "days_in_month", "has_offset", "in_zone", "local_time",
    "month_period", "parse_period", "read_end", "read_start", "shift_to_zone", "year_period", "zone_of",
]
