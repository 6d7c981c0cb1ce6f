"""Finding relations and types by whatever name a claim, a command or a question gives them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from workbench.graph import vocabulary as v
from workbench.model.names import name_key
from workbench.model.schema import EntityType, Relation, Schema

LITERAL_NAMESPACE: Final = v.XSD
_REMEMBERED: Final = 10_000


@dataclass(frozen=True, slots=True)
class SurfaceForm:
    """Words that stand for a relation.

    Attributes:
        text: the words.
        language: a language tag, or "".
        relation: what they stand for.
        preferred: a label, rather than an alternative.
    """

    text: str
    language: str
    relation: Relation
    preferred: bool


class SchemaIndex:
    """Looks up relations and types of one schema. Immutable; cheap enough to build per process, not per claim.

    Names are compared as words: `memberOf`, `member_of`, `member of` and `Member Of` are one.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._known: dict[tuple[str, str | None, str | None], Relation] = {}
        self._local: dict[str, list[Relation]] = {}
        self._label: dict[str, list[Relation]] = {}
        self._alternative: dict[str, list[Relation]] = {}
        for _, relation in sorted(schema.relations.items()):
            _add(self._local, v.local_name(relation.iri), relation)
            for text, _ in relation.labels:
                _add(self._label, text, relation)
            for text, _ in relation.alt_labels:
                _add(self._alternative, text, relation)
        self._types: dict[str, EntityType] = {}
        for _, kind in sorted(schema.types.items()):
            for text in (v.local_name(kind.iri), *(text for text, _ in kind.labels)):
                self._types.setdefault(_name(text), kind)

    def candidates(self, name: str) -> tuple[Relation, ...]:
        """Every declared relation of that name, by IRI, else local name, else label, else surface form; sorted.

        Only the first kind of match that finds anything counts. Empty for an unknown name.
        """
        return self._find(name)[0]

    def relation(self, name: str, subject_type: str | None = None, object_type: str | None = None) -> Relation:
        """The relation of that name; an unknown name gives an undeclared relation, whose values coexist.

        Where the types are known, they decide between relations that share the name, and a mere surface form that
        fits no relation of these types counts as unknown.

        Args:
            name: local name, label, surface form in any language, prefixed name or IRI.
            subject_type: IRI of the subject's type, if known.
            object_type: IRI of the object's type, or of the literal's datatype, if known.
        """
        key = (name, subject_type, object_type)
        known = self._known.get(key)
        if known is None:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            known = self._known[key] = self._relation(name, subject_type, object_type)
        return known

    def _relation(self, name: str, subject_type: str | None, object_type: str | None) -> Relation:
        found, by_surface_form = self._find(name)
        fitting = [relation for relation in found
                   if self.compatible(subject_type, relation.domain) and self.compatible(object_type, relation.range)]
        if fitting:
            return max(fitting, key=lambda relation: self._closeness(relation, subject_type, object_type))
        return _undeclared(name) if by_surface_form or not found else found[0]

    def _find(self, name: str) -> tuple[tuple[Relation, ...], bool]:
        iri = v.expand(name.strip())
        if iri is not None and iri in self.schema.relations:
            return (self.schema.relations[iri],), False
        key = _name(name)
        for table in (self._local, self._label, self._alternative):
            if found := table.get(key):
                return tuple(found), table is self._alternative
        return (), False

    def _closeness(self, relation: Relation, subject_type: str | None, object_type: str | None) -> int:
        ends = ((subject_type, relation.domain), (object_type, relation.range))
        return sum(self._depth(stated) for given, stated in ends if given and stated and self.is_subtype(given, stated))

    def _depth(self, kind: str) -> int:
        return 1 + sum(other != kind and self.is_subtype(kind, other) for other in self.schema.types)

    def canonical(self, relation: Relation) -> tuple[Relation, bool]:
        """The relation that claims of this one are stored under, and whether subject and object change places."""
        if relation.inverse_of is None:
            return relation, False
        return self.schema.relations.get(relation.inverse_of) or _undeclared(relation.inverse_of), True

    def by_iri(self, iri: str) -> Relation:
        """The relation with that IRI, as it is stored; undeclared if the schema does not know it."""
        return self.schema.relations.get(iri) or self.relation(iri)

    def inverses(self, relation: Relation) -> tuple[Relation, ...]:
        """The declared relations that read this one the other way round, by IRI."""
        return tuple(other for _, other in sorted(self.schema.relations.items()) if other.inverse_of == relation.iri)

    def entity_type(self, name: str) -> EntityType:
        """The type of that name or IRI; an unknown name gives an undeclared type without a parent."""
        iri = v.expand(name.strip())
        if iri is not None:
            return self.schema.types.get(iri) or EntityType(iri, ((v.local_name(iri), ""),))
        return self._types.get(_name(name)) or EntityType(v.type_iri(name), ((name.strip(), ""),))

    def is_subtype(self, narrow: str, broad: str) -> bool:
        """Whether one type (IRI) is the other or lies below it."""
        seen: set[str] = set()
        current: str | None = narrow
        while current is not None and current not in seen:
            if current == broad:
                return True
            seen.add(current)
            kind = self.schema.types.get(current)
            current = None if kind is None else kind.parent
        return False

    def compatible(self, a: str | None, b: str | None) -> bool:
        """Whether a thing may have both types (IRIs): the same, one above the other, or one unknown.

        A datatype and a type of entities are not compatible; `rdfs:Literal` goes with every datatype.
        """
        if a is None or b is None or a == b or v.OWL_THING in (a, b):
            return True
        literals = is_datatype(a), is_datatype(b)
        if any(literals):
            return all(literals) and v.RDFS_LITERAL in (a, b)
        return self.is_subtype(a, b) or self.is_subtype(b, a)

    def surface_forms(self, language: str | None = None) -> Iterator[SurfaceForm]:
        """All labels and surface forms, in a stable order; of one language (and of none) if it is given."""
        for _, relation in sorted(self.schema.relations.items()):
            for preferred, pairs in ((True, relation.labels), (False, relation.alt_labels)):
                for text, tag in pairs:
                    if language is None or tag in ("", language):
                        yield SurfaceForm(text, tag, relation, preferred)


def is_datatype(iri: str) -> bool:
    """Whether an IRI names a datatype of literals, as far as its namespace tells."""
    return iri.startswith(LITERAL_NAMESPACE) or iri in (v.RDFS_LITERAL, v.RDF_LANG_STRING)


def display_label(thing: Relation | EntityType, language: str = "en") -> str:
    """The label in that language, else the first label, else the local name."""
    by_language: Mapping[str, str] = {tag: text for text, tag in reversed(thing.labels)}
    if language in by_language:
        return by_language[language]
    return thing.labels[0][0] if thing.labels else v.local_name(thing.iri)


def _undeclared(name: str) -> Relation:
    iri = v.expand(name.strip())
    if iri is None:
        return Relation(v.relation_iri(name), ((name.strip(), ""),), declared=False)
    return Relation(iri, ((v.local_name(iri), ""),), declared=False)


def _name(text: str) -> str:
    return name_key(v.words_of(text))


def _add(table: dict[str, list[Relation]], text: str, relation: Relation) -> None:
    found = table.setdefault(_name(text), [])
    if relation not in found:
        found.append(relation)
