"""The composition root: one object that takes episodes in and answers from any point in time.

    >>> from workbench import Workbench
    >>> from workbench.model.claim import Claim
    >>> from workbench.model.episode import Episode
    >>> from workbench.model.time import Instant
    >>> with Workbench.open() as wb:
    ...     _ = wb.ingest([Episode("mail-1", observed_at=Instant.of(2024, 1, 10), claims=(
    ...         Claim("Alice", "memberOf", "Billing", valid_from="2023-01"),))])
    ...     [(fact.object, str(fact.valid_from)) for fact in wb.facts("Alice", valid_at=Instant.of(2023, 6))]
    [('Billing', '2023-01-01T00:00:00Z')]
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from workbench.asking import Asking
from workbench.bulk import bulk_writing, compact
from workbench.curating import Curating
from workbench.graph.facts import Changes, Facts, Pattern, changes, neighbourhood, select, window
from workbench.graph.graph import Graph
from workbench.graph.home import Home
from workbench.graph.lock import WriterLock
from workbench.graph.quads import QuadStore
from workbench.graph.relations import SchemaIndex
from workbench.graph.schema_json import default_schema
from workbench.ingest.ahead import ahead
from workbench.ingest.curation import one_entity, schema_of
from workbench.ingest.explain import explain
from workbench.ingest.pipeline import Pipeline
from workbench.ingest.report import IngestReport
from workbench.ingest.seam import Extractor
from workbench.ingest.settle import Policy
from workbench.model.clock import Clock, SystemClock
from workbench.model.episode import Episode
from workbench.model.errors import BudgetSpent, ModelRefused, NotFound, StoreError, UsageError, WorkbenchError
from workbench.model.fact import Reading
from workbench.model.schema import Schema
from workbench.model.time import Instant, Interval, Vantage

if TYPE_CHECKING:
    from workbench.graph.result import Solutions, Triples
    from workbench.graph.view import View

FLUSH_EVERY: Final = 1_000
SAVE_EVERY: Final = 20_000
COMPACT_AFTER: Final = 2_000
VIEWS: Final = 8
_ATTEMPTS: Final = 4


class Workbench(Curating, Asking):
    """A store with everything around it. Close it, or use it as a context manager.

    Attributes:
        graph: quads and timeline.
        pipeline: the path of an episode; its `schema` is the one in force.
        flush_every: after how many episodes to flush (fsync); closing flushes too. Commits survive kill -9 without.
        home: the folder, or None in memory.
    """

    def __init__(self, graph: Graph, pipeline: Pipeline, home: Home | None, lock: WriterLock | None,
                 start: Schema) -> None:
        self.graph, self.pipeline, self.home, self._lock = graph, pipeline, home, lock
        self.start_schema = start
        self.flush_every = FLUSH_EVERY
        self._views: dict[tuple[Vantage, int], View] = {}
        self._written = 0

    @classmethod
    def open(cls, path: str | Path | None = None, *, schema: Schema | None = None, clock: Clock | None = None,
             read_only: bool = False, extractor: Extractor | None = None, policy: Policy | None = None) -> Workbench:
        """Open a store, making it if need be.

        Args:
            path: its folder; None = in memory.
            schema: for a new store; None = the default schema. A store that exists keeps its own, see `set_schema`.
            clock: tells knowledge time; default: the machine's.
            read_only: no lock is taken; sees the store as it was when opened.
            extractor: for episodes of text without claims; None = no extraction.
            policy: trust.

        Raises:
            StoreLocked, StoreVersion, StoreCorrupt, StoreError: it cannot be opened; the message says what to do.
        """
        lock = home = None
        folder = None if path is None else Path(path)
        try:
            if folder is None:
                start = schema or default_schema()
                graph = Graph(None, QuadStore())
            else:
                home = Home.find(folder)
                if home is None and read_only:
                    raise NotFound(f"there is no store in {folder}; make one with `workbench ingest`")
                if not read_only:
                    if not folder.exists():
                        _make(folder)
                    lock = WriterLock(folder)
                    home = Home.find(folder) or Home.create(folder, schema or default_schema())
                    home.sweep()
                assert home is not None
                start = home.schema
                graph = _graph(home, read_only)
            pipeline = Pipeline(graph, SchemaIndex(start), clock or SystemClock(), extractor, policy or Policy())
            wb = cls(graph, pipeline, home, lock, start)
            wb._catch_up()
            return wb
        except BaseException:
            if lock is not None:
                lock.release()
            raise

    def _catch_up(self) -> None:
        """Bring schema and timeline up to what is stored; after a crash this replays what the timeline misses."""
        if self.graph.episodes:
            self.pipeline.schema = SchemaIndex(self._schema_in_force())
        for entry in self.graph.unapplied():
            self.pipeline.replay(entry)

    def _schema_in_force(self) -> Schema:
        latest = self.graph.last_action("schema", self.graph.episodes)
        return self.start_schema if latest is None else schema_of(latest)

    def adopt(self, graph: Graph) -> None:
        """Go on with another graph in the old one's place (after a rebuild or an erasure)."""
        self.graph = graph
        self._views.clear()
        self.forget_index()
        self.pipeline = replace(self.pipeline, graph=graph)
        self.pipeline.schema = SchemaIndex(self._schema_in_force())

    @property
    def now(self) -> Instant:
        """The present, by the store's clock."""
        return self.pipeline.clock.now()

    def __enter__(self) -> Workbench:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Save the timeline, flush, let the lock go; idempotent."""
        if self.graph.quads.is_open:
            self.forget_index()
            if self._written > max(COMPACT_AFTER, self.graph.episodes // 4):
                compact(self)
            self.graph.close()
        if self._lock is not None:
            self._lock.release()

    # -- episodes in ----------------------------------------------------------------------------------------------

    def ingest(self, episodes: Iterable[Episode], *, progress: Callable[[int], None] | None = None,
               force: bool = False, bulk: bool = False, parallel: int = 1) -> IngestReport:
        """Take episodes in, in order; each is written in one step or not at all. A bad one stops nothing else.

        Args:
            episodes: what to take in; what the store holds already is left alone.
            progress: called with the number of episodes seen so far.
            force: take in what was erased before.
            bulk: write all of them in one step at the end, faster; nothing is kept if it is interrupted.
            parallel: how many episodes are extracted at once, each with what the store knows before the first of them;
                for programs that wait for a model. They are taken in one by one, in order.

        Raises:
            StoreError: the store failed; what was acknowledged before is safe.
        """
        if bulk:
            with bulk_writing(self):
                return self.ingest(episodes, progress=progress, force=force, parallel=parallel)
        report = IngestReport()
        begin = time.perf_counter()
        for number, (episode, ready) in enumerate(ahead(self.pipeline, episodes, parallel, force=force), 1):
            try:
                if isinstance(ready, (BudgetSpent, ModelRefused)):
                    raise ready
                report.count(self.pipeline.ingest(episode, force=force, ready=ready))
            except StoreError:
                raise
            except (BudgetSpent, ModelRefused) as error:
                report.stopped = f"before episode {episode.id!r}: {error}"
                break
            except WorkbenchError as error:
                report.failures.append({"episode": episode.id, "reason": str(error)})
            if not self.graph.quads.in_bulk:  # what is written in bulk is sorted and saved at its end
                self._written += 1
                if self._written % self.flush_every == 0:
                    self.graph.quads.flush()
                    self.keep_index()
                if self.graph.unsaved >= SAVE_EVERY:
                    self.graph.save()
            if progress is not None:
                progress(number)
        if not self.graph.quads.in_bulk:
            self.keep_index()
        report.seconds = time.perf_counter() - begin
        return report

    def explain(self, fact: str) -> dict[str, Any]:
        """Why a fact holds, what closed it or why nothing did, with evidence and rules.

        Raises:
            NotFound: no such fact.
        """
        return explain(self.graph, self.schema, self.pipeline.policy, fact)

    def keep_failures(self, files: Sequence[str], rows: list[dict[str, Any]]) -> None:
        """Remember the lines of these files that could not be read; what was remembered of them before goes."""
        if self.home is not None:
            others = [row for row in self.home.failures() if row["file"] not in files]
            if rows or len(others) != len(self.home.failures()):
                self.home.set_failures(others + rows)

    # -- questions out --------------------------------------------------------------------------------------------

    def facts(self, subject: str | None = None, relation: str | None = None, object: str | None = None, *,
              valid_at: Instant | None = None, known_at: Instant | None = None, reading: Reading = Reading.BEST,
              subject_type: str | None = None, object_type: str | None = None) -> Facts:
        """What is true from a vantage; empty where a name or relation is unknown.

        Args:
            subject, object: an entity's label, alias or IRI (an object may be a literal's text too); None = any.
            relation: local name, label or IRI; None = any.
            valid_at: the instant asked about; None = now.
            known_at: as believed then; None = now.
            reading: best (default), certain or possible.
            subject_type, object_type: decide between entities of one name.

        Raises:
            AmbiguousName: the name fits several entities.
        """
        vantage = self.vantage(valid_at, known_at)
        with self.graph.lock:
            pattern = self._pattern(subject, relation, object, subject_type, object_type)
            return select(self.graph, self.schema, pattern, vantage.valid_at, vantage.known_at, reading)

    def history(self, subject: str, relation: str | None = None, *, known_at: Instant | None = None,
                subject_type: str | None = None) -> Facts:
        """Every version of every fact about a subject, in order of knowledge; with `known_at`, the versions believed
        then, whatever their validity.

        Raises:
            AmbiguousName: as for `facts`.
        """
        with self.graph.lock:
            pattern = self._pattern(subject, relation, None, subject_type, None)
            return select(self.graph, self.schema, pattern, None, known_at, Reading.POSSIBLE)

    def window(self, during: Interval, subject: str | None = None, relation: str | None = None,
               object: str | None = None, *, known_at: Instant | None = None) -> Facts:
        """What was true at some instant of an interval `[start, end)`, as believed at `known_at` (default: now)."""
        with self.graph.lock:
            pattern = self._pattern(subject, relation, object, None, None)
            return window(self.graph, self.schema, pattern, during, self.vantage(None, known_at).known_at)

    def neighbourhood(self, subject: str, hops: int = 2, *, valid_at: Instant | None = None,
                      known_at: Instant | None = None) -> Facts:
        """The facts of an entity, of what they point to, and so on for `hops` steps, from a vantage."""
        if hops < 1:
            raise UsageError(f"hops must be at least 1, not {hops}")
        vantage = self.vantage(valid_at, known_at)
        start = self._entities(subject, None)
        if not start:
            return select(self.graph, self.schema, Pattern(()), None, vantage.known_at)
        return neighbourhood(self.graph, self.schema, start[0], hops, vantage.valid_at, vantage.known_at)

    def changes(self, earlier: Instant, later: Instant) -> Changes:
        """What was believed at one instant of knowledge time and not at another, and the reverse."""
        if later < earlier:
            raise UsageError(f"{later} is before {earlier}; give the earlier instant first")
        return changes(self.graph, self.schema, earlier, later)

    def believed(self) -> Facts:
        """Everything believed now, whatever its validity."""
        return select(self.graph, self.schema, Pattern(), None, self.vantage().known_at)

    def at(self, valid_at: Instant | None = None, known_at: Instant | None = None) -> View:
        """The plain graph of what is true from a vantage; kept for the next call until something is written."""
        from workbench.graph.view import View

        vantage = self.vantage(valid_at, known_at)
        key = (vantage, self.graph.version)
        view = self._views.pop(key, None) or View(self.graph, self.schema, vantage)
        self._views[key] = view  # the latest used come last
        stale = [old for old in self._views if old[1] != self.graph.version]
        for old in (*stale, *list(self._views)[: max(0, len(self._views) - len(stale) - VIEWS)]):
            self._views.pop(old, None)
        return view

    def query(self, sparql: str, *, valid_at: Instant | None = None, known_at: Instant | None = None
              ) -> Solutions | Triples:
        """SPARQL on the annotated quads; on the view from a vantage if one is given.

        Raises:
            UsageError: not SPARQL, or refused (SERVICE, LOAD, updates).
        """
        from workbench.graph import sparql as engine

        if valid_at is not None or known_at is not None:
            return self.at(valid_at, known_at).query(sparql)
        return engine.run(self.graph.quads.store, sparql)

    def entity(self, name: str, kind: str | None = None) -> int:
        """The term of the entity that a name stands for; `kind` is the name of a type.

        Raises:
            NotFound, AmbiguousName: none, or several.
        """
        return one_entity(self.graph, self.schema, name, None if kind is None else self.schema.entity_type(kind).iri)

    def _pattern(self, subject: str | None, relation: str | None, object: str | None, subject_type: str | None,
                 object_type: str | None) -> Pattern:
        kinds = [None if name is None else self.schema.entity_type(name).iri for name in (subject_type, object_type)]
        return Pattern(
            None if subject is None else self._entities(subject, kinds[0]),
            None if relation is None else self.schema.relation(relation, kinds[0], kinds[1]),
            None if object is None else (*self._entities(object, kinds[1]), *self.graph.literals_of(object)))

    def _entities(self, name: str, kind: str | None) -> tuple[int, ...]:
        try:
            return (one_entity(self.graph, self.schema, name, kind),)
        except NotFound:
            return ()


def _graph(home: Home, read_only: bool) -> Graph:
    """The graph in use; a reader that a writer overtakes meanwhile looks again, a few times."""
    for attempt in range(_ATTEMPTS):
        generation = home.generation
        try:
            graph = Graph(generation, QuadStore(generation / "quads", read_only=read_only))
            if not (read_only and graph.overtaken) or attempt == _ATTEMPTS - 1:
                return graph
        except StoreError:
            if home.generation == generation or attempt == _ATTEMPTS - 1:
                raise
    raise AssertionError("the last attempt returns or raises")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"cannot make {folder}: {error.strerror or error}") from error
