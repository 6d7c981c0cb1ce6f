"""The extraction seam: an episode and its context in, claims out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, overload

from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.errors import EpisodeError
from workbench.model.fact import Entity, Fact
from workbench.model.schema import Schema


@dataclass(frozen=True)
class Context:
    """What an extractor may look at besides the episode; nothing of it may become a claim.

    Attributes:
        schema: the relations and types in force.
        entities: known entities that the text might mention, with their names and types.
        earlier: earlier episodes of the same session, oldest first.
        believed: looks up what is believed now of a subject in a relation, both by name; for programs that judge what
            becomes of older values.
    """

    schema: Schema
    entities: Sequence[Entity] = field(default=())
    earlier: Sequence[Episode] = field(default=())
    believed: Callable[[str, str], Sequence[Fact]] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Extraction(Sequence[Claim]):
    """Claims with what it took to get them.

    Attributes:
        claims: in the order of the text.
        dropped: what was drafted and does not count, with the reason.
        model_calls, tokens: of language models; tokens in and out.
    """

    claims: tuple[Claim, ...] = ()
    dropped: tuple[str, ...] = ()
    model_calls: int = 0
    tokens: int = 0

    def __len__(self) -> int:
        return len(self.claims)

    @overload
    def __getitem__(self, index: int) -> Claim: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Claim]: ...
    def __getitem__(self, index: int | slice) -> Claim | Sequence[Claim]:
        return self.claims[index]


class ExtractionFailed(EpisodeError):
    """An extractor gave the episode up.

    Attributes:
        spent: what it took all the same; without claims.
    """

    def __init__(self, message: str, spent: Extraction) -> None:
        super().__init__(message)
        self.spent = spent


class Extractor(Protocol):
    """Turns one episode into claims. Same input, same output; no store, no clock."""

    @property
    def fingerprint(self) -> str:
        """Names the program and its version; facts carry it."""
        ...

    def extract(self, episode: Episode, context: Context) -> Sequence[Claim]:
        """The claims of the episode's text, each with quote and span.

        Raises:
            EpisodeError: the text cannot be read; the episode is kept and listed as failed.
        """
        ...
