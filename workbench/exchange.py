"""Stores out to files and back: what is written where, and how a store is made from it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import IO, Any

from workbench.api import Workbench
from workbench.care import verify
from workbench.graph.exchange.dialects import Dialect, from_dialects
from workbench.graph.exchange.ontologies import owl_time_lines, prov_lines
from workbench.graph.exchange.patch import difference_lines, patch_lines
from workbench.graph.exchange.tables import lines_of_tables, write_tables
from workbench.graph.exchange.writing import Syntax, read_lines, write_lines, write_quads
from workbench.graph.home import Home
from workbench.graph.quads import QuadStore
from workbench.graph.schema_json import default_schema
from workbench.model.errors import StoreError, UsageError
from workbench.model.schema import Schema
from workbench.model.time import Instant


class Content(StrEnum):
    """What of a store is exported."""

    QUADS = "quads"
    VIEW = "view"
    PROV = "prov"
    OWL_TIME = "owl-time"


def export(wb: Workbench, out: IO[bytes], content: Content, syntax: Syntax, dialect: Dialect = Dialect.RDF12,
           valid_at: Instant | None = None, known_at: Instant | None = None) -> None:
    """Write a store to a stream, without holding more than a line or a batch of it.

    Args:
        wb: the store.
        out: a binary stream.
        content: all quads; the plain graph of what is true from a vantage; or all versions in the words of PROV-O or
            OWL-Time.
        syntax, dialect: how; a view and the vocabularies have no triple terms, so every dialect is the same there.
        valid_at, known_at: the vantage of a view; default: now.

    Raises:
        UsageError: that syntax cannot say it.
    """
    if content is Content.QUADS:
        write_quads(wb.graph.quads, out, syntax, dialect)
    elif content is Content.VIEW:
        write_lines(wb.at(valid_at, known_at).lines(named=syntax is not Syntax.TURTLE), out, syntax)
    else:
        lines = prov_lines if content is Content.PROV else owl_time_lines
        write_lines(lines(wb.graph, wb.schema), out, syntax)


def export_tables(wb: Workbench, folder: Path) -> None:
    """Quads, facts and episodes as Parquet in a new folder."""
    write_tables(wb.graph, wb.schema, folder)


def export_patch(wb: Workbench, out: IO[bytes], after: Instant, until: Instant, content: Content = Content.QUADS,
                 valid_at: Instant | None = None) -> None:
    """What changed in `(after, until]` of knowledge time, as RDF Patch.

    Args:
        wb: the store.
        out: a binary stream.
        after, until: instants of knowledge time.
        content: `quads` are only ever added; of the `view` at `valid_at` (default: now) some go and some come.

    Raises:
        UsageError: the second instant is before the first, or another content.
    """
    if content is Content.VIEW:
        views = [wb.at(valid_at, known).lines() for known in (after, until)]
        lines = difference_lines(*views)
    elif content is Content.QUADS:
        lines = patch_lines(wb.graph, after, until)
    else:
        raise UsageError(f"there is no patch of {content}; take quads or view")
    for line in lines:
        out.write(line.encode("utf-8"))


def import_store(source: Path, to: Path, schema: Schema | None = None) -> dict[str, Any]:
    """Make a store from what `export` or `export_tables` wrote of another's quads, in any dialect.

    Args:
        source: a file (.nq, .trig, .jsonld) or a folder of tables.
        to: a new folder.
        schema: what the store began with; None = the default schema. It is no part of the quads; with another one
            the findings say that facts are not what the claims give.

    Returns:
        How many episodes, records and quads there are, and the findings of a deep check, empty if all is well.

    Raises:
        UsageError, StoreError: not readable, or the folder is not new; nothing is left behind.
    """
    if not source.exists():
        raise UsageError(f"{source} is not there")
    if to.exists() and any(to.iterdir()):
        raise UsageError(f"{to} is not empty; give a new folder")
    lines = lines_of_tables(source) if source.is_dir() else read_lines(source)
    fresh = not to.exists()
    try:
        home = Home.create(to, schema or default_schema())
        _load(home, from_dialects(lines))
        with Workbench.open(to) as wb:
            if not wb.graph.episodes:
                raise UsageError(f"{source} holds no episode; only an export of quads can be taken in again")
            return {"episodes": wb.graph.episodes, "records": wb.graph.timeline.records.n,
                    "quads": len(wb.graph.quads), "findings": verify(wb, deep=True)}
    except BaseException:
        shutil.rmtree(to, ignore_errors=True)
        if not fresh:
            to.mkdir()
        raise


def _load(home: Home, lines: Iterator[str]) -> None:
    quads = QuadStore(home.generation / "quads")
    try:
        with tempfile.NamedTemporaryFile("w", suffix=".nq", encoding="utf-8") as spool:
            spool.writelines(lines)
            spool.flush()
            quads.load_file(Path(spool.name))
    except OSError as error:
        raise StoreError(f"cannot write to {home.folder}: {error.strerror or error}") from error
    finally:
        quads.close()
