"""Speakers that a question names, and the question as one of them would put it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import numpy as np

from workbench.retrieve.catalog import Names
from workbench.retrieve.index import Index
from workbench.retrieve.seam import Sight
from workbench.retrieve.text import STOP_WORDS, tokens

_HELPERS: Final = {"does": "do", "is": "am", "has": "have"}
_HELPER: Final = re.compile(r"\b(does|is|has) I\b", re.I)
_THEIRS: Final = re.compile(r"\b(?:her|his|their)\b", re.I)
_THEY: Final = re.compile(r"\b(?:she|he|they)\b", re.I)


class Speakers:
    """The speakers of an index by the first word of their names."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._names: Names | None = None
        self._read = 0
        self._by_word: dict[str, list[tuple[int, frozenset[str]]]] = {}

    def named(self, text: str, sight: Sight) -> frozenset[str]:
        """The speakers in sight whose name stands in a text, whole or by its first word; by that only if no other
        speaker's name begins with it and none that does stands there whole. A name that is a common word has to be
        written with its capitals."""
        names = self._index.catalog.speakers
        self._catch_up(names)
        said = frozenset(tokens(text))
        column = self._index.snapshot().speaker[:len(sight.episodes)]
        in_sight = np.bincount(column[sight.episodes] + 1, minlength=len(names.texts) + 1)[1:] > 0
        found: set[int] = set()
        for word in self._by_word.keys() & said:
            known = [(number, words) for number, words in self._by_word[word]
                     if in_sight[number] and _stands(names.texts[number], text)]
            whole = [(number, words) for number, words in known if words <= said]
            chosen = [number for number, words in whole if not any(words < other for _, other in whole)]
            found.update(chosen or ([known[0][0]] if len(known) == 1 else []))
        return frozenset(names.texts[number] for number in found)

    def _catch_up(self, names: Names) -> None:
        if names is not self._names:
            self._names, self._read, self._by_word = names, 0, {}
        for number in range(self._read, len(names.texts)):
            if words := tokens(names.texts[number]):
                self._by_word.setdefault(words[0], []).append((number, frozenset(words)))
        self._read = len(names.texts)


def _stands(name: str, text: str) -> bool:
    first = name.split()[0]
    return first.lower() not in STOP_WORDS or re.search(rf"(?<!\w){re.escape(first)}(?!\w)", text) is not None


def first_person(text: str, speakers: Iterable[str]) -> str:
    """An English question as a speaker that it names would put it: nearer in meaning to what that speaker said.

    Pronouns are taken for the speaker if only one is named.

    >>> first_person("What does Ann Lee think of Bo's boat?", ["Ann Lee"])
    "What do I think of Bo's boat?"
    >>> first_person("Is Ann going to sell her boat when she moves?", ["Ann Lee"])
    'am I going to sell my boat when I moves?'
    >>> first_person("Did the user like it?", ["user"]), first_person("Who was it?", [])
    ('Did I like it?', 'Who was it?')
    """
    named = sorted(speakers)
    for form, exact in _forms(named):
        text = re.sub(rf"(?<!\w)(?:the )?{re.escape(form)}(?!\w)(['’ʼ]s?(?!\w))?",
                      lambda match: "my" if match[1] else "I", text, flags=re.NOFLAG if exact else re.I)
    if not named:
        return text
    if len(named) == 1:
        text = _THEY.sub("I", _THEIRS.sub("my", text))
    return _HELPER.sub(lambda match: f"{_HELPERS[match[1].lower()]} I", text)


def _forms(names: Iterable[str]) -> list[tuple[str, bool]]:
    """(what a name may be written as, whether its capitals count), the longest first."""
    forms = {form for name in names for form in (name.strip(), *name.split()[:1]) if form}
    return [(form, form.lower() in STOP_WORDS) for form in sorted(forms, key=lambda form: (-len(form), form))]
