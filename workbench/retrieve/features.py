"""Episodes by a weighted sum of features: words and meaning, who is asked about, whether a turn only asks, and when.

The features are raw, not standardised, so that a score depends on the question, the episode, what is around it and the
counts of what is in sight, and never on which other candidates there happen to be.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.graph.graph import Graph
from workbench.model.time import DAY, Interval
from workbench.retrieve.index import Index
from workbench.retrieve.keyword import Keyword
from workbench.retrieve.seam import Found, Hit, Kind, Query, Ranking, Sight
from workbench.retrieve.semantic import Semantic

CANDIDATES: Final = 50
SHORT: Final = 30  # tokens: longer turns that end with a question mark also say something
DAYS: Final = 7.0
BEFORE: Final = 3.0  # people speak of a thing after it happened rather than before
LIKELIEST: Final = ("keyword", "semantic")
"""Arms that rank nearly everything: only their best are candidates; of the others, all that they name."""
Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """What the features of an episode count.

    Fitted by softmax regression (each gold turn against the 120 best others of its question) through this code on the
    development halves of LoCoMo (5 conversations, 997 questions with evidence), BEAM-100K (10 conversations, 172
    questions, user turns) and TimeQA (60 documents, 191 questions, paragraphs), each data set weighing the same.

    Attributes:
        window: of BM25 with what was said around (`Keyword.windowed`).
        cosine: of the likeness of meaning, from -1 to 1.
        speaker: of being said by the one speaker that the question names, 0 or 1.
        asks: of ending with a question mark: min(1, `SHORT` / tokens), else 0.
        date: of the nearness to a time that the question names, see `nearness`.
        number: of the numbers of the question, years most of all, that stand in the episode itself, by their rarity.
        session: a session's score is the logarithm of the sum of exp(session * score) over its turns.
    """

    window: float = 0.29
    cosine: float = 6.0
    speaker: float = 0.93
    asks: float = -0.85
    date: float = 3.8
    number: float = 0.44
    session: float = 1.5


@dataclass(frozen=True)
class SessionScore:
    """A session of the ranking.

    Attributes:
        session: its name.
        score: the larger the better.
        episodes: numbers of its candidates, best first.
    """

    session: str
    score: float
    episodes: tuple[int, ...]


@dataclass(frozen=True)
class Scored:
    """All candidates of a question, best first.

    Attributes:
        numbers: shape (n,), of the episodes.
        scores: shape (n,); equal ones by number.
        shares: feature → its weighted share, shape (n,); they add up to `scores`.
        ranks: arm → its rank of an episode among episodes.
        sessions: shape (n,), numbers in `names`; -1 = none.
        names: of sessions.
    """

    numbers: Numbers
    scores: Floats
    shares: Mapping[str, Floats] = field(default_factory=dict)
    ranks: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    sessions: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    names: Sequence[str] = ()

    def found(self, limit: int) -> list[Found]:
        """The best `limit`."""
        return [Found(Hit(Kind.EPISODE, number, score),
                      {arm: ranks[number] for arm, ranks in self.ranks.items() if number in ranks},
                      {name: float(share[at]) for name, share in self.shares.items()})
                for at, (number, score) in enumerate(zip(
                    self.numbers[:max(0, limit)].tolist(), self.scores[:max(0, limit)].tolist(), strict=True))]

    def by_session(self, sharpness: float) -> list[SessionScore]:
        """The sessions of the candidates, best first; equal ones by their best turn.

        Args:
            sharpness: towards 0 = by the number of turns, the larger the more by the best turn.
        """
        turns: dict[int, list[tuple[float, int]]] = {}
        for session, score, number in zip(self.sessions.tolist(), (sharpness * self.scores).tolist(),
                                          self.numbers.tolist(), strict=True):
            if session >= 0:
                turns.setdefault(session, []).append((score, number))
        found = [SessionScore(self.names[session], best + log(sum(exp(score - best) for score, _ in held)),
                              tuple(number for _, number in held))
                 for session, held in turns.items() for best in (held[0][0],)]  # best first, as the candidates are
        return sorted(found, key=lambda one: -one.score)


class Features:
    """Scores the candidates of a question."""

    def __init__(self, graph: Graph, index: Index, keyword: Keyword, semantic: Semantic) -> None:
        self._graph, self._index, self._keyword, self._semantic = graph, index, keyword, semantic

    def score(self, query: Query, sight: Sight, rankings: Sequence[Ranking], weights: Weights,
              most: int = CANDIDATES) -> Scored:
        """The candidates with their features. What an arm is for counts only if it was asked: `window` for keyword,
        `cosine` for semantic, `date` for time; the graph arm names candidates.

        Args:
            query, sight: the question, and what can be seen.
            rankings: of the arms that were asked.
            weights: of the features.
            most: how many episodes an arm makes candidates (arms that name few: all of them); their neighbours in the
                session are candidates too.
        """
        ranks = {one.arm: {hit.number: rank for rank, hit in enumerate(
            (hit for hit in one.hits if hit.kind is Kind.EPISODE), 1)} for one in rankings}
        numbers = self._candidates(sight, ranks, most)
        snapshot = self._index.snapshot()
        shortness = np.minimum(1.0, SHORT / np.maximum(1, snapshot.length[numbers]))
        asks = (weights.asks * snapshot.asks[numbers] * shortness).astype(np.float64) + 0.0  # not minus zero
        shares = {"speaker": weights.speaker * self._speaker(query, numbers), "asks": asks}
        if "keyword" in ranks:
            shares["window"] = weights.window * self._keyword.windowed(query, sight, numbers).astype(np.float64)
            shares["number"] = weights.number * self._keyword.numerals(query, sight, numbers).astype(np.float64)
        if "semantic" in ranks:
            shares["cosine"] = weights.cosine * _neutral(self._semantic.cosines(query, numbers).astype(np.float64))
        if "time" in ranks:
            with self._graph.lock:
                observed = self._graph.timeline.episodes["observed"][numbers]
            shares["date"] = weights.date * nearness(observed, query.times)
        scores: Floats = np.sum(list(shares.values()), axis=0)
        order = np.lexsort((numbers, -scores))
        return Scored(numbers[order], scores[order], {name: share[order] for name, share in sorted(shares.items())},
                      ranks, snapshot.session[numbers[order]], self._index.catalog.sessions.texts)

    def _candidates(self, sight: Sight, ranks: Mapping[str, Mapping[int, int]], most: int) -> Numbers:
        """What the arms name, and the neighbours in sight; ascending."""
        snapshot = self._index.snapshot()
        named = np.array(sorted({number for arm, places in ranks.items() for number, rank in places.items()
                                 if rank <= most or arm not in LIKELIEST}), dtype=np.int64)
        around = np.concatenate((snapshot.previous[named], named, snapshot.following[named])).astype(np.int64)
        around = np.unique(around[(around >= 0) & (around < len(sight.episodes))])
        return around[sight.episodes[around]]

    def _speaker(self, query: Query, numbers: Numbers) -> Floats:
        if len(query.speakers) != 1:
            return np.zeros(len(numbers))
        number = self._index.catalog.speakers.find(next(iter(query.speakers)))
        theirs: Floats = (self._index.snapshot().speaker[numbers] == number).astype(np.float64)
        return theirs


def _neutral(cosines: Floats) -> Floats:
    """What is not embedded counts as the mean of what is, so that it is neither raised nor lowered by that."""
    known = ~np.isnan(cosines)
    neutral: Floats = np.where(known, cosines, cosines[known].mean() if known.any() else 0.0)
    return neutral


def nearness(instants: NDArray[np.int64], times: Collection[Interval]) -> Floats:
    """How near instants are to the nearest of some times: 1 within it, falling e-fold with each `DAYS` days after its
    end and `BEFORE` times as fast before its start; 0 without times.

    Args:
        instants: microseconds.
        times: half-open.
    """
    found: Floats = np.zeros(len(instants))
    at = instants.astype(np.float64)
    for time in times:
        gap = np.maximum(BEFORE * np.maximum(0.0, float(time.start) - at), np.maximum(0.0, at - float(time.end)))
        found = np.maximum(found, np.exp(-gap / (DAYS * DAY)))
    return found
