"""The commonest claims of an episode, settled by the closed forms of `shapes` straight from the timeline's rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from workbench.graph.change import ClaimRow, RecordRow, SupportRow
from workbench.graph.columns import Rows
from workbench.graph.timeline import Timeline
from workbench.ingest import shapes
from workbench.ingest.said import Force, Policy
from workbench.model.schema import Relation
from workbench.model.time import FOREVER

Pending = Sequence[tuple[int, ClaimRow]]


@dataclass
class Plain:
    """What came of the claims of one relation.

    Attributes:
        records, closings: rows for the change, from the claims that have a common shape; sorted by triple.
        left: the others, by row number.
        window: for a relation whose values exclude each other, the stretch, ends included, that all claims together
            may change; None where there is only what is left.
    """

    records: list[RecordRow] = field(default_factory=list)
    closings: list[tuple[int, str]] = field(default_factory=list)
    left: list[tuple[int, ClaimRow]] = field(default_factory=list)
    window: tuple[int, int] | None = None


def settle_plain(timeline: Timeline, relation: Relation, pending: Pending, quotes: dict[int, str | None],
                 policy: Policy) -> Plain:
    """Settle what has a common shape of the new claims of a relation.

    Args:
        timeline: as it is before the episode; no entity counts as another.
        relation: as it is declared.
        pending: the claims by the row number that they will have.
        quotes: their words.
        policy: trust.
    """
    if not relation.event and (relation.inverse_functional or (relation.functional and relation.symmetric)):
        return Plain(left=list(pending))
    if relation.functional and not relation.event:
        return _exclusive(timeline, pending, quotes, policy)
    return _coexisting(timeline, relation, pending, quotes)


def _coexisting(timeline: Timeline, relation: Relation, pending: Pending, quotes: dict[int, str | None]) -> Plain:
    """Each claim that is the first of its value."""
    plain, terms = Plain(), timeline.terms
    turned = [claim._replace(s=claim.o, o=claim.s) if relation.symmetric and terms[claim.o] < terms[claim.s] else claim
              for _, claim in pending]
    times_said = Counter([claim[:3] for claim in turned]) if len(turned) > 1 else {}
    for (number, said), claim in zip(pending, turned, strict=True):
        s, r, o = claim[:3]
        if (claim.force != Force.AFFIRM or times_said.get((s, r, o), 1) > 1 or timeline.claims_about(s, r, o)
                or (relation.symmetric and timeline.claims_about(o, r, s))):
            plain.left.append((number, said))
        else:
            plain.records.append(shapes.first(number, claim, relation.event, quotes.get(number)))
    plain.records.sort(key=triple_of)
    return plain


def _exclusive(timeline: Timeline, pending: Pending, quotes: dict[int, str | None], policy: Policy) -> Plain:
    """Each claim that is the first of its slot, or goes on from the last value there."""
    plain, low = Plain(), min([claim.sb for _, claim in pending])
    subjects = Counter([claim.s for _, claim in pending]) if len(pending) > 1 else {}
    cuts: list[tuple[tuple[int, int, int], int]] = []
    for number, claim in pending:
        rows = timeline.rows("claims_by_subject", claim.s, claim.r)
        if claim.force != Force.AFFIRM or subjects.get(claim.s, 1) > 1:
            plain.left.append((number, claim))
            continue
        if len(rows):
            record = _followed(timeline, rows, claim, low, policy)
            if record is None:
                plain.left.append((number, claim))
                continue
            plain.records.append(shapes.cut(record, claim))
            cuts.append((record[:3], record.revises))
        plain.records.append(shapes.first(number, claim, False, quotes.get(number)))
    if plain.left and any(claim.force != Force.AFFIRM or claim.stated == shapes.STATED_START | shapes.STATED_END
                          for _, claim in plain.left):
        return Plain(left=list(pending))  # these may take earlier claims away, which widens the window
    plain.records.sort(key=triple_of)
    plain.closings = [(row, "replaced") for _, row in sorted(cuts)]
    plain.window = low, max([claim.eb for _, claim in pending])
    return plain


def _followed(timeline: Timeline, rows: Rows, claim: ClaimRow, low: int, policy: Policy) -> RecordRow | None:
    """The record that a claim cuts, as it was made, `revises` its row; None if the slot is not so simple.

    Args:
        timeline: the store.
        rows: the claims of the slot.
        claim: the new one.
        low: the earliest start of the episode's claims of that relation.
        policy: trust.
    """
    before = [ClaimRow._make(values[:-1]) for values in timeline.claims.values_of(rows)]
    place = shapes.followed(before, claim, low, policy)
    if place is None:
        return None
    record, found = shapes.first(int(rows[place]), before[place], event=False), None
    get = timeline.records.get
    for row in timeline.rows("by_subject", claim.s, claim.r).tolist():
        if get("kt", row) != FOREVER:
            continue
        o = get("o", row)
        if o == record.o and found is None:
            found = row
        elif o in (record.o, claim.o) or get("vt", row) >= low:
            return None
    # a slot that was not settled since another schema came may hold something else
    if found is None or _content(timeline, found) != (*record[:10], record.supports):
        return None
    return record._replace(revises=found)


def _content(timeline: Timeline, row: int) -> tuple[object, ...]:
    """A record without its cause, its confidence and its words."""
    values = timeline.records.values(row)
    supports = [timeline.supports.values(item) for item in timeline.rows("support_of", row).tolist()]
    return (*values[:9], timeline.records.get("flags", row),
            tuple([SupportRow(claim, since, until) for _, claim, _, since, until in supports]))


def triple_of(record: RecordRow) -> tuple[int, int, int]:
    """The triple of a record, for sorting."""
    return record[:3]
