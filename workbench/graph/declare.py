"""Proposing declarations for relations that the schema does not know, from how they are used. No rdflib."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from workbench.graph import vocabulary as v
from workbench.model.fact import Fact
from workbench.model.schema import Schema
from workbench.model.time import BEGINNING, FOREVER

_ENOUGH_SUBJECTS: Final = 3


@dataclass(frozen=True, slots=True)
class Declaration:
    """What an undeclared relation looks like in use.

    Attributes:
        iri, label: the relation.
        count: facts that use it.
        subjects: distinct subjects.
        succeeding: subjects with several values, never two at once.
        coexisting: subjects with two values at one instant.
        functional: whether to declare it functional: some subjects' values succeed each other and none coexist.
        literal: whether all its values are literals.
        turtle: a declaration to paste into a schema; prefixes not included.
    """

    iri: str
    label: str
    count: int
    subjects: int
    succeeding: int
    coexisting: int
    functional: bool
    literal: bool
    turtle: str

    @property
    def reason(self) -> str:
        """The counts in words."""
        return (f"{self.count} facts about {self.subjects} subjects; {self.succeeding} with successive values, "
                f"{self.coexisting} with values at once")


def propose_declarations(facts: Iterable[Fact], schema: Schema) -> list[Declaration]:
    """A declaration for every relation in `facts` that the schema lacks, the most used first.

    Args:
        facts: what is believed, over all of valid time (several values of a slot included).
        schema: what is declared already.
    """
    by_relation: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.relation_iri not in schema.relations:
            by_relation[fact.relation_iri].append(fact)
    proposals = [_declaration(iri, used) for iri, used in by_relation.items()]
    return sorted(proposals, key=lambda proposal: (-proposal.count, proposal.iri))


def _declaration(iri: str, facts: Sequence[Fact]) -> Declaration:
    by_subject: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_subject[fact.subject_iri].append(fact)
    several = [rows for rows in by_subject.values() if len({_value(row) for row in rows}) > 1]
    coexisting = sum(map(_overlap, several))
    succeeding = len(several) - coexisting
    functional = succeeding > 0 and coexisting == 0 and len(by_subject) >= _ENOUGH_SUBJECTS
    literal = all(fact.object_iri is None for fact in facts)
    label = Counter(fact.relation for fact in facts).most_common(1)[0][0]
    return Declaration(iri, label, len(facts), len(by_subject), succeeding, coexisting, functional, literal,
                       _turtle(iri, label, functional, literal))


def _value(fact: Fact) -> tuple[str | None, str]:
    return fact.object_iri, repr(fact.value)


def _overlap(facts: Sequence[Fact]) -> bool:
    """Whether two different values hold at one instant: sorted by start, one must then meet a later neighbour."""
    spans = sorted((fact.valid_from or BEGINNING, fact.valid_to or FOREVER, _value(fact)) for fact in facts)
    reach: dict[tuple[str | None, str], int] = {}
    for (_, end, value), (start, _, other) in pairwise(spans):
        reach[value] = max(end, reach.get(value, end))
        if any(until > start for held, until in reach.items() if held != other):
            return True
    return False


def _turtle(iri: str, label: str, functional: bool, literal: bool) -> str:
    kinds = ["owl:DatatypeProperty" if literal else "owl:ObjectProperty"]
    if functional:
        kinds.append("owl:FunctionalProperty")
    escaped = label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ").replace("\r", " ")
    return f'<{iri}> a {", ".join(kinds)} ; rdfs:label "{escaped}" .'


def declarations_turtle(proposals: Iterable[Declaration]) -> str:
    """The proposals as one Turtle document, each under its reason; a start for a schema of one's own."""
    names = ("tcg", "owl", "rdfs")
    prefixes = [f"@prefix {name}: <{v.PREFIXES[name]}> ." for name in names]
    return "\n".join([*prefixes, "", *(f"# {each.reason}\n{each.turtle}" for each in proposals)]) + "\n"
