"""Queries answered as bytes: checked, run, and written by the engine in the syntax that fits, within rows and bytes.

Nothing here knows HTTP; whoever serves hands in what it offers to take (`Choose`) and where bytes go (`Sink`).
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import IO, Any, Final, Protocol, cast

import pyoxigraph as ox

from workbench.graph import sparql
from workbench.graph import vocabulary as v
from workbench.graph.functions import functions
from workbench.graph.result import Solutions
from workbench.model.errors import NotFound, UsageError, WorkbenchError

ARROW: Final = "application/vnd.apache.arrow.file"
PARQUET: Final = "application/vnd.apache.parquet"
JSON_LD: Final = "application/ld+json"

SOLUTION_TYPES: Final = (
    "application/sparql-results+json", "application/sparql-results+xml", "text/csv", "text/tab-separated-values",
    "application/json", "application/xml", "text/xml", ARROW, PARQUET)
"""What SELECT is offered as, the default first."""
BOOLEAN_TYPES: Final = SOLUTION_TYPES[:7]
GRAPH_TYPES: Final = (
    "text/turtle", "application/n-triples", "application/rdf+xml", JSON_LD, "application/trig", "application/n-quads",
    "text/n3", "text/plain")
"""What CONSTRUCT, DESCRIBE and graphs are offered as, the default first."""
DATASET_TYPES: Final = ("application/trig", "application/n-quads")
GRAPH_INPUT: Final = ("text/turtle", "application/n-triples", "application/rdf+xml", JSON_LD, "text/n3", "text/plain")

_RESULTS: Final = {
    "application/sparql-results+json": ox.QueryResultsFormat.JSON, "application/json": ox.QueryResultsFormat.JSON,
    "application/sparql-results+xml": ox.QueryResultsFormat.XML, "application/xml": ox.QueryResultsFormat.XML,
    "text/xml": ox.QueryResultsFormat.XML, "text/csv": ox.QueryResultsFormat.CSV,
    "text/tab-separated-values": ox.QueryResultsFormat.TSV}
_GRAPHS: Final = {
    "text/turtle": ox.RdfFormat.TURTLE, "application/n-triples": ox.RdfFormat.N_TRIPLES,
    "application/rdf+xml": ox.RdfFormat.RDF_XML, JSON_LD: ox.RdfFormat.JSON_LD, "application/trig": ox.RdfFormat.TRIG,
    "application/n-quads": ox.RdfFormat.N_QUADS, "text/n3": ox.RdfFormat.N3, "text/plain": ox.RdfFormat.N_TRIPLES}
_PREFIXED: Final = frozenset({"text/turtle", "application/trig", "text/n3"})
_PLACE: Final = re.compile(r"(?:error at |line )(\d+)(?::| column )(\d+)")

Choose = Callable[[Sequence[str]], str]
"""Picks one of the offered media types, the default first, or raises."""


class BadSyntax(UsageError):
    """A text that is not of its language.

    Attributes:
        line, column: where, from 1; None if the parser does not say.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        found = _PLACE.search(message)
        self.line: int | None = int(found[1]) if found else None
        self.column: int | None = int(found[2]) if found else None


class Unsayable(UsageError):
    """The chosen syntax cannot say this answer."""


class OverBudget(WorkbenchError):
    """The answer is larger than allowed.

    Attributes:
        what: `rows` or `bytes`.
        limit: how many are allowed.
    """

    def __init__(self, what: str, limit: int) -> None:
        super().__init__(f"the answer has more than {limit:,} {what}; ask for less, or page with LIMIT and OFFSET")
        self.what, self.limit = what, limit


class Sink(Protocol):
    """Where an answer goes."""

    def start(self, media_type: str) -> None:
        """Say what comes."""
        ...

    def write(self, data: bytes, /) -> int:
        """Take bytes; raises `OverBudget` to stop."""
        ...

    def flush(self) -> None:
        """Called by the engine at the end."""
        ...


@dataclass(frozen=True)
class Dataset:
    """The graphs that a query may see, as IRIs; both empty = the store's own."""

    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()

    def keywords(self) -> dict[str, Any]:
        """As arguments of the engine.

        With any graph given, both are set: what is not named is empty, as the protocol has it.

        Raises:
            UsageError: not an absolute IRI.
        """
        if not self.default and not self.named:
            return {}
        try:
            default = [ox.NamedNode(iri) for iri in self.default]
            named = [ox.NamedNode(iri) for iri in self.named]
        except ValueError as error:
            raise UsageError(f"a graph of the dataset is not an absolute IRI: {error}") from error
        # with an empty list the engine takes the store's own default graph; a graph that cannot exist is empty
        return {"default_graph": default or [ox.BlankNode()], "named_graphs": named}


