"""The quads on disk or in memory: the one place that opens, writes and closes pyoxigraph.

Concurrent `Store.update` calls on disk lose updates silently, so writing goes through `extend` of one writer only,
which is atomic. A commit survives kill -9 at once and a power cut after `flush`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from workbench.model.errors import StoreCorrupt, StoreError, StoreReadOnly, UsageError

BUFFERED: Final = 8_000_000, 64_000_000  # characters, at least and at most
_SHARE: Final = 8
_PAUSES: Final = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0)  # seconds


class QuadStore:
    """A set of quads; `path=None` keeps it in memory.

    Raises:
        StoreCorrupt: the files are damaged.
        StoreError: the folder cannot be read or written.
    """

    def __init__(self, path: Path | None = None, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._buffer: list[str] | None = None
        self._buffered, self._room = 0, BUFFERED[0]
        self._writing: Future[None] | None = None
        try:
            self._store = self._open()
        except (OSError, RuntimeError, ValueError) as error:
            raise _opening(path, error) from error

    def _open(self) -> ox.Store:
        if self.path is None:
            return ox.Store()
        if not self.read_only:
            return ox.Store(str(self.path))
        for pause in _PAUSES:
            try:
                return ox.Store.read_only(str(self.path))
            except (OSError, RuntimeError) as error:
                # a writer beside us may remove merged files between our reading the list and opening them
                if "No such file" not in str(error):
                    raise
                time.sleep(pause)
        return ox.Store.read_only(str(self.path))

    @property
    def store(self) -> ox.Store:
        """The engine's store, with everything written so far in it."""
        if self._buffer is not None:
            self._spill()
            self._wait()
        return self._store

    @property
    def is_open(self) -> bool:
        """Whether `close` has not been called."""
        return hasattr(self, "_store")

    @property
    def in_bulk(self) -> bool:
        """Whether writes are buffered."""
        return self._buffer is not None

    def start_bulk(self) -> None:
        """From now on write in large, faster, non-atomic steps: only for files that nobody else relies on yet."""
        self._buffer, self._buffered, self._loaded = [], 0, 0

    def end_bulk(self) -> None:
        """Write what is buffered and go back to atomic steps."""
        self._spill()
        self._wait()
        self._buffer = None

    def _spill(self) -> None:
        """Write what is buffered on another core while the caller goes on; the engine works without Python's lock."""
        texts, self._buffer, self._buffered = self._buffer or [], [], 0
        self._wait()
        if texts:
            pool = ThreadPoolExecutor(1, thread_name_prefix="bulk")
            raw = "".join(texts).encode()
            self._writing = pool.submit(self._store.bulk_load, input=raw, format=ox.RdfFormat.N_QUADS)
            pool.shutdown(wait=False)

    def _wait(self) -> None:
        writing, self._writing = self._writing, None
        if writing is None:
            return
        try:
            writing.result()
        except (OSError, RuntimeError, SyntaxError) as error:
            raise StoreError(f"bulk writing to {self.path or 'memory'} failed: {error}; "
                             f"check the free space and the disk") from error

    def extend(self, quads: Iterable[ox.Quad]) -> None:
        """Add quads in one atomic step: all or none, see `load`."""
        self.load("".join([f"{quad} .\n" for quad in quads]))

    def load(self, text: str) -> None:
        """Add quads, as N-Quads, in one atomic step: all or none.

        Raises:
            StoreReadOnly: opened read-only.
            StoreError: the disk is full or fails.
        """
        if self.read_only:
            raise StoreReadOnly(f"{self.path} was opened read-only; open it for writing")
        if self._buffer is not None:
            self._buffer.append(text)
            self._buffered += len(text)
            # few large files are read faster than many small ones, but the last one is waited for
            if self._buffered > min(max(BUFFERED[0], self._loaded // _SHARE), BUFFERED[1]):
                self._loaded += self._buffered
                self._spill()
            return
        try:
            self._store.load(input=text.encode(), format=ox.RdfFormat.N_QUADS)
        except (OSError, RuntimeError, SyntaxError, UnicodeEncodeError) as error:
            raise StoreError(f"writing to {self.path or 'memory'} failed, nothing was written: {error}; "
                             f"check the free space and the disk") from error

    def load_file(self, path: Path) -> None:
        """Add the quads of an N-Quads file, in bulk.

        Raises:
            UsageError: it is no N-Quads; the message says where.
            StoreError: the disk is full or fails.
        """
        try:
            self.store.bulk_load(path=str(path), format=ox.RdfFormat.N_QUADS)
        except (SyntaxError, ValueError) as error:
            raise UsageError(f"not N-Quads: {error}") from error
        except (OSError, RuntimeError) as error:
            raise StoreError(f"writing to {self.path or 'memory'} failed: {error}; check the free space") from error

    def flush(self) -> None:
        """Make all commits safe against a power cut (fsync)."""
        if self.path is not None and not self.read_only:
            self.store.flush()

    def compact(self) -> None:
        """Merge the files; takes seconds a million quads and gives back the space of many small commits.

        Files that are no longer needed go only when the store is opened anew, so that is done too.
        """
        if not self.read_only:
            self.store.flush()
            self.store.optimize()
            if self.path is not None:
                del self._store
                self._store = ox.Store(str(self.path))

    def copy_from(self, other: QuadStore) -> None:
        """Take over all quads of another store, in bulk."""
        try:
            self._store.bulk_extend(iter(other.store))
        except (OSError, RuntimeError) as error:
            raise StoreError(f"copying the quads to {self.path} failed: {error}; check the free space") from error

    def checkpoint(self, to: Path) -> None:
        """A hard-linked copy of the files at this instant, in a folder that does not exist yet.

        Raises:
            StoreError: the copy cannot be made.
        """
        try:
            self.store.backup(str(to))
        except (OSError, RuntimeError) as error:
            raise StoreError(f"cannot copy the quads to {to}: {error}") from error

    def lines(self) -> list[str]:
        """All quads as N-Quads lines, sorted; what byte-for-byte comparisons use."""
        raw = self.store.dump(format=ox.RdfFormat.N_QUADS)
        assert raw is not None
        return sorted(raw.decode("utf-8").splitlines())

    def values(self, subject: str, predicate: str) -> Iterator[ox.NamedNode | ox.Literal | ox.BlankNode | ox.Triple]:
        """Objects of a subject and predicate in the catalogue (default graph)."""
        found = self.store.quads_for_pattern(ox.NamedNode(subject), ox.NamedNode(predicate), None, ox.DefaultGraph())
        return iter([quad.object for quad in found])

    def subjects(self, predicate: str, value: ox.NamedNode | ox.Literal) -> list[str]:
        """Subjects with that predicate and value in the catalogue."""
        found = self.store.quads_for_pattern(None, ox.NamedNode(predicate), value, ox.DefaultGraph())
        return [quad.subject.value for quad in found if isinstance(quad.subject, ox.NamedNode)]

    def __len__(self) -> int:
        return len(self.store)

    def close(self) -> None:
        """Flush and let the files go."""
        self.flush()
        del self._store


def _opening(path: Path | None, error: Exception) -> StoreError:
    text = str(error)
    if "LOCK" in text or "lock" in text:
        return StoreError(f"{path} is open elsewhere for writing: {text}; open it read-only or wait")
    if "Corruption" in text or "orruption" in text or "checksum" in text or "MANIFEST" in text or "CURRENT" in text:
        return StoreCorrupt(f"the quads in {path} are damaged: {text}; restore a backup, or rebuild from one")
    return StoreError(f"cannot open the quads in {path}: {text}")
