"""Clauses of a sentence: who, how it is said, which relations, and what. Still words, no times, no claims."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from workbench.ingest.rules.forms import Form, Tag
from workbench.ingest.rules.phrases import Phrase, PhraseFinder
from workbench.ingest.rules.words import (
    ADVERBS,
    ARTICLES,
    AS,
    BE,
    BECOME,
    DO,
    END_AS,
    FOREIGN_BECAME,
    FOREIGN_END_AS,
    FOREIGN_IS,
    FOREIGN_NEVER,
    FOREIGN_NOT,
    FOREIGN_REST,
    FOREIGN_WAS,
    HAVE,
    JOINERS,
    MODAL,
    NOT,
    PAST_BE,
    RELATIVE,
    START,
    START_AS,
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
class Clause:
    """One statement found in a sentence.

    Attributes:
        mood: how it is said.
        relations: what it may state; types decide.
        subject: None if left out ("… and left on 1 March").
        objects: empty if left out.
        low, high: `[low, high)` word indices of the whole clause without times.
        verb: index of the first word of the verb group.
        perfect: "has lived": a duration reaches to the anchor.
        origin: what "from X" names in "moved from X to Y".
        apposed: "Bob, CEO of Acme": there is no verb.
        others: subjects joined to the subject: Alice in "Alice and Bob work at Acme".
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
    others: tuple[Phrase, ...] = ()


_NEED_COPULA: Final = (Tag.COMPLEMENT,)
_FOREIGN: Final = {"is": FOREIGN_IS, "was": FOREIGN_WAS, "became": FOREIGN_BECAME, "not": FOREIGN_NOT,
                   "never": FOREIGN_NEVER}
_OPENERS: Final = {last: tuple(opener for opener in START_AS + FOREIGN_END_AS if opener[-1] == last)
                   for last in {opener[-1] for opener in START_AS + FOREIGN_END_AS}}
_BEFORE_COMPLEMENT: Final = ARTICLES | ADVERBS | {"new"}
_GROUP: Final = BE | HAVE | DO | WILL | MODAL | NOT | STOP | START | ADVERBS | BECOME | AS | frozenset(
    "ya no longer never used to going as anymore down resigned stepped retired ceased fired dismissed removed steps "
    "resigns plans gave up got".split())


