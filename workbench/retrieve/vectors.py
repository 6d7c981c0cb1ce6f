"""Vectors of documents in memory: multiplied with a question's, in whole or in part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.retrieve.catalog import Ints

BLOCK: Final = 512  # rows
DENSE: Final = 0.5  # measured: below this share of a block, picking its rows costs less than multiplying all of it
CHUNK: Final = 256  # rows; they stay in the cache between being picked and being multiplied
DECIMALS: Final = 6  # the digits beyond depend on which rows are multiplied together
Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]


class Matrix:
    """The vectors of one view, with room to grow.

    Attributes:
        numbers: shape (vectors,), of the documents, in the order of the rows.
    """

    def __init__(self, dimension: int) -> None:
        self.numbers: Ints = np.empty(0, dtype=np.int32)
        self._rows: Floats = np.empty((0, dimension), dtype=np.float32)
        self._places: Ints = np.empty(0, dtype=np.int32)

    @property
    def rows(self) -> Floats:
        """Shape (vectors, dimension)."""
        return self._rows[:len(self.numbers)]

    def add(self, numbers: Sequence[int] | Ints, vectors: NDArray[Any]) -> None:
        """Enter vectors of documents that are not in yet."""
        n, more = len(self.numbers), len(numbers)
        if not more:
            return
        if n + more > len(self._rows):
            wider = np.empty((max(n + more, n + n // 2), self._rows.shape[1]), dtype=np.float32)
            wider[:n] = self.rows
            self._rows = wider
        self._rows[n:n + more] = vectors
        fresh = np.asarray(numbers, dtype=np.int32)
        if (size := int(fresh.max()) + 1) > len(self._places):
            places = np.full(max(size, len(self._places) * 3 // 2), -1, dtype=np.int32)
            places[:len(self._places)] = self._places
            self._places = places
        self._places[fresh] = np.arange(n, n + more)
        self.numbers = np.concatenate((self.numbers, fresh))

    def places(self, documents: Numbers) -> Ints:
        """The row of each of some documents; -1 where it is not embedded."""
        if not len(self._places):
            return np.full(len(documents), -1, dtype=np.int32)
        found: Ints = np.where(documents < len(self._places), self._places.take(documents, mode="clip"), -1)
        return found

    def cosines(self, documents: Numbers, questions: Floats, which: Ints | None = None) -> Floats:
        """The cosine of each of some documents with a question.

        Args:
            documents: shape (n,).
            questions: shape (questions, dimension).
            which: shape (n,), the question for each document; None = the first for all.

        Returns:
            Shape (n,); not a number where a document is not embedded.
        """
        places = self.places(documents)
        there = np.flatnonzero(places >= 0)
        found = np.full(len(documents), np.nan, dtype=np.float32)
        if not len(there):
            return found
        wanted = places if len(there) == len(places) else places[there]
        products = _products(self.rows, wanted, questions if which is not None else questions[:1])
        chosen = products[:, 0] if which is None else products[np.arange(len(there)), which[there]]
        found[there] = np.round(chosen, DECIMALS)
        return found


def _products(rows: Floats, wanted: Ints, questions: Floats) -> Floats:
    """The products of some rows with each question, shape (wanted, questions): block by block either of all rows, or of
    those alone that are wanted."""
    across = np.ascontiguousarray(questions.T)
    n = len(rows)
    found = np.empty((n, len(questions)), dtype=np.float32)
    needed = np.zeros(-(-n // BLOCK) * BLOCK, dtype=bool)
    needed[wanted] = True
    dense = needed.reshape(-1, BLOCK).sum(axis=1) >= DENSE * BLOCK
    edges = np.flatnonzero(np.diff(dense, prepend=False, append=False)) * BLOCK
    for first, after in edges.reshape(-1, 2).tolist():
        np.dot(rows[first:after], across, out=found[first:after])
    places = np.flatnonzero(needed & ~np.repeat(dense, BLOCK))
    held = np.empty((CHUNK, rows.shape[1]), dtype=np.float32)
    for start in range(0, len(places), CHUNK):
        some = places[start:start + CHUNK]
        part = held[:len(some)]
        np.take(rows, some, axis=0, out=part, mode="clip")
        found[some] = part @ across
    picked: Floats = found[wanted]
    return picked
