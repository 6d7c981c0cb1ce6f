"""What settling takes in and gives out: claims made ready, the rules of a relation, stretches of belief.

Times are `Instant`s; spans are half-open.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from workbench.model.time import Instant


class Force(IntEnum):
    """What a claim does."""

    AFFIRM = 0
    END = 1
    DENY = 2
    WITHDRAW = 3


class Limits(NamedTuple):
    """A start or an end with its bounds: `earliest ≤ best ≤ latest`."""

    best: Instant
    earliest: Instant
    latest: Instant


class Triple(NamedTuple):
    """Subject, relation, object, as any hashable ids; symmetric and inverse relations already turned."""

    subject: Hashable
    relation: Hashable
    object: Hashable


class Said(NamedTuple):
    """One claim, ready to settle.

    A withdrawal with a start names the affirmations of that start, and those of unknown start that were said within
    their span; one with an end alone names the statements of that end; one with neither names all of the value.

    Attributes:
        id: unique and stable; ties are broken by it.
        triple: what it speaks of.
        force: affirm, end only, deny, or withdraw (a correction's effect on what it names).
        observed: when it was said.
        start: stated start, or None (then it counts from `observed`).
        end: stated end, or None.
        period_end: end of the precision of the start ("on 5 May" → 6 May), for events; else the start itself.
        trust: 0–1.
    """

    id: int
    triple: Triple
    force: Force
    observed: Instant
    start: Limits | None
    end: Limits | None
    period_end: Instant
    trust: float

    @property
    def order(self) -> tuple[object, ...]:
        """Sorts claims by what they say, and by id only where they say the same: ids follow the order of import."""
        return (self.observed, self.start or (), self.end or (), self.trust, self.id)


@dataclass(frozen=True, slots=True)
class Rules:
    """What the schema says of a relation."""

    functional: bool = False
    inverse_functional: bool = False
    symmetric: bool = False
    event: bool = False

    def keys(self, triple: Triple) -> list[tuple[str, Hashable]]:
        """The exclusive keys that a triple lies under.

        Both ends are keys if it is symmetric and functional; read the other way round, inverse functional is the same.
        """
        if self.event:
            return []
        if self.symmetric and (self.functional or self.inverse_functional):
            return [("end", triple.subject), ("end", triple.object)]
        keys: list[tuple[str, Hashable]] = []
        if self.functional:
            keys.append(("subject", triple.subject))
        if self.inverse_functional:
            keys.append(("object", triple.object))
        return keys


@dataclass(frozen=True, slots=True)
class Policy:
    """Attributes: threshold: a claim with less trust never cuts a more trusted one; they compete."""

    threshold: float = 0.5


class Support(NamedTuple):
    """A claim that holds a record up; it certainly attests `[attested_from, attested_to)`, which may be empty."""

    claim: int
    attested_from: Instant
    attested_to: Instant


class Cause(NamedTuple):
    """Why a record starts or ends where it does: a rule's name and the claim behind it (or None)."""

    rule: str
    claim: int | None


@dataclass(frozen=True, slots=True)
class Segment:
    """One stretch of belief: a value, where it holds, how sure that is, and why.

    Attributes:
        start, end: best reading, `[start.best, end.best)`; empty (equal) where only the possible reading holds it.
        start_stated: False if the start is unknown and counts from when it was said.
        competing: another value holds at the same instants with equal right.
        supports: by claim id.
    """

    triple: Triple
    start: Limits
    end: Limits
    start_stated: bool
    competing: bool
    supports: tuple[Support, ...]
    start_cause: Cause
    end_cause: Cause

    @property
    def content(self) -> tuple[object, ...]:
        """What makes two records the same belief; supports and causes aside."""
        return (self.triple, self.start, self.end, self.start_stated, self.competing)
