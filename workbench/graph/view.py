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
            raw = "".join(_lines(graph, schema, rows, vantage)).encode()
        self._store.bulk_load(input=raw, format=ox.RdfFormat.N_QUADS)

    @property
    def store(self) -> ox.Store:
        """The engine's store, not to be written to."""
        return self._store

    def query(self, query: str) -> Solutions | Triples:
        """Run SPARQL on the view.

        Raises:
            UsageError: refused, or not SPARQL.
        """
        return sparql.run(self._store, query)

    def lines(self, *, named: bool = True) -> Iterator[str]:
        """N-Quads lines; without `named` only the default graph, which holds every fact once."""
        raw = self._store.dump(format=ox.RdfFormat.N_QUADS) if named else self._store.dump(
            format=ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph())
        assert raw is not None
        for line in raw.decode("utf-8").splitlines():
            yield f"{line}\n"

    def turtle(self) -> str:
        """The default graph as Turtle, for tools that know no RDF 1.2."""
        raw = self._store.dump(format=ox.RdfFormat.TURTLE, from_graph=ox.DefaultGraph(), prefixes=v.PREFIXES)
        assert raw is not None
        return raw.decode("utf-8")

    def __len__(self) -> int:
        return self.facts


def _lines(graph: Graph, schema: SchemaIndex, rows: Rows, vantage: Vantage) -> Iterator[str]:
    """The view as N-Quads; half the time of building quad objects. Terms are written by the engine, once each."""
    timeline = graph.timeline
    terms = timeline.terms
    columns = [timeline.records.take(name, rows) for name in ("s", "r", "o")]
    entities = {term: terms[term] for term in np.unique(np.concatenate((columns[0], columns[2]))).tolist()}
    texts = {term: str(codec.term(text)) for term, text in entities.items()}
    ways = {term: _ways(schema, terms[term]) for term in np.unique(columns[1]).tolist()}
    episodes = _episodes(graph, rows, vantage)
    for row, s, r, o in zip(rows.tolist(), *(column.tolist() for column in columns), strict=True):
        for predicate, turned in ways[r]:
            first, last = (texts[o], texts[s]) if turned else (texts[s], texts[o])
            if first[0] == "<":
                triple = f"{first} {predicate} {last} "
                yield f"{triple}.\n"
                for place in episodes.get(row, ()):
                    yield f"{triple}{place} .\n"
    things = np.array([term for term, text in texts.items() if text[0] == "<"], dtype=np.int64)
    for table, column, predicate in (("names", "label", v.RDFS_LABEL), ("types", "type", v.RDF_TYPE)):
        told = timeline.told_of(table, column, things, vantage.known_at)
        said = {term: str(ox.Literal(terms[term]) if table == "names" else codec.node(terms[term]))
                for term in {term for _, term in told}}
        between = f" {codec.node(predicate)} "
        yield from (f"{texts[entity]}{between}{said[term]} .\n" for entity, term in told)


def _episodes(graph: Graph, rows: Rows, vantage: Vantage) -> dict[int, list[str]]:
    """The graphs of the episodes that state or confirm each record, as known at the vantage."""
    timeline = graph.timeline
    supports = timeline.rows_of_many("support_of", rows)
    supports = supports[timeline.supports.take("kf", supports) <= vantage.known_at]
    records = timeline.supports.take("record", supports)
    numbers = timeline.claims.take("episode", timeline.supports.take("claim", supports))
    graphs = {number: str(ox.NamedNode(v.episode_iri(timeline.episode_id(number))))
              for number in np.unique(numbers).tolist()}
    found: dict[int, list[str]] = {}
    for record, number in dict.fromkeys(zip(records.tolist(), numbers.tolist(), strict=True)):
        found.setdefault(record, []).append(graphs[number])
    return found


def _ways(schema: SchemaIndex, iri: str) -> list[tuple[str, bool]]:
    """The predicates under which a relation is shown, in N-Triples form, and whether subject and object change."""
    relation = schema.by_iri(iri)
    turned = [relation] if relation.symmetric else list(schema.inverses(relation))
    return [(str(codec.node(iri)), False), *((str(codec.node(other.iri)), True) for other in turned)]
