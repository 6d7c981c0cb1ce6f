"""Facts from the timeline: which records hold from a vantage, and how they look from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, overload

import numpy as np
import polars as pl
from numpy.typing import NDArray

from workbench.graph import codec
from workbench.graph import vocabulary as v
from workbench.graph.columns import Rows
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex, display_label
from workbench.graph.timeline import COMPETING, GHOST, RECORD_COLUMNS, STATED, Timeline
from workbench.model.fact import Fact, Reading
from workbench.model.schema import Relation
from workbench.model.time import BEGINNING, FOREVER, Instant, Interval

_FIRST_DATETIME: Final = int(Instant.of(1))
_LAST_DATETIME: Final = int(Instant.of(10_000)) - 1


@dataclass(frozen=True)
class Part:
    """Records that are shown alike.

    Attributes:
        rows: row numbers of the timeline.
        relation: to show them under; None = each under its own.
        turned: read from object to subject.
        sure: for the possible reading, which rows hold in the best reading too; None = all.
    """

    rows: Rows
    relation: Relation | None = None
    turned: bool = False
    sure: NDArray[np.bool_] | None = None


class Facts(Sequence[Fact]):
    """The facts that a question found, fixed at the moment of asking; objects are made when they are looked at.

    Iterate for `Fact`s, or take `frame()` for a Polars table.

    Attributes:
        parts: the records behind it.
    """

    def __init__(self, graph: Graph, schema: SchemaIndex, parts: Sequence[Part], known: Instant | None) -> None:
        self._graph, self._schema, self._known = graph, schema, known
        self.parts = [part for part in parts if len(part.rows)]
        self._rows = self.parts[0].rows if len(self.parts) == 1 else np.concatenate(
            [np.empty(0, dtype=np.int64), *(part.rows for part in self.parts)])
        self._ends = np.cumsum([len(part.rows) for part in self.parts])
        records = graph.timeline.records
        # what the writer may change later is copied now, so that the answer stays what it was
        self._known_to: NDArray[np.int64] = records.take("kt", self._rows)
        self._supports = graph.timeline.supports.n

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Fact: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Fact]: ...
    def __getitem__(self, index: int | slice) -> Fact | Sequence[Fact]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        with self._graph.lock:
            return self._fact(range(len(self))[index])

    def __iter__(self) -> Iterator[Fact]:
        for number in range(len(self)):
            yield self[number]

    def __repr__(self) -> str:
        return f"<{len(self)} facts>"

    def _fact(self, number: int) -> Fact:
        timeline, terms = self._graph.timeline, self._graph.timeline.terms
        at = int(self._ends.searchsorted(number, side="right"))
        part, record = self.parts[at], int(self._rows[number])
        row = dict(zip(RECORD_COLUMNS, timeline.records.values(record), strict=True))
        relation = part.relation or self._schema.by_iri(terms[row["r"]])
        s, o = (row["o"], row["s"]) if part.turned else (row["s"], row["o"])
        object_text, stated = terms[o], row["flags"] & STATED
        literal = object_text.startswith('"')
        value, datatype = codec.literal_value(object_text) if literal else (None, None)
        claims = [timeline.supports.get("claim", support) for support in self._supports_of(record)]
        known_to = self._known_to.item(number)
        closer = row["closer"] if known_to < FOREVER else -1
        sure = part.sure is None or bool(part.sure[number - (int(self._ends[at - 1]) if at else 0)])
        return Fact(
            timeline.fact_id(record), timeline.label(s), self._relation_name(relation), terms[s], relation.iri,
            None if literal else timeline.label(o), None if literal else object_text, value, datatype,
            _finite(row["vf"]) if stated else None, _finite(row["vt"]),
            None if row["fe"] == row["vf"] else _finite(row["fe"]),
            None if row["fl"] == row["vf"] and stated else _finite(row["fl"]),
            None if row["te"] == row["vt"] else _finite(row["te"]),
            None if row["tl"] == row["vt"] else _finite(row["tl"]),
            Instant(row["kf"]), _finite(known_to), round(row["confidence"], 6),
            "competing" if row["flags"] & COMPETING else "settled", self._episodes(claims), self._quote(claims),
            "true" if sure else "possible", timeline.episode_id(closer) if closer >= 0 else None,
            timeline.fact_id(row["revises"]) if row["revises"] >= 0 else None, timeline.episode_id(row["episode"]),
            display_label(relation))

    def _quote(self, claims: Sequence[int]) -> str | None:
        """The words of the first claim that has any."""
        timeline = self._graph.timeline
        for claim in claims:
            if timeline.claims.get("quoted", claim):
                entry = self._graph.entry(timeline.episode_id(timeline.claims.get("episode", claim)))
                return None if entry is None else entry[1].claims[timeline.claims.get("number", claim)].quote
        return None

    def _relation_name(self, relation: Relation) -> str:
        if relation.declared:
            return v.local_name(relation.iri)
        term = self._graph.timeline.terms.find(relation.iri)
        return v.local_name(relation.iri) if term is None else self._graph.timeline.relation_name(term)

    def _episodes(self, claims: Sequence[int]) -> tuple[str, ...]:
        timeline = self._graph.timeline
        numbers = dict.fromkeys(timeline.claims.get("episode", claim) for claim in claims)
        return tuple(timeline.episode_id(number) for number in numbers)

    def _supports_of(self, row: int) -> list[int]:
        """The supports of a record that were known at the moment asked about."""
        supports = self._graph.timeline.supports
        rows: list[int] = self._graph.timeline.rows("support_of", row).tolist()
        return [support for support in rows if support < self._supports
                and (self._known is None or supports.get("kf", support) <= self._known)]

    def ids(self) -> pl.DataFrame:
        """A Polars table of ints, a row per fact, for joins within one store: terms of subject, relation and object as
        stored (`s`, `r`, `o`), and `vf`, `vt`, `kf`, `kt` in microseconds, ±∞ at the ends of the 64-bit range."""
        take = self._graph.timeline.records.take
        with self._graph.lock:
            columns = {name: take(name, self._rows) for name in ("s", "r", "o", "vf", "vt", "kf")}
        return pl.DataFrame({**columns, "kt": self._known_to})

    def frame(self) -> pl.DataFrame:
        """A Polars table, a row per fact, made column by column: labels, IRIs, values as text, instants as UTC
        datetimes (null where unbounded, unknown or beyond years 1–9999), status and the episode that holds it."""
        with self._graph.lock:
            return self._frame()

    def _frame(self) -> pl.DataFrame:
        timeline, terms = self._graph.timeline, self._graph.timeline.terms
        turned = np.concatenate([np.empty(0, dtype=bool), *(np.full(len(p.rows), p.turned) for p in self.parts)])
        column = {name: timeline.records.take(name, self._rows) for name in RECORD_COLUMNS}
        s, o = np.where(turned, column["o"], column["s"]), np.where(turned, column["s"], column["o"])
        shown = np.concatenate([np.empty(0, dtype=np.int64), *(
            np.full(len(p.rows), -1 - n) if p.relation else column["r"][int(end) - len(p.rows):int(end)]
            for n, (p, end) in enumerate(zip(self.parts, self._ends, strict=True)))])
        relations = {number: (self.parts[-1 - number].relation if number < 0 else None)
                     or self._schema.by_iri(terms[number]) for number in np.unique(shown).tolist()}
        literal = {term: terms[term].startswith('"') for term in np.unique(o).tolist()}
        stated = (column["flags"] & STATED) > 0
        return pl.DataFrame({
            "subject": _texts(s, timeline.label),
            "relation": _texts(shown, lambda number: self._relation_name(relations[number])),
            "object": _texts(o, lambda term: None if literal[term] else timeline.label(term)),
            "value": _texts(o, lambda term: str(codec.literal_value(terms[term])[0]) if literal[term] else None),
            "valid_from": _moments(np.where(stated, column["vf"], BEGINNING)), "valid_to": _moments(column["vt"]),
            "valid_from_latest": _moments(np.where(stated & (column["fl"] == column["vf"]), BEGINNING, column["fl"])),
            "known_from": _moments(column["kf"]), "known_to": _moments(self._known_to),
            "confidence": pl.Series(column["confidence"], dtype=pl.Float64),
            "status": _texts((column["flags"] & COMPETING) > 0, lambda flag: "competing" if flag else "settled"),
            "recorded_in": _texts(column["episode"], timeline.episode_id),
            "subject_iri": _texts(s, terms.__getitem__), "relation_iri": _texts(shown, lambda n: relations[n].iri),
            "object_iri": _texts(o, lambda term: None if literal[term] else terms[term]),
        })

    def to_json(self) -> list[dict[str, Any]]:
        """JSON rows as the command line prints them."""
        return [fact.to_json() for fact in self]


def _texts(numbers: NDArray[Any], text: Callable[[Any], str | None]) -> pl.Series:
    """A text column: each distinct number is looked up once."""
    distinct, places = np.unique(numbers, return_inverse=True)
    return pl.Series([text(number) for number in distinct.tolist()], dtype=pl.String).gather(places.astype(np.uint32))


def _moments(values: NDArray[np.int64]) -> pl.Series:
    """A datetime column; null beyond years 1–9999 (±∞ included)."""
    inside = (values >= _FIRST_DATETIME) & (values <= _LAST_DATETIME)
    series = pl.Series(np.where(inside, values, 0), dtype=pl.Int64).cast(pl.Datetime("us", "UTC"))
    return series.zip_with(pl.Series(inside), pl.Series([None], dtype=pl.Datetime("us", "UTC")).extend_constant(
        None, len(values) - 1)) if len(values) and not inside.all() else series


def _finite(value: int) -> Instant | None:
    return Instant(value) if BEGINNING < value < FOREVER else None


@dataclass(frozen=True)
class Changes:
    """What changed in belief between two instants of knowledge time.

    Attributes:
        gone: believed at the earlier instant, not at the later; `closed_by` names the episode.
        new: the reverse; `recorded_in` names the episode.
    """

    gone: Facts
    new: Facts

    def to_json(self) -> list[dict[str, Any]]:
        """JSON rows as of facts, with `change` (`gone`/`new`) and `episode`, the one that changed it."""
        rows = [{"change": "gone", "episode": fact.closed_by, **fact.to_json()} for fact in self.gone]
        return rows + [{"change": "new", "episode": fact.recorded_in, **fact.to_json()} for fact in self.new]


def changes(graph: Graph, schema: SchemaIndex, earlier: Instant, later: Instant) -> Changes:
    """What was believed at `earlier` and not at `later`, and the reverse; from the timeline."""
    with graph.lock:
        records = graph.timeline.records
        known_from, known_to = records["kf"], records["kt"]
        before = (known_from <= earlier) & (known_to > earlier)
        after = (known_from <= later) & (known_to > later)

        def shown(mask: NDArray[np.bool_]) -> Facts:
            return shown_facts(graph, schema, np.flatnonzero(mask))

        return Changes(shown(before & ~after), shown(after & ~before))


@dataclass(frozen=True)
class Pattern:
    """What to look for; ids are terms, None = any.

    Attributes:
        subjects, objects: any of them.
        relation: as asked; inverse and symmetric relations are turned when looking.
    """

    subjects: tuple[int, ...] | None = None
    relation: Relation | None = None
    objects: tuple[int, ...] | None = None


def select(graph: Graph, schema: SchemaIndex, pattern: Pattern, valid: Instant | None, known: Instant | None,
           reading: Reading = Reading.BEST) -> Facts:
    """The facts that match a pattern.

    Args:
        graph, schema: where to look.
        pattern: what to look for.
        valid: only what holds then; None = whatever its validity.
        known: only what was believed then; None = every version ever believed.
        reading: which reading of imprecise and persisting facts.
    """
    with graph.lock:
        if pattern == Pattern() and valid is not None and known is not None and reading is Reading.BEST:
            return Facts(graph, schema, [Part(graph.timeline.slice(valid, known))], known)  # scans, gathers nothing
        parts: list[Part] = []
        for part in _matches(graph, schema, pattern):
            rows = part.rows if known is None else graph.timeline.believed(part.rows, known)
            if parts:
                rows = rows[~np.isin(rows, np.concatenate([other.rows for other in parts]))]
            sure: NDArray[np.bool_] | None = None
            if valid is not None:
                rows, sure = _holding(graph, schema, rows, valid, known, reading)
            elif reading is not Reading.POSSIBLE:
                rows = rows[(graph.timeline.records.take("flags", rows) & GHOST) == 0]
            parts.append(replace(part, rows=rows, sure=sure))
        return Facts(graph, schema, parts, known)


def _holding(graph: Graph, schema: SchemaIndex, rows: Rows, valid: Instant, known: Instant | None, reading: Reading
             ) -> tuple[Rows, NDArray[np.bool_] | None]:
    """Rows that hold, and for the possible reading which of them hold in the best reading too."""
    timeline = graph.timeline
    found = timeline.holding(rows, valid, reading)
    if reading is not Reading.POSSIBLE:
        return found, None
    sure = np.isin(found, timeline.holding(rows, valid, Reading.BEST))
    kept = np.array([is_sure or not _ruled_out(timeline, schema, row, valid, FOREVER if known is None else known)
                     for row, is_sure in zip(found.tolist(), sure.tolist(), strict=True)], dtype=bool)
    return found[kept], sure[kept]


def _ruled_out(timeline: Timeline, schema: SchemaIndex, row: int, valid: Instant, known: Instant) -> bool:
    """Whether another value of the same exclusive key is certain at that instant."""
    get = timeline.records.get
    relation = schema.by_iri(timeline.terms[get("r", row)])
    rivals: list[int] = []
    both_ends = relation.symmetric and (relation.functional or relation.inverse_functional)
    if relation.functional or both_ends:
        rivals += timeline.rows("by_subject", get("s", row), get("r", row)).tolist()
    if relation.inverse_functional or both_ends:
        rivals += timeline.rows("by_object", get("o", row), get("r", row)).tolist()
    if both_ends:
        rivals += timeline.rows("by_object", get("s", row), get("r", row)).tolist()
        rivals += timeline.rows("by_subject", get("o", row), get("r", row)).tolist()
    own = get("s", row), get("o", row)
    others = [other for other in dict.fromkeys(rivals) if (get("s", other), get("o", other)) != own]
    believed = timeline.believed(np.array(others, dtype=np.int64), known)
    return any(valid in span for other in believed.tolist() for span in timeline.attested(other, known))


def _matches(graph: Graph, schema: SchemaIndex, pattern: Pattern) -> Iterator[Part]:
    """The records that match, by every way to read the pattern."""
    if pattern.relation is not None:
        canonical, turned = schema.canonical(pattern.relation)
        term = graph.timeline.terms.find(canonical.iri)
        if term is None:
            return
        yield Part(_stored(graph, pattern, term, turned), pattern.relation, turned)
        if canonical.symmetric and (pattern.subjects is not None or pattern.objects is not None):
            yield Part(_stored(graph, pattern, term, not turned), pattern.relation, not turned)
        return
    yield Part(_stored(graph, pattern, None, False))
    if pattern.subjects is None and pattern.objects is None:
        return
    rows = _stored(graph, pattern, None, True)
    relations = graph.timeline.records.take("r", rows)
    for term in np.unique(relations).tolist():
        stored = schema.by_iri(graph.timeline.terms[term])
        inverse = stored if stored.symmetric else next(iter(schema.inverses(stored)), None)
        if inverse is not None:
            yield Part(rows[relations == term], inverse, True)


def _stored(graph: Graph, pattern: Pattern, relation: int | None, turned: bool) -> Rows:
    """Rows that match the pattern in one direction, in row order per subject."""
    timeline = graph.timeline
    subjects, objects = (pattern.objects, pattern.subjects) if turned else (pattern.subjects, pattern.objects)
    if subjects is not None:
        rows = _union([timeline.rows("by_subject", s, relation) for s in subjects])
        return rows if objects is None else rows[np.isin(timeline.records.take("o", rows), objects)]
    if objects is not None:
        return _union([timeline.rows("by_object", o, relation) for o in objects])
    if relation is None:
        return timeline.all_rows()
    return np.flatnonzero(timeline.records["r"] == relation)


def _union(parts: Sequence[Rows]) -> Rows:
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, dtype=np.int64), *parts])


def window(graph: Graph, schema: SchemaIndex, pattern: Pattern, during: Interval, known: Instant) -> Facts:
    """The facts that match a pattern and hold at some instant of an interval (best reading), as believed at `known`."""
    with graph.lock:
        believed = select(graph, schema, pattern, None, known)
        records = graph.timeline.records
        return Facts(graph, schema, [replace(part, rows=part.rows[
            (records.take("vf", part.rows) < during.end) & (records.take("vt", part.rows) > during.start)])
            for part in believed.parts], known)


def neighbourhood(graph: Graph, schema: SchemaIndex, start: int, hops: int, valid: Instant, known: Instant) -> Facts:
    """The facts of an entity, of what they point to, and so on, as they hold from a vantage (best reading).

    Args:
        graph, schema: where to look.
        start: term of the entity.
        hops: how often to go on, at least 1; follows facts from subject to object only.
        valid, known: the vantage.
    """
    with graph.lock:
        timeline = graph.timeline
        frontier = np.array([start], dtype=np.int64)
        parts: list[Part] = []
        seen = frontier
        for _ in range(hops):
            rows = timeline.believed(timeline.rows_of_many("by_subject", frontier), known)
            rows = timeline.holding(rows, valid, Reading.BEST)
            parts.append(Part(rows))
            reached = np.unique(timeline.records.take("o", rows)).astype(np.int64)
            frontier = reached[~np.isin(reached, seen)]
            seen = np.concatenate((seen, frontier))
            if not len(frontier):
                break
        return Facts(graph, schema, parts, known)


def shown_facts(graph: Graph, schema: SchemaIndex, rows: Sequence[int] | Rows) -> Facts:
    """Records by row number, as stored."""
    return Facts(graph, schema, [Part(np.array(rows, dtype=np.int64))], None)


def label_or_iri(timeline: Timeline, term: int) -> str:
    """An entity's label, or a literal's text."""
    text = timeline.terms[term]
    return str(codec.literal_value(text)[0]) if text.startswith('"') else timeline.label(term)
