"""From a request to bytes: lease a worker, ask, stream; nothing is sent before the first piece is there."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Iterable
from typing import Any, Final

from workbench.model.time import Instant
from workbench.serve.call import Call
from workbench.serve.channel import WorkerGone
from workbench.serve.memento import memento_headers
from workbench.serve.negotiation import takes_gzip
from workbench.serve.pool import Lease, Pool
from workbench.serve.problem import Problem
from workbench.serve.protocol import Vantage

_CHARSET: Final = frozenset({"text/csv", "text/tab-separated-values", "text/turtle", "text/plain", "text/n3",
                             "text/xml"})
_VARYING: Final = re.compile(r"\b(NOW|RAND|UUID|STRUUID|BNODE)\b", re.IGNORECASE)
_LOOK_UP: Final = 0.1
"""Seconds after which to look whether the client is still there."""
SLOW: Final = 3
"""Times `slow_seconds` that the end of an answer may take to reach the client."""
_WHOLE: Final = 16 << 20
"""Largest answer in bytes for a client that knows no chunks."""


async def answer(call: Call, pool: Pool, request: dict[str, Any], *, vantage: Vantage | None = None,
                 timeout: float | None = None, fresh: bool = False, body: bytes = b"",
                 headers: Iterable[tuple[str, str]] = ()) -> None:
    """Answer a request with what a worker says to it.

    Args:
        call: the request.
        pool: whose workers to ask.
        request: for the worker; vantage, scope, Accept and method are added here.
        vantage: from where to look.
        timeout: what the client allows, in seconds; capped by the server's.
        fresh: see all that was committed before.
        body: bytes for the worker.
        headers: to send with a good answer.

    Raises:
        Problem: nothing was sent yet.
    """
    at = vantage or Vantage()
    gzip = takes_gzip(call.headers.get("accept-encoding"))
    request = {**request, "accept": call.headers.get("accept"), "gzip": gzip, "method": call.method,
               "valid": at.valid, "known": at.known, "sources": call.principal.sources}
    seconds = min(pool.options.budget.seconds, timeout or pool.options.budget.seconds)
    async with pool.lease(fresh) as lease:
        told = _told(pool, lease, call, at)
        tag = etag(lease.worker.commit, request) if call.method in ("GET", "HEAD") and pool.role == "store" else None
        if tag is not None:
            told.append(("etag", tag))
            if _matches(call.headers.get("if-none-match"), tag):
                await call.respond(304, headers=told)
                return
        head = await _ask(call, lease, request, seconds, body)
        told += _content(head)
        told += headers
        if lease.complete:
            await _whole(call, pool, lease, told)
        else:
            await _stream(call, pool, lease, told)


async def ask(call: Call, pool: Pool, request: dict[str, Any], *, body: bytes = b"", fresh: bool = False
              ) -> dict[str, Any]:
    """What a worker tells at the end of an answer without content.

    Raises:
        Problem: it cannot.
    """
    request = {"accept": None, "method": "GET", "valid": None, "known": None, **request,
               "sources": call.principal.sources}
    async with pool.lease(fresh) as lease:
        await _ask(call, lease, request, pool.options.budget.seconds, body)
        try:
            while await lease.next() is not None:
                pass
        except WorkerGone:
            raise Problem(503, "the worker ended before it had an answer; try again") from None
        return lease.end


async def _ask(call: Call, lease: Lease, request: dict[str, Any], seconds: float, body: bytes) -> dict[str, Any]:
    """The head of the answer; a client that goes away meanwhile ends the query."""
    leaving: list[asyncio.Task[None]] = []

    def look() -> None:
        leaving.append(asyncio.ensure_future(_ended_by(call, lease)))

    timer = asyncio.get_running_loop().call_later(_LOOK_UP, look)
    try:
        return await lease.ask(request, seconds, body)
    except Problem as problem:
        call.note["kill"] = problem.more.get("kill")
        raise
    finally:
        timer.cancel()
        for task in leaving:
            task.cancel()


async def _ended_by(call: Call, lease: Lease) -> None:
    await call.gone()
    lease.worker.kill("client")


def _content(head: dict[str, Any]) -> list[tuple[str, str]]:
    media = head["media"]
    found = [("content-type", f"{media}; charset=utf-8" if media in _CHARSET else media)]
    if head["gzip"]:
        found.append(("content-encoding", "gzip"))
    return found


async def _whole(call: Call, pool: Pool, lease: Lease, headers: list[tuple[str, str]]) -> None:
    parts = []
    try:
        while (part := await lease.next()) is not None:
            parts.append(part)
    except WorkerGone:
        raise Problem(503, "the answer broke off", kill=lease.reason) from None
    await _send(call, pool, lease, headers, b"".join(parts))


async def _send(call: Call, pool: Pool, lease: Lease, headers: list[tuple[str, str]], body: bytes) -> None:
    _note(call, pool, lease)
    status = lease.end.get("status", 200)
    if status == 303:
        raise Problem(303, "it stands under another name", iri=lease.end["iri"])
    if call.method == "HEAD":
        headers.append(("content-length", str(lease.end["bytes"])))
        headers = [pair for pair in headers if pair[0] != "content-encoding"]
        await call.begin(status, headers)
        await call.more(b"", last=True)
    else:
        await call.respond(status, body, headers=headers)


async def _stream(call: Call, pool: Pool, lease: Lease, headers: list[tuple[str, str]]) -> None:
    if call.scope.get("http_version") == "1.0" or call.method == "HEAD":
        await _whole_limited(call, pool, lease, headers)
        return
    await call.begin(200, headers)
    rest: list[bytes] = []
    try:
        async with asyncio.timeout_at(lease.deadline):
            while (part := await lease.next()) is not None:
                if lease.complete:  # all of it is here: the worker need not wait for the client
                    rest.append(part)
                else:
                    await call.more(part)
        _note(call, pool, lease)
        pool.end(lease)
        async with asyncio.timeout(SLOW * pool.options.slow_seconds):
            for part in rest:
                await call.more(part)
    except (WorkerGone, TimeoutError):
        call.note["kill"] = lease.reason or "slow client"
        if lease.worker.alive and not lease.done:
            lease.worker.kill("client")
        call.abort()
        return
    await call.more(b"", last=True)


async def _whole_limited(call: Call, pool: Pool, lease: Lease, headers: list[tuple[str, str]]) -> None:
    """Without chunks a client could not tell a cut answer from a whole one, so it gets its length or nothing."""
    parts, size = [], 0
    try:
        while (part := await lease.next()) is not None:
            size += len(part)
            if size > _WHOLE:
                lease.worker.kill("client")
                raise Problem(505, "the answer is too large for HTTP/1.0; use HTTP/1.1")
            parts.append(part)
    except WorkerGone:
        raise Problem(503, "the answer broke off", kill=lease.reason) from None
    await _send(call, pool, lease, headers, b"".join(parts))


def _note(call: Call, pool: Pool, lease: Lease) -> None:
    rows, size = lease.end.get("rows", 0), lease.end.get("bytes", 0)
    call.note.update(rows=rows, bytes=size, seconds=round(lease.end.get("seconds", 0.0), 6), of=lease.seconds)
    pool.metrics.rows += rows
    pool.metrics.bytes += size


def _told(pool: Pool, lease: Lease, call: Call, vantage: Vantage) -> list[tuple[str, str]]:
    """What is said of any good answer: the commit, how far it may lag, and how caches may keep it."""
    told = [("cache-control", "private, no-cache"), ("vary", "Accept, Accept-Encoding, Accept-Datetime, Authorization")]
    if pool.role == "store":
        commit = lease.worker.commit
        if not lease.worker.told:
            lease.worker.told = _of_commit(commit, pool.lag(lease.worker))
        told += lease.worker.told
        told += memento_headers(call, vantage, commit["recorded"])
    return told


def _of_commit(commit: dict[str, Any], lag: float) -> list[tuple[str, str]]:
    told = [("workbench-commit", commit_name(commit)), ("workbench-lag", f"{lag:.1f}")]
    if commit["recorded"] is not None:
        told.append(("workbench-known", Instant(commit["recorded"]).iso()))
    return told


def commit_name(commit: dict[str, Any]) -> str:
    """A commit as a header says it: generation, `/`, number of episodes."""
    return f"{commit.get('generation', '')}/{commit.get('episodes', 0)}"


def etag(commit: dict[str, Any], request: dict[str, Any]) -> str | None:
    """A weak tag: the same commit answers the same request with the same content. None if the answer has the present
    in it, or chance."""
    valid, known = request["valid"], request["known"]
    if (known is not None and valid is None) or _VARYING.search(request.get("text", "")):
        return None
    what = sorted((name, value) for name, value in request.items() if name != "method")
    raw = repr((commit_name(commit), commit.get("recorded"), what))
    return f'W/"{hashlib.sha256(raw.encode("utf-8", "replace")).hexdigest()[:32]}"'


def _matches(header: str | None, tag: str) -> bool:
    if header is None:
        return False
    return header.strip() == "*" or tag.removeprefix("W/") in {
        part.strip().removeprefix("W/") for part in header.split(",")}
