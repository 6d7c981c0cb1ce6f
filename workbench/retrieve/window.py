"""A turn and what was said around it: the turns of its session near it, each with a weight that falls with distance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]

REACH: Final = 4
"""Turns on either side."""
FADE: Final = 120.0
"""Tokens between the middles of two turns at which one no longer counts for the other."""


@dataclass(frozen=True)
class Window:
    """For each episode itself and up to `REACH` turns on either side; an episode without a session is alone.

    Attributes:
        near: shape (episodes, 1 + 2 * `REACH`), numbers of episodes: itself, those before it, those after it; any
            number where there is none.
        weight: same shape, 1 for itself, max(0, 1 - distance / `FADE`) for the others, 0 where there is none.
        lengths: shape (episodes,), tokens; 0 for what is not indexed.
    """

    near: Ints
    weight: Floats
    lengths: Floats

    def mean_length(self, visible: NDArray[np.bool_]) -> float:
        """The mean over the visible episodes of the weighted length of what is visible of their windows; 0 if nothing
        is visible.

        Args:
            visible: shape (episodes,).
        """
        count = int(np.count_nonzero(visible))
        if not count:
            return 0.0
        if count == len(visible) == len(self.lengths):
            return self._mean_of_all
        return self._mean(visible, count)

    @cached_property
    def _mean_of_all(self) -> float:
        return self._mean(np.ones(len(self.lengths), dtype=bool), len(self.lengths))

    def _mean(self, visible: NDArray[np.bool_], count: int) -> float:
        seen = visible.astype(np.float64)
        held = seen * self.lengths
        total = float(held.sum())
        for at in range(1, 1 + REACH):  # each pair once, as later and earlier: each adds its length to the other's
            other, weight = self.near[:, at], self.weight[:, at]
            total += float((weight * (held * seen[other] + seen * held[other])).sum())
        return total / count


def window_of(previous: Ints, following: Ints, before: Ints, length: Ints) -> Window:
    """The windows of all episodes.

    Args:
        previous, following: the neighbour in the same session, or -1; shape (episodes,), as the others.
        before: tokens of the session before the episode.
        length: tokens; -1 if it is not indexed.
    """
    n = len(length)
    lengths = np.maximum(length, 0).astype(np.float32)
    middle = before + lengths / 2
    near = np.empty((n, 1 + 2 * REACH), dtype=np.int32, order="F")
    weight = np.zeros((n, 1 + 2 * REACH), dtype=np.float32, order="F")
    near[:, 0], weight[:, 0] = np.arange(n), 1
    for first, step in ((1, previous), (1 + REACH, following)):
        other = step
        for at in range(first, first + REACH):
            there = other >= 0
            near[:, at] = np.where(there, other, 0)
            faded = np.maximum(0, 1 - np.abs(middle - middle[near[:, at]]) / FADE)
            weight[:, at] = np.where(there, faded, 0)
            other = np.where(there, step[near[:, at]], -1)
    return Window(near, weight, lengths)
