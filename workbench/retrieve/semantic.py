"""The semantic arm: exact cosine over embedded episodes and facts.

Vectors are kept as 16-bit floats in the index's file, by encoder, and multiplied as 32-bit floats in memory: exact
search over 100,000 × 384 takes 6 ms on 2 cores and obeys any mask. usearch's graph answers in 0.6 ms, but has no filter
of its own, takes 52 s to build instead of none, deletes by tombstone, and its file is not written in one step; so NumPy
until several hundred thousand vectors.

Embedding takes milliseconds a text, so it is no part of `Index.catch_up`: `embed` does what is missing, in batches,
each kept as soon as it is done.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from time import perf_counter
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.retrieve.catalog import Ints
from workbench.retrieve.coming import code_of
from workbench.retrieve.documents import Verbaliser, episode_text
from workbench.retrieve.index import Index
from workbench.retrieve.rank import ranking, top
from workbench.retrieve.seam import Kind, Query, Ranking, Sight

AT_ONCE: Final = 64
SPARSE: Final = 0.6  # measured: below this share, picking rows costs less than multiplying all
CHUNK: Final = 256  # rows; they stay in the cache between being picked and being multiplied
CONTEXT: Final = "context"
LONGEST: Final = 4_000  # characters; encoders cut far earlier
Floats = NDArray[np.float32]


class Encodes(Protocol):
    """Turns texts into vectors; `workbench.retrieve.encoder` has one that needs no torch."""

    @property
    def name(self) -> str:
        """Tells models apart; vectors of two names are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> Floats:
        """Shape (texts, dimension), each of length 1."""
        ...


