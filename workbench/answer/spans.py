"""Which of the facts of a slot a question's times, order words and clauses mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from workbench.answer.asked import Asked, Kind, Pick
from workbench.answer.times import NOON
from workbench.answer.words import stem
from workbench.model.fact import Fact
from workbench.model.time import BEGINNING, FOREVER, Instant, Interval

_ENDING: Final = frozenset(map(stem, "leave end stop quit finish resign cease expire retire depart".split()))
_STARTING: Final = frozenset(
    map(stem, "join start begin become appoint hire elect move file open report found".split()))


@dataclass(frozen=True)
class Held:
    """A fact, and whether its object (forward) or its subject answers."""

    fact: Fact
    forward: bool

    @property
    def other_iri(self) -> str | None:
        """IRI of the answering side, None for a literal."""
        return self.fact.object_iri if self.forward else self.fact.subject_iri

    @property
    def key(self) -> str:
        """What makes two answers the same."""
        return self.other_iri or f"{self.fact.value!r}"

    @property
    def start(self) -> Instant:
        """First instant of validity, the latest it can have been if it is not stated."""
        return self.fact.valid_from or self.fact.valid_from_latest or BEGINNING

    @property
    def end(self) -> Instant:
        """First instant after validity."""
        return self.fact.valid_to or FOREVER

    def holds(self, window: Interval) -> bool:
        """Whether it holds at some instant of it."""
        return self.start < self.end and window.overlaps(Interval(self.start, self.end))


def holding(held: Iterable[Held], asked: Asked, at: Instant) -> tuple[Held, ...]:
    """Those that hold when the question asks; at `at` where it names no time, ever if it speaks of any time.

    A question about the past without a time gets what holds at `at`, else all there was.
    """
    kept, times = list(held), asked.times
    for window, side in ((times.begins, "start"), (times.ends, "end")):
        if window is not None:
            kept = [one for one in kept if window.start <= getattr(one, side) <= window.end - (side == "start")]
    if times.valid is not None:
        if times.day:
            noon = times.valid.start.plus(NOON)
            at_noon = tuple(one for one in kept if one.holds(Interval(noon, Instant(noon + 1))))
            if at_noon:
                return at_noon
        return tuple(one for one in kept if one.holds(times.valid))
    everything = (times.begins is not None or times.ends is not None or asked.ever or asked.pick is not None
                  or asked.kind in (Kind.WHEN, Kind.START, Kind.END, Kind.DURATION))
    if everything:
        return tuple(kept)
    now = tuple(one for one in kept if one.holds(Interval(at, Instant(at + 1))))
    return now or (tuple(kept) if asked.past and times.known is None else ())


def picked(held: Sequence[Held], pick: Pick, at: Instant) -> tuple[Held, ...]:
    """The first, last, previous or next of several, by start; all of those that share the place."""
    def of(start: Instant | None) -> tuple[Held, ...]:
        return tuple(one for one in held if one.start == start)
    if pick is Pick.FIRST:
        return of(min((one.start for one in held), default=None))
    if pick is Pick.NEXT:
        return of(min((one.start for one in held if one.start > at), default=None))
    begun = [one for one in held if one.start <= at] or list(held)
    if pick is Pick.LAST:
        return of(max((one.start for one in begun), default=None))
    current = {one.key for one in begun if one.end > at}
    ended = [one for one in begun if one.end <= at and (one.key not in current or len(begun) > 1)]
    return of(max((one.start for one in ended), default=None))


def beside(held: Sequence[Held], anchors: frozenset[str], side: str) -> tuple[Held, ...]:
    """The next (or previous) by start to those whose answer is an anchor; of equal starts the one that ends last."""
    found: dict[Held, None] = {}
    for anchor in (one for one in held if one.key in anchors):
        others = [one for one in held if one.key not in anchors]
        if side == "after":
            place = min((one.start for one in others if one.start > anchor.start), default=None)
        else:
            place = max((one.start for one in others if one.start < anchor.start), default=None)
        near = max((one for one in held if one.start == place), key=lambda one: one.end, default=None)
        if near is not None:
            found[near] = None
    return tuple(found)


@dataclass(frozen=True)
class Clauses:
    """A clause that names a time: "before she moved to Berlin", "while Bob led Platform".

    Attributes:
        clause: what was understood of it.
        side: `before`, `after`, `during`, `until`, `since`.
    """

    clause: Asked
    side: str

    def window(self, facts: Sequence[Fact]) -> Interval | None:
        """The time that the clause's facts give; None if there is none."""
        spans = [one for one in (Held(fact, True) for fact in facts) if one.start < one.end]
        if not spans:
            return None
        low, high = self.clause.part
        stems = {word.stem for word in self.clause.words if low <= word.start < high}
        first, last = min(one.start for one in spans), max(one.end for one in spans)
        if self.side == "during":
            if stems & _STARTING and "while" not in self.clause.text[:low].casefold():
                return Interval(first, Instant(first + 1))
            if stems & _ENDING:
                return Interval(last, Instant(last + 1)) if last < FOREVER else None
            return Interval(first, last)
        if stems & _ENDING or (self.side == "after" and not stems & _STARTING):
            return Interval(last, Instant(last + 1)) if last < FOREVER else None
        return Interval(first, Instant(first + 1)) if first > BEGINNING else None

    def choose(self, held: Sequence[Held], window: Interval) -> tuple[Held, ...]:
        """Those that the side of the window means."""
        if self.side == "during":
            return tuple(one for one in held if one.holds(window))
        at = window.start
        if self.side in ("before", "until"):
            before = Instant(at - 1)
            just = [one for one in held if one.holds(Interval(before, at))]
            if just:
                return tuple(just)
            last = max((one.end for one in held if one.end <= at), default=None)
            return tuple(one for one in held if one.end == last)
        just = [one for one in held if one.holds(window)]
        if just:
            return tuple(just)
        first = min((one.start for one in held if one.start >= at), default=None)
        return tuple(one for one in held if one.start == first)
