"""Whether the index says what the graph says."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from workbench.retrieve.documents import Verbaliser, episode_text
from workbench.retrieve.seam import Kind
from workbench.retrieve.text import tokens

if TYPE_CHECKING:
    from workbench.retrieve.index import Index

SAMPLE: Final = 50
_REMEDY: Final = "close the store, remove index.sqlite and open it again"


def findings(index: Index) -> list[str]:
    """What is wrong with an index, empty if nothing is: file, watermark, counts, and a sample of documents.

    An index that is only behind is no finding: the next question brings it up to date.
    """
    try:
        return list(_findings(index))
    except sqlite3.DatabaseError as error:
        return [f"search index: cannot be read ({error}); {_REMEDY}"]


def _findings(index: Index) -> Iterator[str]:
    for (line,) in index.select("PRAGMA quick_check(5)"):
        if line != "ok":
            yield f"search index: {line}; {_REMEDY}"
    graph, snapshot = index.graph, index.snapshot()
    if snapshot.episodes > graph.episodes or snapshot.records > graph.timeline.records.n:
        yield (f"search index: it covers {snapshot.episodes} episodes and {snapshot.records} facts, the store has "
               f"{graph.episodes} and {graph.timeline.records.n}; {_REMEDY}")
        return
    readable = [number for number in range(snapshot.episodes) if snapshot.length[number] >= 0]
    documents = [number for number in range(snapshot.records) if snapshot.document[number] == number]
    for kind, numbers, covered in ((Kind.EPISODE, readable, snapshot.episodes),
                                   (Kind.FACT, documents, snapshot.records)):
        table = f"{kind}s"
        where = "length IS NOT NULL AND number < ?" if kind is Kind.EPISODE else "number < ?"
        held = index.select(f"SELECT count(*) FROM {table} WHERE {where}", (covered,))[0][0]
        if held != len(numbers):
            yield f"search index: {held} {table}, {len(numbers)} were expected; {_REMEDY}"
        for number in _sample(numbers):
            if (problem := _document(index, kind, number)) is not None:
                yield f"search index: {kind} {number} {problem}; {_REMEDY}"


def _document(index: Index, kind: Kind, number: int) -> str | None:
    timeline, snapshot = index.graph.timeline, index.snapshot()
    if kind is Kind.EPISODE:
        entry = index.graph.entry(timeline.episode_id(number))
        words = "" if entry is None else episode_text(entry[1])
        length = int(snapshot.length[number])
    else:
        verbaliser = Verbaliser(timeline, index.schema)
        words = verbaliser.fact(*(timeline.records.get(name, number) for name in ("s", "r", "o")))
        length = int(snapshot.fact_length[number])
    said = tokens(words)
    if len(said) != length:
        return f"has {length} tokens, {len(said)} were expected"
    for token in list(dict.fromkeys(said))[:8]:
        documents, counts = index.postings(kind, token)
        at = int(documents.searchsorted(number))
        if at == len(documents) or documents[at] != number or counts[at] != said.count(token):
            return f"is not found by {token!r}"
    return None


def _sample(numbers: Sequence[int]) -> Sequence[int]:
    """Evenly spread, always the same ones."""
    return numbers[::max(1, len(numbers) // SAMPLE)]
