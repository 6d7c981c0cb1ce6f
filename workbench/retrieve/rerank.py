"""Reranking the first items by something that reads question and text together; off unless asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Protocol

from workbench.model.errors import UsageError
from workbench.retrieve.seam import Found

FIRST: Final = 30


class Reranker(Protocol):
    """Scores texts against a question."""

    @property
    def name(self) -> str:
        """Stands in the ranks and shares of what it reranked."""
        ...

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One score a text, the larger the better."""
        ...


class CrossEncoder:
    """A cross-encoder of sentence-transformers, from a folder or by name."""

    def __init__(self, model: str) -> None:
        """Load it.

        Raises:
            UsageError: sentence-transformers is not installed.
        """
        try:
            from sentence_transformers import CrossEncoder as Model
        except ImportError as error:
            raise UsageError("a cross-encoder needs the package sentence-transformers; "
                             "pip install sentence-transformers") from error
        self.name = f"cross-encoder {model}"
        self._model: Any = Model(model)

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """The model's relevance of each text."""
        found: list[float] = self._model.predict([(question, text) for text in texts]).tolist()
        return found


def reranked(found: Sequence[Found], texts: Sequence[str], question: str, reranker: Reranker,
             first: int = FIRST) -> list[Found]:
    """The first items by the reranker's score (ties by the old place), the rest as they were.

    Raises:
        UsageError: the reranker gave another number of scores than texts.
    """
    head = list(zip(found, texts, strict=True))[:first]
    scores = list(reranker.score(question, [text for _, text in head])) if head else []
    if len(scores) != len(head):
        raise UsageError(f"{reranker.name} gave {len(scores)} scores for {len(head)} texts; one a text is needed")
    order = sorted(range(len(head)), key=lambda place: (-scores[place], place))
    new = [replace(head[place][0], ranks={**head[place][0].ranks, reranker.name: rank},
                   scores={**head[place][0].scores, reranker.name: scores[place]})
           for rank, place in enumerate(order, 1)]
    return [*new, *found[len(head):]]
