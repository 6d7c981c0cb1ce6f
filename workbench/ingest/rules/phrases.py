"""Noun phrases next to a verb: names, common nouns, pronouns, literals, and joined ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from workbench.ingest.rules.forms import FormIndex, Tag
from workbench.ingest.rules.text import Sentence
from workbench.ingest.rules.words import (
    ADVERBS,
    ARTICLES,
    BE,
    BOUNDARY,
    CONNECTORS,
    DETERMINERS,
    DO,
    FOREIGN_ARTICLES,
    HAVE,
    JOINERS,
    MODAL,
    NOT_NAMES,
    POSSESSIVES,
    PRONOUNS,
    RELATIVE,
    WILL,
)

_NOT_COMMON: Final = BOUNDARY | DETERMINERS | JOINERS
_BEFORE_OBJECT: Final = DETERMINERS | ADVERBS
_INNER: Final = CONNECTORS - {"and", "for", "y", "e"}
_PARTICLES: Final = 3
_NAME_STARTS: Final = frozenset("new los las el la den das des her our some any".split())
_AFTER_LITERAL: Final = frozenset(", . ; ! ? ( ) and but because since until from".split())


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: `[low, high)` indices into the sentence's words, its name, and what its words say of its type."""

    low: int
    high: int
    name: str
    kind: str | None = None
    pronoun: bool = False
    owner: str | None = None


