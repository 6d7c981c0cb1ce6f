"""One HTTP request: what came, read strictly, and the ways to answer it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, MutableMapping
from typing import Any, Final
from urllib.parse import parse_qsl

from workbench.serve.options import Options
from workbench.serve.problem import PROBLEM_JSON, Problem
from workbench.serve.tokens import Principal

Headers = Iterable[tuple[str, str]]
_ONCE: Final = ("authorization", "content-type", "content-encoding", "host", "origin", "accept-datetime")
FIELDS: Final = 256
"""Most parameters of a request."""


class Call:
    """A request and its answer.

    Attributes:
        scope: of ASGI.
        options: of the server.
        method, path: of the request; `raw_path` as it came.
        principal: who asks; set by the gate.
        status: of the answer, 0 before there is one.
        note: for the log: `query` (a hash), `rows`, `bytes`, `kill`, `seconds`.
        extra: headers for any answer, set by the gate.
    """

    def __init__(self, scope: MutableMapping[str, Any], receive: Any, send: Any, options: Options) -> None:
        self.scope, self.options = scope, options
        self._receive, self._send = receive, send
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.raw_path: str = scope.get("raw_path", b"").decode("ascii", "replace")
        self.headers: dict[str, str] = {}
        self.principal = Principal("nobody", read=False)
        self.status = 0
        self.note: dict[str, Any] = {}
        self.extra: list[tuple[str, str]] = []
        self.operation = "other"
        self._params: list[tuple[str, str]] | None = None
        self._body: bytes | None = None
        self.disconnected = False
        for raw_name, raw_value in scope["headers"]:
            name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1").strip()
            if name in self.headers:
                if name in _ONCE:
                    raise Problem(400, f"the header {name} is there twice")
                value = f"{self.headers[name]}, {value}"
            self.headers[name] = value

    # -- what came ------------------------------------------------------------------------------------------------

    @property
    def params(self) -> list[tuple[str, str]]:
        """The parameters of the URL, decoded.

        Raises:
            Problem: not percent-encoded UTF-8, or too many.
        """
        if self._params is None:
            self._params = decode_form(self.scope["query_string"])
        return self._params

    def param(self, name: str) -> str | None:
        """The only value of a parameter of the URL, or None.

        Raises:
            Problem: there are several.
        """
        return only(self.params, name)

    @property
    def base(self) -> str:
        """The URL of the request without its query, as the client sees it."""
        return self.origin + self.raw_path

    @property
    def origin(self) -> str:
        """Scheme and authority under which the client sees the server."""
        if self.options.public is not None:
            return self.options.public.rstrip("/")
        return f"{self.scope['scheme']}://{self.headers.get('host', 'localhost')}"

    @property
    def media(self) -> str:
        """The media type of the body, in lower case, without parameters; "" if there is none."""
        return self.headers.get("content-type", "").split(";")[0].strip().lower()

    @property
    def charset(self) -> str:
        """The charset parameter of the body's media type; utf-8 if there is none."""
        for part in self.headers.get("content-type", "").split(";")[1:]:
            name, _, value = part.partition("=")
            if name.strip().lower() == "charset":
                return value.strip().strip('"').lower()
        return "utf-8"

    async def body(self) -> bytes:
        """The request's body.

        Raises:
            Problem: too large, too slow, or compressed.
        """
        if self._body is None:
            self._body = await self._read()
        return self._body

    async def _read(self) -> bytes:
        limit = self.options.body
        if self.headers.get("content-encoding", "identity") not in ("", "identity"):
            raise Problem(415, "compressed bodies are not read; send it as it is")
        length = self.headers.get("content-length", "0")
        if not length.isdigit():
            raise Problem(400, "content-length is no number")
        if int(length) > limit:
            raise Problem(413, f"the body has {int(length):,} bytes, {limit:,} are read", headers={
                "connection": "close"})
        parts, size = [], 0
        try:
            async with asyncio.timeout(self.options.slow_seconds):
                while True:
                    message = await self._receive()
                    if message["type"] == "http.disconnect":
                        self.disconnected = True
                        raise Problem(400, "the request broke off")
                    part = message.get("body", b"")
                    size += len(part)
                    if size > limit:
                        raise Problem(413, f"the body has more than {limit:,} bytes", headers={"connection": "close"})
                    parts.append(part)
                    if not message.get("more_body"):
                        return b"".join(parts)
        except TimeoutError:
            raise Problem(408, f"the body did not come within {self.options.slow_seconds:g} s",
                          headers={"connection": "close"}) from None

    async def gone(self) -> None:
        """Return when the client has closed the connection."""
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.disconnected = True

    # -- answers --------------------------------------------------------------------------------------------------

    async def begin(self, status: int, headers: Headers) -> None:
        """Send status and headers."""
        self.status = status
        raw = [(name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
               for name, value in (*headers, *self.extra)]
        await self._send({"type": "http.response.start", "status": status, "headers": raw})

    async def more(self, data: bytes, last: bool = False) -> None:
        """Send a part of the body.

        Raises:
            TimeoutError: the client does not take it.
        """
        message = {"type": "http.response.body", "body": data, "more_body": not last}
        if last:
            await self._send(message)
            return
        async with asyncio.timeout(self.options.slow_seconds):
            await self._send(message)

    async def respond(self, status: int, body: bytes = b"", media: str | None = None, headers: Headers = ()) -> None:
        """A whole answer."""
        given = list(headers)
        if media is not None:
            given.append(("content-type", media))
        if status not in (204, 304):
            given.append(("content-length", str(len(body))))
        await self.begin(status, given)
        await self.more(b"" if self.method == "HEAD" or status in (204, 304) else body, last=True)

    async def problem(self, problem: Problem) -> None:
        """An error."""
        await self.respond(problem.status, problem.body(), PROBLEM_JSON, [
            ("cache-control", "no-store"), *problem.headers.items()])

    def abort(self) -> None:
        """Cut the connection: what was sent must not look complete."""
        cut = self.scope.get("state", {}).get("abort")
        if cut is not None:
            cut()


def decode_form(raw: bytes) -> list[tuple[str, str]]:
    """Pairs of a query string or form.

    Raises:
        Problem: not percent-encoded UTF-8, or too many pairs.
    """
    try:
        return parse_qsl(raw.decode("ascii"), keep_blank_values=True, encoding="utf-8", errors="strict",
                         max_num_fields=FIELDS)
    except UnicodeDecodeError:
        raise Problem(400, "parameters must be percent-encoded UTF-8") from None
    except ValueError:
        raise Problem(400, f"there are more than {FIELDS} parameters") from None


def only(pairs: list[tuple[str, str]], name: str) -> str | None:
    """The only value of a parameter, or None.

    Raises:
        Problem: there are several.
    """
    found = [value for key, value in pairs if key == name]
    if len(found) > 1:
        raise Problem(400, f"the parameter {name} is there {len(found)} times, once is meant")
    return found[0] if found else None