def answer(store: ox.Store, query: str, choose: Choose, sink: Sink, *, dataset: Dataset | None = None,
           base: str | None = None) -> None:
    """Run a query and write its answer to a sink.

    Args:
        store: where.
        query: SPARQL 1.1 or 1.2; the project's prefixes are declared already.
        choose: picks the syntax once it is known whether the answer is solutions, a boolean or a graph.
        sink: takes the bytes.
        dataset: the graphs to see.
        base: what relative IRIs are resolved against.

    Raises:
        BadSyntax, UsageError: not SPARQL, or refused.
        Unsayable: the syntax has no form for a term of the answer.
        OverBudget: raised by the sink.
    """
    sparql.check(query)
    keywords = {} if dataset is None else dataset.keywords()
    try:
        found = store.query(query, base_iri=base, prefixes=v.PREFIXES, custom_functions=_functions(), **keywords)
    except SyntaxError as error:
        raise BadSyntax(f"not SPARQL: {error.msg}") from error
    except ValueError as error:
        raise UsageError(f"the query cannot be run: {error}") from error
    if isinstance(found, ox.QueryTriples):
        media = choose(GRAPH_TYPES)
        sink.start(media)
        _say(media, lambda: found.serialize(_file(sink), format=_GRAPHS[media]))
        return
    boolean = not isinstance(found, ox.QuerySolutions)
    media = choose(BOOLEAN_TYPES if boolean else SOLUTION_TYPES)
    sink.start(media)
    if isinstance(found, ox.QuerySolutions) and media in (ARROW, PARQUET):
        _columns(found, media, sink)
    else:
        found.serialize(_file(sink), format=_RESULTS[media])


@lru_cache(maxsize=1)
def _functions() -> dict[ox.NamedNode, Any]:
    return functions()


def _file(sink: Sink) -> IO[bytes]:
    """The engine only writes and flushes."""
    return cast(IO[bytes], sink)


def _say(media: str, write: Callable[[], object]) -> None:
    try:
        write()
    except OSError as error:
        if "does not support" not in str(error):
            raise
        raise Unsayable(f"{media} has no form for the triple terms of this answer; take text/turtle, or CONSTRUCT "
                        "plain triples") from error


def _columns(found: ox.QuerySolutions, media: str, sink: Sink) -> None:
    """Arrow and Parquet have their index at the end, so they are made whole; the budget counts rows before that."""
    names = tuple(variable.value for variable in found.variables)
    rows = []
    for row in found:
        rows.append(tuple(row[i] for i in range(len(names))))
        if len(rows) % 1_000 == 0 and hasattr(sink, "count"):
            sink.count(1_000)
    if hasattr(sink, "count"):
        sink.count(len(rows) % 1_000)
    frame, out = Solutions(names, tuple(rows)).frame(), io.BytesIO()
    if media == ARROW:
        frame.write_ipc(out)
    else:
        frame.write_parquet(out)
    sink.write(out.getbuffer().tobytes())


def graph_term(graph: str | None) -> ox.NamedNode | ox.DefaultGraph:
    """A graph's name as a term; None = the default graph.

    Raises:
        UsageError: not an absolute IRI.
    """
    try:
        return ox.DefaultGraph() if graph is None else ox.NamedNode(graph)
    except ValueError as error:
        raise UsageError(f"{graph!r} is not an absolute IRI: {error}") from error


def has_graph(store: ox.Store, graph: str | None) -> bool:
    """Whether a graph exists; the default graph always does."""
    name = graph_term(graph)
    return isinstance(name, ox.DefaultGraph) or store.contains_named_graph(name)


def write_graph(store: ox.Store, graph: str | None, choose: Choose, sink: Sink) -> None:
    """One graph in the chosen syntax.

    Raises:
        NotFound: there is no such graph.
        Unsayable: the syntax has no form for its terms.
    """
    if not has_graph(store, graph):
        raise NotFound(f"there is no graph <{graph}>")
    media = choose(GRAPH_TYPES)
    sink.start(media)
    prefixes = v.PREFIXES if media in _PREFIXED else None
    _say(media, lambda: store.dump(_file(sink), format=_GRAPHS[media], from_graph=graph_term(graph), prefixes=prefixes))


def write_dataset(store: ox.Store, choose: Choose, sink: Sink) -> None:
    """All graphs of a store."""
    media = choose(DATASET_TYPES)
    sink.start(media)
    store.dump(_file(sink), format=_GRAPHS[media], prefixes=v.PREFIXES if media in _PREFIXED else None)


def write_quads(quads: Iterable[ox.Quad], choose: Choose, sink: Sink) -> None:
    """Some quads: in a syntax with graphs as they are, else as triples."""
    media = choose(GRAPH_TYPES)
    sink.start(media)
    named = media in DATASET_TYPES
    rows = list(quads) if named else list(dict.fromkeys(quad.triple for quad in quads))
    prefixes = v.PREFIXES if media in _PREFIXED else None
    _say(media, lambda: ox.serialize(rows, _file(sink), format=_GRAPHS[media], prefixes=prefixes))


def convert(lines: Iterable[str], media: str) -> bytes:
    """N-Triples lines in another syntax."""
    triples = [quad.triple for quad in ox.parse(input="".join(lines).encode(), format=ox.RdfFormat.N_TRIPLES)]
    raw = ox.serialize(triples, format=_GRAPHS[media], prefixes=v.PREFIXES if media in _PREFIXED else None)
    assert raw is not None
    return raw


def parse_graph(raw: bytes, media: str, base: str) -> list[ox.Triple]:
    """The triples of a document.

    Raises:
        BadSyntax: it is not of that syntax; with line and column.
    """
    try:
        return [quad.triple for quad in ox.parse(input=raw, format=_GRAPHS[media], base_iri=base,
                                                   rename_blank_nodes=True)]
    except (SyntaxError, ValueError) as error:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        raise BadSyntax(f"not {media}: {message}") from error
