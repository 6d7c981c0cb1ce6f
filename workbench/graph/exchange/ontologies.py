"""Facts in the words of other vocabularies: PROV-O (who said what, what replaced what) and OWL-Time (when).

Both are derived and plain RDF 1.1; what they cannot say (the three readings, competing values) stays behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pyoxigraph as ox

from workbench.graph import codec
from workbench.graph import vocabulary as v
from workbench.graph.facts import Facts, Part
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.graph.timeline import GHOST
from workbench.model.fact import Fact
from workbench.model.time import Instant

BATCH: Final = 2_000


def _facts(graph: Graph, schema: SchemaIndex) -> Iterator[Fact]:
    """Every version ever believed, a batch at a time."""
    flags = graph.timeline.records["flags"]
    rows = ((flags & GHOST) == 0).nonzero()[0]
    for start in range(0, len(rows), BATCH):
        with graph.lock:
            yield from list(Facts(graph, schema, [Part(rows[start:start + BATCH])], None))


def prov_lines(graph: Graph, schema: SchemaIndex) -> Iterator[str]:
    """PROV-O (https://www.w3.org/TR/prov-o/): episodes and facts are entities; taking an episode in is an activity that
    generates facts and invalidates those that it closes; who said it is an agent."""
    for _, identifier in graph.catalogue():
        found = graph.entry(identifier)
        assert found is not None
        entry = found[1]
        episode, activity = v.episode_iri(identifier), v.episode_iri(identifier) + "#intake"
        yield from _say(episode, (v.RDF_TYPE, _iri(v.PROV_ENTITY)),
                        (v.PROV_GENERATED_AT_TIME, codec.at(entry.observed)))
        yield from _say(activity, (v.RDF_TYPE, _iri(v.PROV_ACTIVITY)), (v.PROV_USED, _iri(episode)),
                        (v.PROV_ENDED_AT_TIME, codec.at(entry.recorded)))
        by = entry.episode.speaker or entry.episode.source
        if by is not None:
            agent = v.agent_iri(by)
            yield from _say(episode, (v.PROV_WAS_ATTRIBUTED_TO, _iri(agent)))
            yield from _say(agent, (v.RDF_TYPE, _iri(v.PROV_AGENT)), (v.RDFS_LABEL, str(ox.Literal(by))))
    for fact in _facts(graph, schema):
        yield from _say(fact.id, (v.RDF_TYPE, _iri(v.PROV_ENTITY)), (v.RDFS_LABEL, str(ox.Literal(_words(fact)))))
        if fact.known_from is not None:
            yield from _say(fact.id, (v.PROV_GENERATED_AT_TIME, codec.at(fact.known_from)))
        if fact.recorded_in is not None:
            yield from _say(fact.id, (v.PROV_WAS_GENERATED_BY, _iri(v.episode_iri(fact.recorded_in) + "#intake")))
        for episode in fact.episodes:
            yield from _say(fact.id, (v.PROV_WAS_DERIVED_FROM, _iri(v.episode_iri(episode))))
        if fact.revision_of is not None:
            yield from _say(fact.id, (v.PROV_WAS_REVISION_OF, _iri(fact.revision_of)))
        if fact.known_to is not None and fact.closed_by is not None:
            yield from _say(fact.id, (v.PROV_INVALIDATED_AT_TIME, codec.at(fact.known_to)),
                            (v.PROV_WAS_INVALIDATED_BY, _iri(v.episode_iri(fact.closed_by) + "#intake")))


def owl_time_lines(graph: Graph, schema: SchemaIndex) -> Iterator[str]:
    """OWL-Time (https://www.w3.org/TR/owl-time/): each fact as a reified statement with two intervals, valid time and
    knowledge time; an end that is open or unknown has no instant."""
    for fact in _facts(graph, schema):
        value = _iri(fact.object_iri) if fact.object_iri is not None else _literal(graph, fact)
        yield from _say(fact.id, (v.RDF_TYPE, _iri(v.RDF_STATEMENT)), (v.RDF_SUBJECT, _iri(fact.subject_iri)),
                        (v.RDF_PREDICATE, _iri(fact.relation_iri)), (v.RDF_OBJECT, value),
                        (v.RDFS_LABEL, str(ox.Literal(_words(fact)))))
        for name, predicate, start, end in (("valid", v.TCG_VALID_TIME, fact.valid_from, fact.valid_to),
                                            ("known", v.TCG_KNOWLEDGE_TIME, fact.known_from, fact.known_to)):
            interval = f"{fact.id}#{name}"
            yield from _say(fact.id, (predicate, _iri(interval)))
            yield from _say(interval, (v.RDF_TYPE, _iri(v.TIME_PROPER_INTERVAL)))
            for side, edge, instant in (("from", v.TIME_HAS_BEGINNING, start), ("to", v.TIME_HAS_END, end)):
                if instant is not None:
                    point = f"{interval}-{side}"
                    yield from _say(interval, (edge, _iri(point)))
                    yield from _say(point, (v.RDF_TYPE, _iri(v.TIME_INSTANT)),
                                    (v.TIME_IN_XSD_DATE_TIME_STAMP, _stamp(instant)))


def _words(fact: Fact) -> str:
    value = fact.object if fact.object is not None else fact.value
    return f"{fact.subject} {fact.relation_label or fact.relation} {value}"


def _literal(graph: Graph, fact: Fact) -> str:
    return str(codec.term(codec.literal_text(fact.value if fact.value is not None else "", fact.datatype)))


def _stamp(instant: Instant) -> str:
    return f'"{instant.iso()}"^^<{v.XSD_DATE_TIME_STAMP}>'


def _iri(iri: str) -> str:
    return str(ox.NamedNode(iri))


def _say(subject: str, *pairs: tuple[str, str]) -> Iterator[str]:
    for predicate, value in pairs:
        yield f"{_iri(subject)} <{predicate}> {value} .\n"
