"""What is indexed: the words of an episode with its speaker, and a triple in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from workbench.graph.change import Entry
from workbench.graph.facts import label_or_iri
from workbench.graph.relations import SchemaIndex, display_label
from workbench.graph.timeline import Timeline
from workbench.graph.vocabulary import words_of
from workbench.model.episode import Episode, EpisodeKind

LONGEST_RECORD: Final = 200
_DEPTH: Final = 6


def words_said(episode: Episode) -> str:
    """The text of an episode, else its record's fields and values in words; "" for curation and if there is neither."""
    if episode.kind is EpisodeKind.CURATION:
        return ""
    if episode.text is not None and episode.text.strip():
        return episode.text
    return "" if episode.record is None else "; ".join(_pairs(episode.record, _DEPTH))


def with_speaker(speaker: str | None, words: str) -> str:
    """What is indexed of an episode: who speaks is part of it.

    >>> with_speaker("Ann", "Hello"), with_speaker(None, "Hello"), with_speaker("Ann", "")
    ('Ann: Hello', 'Hello', '')
    """
    return f"{speaker}: {words}" if speaker and words.strip() else words


def episode_text(entry: Entry) -> str:
    """What is indexed of an episode; blank if nothing is."""
    return with_speaker(entry.episode.speaker, words_said(entry.episode)).strip()


def is_question(words: str) -> bool:
    """Whether a text ends by asking.

    >>> is_question("Hello! How are you?"), is_question("你好吗？ "), is_question("Why? Because.")
    (True, True, False)
    """
    return words.rstrip().endswith(("?", "？", "؟"))


def withdrawal(episode: Episode) -> tuple[str, str] | None:
    """(id of the episode that this one takes back or replaces, `retract` or `supersede`), or None."""
    given = episode.arguments
    if episode.action == "retract":
        return str(given.get("episode") or given.get("episodes")), "retract"
    if episode.action is None and given.get("supersedes") is not None:
        return str(given["supersedes"]), "supersede"
    return None


class Verbaliser:
    """Triples in words, under one schema; relations are remembered."""

    def __init__(self, timeline: Timeline, schema: SchemaIndex) -> None:
        self._timeline, self._schema = timeline, schema
        self._relations: dict[int, str] = {}

    def fact(self, subject: int, relation: int, object: int) -> str:
        """First label of the subject, the relation's label, first label or value of the object."""
        name = self._relations.get(relation)
        if name is None:
            name = self._relations[relation] = self._relation(relation)
        return f"{self._timeline.label(subject)} {name} {label_or_iri(self._timeline, object)}"

    def _relation(self, term: int) -> str:
        declared = self._schema.by_iri(self._timeline.terms[term])
        return display_label(declared) if declared.declared else words_of(self._timeline.relation_name(term))


def _pairs(record: Mapping[str, Any] | Sequence[Any], depth: int) -> list[str]:
    found: list[str] = []
    items = record.items() if isinstance(record, Mapping) else (("", value) for value in record)
    for name, value in items:
        if len(found) >= LONGEST_RECORD:
            break
        if isinstance(value, Mapping | list | tuple):
            found += [f"{name} {pair}".strip() for pair in _pairs(value, depth - 1)] if depth else []
        elif value is not None:
            found.append(f"{name} {value}".strip())
    return found[:LONGEST_RECORD]
