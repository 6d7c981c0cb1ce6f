"""What every suite does the same way: ask, time, compare with gold, run the baselines beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypeVar

from workbench.evaluate.baselines import BASELINES, Statement, error_kind
from workbench.evaluate.data import ReplayClock
from workbench.evaluate.records import Row, Sample
from workbench.evaluate.statistics import wilson
from workbench.evaluate.suite import Request
from workbench.ingest.seam import Extractor
from workbench.model.episode import Episode
from workbench.model.errors import AmbiguousName, NotFound
from workbench.model.fact import Fact
from workbench.model.schema import Schema
from workbench.model.time import DAY, FOREVER, Instant

if TYPE_CHECKING:
    from workbench.api import Workbench

SYSTEM: Final = "workbench"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as a suite asks it.

    Attributes:
        dataset, id, kind, text: which question.
        gold: the right answers, compared as a set; empty if it is unanswerable.
        valid_at, known_at: the vantage.
        statements: what the data set states about the slot, for the baselines and the split of errors.
        now: the end of the data, where the baselines stand.
    """

    dataset: str
    id: str
    kind: str
    text: str
    gold: frozenset[str]
    valid_at: Instant
    known_at: Instant
    statements: Sequence[Statement] = ()
    now: Instant = FOREVER


@dataclass(frozen=True, slots=True)
class Found:
    """What a query gave: the values, the facts behind them, and how it went."""

    values: frozenset[str]
    facts: tuple[Fact, ...] = ()
    note: str = ""


def build(episodes: Sequence[Episode], request: Request, what: str, *, schema: Schema | None = None,
          extractor: Extractor | None = None) -> tuple[Workbench, list[Row]]:
    """A store in memory with these episodes taken in, and the rows on how that went.

    The clock stands one day after the last `recorded_at`. A row counts failed episodes and claims; a suite that
    expects none can see there if one was lost.
    """
    from workbench.api import Workbench

    last = max((episode.recorded_at for episode in episodes if episode.recorded_at is not None), default=Instant(0))
    bench = Workbench.open(None, schema=schema, clock=ReplayClock(last.plus(DAY)), extractor=extractor)
    started = perf_counter()
    report = bench.ingest(episodes, progress=lambda done: request.progress(f"{what}: episodes", done, len(episodes)))
    seconds = perf_counter() - started
    claims = report.claims
    rows = [
        Row(what, SYSTEM, "ingest_claims_per_second", claims / seconds if seconds else None, claims),
        Row(what, SYSTEM, "ingest_failures", float(len(report.failures)), len(episodes)),
    ]
    return bench, rows


def ask(question: Asked, query: Callable[[], Found]) -> Sample:
    """Run one timed query against the store. A name that the store does not know, or finds ambiguous, is no answer."""
    started = perf_counter()
    try:
        found = query()
    except (NotFound, AmbiguousName) as error:
        found = Found(frozenset(), note=str(error))
    seconds = perf_counter() - started
    evidence = tuple(dict.fromkeys(episode for fact in found.facts for episode in fact.episodes))
    return _sample(question, SYSTEM, found.values, seconds, evidence, found.note)


def ask_baselines(question: Asked) -> Iterator[Sample]:
    """The same question to every baseline."""
    for name, baseline in BASELINES.items():
        started = perf_counter()
        values = baseline(question.statements, question.valid_at, question.now)
        yield _sample(question, name, values, perf_counter() - started)


def _sample(question: Asked, system: str, values: frozenset[str], seconds: float, evidence: tuple[str, ...] = (),
            note: str = "") -> Sample:
    error = error_kind(question.statements, question.gold, values, question.valid_at, question.known_at)
    known_at = None if question.known_at == FOREVER else question.known_at
    return Sample(question.dataset, system, question.id, question.kind, question.text, tuple(sorted(question.gold)),
                  tuple(sorted(values)), error is None, error, question.valid_at, known_at, seconds, evidence, note)


def share_row(dataset: str, metric: str, hits: int, n: int, system: str = SYSTEM, unscored: int = 0) -> Row:
    """A proportion with its interval, as a row."""
    value, low, high = wilson(hits, n)
    return Row(dataset, system, metric, value, n, unscored, low, high)


def limited(items: Iterable[T], limit: int | None) -> list[T]:
    """The first `limit` items, or all."""
    every = list(items)
    return every if limit is None else every[:limit]
