"""Suite `speed`: writing and reading through the public API, beside floors measured in the same run.

Everything runs on disk in a temporary folder and warm. A row is named `OPERATION_p50_ms`, `…_p95_ms` or `…_per_second`
with the system that it belongs to; `OPERATION_p50_ratio` is the workbench's p50 over that of the floor named as system.
Facts are counted as versions in the store: a claim that closes another one makes up to three of them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from workbench.evaluate.data import ReplayClock, schema_named
from workbench.evaluate.floors import (
    PolarsFloor,
    SqliteFloor,
    as_of_text,
    labels_of,
    quads_across,
    quads_of_graphs,
    raw_bulk_write,
    raw_episode_writes,
    raw_query,
    records_frame,
)
from workbench.evaluate.harness import SYSTEM
from workbench.evaluate.records import Row
from workbench.evaluate.score import row_of
from workbench.evaluate.statistics import quantile
from workbench.evaluate.suite import Outcome, Request
from workbench.evaluate.workload import HUB, PER_EPISODE, SPAN, START, Question, Workload
from workbench.graph import forms
from workbench.graph.facts import label_or_iri
from workbench.model.fact import Fact
from workbench.model.time import DAY, Instant

if TYPE_CHECKING:
    from workbench.api import Workbench

SIZE: Final = 20_000
_QUESTIONS: Final = 1_000
_HEAVY: Final = 20
_SINGLE_EPISODES: Final = 2_000
_STREAMED: Final = 100_000
_RAW_QUADS: Final = 2_000_000
_VIEW_FACTS: Final = 10_000
_CHILD: Final = """
import re, resource, sys, time
from pathlib import Path
from workbench.api import Workbench
start = time.perf_counter()
bench = Workbench.open(Path(sys.argv[1]), read_only=True)
opened = time.perf_counter() - start
len(bench.facts("person 1"))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
status = Path("/proc/self/status")
if status.exists():  # elsewhere the figure above counts what the starting process had
    peak = re.search(r"VmHWM:\\s+(\\d+)", status.read_text())[1]
print(opened, peak)
"""


@dataclass
class Report:
    """Collects rows of one size."""

    dataset: str
    rows: list[Row] = field(default_factory=list)
    p50: dict[tuple[str, str], float] = field(default_factory=dict)

    def one(self, system: str, metric: str, value: float, n: int = 1) -> None:
        """A single number."""
        self.rows.append(Row(self.dataset, system, metric, value, n))

    def timed(self, system: str, operation: str, calls: Sequence[Callable[[], object]]) -> None:
        """Time each call, after a tenth of them as warm-up."""
        self.timed_in_turn({system: calls}, operation)

    def timed_in_turn(self, systems: Mapping[str, Sequence[Callable[[], object]]], operation: str) -> None:
        """The same for several systems by turns, so that what else the machine does burdens all of them alike; the
        order is turned round each time, for whoever comes second finds the pages of the first in memory."""
        turns = list(zip(*systems.values(), strict=True))
        for calls in turns[:max(1, len(turns) // 10)]:
            for call in calls:
                call()
        seconds: dict[str, list[float]] = {system: [] for system in systems}
        for number, calls in enumerate(turns):
            pairs = list(zip(systems, calls, strict=True))
            for system, call in pairs if number % 2 else reversed(pairs):
                started = perf_counter()
                call()
                seconds[system].append(perf_counter() - started)
        for system, measured in seconds.items():
            self._timed(system, operation, measured)

    def _timed(self, system: str, operation: str, seconds: Sequence[float]) -> None:
        for name, share in (("p50", 0.5), ("p95", 0.95)):
            estimate = quantile([second * 1000 for second in seconds], share)
            self.rows.append(row_of(self.dataset, system, f"{operation}_{name}_ms", estimate, len(seconds)))
            if name == "p50" and estimate.value is not None:
                self.p50[system, operation] = estimate.value

    def ratios(self) -> None:
        """The workbench's p50 over that of each floor."""
        for (system, operation), floor in sorted(self.p50.items()):
            ours = self.p50.get((SYSTEM, operation))
            if system != SYSTEM and ours is not None and floor > 0:
                self.one(system, f"{operation}_p50_ratio", ours / floor)


def run(request: Request) -> Outcome:
    """Measure one size (`Request.size`, default 20,000 claims)."""
    size = request.size or SIZE
    report, workload = Report(f"speed-{size}"), Workload(size, request.seed)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        _single_episodes(report, workload, folder)
        _ingest(report, workload, folder / "store", request)
        _open(report, folder / "store")
        bench = _bench(folder / "store", workload, read_only=True)
        with bench:
            _writes_of_the_engine(report, bench, folder)
            _reads(report, bench, workload, folder, request)
    report.ratios()
    return Outcome([], report.rows, [], [f"seed {request.seed}; on disk, warm; see speed.py"])


