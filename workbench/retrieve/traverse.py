"""The graph arm: from the entities of the question outwards, over what the sight lets through.

What it costs depends on the neighbourhood, not on the graph: rows come from the timeline's indexes by subject and by
object, at most `DEGREE` of an entity go on, and there are at most `HOPS` hops.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex, display_label
from workbench.graph.timeline import Timeline
from workbench.graph.vocabulary import local_name, words_of
from workbench.model.time import DAY
from workbench.retrieve.link import unread
from workbench.retrieve.rank import ranking, top
from workbench.retrieve.seam import Hit, Kind, Query, Ranking, Sight
from workbench.retrieve.text import STOP_WORDS, question_tokens, tokens

HOPS: Final = 2
DEGREE: Final = (256, 24)  # facts of one entity that are looked at, by hop
FRONTIER: Final = 64  # entities that are gone on from
DECAY: Final = 0.4
RELATION: Final = 1.0
BOTH_ENDS: Final = 0.5
RECENT: Final = 0.2
MENTIONED: Final = 0.1
REMEMBERED: Final = 10_000
_YEAR: Final = 365.25 * DAY
_Rows = NDArray[np.int64]
_Weights = NDArray[np.float64]


class Graphwise:
    """Ranks facts by how near they are to the entities of the question, and episodes by the facts that they support."""

    name = "graph"

    def __init__(self, graph: Graph, schema: SchemaIndex) -> None:
        self._graph = graph
        self.schema = schema
        self._words: dict[tuple[SchemaIndex, int], tuple[frozenset[str], ...]] = {}

    def rank(self, query: Query, sight: Sight, limit: int) -> Ranking:
        """Facts around the entities of the question, and the episodes that say so."""
        begin = perf_counter()
        if not query.entities:
            return ranking(self.name, (), limit, _notes("no known entity is named", unread(query.text)), begin)
        with self._graph.lock:
            rows, scores = self._facts(query, sight)
            hits: list[Hit] = []
            if Kind.FACT in sight.scope.kinds:
                hits += top(Kind.FACT, scores, limit, rows)
            if Kind.EPISODE in sight.scope.kinds:
                hits += top(Kind.EPISODE, self._episodes(query, sight, rows, scores), limit)
        note = _notes(None if hits else "nothing in sight is about them", unread(query.text))
        return ranking(self.name, hits, limit, note, begin)

    # -- facts ----------------------------------------------------------------------------------------------------

    def _facts(self, query: Query, sight: Sight) -> tuple[_Rows, _Weights]:
        """(rows, ascending, each once; scores) of the facts around the question's entities."""
        records = self._graph.timeline.records
        mask = sight.records if Kind.FACT in sight.scope.kinds else self._facts_behind(sight)
        seeds = np.array(sorted(set(query.entities)), dtype=np.int64)
        frontier, strength = seeds, np.ones(len(seeds))
        asked = frozenset(question_tokens(query.text))
        parts: list[tuple[_Rows, _Weights]] = []
        seen = seeds
        for hop in range(HOPS):
            rows, owners = self._around(frontier, mask)
            if not len(rows):
                break
            own = self._weights(rows, seeds, asked, sight)
            rows, owners, own = _capped(rows, owners, own, records.take("vf", rows), DEGREE[hop])
            scores = DECAY**hop * own * strength[frontier.searchsorted(owners)]
            parts.append((rows, scores))
            frontier, strength = self._next(rows, owners, scores / scores.max(), seen)
            if not len(frontier):
                break
            seen = np.concatenate((seen, frontier))
        return _best_of(parts)

    def _facts_behind(self, sight: Sight) -> NDArray[np.bool_]:
        """What facts may lead to episodes where only episodes are asked for: those believed from the vantage."""
        records, (valid, known) = self._graph.timeline.records, sight.scope.vantage
        held = (records["kf"] <= known) & (records["kt"] > known)
        return held if sight.scope.history else held & (records["vf"] <= valid) & (records["vt"] > valid)

    def _around(self, frontier: _Rows, mask: NDArray[np.bool_]) -> tuple[_Rows, _Rows]:
        """(rows, the entity of the frontier that each was reached from), in sight, by subject and by object."""
        timeline = self._graph.timeline
        found = []
        for index, column in (("by_subject", "s"), ("by_object", "o")):
            rows = timeline.rows_of_many(index, frontier)
            rows = rows[rows < len(mask)]
            rows = rows[mask[rows]]
            found.append((rows, timeline.records.take(column, rows).astype(np.int64)))
        return np.concatenate([rows for rows, _ in found]), np.concatenate([owners for _, owners in found])

    def _weights(self, rows: _Rows, seeds: _Rows, asked: frozenset[str], sight: Sight) -> _Weights:
        """What a fact counts by itself: its relation asked for, both ends named, how lately it began."""
        records, valid = self._graph.timeline.records, int(sight.scope.vantage.valid_at)
        relations, places = np.unique(records.take("r", rows), return_inverse=True)
        matched = np.array([self._match(relation, asked) for relation in relations.tolist()])[places]
        both = np.isin(records.take("s", rows), seeds) & np.isin(records.take("o", rows), seeds)
        age = np.abs(float(valid) - records.take("vf", rows).astype(np.float64)) / _YEAR
        weights: _Weights = 1 + RELATION * matched + BOTH_ENDS * both + RECENT / (1 + age)
        return weights

    def _match(self, relation: int, asked: frozenset[str]) -> float:
        """The share of a relation's words that the question has; the best of its labels."""
        best = 0.0
        for words in self._labels(relation):
            if words:
                best = max(best, len(words & asked) / len(words))
        return best

    def _labels(self, relation: int) -> Sequence[frozenset[str]]:
        key = self.schema, relation
        if key not in self._words:
            if len(self._words) > REMEMBERED:
                self._words.clear()
            self._words[key] = self._read_labels(relation)
        return self._words[key]

    def _read_labels(self, relation: int) -> tuple[frozenset[str], ...]:
        timeline = self._graph.timeline
        declared = self.schema.by_iri(timeline.terms[relation])
        texts = [display_label(declared), words_of(local_name(declared.iri)), timeline.relation_name(relation)]
        texts += [text for text, _ in (*declared.labels, *declared.alt_labels)]
        return tuple(_content(text) for text in dict.fromkeys(texts))

    def _next(self, rows: _Rows, owners: _Rows, scores: _Weights, seen: _Rows) -> tuple[_Rows, _Weights]:
        """The entities reached, without literals and those seen before; the strongest, with their strengths."""
        records, terms = self._graph.timeline.records, self._graph.timeline.terms
        s, o = records.take("s", rows).astype(np.int64), records.take("o", rows).astype(np.int64)
        reached = np.where(s == owners, o, s)
        fresh = ~np.isin(reached, seen)
        entities, places = np.unique(reached[fresh], return_inverse=True)
        strength = np.zeros(len(entities))
        np.maximum.at(strength, places, scores[fresh])
        chosen = np.lexsort((entities, -strength))[:FRONTIER]
        kept = sorted(place for place in chosen.tolist() if not terms[int(entities[place])].startswith('"'))
        return entities[kept], strength[kept]

    # -- episodes -------------------------------------------------------------------------------------------------

    def _episodes(self, query: Query, sight: Sight, rows: _Rows, scores: _Weights) -> _Weights:
        """By number: what each episode in sight counts, 0 for the others."""
        timeline = self._graph.timeline
        total = np.zeros(len(sight.episodes))
        if len(rows):
            first = np.lexsort((rows, -scores))[:DEGREE[0]]
            self._supporting(timeline, sight, rows[first], scores[first], total)
        for entity in query.entities:
            about = np.concatenate([timeline.claims["episode"][timeline.rows(index, term)]
                                    for term in self._graph.mappings.sources(entity)
                                    for index in ("claims_by_subject", "claims_by_object")])
            about = np.unique(about)
            total[about[about < len(total)]] += MENTIONED
        total[~sight.episodes] = 0
        return total

    def _supporting(self, timeline: Timeline, sight: Sight, rows: _Rows, scores: _Weights, total: _Weights) -> None:
        """Give each episode the score of the best fact that it supports, and a little for each of the others."""
        order = np.argsort(rows)
        supports = timeline.rows_of_many("support_of", rows[order])
        # these two tables are kept row by row, where indexing costs less than `take`, which copies the whole column
        supports = supports[timeline.supports["kf"][supports] <= sight.scope.vantage.known_at]
        episodes = timeline.claims["episode"][timeline.supports["claim"][supports]]
        score = scores[order][rows[order].searchsorted(timeline.supports["record"][supports])]
        inside = episodes < len(total)
        best = np.zeros(len(total))
        np.maximum.at(best, episodes[inside], score[inside])
        np.add.at(total, episodes[inside], 0.1 * score[inside])
        total += 0.9 * best


