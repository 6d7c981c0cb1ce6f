"""Parquet: quads, facts and episodes as tables, in parts of bounded size, with a page on what the columns are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl
import pyoxigraph as ox

from workbench.graph.exchange.writing import stored_lines
from workbench.graph.facts import Facts, Part
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.model.errors import UsageError
from workbench.model.time import Instant

PART: Final = 200_000
PAGE: Final = """# Tables of a temporal context graph

Read a folder as one table, for example `polars.read_parquet("facts/*.parquet")`. Instants are UTC; null where an end is
open, unknown or beyond the years 1 to 9999 (the quads hold it exactly).

* `quads`: a row is a quad, terms in N-Triples form; together they are the whole store.
  Columns: subject, predicate, object, graph ("" = the catalogue).
* `facts`: a row is a version of a belief, past ones too.
  Columns: subject, relation, object or value, valid_from, valid_to (`[from, to)`), valid_from_latest (an unknown start
  is no later), known_from, known_to, confidence, status, recorded_in (the episode), and the IRIs.
* `episodes`: a row is an input.
  Columns: id, sequence, kind, observed_at, recorded_at, source, session, speaker, text, record (JSON), program,
  claims (how many).
"""


def write_tables(graph: Graph, schema: SchemaIndex, folder: Path) -> None:
    """Write `quads/`, `facts/`, `episodes/` and `README.md` into a new folder.

    Raises:
        UsageError: the folder is not empty.
    """
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty; give a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "README.md").write_text(PAGE, "utf-8")
    for name, frames in (("quads", _quads(graph)), ("facts", _facts(graph, schema)), ("episodes", _episodes(graph))):
        (folder / name).mkdir()
        for number, frame in enumerate(frames):
            frame.write_parquet(folder / name / f"part-{number:05d}.parquet")


def _batches(lines: Iterable[str]) -> Iterator[list[str]]:
    stream = iter(lines)
    while batch := list(islice(stream, PART)):
        yield batch


def _quads(graph: Graph) -> Iterator[pl.DataFrame]:
    for batch in _batches(stored_lines(graph.quads)):
        rows = [(str(quad.subject), str(quad.predicate),
                 f"<<( {quad.object} )>>" if isinstance(quad.object, ox.Triple) else str(quad.object),
                 "" if isinstance(quad.graph_name, ox.DefaultGraph) else str(quad.graph_name))
                for quad in ox.parse("".join(batch).encode(), format=ox.RdfFormat.N_QUADS)]
        yield pl.DataFrame(rows, schema=dict.fromkeys(("subject", "predicate", "object", "graph"), pl.String),
                           orient="row")


def _facts(graph: Graph, schema: SchemaIndex) -> Iterator[pl.DataFrame]:
    for start in range(0, max(1, graph.timeline.records.n), PART):
        rows = np.arange(start, min(start + PART, graph.timeline.records.n), dtype=np.int64)
        yield Facts(graph, schema, [Part(rows)], None).frame()


def _episodes(graph: Graph) -> Iterator[pl.DataFrame]:
    columns = {"id": pl.String, "sequence": pl.Int64, "kind": pl.String, "observed_at": pl.Int64,
               "recorded_at": pl.Int64, "source": pl.String, "session": pl.String, "speaker": pl.String,
               "text": pl.String, "record": pl.String, "program": pl.String, "claims": pl.Int64}
    catalogue = iter(graph.catalogue())
    while batch := list(islice(catalogue, PART // 10)):
        rows = []
        for sequence, identifier in batch:
            found = graph.entry(identifier)
            assert found is not None
            entry, episode = found[1], found[1].episode
            rows.append((episode.id, sequence, str(episode.kind), _inside(entry.observed), _inside(entry.recorded),
                         episode.source, episode.session, episode.speaker, episode.text,
                         None if episode.record is None else _json(episode.record), entry.program, len(entry.claims)))
        yield pl.DataFrame(rows, schema=columns, orient="row").with_columns(
            pl.col("observed_at", "recorded_at").cast(pl.Datetime("us", "UTC")))


def _inside(instant: Instant) -> int | None:
    return int(instant) if Instant.of(1) <= instant < Instant.of(10_000) else None


def _json(record: object) -> str:
    return json.dumps(record, ensure_ascii=False, sort_keys=True)


def lines_of_tables(folder: Path) -> Iterator[str]:
    """The quads of an exported folder as N-Quads lines.

    Raises:
        UsageError: it holds no such table.
    """
    parts = sorted((folder / "quads").glob("*.parquet"))
    if not parts:
        raise UsageError(f"{folder} holds no quads/*.parquet; give a folder that "
                         "`workbench export --syntax parquet` made")
    for part in parts:
        for subject, predicate, value, graph in pl.read_parquet(part).iter_rows():
            yield f"{subject} {predicate} {value}{' ' + graph if graph else ''} .\n"
