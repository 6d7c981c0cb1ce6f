"""The server's end of a worker's line: frames in, without blocking; reading pauses while a client is slow."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import Any, Final, cast

from workbench.serve.frames import END, ERROR, HEADER

HIGH: Final = 4 << 20
"""Bytes of an answer held for a slow client; the worker waits when there are more."""


_LAST: Final = (END, ERROR)


class WorkerGone(Exception):
    """The worker ended before its answer was complete."""


class Channel(asyncio.Protocol):
    """Frames from one worker, in order.

    Attributes:
        lost: the worker is gone; frames that came before can still be received.
        ended: the last frame of an answer is here, so that all of it is.
    """

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._frames: deque[tuple[bytes, bytes]] = deque()
        self._held = 0
        self._paused = False
        self._waiter: asyncio.Future[None] | None = None
        self.lost = False
        self.ended = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asyncio's."""
        self._transport = cast(asyncio.Transport, transport)  # other loops' transports are of no common class

    def data_received(self, data: bytes) -> None:
        """Asyncio's."""
        buffer = self._buffer
        buffer += data
        at, size = 0, HEADER.size
        while len(buffer) - at >= size:
            tag, length = HEADER.unpack_from(buffer, at)
            if len(buffer) - at - size < length:
                break
            self._frames.append((tag, bytes(buffer[at + size:at + size + length])))
            self._held += length
            self.ended = self.ended or tag in _LAST
            at += size + length
        if at:
            del buffer[:at]
            self._wake()
            if self._held > HIGH and not self._paused and self._transport is not None:
                self._paused = True
                self._transport.pause_reading()

    def connection_lost(self, error: Exception | None) -> None:
        """Asyncio's."""
        self.lost = True
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def send(self, raw: bytes) -> None:
        """Send to the worker."""
        if self._transport is not None:
            self._transport.write(raw)

    async def receive(self) -> tuple[bytes, bytes]:
        """The next frame.

        Raises:
            WorkerGone: there will be none.
        """
        while not self._frames:
            if self.lost:
                raise WorkerGone
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        tag, payload = self._frames.popleft()
        self._held -= len(payload)
        if tag in _LAST:
            self.ended = False
        if self._paused and self._held < HIGH // 2 and self._transport is not None:
            self._paused = False
            self._transport.resume_reading()
        return tag, payload

    async def receive_json(self) -> tuple[bytes, dict[str, Any]]:
        """The next frame, read as JSON."""
        tag, payload = await self.receive()
        row: dict[str, Any] = json.loads(payload)
        return tag, row

    def close(self) -> None:
        """Close the line; the worker ends when it sees that."""
        if self._transport is not None:
            self._transport.abort()
