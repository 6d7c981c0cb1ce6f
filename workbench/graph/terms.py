"""Terms as small ints and back: IRIs and literals in N-Triples form, and entity names.

The saved part is one blob with offsets and a sorted array of hashes, so that opening costs no read; terms added since
live in a dictionary.
"""

from __future__ import annotations

import hashlib
import mmap
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

CACHED: Final = 200_000


def _hash(text: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little") >> 1


class Terms:
    """A two-way dictionary of text and int, ids from 0 in order of arrival."""

    def __init__(self) -> None:
        self._blob: bytes | mmap.mmap = b""
        self._ends: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self._hashes: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._order: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._old = 0
        self._ids: dict[str, int] = {}
        self._texts: list[str] = []
        self._decoded: dict[int, str] = {}

    def __len__(self) -> int:
        return self._old + len(self._texts)

    def find(self, text: str) -> int | None:
        """The id of a text, or None."""
        known = self._ids.get(text)
        if known is not None or not self._old:
            return known
        raw = text.encode("utf-8", "surrogatepass")
        code = _hash(raw)
        at = int(self._hashes.searchsorted(code))
        while at < self._old and self._hashes[at] == code:
            number = int(self._order[at])
            if self._raw(number) == raw:
                self._ids[text] = number
                return number
            at += 1
        return None

    def add(self, text: str) -> int:
        """The id of a text, new if need be."""
        known = self.find(text)
        if known is None:
            known = self._ids[text] = len(self)
            self._texts.append(text)
        return known

    def _raw(self, number: int) -> bytes:
        return bytes(self._blob[int(self._ends[number]):int(self._ends[number + 1])])

    def __getitem__(self, number: int) -> str:
        """The text of an id."""
        if number >= self._old:
            return self._texts[number - self._old]
        known = self._decoded.get(number)
        if known is None:
            if len(self._decoded) > CACHED:
                self._decoded.clear()
            known = self._decoded[number] = self._raw(number).decode("utf-8", "surrogatepass")
        return known

    def save(self, folder: Path, name: str) -> None:
        """Write all terms to `folder`."""
        raws = [text.encode("utf-8", "surrogatepass") for text in self._texts]
        lengths = np.array([len(raw) for raw in raws], dtype=np.int64)
        ends = np.concatenate((self._ends, self._ends[-1] + np.cumsum(lengths)))
        hashes = np.empty(len(self), dtype=np.int64)
        hashes[self._order] = self._hashes
        hashes[self._old:] = [_hash(raw) for raw in raws]
        order = np.argsort(hashes, kind="stable")
        with (folder / f"{name}.blob").open("wb") as out:
            out.write(self._blob)
            out.write(b"".join(raws))
        np.save(folder / f"{name}.ends.npy", ends)
        np.save(folder / f"{name}.hashes.npy", hashes[order])
        np.save(folder / f"{name}.order.npy", order)

    @classmethod
    def load(cls, folder: Path, name: str) -> Terms:
        """Map saved terms.

        Raises:
            ValueError, OSError: files missing or damaged.
        """
        terms = cls()
        terms._ends = np.load(folder / f"{name}.ends.npy", allow_pickle=False)
        terms._hashes = np.load(folder / f"{name}.hashes.npy", allow_pickle=False)
        terms._order = np.load(folder / f"{name}.order.npy", allow_pickle=False)
        terms._old = len(terms._ends) - 1
        with (folder / f"{name}.blob").open("rb") as source:
            size = source.seek(0, 2)
            terms._blob = mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
        if size != terms._ends[-1] or len(terms._hashes) != terms._old:
            raise ValueError(f"{name}.blob has {size} bytes, {terms._ends[-1]} were expected")
        return terms
