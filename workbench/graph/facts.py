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
from workbench.graph.timeline import COMPETING, GHOST, STATED, Timeline
from workbench.model.fact import Fact, Reading
from workbench.model.schema import Relation
from workbench.model.time import BEGINNING, FOREVER, Instant

_BOUNDS = (("valid_from_earliest", "fe", "vf"), ("valid_from_latest", "fl", "vf"),
           ("valid_to_earliest", "te", "vt"), ("valid_to_latest", "tl", "vt"))


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
        timeline, row = self._graph.timeline, shown.row
        get = timeline.records.get
        s, o = (get("o", row), get("s", row)) if shown.turned else (get("s", row), get("o", row))
        object_text = timeline.terms[o]
        literal = object_text.startswith('"')
        value, datatype = codec.literal_value(object_text) if literal else (None, None)
        flags = get("flags", row)
        bounds = {name: _finite(get(column, row)) for name, column, best in _BOUNDS if get(column, row) != get(best, row)}
        closer, revises, fact = int(self._closer[number]), get("revises", row), timeline.fact_id(row)
        return Fact(
            id=fact, subject=timeline.label(s), relation=self._relation_name(shown.relation),
            subject_iri=timeline.terms[s], relation_iri=shown.relation.iri,
            object=None if literal else timeline.label(o), object_iri=None if literal else object_text,
            value=value, datatype=datatype,
            valid_from=_finite(get("vf", row)) if flags & STATED else None, valid_to=_finite(get("vt", row)),
            **({**bounds, "valid_from_latest": _finite(get("fl", row))} if not flags & STATED else bounds),
            known_from=Instant(get("kf", row)), known_to=_finite(int(self._known_to[number])),
            confidence=round(float(get("confidence", row)), 6),
            status="competing" if flags & COMPETING else "settled",
            episodes=self._episodes(row), quote=self._graph.quote(fact, timeline.episode_id(get("episode", row))),
            answer="possible" if shown.possible else "true",
            closed_by=timeline.episode_id(closer) if closer >= 0 else None,
            revision_of=timeline.fact_id(revises) if revises >= 0 else None,
            recorded_in=timeline.episode_id(get("episode", row)), relation_label=display_label(shown.relation))

    def _relation_name(self, relation: Relation) -> str:
        if relation.declared:
            return v.local_name(relation.iri)
        term = self._graph.timeline.terms.find(relation.iri)
        return v.local_name(relation.iri) if term is None else self._graph.timeline.relation_name(term)

    def _episodes(self, row: int) -> tuple[str, ...]:
        timeline = self._graph.timeline
        found: dict[str, None] = {}
        for support in timeline.rows("support_of", row).tolist():
            if support >= self._supports or (self._known is not None
                                             and timeline.supports.get("kf", support) > self._known):
                continue
            claim = timeline.supports.get("claim", support)
            found[timeline.episode_id(timeline.claims.get("episode", claim))] = None
        return tuple(found)

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

        def shown(mask: NDArray[np.bool_], known: Instant) -> Facts:
            rows = np.flatnonzero(mask).tolist()
            items = [_Shown(row, schema.by_iri(graph.timeline.terms[records.get("r", row)]), False, False)
                     for row in rows]
            return Facts(graph, schema, items, known)

        return Changes(shown(before & ~after, earlier), shown(after & ~before, later))


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
    others = [other for other in dict.fromkeys(rivals) if (get("s", other), get("o", other)) != (get("s", row), get("o", row))]
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


def label_or_iri(timeline: Timeline, term: int) -> str:
    """An entity's label, or a literal's text."""
    text = timeline.terms[term]
    return str(codec.literal_value(text)[0]) if text.startswith('"') else timeline.label(term)


def local_fact(iri: str) -> str:
    """A fact id without its namespace, for people."""
    return iri.removeprefix(v.FACT)
