"""Datasets cut to some sources: what someone may see who is to see the episodes of those sources only.

They are copies in memory that hold nothing else, so that no query, FROM or GRAPH can reach beyond. An episode's graph
also restates older facts (new versions, closings) that may come from elsewhere: those stay out too. What remains is
settled by all sources, so the dates of a fact can still tell that something else was said.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyoxigraph as ox

from workbench.graph import vocabulary as v
from workbench.graph.graph import Graph

_ABOUT = frozenset({v.RDFS_LABEL, v.RDF_TYPE, v.TCG_MERGED_INTO, v.TCG_SPLIT_FROM})


def cut(graph: Graph, sources: frozenset[str]) -> ox.Store:
    """The annotated quads of the episodes of some sources: their entries in the catalogue, their graphs, and of facts
    only those that one of the episodes states or confirms."""
    numbers, facts, shared = _facts(graph, sources)
    episodes = {v.episode_iri(graph.timeline.episode_id(number)) for number in numbers}
    cut_store = ox.Store()
    cut_store.bulk_extend(_quads(graph.quads.store, episodes, facts, shared))
    return cut_store


def cut_view(view: ox.Store, raw: ox.Store) -> ox.Store:
    """A view cut to the graphs of a cut dataset; its default graph is their union, with labels and types from it."""
    home = ox.DefaultGraph()
    quads: list[ox.Quad] = []
    for graph in raw.named_graphs():
        quads += view.quads_for_pattern(None, None, None, graph)
    quads += [ox.Quad(quad.subject, quad.predicate, quad.object, home) for quad in quads]
    seen = {term for quad in quads for term in (quad.subject, quad.object) if isinstance(term, ox.NamedNode)}
    for predicate in (v.RDFS_LABEL, v.RDF_TYPE):
        quads += [ox.Quad(quad.subject, quad.predicate, quad.object, home)
                  for quad in raw.quads_for_pattern(None, ox.NamedNode(predicate), None, None)
                  if quad.subject in seen and not isinstance(quad.graph_name, ox.DefaultGraph)]
    cut_store = ox.Store()
    cut_store.bulk_extend(quads)
    return cut_store


def _quads(store: ox.Store, episodes: set[str], facts: set[str], shared: set[str]) -> Iterator[ox.Quad]:
    for iri in episodes:
        episode = ox.NamedNode(iri)
        yield from store.quads_for_pattern(episode, None, None, ox.DefaultGraph())
        yield from _allowed(list(store.quads_for_pattern(None, None, None, episode)), facts, shared, episodes)


def _facts(graph: Graph, sources: frozenset[str]) -> tuple[list[int], set[str], set[str]]:
    """(numbers of the episodes, facts that they hold up, those of them that others hold up as well)."""
    timeline = graph.timeline
    with graph.lock:
        terms = [found for source in sources if (found := timeline.terms.find(source)) is not None]
        numbers = np.flatnonzero(np.isin(timeline.episodes["source"], terms)) if terms else np.empty(0, np.int64)
        by = timeline.claims["episode"][timeline.supports["claim"]]
        own = np.isin(by, numbers)
        records = np.unique(timeline.supports["record"][own])
        mixed = np.unique(timeline.supports["record"][~own])
        facts = {timeline.fact_id(record) for record in records.tolist()}
        shared = {timeline.fact_id(record) for record in np.intersect1d(records, mixed).tolist()}
    return numbers.tolist(), facts, shared


def _allowed(quads: list[ox.Quad], facts: set[str], shared: set[str], episodes: set[str]) -> Iterator[ox.Quad]:
    """What of an episode's graph may be seen; a quote goes if it may be another source's."""
    asserted = {quad.object for quad in quads if isinstance(quad.object, ox.Triple)
                and isinstance(quad.subject, ox.NamedNode) and quad.subject.value in facts}
    supports = {quad.subject for quad in quads if isinstance(quad.object, ox.Triple) and _held(
        quad.object, facts, episodes)}
    for quad in quads:
        subject, value = quad.subject, quad.object
        if not isinstance(subject, ox.NamedNode):
            continue
        if isinstance(value, ox.NamedNode) and (
                (value.value.startswith(v.EPISODE) and value.value not in episodes)
                or (value.value.startswith(v.FACT) and value.value not in facts)):
            continue
        if subject.value.startswith(v.FACT):
            hidden = quad.predicate.value == v.TCG_QUOTE and subject.value in shared
            if subject.value in facts and not hidden:
                yield quad
        elif subject.value.startswith(v.SUPPORT):
            if subject in supports:
                yield quad
        elif quad.predicate.value in _ABOUT or quad.triple in asserted:
            yield quad


def _held(triple: ox.Triple, facts: set[str], episodes: set[str]) -> bool:
    return (isinstance(triple.subject, ox.NamedNode) and triple.subject.value in facts
            and isinstance(triple.object, ox.NamedNode) and triple.object.value in episodes)
