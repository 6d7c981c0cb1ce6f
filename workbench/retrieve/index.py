"""The derived index: the words of episodes and facts, in one SQLite file beside the timeline, and arrays in memory.

Words are kept by FTS5, which looks after postings on disk and commits them with the watermark in one transaction; the
scoring is `workbench.retrieve.keyword`'s, over the postings of a term as arrays. Measured at 120,000 documents (2
cores, SQLite 3.40): FTS5's own `bm25()` takes 20 ms for eight words of natural frequency and 130 ms with one word that
nearly every fact has, and it filters row by row; tantivy takes 0.3 to 1.1 ms, but 4 ms a commit in a second store that
has to be kept in step, cannot filter by arbitrary sets, and counts what the vantage must not know. Postings from FTS5
scored in NumPy: 0.3 to 3 ms, exact for any vantage and filter, once a term has been read (0.4 µs a posting).

Nothing here is the truth. A file that is damaged, foreign or ahead of the graph is dropped and made anew; a reader does
the same in memory and never writes.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import numpy as np

from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.model.errors import StoreError
from workbench.retrieve import storage
from workbench.retrieve.catalog import Catalog, EpisodeRow, Snapshot, documents_of
from workbench.retrieve.coming import code_of, next_episodes, next_records
from workbench.retrieve.postings import Postings, PostingsCache
from workbench.retrieve.seam import Kind
from workbench.retrieve.text import stored, tokens

EPISODES_AT_ONCE: Final = 500
RECORDS_AT_ONCE: Final = 5_000
_T = TypeVar("_T")


class _Overtaken(Exception):
    """Another index of the same graph wrote to the file."""


class Index:
    """The index of one graph. Thread-safe: one lock around SQLite and what is remembered of it, never held while
    waiting for the graph's.

    Attributes:
        graph: what it is derived from.
        read_only: it never writes to disk.
        where: `file`, or `memory` for a store in memory and for a reader whose file is missing, behind or damaged.
        schema: in whose words facts are indexed.
        catalog: names of sessions, speakers and kinds.
        version: grows with every change.
        rebuilt: grows when documents that were there may have changed.
    """

    def __init__(self, graph: Graph, schema: SchemaIndex) -> None:
        """Open or make the index of a graph; `catch_up` fills it.

        Raises:
            StoreError: SQLite has no FTS5, or the file cannot be written.
        """
        self.graph, self.read_only = graph, graph.quads.read_only
        self._path = None if graph.folder is None else graph.folder / storage.FILE
        self.schema = schema
        self._lock = threading.RLock()
        self._cache = PostingsCache()
        self._reworded = False
        self._worded: SchemaIndex | None = None
        self.version = self.rebuilt = 0
        self._open(schema)

    # -- opening --------------------------------------------------------------------------------------------------

    def _open(self, schema: SchemaIndex) -> None:
        self.where = "memory"
        found: sqlite3.Connection | None = None
        if self._path is not None and self._path.exists():
            try:
                found = (storage.open_for_reading if self.read_only else storage.open_for_writing)(self._path)
                self._load(found, schema)
                self.where = "file"
            except (storage.Damaged, sqlite3.DatabaseError) as error:
                if isinstance(error, sqlite3.Error) and storage.locked(error):
                    raise StoreError(f"the search index {self._path} is busy; try again") from error
                if found is not None:
                    found.close()
                found = None
        if found is not None and self.read_only and self._behind(schema):
            memory = storage.copy_to_memory(found)
            found.close()
            found, self.where = memory, "memory"
        self._connection = found or self._fresh()

    def _fresh(self) -> sqlite3.Connection:
        self.catalog = Catalog()
        self._digest = ""
        path = None if self.read_only else self._path
        if path is not None:
            storage.drop(path)
            self.where = "file"
        return storage.create(path)

    def _load(self, connection: sqlite3.Connection, schema: SchemaIndex) -> None:
        """Fill the arrays from the file, as far as the graph goes.

        Raises:
            Damaged: it belongs to another graph, or to a later state of this one and we are to write it.
        """
        state = storage.state(connection)
        episodes, records = int(state.get("episodes", 0)), int(state.get("records", 0))
        with self.graph.lock:
            timeline, held = self.graph.timeline, self.graph.episodes
            known = timeline.records.n
            if (episodes > held or records > known) and not self.read_only:
                raise storage.Damaged("the index is ahead of the graph")
            records = min(records, known)
            triples = [timeline.records[name][:records].copy() for name in ("s", "r", "o")]
            last = min(episodes, held) - 1
            code = code_of(timeline.episode_id(last)) if last >= 0 else None
        catalog = Catalog()
        catalog.add_episodes(EpisodeRow(*row) for row in connection.execute(
            "SELECT number, code, session, speaker, kind, length, of, how, asks FROM episodes WHERE number <= ? "
            "ORDER BY number", (last,)).fetchall())
        if catalog.episodes != last + 1 or (code is not None and catalog.codes[last] != code):
            raise storage.Damaged("the index belongs to another graph")
        lengths = np.zeros(records, dtype=np.int32)
        rows = connection.execute("SELECT number, length FROM facts WHERE number < ?", (records,)).fetchall()
        if rows:
            pairs = np.array(rows, dtype=np.int64)
            lengths[pairs[:, 0]] = pairs[:, 1]
        documents = documents_of(*triples)
        if len(rows) != int((documents == np.arange(records)).sum()):
            raise storage.Damaged("the index belongs to another graph")
        catalog.add_records(documents, lengths)
        self.catalog, self._digest = catalog, str(state.get("schema", ""))

    def _behind(self, schema: SchemaIndex) -> bool:
        return (self.catalog.episodes < self.graph.episodes or self.catalog.records < self.graph.timeline.records.n
                or self._digest != schema.schema.digest)

    def close(self) -> None:
        """Let the file go; idempotent."""
        with self._lock:
            self._connection.close()

    # -- keeping up -----------------------------------------------------------------------------------------------

    def catch_up(self, schema: SchemaIndex | None = None, progress: Callable[[int], None] | None = None) -> int:
        """Take in what the graph has and the index has not; costs microseconds if that is nothing.

        Each batch is one transaction that moves the watermark with it, so that a crash loses no more than a batch.

        Args:
            schema: in force now; facts are put in words anew if it is another one. None = as before.
            progress: called with the number of documents taken in so far.

        Returns:
            How many episodes and records were taken in.

        Raises:
            StoreError: the file cannot be written; the graph is not concerned.
        """
        graph, schema = self.graph, schema or self.schema
        if (schema is self._worded and self.catalog.episodes == graph.episodes
                and self.catalog.records == graph.timeline.records.n):
            return 0
        done = 0
        with self._both():
            self._healing(lambda: self._reword(schema))
        for step in (self._next_episodes, self._next_records):
            count = 1
            while count:
                with self._both():  # a batch at a time, so that others get their turn
                    count = self._healing(step)
                done += count
                if count and progress is not None:
                    progress(done)
        with self._both():
            if self._reworded:
                self._reworded = False
                self.rebuilt += 1
            self._worded = schema
        return done

    def _reword(self, schema: SchemaIndex) -> None:
        """Forget all facts if another schema gives them other words."""
        self.schema = schema
        if self._digest == schema.schema.digest:
            return
        with self._transaction():
            self._connection.execute("DELETE FROM facts")
            self._connection.execute("INSERT INTO fact_words(fact_words) VALUES('delete-all')")
            storage.put(self._connection, "records", 0)
            storage.put(self._connection, "schema", schema.schema.digest)
        self.catalog.forget_records()
        self._cache.clear()
        self._digest = schema.schema.digest
        self._reworded = True
        self.version += 1

    def _next_episodes(self) -> int:
        first = self.catalog.episodes
        rows, texts = next_episodes(self.graph, first, EPISODES_AT_ONCE)
        if rows:
            with self._transaction():
                self._expect("episodes", first)
                self._connection.executemany("INSERT INTO episodes VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                             [row.values() for row in rows])
                self._write(Kind.EPISODE, texts)
                storage.put(self._connection, "episodes", first + len(rows))
            self._cache.extend(Kind.EPISODE, texts)
            self.catalog.add_episodes(rows)
            self.version += 1
        return len(rows)

    def _next_records(self) -> int:
        first = self.catalog.records
        documents, facts = next_records(self.graph, self.schema, first, RECORDS_AT_ONCE)
        if documents:
            texts = [(number, tokens(words)) for number, words in facts]
            with self._transaction():
                self._expect("records", first)
                self._connection.executemany("INSERT INTO facts VALUES(?, ?)",
                                             [(number, len(said)) for number, said in texts])
                self._write(Kind.FACT, texts)
                if self._reworded:  # vectors of facts that say the same in the new words stay
                    self._connection.executemany(
                        f"DELETE FROM vectors WHERE kind = '{Kind.FACT}' AND document = ? AND code != ?",
                        [(number, code_of(words)) for number, words in facts])
                storage.put(self._connection, "records", first + len(documents))
            self._cache.extend(Kind.FACT, texts)
            lengths = dict.fromkeys(range(first, first + len(documents)), 0)
            lengths.update((number, len(said)) for number, said in texts)
            self.catalog.add_records(documents, list(lengths.values()))
            self.version += 1
        return len(documents)

    def _expect(self, name: str, covered: int) -> None:
        """Refuse to go on from a watermark that another index of this graph has moved."""
        if int(storage.state(self._connection).get(name, 0)) != covered:
            raise _Overtaken

    def _write(self, kind: Kind, texts: Sequence[tuple[int, list[str]]]) -> None:
        self._connection.executemany(f"INSERT INTO {kind}_words(rowid, words) VALUES(?, ?)", [
            (number, " ".join(map(stored, said))) for number, said in texts])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """One SQLite transaction: all or nothing."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _both(self) -> Iterator[None]:
        """Both locks, always the graph's first: who asks a question may hold that already."""
        with self.graph.lock, self._lock:
            yield

    # -- reading --------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """The arrays as they are now."""
        with self._lock:
            return self.catalog.snapshot()

    def postings(self, kind: Kind, token: str) -> Postings:
        """(documents, ascending; how often each has the token), as far as the graph goes."""
        def look() -> Postings:
            found = self._cache.get(kind, token)
            if found is None:
                found = self._read(kind, token)
                self._cache.put(kind, token, found)
            return found

        return self._reading(look)

    def _read(self, kind: Kind, token: str) -> Postings:
        cursor = self._connection.execute(f"SELECT doc FROM temp.{kind}_places WHERE term = ?", (stored(token),))
        places = np.fromiter((row[0] for row in cursor), dtype=np.int64)
        limit = self.catalog.episodes if kind is Kind.EPISODE else self.catalog.records
        documents, counts = np.unique(places[places < limit], return_counts=True)
        return documents, counts.astype(np.int64)

    def frequency(self, kind: Kind, token: str) -> int:
        """How many documents have a token, whatever the vantage; cheaper than its postings."""
        def look() -> int:
            if (found := self._cache.get(kind, token)) is not None:
                return len(found[0])
            row = self._connection.execute(
                f"SELECT doc FROM temp.{kind}_terms WHERE term = ?", (stored(token),)).fetchone()
            return 0 if row is None else int(row[0])

        return self._reading(look)

    # -- damage ---------------------------------------------------------------------------------------------------

    def _reading(self, action: Callable[[], _T]) -> _T:
        """Read something from the file under the index's lock alone; both are taken only to mend it."""
        try:
            with self._lock:
                return action()
        except sqlite3.DatabaseError:
            with self._both():
                return self._healing(action)

    def _healing(self, action: Callable[[], _T]) -> _T:
        """Do something with the file; should it turn out damaged, make the index anew and do it again, once. Under both
        locks."""
        try:
            return action()
        except _Overtaken:
            self._connection.close()
            self._cache.clear()
            self._open(self.schema)
            return action()
        except sqlite3.DatabaseError as error:
            if storage.locked(error):
                raise StoreError(f"the search index {self._path} is busy; try again") from error
            if isinstance(error, sqlite3.OperationalError) and "full" in str(error):
                raise StoreError(f"the search index {self._path} cannot be written: {error}") from error
            self.rebuild()
            return action()

    def rebuild(self) -> None:
        """Make the index anew from the graph, embeddings excepted (in memory for a reader)."""
        with self._both():
            self._connection.close()
            self._cache.clear()
            self.where = "memory"
            self._connection = self._fresh()
            self._worded = None
            self.version += 1
            self.rebuilt += 1
            self._reword(self.schema)
            for step in (self._next_episodes, self._next_records):
                while step():
                    pass

    def check(self) -> list[str]:
        """Findings, empty if the index says what the graph says: watermark, counts, and a sample of documents."""
        from workbench.retrieve.checks import findings

        with self._both():
            return findings(self)

    # -- other tables of the file ---------------------------------------------------------------------------------

    def select(self, sql: str, values: Sequence[int | str] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        return self._reading(lambda: self._connection.execute(sql, values).fetchall())

    def write(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Run a statement for each of several rows, all in one transaction (for a reader: in memory).

        Raises:
            StoreError: the file cannot be written.
        """
        with self._lock:
            if self.read_only and self.where == "file":
                memory = storage.copy_to_memory(self._connection)
                self._connection.close()
                self._connection, self.where = memory, "memory"
            try:
                with self._transaction():
                    self._connection.executemany(sql, rows)
            except sqlite3.Error as error:
                raise StoreError(f"the search index {self._path} cannot be written: {error}") from error
