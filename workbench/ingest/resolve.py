"""Identity of entities: exact and normalised names first, guarded by type; fuzz never decides here.

A name belongs to the one known entity whose name has the same key and whose type agrees. Types that an episode states
must agree; types inferred from a relation's domain or range only keep persons apart from other things, because a
city may well act as an organisation.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from workbench.graph import vocabulary as v
from workbench.graph.change import Mention, Named, Typed
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.model.errors import EpisodeError
from workbench.model.names import name_key

MAX_NAME = 1_000
_Type = tuple[str, bool]


@dataclass
class Resolver:
    """Resolves the names of one episode against the graph; collects what is new.

    Attributes:
        mentions, names, types: for the change.
        notes: names that fitted several entities.
    """

    graph: Graph
    schema: SchemaIndex
    mentions: dict[Mention, None] = field(default_factory=dict)
    names: list[Named] = field(default_factory=list)
    types: list[Typed] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _by_key: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list), init=False)
    _labels: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set), init=False)
    _kinds: dict[int, list[_Type]] = field(default_factory=lambda: defaultdict(list), init=False)

    def entity(self, name: str, given: str | None, inferred: str | None) -> int:
        """The term of the entity that a name stands for, minted if there is none.

        Args:
            name: a label, an alias or an IRI.
            given: IRI of the type that the episode states, or None.
            inferred: IRI of the type that the relation asks for, or None.

        Raises:
            EpisodeError: the name is blank or too long.
        """
        if inferred is not None and given is not None:
            inferred = None
        known = None if self.names or self.types else self.graph.resolved.get(name, given, inferred)
        if known is not None:
            self.mentions[known] = None
            return known.entity
        text = name.strip()
        if not text:
            raise EpisodeError("an entity's name is blank; give a name or an IRI")
        if len(text) > MAX_NAME:
            raise EpisodeError(f"an entity's name has {len(text)} characters (limit {MAX_NAME}): {text[:60]!r}…; "
                               f"give a name, and put text into a literal value")
        iri = v.expand(text)
        label = v.unquoted_local_name(iri) if iri else text
        entity = self._known_iri(iri) if iri else self._by_name(text, given, inferred)
        if not self._note(entity, label, given, inferred, bare_iri=iri is not None) and iri is None:
            terms = self.graph.timeline.terms
            self.graph.resolved.put(name, given, inferred, entity, terms.add(label), terms.add(name_key(label)))
        return entity

    def relation(self, iri: str, given: str) -> None:
        """Keep the name by which an undeclared relation was first called; as an entity it has no name."""
        terms = self.graph.timeline.terms
        relation = terms.add(iri)
        if not self._named(relation):
            self._name(Named(terms.add(""), relation, terms.add(given.strip())))

    def _known_iri(self, iri: str) -> int:
        return self.graph.mappings.apply(self.graph.timeline.terms.add(iri))

    def _by_name(self, text: str, given: str | None, inferred: str | None) -> int:
        key = self.graph.timeline.terms.add(name_key(text))
        fitting = [entity for entity in self.candidates(key) if self.agrees(entity, given, inferred)]
        if not fitting:
            return self.mint(text, given or inferred)
        if len(fitting) > 1:
            names = ", ".join(self.graph.timeline.terms[entity] for entity in fitting)
            self.notes.append(f"the name {text!r} fits {names}; taken for the first, which was known before the others")
        return fitting[0]

    def candidates(self, key: int) -> list[int]:
        """The entities, as they count now, that a key of a name stands for."""
        timeline, mappings = self.graph.timeline, self.graph.mappings
        known = timeline.names.take("entity", timeline.rows("names_by_key", key)).tolist()
        found = list(dict.fromkeys(mappings.apply(entity) for entity in known + self._by_key.get(key, [])))
        return found if len(found) < 2 else [entity for entity in found if not self._split_undone(entity)]

    def _split_undone(self, entity: int) -> bool:
        """Whether an entity came from a split that was undone, so that nothing is said of it."""
        graph, timeline = self.graph, self.graph.timeline
        if len(graph.mappings.sources(entity)) > 1 or any(
                len(timeline.rows(index, entity)) for index in ("claims_by_subject", "claims_by_object")):
            return False
        by = [graph.entry(timeline.episode_id(number))
              for number in set(timeline.names.take("episode", timeline.rows("names_of", entity)).tolist())]
        return bool(by) and all(found is not None and found[1].episode.action == "split" for found in by)

    def _types_of(self, entity: int) -> list[_Type]:
        timeline = self.graph.timeline
        return timeline.types_of_entity(entity) + self._kinds.get(entity, [])

    def agrees(self, entity: int, given: str | None, inferred: str | None) -> bool:
        """Whether an entity may have a type that was given or inferred."""
        kind = given or inferred
        if kind is None:
            return True
        for other, stated in self._types_of(entity):
            if self.schema.compatible(kind, other):
                continue
            if (given and stated) or self._person(kind) != self._person(other):
                return False
        return True

    def _person(self, kind: str) -> bool:
        return self.schema.is_subtype(kind, self.schema.entity_type("Person").iri)

    def mint(self, text: str, kind: str | None) -> int:
        """A new entity's term: named after the name; where that is taken, after the type too, then numbered."""
        timeline = self.graph.timeline
        tries = [v.entity_iri(text)]
        if kind is not None:
            tries.append(v.entity_iri(text, v.local_name(kind)))
        number = 2
        while True:
            for iri in tries:
                found = timeline.terms.add(iri)
                if not self._named(found):
                    return found
            tries = [v.entity_iri(text, str(number))]
            number += 1

    def _named(self, entity: int) -> bool:
        return entity in self._labels or bool(self.graph.timeline.labels_of(entity))

    def _name(self, named: Named) -> None:
        self.names.append(named)
        self._by_key[named.key].append(named.entity)
        self._labels[named.entity].add(named.label)

    def _note(self, entity: int, label: str, given: str | None, inferred: str | None, bare_iri: bool) -> bool:
        """Keep the mention; True if it brings a name or a type that was not known."""
        before = len(self.names) + len(self.types)
        terms = self.graph.timeline.terms
        if not bare_iri or not self._named(entity):
            term, key = terms.add(label), terms.add(name_key(label))
            known = self.graph.timeline
            if term not in self._labels.get(entity, ()) and term not in known.labels_of(entity):
                self._name(Named(key, entity, term))
            self.mentions[Mention(entity, term)] = None
        kind = given or inferred
        if kind is not None and (kind, True) not in (types := self._types_of(entity)) and (
                given or (kind, False) not in types):
            self.types.append(Typed(entity, terms.add(kind), given is not None))
            self._kinds[entity].append((kind, given is not None))
        return len(self.names) + len(self.types) > before


def find_entities(graph: Graph, schema: SchemaIndex, name: str, kind: str | None = None) -> list[int]:
    """The terms of all entities that a name or IRI stands for now; never mints one.

    Args:
        graph, schema: where to look.
        name: label, alias or IRI.
        kind: IRI of a type that must agree, or None.
    """
    timeline = graph.timeline
    iri = v.expand(name.strip())
    if iri is not None:
        term = timeline.terms.find(iri)
        return [] if term is None else [graph.mappings.apply(term)]
    key = timeline.terms.find(name_key(name))
    if key is None or not name.strip():
        return []
    resolver = Resolver(graph, schema)
    found = resolver.candidates(key)
    return [entity for entity in found if kind is None or resolver.agrees(entity, kind, None)]
