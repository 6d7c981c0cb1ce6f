"""Settling: what claims do to the records of their slot. The only place where supersession lives.

`settle` is pure: claims and current records in, records to add and to close out, each with its reason. Belief is a
function of the set of visible claims alone (`belief`), so the order of arrival cannot matter; records are the
difference between the belief before and after. `shapes` beside it gives the same for the commonest claims in closed
form; what it says is proved equal to this in tests/ingest/test_plain.py.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field

from workbench.ingest.belief import believe
from workbench.ingest.said import Cause, Force, Limits, Policy, Rules, Said, Segment, Support, Triple

__all__ = [
    "Addition", "Cause", "Closing", "Force", "Held", "Limits", "Policy", "Rules", "Said", "Segment", "Settlement",
    "Support", "Supporting", "Triple", "believe", "difference", "settle",
]


@dataclass(frozen=True, slots=True)
class Held:
    """A record now believed: its id and its segment."""

    id: Hashable
    segment: Segment


@dataclass(frozen=True, slots=True)
class Closing:
    """A record to close and the reason."""

    id: Hashable
    reason: str


@dataclass(frozen=True, slots=True)
class Addition:
    """A record to add; `revises` is the id of the record it replaces, or None."""

    segment: Segment
    revises: Hashable | None


@dataclass(frozen=True, slots=True)
class Supporting:
    """New support for a record that stays as it is."""

    id: Hashable
    support: Support


@dataclass(frozen=True, slots=True)
class Settlement:
    """The change of belief: what to add, close and support."""

    add: tuple[Addition, ...] = ()
    close: tuple[Closing, ...] = ()
    support: tuple[Supporting, ...] = field(default=())


def settle(claims: Sequence[Said], records: Sequence[Held], rules: Rules, policy: Policy,
           triples: Collection[Triple] | None = None) -> Settlement:
    """What the visible `claims` of a slot mean for its current `records`.

    Args:
        claims: every visible claim under the keys concerned, new ones included, all of one relation.
        records: the records now believed of `triples` (their `known_to` is open).
        rules: the relation's declaration.
        policy: trust.
        triples: which triples to settle; None = all that occur. Claims of others only compete.
    """
    wanted = {claim.triple for claim in claims} | {held.segment.triple for held in records}
    return difference(records, believe(claims, rules, policy, wanted if triples is None else triples))


def difference(records: Sequence[Held], segments: Sequence[Segment]) -> Settlement:
    """The records to add, close and support that turn the belief in `records` into `segments`."""
    new = {segment.content: segment for segment in segments}
    closed: list[tuple[Held, str]] = []
    kept: set[tuple[object, ...]] = set()
    support: list[Supporting] = []
    for held in records:
        match = new.get(held.segment.content)
        have = {item.claim: item for item in held.segment.supports}
        if match is None or not have.keys() <= {item.claim for item in match.supports}:
            closed.append((held, _why(held.segment, match, segments)))
            continue
        if any(have[item.claim] != item for item in match.supports if item.claim in have):
            closed.append((held, "evidence changed"))
            continue
        kept.add(held.segment.content)
        support += [Supporting(held.id, item) for item in match.supports if item.claim not in have]
    add = []
    for segment in segments:
        if segment.content not in kept:
            add.append(Addition(segment, _revised(segment, [held for held, _ in closed])))
    return Settlement(tuple(add), tuple(Closing(held.id, why) for held, why in closed), tuple(support))


def _why(old: Segment, same: Segment | None, segments: Sequence[Segment]) -> str:
    if same is not None:
        return "support withdrawn"
    of_value = [segment for segment in segments if segment.triple == old.triple]
    if not of_value:
        return "no longer held"
    for segment in of_value:
        if segment.start == old.start and segment.end != old.end:
            return segment.end_cause.rule
    return "revised"


def _revised(segment: Segment, closed: Sequence[Held]) -> Hashable | None:
    best: tuple[int, int] | None = None
    found: Hashable | None = None
    for position, held in enumerate(closed):
        old = held.segment
        if old.triple != segment.triple:
            continue
        shared = min(segment.end.best, old.end.best) - max(segment.start.best, old.start.best)
        if shared >= 0 and (best is None or (shared, -position) > best):
            best, found = (shared, -position), held.id
    return found
