"""Linking: the known names in a text, the longest first, as entities; every entity of an ambiguous name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from workbench.graph.graph import Graph
from workbench.graph.identity import Mappings
from workbench.model.names import name_key
from workbench.model.time import Instant
from workbench.retrieve.sight import mappings_at
from workbench.retrieve.text import STOP_WORDS

LONGEST_NAME: Final = 12  # words
MOST_WORDS: Final = 500
LONGEST_RUN: Final = 24  # characters of a script without spaces
_EDGE: Final = re.compile(r"^[^\w+#]+|[^\w+#]+$")
_POSSESSIVE: Final = re.compile(r"['’ʼ]s?$")
_SPACELESS: Final = re.compile("[\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\uf900-\ufaff]")


@dataclass(frozen=True)
class Mention:
    """A known name in a text.

    Attributes:
        terms: the entities that it may stand for, in order of first mention in the store.
        span: where it stands, `[first, after last)` character.
    """

    terms: tuple[int, ...]
    span: tuple[int, int]


def link(graph: Graph, text: str, known_at: Instant) -> list[Mention]:
    """The names in a text that were known at `known_at`, in order, not overlapping; the longest at each place.

    Names are compared by key (`workbench.model.names`), so case, width, diacritics and blanks do not count. An entity
    that had been merged into another by then counts as the other.

    Args:
        graph: where names are known.
        text: any text; only its first `MOST_WORDS` words are looked at (see `unread`).
        known_at: names learnt later are not found.
    """
    with graph.lock:
        mappings = mappings_at(graph, known_at)
        words = _words(text)[:MOST_WORDS]
        found: list[Mention] = []
        at = 0
        while at < len(words):
            for span, after in _candidates(text, words, at):
                if terms := _named(graph, text[slice(*span)], known_at, mappings):
                    found.append(Mention(terms, span))
                    at = after
                    break
            else:
                at += 1
        return found


def unread(text: str) -> str | None:
    """A note if a text is too long for all of it to be looked at for names."""
    if len(text) <= MOST_WORDS or (count := len(_words(text))) <= MOST_WORDS:
        return None
    return f"names were looked for in the first {MOST_WORDS} of {count} words"


def _words(text: str) -> list[tuple[int, int]]:
    """Where words stand; each character of a script without spaces is one."""
    found: list[tuple[int, int]] = []
    for match in re.finditer(r"\S+", text):
        start = match.start()
        for at in range(match.start(), match.end()):
            if _SPACELESS.match(text[at]):
                if at > start:
                    found.append((start, at))
                found.append((at, at + 1))
                start = at + 1
        if start < match.end():
            found.append((start, match.end()))
    return found


def _candidates(text: str, words: list[tuple[int, int]], at: int) -> Iterator[tuple[tuple[int, int], int]]:
    """(span, number of the word after it) of what may be a name from a word on, the longest first."""
    longest = LONGEST_RUN if _SPACELESS.match(text[words[at][0]]) else LONGEST_NAME
    for last in range(min(len(words), at + longest) - 1, at - 1, -1):
        start, end = words[at][0], words[last][1]
        seen: set[tuple[int, int]] = set()
        for first, after in _trimmed(text, start, end):
            if first < after and (first, after) not in seen and not _is_stop_word(text[first:after]):
                seen.add((first, after))
                yield (first, after), last + 1


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A span as it is, without punctuation at its edges, and without a possessive ending."""
    piece = text[start:end]
    for cut in range(len(piece) - len(piece.rstrip("?!.,;:)]}\"'”’»")) + 1):  # "Barnet F.C.?"
        yield start, end - cut
    core = _EDGE.sub("", piece)
    if core:
        left = piece.index(core)
        yield start + left, start + left + len(core)
        bare = _POSSESSIVE.sub("", core)
        if bare != core:
            yield start + left, start + left + len(bare)
        plain = re.sub(r"[^\w]+$", "", bare)
        yield start + left, start + left + len(plain)


def _is_stop_word(piece: str) -> bool:
    return piece in STOP_WORDS


def _named(graph: Graph, text: str, known: Instant, mappings: Mappings | None) -> tuple[int, ...]:
    """Entities of that name, in order of first mention."""
    key = name_key(text)
    term = graph.timeline.terms.find(key) if key else None
    if term is None:
        return ()
    timeline = graph.timeline
    rows = timeline.rows("names_by_key", term)
    if not len(rows):
        return ()
    # this table is kept row by row, where indexing costs less than `take`, which copies the whole column
    since = timeline.episodes["recorded"][timeline.names["episode"][rows]]
    entities = timeline.names["entity"][rows][since <= known].tolist()
    return tuple(dict.fromkeys(entity if mappings is None else mappings.apply(entity) for entity in entities))
