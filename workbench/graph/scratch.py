"""A scratch dataset: any quads, changed by SPARQL Update and by whole graphs; no part of the episodes' store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import pyoxigraph as ox

from workbench.graph import vocabulary as v
from workbench.graph.endpoint import BadSyntax, graph_term, has_graph, parse_graph
from workbench.graph.functions import functions
from workbench.graph.sparql import tokens
from workbench.model.errors import NotFound, StoreError, UsageError

_REFUSED: Final = {"SERVICE": "queries to other servers", "LOAD": "loading from elsewhere"}


class Scratch:
    """Quads on disk, so that what was acknowledged survives a killed process. One writer: this process.

    Raises:
        StoreError: the folder cannot be opened.
    """

    def __init__(self, folder: str) -> None:
        try:
            self.store = ox.Store(folder)
        except (OSError, RuntimeError) as error:
            raise StoreError(f"cannot open the scratch dataset in {folder}: {error}") from error

    def update(self, text: str, base: str, using: Sequence[str] = (), using_named: Sequence[str] = ()) -> None:
        """Run SPARQL Update as one step: all operations or none.

        Args:
            text: the operations.
            base: what relative IRIs are resolved against.
            using, using_named: graphs of the WHERE clauses, as the protocol gives them.

        Raises:
            BadSyntax, UsageError: not SPARQL Update, refused, or it names graphs itself although some are given.
        """
        for token in tokens(text):
            if (word := (token["word"] or "").upper()) in _REFUSED:
                raise UsageError(f"{word} is refused: {_REFUSED[word]} is not allowed; remove it")
        if using or using_named:
            text = with_using(text, using, using_named)
        try:
            self.store.update(text, base_iri=base, prefixes=v.PREFIXES, custom_functions=functions())
        except SyntaxError as error:
            raise BadSyntax(f"not SPARQL Update: {error.msg}") from error
        except (ValueError, OSError, RuntimeError) as error:
            raise UsageError(f"the update cannot be run, nothing was changed: {error}") from error

    def put(self, graph: str | None, documents: Sequence[tuple[str, bytes]], base: str, *, add: bool = False) -> bool:
        """Replace a graph by the triples of documents, or add them to it, in one step.

        Args:
            graph: its IRI; None = the default graph.
            documents: (media type, content) of each.
            base: what relative IRIs are resolved against.
            add: keep what is there.

        Returns:
            Whether the graph is new.

        Raises:
            BadSyntax: a document is not of its syntax; nothing was changed.
        """
        name, new = graph_term(graph), not has_graph(self.store, graph)
        triples = [triple for media, raw in documents if raw.strip() for triple in parse_graph(raw, media, base)]
        place = "DEFAULT" if isinstance(name, ox.DefaultGraph) else f"GRAPH {name}"
        steps = [] if add else [f"CLEAR SILENT {place}"]
        if isinstance(name, ox.NamedNode):
            steps.append(f"CREATE SILENT {place}")
        if triples:
            body = "".join(f"{triple} .\n" for triple in triples)
            inside = body if isinstance(name, ox.DefaultGraph) else f"{place} {{ {body} }}"
            steps.append(f"INSERT DATA {{ {inside} }}")
        try:
            self.store.update(" ;\n".join(steps))
        except (SyntaxError, ValueError, OSError, RuntimeError) as error:
            raise UsageError(f"the documents cannot be stored: {error}") from error
        return new

    def drop(self, graph: str | None) -> None:
        """Remove a graph.

        Raises:
            NotFound: there is none.
        """
        name = graph_term(graph)
        if not has_graph(self.store, graph):
            raise NotFound(f"there is no graph <{graph}>")
        if isinstance(name, ox.DefaultGraph):
            self.store.clear_graph(name)
        else:
            self.store.remove_graph(name)


def with_using(text: str, using: Sequence[str], named: Sequence[str]) -> str:
    """An update with USING clauses in each operation that has a WHERE.

    Raises:
        UsageError: it has USING or WITH already, or a graph is not an absolute IRI.
    """
    found = list(tokens(text))
    words = [(token["word"] or "").upper() for token in found]
    if "USING" in words or "WITH" in words:
        raise UsageError("the update has USING or WITH, so the request must not name graphs too")
    clause = " ".join([*(f"USING {graph_term(iri)}" for iri in using),
                       *(f"USING NAMED {graph_term(iri)}" for iri in named)])
    return "".join(_injected(text, [(token.start(), token.group()) for token in found], words, clause))


def _injected(text: str, found: list[tuple[int, str]], words: list[str], clause: str) -> Iterator[str]:
    """The text with the clause before each WHERE of an operation; `DELETE WHERE` becomes its long form."""
    at = depth = 0
    for number, (start, token) in enumerate(found):
        depth += {"{": 1, "}": -1}.get(token, 0)
        if depth or words[number] != "WHERE":
            continue
        before = next((words[i] for i in range(number - 1, -1, -1) if not _skipped(found[i][1])), "")
        if before == "DELETE":
            pattern = _block(text, found, number)
            yield f"{text[at:start]}{pattern} {clause} "
        else:
            yield f"{text[at:start]}{clause} "
        at = start
    yield text[at:]


def _skipped(token: str) -> bool:
    return not token.strip() or token.startswith("#")


def _block(text: str, found: list[tuple[int, str]], number: int) -> str:
    """The group in braces after a token."""
    depth, begin = 0, -1
    for start, token in found[number + 1:]:
        if token == "{":
            begin = start if begin < 0 else begin
            depth += 1
        elif token == "}":
            depth -= 1
            if depth == 0:
                return text[begin:start + 1]
    raise BadSyntax("not SPARQL Update: a brace is not closed")
