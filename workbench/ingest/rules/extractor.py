"""A first rule extractor for plain sentences: surface forms of the schema, names around them, dates by code.

It reads "Alice joined Billing in January 2023 and left on 1 March." and refuses what it does not understand:
questions, conditions, modals ("may join"), plans without a date. English is read with its tenses and negations; German
and Spanish surface forms as written; Chinese by the order subject, form, object. It does no parsing beyond that: long
nested sentences are missed rather than misread.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from workbench.ingest.dates import TimeMention, language_of
from workbench.ingest.rules.chinese import chinese_claims
from workbench.ingest.rules.clauses import Clause, ClauseFinder, Mood
from workbench.ingest.rules.forms import FormIndex, Tag
from workbench.ingest.rules.kinds import Types
from workbench.ingest.rules.memory import Memory
from workbench.ingest.rules.phrases import Phrase
from workbench.ingest.rules.text import Sentence, sentences
from workbench.ingest.rules.times import Stated, TimeReader
from workbench.ingest.rules.words import (
    ARTICLES,
    BE,
    CONDITIONAL,
    FOREIGN_BECAME,
    FOREIGN_IS,
    FOREIGN_WAS,
    HAVE,
    POSSESSIVES,
)
from workbench.ingest.seam import Context
from workbench.model.claim import Claim, Polarity, Value
from workbench.model.episode import Episode
from workbench.model.errors import EpisodeError, TimeError
from workbench.model.schema import Relation, Schema
from workbench.model.time import zone_of

_EARLIER: Final = 6
_LONGEST_LITERAL: Final = 200
_LONGEST_NAME: Final = 80
_NUMBER: Final = re.compile(r"[$€£¥]?(\d[\d,]*(?:\.\d+)?)%?")
_PARTICLES: Final = re.compile(
    r"(?<=\w)(?: (?:von|van|vom|zu|zur|der|den|de|del|la|las|los|da|do|dos|di|du|al|el|bin))+ (?=[^\W\d_a-z])")
_HAN: Final = re.compile("[\u4e00-\u9fff]")


class RuleExtractor:
    """The `Extractor` that needs no model. One instance keeps the compiled forms of the schema it saw last."""

    def __init__(self) -> None:
        self._index: FormIndex | None = None

    @property
    def fingerprint(self) -> str:
        """Names this version of the rules."""
        return "rules-2"

    def extract(self, episode: Episode, context: Context) -> Sequence[Claim]:
        """The claims of the episode's text, in its order, each with quote and span; blank text gives none.

        Raises:
            EpisodeError: the episode's time zone does not exist.
        """
        if not episode.text or not episode.text.strip():
            return []
        index = self._compiled(context.schema)
        types = Types(index, context.entities)
        memory = Memory(speaker=episode.speaker, listener=_listener(episode, context.earlier))
        for turn in context.earlier[-_EARLIER:]:
            if turn.text:
                memory.speaker, own = turn.speaker, memory.speaker
                for claim in _read(turn, index, types, memory):
                    memory.note(claim)
                memory.speaker = own
        return _read(episode, index, types, memory)

    def _compiled(self, schema: Schema) -> FormIndex:
        index = self._index
        if index is None or index.schema.schema is not schema:
            index = self._index = FormIndex(schema)
        return index


def _listener(episode: Episode, earlier: Sequence[Episode]) -> str | None:
    others = {turn.speaker for turn in earlier if turn.speaker and turn.speaker != episode.speaker}
    return others.pop() if len(others) == 1 else None


def _read(episode: Episode, index: FormIndex, types: Types, memory: Memory) -> list[Claim]:
    try:
        reader = TimeReader(episode.observed_at, zone_of(episode.time_zone))
    except TimeError as error:
        raise EpisodeError(f"episode {episode.id!r}: {error}") from error
    text = episode.text or ""
    mentions = reader.mentions(text)
    if _HAN.search(text) and index.plain:
        return chinese_claims(text, mentions, index, reader)
    claims: list[Claim] = []
    starts = [mention.span[0] for mention in mentions]
    for sentence in sentences(text, [mention.span for mention in mentions]):
        inside = mentions[bisect_left(starts, sentence.start):bisect_left(starts, sentence.end)]
        claims.extend(_Sentence(text, sentence, inside, reader, index, types, memory).claims())
    return claims


class _Sentence:
    """Turns the clauses of one sentence into claims."""

    def __init__(self, text: str, sentence: Sentence, mentions: list[TimeMention], reader: TimeReader,
                 index: FormIndex, types: Types, memory: Memory) -> None:
        self.text, self.sentence, self.mentions = text, sentence, mentions
        self.reader, self.index, self.types, self.memory = reader, index, types, memory
        self.last: str | None = None

    def claims(self) -> list[Claim]:
        if self.sentence.question or not self.sentence.words:
            self._remember_names()
            return []
        language = _language(self.text[self.sentence.start:self.sentence.end])
        clauses = ClauseFinder(self.sentence, self.index, self.text, language).clauses()
        clauses = [clause for clause in clauses if not self._conditional(clause)]
        if not clauses:
            self._remember_names()
        shares = self._shares(clauses)
        found: list[Claim] = []
        for clause, mentions in zip(clauses, shares, strict=True):
            for claim in self._clause(clause, mentions):
                found.append(claim)
                self.memory.note(claim)
        return found

    def _remember_names(self) -> None:
        """Names of a sentence that states nothing still serve pronouns later."""
        words = self.sentence.words
        i = 0
        finder = ClauseFinder(self.sentence, self.index, self.text)
        while i < len(words):
            phrase = finder.name_at(i)
            if phrase is None:
                i += 1
                continue
            self.memory.mention(phrase.name, subject=i == 0)
            i = max(phrase.high, i + 1)

    def _conditional(self, clause: Clause) -> bool:
        before = self.sentence.words[:clause.low]
        for k in range(len(before) - 1, -1, -1):
            if before[k].low in CONDITIONAL:
                return True
            if before[k].low in (",", ";", "then"):
                return False
        return False

    def _shares(self, clauses: list[Clause]) -> list[list[TimeMention]]:
        """The time phrases of each clause: those behind its verb, before the next clause; leading ones by position."""
        shares: list[list[TimeMention]] = [[] for _ in clauses]
        words = self.sentence.words
        for mention in self.mentions:
            owner = 0
            for k, clause in enumerate(clauses):
                low = words[clause.low].start
                behind = mention.span[0] >= min(words[clause.verb].start, low)
                if behind or (k == owner + 1 and self._leads(mention, low)):
                    owner = k
            if shares:
                shares[owner].append(mention)
        return shares

    def _leads(self, mention: TimeMention, low: int) -> bool:
        """Whether a phrase stands right before a clause and behind a comma or "and": ", and in 2020 she left"."""
        between = self.text[mention.span[1]:low].strip()
        before = self.text[self.sentence.start:mention.span[0]].rstrip()
        return between in ("", ",") and re.search(r"(?:[,;]|\b(?:and|but|then))$", before) is not None

    def _clause(self, clause: Clause, mentions: list[TimeMention]) -> list[Claim]:
        subject, certainty = self._subject(clause)
        if subject is None:
            return []
        ends = clause.relations.tag is Tag.ENDING
        objects: list[tuple[Phrase | None, str]] = []
        for named in clause.objects:
            if (name := self._name(named, besides=subject)) is not None and name != subject:
                objects.append((named, name))
        kept = None
        if not clause.objects and clause.mood is Mood.ENDS:
            kept = self.memory.object_of(subject, tuple(relation.iri for relation in clause.relations.relations))
            if kept is None or kept.object is None:
                return []
            objects = [(None, kept.object)]
        found: list[Claim] = []
        for other in clause.others:
            found.extend(self._clause(replace(clause, subject=other, others=()), mentions))
        subject_type = self.types.of(clause.subject, subject)
        for phrase, name in objects:
            number = phrase is not None and _NUMBER.fullmatch(name) is not None
            target = self.types.of(phrase, name)
            chosen = self._known(subject, name, clause) if ends else None
            picked = (chosen, True) if chosen else self.types.choose(
                clause.relations.relations, clause.relations.tag, subject_type, target, number=number)
            if picked is None or len(name) > _LONGEST_LITERAL:
                continue
            relation, alone = picked
            times = self.reader.stated(clause.mood, mentions, event=relation.event, perfect=clause.perfect)
            if times is None:
                continue
            confidence = certainty - (0 if alone else 0.1) - (0.2 if clause.apposed else 0)
            span = self._span(clause, mentions)
            claim = self._claim(clause, relation, (subject, subject_type), (name, target), times, span, confidence)
            if claim is not None:
                found.append(claim)
        if clause.origin is not None and found:
            found.extend(self._departure(clause, found[0], mentions))
        for _, name in objects:
            self.memory.mention(name, subject=False)
        return found

    def _subject(self, clause: Clause) -> tuple[str | None, float]:
        if clause.subject is None:
            return self.last, 0.8
        name = self._name(clause.subject)
        if name is not None:
            self.last = name
            self.memory.mention(name, subject=True)
        return name, 0.7 if clause.subject.pronoun else 0.9

    def _name(self, phrase: Phrase, besides: str | None = None) -> str | None:
        if phrase.pronoun:
            return self.memory.stands_for(phrase.name, besides)
        if phrase.owner is not None and phrase.owner in POSSESSIVES:
            owner = {"my": self.memory.speaker, "your": self.memory.listener}.get(phrase.owner) or (
                self.memory.stands_for(phrase.owner) if phrase.owner in ("his", "her") else None)
            if besides is not None and (owner is None or owner == besides):
                return phrase.name
            return None if owner is None else f"{owner}'s {phrase.name}"
        return phrase.name

    def _known(self, subject: str, name: str, clause: Clause) -> Relation | None:
        """For "left X": the relation in which the subject was said to stand to X."""
        iris = {relation.iri: relation for relation in clause.relations.relations}
        claim = next((claim for claim in reversed(self.memory.claims)
                      if claim.subject == subject and claim.object == name and claim.relation in iris), None)
        return None if claim is None else iris[claim.relation]

    def _departure(self, clause: Clause, arrival: Claim, mentions: list[TimeMention]) -> list[Claim]:
        """The end of the origin in "moved from X to Y", on the same date."""
        assert clause.origin is not None
        name = self._name(clause.origin)
        if name is None or clause.mood is not Mood.BEGINS:
            return []
        times = self.reader.stated(Mood.ENDS, mentions, event=False, perfect=False)
        relation = self.index.schema.by_iri(arrival.relation)
        if times is None or relation.event:
            return []
        claim = self._claim(clause, relation, (arrival.subject, arrival.subject_type),
                            (name, self.types.of(clause.origin, name)), times,
                            arrival.span or (0, 0), arrival.confidence)
        return [] if claim is None else [claim]

    def _claim(self, clause: Clause, relation: Relation, subject: tuple[str, str | None],
               target: tuple[str, str | None], times: Stated, span: tuple[int, int],
               confidence: float) -> Claim | None:
        name, kind = target
        literal = self.index.literal(relation)
        value = _value(name, relation) if literal else None
        if (literal and value is None) or len(subject[0]) > _LONGEST_NAME or (
                not literal and len(name) > _LONGEST_NAME):
            return None
        denied = times.denied or clause.mood in (Mood.DENIED, Mood.NEVER)
        return Claim(
            subject[0], relation.iri, object=None if literal else name, value=value, subject_type=subject[1],
            object_type=None if literal else kind, valid_from=times.valid_from, valid_to=times.valid_to,
            start=times.start, end=times.end, polarity=Polarity.DENIED if denied else Polarity.AFFIRMED,
            confidence=round(confidence, 2), quote=self.text[span[0]:span[1]], span=span)

    def _span(self, clause: Clause, mentions: list[TimeMention]) -> tuple[int, int]:
        words = self.sentence.words
        low = min([words[clause.low].start, *(mention.span[0] for mention in mentions)])
        high = max([words[clause.high - 1].end, *(mention.span[1] for mention in mentions)])
        return low, high


def _language(sentence: str) -> str:
    """The sentence's language by its own words: the particles of names ("von Ahn") say nothing of it."""
    plain = _PARTICLES.sub(" ", sentence)
    code = language_of(plain).code
    words = set(plain.lower().split())
    if code == "en" and not words & (BE | HAVE | ARTICLES):
        return next((other for other in FOREIGN_IS
                     if words & (FOREIGN_IS[other] | FOREIGN_WAS[other] | FOREIGN_BECAME[other])), code)
    return code


def _value(text: str, relation: Relation) -> Value | None:
    """The literal that a text states for a relation: a number where the range is one, else the words."""
    number = _NUMBER.fullmatch(text)
    local = re.split(r"[#/:]", relation.range or "")[-1].lower()
    if number:
        digits = number[1].replace(",", "")
        return float(digits) if "." in digits or local in ("double", "float") else int(digits)
    if any(word in local for word in ("integer", "decimal", "double", "float", "int", "long", "byte", "short")):
        return None
    if local == "boolean":
        return {"true": True, "yes": True, "false": False, "no": False}.get(text.lower())
    return text if text.strip() else None