class PhraseFinder:
    """Reads noun phrases of one sentence."""

    def __init__(self, sentence: Sentence, index: FormIndex, text: str, language: str = "en") -> None:
        self.words = sentence.words
        self.lows = [word.low for word in self.words]
        self.index = index
        self.text = text
        self.language = language

    def _subject(self, end: int, free: int) -> Phrase | None:
        """The noun phrase that ends just before word `end`."""
        j = end
        while j > free and (self.words[j - 1].timed or self.lows[j - 1] == ","):
            j -= 1
        if j <= free:
            return None
        last = self.words[j - 1]
        if last.low in RELATIVE:
            named = self._subject(j - 1, free) if j - 1 > free else None
            return named if named is not None and self.words[named.low].name_like else None
        if last.low in PRONOUNS:
            return Phrase(j - 1, j, last.low, pronoun=True)
        if last.low in JOINERS or last.low in NOT_NAMES:
            return None
        if last.low == ")" or not (last.text[0].isalnum()):
            return None
        low = j - 1
        if self.words[low].name_like and last.low not in NOT_NAMES:
            while low > free and self._continues_name(low, free):
                low -= 1
            while low < j - 1 and (self._joins(low) or (
                    self.lows[low] in NOT_NAMES and self.words[low].text[0].isupper())):
                low += 1
            return self._named(low, j)
        while low > free and j - low < 4 and self.lows[low - 1].isalpha() and not self.words[low - 1].timed and (
                self.lows[low - 1] not in _NOT_COMMON):
            low -= 1
        return self._common(low, j)

    def _others(self, subject: Phrase | None, free: int) -> tuple[Phrase, ...]:
        """The names joined before a subject: Alice in "Alice and Bob work at Acme"."""
        found: list[Phrase] = []
        while subject is not None and subject.low - 1 > free and self.lows[subject.low - 1] in ("and", ",", "&"):
            end = subject.low - 1
            end -= self.lows[end - 1] == "," and end - 1 > free
            if (not found and self.lows[subject.low - 1] == ",") or not self.words[end - 1].name_like:
                break
            subject = self._subject(end, free)
            if subject is not None and not subject.pronoun:
                found.append(subject)
        return tuple(found)

    def _continues_name(self, low: int, free: int) -> bool:
        before = self.words[low - 1]
        if before.timed:
            return False
        if before.name_like and before.low not in PRONOUNS and before.text[0].isalnum():
            return True
        if before.low in ("'s", "’s") and low - 2 >= free and self.words[low - 2].name_like:
            return True
        k = low - 1
        while k > free and self.lows[k] in _INNER:
            k -= 1
        joined = before.low in _INNER and (self.words[low].name_like or self.lows[low] in _INNER)
        return joined and low - k <= _PARTICLES + 1 and self.words[k].name_like and not self.words[k].timed

    def _joins(self, k: int) -> bool:
        """Whether a word only joins names; a capital makes it part of one: "Van der Bellen", "El Salvador"."""
        return self.lows[k] in CONNECTORS and (self.words[k].text[0].islower() or self.lows[k] in ("the", "and", "for")
                                               or not self.words[k].text[0].isalpha())

    def _determines(self, k: int) -> bool:
        """Whether a word before a name is no part of it; with a capital it is one: "New Zealand", "Los Angeles"."""
        if self.words[k].timed or self.lows[k] not in _BEFORE_OBJECT | FOREIGN_ARTICLES.get(self.language, frozenset()):
            return False
        after = self.words[k + 1] if k + 1 < len(self.words) else None
        return not (self.lows[k] in _NAME_STARTS and self.words[k].text[0].isupper() and after is not None
                    and after.name_like and not after.timed)

    def _named(self, low: int, high: int) -> Phrase:
        """A name with the type that its words tell: "Acme GmbH", "Billing team"."""
        kind = None
        nouns = self.index.type_nouns
        if high - low > 1 and self.lows[high - 1] in nouns and not self.words[high - 1].text[0].isupper():
            last = high - 1 if self.words[low].name_like else high
            return Phrase(low, high, self._text(low, last), nouns[self.lows[high - 1]])
        if high - low > 1 and self.lows[low] in nouns and self.words[low + 1].name_like and (
                not self.words[low].text[0].isupper()):
            return Phrase(low, high, self._text(low + 1, high), nouns[self.lows[low]])
        return Phrase(low, high, self._text(low, high), kind)

    def _common(self, low: int, high: int) -> Phrase | None:
        """A phrase in lower case: "my sister", "the Billing team", "oat milk"; not "sourcing parts", "Bob says he"."""
        if low >= high or (self.words[low].text.endswith("ing") and self.words[low].text.islower() and high - low > 1):
            return None
        determined = low > 0 and self.lows[low - 1] in DETERMINERS
        if self.words[low].name_like and not determined and self.lows[high - 1] not in self.index.type_nouns:
            return None
        owner = None
        start = low
        if low > 0 and self.lows[low - 1] in POSSESSIVES:
            owner, start = self.lows[low - 1], low - 1
        elif low > 0 and self.lows[low - 1] in DETERMINERS:
            start = low - 1
        name = self._named(low, high)
        return Phrase(start, high, name.name, name.kind, owner=owner)

    def _text(self, low: int, high: int) -> str:
        return self.text[self.words[low].start:self.words[high - 1].end]

    def _objects(self, k: int, literal: bool) -> tuple[Phrase, ...]:
        found: list[Phrase] = []
        while (phrase := self._object(k, literal)) is not None:
            found.append(phrase)
            k = phrase.high
            if literal or k >= len(self.lows) or self.lows[k] not in (",", "and", "or", "&"):
                break
            k += 1
            if k < len(self.lows) and self.lows[k] in ("and", "or"):
                k += 1
            following = self._object(k, literal)
            if following is None or following.pronoun or not self._closes(following.high) or (
                    self.words[phrase.low].name_like != self.words[following.low].name_like):
                break
            if not self.words[following.low].name_like and (following.high - following.low > 2 or any(
                    form.tag is not Tag.NOUN for form in self.index.at(self.lows, following.low))):
                break
        return tuple(found)

    def _closes(self, k: int) -> bool:
        """Whether nothing follows that would make the phrase before it a subject."""
        while k < len(self.lows) and (self.words[k].timed or self.lows[k] in ADVERBS):
            k += 1
        if k >= len(self.lows):
            return True
        if self.lows[k] in BE | HAVE | DO | WILL | MODAL | {"never", "no", "used"}:
            return False
        return not any(form.tag not in (Tag.NOUN, Tag.COMPLEMENT) for form in self.index.at(self.lows, k))

    def _object(self, k: int, literal: bool) -> Phrase | None:
        start = k
        owner = None
        while k < len(self.lows) and self._determines(k):
            owner = self.lows[k] if self.lows[k] in POSSESSIVES and self.lows[k] != "her" else owner
            k += 1
        if k >= len(self.lows):
            if k > start and self.lows[k - 1] == "her":
                return Phrase(k - 1, k, "her", pronoun=True)
            return None
        if self.words[k].timed and not literal:
            return None
        if self.lows[k] in PRONOUNS:
            return Phrase(k, k + 1, self.lows[k], pronoun=True)
        if self.lows[start:start + 1] == ["her"] and not self.words[k].text[0].isalnum():
            return Phrase(start, start + 1, "her", pronoun=True)
        if literal:
            return self._literal(k)
        high = k
        if self.words[k].name_like and self.lows[k] not in NOT_NAMES:
            high += 1
            while high < len(self.words) and self._extends_name(high):
                high += 1
            if high < len(self.words) and self.lows[high] in self.index.type_nouns:
                high += 1
            elif k > start and self.lows[start] in ARTICLES:
                high = self._common_end(high, k + 4)
            named = self._named(k, high)
            return Phrase(start, high, named.name, named.kind, owner=owner)
        high = self._common_end(k, k + 5)
        if high == k or (high == k + 1 and self.lows[k].endswith("ed")):
            return None
        named = self._named(k, high)
        return Phrase(start, high, named.name, named.kind, owner=owner)

    def _common_end(self, k: int, limit: int) -> int:
        """The index after the lower-case words of a phrase that go on at `k`."""
        first = k
        while k < min(len(self.words), limit) and not self.words[k].timed and self.lows[k][0].isalnum() and (
                self.lows[k] not in BOUNDARY and self.lows[k] not in PRONOUNS):
            if k > first and ((self.lows[k].endswith("ly") and self.words[k].text.islower()) or (
                    self.lows[k].endswith("ing") and k - first > 1 and len(self.lows[k]) > 5)):
                break
            k += 1
        while first < k < len(self.words) and self.words[k - 1].text[0].isupper() and (
                self.words[k].text[0].isupper() and not self.words[k].timed):
            k += 1  # a name is not cut in two
        return k

    def _extends_name(self, k: int) -> bool:
        word = self.words[k]
        if word.timed:
            return False
        if word.name_like and word.low not in PRONOUNS and word.text[0].isalnum():
            return True
        after = self.words[k + 1] if k + 1 < len(self.words) else None
        if word.low in ("'s", "’s"):
            return after is not None and after.name_like and not after.timed
        if word.low in _INNER or word.low == "&":
            following = self.words[k + 1:k + 1 + _PARTICLES]
            after = next((other for other in following if other.low not in _INNER), None)
            return after is not None and after.name_like and not after.timed
        return False

    def _literal(self, k: int) -> Phrase | None:
        """A number with what follows left in the quote, or the words up to the next mark."""
        high = k + 1
        if not self.words[k].text[0].isdigit() and self.words[k].text[0] not in "$€£¥":
            while high < len(self.words) and high - k < 8 and not self.words[high].timed and (
                    self.lows[high] not in _AFTER_LITERAL):
                high += 1
            if self.words[k].timed:
                while high < len(self.words) and self.words[high].timed:
                    high += 1
            return Phrase(k, high, self._text(k, high)) if self.lows[k] not in (",", ".", ";") else None
        if high < len(self.words) and self.lows[high].isalpha() and self.lows[high] not in BOUNDARY and (
                not self.words[high].timed):
            high += 1  # the unit, kept in the quote
        return Phrase(k, high, self.words[k].text)

    def name_at(self, i: int) -> Phrase | None:
        """The name that starts at word `i`, if one does."""
        if not self.words[i].name_like or self.words[i].timed or self.lows[i] in NOT_NAMES:
            return None
        phrase = self._object(i, literal=False)
        return None if phrase is None or phrase.pronoun else phrase
