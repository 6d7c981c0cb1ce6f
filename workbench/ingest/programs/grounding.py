"""Where the words of a draft stand in the text: quotes by their exact span, names by their words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from workbench.ingest.programs.prompt import names_in
from workbench.model.names import name_key
from workbench.model.sentences import sentence_spans

_PLAIN: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "–": "-", "—": "-",
                               "‑": "-", "−": "-"})
_GAP: Final = re.compile(r"\s*(?:\.\.\.|…|\[…\])\s*")
_GAP_LIMIT: Final = 300
_ARTICLES: Final = re.compile(r"^(?:the|an?|der|die|das|el|la|los|las|le|les)\s+", re.IGNORECASE)
_FIRST: Final = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|ich|mich|mir|meine?[rsnm]?|yo|me|mi|mis|je|j'|moi|mon|ma|mes)\b|我",
    re.IGNORECASE)
_THIRD: Final = re.compile(
    r"\b(?:he|him|his|she|her|hers|they|them|their|it|its|this|that|er|ihn|ihm|sie|ihr|ihre[rsnm]?|sein\w{0,2}|él|ella|"
    r"ellos|su|sus|lo|le|il|elle|lui|son|sa|ses|you|your|du|dich|dein\w{0,2}|tú|tu)\b|[他她它你]", re.IGNORECASE)
FIRST_WORDS: Final = frozenset("i me my myself mine ich mich mir yo je moi 我".split())
THIRD_WORDS: Final = frozenset("he him she her they them it er sie ihn ihm él ella ellos il elle lui 他 她 它".split())
_LETTER: Final = re.compile(r"[^\W_]")
_WORD: Final = re.compile(r"[^\W_]+")


def normalised(text: str) -> tuple[str, list[int]]:
    """The text folded for comparing (case, quotation marks, dashes, runs of blanks, invisible characters), and for each
    character of it the offset in the text that it comes from."""
    chars: list[str] = []
    places: list[int] = []
    for offset, char in enumerate(text):
        if unicodedata.category(char) == "Cf":
            continue
        folded = " " if char.isspace() else unicodedata.normalize("NFKC", char).translate(_PLAIN).casefold()
        for one in folded:
            if one == " " and (not chars or chars[-1] == " "):
                continue
            chars.append(one)
            places.append(offset)
    return "".join(chars), places


@dataclass(frozen=True)
class Grounds:
    """A text with what may be understood from around it.

    Attributes:
        text: the whole text of the episode.
        speaker: who speaks, or "".
        earlier: what was said before.
        entities: known things, as `prompt.entity_line` writes them.
    """

    text: str
    speaker: str = ""
    earlier: str = ""
    entities: str = ""
    _found: dict[str, bool] = field(default_factory=dict, compare=False)

    @cached_property
    def _folded(self) -> tuple[str, list[int]]:
        return normalised(self.text)

    @cached_property
    def _key(self) -> str:
        return _words(self.text)

    @cached_property
    def _before(self) -> str:
        return _words(self.earlier)

    @cached_property
    def _names(self) -> Sequence[tuple[str, ...]]:
        return names_in(self.entities)

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """`[start, end)` of the sentences."""
        return list(sentence_spans(self.text))

    def quote(self, words: str, low: int = 0, high: int | None = None) -> tuple[int, int] | None:
        """The span `[start, end)` in the text of words that stand in it within `[low, high)`: verbatim, else whatever
        the case, blanks and kinds of quotation marks; a gap in them (`…`) stands for up to 300 characters. None if they
        do not stand there."""
        words = words.strip()
        high = len(self.text) if high is None else high
        if not _LETTER.search(words):
            return None
        at = self.text.find(words, low, high)
        if at >= 0:
            return at, at + len(words)
        for candidate in dict.fromkeys((words, words.strip(" \t\n\"'“”„«».,;:!?"))):
            if (span := self._loosely(candidate, low, high)) is not None:
                return span
        parts = [part for part in _GAP.split(words) if part]
        if len(parts) < 2:
            return None
        first = self.quote(parts[0], low, high)
        last = first and self.quote(parts[-1], first[1], min(high, first[1] + _GAP_LIMIT + len(parts[-1])))
        return None if first is None or last is None else (first[0], last[1])

    def _loosely(self, words: str, low: int, high: int) -> tuple[int, int] | None:
        needle = normalised(words)[0].strip()
        folded, places = self._folded
        at = folded.find(needle) if _LETTER.search(needle) else -1
        while at >= 0:
            start, end = places[at], places[at + len(needle) - 1] + 1
            if low <= start and end <= high:
                return start, end
            at = folded.find(needle, at + 1)
        return None

    def mentioned(self, name: str, span: tuple[int, int] | None = None) -> bool:
        """Whether a name stands in the text, or in the stretch `span` of it, as words; a known thing may stand there
        under another of its names."""
        if span is not None:
            return self._stands(_words(self.text[span[0]:span[1]]), name)
        if name not in self._found:
            self._found[name] = self._stands(self._key, name)
        return self._found[name]

    def _stands(self, words: str, name: str) -> bool:
        return _holds(words, name) or any(_holds(words, other) for other in self._others(name))

    def _others(self, name: str) -> list[str]:
        """All names of the known things of that name."""
        key = name_key(name)
        return [other for names in self._names if any(name_key(one) == key for one in names) for other in names]

    def shortened(self, name: str) -> str:
        """The name without a leading article where only the rest stands in the text."""
        bare = _ARTICLES.sub("", name)
        return bare if bare and not _holds(self._key, name) else name

    def implied(self, name: str, span: tuple[int, int]) -> bool:
        """Whether the sentence of a quote may mean a name that does not stand in it: the speaker by "I", somebody named
        before in the text, or by a pronoun somebody named in earlier turns."""
        low, high = self.sentence(span)
        said = self.text[low:high]
        if self.speaker and name_key(name) == name_key(self.speaker):
            return _FIRST.search(said) is not None
        if self.mentioned(name, (0, low)):
            return True
        known = _holds(self._before, name) or bool(self._others(name))
        return known and _THIRD.search(said) is not None

    def points_back(self, span: tuple[int, int]) -> bool:
        """Whether the sentence of a quote has a pronoun."""
        low, high = self.sentence(span)
        said = self.text[low:high]
        return _FIRST.search(said) is not None or _THIRD.search(said) is not None

    def sentence(self, span: tuple[int, int]) -> tuple[int, int]:
        """The span, widened to the sentences that it touches."""
        inside = [one for one in self.sentences if one[0] < span[1] and span[0] < one[1]]
        return (min(inside[0][0], span[0]), max(inside[-1][1], span[1])) if inside else span


def _words(text: str) -> str:
    """A text as its words between blanks, for looking names up."""
    return f" {' '.join(_WORD.findall(name_key(text)))} "


def _holds(words: str, name: str) -> bool:
    needle = _words(name).strip()
    if not needle:
        return False
    if needle.isascii() or not any(ord(char) >= 0x0E00 for char in needle):  # scripts with blanks between words
        return f" {needle} " in words or f" {needle}s " in words
    return needle.replace(" ", "") in words.replace(" ", "")
