"""Frames on the socket between the server and a worker: a tag, a length, and that many bytes."""

from __future__ import annotations

import json
import socket
import struct
from typing import Any, Final

HEADER: Final = struct.Struct(">cI")
READY: Final = b"R"
"""Worker: opened (or opened anew); JSON."""
HEAD: Final = b"H"
"""Worker: an answer begins; JSON."""
DATA: Final = b"D"
"""Worker: bytes of the answer."""
END: Final = b"E"
"""Worker: the answer is complete; JSON."""
ERROR: Final = b"X"
"""Worker: no answer, or none any more; JSON."""
ASK: Final = b"A"
"""Server: a request; JSON."""
BODY: Final = b"B"
"""Server: the bytes that the request before speaks of."""


_ENCODER: Final = json.JSONEncoder(separators=(",", ":"))


def frame(tag: bytes, payload: bytes) -> bytes:
    """One frame."""
    return HEADER.pack(tag, len(payload)) + payload


def json_frame(tag: bytes, row: dict[str, Any]) -> bytes:
    """One frame of JSON."""
    return frame(tag, _ENCODER.encode(row).encode())


class Line:
    """The worker's end: blocking."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._in = sock.makefile("rb", buffering=65_536)

    def send(self, *frames: bytes) -> None:
        """Send frames, waiting until the other side takes them."""
        self._sock.sendall(b"".join(frames))

    def receive(self) -> tuple[bytes, bytes] | None:
        """The next frame's tag and payload; None when the server is gone."""
        head = self._in.read(HEADER.size)
        if len(head) < HEADER.size:
            return None
        tag, length = HEADER.unpack(head)
        payload = self._in.read(length)
        return (tag, payload) if len(payload) == length else None
