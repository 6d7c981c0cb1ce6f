"""What one episode does to the graph, as values, before it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.time import Instant


class ClaimRow(NamedTuple):
    """One claim as a row of the timeline; ids are terms, instants microseconds, ±∞ at the ends of time.

    `stated` has bit 1 for a stated start, bit 2 for a stated end. `number` is the claim's place in its episode,
    `quoted` whether it has a quote.
    """

    s: int
    r: int
    o: int
    force: int
    stated: int
    observed: int
    sb: int
    se: int
    sl: int
    eb: int
    ee: int
    el: int
    period: int
    trust: float
    number: int
    confidence: float
    active: int = 1
    quoted: int = 0


class SupportRow(NamedTuple):
    """A claim (row number) that holds a record up, and the span that it certainly attests; empty if `af == at`."""

    claim: int
    af: int
    at: int


class RecordRow(NamedTuple):
    """One record to add; `revises` is a row number or -1."""

    s: int
    r: int
    o: int
    vf: int
    fe: int
    fl: int
    vt: int
    te: int
    tl: int
    flags: int
    confidence: float
    revises: int
    quote: str | None
    supports: tuple[SupportRow, ...]


class Named(NamedTuple):
    """A new name of an entity: terms of key, entity and label."""

    key: int
    entity: int
    label: int


class Typed(NamedTuple):
    """A type of an entity: terms, and whether it was given rather than inferred."""

    entity: int
    type: int
    given: bool


class Mention(NamedTuple):
    """An entity that the episode speaks of and the name it used, as terms."""

    entity: int
    label: int


class Mapped(NamedTuple):
    """An entity (term) that from now on counts as another; `episode` limits a split to one episode's claims."""

    entity: int
    to: int
    episode: int


@dataclass(frozen=True)
class Entry:
    """An episode as the catalogue keeps it.

    Attributes:
        episode: with `observed_at` and `recorded_at` filled in.
        claims: exactly as extracted.
        program: fingerprint of the extractor; "given" if the episode brought its claims.
        content_hash: of everything given but `recorded_at`, see `Episode.content_hash`.
        failures: why claims or the whole episode could not be used.
        claims_text: the claims as JSON, where somebody has needed it already; see `claims_text`.
    """

    episode: Episode
    claims: tuple[Claim, ...]
    program: str
    content_hash: str
    failures: tuple[str, ...] = ()
    claims_text: str | None = field(default=None, repr=False, compare=False)

    @property
    def observed(self) -> Instant:
        """When it was said or happened."""
        assert self.episode.observed_at is not None
        return self.episode.observed_at

    @property
    def recorded(self) -> Instant:
        """Knowledge time: when the store took it in."""
        assert self.episode.recorded_at is not None
        return self.episode.recorded_at


@dataclass(frozen=True)
class Change:
    """The whole change of belief that one episode causes.

    Attributes:
        closings: (row number of a record, reason).
        supports: (row number of a record, support) for records that stay.
        activity: claim row number → 0 (no longer counts) or 1.
        trust: claim row number → trust from now on.
        mapped: entities that from now on count as another.
        unmapped: numbers of curation episodes whose mappings no longer count.
    """

    entry: Entry
    mentions: tuple[Mention, ...] = ()
    names: tuple[Named, ...] = ()
    types: tuple[Typed, ...] = ()
    claims: tuple[ClaimRow, ...] = ()
    records: tuple[RecordRow, ...] = ()
    closings: tuple[tuple[int, str], ...] = ()
    supports: tuple[tuple[int, SupportRow], ...] = ()
    activity: Mapping[int, int] = field(default_factory=dict)
    trust: Mapping[int, float] = field(default_factory=dict)
    mapped: tuple[Mapped, ...] = ()
    unmapped: tuple[int, ...] = ()
