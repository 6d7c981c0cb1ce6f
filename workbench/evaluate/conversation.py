"""What loaders of retrieval data give: conversations as episodes, and questions with the episodes that answer them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from workbench.model.episode import Episode
from workbench.model.time import Instant


@dataclass(frozen=True, slots=True)
class RetrievalQuestion:
    """A question to one conversation, and where its evidence is.

    Attributes:
        id: unique in its data set.
        conversation: the conversation (page) that it is asked of; nothing outside it is searched.
        text: its words.
        type: its category, as the data set names or numbers it.
        gold: ids of the episodes that hold the evidence, in the data's order, without repetition; empty = nothing to
            score.
        sessions: sessions that hold it.
        now: when it is asked; None = the data does not say.
        unanswerable: the right answer is that there is none. Such a question may still have gold: LoCoMo's name what
            misleads.
        parts: gold by part, where the data tells parts apart (`original_info` and `updated_info` of an update).
        audited: the gold after an audit of the labels; None = as published.
        fault: what an audit found wrong with the question's labels, or None.
        answers: the answers as published.
    """

    id: str
    conversation: str
    text: str
    type: str
    gold: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    now: Instant | None = None
    unanswerable: bool = False
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    audited: tuple[str, ...] | None = None
    fault: str | None = None
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """Episodes in the order in which they were said, and the questions asked of them.

    Attributes:
        id: the `source` of each of its episodes.
        episodes: ids are prefixed by the conversation, and so are sessions: both are unique across a data set.
        questions: in the data's order.
    """

    id: str
    episodes: tuple[Episode, ...]
    questions: tuple[RetrievalQuestion, ...]


@dataclass(frozen=True)
class Loaded:
    """A data set.

    Attributes:
        dataset: its name.
        conversations: in the data's order.
        files: what was read.
        counts: what a reader of a score must know: `questions`, `without_gold`, `dangling`, `malformed`, ….
        notes: licence, clock, and what was left out.
    """

    dataset: str
    conversations: Sequence[Conversation]
    files: Sequence[Path] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    notes: Sequence[str] = ()

    @property
    def questions(self) -> list[RetrievalQuestion]:
        """All questions."""
        return [question for conversation in self.conversations for question in conversation.questions]


def duplicates(questions: Sequence[RetrievalQuestion]) -> int:
    """How many questions are asked of their conversation again in the same words."""
    return len(questions) - len({(question.conversation, question.text.strip().lower()) for question in questions})
