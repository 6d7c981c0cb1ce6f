"""Views: the plain graph of what is true from one vantage, on which any SPARQL query runs as if time did not exist."""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox

from workbench.graph import codec, sparql
from workbench.graph import vocabulary as v
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
            self._store.bulk_extend(_quads(graph, schema, rows.tolist(), vantage))

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


def _quads(graph: Graph, schema: SchemaIndex, rows: list[int], vantage: Vantage) -> Iterator[ox.Quad]:
    timeline = graph.timeline
    terms, get = timeline.terms, timeline.records.get
    home = ox.DefaultGraph()
    nodes: dict[int, codec.Term] = {}
    graphs: dict[int, ox.NamedNode] = {}
    ways: dict[int, list[tuple[ox.NamedNode, bool]]] = {}

    def node(term: int) -> codec.Term:
        if term not in nodes:
            nodes[term] = codec.term(terms[term])
        return nodes[term]

    for row in rows:
        s, r, o = get("s", row), get("r", row), get("o", row)
        if r not in ways:
            ways[r] = _ways(schema, terms[r])
        places = [home]
        for support in timeline.rows("support_of", row).tolist():
            if timeline.supports.get("kf", support) <= vantage.known_at:
                number = timeline.claims.get("episode", timeline.supports.get("claim", support))
                if number not in graphs:
                    graphs[number] = ox.NamedNode(v.episode_iri(timeline.episode_id(number)))
                places.append(graphs[number])  # type: ignore[arg-type]
        subject, value = node(s), node(o)
        for predicate, turned in ways[r]:
            first, last = (value, subject) if turned else (subject, value)
            if isinstance(first, ox.NamedNode):
                for place in places:
                    yield ox.Quad(first, predicate, last, place)
    for term, text in nodes.items():
        if isinstance(text, ox.NamedNode):
            for label in timeline.labels_of(term, vantage.known_at):
                yield ox.Quad(text, codec.node(v.RDFS_LABEL), ox.Literal(terms[label]), home)
            for kind, _ in timeline.types_of_entity(term, vantage.known_at):
                yield ox.Quad(text, codec.node(v.RDF_TYPE), codec.node(kind), home)


def _ways(schema: SchemaIndex, iri: str) -> list[tuple[ox.NamedNode, bool]]:
    relation = schema.by_iri(iri)
    turned = [relation] if relation.symmetric else list(schema.inverses(relation))
    return [(codec.node(iri), False), *((codec.node(other.iri), True) for other in turned)]
