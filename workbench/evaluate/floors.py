"""What the speed suite measures against, on the same facts in the same run.

`SqliteFloor` is what a careful programmer writes by hand: one table with four times as integers, indexes for both
ends, names resolved by a second table. `PolarsFloor` is the plain columnar filter. Raw writing of the store's own
quads goes straight to the engine.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from workbench.evaluate.workload import HUB, Question
from workbench.graph import codec, forms
from workbench.graph.facts import label_or_iri
from workbench.graph.quads import QuadStore
from workbench.graph.vocabulary import PREFIXES
from workbench.model.time import Instant

if TYPE_CHECKING:
    from workbench.api import Workbench

COLUMNS: Final = ("s", "r", "o", "vf", "vt", "kf", "kt")


def as_of_text(subject_iri: str, relation_iri: str | None, question: Question) -> str:
    """The text in SPARQL of an entity's facts, or of a slot's, from the question's vantage."""
    terms: dict[str, codec.Term] = {"s": codec.node(subject_iri)}
    if relation_iri is not None:
        terms["p"] = codec.node(relation_iri)
    return forms.bound("as_of", terms | {"valid": codec.moment(question.valid_at),
                                         "known": codec.moment(question.known_at)})


def raw_query(bench: Workbench, text: str) -> list[Any]:
    """The rows that the engine itself gives."""
    store: Any = bench.graph.quads.store
    return list(store.query(text, prefixes=PREFIXES))


def records_frame(bench: Workbench) -> pl.DataFrame:
    """All records of a store: ids of subject, relation and object, and the four instants in microseconds."""
    records = bench.graph.timeline.records
    return pl.DataFrame({name: records[name].copy() for name in COLUMNS})


class PolarsFloor:
    """A frame and a filter."""

    def __init__(self, frame: pl.DataFrame, ids: dict[str, int]) -> None:
        self.frame, self.ids = frame, ids

    def time_slice(self, valid_at: Instant, known_at: Instant) -> pl.DataFrame:
        """All that holds at a vantage."""
        valid, known = int(valid_at), int(known_at)
        return self.frame.filter((pl.col("vf") <= valid) & (pl.col("vt") > valid)
                                 & (pl.col("kf") <= known) & (pl.col("kt") > known))

    def entity(self, subject: str, valid_at: Instant, known_at: Instant) -> pl.DataFrame:
        """All that holds of one subject at a vantage."""
        valid, known = int(valid_at), int(known_at)
        return self.frame.filter((pl.col("s") == self.ids[subject]) & (pl.col("vf") <= valid) & (pl.col("vt") > valid)
                                 & (pl.col("kf") <= known) & (pl.col("kt") > known))

    def hub(self, question: Question) -> pl.DataFrame:
        """The hub's facts."""
        return self.entity(HUB, question.valid_at, question.known_at)


_TABLES: Final = """
CREATE TABLE name (id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE);
CREATE TABLE fact (s INTEGER NOT NULL, r INTEGER NOT NULL, o INTEGER NOT NULL, vf INTEGER NOT NULL,
                   vt INTEGER NOT NULL, kf INTEGER NOT NULL, kt INTEGER NOT NULL);
"""
_INDEXES: Final = """
CREATE INDEX by_slot ON fact (s, r, vf, vt, kf, kt, o);
CREATE INDEX by_object ON fact (o, r, vf, vt, kf, kt, s);
ANALYZE;
"""
_HOLDS: Final = "f.vf <= ? AND f.vt > ? AND f.kf <= ? AND f.kt > ?"
_SLOT: Final = f"SELECT n.label FROM fact f JOIN name n ON n.id = f.o WHERE f.s = ? AND f.r = ? AND {_HOLDS}"
_ENTITY: Final = f"SELECT f.r, n.label FROM fact f JOIN name n ON n.id = f.o WHERE f.s = ? AND {_HOLDS}"
_REVERSE: Final = f"SELECT f.r, n.label FROM fact f JOIN name n ON n.id = f.s WHERE f.o = ? AND {_HOLDS}"
_TWO: Final = ("SELECT n.label FROM fact g JOIN fact f ON f.s = g.o JOIN name n ON n.id = f.o "
               f"WHERE g.s = ? AND {_HOLDS.replace('f.', 'g.')} AND {_HOLDS}")
_SLICE: Final = f"SELECT f.s, f.r, f.o FROM fact f WHERE {_HOLDS}"


