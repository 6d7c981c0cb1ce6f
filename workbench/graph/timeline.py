"""The timeline: every record, support and claim as columns in memory, derived from the quads.

Ids are ints (see `Terms`), instants are int64 microseconds, so a slot or a neighbourhood is a slice. Nothing here is
the truth: it can be dropped and made again by replaying the stored episodes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from workbench.graph.columns import Index, Rows, Table
from workbench.graph.terms import Terms
from workbench.graph.vocabulary import fact_iri, local_name
from workbench.model.fact import Reading
from workbench.model.time import BEGINNING, FOREVER, Instant, Interval

STATED: Final = 1
COMPETING: Final = 2
GHOST: Final = 4
CACHED: Final = 200_000
_FEW: Final = 16

_EPISODES: Final[dict[str, DTypeLike]] = {"id": np.int32, "observed": np.int64, "recorded": np.int64,
                                          "source": np.int32}
_RECORDS: Final[dict[str, DTypeLike]] = {
    "s": np.int32, "r": np.int32, "o": np.int32,
    "vf": np.int64, "fe": np.int64, "fl": np.int64, "vt": np.int64, "te": np.int64, "tl": np.int64,
    "kf": np.int64, "kt": np.int64, "episode": np.int32, "closer": np.int32, "revises": np.int32,
    "flags": np.uint8, "confidence": np.float32,
}
_SUPPORTS: Final[dict[str, DTypeLike]] = {"record": np.int32, "claim": np.int32, "kf": np.int64, "af": np.int64,
                                          "at": np.int64}
# in the order of `ClaimRow`, the episode last, so that a row is one
_CLAIMS: Final[dict[str, DTypeLike]] = {
    "s": np.int32, "r": np.int32, "o": np.int32, "force": np.uint8, "stated": np.uint8, "observed": np.int64,
    "sb": np.int64, "se": np.int64, "sl": np.int64, "eb": np.int64, "ee": np.int64, "el": np.int64,
    "period": np.int64, "trust": np.float64, "number": np.int32, "confidence": np.float32, "active": np.uint8,
    "quoted": np.uint8, "episode": np.int32,
}
_NAMES: Final[dict[str, DTypeLike]] = {"key": np.int32, "entity": np.int32, "label": np.int32, "episode": np.int32}
_TYPES: Final[dict[str, DTypeLike]] = {"entity": np.int32, "type": np.int32, "given": np.uint8,
                                       "episode": np.int32}

_TABLES: Final = {"episodes": _EPISODES, "records": _RECORDS, "supports": _SUPPORTS, "claims": _CLAIMS,
                  "names": _NAMES, "types": _TYPES}
_BY_ROW: Final = frozenset({"claims", "supports", "names", "types"})
_INDEXES: Final = {
    "episodes_by_id": ("episodes", "id", None), "by_subject": ("records", "s", "r"), "by_object": ("records", "o", "r"),
    "support_of": ("supports", "record", None), "claims_by_subject": ("claims", "s", "r"),
    "claims_by_object": ("claims", "o", "r"), "claims_by_episode": ("claims", "episode", None),
    "names_by_key": ("names", "key", None), "names_of": ("names", "entity", None),
    "types_of": ("types", "entity", None),
}
RECORD_COLUMNS: Final = tuple(_RECORDS)
FORMAT: Final = 1


class Timeline:
    """Columns, indexes and terms. Not locked: the graph that owns it guards reads against the one writer."""

    def __init__(self) -> None:
        self.terms = Terms()
        self._tables = {name: Table(columns, by_row=name in _BY_ROW) for name, columns in _TABLES.items()}
        self._indexes = {name: Index(paired=minor is not None) for name, (_, _, minor) in _INDEXES.items()}
        self._cache: dict[tuple[str, int], list[Any]] = {}
        self._link()

    def _link(self) -> None:
        self.episodes, self.records, self.supports = (self._tables[n] for n in ("episodes", "records", "supports"))
        self.claims, self.names, self.types = (self._tables[n] for n in ("claims", "names", "types"))
        self._adders = {table: [(self._indexes[name].add, major, minor) for name, major, minor in places]
                        for table, places in _PLACES.items()}

    # -- writing --------------------------------------------------------------------------------------------------

    def append(self, table: str, values: tuple[Any, ...]) -> int:
        """Add a row, in the order of its columns, to a table and its indexes; returns its number."""
        number = self._tables[table].append(values)
        for add, major, minor in self._adders[table]:
            add(values[major], 0 if minor is None else values[minor], number)
        if table in ("names", "types"):
            self._cache.pop((table, values[_ENTITY_PLACE[table]]), None)
        return number

    def tidy(self) -> None:
        """Sort indexes that have grown enough since they were last sorted."""
        for name, index in self._indexes.items():
            if index.stale:
                self._sort(name)

    def _sort(self, name: str) -> None:
        table, major, minor = _INDEXES[name]
        majors = self._tables[table][major]
        self._indexes[name].rebuild(majors, self._tables[table][minor] if minor else np.zeros_like(majors))

    # -- look-up --------------------------------------------------------------------------------------------------

    def rows(self, index: str, major: int, minor: int | None = None) -> Rows:
        """Row numbers under a key of one of the indexes."""
        return self._indexes[index].rows(major, minor)

    def claims_about(self, s: int, r: int, o: int) -> list[int]:
        """Row numbers of the claims filed under a triple, in order, found from the end that fewer claims speak of."""
        by_subject, by_object = self._indexes["claims_by_subject"], self._indexes["claims_by_object"]
        if not (about := by_subject.count(s, r)):
            return []
        if about <= _FEW or about <= by_object.count(o, r):
            rows, column, other = by_subject.rows(s, r), "o", o
        else:
            rows, column, other = by_object.rows(o, r), "s", s
        found: list[int] = rows[self.claims.take(column, rows) == other].tolist()
        return found

    def rows_of_many(self, index: str, majors: Rows) -> Rows:
        """Row numbers under any of several majors (distinct), in the order given."""
        return self._indexes[index].rows_of_many(majors)

    def believed(self, rows: Rows, known: Instant) -> Rows:
        """Those of `rows` that were believed at `known`: `known_from ≤ known < known_to`."""
        records = self.records
        return rows[(records.take("kf", rows) <= known) & (records.take("kt", rows) > known)]

    def holding(self, rows: Rows, valid: Instant, reading: Reading) -> Rows:
        """Those of `rows` that hold at `valid` in a reading; `possible` still lets in what another value rules out."""
        records = self.records
        if reading is Reading.POSSIBLE:
            return rows[(records.take("fe", rows) <= valid) & (records.take("tl", rows) > valid)]
        held = rows[(records.take("vf", rows) <= valid) & (records.take("vt", rows) > valid)]
        if reading is Reading.CERTAIN:
            sure = [row for row in held.tolist() if any(valid in span for span in self.attested(row))]
            return np.array(sure, dtype=np.int64)
        return held

    def attested(self, record: int, known: Instant = FOREVER) -> list[Interval]:
        """The spans of a record that are certain, from the supports known at `known`; none while it competes."""
        if self.records.get("flags", record) & COMPETING:
            return []
        spans = []
        for row in self.rows("support_of", record).tolist():
            since, until = self.supports.get("af", row), self.supports.get("at", row)
            if since < until and self.supports.get("kf", row) <= known:
                spans.append(Interval(Instant(since), Instant(until)))
        return spans

    def slice(self, valid: Instant, known: Instant) -> Rows:
        """All records that hold at `valid` (best reading) as believed at `known`."""
        records = self.records
        mask, test = np.empty(records.n, dtype=bool), np.empty(records.n, dtype=bool)
        np.less_equal(records["kf"], known, out=mask)
        for column, compare, at in (("kt", np.greater, known), ("vf", np.less_equal, valid), ("vt", np.greater, valid)):
            np.logical_and(mask, compare(records[column], at, out=test), out=mask)
        return np.flatnonzero(mask)

    def all_rows(self) -> Rows:
        """Every record."""
        return np.arange(self.records.n, dtype=np.int64)

    def digest(self, record: int) -> str:
        """The hash of a record, see `record_digest`."""
        get, terms = self.records.get, self.terms
        return record_digest((terms[get("s", record)], terms[get("r", record)], terms[get("o", record)]),
                             [get(name, record) for name in ("vf", "fe", "fl", "vt", "te", "tl", "flags")],
                             self.episode_id(get("episode", record)))

    def fact_id(self, record: int) -> str:
        """The IRI of a record."""
        return fact_iri(self.digest(record))

    def episode_id(self, number: int) -> str:
        """The id of the n-th episode (from 0)."""
        return self.terms[self.episodes.get("id", number)]

    def labels_of(self, entity: int, known: int = FOREVER) -> list[int]:
        """The terms of an entity's names, in order of mention; only those that were known at `known`."""
        return [label for label, since in self._names_of(entity) if since <= known]

    def label(self, term: int) -> str:
        """The first name of an entity; the IRI of one that has no name."""
        names = self._names_of(term)
        return self.terms[names[0][0] if names else term]

    def types_of_entity(self, entity: int, known: int = FOREVER) -> list[tuple[str, bool]]:
        """(IRI of a type, whether it was given rather than inferred) of an entity, in order of mention."""
        found = self._cache.get(("types", entity))
        if found is None:
            get = self.types.get
            found = self._remember(("types", entity), [
                (self.terms[get("type", row)], bool(get("given", row)), self._recorded("types", row))
                for row in self.rows("types_of", entity).tolist()])
        return [(kind, given) for kind, given, since in found if since <= known]

    def told_of(self, table: str, column: str, entities: Rows, known: int) -> list[tuple[int, int]]:
        """(entity, value of a column), each once, of all rows of `names` or `types` about distinct entities that were
        known at `known`."""
        told = self._tables[table]
        rows = self.rows_of_many(f"{table}_of", entities)
        rows = rows[self.episodes.take("recorded", told.take("episode", rows)) <= known]
        pairs = np.unique(told.take("entity", rows).astype(np.int64) << 32 | told.take(column, rows))
        return list(zip((pairs >> 32).tolist(), (pairs & 0xFFFFFFFF).tolist(), strict=True))

    def _names_of(self, entity: int) -> list[tuple[int, int]]:
        """(label, since when known), each label once."""
        found = self._cache.get(("names", entity))
        if found is None:
            first: dict[int, int] = {}
            for row in self.rows("names_of", entity).tolist():
                first.setdefault(self.names.get("label", row), self._recorded("names", row))
            found = self._remember(("names", entity), list(first.items()))
        return found

    def _remember(self, key: tuple[str, int], value: list[Any]) -> list[Any]:
        if len(self._cache) > CACHED:
            self._cache.clear()
        self._cache[key] = value
        return value

    def _recorded(self, table: str, row: int) -> int:
        """Knowledge time of the episode of a row; the present episode's row comes last, so it may be missing yet."""
        number = self._tables[table].get("episode", row)
        recorded: int = self.episodes.get("recorded", number)
        return recorded

    def relation_name(self, relation: int) -> str:
        """An undeclared relation as it was first given."""
        rows = self.rows("names_of", relation)
        return self.terms[self.names.get("label", int(rows[0]))] if len(rows) else local_name(self.terms[relation])

    # -- files ----------------------------------------------------------------------------------------------------

    def save(self, folder: Path, state: dict[str, Any]) -> None:
        """Write everything to an existing empty folder, `state` (JSON) last."""
        for name in self._indexes:
            self._sort(name)
        self.terms.save(folder, "terms")
        for name, table in self._tables.items():
            table.save(folder, name)
        for name, index in self._indexes.items():
            index.save(folder, name)
        (folder / "state.json").write_text(json.dumps({"format": FORMAT, **state}, sort_keys=True))

    @classmethod
    def load(cls, folder: Path) -> tuple[Timeline, dict[str, Any]]:
        """Map a saved timeline.

        Raises:
            ValueError, OSError: not one of this format, or damaged.
        """
        state: dict[str, Any] = json.loads((folder / "state.json").read_text())
        if state.get("format") != FORMAT:
            raise ValueError(f"timeline format {state.get('format')}")
        timeline = cls()
        timeline.terms = Terms.load(folder, "terms")
        timeline._tables = {
            name: Table.load(folder, name, columns, by_row=name in _BY_ROW) for name, columns in _TABLES.items()}
        timeline._indexes = {name: Index.load(folder, name, paired=minor is not None)
                             for name, (_, _, minor) in _INDEXES.items()}
        timeline._link()
        return timeline, state


_PLACES: Final = {
    table: [(name, list(columns).index(major), None if minor is None else list(columns).index(minor))
            for name, (of, major, minor) in _INDEXES.items() if of == table]
    for table, columns in _TABLES.items()
}
_ENTITY_PLACE: Final = {table: list(_TABLES[table]).index("entity") for table in ("names", "types")}


def record_digest(triple: tuple[str, str, str], times: Sequence[int], episode: str) -> str:
    """The hash that names a record: its content and the episode that caused it (BLAKE2b, 80 bits, hex).

    Args:
        triple: the texts of its terms.
        times: its start and its end with their bounds, and its flags, as numbers.
        episode: the episode's id.
    """
    text = _CONTENT % (*triple, *times, episode)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


_CONTENT: Final = "\x1f".join(["%s"] * 3 + ["%d"] * 7 + ["%s"])


def instants(values: NDArray[np.int64]) -> list[Instant | None]:
    """Int64 microseconds as instants; None at ±∞."""
    return [Instant(v) if BEGINNING < v < FOREVER else None for v in values.tolist()]
