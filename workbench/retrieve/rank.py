"""Scores as rankings: the best few, ties by kind and number."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nsmallest
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.retrieve.seam import Hit, Kind, Ranking


def order(hit: Hit) -> tuple[float, str, int]:
    """Sorts best first; equal scores by kind and number."""
    return -hit.score, hit.kind, hit.number


def top(kind: Kind, scores: NDArray[np.floating[Any]], limit: int, numbers: NDArray[np.int64] | None = None
        ) -> list[Hit]:
    """The `limit` best of those above 0, best first, equal ones by number.

    Args:
        kind: of all of them.
        scores: shape (n,).
        limit: how many at most.
        numbers: of the items, ascending; None = 0 to n - 1.
    """
    places = np.flatnonzero(scores > 0)
    if len(places) > limit > 0:
        held = scores[places]
        edge = np.partition(held, len(held) - limit)[len(held) - limit]
        better, equal = places[held > edge], places[held == edge]
        places = np.concatenate((better, equal[:limit - len(better)]))
    places = places[np.lexsort((places, -scores[places]))][:max(0, limit)]
    chosen = places if numbers is None else numbers[places]
    return [Hit(kind, number, score) for number, score in zip(chosen.tolist(), scores[places].tolist(), strict=True)]


def ranking(arm: str, hits: Sequence[Hit], limit: int, note: str | None, begin: float) -> Ranking:
    """A ranking of hits in any order.

    Args:
        arm, note: see `Ranking`.
        hits: each item once.
        limit: how many of each kind to keep.
        begin: `perf_counter()` when the arm began.
    """
    kept: list[Hit] = []
    for kind in Kind:
        some = [hit for hit in hits if hit.kind is kind]
        kept += nsmallest(limit, some, key=order) if len(some) > limit else some
    return Ranking(arm, tuple(sorted(kept, key=order)), note, perf_counter() - begin)
