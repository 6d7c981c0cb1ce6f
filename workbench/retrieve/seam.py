"""The retrieval seam: one question, one scope, several arms, ranked items out.

An arm ranks; it never decides what may be seen. That is the scope's one job, so every arm obeys the same vantage and
the same filter: what a scope lets through is worked out once a question (`workbench.retrieve.sight`) and handed to all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from workbench.model.time import Interval, Vantage


class Kind(StrEnum):
    """What is ranked."""

    EPISODE = "episode"
    FACT = "fact"


@dataclass(frozen=True)
class Scope:
    """From where one looks, and at what. Empty filters let everything through.

    Attributes:
        vantage: episodes recorded later than `known_at` do not exist, facts are those believed then.
        history: facts whatever their validity; otherwise only those true at `vantage.valid_at` (best reading).
        kinds: what to rank.
        sessions, speakers: exact names.
        sources: exact names or groups: `crm` lets `crm` and `crm/eu` through.
        episode_kinds: `message`, `document`, …; a fact passes if an episode that supports it does.
        types: IRIs of types; a fact passes if its subject or object has one (or a narrower one), an episode if it
            mentions such an entity.
        within: episodes observed in it, facts valid at some instant of it; None = whenever.
    """

    vantage: Vantage
    history: bool = False
    kinds: frozenset[Kind] = frozenset(Kind)
    sessions: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    speakers: frozenset[str] = frozenset()
    episode_kinds: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    within: Interval | None = None

    @property
    def filtered(self) -> bool:
        """Whether anything but the vantage limits what is seen."""
        return bool(self.sessions or self.sources or self.speakers or self.episode_kinds or self.types
                    or self.within is not None)


@dataclass(frozen=True)
class Sight:
    """What a scope lets through, as masks.

    Attributes:
        scope: what was asked for.
        episodes: shape (episodes of the timeline,), True where an episode may be returned.
        records: shape (records of the timeline,), True where a fact may be returned.
    """

    scope: Scope
    episodes: NDArray[np.bool_]
    records: NDArray[np.bool_]

    def numbers(self, kind: Kind) -> NDArray[np.int64]:
        """Numbers of the episodes or records that may be returned, ascending."""
        return self._episode_numbers if kind is Kind.EPISODE else self._record_numbers

    @cached_property
    def _episode_numbers(self) -> NDArray[np.int64]:
        return np.flatnonzero(self.episodes)

    @cached_property
    def _record_numbers(self) -> NDArray[np.int64]:
        return np.flatnonzero(self.records)


@dataclass(frozen=True)
class Query:
    """A question as the arms see it.

    Attributes:
        text: as asked.
        entities: terms of the entities that it names.
        speakers: speakers that it names.
        times: valid times that it names, half-open.
    """

    text: str
    entities: tuple[int, ...] = ()
    speakers: frozenset[str] = frozenset()
    times: tuple[Interval, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """One item of a ranking.

    Attributes:
        kind: episode or fact.
        number: of the episode in the timeline, or of the record. Two items never share kind and number, whatever
            their texts.
        score: the larger the better; comparable within one ranking only.
    """

    kind: Kind
    number: int
    score: float


@dataclass(frozen=True)
class Ranking:
    """What one arm found.

    Attributes:
        arm: its name.
        hits: best first; ties by kind and number, so that the same question gets the same order.
        note: why it found less than it might have (`no model`, `no entity named`, `12 of 40 episodes embedded`), or
            None.
        seconds: wall time.
    """

    arm: str
    hits: Sequence[Hit] = ()
    note: str | None = None
    seconds: float = 0.0


class Arm(Protocol):
    """One way of finding things. Reads only."""

    @property
    def name(self) -> str:
        """Short and stable: `keyword`, `semantic`, `graph`, `time`."""
        ...

    def rank(self, query: Query, sight: Sight, limit: int) -> Ranking:
        """At most `limit` items of each kind that the sight lets through, best first; never an error for odd text."""
        ...


@dataclass(frozen=True)
class Found:
    """An item of the fused ranking.

    Attributes:
        hit: the item with its score, to be compared with items of the same kind only.
        ranks: arm → its rank there, from 1; arms that did not find it are missing. By features (`Plan.fusion`), the
            rank among the items of its kind.
        scores: arm or feature → its weighted share of the score; they add up to it.
    """

    hit: Hit
    ranks: Mapping[str, int] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
