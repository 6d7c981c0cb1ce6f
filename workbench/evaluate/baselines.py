"""Three memories without two clocks, over the same statements, and the split of wrong answers by cause.

They show what a suite asks for: none of them can be right on every question of a set with late arrivals and
corrections.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from workbench.model.time import BEGINNING, FOREVER, Instant


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing a data set states: a value of a slot, `[valid_from, valid_to)`, stated in `[known_from, known_to)`."""

    slot: Hashable
    value: str
    valid_from: Instant = BEGINNING
    valid_to: Instant = FOREVER
    known_from: Instant = BEGINNING
    known_to: Instant = FOREVER


Baseline = Callable[[Sequence[Statement], Instant, Instant], frozenset[str]]
"""(statements of the slot, `valid_at`, the end of the data) → values."""


def latest_only(statements: Sequence[Statement], valid_at: Instant, now: Instant) -> frozenset[str]:
    """A store that overwrites: what holds at the end of the data, whatever instant was asked about."""
    return _holding(statements, now)


def valid_time_only(statements: Sequence[Statement], valid_at: Instant, now: Instant) -> frozenset[str]:
    """A store with validity but no knowledge time: what is stated at the end of the data about `valid_at`."""
    return _holding(statements, valid_at)


def arrival_order(statements: Sequence[Statement], valid_at: Instant, now: Instant) -> frozenset[str]:
    """A log that is read from its end: whatever arrived last about the slot, ended or not, taken back or not."""
    last = max((item.known_from for item in statements), default=None)
    return frozenset(item.value for item in statements if item.known_from == last)


def _holding(statements: Sequence[Statement], at: Instant) -> frozenset[str]:
    return frozenset(item.value for item in statements
                     if item.known_to == FOREVER and item.valid_from <= at < item.valid_to)


BASELINES: Final[Mapping[str, Baseline]] = {
    "latest-only": latest_only, "valid-time-only": valid_time_only, "arrival-order": arrival_order,
}


def error_kind(statements: Sequence[Statement], gold: Collection[str], predicted: Collection[str],
               valid_at: Instant, known_at: Instant) -> str | None:
    """Why an answer is wrong, or None if it is exactly the gold set.

    * `empty`: nothing, where there was something to say.
    * `leak`: a value that was stated only after `known_at`.
    * `stale`: a value that had ended by `valid_at`, or had been taken back by `known_at`.
    * `anachronistic`: a value that starts only after `valid_at`.
    * `wrong`: anything else, a missing member of a set included.

    The first value that is not in the gold set decides, leaks first.
    """
    if set(gold) == set(predicted):
        return None
    if not predicted:
        return "empty"
    kinds = {_kind(statements, value, valid_at, known_at) for value in set(predicted) - set(gold)}
    return next((kind for kind in ("leak", "stale", "anachronistic") if kind in kinds), "wrong")


def _kind(statements: Sequence[Statement], value: str, valid_at: Instant, known_at: Instant) -> str:
    of_value = [item for item in statements if item.value == value]
    if not of_value:
        return "wrong"
    known = [item for item in of_value if item.known_from <= known_at]
    if not known:
        return "leak"
    if all(item.known_to <= known_at or item.valid_to <= valid_at for item in known):
        return "stale"
    return "anachronistic" if all(item.valid_from > valid_at for item in known) else "wrong"