def _notes(*notes: str | None) -> str | None:
    return "; ".join(note for note in notes if note) or None


def _content(text: str) -> frozenset[str]:
    found = frozenset(tokens(text))
    return frozenset(token for token in found if token not in STOP_WORDS) or found


def _capped(rows: _Rows, owners: _Rows, weights: _Weights, since: NDArray[np.int64], most: int
            ) -> tuple[_Rows, _Rows, _Weights]:
    """For each owner the `most` rows of the greatest weight, then of the latest start."""
    if len(rows) <= most:
        return rows, owners, weights
    order = np.lexsort((rows, -since, -weights, owners))
    owner = owners[order]
    starts = np.flatnonzero(np.concatenate(([True], owner[1:] != owner[:-1])))
    place = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    kept = order[place < most]
    return rows[kept], owners[kept], weights[kept]


def _best_of(parts: Sequence[tuple[_Rows, _Weights]]) -> tuple[_Rows, _Weights]:
    """Each row once, with its best score."""
    if not parts:
        return np.empty(0, dtype=np.int64), np.empty(0)
    rows: NDArray[Any] = np.concatenate([part[0] for part in parts])
    scores = np.concatenate([part[1] for part in parts])
    distinct, places = np.unique(rows, return_inverse=True)
    best = np.zeros(len(distinct))
    np.maximum.at(best, places, scores)
    return distinct, best