def _bench(path: Path, workload: Workload, read_only: bool = False) -> Workbench:
    from workbench.api import Workbench

    return Workbench.open(path, schema=schema_named("speed"), clock=ReplayClock(workload.end), read_only=read_only)


def _single_episodes(report: Report, workload: Workload, folder: Path) -> None:
    """One `ingest` call an episode: settling, indexes and provenance, acknowledged each time."""
    with _bench(folder / "single", workload) as bench:
        episodes = list(islice(workload.episodes(), _SINGLE_EPISODES))
        started = perf_counter()
        for episode in episodes:
            bench.ingest([episode])
        seconds = perf_counter() - started
        facts = bench.graph.timeline.records.n
    report.one(SYSTEM, "ingest_one_episode_at_a_time_facts_per_second", facts / seconds, facts)
    report.one(SYSTEM, "ingest_one_episode_at_a_time_claims_per_second", len(episodes) * PER_EPISODE / seconds,
               len(episodes) * PER_EPISODE)


def _ingest(report: Report, workload: Workload, path: Path, request: Request) -> None:
    _stream(report, workload, path.with_name("stream"), request)
    bench = _bench(path, workload)
    total = -(-workload.size // PER_EPISODE)
    episodes = list(workload.episodes())  # making them is no part of taking them in
    started = perf_counter()
    with bench:
        result = bench.ingest(episodes, progress=lambda done: request.progress(
            f"{report.dataset}: bulk episodes", done, total) if done % 200 == 0 else None, bulk=True)
        facts = bench.graph.timeline.records.n
    seconds = perf_counter() - started  # closed: saved and flushed
    report.one(SYSTEM, "ingest_bulk_facts_per_second", facts / seconds, facts)
    report.one(SYSTEM, "ingest_bulk_claims_per_second", result.claims / seconds, result.claims)
    report.one(SYSTEM, "ingest_failures", len(result.failures), total)


def _stream(report: Report, workload: Workload, path: Path, request: Request) -> None:
    """One `ingest` call, but each episode a commit of its own: what a long incremental ingest does; and its disk."""
    episodes = list(islice(workload.episodes(), _STREAMED // PER_EPISODE))
    with _bench(path, workload) as bench:
        started = perf_counter()
        bench.ingest(episodes, progress=lambda done: request.progress(
            f"{report.dataset}: episodes", done, len(episodes)) if done % 200 == 0 else None)
        seconds = perf_counter() - started
        facts, claims = bench.graph.timeline.records.n, bench.graph.timeline.claims.n
    report.one(SYSTEM, "ingest_stream_facts_per_second", facts / seconds, facts)
    report.one(SYSTEM, "ingest_stream_claims_per_second", claims / seconds, claims)
    size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    report.one(SYSTEM, "disk_bytes_per_fact", size / facts, facts)


def _open(report: Report, path: Path) -> None:
    """Open in a fresh process, which also shows the memory that reading alone needs."""
    done = subprocess.run([sys.executable, "-c", _CHILD, str(path)], capture_output=True, text=True, check=True)
    seconds, kilobytes = done.stdout.split()
    report.one(SYSTEM, "open_seconds", float(seconds))
    report.one(SYSTEM, "resident_mebibytes", float(kilobytes) / 1024)


def _writes_of_the_engine(report: Report, bench: Workbench, folder: Path) -> None:
    quads, total = quads_across(bench, _RAW_QUADS)
    facts = bench.graph.timeline.records.n
    bulk = raw_bulk_write(quads, folder / "raw-bulk")
    single, graphs = raw_episode_writes(quads_of_graphs(bench, _SINGLE_EPISODES), folder / "raw-single")
    per_fact = total / facts
    report.one("oxigraph", "quads_per_fact", per_fact, facts)
    report.one("oxigraph", "ingest_bulk_facts_per_second", bulk / per_fact, len(quads))
    report.one("oxigraph", "ingest_one_episode_at_a_time_facts_per_second", single / per_fact, graphs)
    for operation in ("ingest_bulk", "ingest_one_episode_at_a_time"):
        rates = {row.system: row.value for row in report.rows if row.metric == f"{operation}_facts_per_second"}
        ours, floor = rates.get(SYSTEM), rates.get("oxigraph")
        if ours and floor:
            report.one("oxigraph", f"{operation}_share_of_floor", ours / floor)


def _reads(report: Report, bench: Workbench, workload: Workload, folder: Path, request: Request) -> None:
    frame = records_frame(bench)
    labels = labels_of(bench, frame)
    polars, sqlite = PolarsFloor(frame, {label: term for term, label in labels.items()}), None
    sqlite = SqliteFloor(folder / "floor.sqlite", frame, labels)
    questions = workload.questions(_QUESTIONS)
    heavy = questions[:_HEAVY]
    names = {relation: shown_relation(bench, relation) for relation in ("team", "reports to", "knows", "uses")}
    steps: Sequence[tuple[str, str, Callable[[Question], object], Sequence[Question]]] = (
        (SYSTEM, "slot_as_of", lambda q: list(_slot(bench, q)), questions),
        ("sqlite", "slot_as_of", lambda q: sqlite.slot(q, names[q.relation]), questions),
        (SYSTEM, "entity_as_of", lambda q: list(_entity(bench, q.subject, q)), questions),
        ("sqlite", "entity_as_of", sqlite.entity, questions),
        (SYSTEM, "two_hops_as_of", lambda q: _two_hops(bench, q), questions),
        (SYSTEM, "two_hops_as_of_labelled", lambda q: bench.neighbourhood(
            q.subject, 2, valid_at=q.valid_at, known_at=q.known_at).frame(), questions),
        ("sqlite", "two_hops_as_of", sqlite.two_hops, questions),
        (SYSTEM, "reverse_as_of", lambda q: list(bench.facts(None, None, q.subject, valid_at=q.valid_at,
                                                              known_at=q.known_at)), questions),
        ("sqlite", "reverse_as_of", sqlite.reverse, questions),
        (SYSTEM, "hub_as_of", lambda q: _entity(bench, HUB, q).ids(), heavy),
        (SYSTEM, "hub_as_of_labelled", lambda q: _entity(bench, HUB, q).frame(), heavy),
        ("sqlite", "hub_as_of", sqlite.hub, heavy),
        ("polars", "hub_as_of", polars.hub, heavy),
        (SYSTEM, "time_slice", lambda q: bench.facts(valid_at=q.valid_at, known_at=q.known_at).ids(), heavy),
        (SYSTEM, "time_slice_labelled", lambda q: bench.facts(valid_at=q.valid_at, known_at=q.known_at).frame(), heavy),
        ("sqlite", "time_slice", lambda q: sqlite.time_slice(q.valid_at, q.known_at), heavy),
        ("polars", "time_slice", lambda q: polars.time_slice(q.valid_at, q.known_at), heavy),
        (SYSTEM, "changes_of_a_month", lambda q: bench.changes(q.known_at.plus(-30 * DAY), q.known_at), heavy),
    )
    for done, (system, operation, call, asked) in enumerate(steps, start=1):
        report.timed(system, operation, [_bound(call, question) for question in asked])
        request.progress(f"{report.dataset}: reads", done, len(steps))
    _sparql(report, bench, questions[:_QUESTIONS // 5])
    _views(report, bench)
    sqlite.close()


def _bound(call: Callable[[Question], object], question: Question) -> Callable[[], object]:
    return lambda: call(question)


def _slot(bench: Workbench, q: Question) -> Iterator[Fact]:
    return iter(bench.facts(q.subject, q.relation, valid_at=q.valid_at, known_at=q.known_at))


def _entity(bench: Workbench, name: str, question: Question) -> Any:
    return bench.facts(name, valid_at=question.valid_at, known_at=question.known_at)


def _two_hops(bench: Workbench, question: Question) -> pl.DataFrame:
    return bench.neighbourhood(question.subject, 2, valid_at=question.valid_at, known_at=question.known_at).ids()


def shown_relation(bench: Workbench, relation: str) -> str:
    """How the floor's table names a relation; its name itself where the store has no such facts."""
    term = bench.graph.timeline.terms.find(bench.schema.relation(relation).iri)
    return relation if term is None else label_or_iri(bench.graph.timeline, term)


def _sparql(report: Report, bench: Workbench, questions: Sequence[Question]) -> None:
    """The same text, in the best shape known for this engine, through the public API and straight to the engine."""
    for operation in ("slot_as_of", "entity_as_of"):
        texts = [text for question in questions if (text := _text(bench, operation, question)) is not None]
        report.timed_in_turn({SYSTEM: [partial(bench.query, text) for text in texts],
                              "oxigraph": [partial(raw_query, bench, text) for text in texts]}, f"sparql_{operation}")


def _text(bench: Workbench, operation: str, question: Question) -> str | None:
    facts = bench.history(question.subject, question.relation)
    if not len(facts):
        return None
    return as_of_text(facts[0].subject_iri, facts[0].relation_iri if operation == "slot_as_of" else None, question)


def _views(report: Report, bench: Workbench) -> None:
    """Views of about ten thousand facts, each from a vantage of its own so that none is kept from before."""
    text, known_at = forms.text("any"), START.plus(SPAN)
    low, high = START, known_at
    while high - low > DAY:
        middle = Instant((low + high) // 2)
        if len(bench.facts(valid_at=middle, known_at=known_at)) < _VIEW_FACTS:
            low = middle
        else:
            high = middle
    vantages = [high.plus(number * 60_000_000) for number in range(_HEAVY)]
    report.one(SYSTEM, "view_facts", float(len(bench.facts(valid_at=high, known_at=known_at))))
    report.timed(SYSTEM, "view_build", [lambda at=at: bench.query(text, valid_at=at, known_at=known_at)  # type: ignore[misc]
                                        for at in vantages])
