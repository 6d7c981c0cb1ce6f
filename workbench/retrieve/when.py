"""The time arm: facts valid and episodes observed in the times that the question names, the nearest first."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.graph.graph import Graph
from workbench.model.time import BEGINNING, DAY, FOREVER, Interval
from workbench.retrieve.rank import ranking, top
from workbench.retrieve.seam import Kind, Query, Ranking, Sight

ABOUT_THEM: Final = 1.0
CHANGED_WITHIN: Final = 0.5
MANY: Final = 16
_Weights = NDArray[np.float64]


class Timewise:
    """Ranks by time alone; with no time in the question it ranks nothing, and says so."""

    name = "time"

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def rank(self, query: Query, sight: Sight, limit: int) -> Ranking:
        """Facts valid at some instant of a named time and episodes observed in it.

        An episode counts the more the nearer it is to the middle of the time; a fact, the nearer its start is to it,
        and more if it began or ended within it, or is about an entity of the question.
        """
        begin = perf_counter()
        if not query.times:
            return ranking(self.name, (), limit, "the question names no time", begin)
        with self._graph.lock:
            episodes = sight.numbers(Kind.EPISODE)
            facts, scores = self._facts(query, sight.records)
            hits = top(Kind.EPISODE, self._episodes(query, episodes), limit, episodes) + top(
                Kind.FACT, scores, limit, facts)
        return ranking(self.name, hits, limit, None if hits else "nothing in sight is of that time", begin)

    def _episodes(self, query: Query, rows: NDArray[np.int64]) -> _Weights:
        observed = self._graph.timeline.episodes["observed"][rows]
        scores = np.zeros(len(rows))
        for time in query.times:
            inside = np.flatnonzero((observed >= time.start) & (observed < time.end))
            scores[inside] = np.maximum(scores[inside], 1 + _nearness(observed[inside], time))
        return scores

    def _facts(self, query: Query, seen: NDArray[np.bool_]) -> tuple[NDArray[np.int64], _Weights]:
        """(numbers of the facts in sight that hold in one of the times, ascending; the score of each)."""
        records, n = self._graph.timeline.records, len(seen)
        since, until = records["vf"][:n], records["vt"][:n]
        held = np.zeros(n, dtype=bool)
        for time in query.times:
            held |= (since < time.end) & (until > time.start)
        rows = np.flatnonzero(held & seen)
        begins, ends = since[rows], until[rows]
        scores = np.zeros(len(rows))
        for time in query.times:
            changed = ((begins >= time.start) & (begins < time.end)) | ((ends > time.start) & (ends <= time.end))
            found = 1 + _nearness(begins, time) * 0.5 + CHANGED_WITHIN * changed
            scores = np.maximum(scores, np.where((begins < time.end) & (ends > time.start), found, 0.0))
        if query.entities and len(rows):
            about = _one_of(records["s"][rows], query.entities) | _one_of(records["o"][rows], query.entities)
            scores[about] += ABOUT_THEM
        return rows, scores


def _one_of(column: NDArray[np.int32], terms: Sequence[int]) -> NDArray[np.bool_]:
    """Which of a column are one of a few terms: comparing with each costs less than sorting."""
    if len(terms) > MANY:
        return np.isin(column, terms)
    found = np.zeros(len(column), dtype=bool)
    for term in terms:
        found |= column == term
    return found


def _nearness(instants: NDArray[np.int64], time: Interval) -> _Weights:
    """1 in the middle of a time, falling with the distance from it in its own lengths (days if it is unbounded)."""
    bounded = time.start > BEGINNING and time.end < FOREVER
    middle = (time.start / 2 + time.end / 2) if bounded else float(time.start if time.start > BEGINNING else time.end)
    length = max(float(time.end) - float(time.start), 1.0) if bounded else float(DAY)
    near: _Weights = 1 / (1 + np.abs(instants.astype(np.float64) - middle) / length)
    return near
