"""Claims as an episode gives them → rows that can be settled: names to entities, phrases to instants, values to
literals. What cannot be used is kept in the episode and reported, never dropped in silence."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from typing import Final

from workbench.graph import codec
from workbench.graph import vocabulary as v
from workbench.graph.change import ClaimRow, Entry
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex, is_datatype
from workbench.ingest.resolve import Resolver
from workbench.ingest.settle import Force, Policy
from workbench.ingest.shapes import STATED_END, STATED_START
from workbench.ingest.slots import Slots, int_of
from workbench.model.claim import Claim, Correction, Polarity
from workbench.model.errors import EpisodeError, TimeError, WorkbenchError
from workbench.model.names import name_key
from workbench.model.schema import Relation
from workbench.model.time import (
    BEGINNING,
    FOREVER,
    Bound,
    Instant,
    Unparsed,
    parse_period,
    read_end,
    read_start,
    zone_of,
)

MAX_LITERAL: Final = 2_000
_OPEN: Final = ".."
_STRICT: Final = (v.XSD_INTEGER, v.XSD_DATE, v.XSD_DATE_TIME)
_INTEGERS: Final = frozenset("integer int long short byte nonNegativeInteger positiveInteger nonPositiveInteger "
                             "negativeInteger unsignedInt unsignedLong unsignedShort unsignedByte".split())
_LANGUAGE: Final = re.compile(r"@[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_WORD: Final = re.compile(r"[^\W\d_]")
_NOWHERE: Final = Bound(BEGINNING, BEGINNING, BEGINNING)
_NEVER: Final = Bound.exact(FOREVER)


@dataclass
class Interpreter:
    """Turns the claims of one episode into rows.

    Attributes:
        rows: by the row number that they will have in the timeline.
        quotes: by the same numbers.
        failures: why claims could not be used, and times that were kept unresolved.
    """

    graph: Graph
    schema: SchemaIndex
    entry: Entry
    resolver: Resolver
    rows: dict[int, ClaimRow] = field(default_factory=dict)
    quotes: dict[int, str | None] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def read(self) -> None:
        """Interpret every claim; a bad one becomes a failure, the rest go on."""
        zone = zone_of(self.entry.episode.time_zone)
        for number, claim in enumerate(self.entry.claims):
            try:
                self._claim(number, claim, zone)
            except WorkbenchError as error:
                self.failures.append(f"claim {number + 1} ({claim.subject} {claim.relation} "
                                     f"{_short(claim.object if claim.object is not None else claim.value)}): {error}")

    def _claim(self, number: int, claim: Claim, zone: tzinfo) -> None:
        given = self._type(claim.subject_type), self._type(claim.object_type)
        is_value = claim.object is None
        if is_value and claim.value is None:
            raise EpisodeError("it has neither object nor value; give one of them")
        if is_value and claim.value is not None and is_too_long(claim.value):
            raise EpisodeError(f"the value has {len(str(claim.value))} characters (limit {MAX_LITERAL}); "
                               f"long text belongs into the episode's text")
        relation = self.schema.relation(claim.relation, given[0], given[1])
        canonical, turned = self.schema.canonical(relation)
        if _reserved(canonical.iri):
            raise EpisodeError(f"{canonical.iri} belongs to the store's own vocabulary; use another relation")
        if is_value and (turned or canonical.symmetric):
            raise EpisodeError(f"{relation.iri} is kept with its object as the subject, which a value cannot be; "
                               "give an entity as `object`, or use another relation")
        target = self._correction(claim.corrects, claim, zone) if claim.corrects else None
        times = self._times(claim, zone, canonical)
        if not canonical.declared and v.expand(claim.relation.strip()) is None:
            self.resolver.relation(canonical.iri, claim.relation)
        s = self.resolver.entity(claim.subject, given[0], relation.domain)
        o = self._value(claim, relation) if is_value else self._object(claim, relation, given[1])
        if turned:
            s, o = o, s
        self._add(number, claim, canonical, (s, o), times, target)

    def _type(self, name: str | None) -> str | None:
        return None if name is None or not name.strip() else self.schema.entity_type(name).iri

    def _object(self, claim: Claim, relation: Relation, given: str | None) -> int:
        inferred = relation.range if relation.range and not is_datatype(relation.range) else None
        assert claim.object is not None
        return self.resolver.entity(claim.object, given, inferred)

    def _value(self, claim: Claim, relation: Relation) -> int:
        value, datatype = claim.value, claim.datatype
        assert value is not None
        if datatype and datatype.startswith("@") and not _LANGUAGE.fullmatch(datatype):
            raise EpisodeError(f"{datatype!r} is no language tag; write @en or @pt-BR")
        if datatype and not datatype.startswith("@"):
            datatype = v.expand(datatype) or datatype
            if not v.is_iri(datatype):
                raise EpisodeError(f"unknown datatype {claim.datatype!r}; write xsd:date, an IRI, or @en")
        if datatype is None and relation.range and is_datatype(relation.range) and isinstance(value, str):
            datatype = relation.range
        return self.graph.timeline.terms.add(codec.literal_text(typed(value, datatype), datatype))

    # -- time -----------------------------------------------------------------------------------------------------

    def _times(self, claim: Claim, zone: tzinfo, relation: Relation) -> tuple[Bound | None, Bound | None]:
        start = self._bound(claim.start, claim.valid_from, zone, is_start=True)
        end = self._bound(claim.end, claim.valid_to, zone, is_start=False)
        if claim.valid_from is not None and claim.valid_from.strip() in (_OPEN, "../..") and not (
                relation.event and end is None):
            start = _NOWHERE
        if start is not None and end is not None and end.best <= start.best:
            if end.latest <= start.earliest or (end.latest, start.earliest) == (end.best, start.best):
                if relation.event and end.best == start.best:
                    return start, None
                raise EpisodeError(f"it ends ({end.best}) before or when it starts ({start.best}); an end that is a "
                                   f"day is exclusive: write the day after the last one")
            end = Bound(max(end.latest, start.best), min(end.earliest, end.latest), max(end.latest, start.best))
        return start, end

    def _bound(self, ready: Bound | Unparsed | None, phrase: str | None, zone: tzinfo, *, is_start: bool
               ) -> Bound | None:
        found = ready
        if found is None and phrase is not None:
            found = read_start(phrase, zone) if is_start else read_end(phrase, zone)
            if isinstance(found, Unparsed) and _WORD.search(phrase):
                found = self._in_words(phrase, zone, is_start) or found
        if isinstance(found, Unparsed):
            self.failures.append(f"time {found.phrase!r} kept as unparsed ({found.reason})")
            return None
        return found

    def _in_words(self, phrase: str, zone: tzinfo, is_start: bool) -> Bound | None:
        """A time given as "44 BC" or "last spring", if it can be read."""
        from workbench.ingest.dates import Role, resolve

        span = resolve(phrase, self.entry.observed, zone, Role.START if is_start else Role.END)
        bound = None if isinstance(span, Unparsed) else span.start if is_start else span.end
        return None if bound is None else replace(bound, phrase=phrase)

    # -- corrections ----------------------------------------------------------------------------------------------

    def _correction(self, named: Correction, claim: Claim, zone: tzinfo) -> ClaimRow:
        """The withdrawal of what a claim corrects."""
        if named.fact is not None:
            return self._corrected_fact(named.fact)
        relation = self.schema.relation(named.relation or claim.relation)
        canonical, turned = self.schema.canonical(relation)
        if named.object is None and claim.object is None and claim.value is None:
            raise EpisodeError("the corrected fact is not named; give corrects.object or a fact id")
        s = self.resolver.entity(named.subject or claim.subject, None, relation.domain)
        o = self._corrected_object(named, claim, relation)
        if turned:
            s, o = o, s
        start = None
        if named.valid_from is not None:
            bound = read_start(named.valid_from, zone)
            if isinstance(bound, Unparsed):
                raise EpisodeError(f"corrects.valid_from: {bound.reason}")
            start = bound.best if bound else None
        return self._withdrawal(s, self.graph.timeline.terms.add(canonical.iri), o, start)

    def _corrected_object(self, named: Correction, claim: Claim, relation: Relation) -> int:
        if named.object is None:
            return self._value(claim, relation) if claim.object is None else self._object(claim, relation, None)
        if relation.range and is_datatype(relation.range):
            text = codec.literal_text(typed(named.object, relation.range), relation.range)
            return self.graph.timeline.terms.add(text)
        literal = self.graph.timeline.terms.find(codec.literal_text(named.object))
        if literal is not None and claim.object is None:
            return literal
        return self.resolver.entity(named.object, None, None)

    def _corrected_fact(self, fact: str) -> ClaimRow:
        row = find_record(self.graph, fact)
        if row is None:
            raise EpisodeError(f"it corrects {fact}, which is not in the store; name a fact id that `facts` shows")
        get = self.graph.timeline.records.get
        withdrawal = self._withdrawal(get("s", row), get("r", row), get("o", row), Instant(get("vf", row)))
        if self._is_end(row):
            end = (get("vt", row), get("te", row), get("tl", row))
            return withdrawal._replace(stated=STATED_END, eb=end[0], ee=end[1], el=end[2])
        return withdrawal

    def _is_end(self, row: int) -> bool:
        """Whether a record keeps nothing but an end that found nothing to end."""
        timeline = self.graph.timeline
        by = [timeline.supports.get("claim", item) for item in timeline.rows("support_of", row).tolist()]
        return bool(by) and all(timeline.claims.get("force", claim) == Force.END for claim in by)

    def _withdrawal(self, s: int, r: int, o: int, start: Instant | None) -> ClaimRow:
        observed = int(self.entry.observed)
        at = int(start) if start is not None else int(BEGINNING)
        return ClaimRow(s, r, o, int(Force.WITHDRAW), STATED_START if start is not None else 0, observed, at, at, at,
                        int(FOREVER), int(FOREVER), int(FOREVER), at, self.entry.episode.trust, -1, 1.0)

    # -- rows -----------------------------------------------------------------------------------------------------

    def _add(self, number: int, claim: Claim, relation: Relation, ends: tuple[int, int],
             times: tuple[Bound | None, Bound | None], target: ClaimRow | None) -> None:
        start, end = times
        if target is not None:
            self._append(target, None)
            start, end = self._inherit(claim, start, end, target)
        observed = self.entry.observed
        force = Force.DENY if claim.polarity is Polarity.DENIED else Force.AFFIRM
        if force is Force.AFFIRM and start is None and end is not None and end.best <= observed:
            force = Force.END
        stated = (STATED_START if start else 0) | (STATED_END if end else 0)
        first = start or Bound.exact(observed)
        last = end or _NEVER
        period = first.period.end if start and first.period else first.best
        self._append(ClaimRow(
            ends[0], self.graph.timeline.terms.add(relation.iri), ends[1], int(force), stated, int(observed),
            first.best, first.earliest, first.latest, last.best, last.earliest, last.latest, period,
            self.entry.episode.trust, number, claim.confidence), claim.quote)

    def _inherit(self, claim: Claim, start: Bound | None, end: Bound | None, target: ClaimRow
                 ) -> tuple[Bound | None, Bound | None]:
        """A correction that does not state a start or an end keeps those of the fact that it corrects."""
        slots = Slots(self.graph, self.schema, Policy())
        triple = slots.turned(target.s, target.r, target.o)
        records = self.graph.timeline.records
        rows = [row for row in self.graph.timeline.rows("by_subject", int_of(triple.subject), target.r).tolist()
                if records.get("o", row) == triple.object and records.get("kt", row) == FOREVER]
        if target.stated:
            rows = [row for row in rows if records.get("vf", row) == target.sb]
        if not rows:
            return start, end
        segment = slots.segment(rows[-1])
        if start is None and segment.start_stated and not (claim.valid_from or "").strip():
            start = Bound(*segment.start)
        if end is None and segment.end.best < FOREVER and claim.valid_to is None and (
                start is None or segment.end.best > start.best):
            end = Bound(*segment.end)
        return start, end

    def _append(self, row: ClaimRow, quote: str | None) -> None:
        number = self.graph.timeline.claims.n + len(self.rows)
        self.rows[number] = row if quote is None else row._replace(quoted=1)
        self.quotes[number] = quote


def typed(value: str | int | float | bool, datatype: str | None) -> str | int | float | bool:
    """A literal checked against its datatype.

    Raises:
        EpisodeError: the text is no value of that type.
    """
    if isinstance(value, float) and not math.isfinite(value):
        raise EpisodeError(f"{value} is no number that can be stored; give a finite one, or text")
    if datatype is None or datatype.startswith("@") or (not isinstance(value, str) and datatype not in _STRICT):
        return value
    text = str(value).strip()
    try:
        if datatype.startswith(v.XSD) and v.local_name(datatype) in _INTEGERS:
            return int(text) if datatype == v.XSD_INTEGER else str(int(text))
        if datatype in (v.XSD_DECIMAL, v.XSD_DOUBLE):
            number = float(text)
            if not math.isfinite(number):
                raise ValueError("not finite")
            return number
        if datatype == v.XSD_BOOLEAN:
            return {"true": True, "1": True, "false": False, "0": False}[text.lower()]
        if datatype == v.XSD_DATE:
            return parse_period(text).interval.start.iso()[:-len("T00:00:00Z")]
        if datatype == v.XSD_DATE_TIME:
            return Instant.parse(text).iso()
    except (ValueError, KeyError, TimeError) as error:
        raise EpisodeError(f"{_short(value)} is not a {v.local_name(datatype)}; mend the value or give another "
                           f"datatype") from error
    return value


def _reserved(relation: str) -> bool:
    """Whether a relation's IRI is one with which the store describes its own records."""
    return relation in (v.RDF_TYPE, v.RDF_REIFIES, v.RDFS_LABEL) or (
        relation.startswith(v.TCG) and not relation.startswith(v.RELATION))


def is_too_long(value: object) -> bool:
    """Whether a literal is longer than a fact may hold."""
    return len(str(value)) > MAX_LITERAL


def find_record(graph: Graph, fact: str) -> int | None:
    """The row of a record by its fact id (IRI or local part), or None."""
    timeline = graph.timeline
    iri = v.expand(fact) or v.fact_iri(fact)
    for s, r, o in graph.reified(iri):
        ids = [timeline.terms.find(text) for text in (s, r, o)]
        if ids[0] is None or ids[1] is None or ids[2] is None:
            continue
        rows = timeline.rows("by_subject", ids[0], ids[1])
        for row in rows[timeline.records.take("o", rows) == ids[2]].tolist():
            if timeline.fact_id(row) == iri:
                return int(row)
    return None


def _short(value: object) -> str:
    text = name_key(str(value)) and str(value)
    return repr(text if len(text) <= 60 else text[:57] + "…")
