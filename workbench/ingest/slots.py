"""From the timeline to `settle` and back: which claims and records a change touches, and the rows that follow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from workbench.graph.change import ClaimRow, RecordRow, SupportRow
from workbench.graph.columns import Rows
from workbench.graph.graph import Graph
from workbench.graph.identity import Mappings
from workbench.graph.relations import SchemaIndex
from workbench.graph.timeline import COMPETING, GHOST, STATED
from workbench.ingest.belief import Belief
from workbench.ingest.plain import Plain, settle_plain, triple_of
from workbench.ingest.settle import (
    Cause,
    Force,
    Held,
    Limits,
    Policy,
    Rules,
    Said,
    Segment,
    Settlement,
    Support,
    Triple,
    difference,
)
from workbench.ingest.shapes import STATED_END, STATED_START
from workbench.model.schema import Relation
from workbench.model.time import FOREVER, Instant

_UNKNOWN = Cause("", None)
_MANY = 16


@dataclass
class Outcome:
    """Rows for a change, from all settlements of one episode."""

    records: list[RecordRow] = field(default_factory=list)
    closings: list[tuple[int, str]] = field(default_factory=list)
    supports: list[tuple[int, SupportRow]] = field(default_factory=list)


def rules_of(relation: Relation) -> Rules:
    """What settling needs to know of a relation."""
    return Rules(relation.functional, relation.inverse_functional, relation.symmetric, relation.event)


@dataclass
class Slots:
    """Settles the slots that one episode touches.

    Attributes:
        graph: read only.
        schema: the schema in force.
        policy: trust.
        pending: claims of the episode, by the row number that they will have.
        quotes: claim row number → its words, for claims of the episode.
        inactive, revived: claim rows whose activity the episode changes.
        trust: claim row → trust that the episode gives it.
        mappings: entities that count as another; default: the graph's.
        up_to: look only at claims of episodes up to this number, active or not (to explain a belief of then).
    """

    graph: Graph
    schema: SchemaIndex
    policy: Policy
    pending: dict[int, ClaimRow] = field(default_factory=dict)
    quotes: dict[int, str | None] = field(default_factory=dict)
    inactive: set[int] = field(default_factory=set)
    revived: set[int] = field(default_factory=set)
    trust: dict[int, float] = field(default_factory=dict)
    mappings: Mappings | None = None
    up_to: int | None = None
    _relations: dict[int, Relation] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if self.mappings is None:
            self.mappings = self.graph.mappings

    def settle(self, triples: Iterable[tuple[int, int, int]] = ()) -> Outcome:
        """Settle what the episode's own claims speak of, and everything else under the keys of `triples` (canonical
        terms) and what they touch."""
        touched: dict[int, set[Triple]] = defaultdict(set)
        for s, r, o in triples:
            touched[r].add(self.turned(s, r, o))
        pending: dict[int, list[tuple[int, ClaimRow]]] = defaultdict(list)
        for row, claim in self.pending.items():
            pending[claim.r].append((row, claim))
        outcome = Outcome()
        for r in sorted({*touched, *pending}):
            plain = Plain(left=pending[r])
            if r not in touched and self._only_adds and not self.mappings:
                plain = settle_plain(self.graph.timeline, self.relation(r), pending[r], self.quotes, self.policy)
            if plain.left or r in touched:
                part = Outcome(plain.records, plain.closings)
                self._settle_relation(r, touched[r], plain, part)
                self._sort(part)
                outcome.supports += part.supports
            outcome.records += plain.records
            outcome.closings += plain.closings
        return outcome

    def _sort(self, outcome: Outcome) -> None:
        """Put the rows of one relation in the order of their triples, whichever way they were settled."""
        get = self.graph.timeline.records.get
        outcome.records.sort(key=triple_of)
        outcome.closings.sort(key=lambda closing: ([get(name, closing[0]) for name in ("s", "r", "o")], closing[0]))

    def claims_for(self, triple: Triple) -> list[Said]:
        """The visible claims under the keys of a triple, the triple's own included."""
        r = int_of(triple.relation)
        rules = rules_of(self.relation(r))
        claims: dict[int, Said] = {}
        if rules.keys(triple):
            self._gather(self._key_rows(r, rules, [triple]), claims)
        else:
            self._gather(self._rows_about(triple), claims, only=triple)
        return sorted(claims.values(), key=_by_id)

    def relation(self, r: int) -> Relation:
        """The declaration of a relation's term."""
        found = self._relations.get(r)
        if found is None:
            found = self._relations[r] = self.schema.by_iri(self.graph.timeline.terms[r])
        return found

    def triple_of(self, row: int) -> tuple[int, int, int]:
        """What a stored claim speaks of, mappings applied."""
        table = self.graph.timeline.claims
        claim = ClaimRow._make(table.values(row)[:-1])
        return _order(self._triple(claim, table.get("episode", row)))

    def turned(self, s: int, r: int, o: int) -> Triple:
        """The triple as it is stored: of a symmetric relation, the smaller IRI is the subject."""
        if self.relation(r).symmetric and self.graph.timeline.terms[o] < self.graph.timeline.terms[s]:
            s, o = o, s
        return Triple(s, r, o)

    # -- gathering ------------------------------------------------------------------------------------------------

    def _settle_relation(self, r: int, touched: set[Triple], plain: Plain, outcome: Outcome) -> None:
        """Settle what is left of the claims of a relation, and what else is touched."""
        rules = rules_of(self.relation(r))
        pending = [(row, claim, self._triple(claim, -1)) for row, claim in plain.left]
        touched = touched | {triple for _, _, triple in pending}
        claims: dict[int, Said] = {}
        triples = set(touched)
        exclusive = not rules.event and (rules.functional or rules.inverse_functional)
        if exclusive:
            self._gather(self._key_rows(r, rules, triples), claims)
            self._add_pending(pending, rules, triples, claims)
            triples |= {said.triple for said in claims.values()}
            if rules.inverse_functional or rules.symmetric:
                self._gather(self._key_rows(r, rules, triples), claims)
                self._add_pending(pending, rules, triples, claims)
        else:
            for triple in triples:
                self._gather(self._rows_about(triple), claims, only=triple)
            for row, claim, triple in pending:
                if triple in triples:
                    claims[row] = self._said(row, claim, triple)
        belief = Belief(sorted(claims.values(), key=_by_id), rules, self.policy)
        if exclusive and self._only_adds:
            triples &= self._near(belief, touched, triples, plain.window)
        ordered = sorted(triples, key=_order)
        # without a stored claim there is no record either
        records = self._records(ordered) if len(claims) > len(pending) or not self._only_adds else []
        self._translate(difference(records, belief.segments(ordered)), outcome)

    @property
    def _only_adds(self) -> bool:
        """Whether the episode brings claims and nothing else, so that what is far from them stays as it is."""
        return bool(self.pending) and not (self.inactive or self.revived or self.trust)

    def _near(self, belief: Belief, touched: set[Triple], triples: set[Triple], wide: tuple[int, int] | None
              ) -> set[Triple]:
        """Those of the values under the same keys that the claims about `touched` may change, by the window `wide` of
        all claims of the relation if it is known."""
        window = belief.window(self.pending.keys()) if len(triples) > len(touched) else None
        if window is None:
            return touched
        if wide is not None:
            window = Instant(min(window[0], wide[0])), Instant(max(window[1], wide[1]))
        records, near = self.graph.timeline.records, touched | belief.within(window)
        for s in {int_of(triple.subject) for triple in triples}:
            rows = self._believed(s, int_of(next(iter(triples)).relation))
            meets = (records.take("vf", rows) <= window[1]) & (records.take("vt", rows) >= window[0])
            near |= {Triple(s, next(iter(triples)).relation, o) for o in records.take("o", rows[meets]).tolist()}
        return near

    def _rows(self, index: str, entity: int, r: int) -> list[int]:
        assert self.mappings is not None
        rows: list[int] = []
        for source in self.mappings.sources(entity):
            rows += self.graph.timeline.rows(index, source, r).tolist()
        return rows

    def _rows_about(self, triple: Triple) -> list[int]:
        """The claims that may speak of a triple."""
        assert self.mappings is not None
        s, r = int_of(triple.subject), int_of(triple.relation)
        rows = self._rows("claims_by_subject", s, r)
        if self.relation(r).symmetric:  # a claim is filed as it was said, either way round
            return sorted({*rows, *self._rows("claims_by_object", s, r)})
        if len(rows) < _MANY or len(self.mappings.sources(int_of(triple.object))) > 1:
            return rows
        column = self.graph.timeline.claims.take("o", np.array(rows, dtype=np.int64))
        return [row for row, o in zip(rows, column.tolist(), strict=True) if o == triple.object]

    def _key_rows(self, r: int, rules: Rules, triples: Iterable[Triple]) -> list[int]:
        rows: set[int] = set()
        for kind, key in {key for triple in triples for key in rules.keys(triple)}:
            entity = int_of(key)
            if kind in ("subject", "end"):
                rows.update(self._rows("claims_by_subject", entity, r))
            if kind in ("object", "end"):
                rows.update(self._rows("claims_by_object", entity, r))
        return sorted(rows)

    def _add_pending(self, pending: Sequence[tuple[int, ClaimRow, Triple]], rules: Rules, triples: set[Triple],
                     claims: dict[int, Said]) -> None:
        keys = {key for triple in triples for key in rules.keys(triple)}
        for row, claim, triple in pending:
            if triple in triples or not keys.isdisjoint(rules.keys(triple)):
                claims[row] = self._said(row, claim, triple)

    def _gather(self, rows: Iterable[int], claims: dict[int, Said], only: Triple | None = None) -> None:
        table = self.graph.timeline.claims
        wanted = [row for row in rows if row not in claims and row not in self.inactive]
        if not wanted:
            return
        for row, (*fields, episode) in zip(wanted, table.values_of(np.array(wanted, dtype=np.int64)), strict=True):
            claim = ClaimRow._make(fields)
            if self.up_to is not None and episode > self.up_to:
                continue
            if self.up_to is None and not claim.active and row not in self.revived:
                continue
            triple = self._triple(claim, episode)
            if only is None or triple == only:
                claims[row] = self._said(row, claim, triple)

    def _triple(self, claim: ClaimRow, episode: int) -> Triple:
        assert self.mappings is not None
        apply = self.mappings.apply
        return self.turned(apply(claim.s, episode), claim.r, apply(claim.o, episode))

    def _said(self, row: int, claim: ClaimRow, triple: Triple) -> Said:
        start = Limits(Instant(claim.sb), Instant(claim.se), Instant(claim.sl)) if claim.stated & STATED_START else None
        end = Limits(Instant(claim.eb), Instant(claim.ee), Instant(claim.el)) if claim.stated & STATED_END else None
        return Said(row, triple, Force(claim.force), Instant(claim.observed), start, end, Instant(claim.period),
                    self.trust.get(row, claim.trust))

    def _records(self, triples: Sequence[Triple]) -> list[Held]:
        """The records of some values that are believed now, in the order of `triples`."""
        place = {triple: number for number, triple in enumerate(triples)}
        found = []
        for s, r in dict.fromkeys((triple.subject, triple.relation) for triple in triples):
            rows = self._believed(int_of(s), int_of(r))
            for row, o in zip(rows.tolist(), self.graph.timeline.records.take("o", rows).tolist(), strict=True):
                if (triple := Triple(s, r, o)) in place:
                    found.append((place[triple], row))
        return [Held(row, self.segment(row)) for _, row in sorted(found)]

    def _believed(self, s: int, r: int) -> Rows:
        """The records under a slot that are believed now."""
        rows = self.graph.timeline.rows("by_subject", s, r)
        believed: Rows = rows[self.graph.timeline.records.take("kt", rows) == FOREVER]
        return believed

    def segment(self, row: int) -> Segment:
        """A record as `settle` sees it, causes aside."""
        timeline = self.graph.timeline
        triple = Triple(*(timeline.records.get(name, row) for name in ("s", "r", "o")))
        get, flags = timeline.records.get, timeline.records.get("flags", row)
        start = Limits(*(Instant(get(name, row)) for name in ("vf", "fe", "fl")))
        end = Limits(*(Instant(get(name, row)) for name in ("vt", "te", "tl")))
        supports = [Support(*(timeline.supports.get(name, item) for name in ("claim", "af", "at")))
                    for item in timeline.rows("support_of", row).tolist()]
        return Segment(triple, start, end, bool(flags & STATED), bool(flags & COMPETING), tuple(sorted(supports)),
                       _UNKNOWN, _UNKNOWN)

    # -- translating ----------------------------------------------------------------------------------------------

    def _translate(self, result: Settlement, outcome: Outcome) -> None:
        outcome.closings += [(int_of(item.id), item.reason) for item in result.close]
        outcome.supports += [(int_of(item.id), SupportRow(*item.support)) for item in result.support]
        for addition in result.add:
            segment = addition.segment
            flags = STATED * segment.start_stated | COMPETING * segment.competing
            flags |= GHOST * (segment.start.best >= segment.end.best)
            supports = tuple(SupportRow(*item) for item in segment.supports)
            s, r, o = _order(segment.triple)
            outcome.records.append(RecordRow(
                s, r, o, segment.start.best, segment.start.earliest, segment.start.latest,
                segment.end.best, segment.end.earliest, segment.end.latest, flags,
                max((self._confidence(item.claim) for item in supports), default=1.0),
                -1 if addition.revises is None else int_of(addition.revises), self._quote(supports), supports))

    def _confidence(self, claim: int) -> float:
        pending = self.pending.get(claim)
        return pending.confidence if pending else float(self.graph.timeline.claims.get("confidence", claim))

    def _quote(self, supports: Sequence[SupportRow]) -> str | None:
        return next((quote for item in supports if (quote := self.quotes.get(item.claim)) is not None), None)


def int_of(value: object) -> int:
    """The term or row number behind a `settle` id."""
    assert isinstance(value, int)
    return value


def _order(triple: Triple) -> tuple[int, int, int]:
    return int_of(triple.subject), int_of(triple.relation), int_of(triple.object)


def _by_id(said: Said) -> int:
    return said.id
