"""What the store knows around an episode, for extractors to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from workbench.graph.facts import Pattern, select
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.ingest.resolve import find_entities
from workbench.model.fact import Entity, Fact
from workbench.model.names import name_key

_WORDS: Final = 4


def mentioned(graph: Graph, text: str) -> Iterator[Entity]:
    """Known entities whose names, of up to four words, occur in a text."""
    timeline = graph.timeline
    words = text.split()
    seen: set[int] = set()
    for start in range(len(words)):
        for length in range(1, _WORDS + 1):
            name = " ".join(words[start:start + length]).strip(".,;:!?\"'()[]")
            key = timeline.terms.find(name_key(name)) if name else None
            for entity in () if key is None else timeline.names.take("entity", timeline.rows("names_by_key", key)):
                if int(entity) not in seen:
                    seen.add(int(entity))
                    labels = [timeline.terms[label] for label in timeline.labels_of(int(entity))]
                    types = timeline.types_of_entity(int(entity))
                    yield Entity(timeline.terms[int(entity)], labels[0], tuple(labels[1:]),
                                 types[0][0] if types else None)


def believed(graph: Graph, schema: SchemaIndex, subject: str, relation: str) -> Sequence[Fact]:
    """What is believed now of a subject in a relation, both by name, whatever its validity."""
    with graph.lock:
        pattern = Pattern(tuple(find_entities(graph, schema, subject)), schema.relation(relation))
        return tuple(select(graph, schema, pattern, None, graph.last_recorded))
