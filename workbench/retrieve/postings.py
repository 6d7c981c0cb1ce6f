"""Postings that were read before: which documents have a term, as arrays, kept current as documents come."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.retrieve.seam import Kind

REMEMBERED: Final = 3_000_000
"""Postings, sixteen bytes each."""

Ints = NDArray[np.int64]  # what NumPy indexes with; a narrower type would be converted each time
Postings = tuple[Ints, Ints]
"""(documents, ascending; how often each has the term), both of shape (documents,)."""


class PostingsCache:
    """The terms used last. Not locked."""

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most, self._size = most, 0
        self._found: OrderedDict[tuple[Kind, str], Postings] = OrderedDict()

    def get(self, kind: Kind, token: str) -> Postings | None:
        """The postings of a term, if they are remembered."""
        found = self._found.get((kind, token))
        if found is not None:
            self._found.move_to_end((kind, token))
        return found

    def put(self, kind: Kind, token: str, postings: Postings) -> None:
        """Remember; those not used for longest go."""
        self._found[kind, token] = postings
        self._size += len(postings[0])
        while self._size > self._most and len(self._found) > 1:
            self._size -= len(self._found.popitem(last=False)[1][0])

    def extend(self, kind: Kind, texts: Sequence[tuple[int, list[str]]]) -> None:
        """Take new documents (number, tokens; ascending) into what is remembered."""
        if not self._found:
            return
        more: dict[str, list[tuple[int, int]]] = {}
        for number, said in texts:
            for token, count in Counter(said).items():
                if (kind, token) in self._found:
                    more.setdefault(token, []).append((number, count))
        for token, pairs in more.items():
            documents, counts = self._found[kind, token]
            extra = np.array(pairs, dtype=np.int64)
            self._found[kind, token] = (np.concatenate((documents, extra[:, 0])),
                                        np.concatenate((counts, extra[:, 1])))
            self._size += len(pairs)

    def clear(self) -> None:
        """Forget everything."""
        self._found.clear()
        self._size = 0
