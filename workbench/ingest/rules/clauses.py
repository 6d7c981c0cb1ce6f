"""Clauses of a sentence: who, how it is said, which relations, and what. Still words, no times, no claims."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from workbench.ingest.rules.forms import Form, FormIndex, Tag
from workbench.ingest.rules.text import Sentence, Word
from workbench.ingest.rules.words import (
    ADVERBS,
    ARTICLES,
    AS,
    BE,
    BECOME,
    BOUNDARY,
    CONNECTORS,
    DETERMINERS,
    DO,
    END_AS,
    HAVE,
    JOINERS,
    MODAL,
    NOT,
    NOT_NAMES,
    PAST_BE,
    POSSESSIVES,
    PRONOUNS,
    RELATIVE,
    START,
    STOP,
    WILL,
)


class Mood(Enum):
    """How a clause says it."""

    HOLDS = auto()  # works at
    BEGINS = auto()  # joined
    PAST = auto()  # worked at
    ENDS = auto()  # stopped, no longer, left
    DENIED = auto()  # does not
    NEVER = auto()
    FUTURE = auto()


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: `[low, high)` indices into the sentence's words, its name, and what its words say of its type."""

    low: int
    high: int
    name: str
    kind: str | None = None
    pronoun: bool = False
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement found in a sentence.

    Attributes:
        mood: how it is said.
        relations: what it may state; types decide.
        subject: None if left out ("… and left on 1 March").
        objects: empty if left out.
        low, high: `[low, high)` word indices of the whole clause without times.
        verb: index of the first word of the verb group.
        turned: the phrase before the verb is the object ("Bob is Ann's boss").
        perfect: "has lived": a duration reaches to the anchor.
        origin: what "from X" names in "moved from X to Y".
    """

    mood: Mood
    relations: Form
    subject: Phrase | None
    objects: tuple[Phrase, ...]
    low: int
    high: int
    verb: int
    perfect: bool = False
    origin: Phrase | None = None
    apposed: bool = False


_NEED_COPULA: Final = (Tag.COMPLEMENT,)


class ClauseFinder:
    """Finds the clauses of one sentence."""

    def __init__(self, sentence: Sentence, index: FormIndex, text: str) -> None:
        self.words = sentence.words
        self.lows = [word.low for word in self.words]
        self.index = index
        self.text = text

    def clauses(self) -> list[Clause]:
        """In the order of the text."""
        found: list[Clause] = []
        i, free = 0, 0
        while i < len(self.words):
            clause = None
            if not self.words[i].timed:
                for form in self.index.at(self.lows, i):
                    clause = self._clause(form, i, free)
                    if clause is not None:
                        break
                if clause is None and self.lows[i] in ("'s", "’s", "the"):
                    clause = self._nominal(i, free)
                if clause is None:
                    clause = self._moved_from(i, free)
            if clause is None:
                i += 1
                continue
            found.append(clause)
            i = free = max(clause.high, i + 1)
        return found

    # -- verb groups ------------------------------------------------------------------------------------------------

    def _clause(self, form: Form, i: int, free: int) -> Clause | None:
        if form.tag is Tag.NOUN:
            return None
        group = self._group(i, free)
        mood = self._mood(form, group)
        if mood is None:
            return None
        start, cluster, apposed = group
        subject = self._subject(start, free)
        if subject is None and not self._may_omit(start, free, apposed):
            return None
        if form.tag is Tag.BASE and not cluster and not self._plural(subject, start):
            return None
        k = i + len(form.words)
        literal = all(self.index.literal(relation) for relation in form.relations)
        objects = self._objects(k, literal)
        if not objects and mood is not Mood.ENDS:
            return None
        high = objects[-1].high if objects else k
        if high < len(self.lows) and self.lows[high] in ("anymore",) and mood is Mood.DENIED:
            mood, high = Mood.ENDS, high + 1
        if self.lows[high:high + 2] == ["any", "more"] and mood is Mood.DENIED:
            mood, high = Mood.ENDS, high + 2
        low = subject.low if subject else start
        return Clause(mood, form, subject, objects, low, high, start,
                      perfect=any(word in HAVE and word != "had" for word in cluster), apposed=apposed)

    def _group(self, i: int, free: int) -> tuple[int, list[str], bool]:
        """(first index, words, whether it is an apposition) of the auxiliaries and adverbs before word `i`."""
        j = i
        if j > free and self.lows[j - 1] in ARTICLES:
            j -= 1
        words: list[str] = []
        aux = (BE | HAVE | DO | WILL | MODAL | NOT | STOP | START | ADVERBS | BECOME | AS
               | {"no", "longer", "never", "used", "to", "going", "as", "anymore", "down", "resigned", "stepped", "retired",
                  "ceased", "fired", "dismissed", "removed", "steps", "resigns", "plans", "gave", "up", "got"})
        while j > free and (self.words[j - 1].timed or self.lows[j - 1] in aux):
            if self.words[j - 1].timed and not any(
                    self.lows[k] in aux and not self.words[k].timed for k in range(max(free, j - 8), j - 1)) and not words:
                pass
            j -= 1
            if not self.words[j].timed:
                words.insert(0, self.lows[j])
        while j < i and (self.words[j].timed or (self.lows[j] in ADVERBS and self.words[j].text[0].isupper())):
            j += 1  # a leading "In 2019" belongs to no verb group
        apposed = not words and j > free and self.lows[j - 1] == ","
        return j, words, apposed

    def _mood(self, form: Form, group: tuple[int, list[str], bool]) -> Mood | None:
        _, words, apposed = group
        tag = form.tag
        content = [word for word in words if word not in ADVERBS]
        has = set(content).__contains__
        if any(map(has, MODAL)) or has("plans"):
            return None
        negated = any(map(has, NOT))
        never = has("never")
        ended = self._ended(content)
        if "to" in content and not (has("used") or has("going") or has("ceased") or any(map(has, START | STOP))):
            return None
        if tag is Tag.ENDING:
            return None if negated or never else Mood.FUTURE if any(map(has, WILL)) else Mood.ENDS
        if tag in _NEED_COPULA and not apposed and not (any(map(has, BE | BECOME | AS)) or ended):
            return None
        if tag is Tag.GERUND and not (any(map(has, BE | START | STOP)) or ended):
            return None
        if tag is Tag.PARTICIPLE and not any(map(has, HAVE)):
            return None
        if tag in (Tag.PRESENT, Tag.DONE, Tag.PAST) and (any(map(has, DO)) or has("to")):
            return None
        if tag is Tag.BASE and content and not (
                any(map(has, DO | WILL)) or never or ended or has("used") or has("going") or any(map(has, START | STOP))):
            return None
        if ended:
            return Mood.ENDS
        if never:
            return Mood.NEVER
        if negated:
            return Mood.DENIED
        if any(map(has, WILL)) or has("going"):
            return Mood.FUTURE
        if has("used"):
            return Mood.PAST
        if any(map(has, START)) or (any(map(has, BECOME)) and tag in _NEED_COPULA):
            return Mood.BEGINS
        if tag is Tag.DONE:
            return Mood.BEGINS
        past = any(map(has, PAST_BE)) or "had" in content or (
            any(map(has, {"served", "worked", "acted"})) and not any(map(has, HAVE)))
        if tag is Tag.PAST:
            return Mood.HOLDS if any(map(has, HAVE - {"had"})) else Mood.PAST
        return Mood.PAST if past else Mood.HOLDS

    @staticmethod
    def _ended(content: list[str]) -> bool:
        joined = tuple(content)
        if "longer" in joined and "no" in joined:
            return True
        if any(word in STOP for word in joined) or joined[-2:] == ("gave", "up"):
            return True
        return any(joined[k:k + len(end)] == end for end in END_AS for k in range(len(joined)))

    def _plural(self, subject: Phrase | None, start: int) -> bool:
        """Whether a bare verb form goes with the subject: "I work", "Ann and Bob work"."""
        if subject is None:
            return False
        low = self.lows[subject.high - 1]
        return low in ("i", "we", "they", "you") or (subject.low > 1 and self.lows[subject.low - 1] == "and")

    def _may_omit(self, start: int, free: int, apposed: bool) -> bool:
        before = start - 1
        while before >= 0 and self.words[before].timed:
            before -= 1
        return before >= 0 and self.lows[before] in JOINERS | RELATIVE and not apposed

    # -- noun phrases -----------------------------------------------------------------------------------------------

    def _subject(self, end: int, free: int) -> Phrase | None:
        """The noun phrase that ends just before word `end`."""
        j = end
        while j > free and (self.words[j - 1].timed or self.lows[j - 1] == ","):
            j -= 1
        if j <= free:
            return None
        last = self.words[j - 1]
        if last.low in RELATIVE:
            return self._subject(j - 1, free) if j - 1 > free else None
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
            while low < j - 1 and (self.lows[low] in CONNECTORS or (
                    self.lows[low] in NOT_NAMES and self.words[low].text[0].isupper())):
                low += 1
            return self._named(low, j)
        while low > free and self.lows[low - 1].isalpha() and self.lows[low - 1] not in BOUNDARY | DETERMINERS | JOINERS \
                and not self.words[low - 1].timed and j - low < 4:
            low -= 1
        return self._common(low, j)

    def _continues_name(self, low: int, free: int) -> bool:
        before = self.words[low - 1]
        if before.timed:
            return False
        if before.name_like and before.low not in PRONOUNS and before.text[0].isalnum():
            return True
        if before.low in ("'s", "’s") and low - 2 >= free and self.words[low - 2].name_like:
            return True
        return before.low in CONNECTORS - {"and", "for", "y", "e"} and low - 2 >= free and self.words[low - 2].name_like \
            and not self.words[low - 2].timed and self.words[low].name_like

    def _named(self, low: int, high: int) -> Phrase:
        """A name with the type that its words tell: "Acme GmbH", "Billing team"."""
        kind = None
        nouns = self.index.type_nouns
        if high - low > 1 and self.lows[high - 1] in nouns and not self.words[high - 1].text[0].isupper():
            return Phrase(low, high, self._text(low, high - 1), nouns[self.lows[high - 1]])
        if high - low > 1 and self.lows[low] in nouns and not self.words[low].text[0].isupper():
            return Phrase(low, high, self._text(low + 1, high), nouns[self.lows[low]])
        return Phrase(low, high, self._text(low, high), kind)

    def _common(self, low: int, high: int) -> Phrase | None:
        """A phrase in lower case: "my sister", "the Billing team", "oat milk"."""
        if low >= high:
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
        while k < len(self.lows) and (self.lows[k] in DETERMINERS or self.lows[k] in ADVERBS) and not self.words[k].timed:
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
            named = self._named(k, high)
            return Phrase(start, high, named.name, named.kind, owner=owner)
        while high < len(self.words) and high - k < 5 and not self.words[high].timed and (
                self.lows[high] not in BOUNDARY and self.lows[high][0].isalnum()):
            if self.lows[high].endswith("ly") and high > k:
                break
            high += 1
        if high == k:
            return None
        named = self._named(k, high)
        return Phrase(start, high, named.name, named.kind, owner=owner)

    def _extends_name(self, k: int) -> bool:
        word = self.words[k]
        if word.timed:
            return False
        if word.name_like and word.low not in PRONOUNS and word.text[0].isalnum():
            return True
        after = self.words[k + 1] if k + 1 < len(self.words) else None
        if word.low in ("'s", "’s"):
            return after is not None and after.name_like and not after.timed
        if word.low in CONNECTORS - {"and", "for"} or (word.low == "&"):
            if after is not None and after.low in ("the", "la", "los", "las") and k + 2 < len(self.words):
                after = self.words[k + 2]
                return after.name_like and not after.timed
            return after is not None and after.name_like and not after.timed
        return False

    def _literal(self, k: int) -> Phrase | None:
        """A number with what follows left in the quote, or the words up to the next mark."""
        high = k + 1
        if not self.words[k].text[0].isdigit() and self.words[k].text[0] not in "$€£¥":
            while high < len(self.words) and not self.words[high].timed and self.lows[high] not in (
                    ",", ".", ";", "!", "?", "and", "but", "because", "since", "until", "from", "(", ")") and high - k < 8:
                high += 1
            if self.words[k].timed:
                while high < len(self.words) and self.words[high].timed:
                    high += 1
        return Phrase(k, high, self._text(k, high)) if self.lows[k] not in (",", ".", ";") else None

    # -- other shapes -----------------------------------------------------------------------------------------------

    def _nominal(self, i: int, free: int) -> Clause | None:
        """`Ann's boss is Bob`, `the capital of France is Paris`."""
        possessive = self.lows[i] in ("'s", "’s")
        owner = self._subject(i, free) if possessive else None
        if possessive and owner is None:
            return None
        for form in self.index.at(self.lows, i + 1) if i + 1 < len(self.lows) else ():
            if form.tag is not Tag.NOUN:
                continue
            k = i + 1 + len(form.words)
            if not possessive:
                of_at = k - 1 if form.words[-1] == "of" else k
                if of_at >= len(self.lows) or self.lows[of_at] != "of":
                    continue
                owner = self._object(of_at + 1, literal=False)
                if owner is None:
                    continue
                k = owner.high
            found = self._copula(k)
            if found is None or owner is None:
                continue
            mood, k = found
            literal = all(self.index.literal(relation) for relation in form.relations)
            objects = self._objects(k, literal)
            if objects:
                return Clause(mood, form, owner, objects, min(owner.low, i), objects[-1].high, i)
        return None

    def _copula(self, k: int) -> tuple[Mood, int] | None:
        words: list[str] = []
        while k < len(self.lows) and (self.words[k].timed or self.lows[k] in BE | NOT | ADVERBS | HAVE | WILL | {
                "became", "never", "no", "longer"}):
            if not self.words[k].timed:
                words.append(self.lows[k])
            k += 1
        if not any(word in BE or word == "became" for word in words):
            return None
        if "longer" in words:
            return Mood.ENDS, k
        if "never" in words:
            return Mood.NEVER, k
        if any(word in NOT for word in words):
            return Mood.DENIED, k
        if any(word in WILL for word in words):
            return Mood.FUTURE, k
        if "became" in words:
            return Mood.BEGINS, k
        return (Mood.PAST if any(word in PAST_BE for word in words) else Mood.HOLDS), k

    def _moved_from(self, i: int, free: int) -> Clause | None:
        """`moved from X to Y`: the form "moved to" with its origin inside."""
        if i + 3 >= len(self.lows) or self.lows[i + 1] != "from":
            return None
        forms = self.index.at([self.lows[i], "to"], 0)
        form = next((form for form in forms if form.words == (self.lows[i], "to") and form.tag is not Tag.NOUN), None)
        origin = self._object(i + 2, literal=False) if form else None
        if form is None or origin is None or origin.high >= len(self.lows) or self.lows[origin.high] != "to":
            return None
        group = self._group(i, free)
        mood = self._mood(form, group)
        subject = self._subject(group[0], free)
        goal = self._object(origin.high + 1, literal=False)
        if mood is None or goal is None or (subject is None and not self._may_omit(group[0], free, False)):
            return None
        low = subject.low if subject else group[0]
        return Clause(mood, form, subject, (goal,), low, goal.high, group[0], origin=origin)


def word_span(words: tuple[Word, ...], low: int, high: int) -> tuple[int, int]:
    """Character offsets of the words `[low, high)`."""
    return words[low].start, words[high - 1].end
