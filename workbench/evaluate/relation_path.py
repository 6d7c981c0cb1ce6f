"""From a question to a path of relations: rules, no model.

1. Anchors: the names in the question that the store knows as a subject, longest first.
2. Cues: phrases that evoke relations (`phrases`), outside the anchor.
3. Paths: starting at the anchor, follow facts through at most four relations, each of which some cue evokes. A path
   reads the question if every binding cue is accounted for by a relation of the path. A step that people leave out
   ("the country of origin of a club" is that of its sport) may go without a cue, once.
4. Of several readings the one is taken that fits the question word, leaves out no step, keeps the order of the words
   (what is said nearest to the anchor is followed first), is shortest, and leaves the fewest hints unused. If two
   readings that lead to different answers are equally good the question is not understood, and nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from workbench.evaluate.phrases import Cue, asked_for, cues

LONGEST: Final = 4
FREE: Final = frozenset({"office holder"})
"""Relations that the name of the anchor itself asks for ("the President of X" is a person)."""
LEFT_OUT: Final = frozenset({"sport", "position played", "citizenship", "performer", "original broadcaster"})
"""Relations that a question may pass over without a word."""

Neighbours = Callable[[str], Sequence[tuple[str, str]]]
"""From an entity to its (relation, value) pairs at the vantage."""


@dataclass(frozen=True, slots=True)
class Path:
    """A reading of a question. `cost` orders readings, smaller is better; `strict` if it accounts for every cue."""

    anchor: str
    relations: tuple[str, ...]
    values: tuple[str, ...]
    cost: tuple[float, ...]
    strict: bool = True

    @property
    def answer(self) -> str:
        """Where the path ends."""
        return self.values[-1]


def read_path(question: str, names: Callable[[str], Sequence[str]], neighbours: Neighbours) -> Path | None:
    """The best reading of a question, or None if it has none or two that disagree.

    Where no reading accounts for every binding cue, one that leaves a single one aside is given as not `strict`:
    good enough to answer with, not counted as understood.

    Args:
        question: its words.
        names: gives the known subjects that a text mentions, longest first.
        neighbours: the facts to follow.
    """
    anchors = names(question)
    for spare in (0, 1):
        readings = [path for anchor in anchors for path in _readings(question, anchor, neighbours, spare)]
        best = min((path.cost for path in readings), default=None)
        chosen = [path for path in readings if path.cost == best]
        if chosen:
            return chosen[0] if len({path.answer for path in chosen}) == 1 else None
    return None


def _readings(question: str, anchor: str, neighbours: Neighbours, spare: int) -> Iterator[Path]:
    place = _find(question, anchor)
    if place is None:
        return
    start, end = place
    # The anchor's own words are no cues; a blank of equal length keeps the positions.
    text = (question[:start] + "\x00" * (end - start) + question[end:]).lower()
    found = cues(text)
    evoked = {relation for cue in found for relation in cue.evokes} | FREE | LEFT_OUT
    wanted = asked_for(text)
    for relations, values in _walk(anchor, (), (), evoked, neighbours):
        cost = _cost(relations, found, wanted, (start, end), spare)
        if cost is not None:
            yield Path(anchor, relations, values, (*cost, -float(end - start)), spare == 0)


def _find(question: str, name: str) -> tuple[int, int] | None:
    match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question) \
        or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question, re.IGNORECASE)
    return None if match is None else match.span()


def _walk(at: str, relations: tuple[str, ...], values: tuple[str, ...], evoked: set[str],
          neighbours: Neighbours) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    if len(relations) == LONGEST:
        return
    for relation, value in neighbours(at):
        if relation in evoked:
            longer = ((*relations, relation), (*values, value))
            yield longer
            yield from _walk(value, *longer, evoked, neighbours)


def _cost(relations: tuple[str, ...], found: Sequence[Cue], wanted: frozenset[str],
          anchor: tuple[int, int], spare: int) -> tuple[float, ...] | None:
    left = [cue for cue in found if cue.binding and not cue.evokes & set(relations)]
    given = _assign(relations, found)
    misfit = 0 if not wanted or relations[-1] in wanted else 1
    if given is None or len(left) > spare or (left and misfit):
        return None
    bare = [step for step, relation in enumerate(relations) if step not in given and relation not in FREE]
    if len(bare) > 1 or any(relations[step] not in LEFT_OUT or step == len(relations) - 1 for step in bare):
        return None
    # What is said nearest to the anchor should be followed first.
    distances = [min(_distance(cue, anchor) for cue in given[step]) for step in range(len(relations)) if step in given]
    inversions = sum(1 for first, second in pairwise(distances) if first > second)
    unused = sum(1 for cue in found if not cue.binding and not cue.evokes & set(relations))
    return (misfit, len(left), len(bare), inversions, len(relations), unused)


def _distance(cue: Cue, anchor: tuple[int, int]) -> int:
    return anchor[0] - cue.end if cue.end <= anchor[0] else cue.start - anchor[1]


def _assign(relations: tuple[str, ...], found: Sequence[Cue]) -> dict[int, list[Cue]] | None:
    """Give every cue to the steps that it evokes. Two steps of the same relation need two cues, else None."""
    given: dict[int, list[Cue]] = {}
    for cue in found:
        steps = [step for step, relation in enumerate(relations) if relation in cue.evokes]
        for step in steps:
            given.setdefault(step, []).append(cue)
    for step, relation in enumerate(relations):
        again = relations.count(relation)
        if again > 1 and again > len({cue.start for cue in given.get(step, ()) if cue.binding}):
            return None
    return given
