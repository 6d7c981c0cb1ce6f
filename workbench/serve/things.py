"""Things by their names: episodes, entities, facts and the vocabulary as RDF, now and in the past."""

from __future__ import annotations

from importlib.resources import files
from typing import Any
from urllib.parse import quote, unquote

from workbench.graph import vocabulary as v
from workbench.graph.endpoint import GRAPH_TYPES, convert, parse_graph
from workbench.serve import memento
from workbench.serve.answering import answer, ask
from workbench.serve.app import Services
from workbench.serve.call import Call
from workbench.serve.negotiation import choose
from workbench.serve.problem import Problem
from workbench.serve.protocol import flag, timeout, vantage

_KINDS = ("episode", "entity", "fact")


def thing_of(raw_path: str) -> dict[str, Any] | None:
    """Which thing a path names: kind, IRI and the name as given; None if it names none.

    >>> thing_of("/entity/alice")
    {'kind': 'entity', 'iri': 'urn:tcg:entity:alice', 'name': 'alice'}
    >>> thing_of("/query") is None
    True
    """
    kind, _, rest = raw_path.lstrip("/").partition("/")
    if kind not in _KINDS or not rest:
        return None
    name = unquote(rest)
    if kind == "episode":
        return {"kind": kind, "iri": v.episode_iri(name), "name": name}
    # local names stand percent-encoded in the IRI, as in the path
    local = quote(name, safe="-._~!$&'()*+,;=:@%") if any(sign in name for sign in ' <>"{}|\\^`/') else rest
    return {"kind": kind, "iri": (v.ENTITY if kind == "entity" else v.FACT) + local, "name": name}


async def thing(call: Call, services: Services) -> None:
    """RDF about an episode, an entity or a fact."""
    named = thing_of(call.raw_path)
    if named is None:
        raise Problem(404, "there is nothing of that kind; there are /episode/ID, /entity/NAME and /fact/ID")
    at, wanted = vantage(call.params), memento.accept_datetime(call)
    if wanted is not None and at.known is None:
        await _choose(call, services, call.raw_path, wanted)
        return
    try:
        await answer(call, services.store, {"op": "describe", **named}, vantage=at, timeout=timeout(call.params),
                     fresh=flag(call.params, "fresh"))
    except Problem as problem:
        if problem.status == 303 and "iri" in problem.more:
            local = problem.more.pop("iri").removeprefix(v.ENTITY)
            problem.headers["location"] = f"{call.origin}/entity/{local}{memento.others(call)}"
        raise


async def timegate(call: Call, services: Services) -> None:
    """The TimeGate of a resource: redirects to its state at Accept-Datetime, or to the latest."""
    path = call.raw_path.removeprefix("/timegate")
    wanted = memento.accept_datetime(call)
    await _choose(call, services, path, 1 << 62 if wanted is None else wanted)


async def timemap(call: Call, services: Services) -> None:
    """The TimeMap of a resource: all its states."""
    path = call.raw_path.removeprefix("/timemap")
    told = (await ask(call, services.store, {"op": "times", "at": None, **(_resource(path))}))["told"]
    body = memento.timemap(call, call.origin + path, told)
    await call.respond(200, body.encode(), memento.LINK_FORMAT, [("cache-control", "no-cache")])


async def _choose(call: Call, services: Services, path: str, wanted: int) -> None:
    told = (await ask(call, services.store, {"op": "times", "at": wanted, **_resource(path)}))["told"]
    await call.respond(302, headers=memento.gate(call, call.origin + path, told))


def _resource(path: str) -> dict[str, Any]:
    """What the times of a path are times of.

    Raises:
        Problem: it has no past.
    """
    found = thing_of(path)
    if found is not None:
        return found
    if path in ("/query", "/sparql", "/graphs"):
        return {"iri": None}
    if path.startswith("/graphs/"):
        name = unquote(path.removeprefix("/graphs/"))
        return {"kind": "episode", "iri": v.episode_iri(name), "name": name}
    raise Problem(404, "that has no past")


async def vocabulary(call: Call, services: Services) -> None:
    """The terms of the project, explained."""
    raw = files("workbench.graph").joinpath("vocabulary.ttl").read_bytes()
    media = choose(call.headers.get("accept"), GRAPH_TYPES)
    if media is None:
        raise Problem(406, f"there is {', '.join(GRAPH_TYPES)}", offers=list(GRAPH_TYPES))
    if media != "text/turtle":
        raw = convert([f"{triple} .\n" for triple in parse_graph(raw, "text/turtle", call.base)], media)
    await call.respond(200, raw, f"{media}; charset=utf-8" if media.startswith("text/") else media,
                       [("vary", "Accept"), ("cache-control", "public, max-age=3600")])
