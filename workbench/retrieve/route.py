"""Which way a question takes: the cheapest that can answer it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from workbench.retrieve.seam import Kind

_QUOTED: Final = re.compile(r"[\"“”«»„‚「『].{3,}?[\"“”«»“‘」』]|`[^`]+`")
# error codes, file names, addresses, versions: letters with digits, or a sign that no ordinary word holds
_IDENTIFIER: Final = re.compile(
    r"(?<!\S)[(\[]?(?:(?=\S*\d)(?=\S*[A-Za-z])[\w.:/#-]*\w|\S*\w[_@]\w\S*|[\w/\\:-]+\.[A-Za-z]\w{1,5})(?=[)\]?!.,:;]*(?:\s|$))")
_ORDINAL: Final = re.compile(r"\d+(?:st|nd|rd|th|s|am|pm)$|\d{4}-\d\d(?:-\d\d)?|\d\d?:\d\d", re.I)


class Way(StrEnum):
    """The ways, cheapest first."""

    SLOT = "slot"
    LOOKUP = "lookup"
    GRAPH = "graph"
    OPEN = "open"


@dataclass(frozen=True)
class Signs:
    """What the understanding of a question says of it.

    Attributes:
        answered: the structured answer is at hand, so that its facts are the context.
        entities: how many known things it names.
        relation: whether it names a relation.
        timed: whether it names a time, an order, or more than one step.
        bare: whether names and times are all that it says, so that meaning has nothing to go by.
    """

    answered: bool = False
    entities: int = 0
    relation: bool = False
    timed: bool = False
    bare: bool = False


@dataclass(frozen=True)
class Route:
    """A way, and what it asks.

    Attributes:
        way: which.
        arms: names of the arms to ask; none for a slot.
        kinds: what is ranked.
        reason: why this way, in words.
    """

    way: Way
    arms: tuple[str, ...]
    kinds: frozenset[Kind]
    reason: str


def route(question: str, signs: Signs) -> Route:
    """The cheapest way that can answer.

    * its structured answer is at hand → its facts, no arm at all;
    * it quotes words or names an identifier, and no relation → keywords alone;
    * it says no more than names and a time ("What was noted about Ann in May?") → words, neighbourhood and time;
    * else → all arms.
    """
    both = frozenset(Kind)
    if signs.answered:
        return Route(Way.SLOT, (), both, "a slot that the store can answer")
    if is_verbatim(question) and not signs.relation:
        return Route(Way.LOOKUP, ("keyword",), both, "it quotes words or names an identifier")
    if signs.entities and signs.timed and signs.bare:
        return Route(Way.GRAPH, ("keyword", "graph", "time"), both, "it names things and a time, and nothing else")
    return Route(Way.OPEN, ("keyword", "semantic", "graph", "time"), both, "it is open")


def is_verbatim(question: str) -> bool:
    """Whether a question quotes words or names an identifier, an error string, a file.

    >>> is_verbatim("Who saw ERR-1234/5?"), is_verbatim('Who said "ship it now"?'), is_verbatim("Who left in 2019?")
    (True, True, False)
    """
    return _QUOTED.search(question) is not None or any(
        not _ORDINAL.match(match[0]) for match in _IDENTIFIER.finditer(question))
