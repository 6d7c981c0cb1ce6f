"""What the store says of one thing, and of itself: quads about an IRI, the times they came, counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyoxigraph as ox

from workbench.graph import vocabulary as v
from workbench.graph.graph import Graph
from workbench.model.time import Instant


def described(store: ox.Store, kind: str, iri: str) -> list[ox.Quad]:
    """The quads about an episode (its entry and its graph), a fact (all that is said of it, and its triple) or an
    entity (triples from and to it, with the facts that they stand for); empty if there is none."""
    try:
        subject = ox.NamedNode(iri)
    except ValueError:
        return []
    return list(dict.fromkeys({"episode": _episode, "fact": _fact, "entity": _entity}[kind](store, subject)))


def _episode(store: ox.Store, episode: ox.NamedNode) -> Iterator[ox.Quad]:
    yield from store.quads_for_pattern(episode, None, None, ox.DefaultGraph())
    yield from store.quads_for_pattern(None, None, None, episode)


def _fact(store: ox.Store, fact: ox.NamedNode) -> Iterator[ox.Quad]:
    for quad in store.quads_for_pattern(fact, None, None, None):
        yield quad
        if isinstance(quad.object, ox.Triple):
            yield from store.quads_for_pattern(quad.object.subject, quad.object.predicate, quad.object.object,
                                               quad.graph_name)


def _entity(store: ox.Store, entity: ox.NamedNode) -> Iterator[ox.Quad]:
    reifies = ox.NamedNode(v.RDF_REIFIES)
    for about in (store.quads_for_pattern(entity, None, None, None), store.quads_for_pattern(None, None, entity, None)):
        for quad in about:
            yield quad
            for reified in store.quads_for_pattern(None, reifies, quad.triple, quad.graph_name):
                yield from store.quads_for_pattern(reified.subject, None, None, None)


def known_by(graph: Graph, quad: ox.Quad, known: Instant) -> bool:
    """Whether a quad was there at an instant of knowledge time: its episode had been taken in."""
    recorded = _recorded(graph, quad.graph_name, quad.subject)
    return recorded is not None and recorded <= known


def _recorded(graph: Graph, place: Any, subject: Any = None) -> int | None:
    name = place if isinstance(place, ox.NamedNode) else subject
    if not isinstance(name, ox.NamedNode) or not name.value.startswith(v.EPISODE):
        return None
    number = graph.number_of(v.episode_id(name.value))
    return None if number is None else int(graph.timeline.episodes.get("recorded", number))


def all_times(graph: Graph) -> list[int]:
    """Every instant of knowledge time at which something was taken in, ascending, in microseconds."""
    with graph.lock:
        return [int(time) for time in np.unique(graph.timeline.episodes["recorded"])]


def graphs_of(store: ox.Store) -> set[Any]:
    """The names of a store's graphs."""
    return set(store.named_graphs())


def times(graph: Graph, places: Iterable[Any], iri: str = "") -> list[int]:
    """The instants at which those graphs were taken in, ascending; `iri` stands for the default graph, if it names an
    episode."""
    subject = ox.NamedNode(iri) if iri else None
    found = {_recorded(graph, place, subject) for place in places}
    return sorted(time for time in found if time is not None)


def statistics_of(graph: Graph) -> dict[str, int]:
    """The counts of `statistics`, for a whole store, from its timeline."""
    with graph.lock:
        entities = np.unique(graph.timeline.names["entity"])
        return {"triples": len(graph.quads), "episodes": graph.episodes, "facts": graph.timeline.records.n,
                "entities": len(entities)}


def statistics(store: ox.Store) -> dict[str, int]:
    """Counts for a VoID description: quads, episodes, facts, entities, relations."""
    def count(pattern: Iterator[ox.Quad]) -> int:
        return len({quad.subject for quad in pattern})

    type_of, default = ox.NamedNode(v.RDF_TYPE), ox.DefaultGraph()
    labelled = {quad.subject for quad in store.quads_for_pattern(None, ox.NamedNode(v.RDFS_LABEL), None, None)}
    return {
        "triples": len(store),
        "episodes": count(store.quads_for_pattern(None, type_of, ox.NamedNode(v.TCG_EPISODE), default)),
        "facts": count(store.quads_for_pattern(None, ox.NamedNode(v.TCG_KNOWN_FROM), None, None)),
        "entities": len(labelled),
    }
