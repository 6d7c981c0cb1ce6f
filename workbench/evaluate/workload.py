"""The workload of the speed suite: people who change teams and managers, with one entity that has 2% of all facts.

Seeded and made as it is read, so that a million claims need no memory. Everything is plain enough to be loaded by any
store: five claims an episode, ten years, arrival within a month of the event.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from workbench.model.claim import Claim
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.time import DAY, SECOND, Instant

HUB: Final = "Newsletter"
HUB_SHARE: Final = 0.02
PER_EPISODE: Final = 5
PER_PERSON: Final = 20
START: Final = Instant.of(2014)
YEARS: Final = 10
SPAN: Final = YEARS * 365 * DAY
_RELATIONS: Final = ("team",) * 5 + ("reports to",) * 3 + ("knows",) * 6 + ("uses",) * 6


@dataclass(frozen=True, slots=True)
class Question:
    """What the speed suite asks: an entity, a relation, a vantage."""

    subject: str
    relation: str
    valid_at: Instant
    known_at: Instant


@dataclass(frozen=True)
class Workload:
    """`size` claims; equal seeds give equal episodes and questions."""

    size: int
    seed: int = 0

    @property
    def people(self) -> int:
        """How many people the claims speak of, about `PER_PERSON` claims each."""
        return max(10, self.size // PER_PERSON)

    @property
    def end(self) -> Instant:
        """After the last episode."""
        return START.plus(SPAN + DAY)

    def episodes(self) -> Iterator[Episode]:
        """The episodes in order of knowledge time, `PER_EPISODE` claims each."""
        draw = random.Random(self.seed)
        count = -(-self.size // PER_EPISODE)
        left = self.size
        for number in range(count):
            at = START.plus(SPAN * number // count // SECOND * SECOND)
            claims = tuple(self._claim(draw, at) for _ in range(min(PER_EPISODE, left)))
            left -= len(claims)
            yield Episode(id=f"event {number}", kind=EpisodeKind.EVENT, source="speed", observed_at=at, recorded_at=at,
                          claims=claims)

    def _claim(self, draw: random.Random, at: Instant) -> Claim:
        start = at.plus(-draw.randrange(30) * DAY)
        begins = start.iso()[:10]
        if draw.random() < HUB_SHARE:
            return Claim(HUB, "mentions", object=self._person(draw), valid_from=begins,
                         valid_to=start.plus(draw.randrange(30, 720) * DAY).iso()[:10])
        relation = draw.choice(_RELATIONS)
        end = start.plus(draw.randrange(60, 1500) * DAY).iso()[:10] if relation == "uses" else None
        value = {"team": f"team {draw.randrange(max(5, self.people // 50))}",
                 "uses": f"tool {draw.randrange(max(20, self.people // 5))}"}.get(relation) or self._person(draw)
        return Claim(self._person(draw), relation, object=value, valid_from=begins, valid_to=end)

    def _person(self, draw: random.Random) -> str:
        return f"person {draw.randrange(self.people)}"

    def questions(self, count: int) -> list[Question]:
        """Vantages spread over the second half of the ten years, about people other than the hub."""
        draw = random.Random(self.seed + 1)
        found = []
        for _ in range(count):
            known_at = START.plus(SPAN // 2 + draw.randrange(SPAN // 2))
            valid_at = known_at.plus(-draw.randrange(2 * 365) * DAY)
            relation = draw.choice(("team", "reports to", "knows", "uses"))
            found.append(Question(self._person(draw), relation, valid_at, known_at))
        return found
