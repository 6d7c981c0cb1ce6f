"""What a program gets to see of an episode and its context, as text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from workbench.graph import vocabulary as v
from workbench.graph.relations import display_label, is_datatype
from workbench.ingest.seam import Context
from workbench.model.episode import Episode
from workbench.model.fact import Entity
from workbench.model.names import name_key
from workbench.model.recall import without_recalled
from workbench.model.schema import Relation, Schema
from workbench.model.time import Instant, local_time, zone_of

RELATIONS: Final = 40  # told all 119 of the default schema, models of 0.5 and 1.5 billion weights find little
_TURN_LIMIT: Final = 600
_STEM: Final = 4
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def inputs_of(episode: Episode, context: Context, low: int = 0, high: int | None = None,
              relations: int = RELATIONS) -> dict[str, str]:
    """The arguments of a program's `forward` for the stretch `[low, high)` of an episode's text.

    Args:
        episode: its text, speaker and time.
        context: schema, known entities, earlier turns.
        low, high: character offsets; what stands before `low` counts as said earlier.
        relations: how many relations are told at most, those whose words occur in the text first.
    """
    text = (episode.text or "")[low:high]
    before = (episode.text or "")[max(0, low - _TURN_LIMIT):low]
    turns = [f"{turn.speaker or 'somebody'}: {without_recalled(turn.text)[:_TURN_LIMIT].strip()}"
             for turn in context.earlier if turn.text and turn.text.strip()]
    return {
        "text": text, "observed_at": said_at(episode), "speaker": episode.speaker or "",
        "earlier": "\n".join([*turns, before] if before.strip() else turns),
        "entities": "\n".join(entity_line(entity) for entity in context.entities),
        "schema": schema_words(context.schema, text, relations),
    }


def said_at(episode: Episode) -> str:
    """When an episode was said, on the speaker's clock, with its weekday; empty if nobody knows."""
    if episode.observed_at is None:
        return ""
    local = local_time(episode.observed_at, zone_of(episode.time_zone))
    weekday = _DAYS[(int(local) // 86_400_000_000 + 3) % 7]  # 1 January 1970 was a Thursday
    return f"{Instant(local).iso()[:-1]} ({weekday})"


def entity_line(entity: Entity) -> str:
    """An entity as one line: its names between bars, then its type.

    >>> entity_line(Entity("urn:x", "Robert Smith", ("Bob",), "urn:tcg:type:Person"))
    'Robert Smith | Bob (Person)'
    """
    kind = f" ({v.local_name(entity.type)})" if entity.type else ""
    return " | ".join(" ".join(name.split()) for name in (entity.label, *entity.aliases)) + kind


def names_in(lines: str) -> list[tuple[str, ...]]:
    """The names in lines as `entity_line` writes them, those of one entity together."""
    return [tuple(name.strip() for name in re.sub(r" \(\w+\)$", "", line).split(" | "))
            for line in lines.splitlines() if line.strip()]


def schema_words(schema: Schema, text: str, limit: int = RELATIONS) -> str:
    """Relations in words, one a line, by name; if there are more than `limit`, those that the text's words point to
    come in first."""
    if limit <= 0:
        return ""
    relations = [relation for _, relation in sorted(schema.relations.items())]
    if len(relations) > limit:
        stems = _stems([text])
        relations.sort(key=lambda relation: -len(stems & _relation_stems(relation)))
        relations = sorted(relations[:limit], key=lambda relation: relation.iri)
    return "\n".join(_line(relation) for relation in relations)


def _line(relation: Relation) -> str:
    name, label = v.local_name(relation.iri), display_label(relation)
    ends = [_kind(relation.domain), _kind(relation.range)]
    traits = [word for word, holds in (("one at a time", relation.functional), ("event", relation.event)) if holds]
    words = [text for text, tag in relation.alt_labels if tag in ("", "en")][:3]
    also = f"; also: {', '.join(words)}" if words else ""
    said = f": {label}" if name_key(v.words_of(name)) != name_key(label) else ""
    return f"{name}{said} ({' -> '.join(ends)}{''.join('; ' + trait for trait in traits)}{also})"


def relation_names(line: str) -> list[str]:
    """The names and surface forms of the relation in a line of `schema_words`.

    >>> relation_names("livesIn: lives in (Agent -> Place; one at a time; also: resides in, is based in)")
    ['livesIn', 'lives in', 'resides in', 'is based in']
    """
    head, _, traits = line.partition(" (")
    names = head.split(": ")
    also = traits.rpartition("also: ")[2].rstrip(")").split(", ") if "also: " in traits else []
    return [name.strip() for name in (*names, *also)]


def _kind(iri: str | None) -> str:
    if iri is None:
        return "anything"
    return "value" if is_datatype(iri) and v.local_name(iri) == "Literal" else v.local_name(iri)


def _forms(relation: Relation) -> list[str]:
    return [v.words_of(v.local_name(relation.iri)),
            *(text for text, _ in (*relation.labels, *relation.alt_labels))]


@lru_cache(maxsize=4_096)
def _relation_stems(relation: Relation) -> frozenset[str]:
    return frozenset(_stems(_forms(relation)))


def _stems(texts: Iterable[str]) -> set[str]:
    return {word[:_STEM].lower() for text in texts for word in _WORD.findall(text)}
