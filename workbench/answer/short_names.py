"""Names said shorter than they are known: "IMF" for International Monetary Fund, "Ann Lee" for Ann B. Lee."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from workbench.graph.graph import Graph
from workbench.model.names import name_key
from workbench.model.time import Instant
from workbench.retrieve.link import Mention, link

_CAPITALS: Final = re.compile(r"\b[A-Z]{2,8}\b")
_NAME: Final = re.compile(r"(?<!\w)[^\W\d_a-z][\w'’.-]*(?: [^\W\d_a-z][\w'’.-]*)+")


def link_short(graph: Graph, text: str, known_at: Instant, taken: Sequence[Mention]) -> list[Mention]:
    """What `link` leaves open: initials, and names of persons without their middle, of exactly one thing known then.

    Scans all names once, and only if the text has a run of capitals or capitalised words that `taken` does not explain.
    """
    wanted: dict[str, tuple[int, int]] = {}
    for pattern in (_CAPITALS, _NAME):
        for match in pattern.finditer(text):
            low, high = match.span()
            high -= len(match[0]) - len(re.sub(r"['’]s$|[.'’]$", "", match[0]))
            if not any(a < high and low < b for a, b in (mention.span for mention in taken)):
                wanted.setdefault(text[low:high], (low, high))
    if not wanted:
        return []
    keys = {_shape(name): name for name in wanted}
    found: dict[str, set[int]] = {name: set() for name in wanted}
    timeline = graph.timeline
    for term in set(timeline.names["label"].tolist()):
        label = timeline.terms[term]
        for shape in (_initials(label), _shape(label)):
            name = keys.get(shape) if shape else None
            if name is not None and name_key(name) != name_key(label):
                found[name] |= {one for mention in link(graph, label, known_at) if mention.span == (0, len(label))
                                for one in mention.terms}
    return [Mention(tuple(found[name]), span) for name, span in wanted.items() if len(found[name]) == 1]


def _initials(label: str) -> str:
    letters = "".join(word[0] for word in label.split() if word[0].isupper())
    return letters if len(letters) > 1 else ""


def _shape(name: str) -> str:
    """A run of capitals as it is; of a name its first and last word."""
    words = [word for word in name_key(re.sub(r",? (?:Jr|Sr|I{2,3})\.?$", "", name)).split() if word]
    if _CAPITALS.fullmatch(name):
        return name
    return f"{words[0]} {words[-1]}" if len(words) > 1 else ""
