"""Vectors of another index file, found by the text that they are of."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from workbench.model.errors import StoreError
from workbench.retrieve import storage


class OldVectors:
    """The vectors of one view in an index file, which is only read; none if that cannot be done.

    Attributes:
        encoders: names of the encoders that made them, sorted.
    """

    def __init__(self, file: Path, view: str) -> None:
        self._view = view
        self._documents: Mapping[tuple[str, int], int] = {}
        self._connection: sqlite3.Connection | None = None
        try:
            self._connection = storage.open_for_reading(file)
            self._documents = {(encoder, code): document for encoder, code, document in self._connection.execute(
                "SELECT encoder, code, document FROM vectors WHERE kind = ?", (view,))}
        except (storage.Damaged, StoreError, sqlite3.DatabaseError):
            self._documents = {}
        self.encoders = sorted({encoder for encoder, _ in self._documents})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._connection is not None:
            self._connection.close()

    def find(self, encoder: str, code: int) -> bytes | None:
        """The vector of the text with that hash, or None."""
        document = self._documents.get((encoder, code))
        if document is None or self._connection is None:
            return None
        try:
            row = self._connection.execute(
                "SELECT vector FROM vectors WHERE encoder = ? AND kind = ? AND document = ? AND code = ?",
                (encoder, self._view, document, code)).fetchone()
        except sqlite3.DatabaseError:
            return None
        return None if row is None else bytes(row[0])
