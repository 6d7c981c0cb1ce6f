"""Curation episodes: retract, merge, split, trust, schema. Each becomes a change like any other episode's.

Corrections and re-extractions bring claims and take the ordinary path. Erasure is not here: it is the one thing that
rewrites the past, see `workbench.api`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from workbench.graph import vocabulary as v
from workbench.graph.change import Change, Entry, Mapped, Mention, Named
from workbench.graph.facts import shown_facts
from workbench.graph.graph import Graph
from workbench.graph.identity import Mappings
from workbench.graph.relations import SchemaIndex
from workbench.graph.schema_json import schema_from_json, schema_to_json
from workbench.ingest.claims import find_record
from workbench.ingest.resolve import Resolver, find_entities
from workbench.ingest.settle import Policy
from workbench.ingest.slots import Outcome, Slots
from workbench.ingest.standing import activity, targets
from workbench.model.claim import Claim, Correction
from workbench.model.episode import Episode
from workbench.model.errors import AmbiguousName, NotFound, UsageError
from workbench.model.names import name_key
from workbench.model.schema import Schema

ACTIONS: Final = ("correct", "retract", "merge", "split", "trust", "schema", "reextract")


def curate(graph: Graph, schema: SchemaIndex, policy: Policy, entry: Entry) -> Change:
    """The change of a curation episode without claims.

    Raises:
        UsageError, NotFound, AmbiguousName: the action or its arguments are wrong.
    """
    plans: dict[str, Callable[[Graph, SchemaIndex, Policy, Entry], Change]] = {
        "retract": _retract, "merge": _merge, "split": _split, "trust": _trust, "schema": _schema}
    action = str(entry.episode.action)
    if action not in plans:
        raise UsageError(f"curation episode {entry.episode.id!r}: {action} needs claims")
    return plans[action](graph, schema, policy, entry)


def prepared(graph: Graph, schema: SchemaIndex, episode: Episode) -> Episode:
    """A curation episode with what its arguments imply: a correction's claim, a schema's parsed form.

    Raises:
        UsageError, NotFound: the arguments are wrong.
    """
    if episode.action not in ACTIONS:
        raise UsageError(f"curation episode {episode.id!r}: unknown action {episode.action!r}; "
                         f"use one of {', '.join(ACTIONS)}")
    if episode.claims and episode.action not in ("correct", "reextract"):
        raise UsageError(f"curation episode {episode.id!r}: {episode.action} takes no claims; "
                         f"give them in an episode of their own")
    if episode.action == "correct" and episode.claims is None:
        return replace(episode, claims=(_correction(graph, schema, episode),))
    if episode.action == "reextract" and episode.claims is None:
        raise UsageError(f"curation episode {episode.id!r}: re-extraction needs a program; use `workbench reextract`")
    if episode.action == "schema" and isinstance(given := episode.arguments.get("schema"), str):
        from workbench.graph.ontology import load_schema  # rdflib is slow to load

        return replace(episode, arguments={**episode.arguments, "schema": schema_to_json(load_schema(given))})
    return episode


def _correction(graph: Graph, schema: SchemaIndex, episode: Episode) -> Claim:
    given = episode.arguments
    changed = {name: given.get(name) for name in ("valid_from", "valid_to", "object", "value")}
    if all(part is None for part in changed.values()):
        raise UsageError("say what to correct: valid_from, valid_to, object or value")
    named = given.get("fact")
    if isinstance(named, Mapping):
        return Claim(str(named["subject"]), str(named["relation"]),
                     changed["object"] or (None if changed["value"] is not None else str(named["object"])),
                     changed["value"], valid_from=changed["valid_from"], valid_to=changed["valid_to"],
                     corrects=Correction(**{name: str(part) for name, part in named.items()}))
    row = None if named is None else find_record(graph, str(named))
    if row is None:
        raise NotFound(f"no fact {named!r} in the store; `facts` and `history` show the ids")
    old = shown_facts(graph, schema, [row])[0]
    keeps = changed["object"] is None and changed["value"] is None
    return Claim(old.subject_iri, old.relation_iri, changed["object"] or (old.object_iri if keeps else None),
                 old.value if keeps else changed["value"], datatype=old.datatype if keeps else None,
                 valid_from=changed["valid_from"], valid_to=changed["valid_to"], corrects=Correction(fact=old.id))


def schema_of(entry: Entry) -> Schema:
    """The schema that a schema episode brings."""
    return schema_from_json(_argument(entry, "schema"))


def one_entity(graph: Graph, schema: SchemaIndex, name: str, kind: str | None = None) -> int:
    """The term of the entity of that name.

    Raises:
        NotFound: there is none.
        AmbiguousName: there are several; the message lists them.
    """
    found = find_entities(graph, schema, name, kind)
    if not found:
        raise NotFound(f"no entity is called {name!r}; names, aliases and IRIs are looked up without case or accents")
    if len(found) > 1:
        terms = graph.timeline.terms
        candidates = sorted(terms[entity] for entity in found)
        types = {entity: [kind for kind, _ in graph.timeline.types_of_entity(entity)] for entity in found}
        kinds = [f"{terms[entity]} ({', '.join(types[entity]) or 'no type'})" for entity in found]
        raise AmbiguousName(f"{name!r} fits {len(found)} entities: {'; '.join(sorted(kinds))}; "
                            f"name one by its IRI, or give its type", candidates)
    return found[0]


def _argument(entry: Entry, *names: str) -> Any:
    for name in names:
        if (value := entry.episode.arguments.get(name)) is not None:
            return value
    raise UsageError(f"curation episode {entry.episode.id!r}: action {entry.episode.action} needs "
                     f"{' or '.join(map(repr, names))}")


def _number(graph: Graph, identifier: str) -> int:
    number = graph.number_of(identifier)
    if number is None:
        raise NotFound(f"no episode {identifier!r} in the store; `store info` and `facts` show the ids")
    return number


def _rows(graph: Graph, numbers: Iterable[int]) -> list[int]:
    return [row for number in numbers for row in graph.timeline.rows("claims_by_episode", number).tolist()]


def _finish(entry: Entry, outcome: Outcome, **parts: Any) -> Change:
    return Change(entry, records=tuple(outcome.records), closings=tuple(outcome.closings),
                  supports=tuple(outcome.supports), **parts)


# -- retract ------------------------------------------------------------------------------------------------------


def _retract(graph: Graph, schema: SchemaIndex, policy: Policy, entry: Entry) -> Change:
    """From now on as if the episode had never been said; a retracted curation episode is undone."""
    identifier = str(_argument(entry, "episode", "episodes"))
    number = _number(graph, identifier)
    found = graph.entry(identifier)
    assert found is not None
    target = found[1]
    action = target.episode.action
    if action in ("merge", "split"):
        return _unmap(graph, schema, policy, entry, number)
    if action in ("trust", "schema"):
        raise UsageError(f"episode {identifier!r} is a {action} change; undo it with another one")
    if action == "retract" and (undone := graph.entry(targets(target.episode)[0])) is not None and (
            undone[1].episode.action in ("merge", "split")):
        raise UsageError(f"episode {identifier!r} undid a {undone[1].episode.action}; {undone[1].episode.action} anew "
                         f"instead of taking that back")
    changed = activity(graph, entry)
    inactive, revived = ({row for row, active in changed.items() if active == wanted} for wanted in (0, 1))
    slots = Slots(graph, schema, policy, inactive=inactive, revived=revived)
    return _finish(entry, slots.settle({slots.triple_of(row) for row in changed}), activity=changed)


# -- identity -----------------------------------------------------------------------------------------------------


def _merge(graph: Graph, schema: SchemaIndex, policy: Policy, entry: Entry) -> Change:
    """The other entities count as the first from now on."""
    names = [str(name) for name in _argument(entry, "entities")]
    if len(names) < 2:
        raise UsageError("merge needs two entities")
    into, *others = [_named(graph, schema, name) for name in names]
    apply = graph.mappings.apply
    mapped = tuple(Mapped(other, into, -1) for other in dict.fromkeys(others) if apply(other) != apply(into))
    if not mapped:
        raise UsageError(f"{names[0]!r} and {names[1]!r} are one entity already")
    return _remap(graph, schema, policy, entry, mapped, ())


def _named(graph: Graph, schema: SchemaIndex, name: str) -> int:
    """The entity that a name was given to, whatever it counts as by now."""
    found = one_entity(graph, schema, name)
    if v.expand(name.strip()) is not None:
        return graph.timeline.terms.add(v.expand(name.strip()) or name)
    key = graph.timeline.terms.add(name_key(name))
    bearers = graph.timeline.names.take("entity", graph.timeline.rows("names_by_key", key)).tolist()
    return next((int(one) for one in bearers if graph.mappings.apply(int(one)) == found), found)


def _split(graph: Graph, schema: SchemaIndex, policy: Policy, entry: Entry) -> Change:
    """What the named episodes say of an entity is from now on about another one of the same name."""
    entity = one_entity(graph, schema, str(_argument(entry, "entity")))
    named = [str(identifier) for identifier in _argument(entry, "episodes")]
    numbers = [number for one in named if (number := graph.number_of(one)) is not None]
    if not numbers:
        raise NotFound(f"none of the episodes {', '.join(map(repr, named))} is in the store")
    resolver = Resolver(graph, schema)
    label = graph.timeline.label(entity)
    new = resolver.mint(label, None)
    touched = [number for number in numbers if any(
        entity in (graph.mappings.apply(graph.timeline.claims.get("s", row), number),
                   graph.mappings.apply(graph.timeline.claims.get("o", row), number))
        for row in _rows(graph, [number]))]
    if not touched:
        raise UsageError(f"none of the episodes says anything of {label!r}; `history` shows which do")
    mapped = tuple(Mapped(source, new, number) for number in touched for source in graph.mappings.sources(entity))
    term = graph.timeline.terms.add(label)
    name = Named(graph.timeline.names.get("key", int(graph.timeline.rows("names_of", entity)[0])), new, term)
    return _remap(graph, schema, policy, entry, mapped, (), names=(name,), mentions=(Mention(new, term),))


def _unmap(graph: Graph, schema: SchemaIndex, policy: Policy, entry: Entry, number: int) -> Change:
    if not graph.mappings.made_by(number):
        raise UsageError(f"episode {graph.timeline.episode_id(number)!r} was undone already")
    return _remap(graph, schema, policy, entry, (), (number,))


def _remap(graph: Graph, schema: SchemaIndex, policy: Policy, entry: Entry, mapped: tuple[Mapped, ...],
           undone: tuple[int, ...], **parts: Any) -> Change:
    before, after = graph.mappings, Mappings.restore(graph.mappings.dump())
    entities: set[int] = set()
    for number in undone:
        for item in before.made_by(number):
            entities |= {item.entity, item.to, before.apply(item.entity, item.episode), before.apply(item.to)}
        after.unset(number)
    for item in mapped:
        entities |= {item.entity, item.to, before.apply(item.entity), before.apply(item.to)}
        after.set(item, graph.episodes)
    rows = _claims_about(graph, entities | {s for e in entities for s in [*before.sources(e), *after.sources(e)]})
    old, new = Slots(graph, schema, policy, mappings=before), Slots(graph, schema, policy, mappings=after)
    triples = {old.triple_of(row) for row in rows} | {new.triple_of(row) for row in rows}
    return _finish(entry, new.settle(triples), mapped=mapped, unmapped=undone, **parts)


def _claims_about(graph: Graph, entities: Iterable[int]) -> list[int]:
    rows: set[int] = set()
    for entity in entities:
        for index in ("claims_by_subject", "claims_by_object"):
            rows.update(graph.timeline.rows(index, entity).tolist())
    return sorted(rows)


# -- trust and schema ---------------------------------------------------------------------------------------------


def _trust(graph: Graph, schema: SchemaIndex, policy: Policy, entry: Entry) -> Change:
    """What a source, or an episode, is trusted from now on."""
    trust = float(_argument(entry, "trust"))
    if not 0.0 <= trust <= 1.0:
        raise UsageError(f"trust {trust} is not between 0 and 1")
    if entry.episode.arguments.get("source") is not None:
        source = graph.timeline.terms.find(str(entry.episode.arguments["source"]))
        numbers = [] if source is None else (graph.timeline.episodes["source"] == source).nonzero()[0].tolist()
        if not numbers:
            raise NotFound(f"no episode comes from source {entry.episode.arguments['source']!r}")
    else:
        numbers = [_number(graph, str(_argument(entry, "source", "episode")))]
    given = dict.fromkeys(_rows(graph, numbers), trust)
    slots = Slots(graph, schema, policy, trust=given)
    return _finish(entry, slots.settle({slots.triple_of(row) for row in given}), trust=given)


def _schema(graph: Graph, schema: SchemaIndex, policy: Policy, entry: Entry) -> Change:
    """A new schema for later episodes; with `resettle`, for what is stored too."""
    index = SchemaIndex(schema_of(entry))
    if not entry.episode.arguments.get("resettle"):
        return Change(entry)
    changed = {iri for iri in schema.schema.relations.keys() | index.schema.relations.keys()
               if schema.by_iri(iri) != index.by_iri(iri)}
    terms = graph.timeline.terms
    wanted = [number for iri in changed if (number := terms.find(iri)) is not None]
    slots = Slots(graph, index, policy)
    relations = graph.timeline.claims["r"]
    triples = {slots.triple_of(row) for number in wanted for row in (relations == number).nonzero()[0].tolist()}
    return _finish(entry, slots.settle(triples))
