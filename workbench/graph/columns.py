"""A growing table of NumPy columns with sorted indexes, saved as plain `.npy` files.

Rows are only ever appended; a few columns may be written in place. An index keeps the rows of the sorted part as two
arrays and the rows added since in a dictionary, so that one append costs microseconds and a look-up stays a slice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

Rows = NDArray[np.int64]
_NONE: Final[Rows] = np.empty(0, dtype=np.int64)
_SPARE: Final = 1024


class Table:
    """Named columns of equal length `n`.

    Kept column by column, so that scanning one is fast; or row by row (`by_row`), so that reading or adding a whole
    row is. Both look alike.

    Attributes:
        n: number of rows.
    """

    def __init__(self, columns: Mapping[str, DTypeLike], *, by_row: bool = False) -> None:
        self._types = {name: np.dtype(kind) for name, kind in columns.items()}
        self._names = tuple(self._types)
        self._block: NDArray[Any] | None = None
        self._data: dict[str, NDArray[Any]] = {}
        self.n = self._room = 0
        self._by_row = by_row
        self._grow(_SPARE)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The column, `n` long; a view, valid until the next append."""
        return self._data[name][: self.n]

    def append(self, values: tuple[Any, ...]) -> int:
        """Add a row given in the order of the columns and return its number."""
        at = self.n
        if at == self._room:
            self._grow(at + 1)
        if self._block is not None:
            self._block[at] = values
        else:
            for column, value in zip(self._data.values(), values, strict=True):
                column[at] = value
        self.n = at + 1
        return at

    def put(self, name: str, row: int, value: Any) -> None:
        """Overwrite one cell."""
        self._data[name][row] = value

    def get(self, name: str, row: int) -> Any:
        """One cell as a Python value."""
        return self._data[name].item(row)

    def values(self, row: int) -> tuple[Any, ...]:
        """A row as Python values, in the order of the columns."""
        if self._block is not None:
            values: tuple[Any, ...] = self._block[row].item()
            return values
        return tuple([column.item(row) for column in self._data.values()])

    def values_of(self, rows: Rows) -> list[tuple[Any, ...]]:
        """Several rows as Python values, each in the order of the columns."""
        if self._block is not None:
            found: list[tuple[Any, ...]] = self._block[rows].tolist()
            return found
        return [self.values(row) for row in rows.tolist()]

    def take(self, name: str, rows: Rows) -> NDArray[Any]:
        """A copy of a column at `rows`."""
        column = self._data[name]
        # `take` is the faster one, but copies all of a column that lies within rows
        taken: NDArray[Any] = column.take(rows) if self._block is None else column[rows]
        return taken

    def _grow(self, need: int) -> None:
        room = max(need, self._room + self._room // 2)
        if self._by_row:
            block = np.empty(room, list(self._types.items()))
            if self._block is not None:
                block[: self.n] = self._block[: self.n]
            self._use(block)
        else:
            for name, kind in self._types.items():
                wider = np.empty(room, kind)
                if self.n:
                    wider[: self.n] = self._data[name][: self.n]
                self._data[name] = wider
        self._room = room

    def _use(self, block: NDArray[Any]) -> None:
        self._block = block
        self._data = {name: block[name] for name in self._names}

    def save(self, folder: Path, prefix: str) -> None:
        """Write each column to `folder/prefix.column.npy`, or all rows to `folder/prefix.npy`."""
        if self._block is not None:
            np.save(folder / f"{prefix}.npy", self._block[: self.n])
            return
        for name in self._names:
            np.save(folder / f"{prefix}.{name}.npy", self._data[name][: self.n])

    @classmethod
    def load(cls, folder: Path, prefix: str, columns: Mapping[str, DTypeLike], *, by_row: bool = False) -> Table:
        """Map a saved table copy-on-write: opening costs no read, writing in place leaves the files alone.

        Raises:
            ValueError, OSError: files missing, damaged or of unequal length.
        """
        table = cls(columns, by_row=by_row)
        if by_row:
            table._use(_mapped(folder / f"{prefix}.npy", np.dtype(list(table._types.items()))))
        else:
            table._data = {name: _mapped(folder / f"{prefix}.{name}.npy", kind) for name, kind in table._types.items()}
        lengths = {len(column) for column in table._data.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns of {prefix} differ in length: {sorted(lengths)}")
        table.n = table._room = lengths.pop() if lengths else 0
        return table


def _mapped(path: Path, kind: np.dtype[Any]) -> NDArray[Any]:
    """A saved column, mapped copy-on-write; a plain view of the map, whose own indexing is slow."""
    column = np.load(path, mmap_mode="c", allow_pickle=False) if path.stat().st_size > 4096 else np.load(path)
    if column.dtype != kind or column.ndim != 1:
        raise ValueError(f"{path.name} holds {column.dtype}, not {kind}")
    plain: NDArray[Any] = np.asarray(column)
    return plain


class Index:
    """Rows by a pair of small non-negative ints (major, minor), in row order.

    Attributes:
        paired: False if every minor is 0.
    """

    def __init__(self, *, paired: bool = True) -> None:
        self.paired = paired
        self._keys: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._rows: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._recent: dict[int, list[int]] = {}  # by major, if it is not paired
        self._recent_pairs: dict[int, dict[int, list[int]]] = {}
        self._count = 0

    def add(self, major: int, minor: int, row: int) -> None:
        """Enter one row; rows must come in ascending order."""
        self._count += 1
        recent = self._recent
        if self.paired:
            if (found := self._recent_pairs.get(major)) is None:
                self._recent_pairs[major] = {minor: [row]}
                return
            recent, major = found, minor
        if (rows := recent.get(major)) is None:
            recent[major] = [row]
        else:
            rows.append(row)

    @property
    def stale(self) -> bool:
        """Whether enough rows came since the last `rebuild` to make one worth while."""
        return self._count > max(20_000, len(self._keys) // 2)

    def rebuild(self, majors: NDArray[np.int32], minors: NDArray[np.int32]) -> None:
        """Sort all rows anew."""
        keys = (majors.astype(np.int64) << 32) | minors.astype(np.int64)
        self._rows = np.argsort(keys, kind="stable")
        self._keys = keys[self._rows]
        self._recent.clear()
        self._recent_pairs.clear()
        self._count = 0

    def rows(self, major: int, minor: int | None = None) -> Rows:
        """The rows under (major, minor), or under major whatever the minor."""
        found = self._sorted_rows(major, minor) if len(self._keys) else _NONE
        extra = self._recent_rows(major, minor)
        return np.concatenate((found, np.array(extra, dtype=np.int64))) if extra else found

    def count(self, major: int, minor: int) -> int:
        """How many rows are under (major, minor)."""
        found = len(self._sorted_rows(major, minor)) if len(self._keys) else 0
        return found + len(self._recent_rows(major, minor))

    def _sorted_rows(self, major: int, minor: int | None) -> Rows:
        low = (major << 32) | (minor or 0)
        first, last = self._keys.searchsorted((low, ((major + 1) << 32) if minor is None else low + 1))
        return self._rows[first:last]

    def _recent_rows(self, major: int, minor: int | None) -> Sequence[int]:
        if not self.paired:
            return self._recent.get(major, ())
        recent = self._recent_pairs.get(major)
        if recent is None:
            return ()
        return recent.get(minor, ()) if minor is not None else sorted(row for rows in recent.values() for row in rows)

    def rows_of_many(self, majors: Rows) -> Rows:
        """The rows under any of several majors, in the order given."""
        first = self._keys.searchsorted(majors << 32)
        last = self._keys.searchsorted((majors + 1) << 32)
        lengths = last - first
        # positions first[0]…last[0]-1, first[1]…last[1]-1, … without a loop
        starts = np.repeat(first - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
        found: Rows = self._rows[starts + np.arange(len(starts))] if len(starts) else _NONE
        extra = [row for major in majors.tolist() for row in self._recent_rows(major, None)] if self._count else []
        return np.concatenate((found, np.array(extra, dtype=np.int64))) if extra else found

    def save(self, folder: Path, name: str) -> None:
        """Write the sorted part; call after `rebuild`."""
        np.save(folder / f"{name}.keys.npy", self._keys)
        np.save(folder / f"{name}.rows.npy", self._rows.astype(np.int64))

    @classmethod
    def load(cls, folder: Path, name: str, *, paired: bool = True) -> Index:
        """Map a saved index.

        Raises:
            ValueError, OSError: files missing or damaged.
        """
        index = cls(paired=paired)
        parts = []
        for part in ("keys", "rows"):
            path = folder / f"{name}.{part}.npy"
            parts.append(np.load(path, mmap_mode="r", allow_pickle=False) if path.stat().st_size > 4096
                         else np.load(path))
        index._keys, index._rows = (np.asarray(part) for part in parts)
        return index
