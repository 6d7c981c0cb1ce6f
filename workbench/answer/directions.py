"""Whether a thing named in a question is the subject or the object of the relation named."""

from __future__ import annotations

from typing import Final

from workbench.answer.asked import Asked
from workbench.answer.lexicon import Match
from workbench.answer.question import ASKING
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex

_OF: Final = frozenset("of for at in von für de del".split())
_BE: Final = frozenset("is are was were been being be".split())
_ENGLISH: Final = frozenset("who whom what which where when how did does do is are".split())  # the verb comes second
_BY: Final = frozenset("by von durch por".split())


def directions(graph: Graph, schema: SchemaIndex, match: Match, term: int, at: int | None, asked: Asked) -> list[bool]:
    """True for subject, False for object, likeliest first; the second only where words and types leave it open; none
    where they contradict each other.

    Args:
        graph, schema: for the types.
        match: the relation as it was found.
        term: the thing.
        at: the position of the word where it is named; None = its place says nothing.
        asked: the question.
    """
    relation = match.relation
    if relation.symmetric:
        return [True]
    hint = None if at is None else _hint(match, at, asked)
    kinds = [kind for kind, _ in graph.timeline.types_of_entity(term)]
    fits = [all(schema.compatible(kind, side) for kind in kinds) if kinds else True
            for side in (relation.domain, relation.range)]
    person = schema.entity_type("Person").iri
    answers = [schema.compatible(person, side) for side in (relation.range, relation.domain)]
    for sides in (fits, answers if asked.who else [True, True]):
        if sides[0] != sides[1]:
            # "Who did Norddampf work for?": the words ask for what the types rule out
            against = hint is not None and hint != sides[0] and not match.form.noun
            return [] if against and any(word.text.casefold() in _ENGLISH for word in asked.words) else [sides[0]]
    return [True, False] if hint is None else [hint]


def _hint(match: Match, at: int, asked: Asked) -> bool | None:
    """What the order of the words says.

    "Who is led by Ann" and "owned by whom" are said the other way round than "who leads" and "the owner of"; a form
    that is itself passive ("owned by") turns that once more.
    """
    words, first, last = asked.words, match.at[0], match.at[-1]
    def text(position: int) -> str:
        return words[position].text.casefold() if 0 <= position < len(words) else ""
    if at > last and not match.form.tail and text(first - 1) in ASKING:  # "which team is Ann on": it asks for the team
        return True
    possessive = asked.text[words[at].end:].lstrip().startswith(("'s", "’s", "' ", "’ "))
    by = (text(last + 1) in _BY or (text(0) in _BY and not possessive)
          or (match.form.active and text(first - 1) in _BE and not text(first).endswith("ing")))
    turned = by != (match.form.tail in _BY)
    if at > last:
        if (match.form.noun and any(text(position) in _OF for position in range(last + 1, at))) or (
                not match.form.tail and text(last + 1) == "of"):
            return True
        return turned
    if at < first:
        return possessive or not turned
    return None