class SqliteFloor:
    """One table on disk, loaded from the records of a store."""

    def __init__(self, path: Path, frame: pl.DataFrame, labels: dict[int, str]) -> None:
        self._base = sqlite3.connect(path)
        self._base.executescript(f"PRAGMA journal_mode = WAL; PRAGMA cache_size = -200000; {_TABLES}")
        with self._base:
            self._base.executemany("INSERT INTO name VALUES (?, ?)", labels.items())
            self._base.executemany(f"INSERT INTO fact VALUES ({', '.join('?' * len(COLUMNS))})", frame.iter_rows())
        self._base.executescript(_INDEXES)
        self._relations = {label: number for number, label in labels.items()}

    def _id(self, label: str) -> int:
        row = self._base.execute("SELECT id FROM name WHERE label = ?", (label,)).fetchone()
        return -1 if row is None else int(row[0])

    def slot(self, question: Question, relation: str) -> list[Any]:
        """Values of a slot."""
        return self._all(_SLOT, (self._id(question.subject), self._relations.get(relation, -1), *_times(question)))

    def entity(self, question: Question) -> list[Any]:
        """All facts of a subject."""
        return self._all(_ENTITY, (self._id(question.subject), *_times(question)))

    def hub(self, question: Question) -> list[Any]:
        """All facts of the hub."""
        return self._all(_ENTITY, (self._id(HUB), *_times(question)))

    def reverse(self, question: Question) -> list[Any]:
        """All facts that point at an entity."""
        return self._all(_REVERSE, (self._id(question.subject), *_times(question)))

    def two_hops(self, question: Question) -> list[Any]:
        """What the neighbours' facts point at."""
        return self._all(_TWO, (self._id(question.subject), *_times(question), *_times(question)))

    def time_slice(self, valid_at: Instant, known_at: Instant) -> list[Any]:
        """All that holds at a vantage."""
        return self._all(_SLICE, (int(valid_at), int(valid_at), int(known_at), int(known_at)))

    def _all(self, sql: str, values: tuple[int, ...]) -> list[Any]:
        return self._base.execute(sql, values).fetchall()

    def close(self) -> None:
        """Close the file."""
        self._base.close()


def _times(question: Question) -> tuple[int, int, int, int]:
    valid, known = int(question.valid_at), int(question.known_at)
    return valid, valid, known, known


def labels_of(bench: Workbench, frame: pl.DataFrame) -> dict[int, str]:
    """By id: what subjects, relations and objects are called."""
    timeline = bench.graph.timeline
    terms = set(frame["s"]) | set(frame["r"]) | set(frame["o"])
    return {int(term): label_or_iri(timeline, int(term)) for term in terms}


def raw_bulk_write(quads: Sequence[Any], folder: Path) -> float:
    """Quads per second of the engine's own bulk writing, on disk."""
    return len(quads) / _timed_write(folder, lambda store: store.bulk_extend(quads))


def raw_episode_writes(quads: Sequence[Any], folder: Path) -> tuple[float, int]:
    """Quads per second when each graph is written on its own, and how many graphs that were."""
    graphs: dict[Any, list[Any]] = defaultdict(list)
    for quad in quads:
        graphs[quad.graph_name].append(quad)
    groups = list(graphs.values())

    def write(store: Any) -> None:
        for group in groups:
            store.extend(group)

    return len(quads) / _timed_write(folder, write), len(groups)


def _timed_write(folder: Path, write: Callable[[Any], None]) -> float:
    quads = QuadStore(folder)
    started = perf_counter()
    write(quads.store)
    quads.store.flush()
    seconds = perf_counter() - started
    quads.close()
    return seconds


def quads_across(bench: Workbench, limit: int) -> tuple[list[Any], int]:
    """At most so many quads, evenly from all over a store (it is sorted: the catalogue stands apart from the episodes'
    graphs), and how many there are in all."""
    store = bench.graph.quads.store
    total = len(store)
    every: Iterator[Any] = iter(store)
    return list(islice(every, 0, None, -(-total // limit))), total


def quads_of_graphs(bench: Workbench, limit: int) -> list[Any]:
    """The quads of so many named graphs, whole ones."""
    store = bench.graph.quads.store
    return [quad for graph in islice(store.named_graphs(), limit)
            for quad in store.quads_for_pattern(None, None, None, graph)]
