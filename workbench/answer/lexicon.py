"""The words for relations: those of the schema, and undeclared relations as the store names them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from workbench.answer.short_names import ShortNames
from workbench.answer.words import Word, is_filler, words
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.graph.vocabulary import local_name, words_of
from workbench.model.schema import EntityType, Relation

_COPULAS: Final = frozenset("is was are were be been has have had having got being ist sind war es son".split())
_TAILS: Final = frozenset("""of in on at for by with from to into as under von für in bei an auf de en a con para por
""".split())
_GAP: Final = 3


@dataclass(frozen=True, slots=True)
class Form:
    """A way to say a relation: "is head of", "employer", "listed with".

    Attributes:
        stems: its content words, in order; never empty.
        tail: its last preposition, or "".
        active: a verb that its subject does, as in "reported"; "was reported" turns it.
        noun: it names the object, as "employer" and "manager" do, so that "X's employer" asks for the object.
        relation: what it means.
        rank: the smaller the more preferred among forms of equal fit.
    """

    stems: tuple[str, ...]
    tail: str
    active: bool
    noun: bool
    relation: Relation
    rank: int


@dataclass(frozen=True, slots=True)
class Match:
    """A form found among the words of a question.

    Attributes:
        form: which.
        at: positions of the words that it covers, ascending.
        whole: all of its words are there.
    """

    form: Form
    at: tuple[int, ...]
    whole: bool

    @property
    def relation(self) -> Relation:
        """What the form means."""
        return self.form.relation


class Lexicon:
    """All forms of a schema and of the undeclared relations of a store, found by their stems.

    Attributes:
        types: stem of a type's one-word label → the type.
        short_names: of the store, see `workbench.answer.short_names`.
    """

    def __init__(self, schema: SchemaIndex, undeclared: Iterable[Relation] = (), names: ShortNames | None = None
                 ) -> None:
        self.short_names = names or ShortNames(tuple)
        self.types: dict[str, EntityType] = {}
        for _, kind in sorted(schema.schema.types.items()):
            for text, _ in kind.labels:
                if len(parts := words(text)) == 1:
                    self.types.setdefault(parts[0].stem, kind)
        self._forms: dict[str, list[Form]] = defaultdict(list)
        rank = 0
        for relation in (*(relation for _, relation in sorted(schema.schema.relations.items())), *undeclared):
            labels = [text for text, _ in relation.labels]
            for text in dict.fromkeys([*labels, *(text for text, _ in relation.alt_labels), local_name(relation.iri)]):
                form = _form(words_of(text), relation, rank)
                if form is not None:
                    for stem in dict.fromkeys(form.stems):
                        self._forms[stem].append(form)
                rank += 1

    @classmethod
    def of(cls, graph: Graph, schema: SchemaIndex) -> Lexicon:
        """The lexicon of a store as it is now."""
        timeline = graph.timeline
        found = []
        for term in np.unique(timeline.records["r"]).tolist():
            relation = schema.by_iri(timeline.terms[term])
            if not relation.declared:
                found.append(Relation(relation.iri, ((timeline.relation_name(term), ""),), declared=False))
        return cls(schema, found, ShortNames.of(graph))

    def matches(self, text: Sequence[Word], free: Sequence[int]) -> list[Match]:
        """Every form of which words stand at free positions, whole or in part, best first.

        Best: more words covered, whole before partial, the preposition there too, the preferred form.
        """
        tried: dict[Form, Match] = {}
        for position in free:
            for form in self._forms.get(text[position].stem, ()):
                if form not in tried:
                    tried[form] = _match(form, text, free)
        return sorted(tried.values(), key=lambda match: _order(match, text))


def _order(match: Match, text: Sequence[Word]) -> tuple[bool, int, int, int]:
    last = match.at[-1]
    after = text[last + 1].text.casefold() if last + 1 < len(text) else ""
    tail = bool(match.form.tail) and after == match.form.tail
    return not match.whole, -len(match.at), -int(tail), match.form.rank


def _form(text: str, relation: Relation, rank: int) -> Form | None:
    found = words(text)
    copula = bool(found) and found[0].text.casefold() in _COPULAS
    tail = found[-1].text.casefold() if len(found) > 1 and found[-1].text.casefold() in _TAILS else ""
    kept = [word for word in found if not is_filler(word)]
    if not kept:
        return None
    first = kept[0].text.casefold()
    third_person = len(kept) == 1 and first.endswith("s") and not first.endswith(("ss", "us", "is"))
    verb = copula or third_person or first.endswith(("ed", "ing"))
    return Form(tuple(word.stem for word in kept), tail, active=verb and not copula and not tail,
                noun=not tail and not verb, relation=relation, rank=rank)


def _match(form: Form, text: Sequence[Word], free: Sequence[int]) -> Match:
    """The positions of a form's words: in order and near each other if they are, else wherever they are."""
    best: tuple[int, ...] = ()
    for start in (position for position in free if text[position].stem == form.stems[0]):
        at = [start]
        for stem in form.stems[1:]:
            near = [p for p in free if at[-1] < p <= at[-1] + _GAP and text[p].stem == stem]
            if near:
                at.append(near[0])
        if len(at) > len(best):
            best = tuple(at)
    if len(best) < len(form.stems):
        anywhere: list[int] = []
        for stem in form.stems:
            anywhere += [p for p in free if text[p].stem == stem and p not in anywhere][:1]
        if len(anywhere) > len(best):
            best = tuple(sorted(anywhere))
    return Match(form, best, len(best) == len(form.stems))
