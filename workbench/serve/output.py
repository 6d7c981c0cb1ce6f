"""A worker's side of an answer: bytes counted, rows counted, compressed if wanted, sent in large pieces."""

from __future__ import annotations

import zlib
from typing import Final

from workbench.graph.endpoint import OverBudget
from workbench.serve.frames import DATA, HEAD, Line, frame, json_frame

PIECE: Final = 64 * 1024
"""Bytes held back before anything is sent, and sent at once later."""

_MARKS: Final = {  # what stands once in each row; an exact count, but for a literal that ends in `}},{`
    "application/sparql-results+json": (b'"}},{"', 1), "application/json": (b'"}},{"', 1),
    "application/sparql-results+xml": (b"<result>", 0), "application/xml": (b"<result>", 0),
    "text/xml": (b"<result>", 0), "text/tab-separated-values": (b"\n", -1), "application/n-triples": (b"\n", 0),
    "application/n-quads": (b"\n", 0), "text/plain": (b"\n", 0), "text/turtle": (b"\n", 0), "text/n3": (b"\n", 0),
    "application/trig": (b"\n", 0), "application/rdf+xml": (b"\n", 0)}


class Rows:
    """Counts the rows of an answer in its bytes, so that the engine can write them without a step in Python each.

    In Turtle, TriG, N3 and RDF/XML lines are counted; JSON-LD, Arrow and Parquet count nothing here.
    """

    def __init__(self, media: str) -> None:
        self._mark, first = _MARKS.get(media, (b"", 0))
        self._csv = media == "text/csv"
        self._quoted = False
        self._tail = b""
        self.n = first if self._mark else -1 if self._csv else 0

    def add(self, data: bytes) -> None:
        """Count in the next bytes."""
        if self._csv:
            for number, part in enumerate(data.split(b'"')):
                self._quoted ^= number > 0
                if not self._quoted:
                    self.n += part.count(b"\n")
        elif self._mark:
            data = self._tail + data
            self.n += data.count(self._mark)
            keep = len(self._mark) - 1
            self._tail = data[-keep:] if keep else b""


class Output:
    """Where the engine writes; see `workbench.graph.endpoint.Sink`.

    Attributes:
        begun: whether anything went to the server yet.
    """

    def __init__(self, line: Line, rows: int, size: int, gzip: bool, body: bool = True) -> None:
        self._line = line
        self._limits = rows, size
        self._packer = zlib.compressobj(1, zlib.DEFLATED, 31) if gzip else None
        self._gzip = gzip
        self._body = body
        self._media = ""
        self._pieces: list[bytes] = []
        self._held = self._size = self._counted = 0
        self._rows = Rows("")
        self.begun = False

    def start(self, media_type: str) -> None:
        """Say what comes."""
        self._media = media_type
        self._rows = Rows(media_type)

    def count(self, rows: int) -> None:
        """Rows that are in no bytes yet."""
        self._counted += rows
        self._check()

    def write(self, data: bytes, /) -> int:
        """Take bytes.

        Raises:
            OverBudget: too many rows or bytes.
        """
        self._size += len(data)
        self._rows.add(data)
        self._check()
        if self._body:
            self._pieces.append(data)
            self._held += len(data)
            if self._held >= PIECE:
                self._send()
        return len(data)

    def flush(self) -> None:
        """Nothing to do: `finish` sends the rest."""

    @property
    def rows(self) -> int:
        """Rows so far."""
        return max(0, self._rows.n) + self._counted

    @property
    def size(self) -> int:
        """Bytes so far, before compression."""
        return self._size

    def _check(self) -> None:
        rows, size = self._limits
        if self.rows > rows:
            raise OverBudget("rows", rows)
        if self._size > size:
            raise OverBudget("bytes", size)

    def _send(self) -> None:
        data = b"".join(self._pieces)
        if self._packer is not None:
            data = self._packer.compress(data)
        self._pieces, self._held = [], 0
        self._line.send(self._head(), *((frame(DATA, data),) if data else ()))

    def _head(self) -> bytes:
        if self.begun:
            return b""
        self.begun = True
        return json_frame(HEAD, {"media": self._media, "gzip": self._gzip})

    def finish(self, end: bytes) -> None:
        """Send what is left and the frame that ends the answer, at once if it is small."""
        data = b"".join(self._pieces)
        if self._packer is not None and not self.begun and len(data) < 1_024:
            self._packer, self._gzip = None, False  # not worth it
        if self._packer is not None:
            data = self._packer.compress(data) + self._packer.flush()
        self._line.send(self._head(), frame(DATA, data), end)
