"""Sentences and words of a text, with exact offsets; nothing is normalised away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from workbench.model.sentences import sentence_spans

_WORD: Final = re.compile(
    r"(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr)\.(?=\s)|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S+|[$€£¥]?\d+(?:,\d{3})*(?:\.\d+)?%?(?![\w-])"
    r"|\w(?:[\w\u200b-\u200d\u00ad]|[\u0300-\u036f]|[-–./&+#'’](?=\w))*[+#]*|\S")
_CLITIC: Final = re.compile(r"(?i)^(.+?)(n['’]t|['’](?:s|m|re|ve|ll|d))$")


@dataclass(frozen=True, slots=True)
class Word:
    """One word or mark: as written, in lower case, `[start, end)` offsets, and whether a time phrase holds it."""

    text: str
    low: str
    start: int
    end: int
    timed: bool = False

    @property
    def name_like(self) -> bool:
        """Starts with a capital or a letter of a script without case, or has a digit."""
        first = self.text[0]
        return first.isupper() or (first.isalpha() and first.lower() == first.upper()) or (
            first.isdigit() and not self.timed)


@dataclass(frozen=True, slots=True)
class Sentence:
    """`[start, end)` offsets and the words of one sentence."""

    start: int
    end: int
    words: tuple[Word, ...]

    @property
    def question(self) -> bool:
        """It ends with a question mark."""
        return any(word.text in ("?", "？") for word in self.words[-2:])


def words_of(text: str, start: int, end: int, timed: list[tuple[int, int]]) -> Iterator[Word]:
    """The words of a stretch; clitics are words of their own ("Ann" + "'s")."""
    timed = [span for span in timed if span[0] < end and span[1] > start]
    for match in _WORD.finditer(text, start, end):
        low, high = match.span()
        inside = bool(timed) and any(a <= low < b for a, b in timed)
        word = match.group()
        if not inside and ("'" in word or "’" in word) and (clitic := _CLITIC.match(word)):
            cut = low + len(clitic[1])
            yield Word(text[low:cut], text[low:cut].lower(), low, cut)
            yield Word(text[cut:high], text[cut:high].lower(), cut, high)
        else:
            yield Word(word, word.lower(), low, high, inside)


def sentences(text: str, timed: list[tuple[int, int]]) -> Iterator[Sentence]:
    """The sentences of a text; none is cut within a time phrase."""
    for start, end in sentence_spans(text, timed):
        yield Sentence(start, end, tuple(words_of(text, start, end, timed)))