class ClauseFinder(PhraseFinder):
    """Finds the clauses of one sentence."""

    def clauses(self) -> list[Clause]:
        """In the order of the text."""
        found: list[Clause] = []
        i, free = 0, 0
        while i < len(self.words):
            clause = None
            if not self.words[i].timed:
                for form in self.index.at(self.lows, i):
                    if not form.spoken_in(self.language) or self._introduces(form, i):
                        continue
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

    def _introduces(self, form: Form, i: int) -> bool:
        """Whether a form is only the verb before a complement of its own: "became" in "became the chair of Acme"."""
        k = i + len(form.words)
        if any(word not in _GROUP and word not in ARTICLES and word != "new" for word in form.words):
            return False
        while k < len(self.lows) and (self.words[k].timed or self.lows[k] in _BEFORE_COMPLEMENT):
            k += 1
        return k < len(self.lows) and any(other.tag in _NEED_COPULA and len(other.words) > 1
                                          for other in self.index.at(self.lows, k))

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
        if subject is None and not self._may_omit(start, apposed and form.tag in _NEED_COPULA):
            return None
        if subject is not None and not self.words[subject.high - 1].name_like and subject.low > free and any(
                self.lows[subject.low - 1] in kind.get(self.language, ()) for kind in (FOREIGN_IS, FOREIGN_WAS)):
            return None  # "Bob es un buen amigo de Ana": what stands before the form is no subject
        others = self._others(subject, free)
        if form.tag is Tag.BASE and not cluster and not others and not self._plural(subject):
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
        if self.lows[high:high + 1] == ["nicht"]:
            mood, high = (Mood.ENDS, high + 2) if self.lows[high + 1:high + 2] == ["mehr"] else (Mood.DENIED, high + 1)
        low = subject.low if subject else start
        return Clause(mood, form, subject, objects, low, high, start, others=others,
                      perfect=any(word in HAVE and word != "had" for word in cluster), apposed=apposed)

    def _group(self, i: int, free: int) -> tuple[int, list[str], bool]:
        """(first index, words, whether it is an apposition) of the auxiliaries and adverbs before word `i`."""
        j = i
        if j > free and self.lows[j - 1] == "new" and self.words[j - 1].text.islower():
            j -= 1
        if j > free and self.lows[j - 1] in ARTICLES:
            j -= 1
        words: list[str] = []
        while j > free:
            opener = next((opener for opener in _OPENERS.get(self.lows[j - 1], ())
                           if tuple(self.lows[max(free, j - len(opener)):j]) == opener), ())
            if not (opener or self.words[j - 1].timed or self.lows[j - 1] in _GROUP or self._foreign(j - 1)):
                break
            size = len(opener) or 1
            words[:0] = self.lows[j - size:j] if not self.words[j - 1].timed else []
            j -= size
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
        foreign = {name: any(map(has, kind.get(self.language, ()))) for name, kind in _FOREIGN.items()}
        negated = any(map(has, NOT)) or (has("no") and not has("longer")) or foreign["not"]
        never = has("never") or foreign["never"]
        ended = self._ended(content)
        begun = self._begun(content)
        if "to" in content and not (begun or has("used") or has("going") or has("ceased") or any(
                map(has, START | STOP))):
            return None
        if self.language == "de" and has("als") and not (begun or foreign["is"] or foreign["was"] or foreign["became"]):
            return None
        if tag is Tag.ENDING:
            return None if negated or never else Mood.FUTURE if any(map(has, WILL)) else Mood.ENDS
        if tag in _NEED_COPULA and not apposed and not (any(map(has, BE | BECOME | AS)) or ended or begun):
            return None
        if tag is Tag.GERUND and not (any(map(has, BE | START | STOP)) or ended):
            return None
        if tag is Tag.PARTICIPLE and not any(map(has, HAVE)):
            return None
        if tag in (Tag.PRESENT, Tag.DONE, Tag.PAST) and (any(map(has, DO)) or has("to")):
            return None
        if tag is Tag.BASE and content and not (never or ended or has("used") or has("going") or any(
                map(has, DO | WILL | START | STOP))):
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
        if any(map(has, START)) or ((any(map(has, BECOME)) or begun) and tag in _NEED_COPULA):
            return Mood.BEGINS
        if foreign["became"] or begun:
            return Mood.BEGINS
        if foreign["was"]:
            return Mood.HOLDS if has("ha") else Mood.PAST
        if tag is Tag.DONE:
            return Mood.BEGINS
        past = any(map(has, PAST_BE)) or "had" in content or (
            any(map(has, {"served", "worked", "acted"})) and not any(map(has, HAVE)))
        if tag is Tag.PAST:
            return Mood.HOLDS if any(map(has, HAVE - {"had"})) else Mood.PAST
        return Mood.PAST if past else Mood.HOLDS

    def _foreign(self, k: int) -> bool:
        """Whether a word belongs to a verb group in the sentence's language other than English."""
        return self.words[k].text.islower() and any(
            self.lows[k] in kind.get(self.language, ())
            for kind in (FOREIGN_IS, FOREIGN_WAS, FOREIGN_BECAME, FOREIGN_NOT, FOREIGN_NEVER, FOREIGN_REST))

    @staticmethod
    def _begun(content: list[str]) -> bool:
        return any(tuple(content[k:k + len(start)]) == start for start in START_AS for k in range(len(content)))

    @staticmethod
    def _ended(content: list[str]) -> bool:
        joined = tuple(content)
        if "no" in joined and ("longer" in joined or "ya" in joined):
            return True
        if "mehr" in joined and any(word in joined for word in ("nicht", "kein", "keine")):
            return True
        if any(word in STOP for word in joined) or joined[-2:] == ("gave", "up"):
            return True
        return any(joined[k:k + len(end)] == end for end in (*END_AS, *FOREIGN_END_AS)
                   for k in range(len(joined)))

    def _plural(self, subject: Phrase | None) -> bool:
        """Whether a bare verb form goes with the subject: "I work"."""
        return subject is not None and self.lows[subject.high - 1] in ("i", "we", "they", "you")

    def _may_omit(self, start: int, apposed: bool) -> bool:
        before = start - 1
        while before >= 0 and self.words[before].timed:
            before -= 1
        return before >= 0 and self.lows[before] in JOINERS | RELATIVE and not apposed

    # -- other shapes -----------------------------------------------------------------------------------------------

    def _nominal(self, i: int, free: int) -> Clause | None:
        """`Ann's boss is Bob`, `the capital of France is Paris`."""
        possessive = self.lows[i] in ("'s", "’s")
        owner = self._subject(i, free) if possessive else None
        if possessive and owner is None:
            return None
        first = i + 1
        while first < len(self.lows) and self.lows[first] in ("new", "current", "present") and (
                self.words[first].text.islower()):
            first += 1
        for form in self.index.at(self.lows, first) if first < len(self.lows) else ():
            if form.tag is not Tag.NOUN:
                continue
            k = first + len(form.words)
            if not possessive:
                of_at = k - 1 if form.words[-1] == "of" else k
                if of_at >= len(self.lows) or self.lows[of_at] != "of":
                    continue
                owner = self._object(of_at + 1, literal=False)
                if owner is None:
                    continue
                k = owner.high
            found = self._copula(k)
            if owner is None:
                continue
            if found is None:
                clause = self._predicative(form, owner, k, free) if possessive else None
                if clause is not None:
                    return clause
                continue
            mood, k = found
            literal = all(self.index.literal(relation) for relation in form.relations)
            objects = self._objects(k, literal)
            if objects and not literal and self.lows[objects[0].high - 1].endswith(("ing", "ed")) and (
                    objects[0].high - objects[0].low == 1 and not self.words[objects[0].low].name_like):
                return None  # "Ann's team is growing"
            if objects and form.words[-1] == "of":
                return Clause(mood, form, objects[0], (owner,), min(owner.low, i), objects[-1].high, i)
            if objects:
                return Clause(mood, form, owner, objects, min(owner.low, i), objects[-1].high, i)
        return None

    def _predicative(self, form: Form, owner: Phrase, high: int, free: int) -> Clause | None:
        """`Bob is Ann's boss`: the owner is the subject of the relation."""
        start, content, _ = self._group(owner.low, free)
        mood = self._mood(Form(form.words, Tag.COMPLEMENT, form.relations), (start, content, False))
        holder = self._subject(start, free)
        if mood is None or holder is None:
            return None
        return Clause(mood, form, owner, (holder,), holder.low, high, start)

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
        if mood is None or goal is None or (subject is None and not self._may_omit(group[0], False)):
            return None
        low = subject.low if subject else group[0]
        return Clause(mood, form, subject, (goal,), low, goal.high, group[0], origin=origin)

