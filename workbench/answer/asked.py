"""What was understood of a question: what is asked, of whom, by which relation, about which times."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from workbench.answer.lexicon import Match
from workbench.answer.times import Times
from workbench.answer.words import Word
from workbench.retrieve.link import Mention


class Kind(StrEnum):
    """What sort of answer a question wants."""

    VALUE = "value"
    WHEN = "when"
    START = "start"
    END = "end"
    DURATION = "duration"
    COUNT = "count"
    YESNO = "yesno"
    ORDER = "order"


class Pick(StrEnum):
    """Which of several facts of a slot is meant."""

    FIRST = "first"
    LAST = "last"
    PREVIOUS = "previous"
    NEXT = "next"


@dataclass(frozen=True)
class Asked:
    """What was understood of a question.

    Attributes:
        text: the question.
        part: `[start, end)` characters of it that this is about: all but a clause, or the clause.
        kind, pick: see there; no pick = all that hold.
        entities: those named, in order, with the position of the word where each starts.
        anchor: the entity after "before", "after", "succeeded", or None; `side` says which.
        clause: a clause that names the time ("before she moved to Berlin"), or None.
        matches: forms of relations that the question holds; of equal words the likeliest first.
        hops: forms of further relations, for a path.
        nouns: forms that are also the noun of a type ("Ann's team"): a hop of a path, should `matches` not do alone.
        others: forms, whole or in part, that explain the same words as `matches`, should those lead to nothing.
        types: IRIs of types that the answer must have one of.
        who: it asks for a person or a group of them.
        office: it asks for an office, position or role as such.
        times: the times named.
        past: it speaks of the past; `ever`: of any time.
        words: all words; `taken`: positions that entities and times explain.
        unexplained: words with content that nothing explains.
    """

    text: str
    part: tuple[int, int] = (0, 0)
    kind: Kind = Kind.VALUE
    pick: Pick | None = None
    entities: tuple[tuple[Mention, int], ...] = ()
    anchor: Mention | None = None
    side: str | None = None
    clause: Asked | None = None
    matches: tuple[Match, ...] = ()
    hops: tuple[tuple[Match, ...], ...] = ()
    nouns: tuple[Match, ...] = ()
    others: tuple[Match, ...] = ()
    types: frozenset[str] = frozenset()
    who: bool = False
    office: bool = False
    times: Times = field(default_factory=Times)
    past: bool = False
    ever: bool = False
    words: tuple[Word, ...] = ()
    taken: frozenset[int] = frozenset()
    unexplained: tuple[str, ...] = ()
