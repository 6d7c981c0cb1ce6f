"""What the index takes in next: the episodes and records that came after its watermark."""

from __future__ import annotations

import hashlib

from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.model.errors import StoreError
from workbench.retrieve.catalog import EpisodeRow, documents_of
from workbench.retrieve.documents import Verbaliser, episode_text, is_question, withdrawal
from workbench.retrieve.text import tokens

_MANY = 1_000


def next_episodes(graph: Graph, first: int, most: int) -> tuple[list[EpisodeRow], list[tuple[int, list[str]]]]:
    """(rows of at most `most` episodes from number `first` on; number and tokens of those that have any text).

    Raises:
        StoreError: the timeline has an episode that the catalogue has not.
    """
    rows: list[EpisodeRow] = []
    texts: list[tuple[int, list[str]]] = []
    for number in range(first, min(graph.episodes, first + most)):
        identifier = graph.timeline.episode_id(number)
        found = graph.entry(identifier)
        if found is None:
            raise StoreError(f"episode {identifier!r} is in the timeline and not in the store; "
                             f"run `workbench store verify`")
        episode = found[1].episode
        words, taken = episode_text(found[1]), withdrawal(episode)
        said = tokens(words)
        if words:
            texts.append((number, said))
        of, how = (None, None) if taken is None else (graph.number_of(taken[0]), taken[1])
        rows.append(EpisodeRow(number, code_of(identifier), episode.session, episode.speaker, str(episode.kind),
                               len(said) if words else None, of, how, int(is_question(words))))
    return rows, texts


def next_records(graph: Graph, schema: SchemaIndex, first: int, most: int) -> tuple[list[int], list[tuple[int, str]]]:
    """(the documents of at most `most` records from number `first` on; number and words of the new documents)."""
    timeline = graph.timeline
    until = min(timeline.records.n, first + most)
    triples = [timeline.records[name] for name in ("s", "r", "o")]
    whole = documents_of(*(column[:until] for column in triples)) if until - first > _MANY else None
    verbaliser = Verbaliser(timeline, schema)
    documents: list[int] = []
    facts: list[tuple[int, str]] = []
    for number in range(first, until):
        s, r, o = (int(column[number]) for column in triples)
        if whole is not None:
            documents.append(int(whole[number]))
        else:
            same = timeline.rows("by_subject", s, r)
            documents.append(int(same[timeline.records.take("o", same) == o].min()))
        if documents[-1] == number:
            facts.append((number, verbaliser.fact(s, r, o)))
    return documents, facts


def code_of(text: str) -> int:
    """The hash by which ids and embedded texts are told apart, a signed 64-bit number."""
    raw = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(raw, "little", signed=True)
