"""The HTTP parser's protocol with what it lacks: limits on the size of headers and on the time they take."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from workbench.serve.options import Options
from workbench.serve.problem import PROBLEM_JSON, Problem, phrase

URL: Final = 60_000
"""Longest URL in bytes; the parser counts in 16 bits."""


def protocol(options: Options) -> type[asyncio.Protocol]:
    """A protocol class for uvicorn with the limits of `options`."""

    class Guarded(HttpToolsProtocol):
        _open = True
        _taken = 0
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._await_headers()

        def _await_headers(self) -> None:
            if self._timer is None:
                self._timer = self.loop.call_later(options.slow_seconds, self.transport.abort)

        def _stop(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            if self._open:
                self._await_headers()
                self._taken += len(data)
            super().data_received(data)
            if self._open and self._taken > options.headers and not self.transport.is_closing():
                self._refuse(Problem(431, f"the request line and headers have more than {options.headers:,} bytes"))

        def _refuse(self, problem: Problem) -> None:
            body = problem.body()
            head = (f"HTTP/1.1 {problem.status} {phrase(problem.status)}\r\ncontent-type: {PROBLEM_JSON}\r\n"
                    f"content-length: {len(body)}\r\nconnection: close\r\n\r\n")
            self.transport.write(head.encode() + body)
            self.transport.close()

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self._open = True
            self.scope["state"]["abort"] = self.transport.abort

        def on_headers_complete(self) -> None:
            self._open = False
            self._taken = 0
            self._stop()
            if len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers) > options.headers:
                self.scope["state"]["refuse"] = 431
            if len(self.url) > URL:
                self.scope["state"]["refuse"] = 414
                self.url = self.url.split(b"?")[0] if b"?" in self.url[:URL] else b"/"
            super().on_headers_complete()

        def on_message_complete(self) -> None:
            super().on_message_complete()
            self._open = True

    return Guarded
