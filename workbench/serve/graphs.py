"""The SPARQL 1.1 Graph Store HTTP Protocol: whole graphs, named in the URL or by it."""

from __future__ import annotations

import secrets
from email import policy
from email.parser import BytesParser
from typing import Final
from urllib.parse import unquote

from workbench.graph import vocabulary as v
from workbench.graph.endpoint import GRAPH_INPUT
from workbench.serve import memento
from workbench.serve.answering import answer, ask
from workbench.serve.app import Services
from workbench.serve.call import Call, only
from workbench.serve.problem import Problem
from workbench.serve.protocol import flag, timeout, vantage
from workbench.serve.queries import scratch

READING: Final = ("GET", "HEAD")
ALL: Final = ("GET", "HEAD", "PUT", "POST", "DELETE")


def _indirect(call: Call) -> tuple[str | None, bool]:
    """(IRI or None for the default graph, whether any graph is named at all) of ?graph=… or ?default.

    Raises:
        Problem: both, several, or no absolute IRI.
    """
    graph, default = only(call.params, "graph"), only(call.params, "default")
    if graph is not None and default is not None:
        raise Problem(400, "name one graph: ?graph=IRI or ?default")
    if graph is not None and not _absolute(graph):
        raise Problem(400, "the graph must be an absolute IRI")
    return graph, graph is not None or default is not None


def _absolute(iri: str) -> bool:
    scheme, colon, rest = iri.partition(":")
    return bool(colon and rest) and scheme.isascii() and scheme[:1].isalpha() and all(
        sign.isalnum() or sign in "+-." for sign in scheme) and not any(sign in iri for sign in ' <>"{}|\\^`')


# -- the store ----------------------------------------------------------------------------------------------------


async def store_graphs(call: Call, services: Services) -> None:
    """A graph of the store, named in the URL; without a name all of it."""
    graph, named = _indirect(call)
    await _stored(call, services, graph, named, call.base)


async def store_graph(call: Call, services: Services) -> None:
    """The graph of an episode, by its id in the path."""
    await _stored(call, services, v.episode_iri(last_part(call)), True, call.base)


def last_part(call: Call) -> str:
    """The last part of the path, decoded; a `/` in it is `%2F`."""
    return unquote(call.raw_path.split("/", 2)[2])


async def _stored(call: Call, services: Services, graph: str | None, named: bool, url: str) -> None:
    at = vantage(call.params)
    if call.method not in READING:
        if at.given:
            raise Problem(400, "the past cannot be written: leave out valid-at and known-at")
        services_allow = {"allow": "GET, HEAD, OPTIONS"}
        raise Problem(409, "episodes never change, and the store takes in nothing else: ingest another episode, or "
                           "write to /scratch/graphs", headers=services_allow)
    wanted = memento.accept_datetime(call)
    if wanted is not None and at.known is None:
        told = (await ask(call, services.store, {"op": "times", "iri": None, "at": wanted}))["told"]
        await call.respond(302, headers=memento.gate(call, url, told))
        return
    request = {"op": "graph", "graph": graph} if named else {"op": "dataset"}
    await answer(call, services.store, request, vantage=at, timeout=timeout(call.params),
                 fresh=flag(call.params, "fresh"))


# -- the scratch dataset ------------------------------------------------------------------------------------------


async def scratch_graphs(call: Call, services: Services) -> None:
    """A graph of the scratch dataset, named in the URL; POST without a name makes a new one."""
    graph, named = _indirect(call)
    if not named and call.method == "POST":
        made = f"{call.base}/{secrets.token_hex(8)}"
        await _scratch(call, services, made, created=made)
    elif not named and call.method in READING:
        await answer(call, scratch(services), {"op": "dataset"})
    elif not named:
        raise Problem(400, "name a graph: ?graph=IRI or ?default")
    else:
        await _scratch(call, services, graph)


async def scratch_graph(call: Call, services: Services) -> None:
    """A graph of the scratch dataset whose name is the URL itself."""
    await _scratch(call, services, call.base)


async def _scratch(call: Call, services: Services, graph: str | None, created: str | None = None) -> None:
    pool = scratch(services)
    if vantage(call.params).given:
        raise Problem(400, "the scratch dataset has no past: leave out valid-at and known-at")
    if call.method in READING:
        await answer(call, pool, {"op": "graph", "graph": graph})
        return
    if call.method == "DELETE":
        await ask(call, pool, {"op": "delete", "graph": graph})
        await call.respond(204)
        return
    raw = await call.body()
    parts = _parts(call, raw)
    body = b"".join(part for _, part in parts)
    told = await ask(call, pool, {"op": call.method.lower(), "graph": graph, "base": graph or call.base,
                                  "parts": [(media, len(part)) for media, part in parts]}, body=body)
    if told["new"]:
        await call.respond(201, headers=[("location", created or graph or call.base)])
    else:
        await call.respond(204)


def _parts(call: Call, raw: bytes) -> list[tuple[str, bytes]]:
    """(media type, document) of a body: one, or those of a form with files.

    Raises:
        Problem: 400 or 415.
    """
    if call.media == "multipart/form-data":
        head = f"Content-Type: {call.headers['content-type']}\r\n\r\n".encode("latin-1", "replace")
        message = BytesParser(policy=policy.HTTP).parsebytes(head + raw)
        if not message.is_multipart() or message.defects:
            raise Problem(400, "the form cannot be read: it has no parts, or no end")
        return [(_readable(part.get_content_type(), part.get_content_charset()),
                 _payload(part.get_payload(decode=True))) for part in message.iter_parts()]
    if not raw.strip() and not call.media:
        return [("text/turtle", b"")]
    return [(_readable(call.media, call.charset), raw)]


def _payload(payload: object) -> bytes:
    return payload if isinstance(payload, bytes) else b""


def _readable(media: str, charset: str | None) -> str:
    if media not in GRAPH_INPUT:
        raise Problem(415, f"{media or 'a body without Content-Type'} is not read; there is {', '.join(GRAPH_INPUT)}",
                      headers={"accept-post": ", ".join(GRAPH_INPUT)})
    if (charset or "utf-8").lower() not in ("utf-8", "us-ascii"):
        raise Problem(400, f"the document must be UTF-8, not {charset}")
    return media
