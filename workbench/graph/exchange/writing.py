"""Quads out: as N-Quads, TriG or JSON-LD, in any dialect, from a stream; nothing is held in memory but a line."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import IO, Final

import pyoxigraph as ox

from workbench.graph import vocabulary as v
from workbench.graph.exchange.dialects import Dialect, to_dialect
from workbench.graph.quads import QuadStore
from workbench.model.errors import UsageError


class Syntax(StrEnum):
    """How quads are written to a file."""

    NQUADS = "nquads"
    TRIG = "trig"
    TURTLE = "turtle"
    JSONLD = "jsonld"


_FORMATS: Final = {Syntax.NQUADS: ox.RdfFormat.N_QUADS, Syntax.TRIG: ox.RdfFormat.TRIG,
                   Syntax.TURTLE: ox.RdfFormat.TURTLE, Syntax.JSONLD: ox.RdfFormat.JSON_LD}
MEDIA_TYPES: Final = {syntax: form.media_type for syntax, form in _FORMATS.items()}


def stored_lines(quads: QuadStore) -> Iterator[str]:
    """All quads as N-Quads lines, in the engine's order, through a temporary file."""
    with tempfile.TemporaryFile() as spool:
        quads.store.dump(spool, format=ox.RdfFormat.N_QUADS)
        spool.seek(0)
        for line in spool:
            yield line.decode("utf-8")


def write_quads(quads: QuadStore, out: IO[bytes], syntax: Syntax, dialect: Dialect = Dialect.RDF12) -> None:
    """Write a whole store.

    Args:
        quads: the store.
        out: a binary stream.
        syntax: of the file; Turtle has no named graphs, so it is for views only.
        dialect: JSON-LD knows no triple terms, so it takes `reification`; `rdf-star` is for N-Quads.

    Raises:
        UsageError: the syntax cannot say that dialect.
    """
    if syntax is Syntax.TURTLE:
        raise UsageError("turtle has no named graphs; export a view (--valid-at), or take trig or nquads")
    if dialect is Dialect.STAR and syntax is not Syntax.NQUADS:
        raise UsageError(f"rdf-star is written as nquads, not as {syntax}")
    if syntax is Syntax.JSONLD and dialect is not Dialect.REIFICATION:
        raise UsageError("json-ld has no triple terms; take --dialect reification")
    if syntax is Syntax.NQUADS and dialect is Dialect.RDF12:
        quads.store.dump(out, format=ox.RdfFormat.N_QUADS)
    elif dialect is Dialect.RDF12:
        quads.store.dump(out, format=_FORMATS[syntax], prefixes=v.PREFIXES)
    else:
        write_lines(to_dialect(stored_lines(quads), dialect), out, syntax)


def write_lines(lines: Iterable[str], out: IO[bytes], syntax: Syntax) -> None:
    """Write N-Quads lines in a syntax."""
    if syntax is Syntax.NQUADS:
        for line in lines:
            out.write(line.encode("utf-8"))
        return
    with tempfile.NamedTemporaryFile(suffix=".nq") as spool:
        for line in lines:
            spool.write(line.encode("utf-8"))
        spool.flush()
        parsed = ox.parse(path=spool.name, format=ox.RdfFormat.N_QUADS)
        if syntax is Syntax.TURTLE:
            ox.serialize((quad.triple for quad in parsed), out, format=ox.RdfFormat.TURTLE, prefixes=v.PREFIXES)
        else:
            prefixes = v.PREFIXES if syntax is Syntax.TRIG else None
            ox.serialize(parsed, out, format=_FORMATS[syntax], prefixes=prefixes)


def read_lines(path: Path) -> Iterator[str]:
    """The quads of a file as N-Quads lines; the syntax is told by the name.

    Raises:
        UsageError: unknown name, or not of that syntax; the message says where.
    """
    if path.suffix in (".nq", ".nquads", ".nqs"):
        with path.open(encoding="utf-8") as stream:
            yield from stream
        return
    form = {".trig": ox.RdfFormat.TRIG, ".jsonld": ox.RdfFormat.JSON_LD}.get(path.suffix)
    if form is None:
        raise UsageError(f"{path}: unknown kind of file; .nq, .trig and .jsonld are read")
    try:
        for quad in ox.parse(path=str(path), format=form):
            yield f"{quad} .\n"
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"{path} is no {form.name}: {error}") from error
