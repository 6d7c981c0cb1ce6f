"""Views: the plain graph of what is true from one vantage, on which any SPARQL query runs as if time did not exist."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyoxigraph as ox

from workbench.graph import codec, sparql
from workbench.graph import vocabulary as v
from workbench.graph.columns import Rows
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.graph.result import Solutions, Triples
from workbench.model.time import Vantage


class View:
    """A frozen graph: every true fact as a plain triple, in the default graph and in the graph of each episode that
    states or confirms it; symmetric and inverse relations in both directions; labels and types of what occurs.

    Attributes:
        vantage: what it shows.
        facts: how many facts hold.
    """

    def __init__(self, graph: Graph, schema: SchemaIndex, vantage: Vantage) -> None:
        self.vantage = vantage
        self._store = ox.Store()
        with graph.lock:
            rows = graph.timeline.slice(vantage.valid_at, vantage.known_at)
            self.facts = len(rows)
            self._store.bulk_extend(_quads(graph, schema, rows, vantage))

    def query(self, query: str) -> Solutions | Triples:
        """Run SPARQL on the view.

        Raises:
            UsageError: refused, or not SPARQL.
        """
        return sparql.run(self._store, query)

    def turtle(self) -> str:
        """The default graph as Turtle, for tools that know no RDF 1.2."""
        raw = self._store.dump(format=ox.RdfFormat.TURTLE, from_graph=ox.DefaultGraph(), prefixes=v.PREFIXES)
        assert raw is not None
        return raw.decode("utf-8")

    def __len__(self) -> int:
        return self.facts


def _quads(graph: Graph, schema: SchemaIndex, rows: Rows, vantage: Vantage) -> Iterator[ox.Quad]:
    timeline = graph.timeline
    terms, home = timeline.terms, ox.DefaultGraph()
    columns = [timeline.records.take(name, rows) for name in ("s", "r", "o")]
    nodes = {term: codec.term(terms[term]) for term in np.unique(np.concatenate((columns[0], columns[2]))).tolist()}
    ways = {term: _ways(schema, terms[term]) for term in np.unique(columns[1]).tolist()}
    episodes = _episodes(graph, rows, vantage)
    for row, s, r, o in zip(rows.tolist(), *(column.tolist() for column in columns), strict=True):
        for predicate, turned in ways[r]:
            first, last = (nodes[o], nodes[s]) if turned else (nodes[s], nodes[o])
            if isinstance(first, ox.NamedNode):
                yield ox.Quad(first, predicate, last, home)
                for place in episodes.get(row, ()):
                    yield ox.Quad(first, predicate, last, place)
    label, kind_of = codec.node(v.RDFS_LABEL), codec.node(v.RDF_TYPE)
    for term, node in nodes.items():
        if isinstance(node, ox.NamedNode):
            for name in timeline.labels_of(term, vantage.known_at):
                yield ox.Quad(node, label, ox.Literal(terms[name]), home)
            for kind, _ in timeline.types_of_entity(term, vantage.known_at):
                yield ox.Quad(node, kind_of, codec.node(kind), home)


def _episodes(graph: Graph, rows: Rows, vantage: Vantage) -> dict[int, list[ox.NamedNode]]:
    """The graphs of the episodes that state or confirm each record, as known at the vantage."""
    timeline = graph.timeline
    wanted = np.zeros(timeline.records.n, dtype=bool)
    wanted[rows] = True
    supports = np.flatnonzero(wanted[timeline.supports["record"]] & (timeline.supports["kf"] <= vantage.known_at))
    records = timeline.supports.take("record", supports)
    numbers = timeline.claims.take("episode", timeline.supports.take("claim", supports))
    graphs = {number: ox.NamedNode(v.episode_iri(timeline.episode_id(number)))
              for number in np.unique(numbers).tolist()}
    found: dict[int, list[ox.NamedNode]] = {}
    for record, number in dict.fromkeys(zip(records.tolist(), numbers.tolist(), strict=True)):
        found.setdefault(record, []).append(graphs[number])
    return found


def _ways(schema: SchemaIndex, iri: str) -> list[tuple[ox.NamedNode, bool]]:
    relation = schema.by_iri(iri)
    turned = [relation] if relation.symmetric else list(schema.inverses(relation))
    return [(codec.node(iri), False), *((codec.node(other.iri), True) for other in turned)]
