"""The one place that reads the machine's clock; everything else takes a `Clock` as an argument."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol

from workbench.model.time import Instant


class Clock(Protocol):
    """Tells the present instant of knowledge time."""

    def now(self) -> Instant:
        """The present, in UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> Instant:
        """The present, in UTC."""
        return Instant.from_datetime(datetime.now(UTC))
