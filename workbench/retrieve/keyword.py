"""The keyword arm: BM25 over episode texts and facts in words.

The weights are those of Robertson and Zaragoza (2009) with the never negative inverse document frequency that Lucene
uses; `k1` 1.2, `b` 0.75. All counts are those of what the sight lets through, so that a ranking from a past vantage, or
of one session, is the one that a store holding nothing else would give.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.retrieve.index import Index
from workbench.retrieve.postings import Ints, Postings
from workbench.retrieve.rank import ranking, top
from workbench.retrieve.seam import Hit, Kind, Query, Ranking, Sight
from workbench.retrieve.text import question_tokens

K1: Final = 1.2
B: Final = 0.75
MOST_TERMS: Final = 64
MOST_LOOKED_UP: Final = 2_000
FREQUENT: Final = 5_000
ROUNDING: Final = 1 - 1e-5
Scores = NDArray[np.float32]


class Keyword:
    """Ranks by the words that question and item share."""

    name = "keyword"

    def __init__(self, index: Index) -> None:
        self._index = index

    def rank(self, query: Query, sight: Sight, limit: int) -> Ranking:
        """At most `limit` episodes and facts that share a word with the question, best first."""
        begin = perf_counter()
        said = question_tokens(query.text)
        chosen, note = self._chosen(said, sight)
        if not said:
            note = "no words in the question"
        hits: list[Hit] = []
        for kind in Kind:
            numbers, scores = self.scores(kind, chosen, sight, limit)
            hits += top(kind, scores, limit, numbers)
        return ranking(self.name, hits, limit, note, begin)

    def _chosen(self, said: Sequence[str], sight: Sight) -> tuple[list[str], str | None]:
        """The terms to look for: all of them, or the rarest of a very long question."""
        if len(said) <= MOST_TERMS:
            return list(said), None
        kinds = [kind for kind in Kind if kind in sight.scope.kinds]
        counted = [(sum(self._index.frequency(kind, token) for kind in kinds), place, token)
                   for place, token in enumerate(said[:MOST_LOOKED_UP])]
        rarest = sorted(item for item in counted if item[0])[:MOST_TERMS]
        note = f"the {len(rarest)} rarest of {len(said)} different words were looked for" if (
            len(rarest) == MOST_TERMS or len(said) > MOST_LOOKED_UP) else None
        return [token for _, _, token in sorted(rarest, key=lambda item: item[1])], note

    def scores(self, kind: Kind, terms: Sequence[str], sight: Sight, limit: int | None = None
               ) -> tuple[NDArray[np.int64], Scores]:
        """(numbers of what is in sight of a kind, ascending; the score of each, 0 for what shares no word).

        Args:
            kind: episodes or facts.
            terms: distinct tokens.
            sight: what counts, also for how rare a term is.
            limit: only that many of the best need be right, the others may lack frequent terms; None = all.
        """
        snapshot, rows = self._index.snapshot(), sight.numbers(kind)
        if kind is Kind.EPISODE:
            return rows, self._bm25(kind, terms, sight.episodes, snapshot.length[:len(sight.episodes)], limit)[rows]
        documents = snapshot.document[rows]
        visible = np.zeros(len(sight.records), dtype=bool)
        visible[documents] = True
        return rows, self._bm25(kind, terms, visible, snapshot.fact_length[:len(visible)], limit)[documents]

    def windowed(self, query: Query, sight: Sight, numbers: NDArray[np.int64]) -> Scores:
        """BM25 of episodes with what was said around each (`workbench.retrieve.window`): counts and lengths are the
        weighted sums over the window, as far as it is in sight; how rare a term is counts single episodes.

        Args:
            query: its words are looked for.
            sight: what counts.
            numbers: shape (n,), of episodes in sight.

        Returns:
            Shape (n,); 0 for those in whose window no word of the question is.
        """
        snapshot = self._index.snapshot()
        visible = np.zeros(snapshot.episodes, dtype=bool)
        visible[:len(sight.episodes)] = sight.episodes
        found = np.zeros(len(numbers), dtype=np.float32)
        mean = snapshot.window.mean_length(visible)
        if not len(numbers) or not mean:
            return found
        near = snapshot.window.near[numbers]
        weight = snapshot.window.weight[numbers] * visible[near]
        length = (weight * snapshot.window.lengths[near]).sum(axis=1)
        norm = np.float32(K1 * (1 - B)) + np.float32(K1 * B / mean) * length
        episodes, places = np.unique(near, return_inverse=True)
        places = places.reshape(near.shape)
        total = int(np.count_nonzero(visible))
        for term in self._chosen(question_tokens(query.text), sight)[0]:
            read = self._term(Kind.EPISODE, term, visible, total)
            if read.documents:
                documents, counts = read.postings
                at = np.minimum(documents.searchsorted(episodes), len(documents) - 1)
                held = np.where(documents[at] == episodes, counts[at], 0).astype(np.float32)
                times = (weight * held[places]).sum(axis=1)
                found += np.float32(read.weight) * times / (times + norm)
        return found

    def numerals(self, query: Query, sight: Sight, numbers: NDArray[np.int64]) -> Scores:
        """For each episode the sum, over the numbers in a question that it holds, of how rare they are.

        Args:
            query: its words are looked at.
            sight: what counts for how rare a term is.
            numbers: shape (n,), of episodes in sight.
        """
        found = np.zeros(len(numbers), dtype=np.float32)
        terms = [term for term in question_tokens(query.text)[:MOST_TERMS] if term.isdigit()]
        if terms and len(numbers):
            visible = np.zeros(self._index.snapshot().episodes, dtype=bool)
            visible[:len(sight.episodes)] = sight.episodes
            total = int(np.count_nonzero(visible))
            for term in terms:
                read = self._term(Kind.EPISODE, term, visible, total)
                if read.documents:
                    documents, _ = read.postings
                    at = np.minimum(documents.searchsorted(numbers), len(documents) - 1)
                    found += np.float32(read.weight) * (documents[at] == numbers)
        return found

    def _bm25(self, kind: Kind, terms: Sequence[str], visible: NDArray[np.bool_], lengths: NDArray[np.int32],
              limit: int | None
              ) -> Scores:
        found = np.zeros(len(visible), dtype=np.float32)
        total = int(np.count_nonzero(visible))
        words = int((lengths * visible).sum(dtype=np.int64))
        if not words:
            return found
        read = [self._term(kind, term, visible, total) for term in terms]
        read = sorted((term for term in read if term.documents), key=lambda term: term.documents)
        fixed, slope = np.float32(K1 * (1 - B)), np.float32(K1 * B * total / words)
        for at, term in enumerate(read):
            wanted = None if limit is None or term.documents <= FREQUENT else _settled(
                found, limit, sum(other.weight for other in read[at:]))
            if wanted is not None:
                documents, counts = _at(wanted, *term.postings)
            else:
                documents, counts = (part[term.kept] for part in term.postings)
            times = counts.astype(np.float32)
            norm = fixed + slope * lengths[documents].astype(np.float32)
            found[documents] += np.float32(term.weight) * times / (times + norm)
        return found

    def _term(self, kind: Kind, token: str, visible: NDArray[np.bool_], total: int) -> _Term:
        documents, counts = self._index.postings(kind, token)
        end = int(documents.searchsorted(len(visible)))
        documents, counts = documents[:end], counts[:end]
        kept = visible[documents]
        held = int(np.count_nonzero(kept))
        weight = (K1 + 1) * math.log1p((total - held + 0.5) / (held + 0.5))
        return _Term((documents, counts), kept, held, weight)


class _Term(NamedTuple):
    """A term of the question.

    Attributes:
        postings: all of them.
        kept: which of them are in sight.
        documents: how many are.
        weight: the most that it can add to a score.
    """

    postings: Postings
    kept: NDArray[np.bool_]
    documents: int
    weight: float


def _settled(found: Scores, limit: int, more: float) -> NDArray[np.int64] | None:
    """What can still come among the `limit` best, if nothing gains more than `more`; None if it may be something that
    has no score so far (Turtle and Flood 1995, MaxScore)."""
    places = np.flatnonzero(found)
    if not len(places) >= limit > 0:
        return None
    held = found[places]
    least = float(np.partition(held, len(held) - limit)[len(held) - limit]) - more
    return places[held > least * ROUNDING] if least > 0 else None


def _at(wanted: NDArray[np.int64], documents: Ints, counts: Ints) -> Postings:
    """Postings cut down to some documents, ascending."""
    places = np.minimum(documents.searchsorted(wanted), len(documents) - 1)
    places = places[documents[places] == wanted]
    return documents[places], counts[places]
