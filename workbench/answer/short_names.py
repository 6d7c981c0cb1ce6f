"""Names said shorter than they are known: "IMF" for International Monetary Fund, "Ann Lee" for Ann B. Lee."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from workbench.graph.graph import Graph
from workbench.model.names import name_key
from workbench.model.time import Instant
from workbench.retrieve.link import Mention, link

_CAPITALS: Final = re.compile(r"\b[A-Z]{2,8}\b")
_NAME: Final = re.compile(r"(?<!\w)[^\W\d_a-z][\w'’.-]*(?: [^\W\d_a-z][\w'’.-]*)+")


class ShortNames:
    """The names of a store by their initials, and by their first and last word; read when first asked for.

    Args:
        labels: gives all names.
    """

    def __init__(self, labels: Callable[[], Iterable[str]]) -> None:
        self._labels = labels
        self._by_shape: dict[str, list[str]] | None = None

    @classmethod
    def of(cls, graph: Graph) -> ShortNames:
        """Those of a store as it is now."""
        timeline = graph.timeline
        return cls(lambda: [timeline.terms[term] for term in set(timeline.names["label"].tolist())])

    def labels(self, shape: str) -> Sequence[str]:
        """The names of that shape."""
        if self._by_shape is None:
            found: dict[str, list[str]] = {}
            for label in self._labels():
                for one in {_initials(label), _shape(label)} - {""}:
                    found.setdefault(one, []).append(label)
            self._by_shape = found
        return self._by_shape.get(shape, ())


def link_short(graph: Graph, names: ShortNames, text: str, known_at: Instant, taken: Sequence[Mention]
               ) -> list[Mention]:
    """What `link` leaves open: initials, and names of persons without their middle, of exactly one thing known then."""
    wanted: dict[str, tuple[int, int]] = {}
    for pattern in (_CAPITALS, _NAME):
        for match in pattern.finditer(text):
            low, high = match.span()
            high -= len(match[0]) - len(re.sub(r"['’]s$|[.'’]$", "", match[0]))
            if not any(a < high and low < b for a, b in (mention.span for mention in taken)):
                wanted.setdefault(text[low:high], (low, high))
    found: list[Mention] = []
    for name, span in wanted.items():
        things = {one for label in names.labels(_shape(name)) if name_key(name) != name_key(label)
                  for mention in link(graph, label, known_at) if mention.span == (0, len(label))
                  for one in mention.terms}
        if len(things) == 1:
            found.append(Mention(tuple(things), span))
    return found


def _initials(label: str) -> str:
    letters = "".join(word[0] for word in label.split() if word[0].isupper())
    return letters if len(letters) > 1 else ""


def _shape(name: str) -> str:
    """A run of capitals as it is; of a name its first and last word."""
    words = [word for word in name_key(re.sub(r",? (?:Jr|Sr|I{2,3})\.?$", "", name)).split() if word]
    if _CAPITALS.fullmatch(name):
        return name
    return f"{words[0]} {words[-1]}" if len(words) > 1 else ""
