"""How much of a question stands in one place: whether keywords alone will do."""

from __future__ import annotations

import math
from typing import Final

from workbench.retrieve.index import Index
from workbench.retrieve.seam import Hit, Kind
from workbench.retrieve.text import question_tokens

ENOUGH: Final = 0.8
FEWEST: Final = 3


def covered(index: Index, question: str, hit: Hit) -> float:
    """The share of a question's words, each by how rare it is, that an episode or fact holds; 0 for fewer than
    `FEWEST` different words.

    Args:
        index: where words are counted; a word that it does not know is as rare as can be.
        question: in words.
        hit: the item.
    """
    terms = question_tokens(question)
    if len(terms) < FEWEST:
        return 0.0
    snapshot = index.snapshot()
    number = hit.number if hit.kind is Kind.EPISODE else int(snapshot.document[hit.number])
    total = (snapshot.episodes if hit.kind is Kind.EPISODE else snapshot.records) + 1
    held = whole = 0.0
    for term in terms:
        documents, _ = index.postings(hit.kind, term)
        rarity = math.log(1 + (total - len(documents) + 0.5) / (len(documents) + 0.5))
        whole += rarity
        place = int(documents.searchsorted(number))
        if place < len(documents) and int(documents[place]) == number:
            held += rarity
    return held / whole if whole else 0.0
