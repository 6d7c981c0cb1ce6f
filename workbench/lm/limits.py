"""How much a language model may be asked: concurrency, retries, rate, and budgets that stop cleanly.

Time comes in as functions (`now`, `sleep`), so that a test of an hour takes none.
"""

from __future__ import annotations

import random
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter, sleep
from typing import Final

from workbench.model.errors import BudgetSpent, UsageError

WINDOW: Final = 60.0
FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 60.0


@dataclass(frozen=True)
class Limits:
    """Bounds of one opened model; a budget of None is unbounded. What the record answers costs nothing.

    Attributes:
        parallel: calls in flight at once, at least 1.
        tries: attempts at one answer, at least 1; the pause between two grows exponentially, with jitter.
        per_minute: attempts in any 60 seconds.
        calls: attempts in all.
        tokens: tokens in and out, as the model counts them; calls in flight may overshoot it.
        cost: US dollars; calls in flight may overshoot it. Needs a model whose price is known.
        seconds: from the first attempt on; a call that has begun is let finish.
        timeout: seconds for one attempt; None: 120 for a server, 600 in process.
        reply: longest reply in tokens.
    """

    parallel: int = 4
    tries: int = 5
    per_minute: int | None = None
    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    timeout: float | None = None
    reply: int = 2048

    def __post_init__(self) -> None:
        low = [f"{name}={value}" for name, value, least in (
            ("parallel", self.parallel, 1), ("tries", self.tries, 1), ("per_minute", self.per_minute, 1),
            ("calls", self.calls, 0), ("tokens", self.tokens, 0), ("cost", self.cost, 0),
            ("seconds", self.seconds, 0), ("reply", self.reply, 1)) if value is not None and value < least]
        if self.timeout is not None and self.timeout <= 0:
            low.append(f"timeout={self.timeout}")
        if low:
            raise UsageError(f"limits of a model are too small: {', '.join(low)}; give a larger value, or None for a "
                             "budget without bound")


class Meter:
    """Counts what was asked of one model and holds it to its limits; for many threads at once.

    Attributes:
        limits: the bounds.
        attempts, tokens, cost: so far; an unknown cost counts as nothing.
    """

    def __init__(self, limits: Limits, seed: int = 0, now: Callable[[], float] = perf_counter,
                 sleep: Callable[[float], object] = sleep) -> None:
        self.limits = limits
        self.attempts = 0
        self.tokens = 0
        self.cost = 0.0
        self._now = now
        self._sleep = sleep
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._slots = threading.BoundedSemaphore(limits.parallel)
        self._recent: deque[float] = deque()
        self._began: float | None = None

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Hold one slot for one attempt, begun when the rate allows it.

        Raises:
            BudgetSpent: a budget is used up; nothing was asked.
        """
        with self._slots:
            while (pause := self._admit()) > 0:
                self._sleep(pause)
            yield

    def _admit(self) -> float:
        """Count an attempt and return 0, or return the seconds to wait before the next look."""
        with self._lock:
            now = self._now()
            self._began = now if self._began is None else self._began
            self._check(now - self._began)
            if self.limits.per_minute is not None:
                while self._recent and self._recent[0] <= now - WINDOW:
                    self._recent.popleft()
                if len(self._recent) >= self.limits.per_minute:
                    return max(self._recent[0] + WINDOW - now, 0.001)
                self._recent.append(now)
            self.attempts += 1
            return 0.0

    def _check(self, elapsed: float) -> None:
        spent: tuple[tuple[str, float, float | None], ...] = (
            ("calls", self.attempts, self.limits.calls), ("tokens", self.tokens, self.limits.tokens),
            ("dollars", self.cost, self.limits.cost), ("seconds", elapsed, self.limits.seconds))
        for name, used, bound in spent:
            if bound is not None and used >= bound:
                raise BudgetSpent(f"the budget of {bound:g} {name} is spent ({self.attempts} calls, {self.tokens} "
                                  f"tokens, {self.cost:.4f} dollars, {elapsed:.0f} seconds so far); what is done is "
                                  "kept: raise the budget and run again")

    def spend(self, tokens: int, cost: float | None) -> None:
        """Count what an answer took."""
        with self._lock:
            self.tokens += tokens
            self.cost += cost or 0.0

    def pause(self, attempt: int, hint: float | None = None) -> None:
        """Wait before the next attempt: at least what the server asked for, else 1, 2, 4 … s, each times 0.5–1.

        Args:
            attempt: how many were made, from 1.
            hint: seconds that the server asked for; never more than a minute is waited.
        """
        with self._lock:
            part = self._random.uniform(0.5, 1.0)
        pause = FIRST_PAUSE * 2 ** min(attempt - 1, 10) * part
        self._sleep(min(max(pause, hint or 0.0), LONGEST_PAUSE))
