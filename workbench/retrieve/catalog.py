"""What the arms need of every episode and record, as arrays: fixed snapshots, so that a question sees one state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.graph.columns import Table
from workbench.retrieve.window import Window, window_of

Ints = NDArray[np.int32]
NONE: Final = -1


class Names:
    """Small numbers for strings that recur; only ever grows."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def add(self, text: str | None) -> int:
        """The number of a text, new if need be; -1 for None."""
        if text is None:
            return NONE
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]

    def find(self, text: str) -> int:
        """The number of a text, or -1."""
        return self._numbers.get(text, NONE)


@dataclass(frozen=True)
class EpisodeRow:
    """An episode as the index keeps it.

    Attributes:
        number, code: in the timeline; the hash of its id.
        session, speaker, kind: as given.
        length: tokens; None if it is not indexed (curation, blank).
        of, how: the number of the episode that it withdraws, and whether by `retract` or `supersede`; or None.
        asks: 1 if it ends with a question mark, else 0.
    """

    number: int
    code: int
    session: str | None
    speaker: str | None
    kind: str
    length: int | None
    of: int | None
    how: str | None
    asks: int

    def values(self) -> tuple[int | str | None, ...]:
        """All of it, in order."""
        return (self.number, self.code, self.session, self.speaker, self.kind, self.length, self.of, self.how,
                self.asks)


@dataclass(frozen=True)
class Snapshot:
    """Arrays by episode number and by record number, -1 for none.

    Attributes:
        session, speaker, kind: numbers in the catalog's names.
        length: tokens of an episode; -1 if it is not indexed.
        previous, following: the indexed episode before and after in the same session, by sequence.
        position: place among the indexed episodes of its session, from 0.
        before: tokens of the indexed episodes of its session that precede it.
        asks: 1 if it ends with a question mark, else 0.
        document: for each record, the first record of the same triple, which is the number of its document.
        fact_length: tokens of a document, at its number; 0 elsewhere.
        withdrawals: (withdrawing episode, withdrawn episode, `retract` or `supersede`), by sequence.
    """

    session: Ints
    speaker: Ints
    kind: Ints
    length: Ints
    previous: Ints
    following: Ints
    position: Ints
    before: Ints
    asks: Ints
    document: Ints
    fact_length: Ints
    withdrawals: tuple[tuple[int, int, str], ...] = ()

    @property
    def episodes(self) -> int:
        """How many episodes it covers."""
        return len(self.length)

    @property
    def records(self) -> int:
        """How many records it covers."""
        return len(self.document)

    @cached_property
    def window(self) -> Window:
        """What was said around each episode."""
        return window_of(self.previous, self.following, self.before, self.length)


_EPISODES: Final = {name: np.int32 for name in
                    ("session", "speaker", "kind", "length", "previous", "following", "position", "before", "asks")}
_RECORDS: Final = {"document": np.int32, "fact_length": np.int32}


@dataclass
class Catalog:
    """The growing arrays behind the snapshots; one writer at a time."""

    sessions: Names = field(default_factory=Names)
    speakers: Names = field(default_factory=Names)
    kinds: Names = field(default_factory=Names)
    codes: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._episodes, self._records = Table(_EPISODES), Table(_RECORDS)
        self._last: dict[int, tuple[int, int, int]] = {}
        self._withdrawals: list[tuple[int, int, str]] = []
        self._snapshot: Snapshot | None = None

    @property
    def episodes(self) -> int:
        """How many episodes are entered."""
        return self._episodes.n

    @property
    def records(self) -> int:
        """How many records are entered."""
        return self._records.n

    def add_episodes(self, rows: Iterable[EpisodeRow]) -> None:
        """Enter the next episodes, in sequence."""
        for row in rows:
            session = self.sessions.add(row.session)
            length = NONE if row.length is None else row.length
            previous, position, before = NONE, 0, 0
            if session != NONE and length != NONE:
                previous, position, before = self._last.get(session, (NONE, 0, 0))
                self._last[session] = row.number, position + 1, before + length
                if previous != NONE:
                    self._episodes.put("following", previous, row.number)
            self._episodes.append((session, self.speakers.add(row.speaker), self.kinds.add(row.kind), length, previous,
                                   NONE, position, before, row.asks))
            self.codes.append(row.code)
            if row.of is not None and row.how is not None:
                self._withdrawals.append((row.number, row.of, row.how))
        self._snapshot = None

    def add_records(self, documents: Sequence[int] | NDArray[Any], lengths: Sequence[int] | NDArray[Any]) -> None:
        """Enter the next records: the document of each, and its length where the record is the first of its triple."""
        for document, length in zip(np.asarray(documents).tolist(), np.asarray(lengths).tolist(), strict=True):
            self._records.append((document, length))
        self._snapshot = None

    def forget_records(self) -> None:
        """Start anew with records."""
        self._records = Table(_RECORDS)
        self._snapshot = None

    def snapshot(self) -> Snapshot:
        """The arrays as they are now."""
        if self._snapshot is None:
            columns = {name: self._episodes[name] for name in _EPISODES}
            columns["following"] = columns["following"].copy()  # the one column that is written in place
            self._snapshot = Snapshot(**columns, **{name: self._records[name] for name in _RECORDS},
                                      withdrawals=tuple(self._withdrawals))
        return self._snapshot


def documents_of(s: NDArray[np.int32], r: NDArray[np.int32], o: NDArray[np.int32]) -> Ints:
    """For each record, the number of the first record of the same triple."""
    if not len(s):
        return np.empty(0, dtype=np.int32)
    order = np.lexsort((np.arange(len(s)), o, r, s))
    fresh = np.ones(len(s), dtype=bool)
    fresh[1:] = (s[order][1:] != s[order][:-1]) | (r[order][1:] != r[order][:-1]) | (o[order][1:] != o[order][:-1])
    found = np.empty(len(s), dtype=np.int32)
    found[order] = order[np.flatnonzero(fresh)[np.cumsum(fresh) - 1]]
    return found
