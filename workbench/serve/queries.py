"""The SPARQL 1.1 Protocol's two operations, on the store and on the scratch dataset."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from workbench.graph.announcing import service_lines, void_lines
from workbench.graph.endpoint import GRAPH_TYPES, convert
from workbench.serve import memento
from workbench.serve.answering import answer, ask
from workbench.serve.app import Services
from workbench.serve.call import Call, decode_form
from workbench.serve.negotiation import choose
from workbench.serve.pool import Pool
from workbench.serve.problem import Problem
from workbench.serve.protocol import FORM, UPDATE, Asked, Vantage, read_query, read_update


async def query(call: Call, services: Services) -> None:
    """A query on the store, or the description of the endpoint."""
    asked = await read_query(call)
    if asked is None:
        await _described(call, updates=False)
        return
    at = memento.accept_datetime(call)
    if at is not None and asked.vantage.known is None:
        told = (await ask(call, services.store, {"op": "times", "iri": None, "at": at}))["told"]
        if call.method in ("GET", "HEAD"):
            await call.respond(302, headers=memento.gate(call, call.base, told))
            return
        asked = Asked(asked.text, asked.default, asked.named, Vantage(asked.vantage.valid, told["chosen"]),
                      asked.timeout, asked.fresh)
    await _ask(call, services.store, asked)


async def scratch_query(call: Call, services: Services) -> None:
    """A query on the scratch dataset, or the description of the endpoint."""
    asked = await read_query(call)
    if asked is None:
        await _described(call, updates=False)
    else:
        await _ask(call, scratch(services), asked)


async def scratch_update(call: Call, services: Services) -> None:
    """An update of the scratch dataset, or (by GET) the description of the endpoint."""
    if call.method in ("GET", "HEAD"):
        if call.params:
            raise Problem(405, "an update goes by POST only", headers={"allow": "POST, OPTIONS"})
        await _described(call, updates=True)
        return
    asked = await read_update(call)
    if asked.vantage.given:
        raise Problem(400, "the past cannot be written: leave out valid-at and known-at")
    _note(call, asked.text)
    await ask(call, scratch(services), {"op": "update", "text": asked.text, "base": call.base,
                                        "default": asked.default, "named": asked.named})
    await call.respond(204)


async def scratch_either(call: Call, services: Services) -> None:
    """A query or an update of the scratch dataset, at one URL."""
    updates = call.method == "POST" and (call.media == UPDATE or (
        call.media == FORM and any(key == "update" for key, _ in decode_form(await call.body()))))
    if updates:
        call.scope["gate"].authorise(call, write=True)
        await scratch_update(call, services)
    else:
        await scratch_query(call, services)


async def no_update(call: Call, services: Services) -> None:
    """An update of the store, which takes in nothing but episodes."""
    raise Problem(403, "the store takes in episodes only (`workbench ingest`); updates go to /scratch/update, if the "
                       "server was started with --writable")


async def void(call: Call, services: Services) -> None:
    """What the dataset is and how large."""
    counts = (await ask(call, services.store, {"op": "statistics"}))["told"]
    await _rdf(call, void_lines(call.base, f"{call.origin}/query", f"{call.origin}/graphs", counts))


def scratch(services: Services) -> Pool:
    """The scratch dataset.

    Raises:
        Problem: 404, it is not offered.
    """
    if services.scratch is None:
        raise Problem(404, "there is no scratch dataset; the server was started without --writable")
    return services.scratch


async def _ask(call: Call, pool: Pool, asked: Asked) -> None:
    if pool.role == "scratch" and asked.vantage.given:
        raise Problem(400, "the scratch dataset has no past: leave out valid-at and known-at")
    _note(call, asked.text)
    request = {"op": "query", "text": asked.text, "base": call.base, "default": asked.default, "named": asked.named}
    await answer(call, pool, request, vantage=asked.vantage, timeout=asked.timeout, fresh=asked.fresh)


def _note(call: Call, text: str) -> None:
    """For the log: which query it was, without telling what is in it."""
    call.note["query"] = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


async def _described(call: Call, *, updates: bool) -> None:
    await _rdf(call, service_lines(call.base, reads=not updates, updates=updates))


async def _rdf(call: Call, lines: Iterable[str]) -> None:
    media = choose(call.headers.get("accept"), GRAPH_TYPES) or "text/turtle"
    body = convert(lines, media)
    await call.respond(200, body, f"{media}; charset=utf-8" if media.startswith("text/") else media,
                       [("vary", "Accept"), ("cache-control", "private, no-cache")])