class _Matrix:
    """The vectors of one kind, in memory, with room to grow."""

    def __init__(self, dimension: int) -> None:
        self.numbers: Ints = np.empty(0, dtype=np.int32)
        self._rows: Floats = np.empty((0, dimension), dtype=np.float32)

    @property
    def rows(self) -> Floats:
        """Shape (numbers, dimension)."""
        return self._rows[:len(self.numbers)]

    def add(self, numbers: Sequence[int] | Ints, vectors: NDArray[Any]) -> None:
        """Enter vectors of documents that are not in yet."""
        n, more = len(self.numbers), len(numbers)
        if n + more > len(self._rows):
            wider = np.empty((max(n + more, n + n // 2), self._rows.shape[1]), dtype=np.float32)
            wider[:n] = self.rows
            self._rows = wider
        self._rows[n:n + more] = vectors
        self.numbers = np.concatenate((self.numbers, np.asarray(numbers, dtype=np.int32)))


class Semantic:
    """Ranks by likeness of meaning, with one encoder."""

    name = "semantic"

    def __init__(self, graph: Graph, schema: SchemaIndex, index: Index, encoder: Encodes | None,
                 context: float = 0.5) -> None:
        """The arm of one encoder; without one it ranks nothing and says so.

        Args:
            graph, schema, index: what is searched.
            encoder: embeds texts and questions.
            context: how much an episode's likeness is that of the turn with the one before it in its session, rather
                than its own; 0 = such vectors are neither made nor used.
        """
        self._graph, self._index, self.encoder, self.context = graph, index, encoder, context
        self.schema = schema
        self._lock = threading.RLock()
        self._matrices: dict[tuple[str, str], _Matrix] = {}
        self._seen = -1

    @property
    def views(self) -> tuple[str, ...]:
        """What is embedded: `episode`, `context` (a turn after the one before it), `fact`."""
        return (Kind.EPISODE, CONTEXT, Kind.FACT) if self.context else (Kind.EPISODE, Kind.FACT)

    # -- embedding ------------------------------------------------------------------------------------------------

    def embed(self, limit: int | None = None, progress: Callable[[int, int], None] | None = None) -> int:
        """Embed what is missing and keep it, batch by batch; to be interrupted and gone on with as one likes.

        Args:
            limit: how many texts at most; None = all.
            progress: called with (done, to do) after each batch.

        Returns:
            How many texts were embedded.

        Raises:
            StoreError: the file cannot be written.
        """
        if self.encoder is None:
            return 0
        self._index.catch_up(self.schema)
        done, missing = 0, {view: self.missing(view) for view in self.views}
        total = sum(map(len, missing.values())) if limit is None else min(limit, sum(map(len, missing.values())))
        for view, numbers in missing.items():
            pending = iter(numbers[:total - done].tolist())
            while batch := list(islice(pending, AT_ONCE)):
                texts = [text[:LONGEST] for text in self._texts(view, batch)]
                self._keep(view, batch, texts, self.encoder.encode(texts))
                done += len(batch)
                if progress is not None:
                    progress(done, total)
        return done

    def missing(self, view: str) -> Ints:
        """The documents of a view that are not embedded yet, ascending."""
        wanted = self._wanted(view)
        found: Ints = wanted[~np.isin(wanted, self._matrix(view).numbers)]
        return found

    def _wanted(self, view: str) -> Ints:
        snapshot = self._index.snapshot()
        if view == Kind.FACT:
            return np.flatnonzero(snapshot.document == np.arange(snapshot.records)).astype(np.int32)
        readable = snapshot.length >= 0
        return np.flatnonzero(readable & (snapshot.previous >= 0) if view == CONTEXT else readable).astype(np.int32)

    def _texts(self, view: str, numbers: Sequence[int]) -> Iterator[str]:
        """What is embedded for documents of a view: the one place that decides it."""
        timeline, snapshot = self._graph.timeline, self._index.snapshot()
        verbaliser = Verbaliser(timeline, self.schema)
        for number in numbers:
            with self._graph.lock:
                if view == Kind.FACT:
                    yield verbaliser.fact(*(timeline.records.get(name, number) for name in ("s", "r", "o")))
                elif view == CONTEXT:
                    yield f"{self._said(int(snapshot.previous[number]))[:LONGEST // 2]}\n{self._said(number)}"
                else:
                    yield self._said(number)

    def _said(self, number: int) -> str:
        found = self._graph.entry(self._graph.timeline.episode_id(number))
        return "" if found is None else episode_text(found[1])

    def _keep(self, view: str, numbers: Sequence[int], texts: Sequence[str], vectors: Floats) -> None:
        assert self.encoder is not None
        small = vectors.astype(np.float16)
        rows = [(name_of(self.encoder), view, number, code_of(text), vector.tobytes())
                for number, text, vector in zip(numbers, texts, small, strict=True)]
        with self._graph.lock, self._lock:  # in the order of the index's
            matrix = self._matrix(view)
            self._index.write("INSERT OR REPLACE INTO vectors VALUES(?, ?, ?, ?, ?)", rows)
            matrix.add(numbers, small)

    def _matrix(self, view: str) -> _Matrix:
        """The vectors of a view; read from the file when first needed, and again after the index was made anew."""
        assert self.encoder is not None
        with self._graph.lock, self._lock:
            if self._seen != self._index.rebuilt:
                self._matrices.clear()
                self._seen = self._index.rebuilt
            key = name_of(self.encoder), view
            found = self._matrices.get(key)
            if found is None:
                found = self._matrices[key] = _Matrix(self.encoder.dimension)
                rows = self._index.select("SELECT document, vector FROM vectors WHERE encoder = ? AND kind = ? "
                                          "ORDER BY document", (name_of(self.encoder), view))
                if rows:
                    blob = b"".join(row[1] for row in rows)
                    found.add([row[0] for row in rows], np.frombuffer(blob, dtype=np.float16).reshape(len(rows), -1))
            return found

    # -- ranking --------------------------------------------------------------------------------------------------

    def rank(self, query: Query, sight: Sight, limit: int) -> Ranking:
        """The episodes and facts whose meaning is most like the question's."""
        begin = perf_counter()
        if self.encoder is None:
            return ranking(self.name, (), limit, "no encoder", begin)
        if not query.text.strip():
            return ranking(self.name, (), limit, "no words in the question", begin)
        vector = self.encoder.encode([query.text[:LONGEST]])[0]
        episodes, facts = self.likeness(vector, sight)
        hits = top(Kind.EPISODE, episodes, limit) + top(Kind.FACT, facts, limit)
        return ranking(self.name, hits, limit, self._coverage(sight), begin)

    def likeness(self, vector: Floats, sight: Sight) -> tuple[Floats, Floats]:
        """(1 + cosine of each episode, of each record) with a question's vector, 0 for what is not embedded or out of
        sight."""
        episodes = np.zeros(len(sight.episodes), dtype=np.float32)
        facts = np.zeros(len(sight.records), dtype=np.float32)
        if Kind.EPISODE in sight.scope.kinds:
            own = self._cosines(Kind.EPISODE, vector, sight.episodes)
            episodes = own
            if self.context:
                near = self._cosines(CONTEXT, vector, sight.episodes)
                both = (own > 0) & (near > 0)
                episodes = np.where(both, (1 - self.context) * own + self.context * near, own)
        if Kind.FACT in sight.scope.kinds:
            rows, document = np.flatnonzero(sight.records), self._index.snapshot().document
            visible = np.zeros(len(facts), dtype=bool)
            visible[document[rows]] = True
            facts[rows] = self._cosines(Kind.FACT, vector, visible)[document[rows]]
        return episodes, facts

    def _cosines(self, view: str, vector: Floats, mask: NDArray[np.bool_]) -> Floats:
        matrix = self._matrix(view)
        found = np.zeros(len(mask), dtype=np.float32)
        numbers, rows = matrix.numbers, matrix.rows[:len(matrix.numbers)]
        if not len(mask):
            return found
        inside = np.flatnonzero((numbers < len(mask)) & mask[np.minimum(numbers, len(mask) - 1)])
        if not len(inside):
            return found
        first, after = int(inside[0]), int(inside[-1]) + 1  # what was learnt after the vantage comes last
        if len(inside) < SPARSE * (after - first):
            cosines = _products(rows, inside, vector)
        else:
            cosines = (rows[first:after] @ vector)[inside - first]
        found[numbers[inside]] = np.maximum(1 + cosines, 0)
        return found

    def _coverage(self, sight: Sight) -> str | None:
        """How much of what is in sight is embedded, if not all."""
        notes = []
        for kind, mask in ((Kind.EPISODE, sight.episodes), (Kind.FACT, sight.records)):
            if kind not in sight.scope.kinds:
                continue
            places = np.flatnonzero(mask)
            if kind is Kind.FACT:
                places = self._index.snapshot().document[places].astype(np.int64)
            held = np.zeros(max(len(mask), 1), dtype=bool)
            numbers = self._matrix(kind).numbers
            held[numbers[numbers < len(mask)]] = True
            if (known := int(held[places].sum())) < len(places):
                notes.append(f"{known} of {len(places)} {kind}s embedded")
        return ", ".join(notes) or None


def _products(rows: Floats, wanted: NDArray[np.int64], vector: Floats) -> Floats:
    """The products of some rows with a vector."""
    found = np.empty(len(wanted), dtype=np.float32)
    held = np.empty((CHUNK, rows.shape[1]), dtype=np.float32)
    for start in range(0, len(wanted), CHUNK):
        places = wanted[start:start + CHUNK]
        part = held[:len(places)]
        np.take(rows, places, axis=0, out=part, mode="clip")
        np.dot(part, vector, out=found[start:start + CHUNK])
    return found


def name_of(encoder: Encodes) -> str:
    """What its vectors are filed under: the name, and the digest of the weights where it has one."""
    digest = getattr(encoder, "digest", "")
    return f"{encoder.name}@{digest[:16]}" if digest else encoder.name
