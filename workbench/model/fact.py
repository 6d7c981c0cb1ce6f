"""Entities, facts and answers: what the store holds and gives back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from workbench.model.claim import Value
from workbench.model.time import Instant, Vantage


class Reading(StrEnum):
    """Which of the three readings of imprecise and persisting facts an answer uses."""

    BEST = "best"
    CERTAIN = "certain"
    POSSIBLE = "possible"


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing that claims speak of.

    Attributes:
        iri: its identifier.
        label: the name it was first mentioned by.
        aliases: other names, sorted.
        type: IRI of its type, or None.
    """

    iri: str
    label: str
    aliases: tuple[str, ...] = ()
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """One version of a belief about subject–relation–object.

    Attributes:
        id: IRI of the record, a hash of its content and cause.
        subject: its label; `subject_iri` is its IRI.
        relation: local name of a declared relation, an undeclared one as it was first given; `relation_iri`,
            `relation_label` beside it.
        object: label of the entity, or None for a literal; `object_iri` beside it.
        value, datatype: the literal and its datatype IRI or `@lang`, or None.
        valid_from, valid_to: `[from, to)` in the world, best reading; None = start unknown / still true.
        valid_from_earliest, …: bounds, where they differ from the best value; None where they do not.
        known_from, known_to: `[from, to)` of belief; None = still believed.
        confidence: 0–1, the highest of its supports.
        status: `settled` or `competing`.
        episodes: ids of the episodes that state or confirm it, in order of knowledge.
        quote: words of the first of them that say it, or None.
        answer: `true`, or `possible` where only the possible reading holds it.
        closed_by: id of the episode that ended the belief, or None.
        revision_of: id of the record that it replaces, or None.
        recorded_in: id of the episode that caused this version; its graph holds it.
    """

    id: str
    subject: str
    relation: str
    subject_iri: str
    relation_iri: str
    object: str | None = None
    object_iri: str | None = None
    value: Value | None = None
    datatype: str | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    valid_from_earliest: Instant | None = None
    valid_from_latest: Instant | None = None
    valid_to_earliest: Instant | None = None
    valid_to_latest: Instant | None = None
    known_from: Instant | None = None
    known_to: Instant | None = None
    confidence: float = 1.0
    status: str = "settled"
    episodes: tuple[str, ...] = ()
    quote: str | None = None
    answer: str = "true"
    closed_by: str | None = None
    revision_of: str | None = None
    recorded_in: str | None = None
    relation_label: str | None = None

    def to_json(self) -> dict[str, Any]:
        """A JSON row; instants as ISO 8601 text, unbounded ends as null."""
        row: dict[str, Any] = {}
        for name in self.__slots__:
            value = getattr(self, name)
            key = "fact" if name == "id" else name
            row[key] = value.iso() if isinstance(value, Instant) else list(value) if isinstance(value, tuple) else value
        return row


@dataclass(frozen=True, slots=True)
class Cited:
    """An episode that an answer rests on.

    Attributes:
        episode: its id.
        quote: words of it that say so, verbatim, or None.
        fact: id of the fact that it supports, or None.
    """

    episode: str
    quote: str | None = None
    fact: str | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What an answer cost.

    Attributes:
        seconds: wall time.
        model_calls: calls of a language model.
        tokens: tokens in and out of those calls, or of the context if none was called.
    """

    seconds: float = 0.0
    model_calls: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question got.

    Attributes:
        question: the question as asked.
        vantage: where it was answered from.
        values: the answers, as labels or literals; empty if it abstained.
        facts: the evidence, in the order used.
        abstained: why there is no answer (`nothing found`, `only possible`, `competing`, `ambiguous`,
            `not understood`, `outside what was known`, `not supported`), or None.
        path: how the answer was found, in words.
        cited: the episodes that it rests on; where a program names none, those of the facts.
        cost: what it took.
    """

    question: str
    vantage: Vantage
    values: tuple[Value, ...] = ()
    facts: tuple[Fact, ...] = ()
    abstained: str | None = None
    path: str = ""
    cited: tuple[Cited, ...] = ()
    cost: Cost = Cost()

    @property
    def evidence(self) -> tuple[Cited, ...]:
        """The episodes cited, each once, in order."""
        found: dict[str, Cited] = {}
        for one in self.cited:
            found.setdefault(one.episode, one)
        for fact in self.facts:
            for episode in fact.episodes:
                found.setdefault(episode, Cited(episode, fact.quote if episode == fact.episodes[0] else None, fact.id))
        return tuple(found.values())

    def to_json(self) -> dict[str, Any]:
        """A JSON object: the answer, its interval (of the first fact), the cited episodes with quotes, the path."""
        first = self.facts[0].to_json() if self.facts and self.abstained is None else None
        return {
            "question": self.question, "answer": list(self.values), "abstained": self.abstained,
            "valid_at": self.vantage.valid_at.iso(), "known_at": self.vantage.known_at.iso(),
            "interval": None if first is None else [first["valid_from"], first["valid_to"]],
            "episodes": [{"episode": one.episode, "quote": one.quote} for one in self.evidence],
            "facts": [fact.to_json() for fact in self.facts], "path": self.path,
            "cost": {"seconds": round(self.cost.seconds, 6), "model_calls": self.cost.model_calls,
                     "tokens": self.cost.tokens},
        }
