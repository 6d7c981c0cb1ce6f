"""What a scope lets through: one pair of masks per question, which every arm obeys."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from workbench.graph.graph import Graph
from workbench.graph.identity import Mappings
from workbench.graph.relations import SchemaIndex
from workbench.graph.timeline import GHOST, Timeline
from workbench.model.time import Instant
from workbench.retrieve.catalog import Snapshot
from workbench.retrieve.index import Index
from workbench.retrieve.seam import Kind, Scope, Sight

_REMEMBERED = 64
Mask = NDArray[np.bool_]


class Looker:
    """Turns scopes into sights, for one index."""

    def __init__(self, graph: Graph, schema: SchemaIndex, index: Index) -> None:
        self._graph, self._index = graph, index
        self.schema = schema
        self._last: tuple[tuple[Scope, int, int, SchemaIndex], Sight] | None = None
        self._out: OrderedDict[tuple[int, int], NDArray[np.int64]] = OrderedDict()

    def sight(self, scope: Scope) -> Sight:
        """The masks of a scope; a kind that it does not ask for lets nothing through. The last ones are remembered,
        because a question is understood and answered from the same place."""
        with self._graph.lock:
            key = scope, self._graph.version, self._index.version, self.schema
            if self._last is not None and self._last[0] == key:
                return self._last[1]
            snapshot, timeline = self._index.snapshot(), self._graph.timeline
            episodes, records = snapshot.episodes, min(snapshot.records, timeline.records.n)
            passing = self._passing(scope, snapshot, timeline) if scope.filtered else None
            seen, held = np.zeros(episodes, dtype=bool), np.zeros(records, dtype=bool)
            if Kind.EPISODE in scope.kinds:
                seen = self._episodes(scope, snapshot, timeline, passing)
            if Kind.FACT in scope.kinds:
                held = self._records(scope, timeline, records, passing)
            found = Sight(scope, seen, held)
            self._last = key, found
            return found

    # -- episodes -------------------------------------------------------------------------------------------------

    def _episodes(self, scope: Scope, snapshot: Snapshot, timeline: Timeline, passing: Mask | None) -> Mask:
        known = scope.vantage.known_at
        seen = (snapshot.length >= 0) & (timeline.episodes["recorded"][:snapshot.episodes] <= known)
        if passing is not None:
            seen &= passing
        if scope.within is not None:
            observed = timeline.episodes["observed"][:snapshot.episodes]
            seen &= (observed >= scope.within.start) & (observed < scope.within.end)
        if scope.types:
            seen &= self._mentioning(scope, snapshot, timeline)
        if snapshot.withdrawals:
            seen[self._withdrawn(snapshot, timeline, known)] = False
        return seen

    def _withdrawn(self, snapshot: Snapshot, timeline: Timeline, known: Instant) -> NDArray[np.int64]:
        """Episodes that do not stand, as far as was known then."""
        recorded = timeline.episodes["recorded"]
        events = [event for event in snapshot.withdrawals if recorded[event[0]] <= known]
        key = len(events), self._index.version
        found = self._out.get(key)
        if found is None:
            found = self._out[key] = np.array(sorted(withdrawn(events)), dtype=np.int64)
            while len(self._out) > _REMEMBERED:
                self._out.popitem(last=False)
        return found

    def _passing(self, scope: Scope, snapshot: Snapshot, timeline: Timeline) -> Mask:
        """Which episodes have the properties asked for, standing and readable or not."""
        catalog, n = self._index.catalog, snapshot.episodes
        found = np.ones(n, dtype=bool)
        for wanted, names, column in ((scope.sessions, catalog.sessions, snapshot.session),
                                      (scope.speakers, catalog.speakers, snapshot.speaker),
                                      (scope.episode_kinds, catalog.kinds, snapshot.kind)):
            if wanted:
                found &= _one_of(column, [names.find(name) for name in wanted])
        if scope.sources:
            column = timeline.episodes["source"][:n]
            terms = np.unique(column).tolist()
            found &= _one_of(column, [term for term in terms if term >= 0 and any(
                timeline.terms[term] == name or timeline.terms[term].startswith(name.rstrip("/") + "/")
                for name in scope.sources)])
        return found

    def _mentioning(self, scope: Scope, snapshot: Snapshot, timeline: Timeline) -> Mask:
        """Which episodes say something of an entity of the types asked for."""
        typed = self._typed(scope, timeline)
        claims, names = timeline.claims, timeline.names
        found = np.zeros(snapshot.episodes, dtype=bool)
        found[claims["episode"][typed[claims["s"]] | typed[claims["o"]]]] = True
        found[names["episode"][typed[names["entity"]]]] = True
        return found

    def _typed(self, scope: Scope, timeline: Timeline) -> Mask:
        """By term: whether an entity has one of the types asked for, or a narrower one, as far as was known."""
        types, terms = timeline.types, timeline.terms
        wanted = [term for term in np.unique(types["type"]).tolist()
                  if any(self.schema.is_subtype(terms[term], kind) for kind in scope.types)]
        since = timeline.episodes["recorded"][types["episode"]]
        entities = types["entity"][_one_of(types["type"], wanted) & (since <= scope.vantage.known_at)]
        found = np.zeros(len(terms), dtype=bool)
        found[entities] = True
        mappings = mappings_at(self._graph, scope.vantage.known_at)
        if mappings is not None:
            found[[mappings.apply(entity) for entity in np.unique(entities).tolist()]] = True
        return found

    # -- facts ----------------------------------------------------------------------------------------------------

    def _records(self, scope: Scope, timeline: Timeline, n: int, passing: Mask | None) -> Mask:
        records, (valid, known) = timeline.records, scope.vantage
        held = records["kf"][:n] <= known
        held &= records["kt"][:n] > known
        held &= (records["flags"][:n] & GHOST) == 0
        if not scope.history:
            held &= records["vf"][:n] <= valid
            held &= records["vt"][:n] > valid
        if scope.within is not None:
            held &= (records["vf"][:n] < scope.within.end) & (records["vt"][:n] > scope.within.start)
        if scope.types:
            typed = self._typed(scope, timeline)
            held &= typed[records["s"][:n]] | typed[records["o"][:n]]
        if passing is not None and not passing.all():
            held &= self._supported(timeline, n, passing, known)
        return held

    def _supported(self, timeline: Timeline, n: int, passing: Mask, known: Instant) -> Mask:
        """Which records an episode of those supports, as far as was known."""
        supports = timeline.supports
        episode = timeline.claims["episode"][supports["claim"]]
        record = supports["record"][passing[episode] & (supports["kf"] <= known)]
        found = np.zeros(n, dtype=bool)
        found[record[record < n]] = True
        return found


def withdrawn(events: Iterable[tuple[int, int, str]]) -> set[int]:
    """The episodes that do not stand.

    Args:
        events: (withdrawing episode, withdrawn episode, `retract` or `supersede`). An episode is taken back by a
            standing retraction, and replaced by a standing version that supersedes it or one that supersedes it.
    """
    out: set[int] = set()
    replaced: set[int] = set()  # superseded by something that stands, at any remove
    # what withdraws an episode comes after it, so that going backwards each is decided before it decides others
    for by, of, how in sorted(events, reverse=True):
        if how == "retract":
            if by not in out:
                out.add(of)
        elif by not in out or by in replaced:
            replaced.add(of)
            out.add(of)
    return out


def mappings_at(graph: Graph, known: Instant) -> Mappings | None:
    """Which entities counted as which at an instant of knowledge time; None if none did. Merges that were undone since
    are not among them."""
    rows = graph.mappings.dump()
    if not rows:
        return None
    recorded = graph.timeline.episodes["recorded"]
    return Mappings.restore([row for row in rows if row[3] >= len(recorded) or recorded[row[3]] <= known])


def _one_of(column: NDArray[np.int32], numbers: Iterable[int]) -> Mask:
    """Where a column holds one of a few numbers; -1 never counts."""
    found = np.zeros(len(column), dtype=bool)
    for number in numbers:
        if number >= 0:
            found |= column == number
    return found
