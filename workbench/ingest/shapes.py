"""What the commonest claims do to their slot, in closed form; all else is left to `settle`, with the same result.

Two shapes: a claim that is the first of its value or of its slot, and one that goes on from the last value of a slot
in which every claim so far is an open-ended affirmation, said before the new one starts. Pure, like `settle`.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.graph.change import ClaimRow, RecordRow, SupportRow
from workbench.graph.timeline import GHOST, STATED
from workbench.ingest.said import Force, Policy
from workbench.model.time import BEGINNING, FOREVER

STATED_START, STATED_END = 1, 2
_AFFIRM = int(Force.AFFIRM)


def first(number: int, claim: ClaimRow, event: bool, quote: str | None = None) -> RecordRow:
    """The one record that an affirmation gives with nothing else in its slot, as `settle` gives it.

    Args:
        number: the claim's row.
        claim: the affirmation, its triple as it is stored.
        event: whether its relation is an event.
        quote: its words.
    """
    s, r, o, _, stated, observed, start, earliest, latest, best, soonest, last = claim[:12]
    has_start = stated & STATED_START
    if event and not stated & STATED_END:
        best = soonest = last = max(claim.period, start + 1) if BEGINNING < start < FOREVER else start
    since, until = max(start, latest if has_start else observed), min(best, soonest, observed + 1)
    support = SupportRow(number, since, until) if since < until else SupportRow(number, observed, observed)
    flags = (STATED if has_start else 0) | (GHOST if start >= best else 0)
    return RecordRow(s, r, o, start, earliest if has_start else int(BEGINNING), latest if has_start else start,
                     best, soonest, last, flags, claim.confidence, -1, quote, (support,))


def followed(before: Sequence[ClaimRow], claim: ClaimRow, low: int, policy: Policy) -> int | None:
    """The place in `before` of the claim whose value a new one follows, or None if it is not so simple.

    Args:
        before: all claims of a slot of a functional relation (a state), out of force or not, at least one.
        claim: a new affirmation of another value.
        low: the earliest best start of all new claims of the relation.
        policy: trust.

    Returns:
        The place of the claim said last. Its value, which no other claim states, is then believed from its start to
        the start of the new one, which is believed from there on; no other record of the slot changes.
    """
    limit, threshold = min(claim.se, low), policy.threshold
    if claim.stated & STATED_END or claim.sb > claim.observed or claim.trust < threshold:
        return None
    place, latest = 0, before[0].observed
    for number, other in enumerate(before):
        observed = other.observed
        if (other.force != _AFFIRM or other.stated & STATED_END or not other.active or other.trust < threshold
                or other.sb > observed or observed >= limit or other.o == claim.o):
            return None
        if observed > latest:
            place, latest = number, observed
    last = before[place]
    alone = all(number == place or (other.observed < latest and other.o != last.o)
                for number, other in enumerate(before))
    return place if alone else None


def cut(record: RecordRow, claim: ClaimRow) -> RecordRow:
    """The version of an open record, as `first` gives it, that ends where a new value starts."""
    return record._replace(vt=claim.sb, te=claim.se, tl=claim.sl)
