"""The semantic arm: exact cosine over embedded episodes and facts.

Vectors are kept as 16-bit floats in the index's file, by encoder, and multiplied as 32-bit floats in memory: exact
search over 100,000 × 384 takes 6 ms on 2 cores and obeys any mask. usearch's graph answers in 0.6 ms, but has no filter
of its own, takes 52 s to build instead of none, deletes by tombstone, and its file is not written in one step; so NumPy
until several hundred thousand vectors.

An episode is embedded without the name of its speaker. A question that names speakers is put in their mouth before it
is compared with what was spoken (`first_person`): of what vectors gain on conversations, that is the larger part.

Embedding takes milliseconds a text, so it is no part of `Index.catch_up`: `embed` does what is missing, in batches,
each kept as soon as it is done.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Final, Protocol

import numpy as np

from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.retrieve.adopting import OldVectors
from workbench.retrieve.catalog import Ints
from workbench.retrieve.coming import code_of
from workbench.retrieve.documents import Verbaliser, words_said
from workbench.retrieve.index import Index
from workbench.retrieve.rank import ranking, top
from workbench.retrieve.seam import Hit, Kind, Query, Ranking, Sight
from workbench.retrieve.speakers import first_person
from workbench.retrieve.vectors import Floats, Matrix, Numbers

AT_ONCE: Final = 64
ADOPT_AT_ONCE: Final = 2_000
LONGEST: Final = 4_000  # characters; encoders cut far earlier
REMEMBERED: Final = 64  # questions


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


class Semantic:
    """Ranks by likeness of meaning, with one encoder.

    Attributes:
        encoder: embeds texts and questions; None = the arm ranks nothing and says so.
        schema: in whose words facts are embedded.
        views: what is embedded.
    """

    name = "semantic"
    views: tuple[str, ...] = (Kind.EPISODE, Kind.FACT)

    def __init__(self, graph: Graph, schema: SchemaIndex, index: Index, encoder: Encodes | None) -> None:
        self._graph, self._index, self.encoder = graph, index, encoder
        self.schema = schema
        self._lock = threading.RLock()
        self._matrices: dict[tuple[str, str], Matrix] = {}
        self._questions: OrderedDict[tuple[str, str], Floats] = OrderedDict()
        self._seen = -1

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
                texts = list(self._texts(view, batch))
                self._keep(view, batch, texts, self.encoder.encode(texts))
                done += len(batch)
                if progress is not None:
                    progress(done, total)
        return done

    def missing(self, view: str) -> Ints:
        """The documents of a view that are not embedded yet, ascending."""
        wanted = self._wanted(view)
        found: Ints = wanted[self._matrix(view).places(wanted.astype(np.int64)) < 0]
        return found

    def _wanted(self, view: str) -> Ints:
        snapshot = self._index.snapshot()
        if view == Kind.FACT:
            return np.flatnonzero(snapshot.document == np.arange(snapshot.records)).astype(np.int32)
        return np.flatnonzero(snapshot.length >= 0).astype(np.int32)

    def _texts(self, view: str, numbers: Sequence[int]) -> Iterator[str]:
        """What is embedded for documents of a view: the one place that decides it."""
        timeline = self._graph.timeline
        verbaliser = Verbaliser(timeline, self.schema)
        for number in numbers:
            with self._graph.lock:
                if view == Kind.FACT:
                    text = verbaliser.fact(*(timeline.records.get(name, number) for name in ("s", "r", "o")))
                else:
                    found = self._graph.entry(timeline.episode_id(number))
                    text = "" if found is None else words_said(found[1].episode).strip()
            yield text[:LONGEST]

    def _keep(self, view: str, numbers: Sequence[int], texts: Sequence[str], vectors: Floats) -> None:
        assert self.encoder is not None
        small = vectors.astype(np.float16)
        rows = [(name_of(self.encoder), view, number, code_of(text), vector.tobytes())
                for number, text, vector in zip(numbers, texts, small, strict=True)]
        with self._graph.lock, self._lock:  # in the order of the index's
            matrix = self._matrix(view)
            self._index.write("INSERT OR REPLACE INTO vectors VALUES(?, ?, ?, ?, ?)", rows)
            matrix.add(numbers, small)

    def _matrix(self, view: str) -> Matrix:
        """The vectors of a view; read from the file when first needed, and again after the index was made anew."""
        assert self.encoder is not None
        with self._graph.lock, self._lock:
            if self._seen != self._index.rebuilt:
                self._matrices.clear()
                self._seen = self._index.rebuilt
            key = name_of(self.encoder), view
            found = self._matrices.get(key)
            if found is None:
                found = self._matrices[key] = Matrix(self.encoder.dimension)
                rows = self._index.select("SELECT document, vector FROM vectors WHERE encoder = ? AND kind = ? "
                                          "ORDER BY document", (name_of(self.encoder), view))
                if rows:
                    blob = b"".join(row[1] for row in rows)
                    found.add([row[0] for row in rows], np.frombuffer(blob, dtype=np.float16).reshape(len(rows), -1))
            return found

    # -- vectors made before ----------------------------------------------------------------------------------------

    def adopt(self, old_file: Path) -> int:
        """Copy the vectors that another index file holds of texts that are in this store too: those of the same view
        and the same text (by its hash), of every encoder, and nothing else. What is embedded here already stays.

        Args:
            old_file: the file of another index, most likely that of the store's last generation; it is only read. One
                that cannot be read, or is of another version, gives nothing.

        Returns:
            How many vectors were copied.

        Raises:
            StoreError: the file of this index cannot be written.
        """
        self._index.catch_up(self.schema)
        copied = 0
        for view in self.views:
            numbers = self._wanted(view).tolist()
            with OldVectors(old_file, view) as old:
                for start in range(0, len(numbers) if old.encoders else 0, ADOPT_AT_ONCE):
                    batch = numbers[start:start + ADOPT_AT_ONCE]
                    codes = [code_of(text) for text in self._texts(view, batch)]
                    rows = [(encoder, view, number, code, vector) for encoder in old.encoders
                            for number, code in zip(batch, codes, strict=True)
                            if (vector := old.find(encoder, code)) is not None]
                    self._index.write("INSERT OR IGNORE INTO vectors VALUES(?, ?, ?, ?, ?)", rows)
                    copied += len(rows)
        with self._graph.lock, self._lock:
            self._matrices.clear()
        return copied

    # -- ranking --------------------------------------------------------------------------------------------------

    def rank(self, query: Query, sight: Sight, limit: int) -> Ranking:
        """The episodes and facts whose meaning is most like the question's."""
        begin = perf_counter()
        if (silent := self._silent(query)) is not None:
            return ranking(self.name, (), limit, silent, begin)
        hits: list[Hit] = []
        notes = []
        for kind in Kind:
            numbers = sight.numbers(kind)
            cosines = self._cosines(kind, query, numbers)
            known = ~np.isnan(cosines)
            if (held := int(np.count_nonzero(known))) < len(numbers):
                notes.append(f"{held} of {len(numbers)} {kind}s embedded")
            hits += top(kind, np.where(known, 1 + cosines, 0), limit, numbers)
        return ranking(self.name, hits, limit, ", ".join(notes) or None, begin)

    def cosines(self, query: Query, numbers: Numbers) -> Floats:
        """The cosine of a question with each of some episodes, shape (numbers,); not a number where there is no
        vector."""
        if self._silent(query) is not None:
            return np.full(len(numbers), np.nan, dtype=np.float32)
        return self._cosines(Kind.EPISODE, query, numbers)

    def _silent(self, query: Query) -> str | None:
        """Why there is nothing to compare with, or None."""
        if self.encoder is None:
            return "no encoder"
        return None if query.text.strip() else "no words in the question"

    def _cosines(self, kind: Kind, query: Query, numbers: Numbers) -> Floats:
        snapshot = self._index.snapshot()
        asked, spoken = query.text[:LONGEST], first_person(query.text[:LONGEST], query.speakers)
        if kind is Kind.FACT:
            return self._matrix(kind).cosines(snapshot.document[numbers].astype(np.int64), self._vectors(asked))
        if asked == spoken:
            return self._matrix(kind).cosines(numbers, self._vectors(asked))
        by_somebody = snapshot.speaker[numbers] >= 0
        if by_somebody.all():
            return self._matrix(kind).cosines(numbers, self._vectors(spoken))
        return self._matrix(kind).cosines(numbers, self._vectors(asked, spoken), by_somebody.astype(np.int32))

    def _vectors(self, *texts: str) -> Floats:
        """The vectors of questions; the last ones are remembered, because several steps of a search need them."""
        assert self.encoder is not None
        keys = [(name_of(self.encoder), text) for text in texts]
        with self._lock:
            held = {key: self._questions[key] for key in keys if key in self._questions}
        fresh = [key for key in dict.fromkeys(keys) if key not in held]
        if fresh:
            # one by one: in a batch the last digits would depend on the company
            held.update((key, self.encoder.encode([key[1]])[0]) for key in fresh)
            with self._lock:
                self._questions.update((key, held[key]) for key in fresh)
                while len(self._questions) > REMEMBERED:
                    self._questions.popitem(last=False)
        return np.stack([held[key] for key in keys])


def name_of(encoder: Encodes) -> str:
    """What its vectors are filed under: the name, and the digest of the weights where it has one."""
    digest = getattr(encoder, "digest", "")
    return f"{encoder.name}@{digest[:16]}" if digest else encoder.name
