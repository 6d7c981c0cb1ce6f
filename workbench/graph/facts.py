"""Facts from the timeline: which records hold from a vantage, and how they look from outside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

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
from workbench.model.time import BEGINNING, FOREVER, Instant


@dataclass(frozen=True)
class _Shown:
    """A record and how to show it: as stored, or read the other way round under another relation."""

    row: int
    relation: Relation
    turned: bool
    possible: bool


class Facts(Sequence[Fact]):
    """The facts that a question found, fixed at the moment of asking; objects are made when they are looked at.

    Iterate for `Fact`s, or take `frame()` for a Polars table.
    """

    def __init__(self, graph: Graph, schema: SchemaIndex, shown: Sequence[_Shown], known: Instant | None) -> None:
        self._graph, self._schema, self._shown, self._known = graph, schema, shown, known
        rows = np.array([item.row for item in shown], dtype=np.int64)
        records = graph.timeline.records
        # what the writer may change later is copied now, so that the answer stays what it was
        self._known_to: NDArray[np.int64] = records.take("kt", rows)
        self._closer: NDArray[np.int32] = records.take("closer", rows)
        self._supports = graph.timeline.supports.n

    def __len__(self) -> int:
        return len(self._shown)

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
        shown = self._shown[number]
        timeline, terms = self._graph.timeline, self._graph.timeline.terms
        row = dict(zip(RECORD_COLUMNS, timeline.records.values(shown.row), strict=True))
        s, o = (row["o"], row["s"]) if shown.turned else (row["s"], row["o"])
        object_text, stated = terms[o], row["flags"] & STATED
        literal = object_text.startswith('"')
        value, datatype = codec.literal_value(object_text) if literal else (None, None)
        supports = self._supports_of(shown.row)
        claims = [timeline.supports.get("claim", support) for support in supports]
        closer = self._closer.item(number)
        return Fact(
            timeline.fact_id(shown.row), timeline.label(s), self._relation_name(shown.relation), terms[s],
            shown.relation.iri, None if literal else timeline.label(o), None if literal else object_text, value,
            datatype, _finite(row["vf"]) if stated else None, _finite(row["vt"]),
            None if row["fe"] == row["vf"] else _finite(row["fe"]),
            None if row["fl"] == row["vf"] and stated else _finite(row["fl"]),
            None if row["te"] == row["vt"] else _finite(row["te"]),
            None if row["tl"] == row["vt"] else _finite(row["tl"]),
            Instant(row["kf"]), _finite(self._known_to.item(number)), round(row["confidence"], 6),
            "competing" if row["flags"] & COMPETING else "settled", self._episodes(claims), self._quote(claims),
            "possible" if shown.possible else "true", timeline.episode_id(closer) if closer >= 0 else None,
            timeline.fact_id(row["revises"]) if row["revises"] >= 0 else None, timeline.episode_id(row["episode"]),
            display_label(shown.relation))

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

    def frame(self) -> pl.DataFrame:
        """A Polars table, a row per fact: labels, IRIs, instants as UTC datetimes (null beyond years 1–9999)."""
        rows = [{**fact.to_json(), **{name: _datetime(getattr(fact, name)) for name in _TIMES}} for fact in self]
        for row in rows:
            row["value"] = None if row["value"] is None else str(row["value"])
        return pl.DataFrame(rows, schema=_FRAME)

    def to_json(self) -> list[dict[str, Any]]:
        """JSON rows as the command line prints them."""
        return [fact.to_json() for fact in self]


_TIMES = ("valid_from", "valid_to", "valid_from_earliest", "valid_from_latest", "valid_to_earliest",
          "valid_to_latest", "known_from", "known_to")
_FRAME: dict[str, Any] = {
    **dict.fromkeys(("fact", "subject", "relation", "subject_iri", "relation_iri", "object", "object_iri", "value",
                     "datatype"), pl.String),
    **dict.fromkeys(_TIMES, pl.Datetime("us", "UTC")), "confidence": pl.Float64, "status": pl.String,
    "episodes": pl.List(pl.String),
    **dict.fromkeys(("quote", "answer", "closed_by", "revision_of", "recorded_in", "relation_label"), pl.String),
}


def _finite(value: int) -> Instant | None:
    return Instant(value) if BEGINNING < value < FOREVER else None


def _datetime(value: Instant | None) -> Any:
    return None if value is None else value.to_datetime()


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
            return shown_facts(graph, schema, np.flatnonzero(mask).tolist())

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
        shown: list[_Shown] = []
        seen: set[int] = set()
        for relation, turned, rows in _matches(graph, schema, pattern):
            if known is not None:
                rows = graph.timeline.believed(rows, known)
            if valid is not None:
                rows, sure = _holding(graph, schema, rows, valid, known, reading)
            elif reading is not Reading.POSSIBLE:
                rows = rows[(graph.timeline.records.take("flags", rows) & GHOST) == 0]
                sure = set()
            else:
                sure = set(rows.tolist())
            for row in rows.tolist():
                if row not in seen:
                    seen.add(row)
                    shown_as = relation or schema.by_iri(graph.timeline.terms[graph.timeline.records.get("r", row)])
                    shown.append(_Shown(row, shown_as, turned, valid is not None and row not in sure
                                        and reading is Reading.POSSIBLE))
        return Facts(graph, schema, shown, known)


def _holding(graph: Graph, schema: SchemaIndex, rows: Rows, valid: Instant, known: Instant | None, reading: Reading
             ) -> tuple[Rows, set[int]]:
    """Rows that hold, and those of them that hold in the best reading too."""
    timeline = graph.timeline
    found = timeline.holding(rows, valid, reading)
    if reading is not Reading.POSSIBLE:
        return found, set(found.tolist())
    best = set(timeline.holding(rows, valid, Reading.BEST).tolist())
    kept = [row for row in found.tolist()
            if row in best or not _ruled_out(timeline, schema, row, valid, FOREVER if known is None else known)]
    return np.array(kept, dtype=np.int64), best


def _ruled_out(timeline: Timeline, schema: SchemaIndex, row: int, valid: Instant, known: Instant) -> bool:
    """Whether another value of the same exclusive key is certain at that instant."""
    get = timeline.records.get
    relation = schema.by_iri(timeline.terms[get("r", row)])
    rivals: list[int] = []
    if relation.functional:
        rivals += timeline.rows("by_subject", get("s", row), get("r", row)).tolist()
    if relation.inverse_functional or (relation.functional and relation.symmetric):
        rivals += timeline.rows("by_object", get("o", row), get("r", row)).tolist()
    if relation.functional and relation.symmetric:
        rivals += timeline.rows("by_object", get("s", row), get("r", row)).tolist()
        rivals += timeline.rows("by_subject", get("o", row), get("r", row)).tolist()
    own = get("s", row), get("o", row)
    others = [other for other in dict.fromkeys(rivals) if (get("s", other), get("o", other)) != own]
    believed = timeline.believed(np.array(others, dtype=np.int64), known)
    return any(valid in span for other in believed.tolist() for span in timeline.attested(other, known))


def _matches(graph: Graph, schema: SchemaIndex, pattern: Pattern
             ) -> Iterator[tuple[Relation | None, bool, Rows]]:
    """(relation to show, whether turned, rows) of every way to read the pattern."""
    if pattern.relation is not None:
        canonical, turned = schema.canonical(pattern.relation)
        term = graph.timeline.terms.find(canonical.iri)
        if term is None:
            return
        yield pattern.relation, turned, _stored(graph, pattern, term, turned)
        if canonical.symmetric and (pattern.subjects is not None or pattern.objects is not None):
            yield pattern.relation, not turned, _stored(graph, pattern, term, not turned)
        return
    yield None, False, _stored(graph, pattern, None, False)
    if pattern.subjects is None and pattern.objects is None:
        return
    rows = _stored(graph, pattern, None, True)
    relations = graph.timeline.records.take("r", rows)
    for term in np.unique(relations).tolist():
        stored = schema.by_iri(graph.timeline.terms[term])
        inverse = stored if stored.symmetric else next(iter(schema.inverses(stored)), None)
        if inverse is not None:
            yield inverse, True, rows[relations == term]


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


def shown_facts(graph: Graph, schema: SchemaIndex, rows: Sequence[int]) -> Facts:
    """Records by row number, as stored."""
    return Facts(graph, schema, [_Shown(row, schema.by_iri(graph.timeline.terms[graph.timeline.records.get("r", row)]),
                                        False, False) for row in rows], None)


def label_or_iri(timeline: Timeline, term: int) -> str:
    """An entity's label, or a literal's text."""
    text = timeline.terms[term]
    return str(codec.literal_value(text)[0]) if text.startswith('"') else timeline.label(term)
