"""Types of names by evidence, and the choice among relations that share a surface form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from workbench.ingest.rules.forms import FormIndex, Tag
from workbench.ingest.rules.phrases import Phrase
from workbench.ingest.rules.words import COMPANY_ENDINGS, FEMALE, MALE, PLACES
from workbench.model.fact import Entity
from workbench.model.names import name_key
from workbench.model.schema import Relation


class Types:
    """What is known of the types of names: the phrase's own words, known entities, well-known places, first names."""

    def __init__(self, index: FormIndex, entities: Iterable[Entity]) -> None:
        self.index = index
        self._known: dict[str, str] = {}
        for entity in entities:
            if entity.type is not None:
                for name in (entity.label, *entity.aliases):
                    self._known.setdefault(name_key(name), entity.type)
        nouns: Mapping[str, str] = index.type_nouns
        self._place, self._person = nouns.get("place"), nouns.get("person")
        self._company = nouns.get("company") or nouns.get("organization")

    def of(self, phrase: Phrase | None, name: str) -> str | None:
        """IRI of the type, or None if nothing tells it."""
        if phrase is not None and phrase.kind is not None:
            return phrase.kind
        if self._known and (known := self._known.get(name_key(name))) is not None:
            return known
        low = name.lower()
        if low in PLACES:
            return self._place
        words = low.split()
        if len(words) > 1 and words[-1] in COMPANY_ENDINGS:
            return self._company
        if words and words[0] in MALE | FEMALE and name[:1].isupper() and len(words) <= 3:
            return self._person
        return None

    def choose(self, relations: tuple[Relation, ...], tag: Tag, subject: str | None, target: str | None, *,
               number: bool) -> tuple[Relation, bool] | None:
        """The relation that fits the types of both ends best, and whether it was the only one; None if none fits.

        The known types must fit; then more known ends win, then the narrower range, then the IRI (for verbs that end
        something: the order in which they are listed).
        """
        schema = self.index.schema
        fitting = [relation for relation in relations
                   if schema.compatible(subject, relation.domain)
                   and (self.index.literal(relation) or schema.compatible(target, relation.range))
                   and (not number or self.index.literal(relation) or len(relations) == 1 or relation.range is None)]
        if not fitting:
            return None

        def rank(relation: Relation) -> tuple[int, int, int]:
            known = sum(kind is not None and stated is not None and schema.is_subtype(kind, stated)
                        for kind, stated in ((subject, relation.domain), (target, relation.range)))
            literal = self.index.literal(relation) and number
            return int(literal), known, self._depth(relation.range) if tag is not Tag.ENDING else 0

        best = max(fitting, key=rank)
        return best, len(fitting) == 1

    def _depth(self, kind: str | None) -> int:
        schema, depth = self.index.schema.schema, 0
        while kind is not None and kind in schema.types and depth < 50:
            kind, depth = schema.types[kind].parent, depth + 1
        return depth
