"""Names by their initials: "IMF" for International Monetary Fund."""

from __future__ import annotations

import re
from typing import Final

from workbench.graph.graph import Graph
from workbench.model.time import Instant
from workbench.retrieve.link import Mention, link

_CAPITALS: Final = re.compile(r"\b[A-Z]{2,8}\b")


def link_initials(graph: Graph, text: str, known_at: Instant, taken: list[Mention]) -> list[Mention]:
    """Runs of capitals outside `taken` that are the initials of exactly one thing known then.

    Scans all names once if there is such a run.
    """
    runs = [match for match in _CAPITALS.finditer(text)
            if not any(low < match.end() and match.start() < high for low, high in (mention.span for mention in taken))]
    if not runs:
        return []
    timeline = graph.timeline
    by_initials: dict[str, set[int]] = {match[0]: set() for match in runs}
    for term in set(timeline.names["label"].tolist()):
        label = timeline.terms[term]
        initials = "".join(word[0] for word in label.split() if word[0].isupper())
        if initials in by_initials and len(label) > len(initials):
            by_initials[initials] |= {one for mention in link(graph, label, known_at) if mention.span == (0, len(label))
                                      for one in mention.terms}
    return [Mention(tuple(by_initials[match[0]]), match.span()) for match in runs if len(by_initials[match[0]]) == 1]
