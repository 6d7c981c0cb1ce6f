"""Clocks for tests and experiments: knowledge time that does not depend on the machine."""

from __future__ import annotations

from workbench.model.time import DAY, Instant


class FixedClock:
    """Stands still until it is moved.

    Attributes:
        at: the present.
    """

    def __init__(self, at: Instant) -> None:
        self.at = at

    def now(self) -> Instant:
        """The present, in UTC."""
        return self.at

    def move(self, to: Instant) -> None:
        """Make `to` the present.

        Raises:
            ValueError: it is before the present.
        """
        if to < self.at:
            raise ValueError(f"a clock does not run backwards: {to} is before {self.at}")
        self.at = to


class TickingClock:
    """Goes on by one step with each look.

    Attributes:
        at: what the next look shows.
        step: microseconds between two looks.
    """

    def __init__(self, start: Instant, step: int = DAY) -> None:
        self.at, self.step = start, step

    def now(self) -> Instant:
        """The present, in UTC; the next look is one step later."""
        now = self.at
        self.at = Instant(now + self.step)
        return now
