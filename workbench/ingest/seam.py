"""The extraction seam: an episode and its context in, claims out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.fact import Entity
from workbench.model.schema import Schema


@dataclass(frozen=True)
class Context:
    """What an extractor may look at besides the episode; nothing of it may become a claim.

    Attributes:
        schema: the relations and types in force.
        entities: known entities that the text might mention, with their names and types.
        earlier: earlier episodes of the same session, oldest first.
    """

    schema: Schema
    entities: Sequence[Entity] = field(default=())
    earlier: Sequence[Episode] = field(default=())


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
