"""From drafts to claims: the one place that decides what of a model's reply counts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Final

from workbench.graph import vocabulary as v
from workbench.graph.relations import SchemaIndex, is_datatype
from workbench.ingest.programs.addressed import addressed
from workbench.ingest.programs.drafts import DRAFTS_LIMIT, NAME_LIMIT, DatedDraft, Draft, Statement
from workbench.ingest.programs.grounding import FIRST_WORDS, THIRD_WORDS, Grounds
from workbench.ingest.programs.stated import Times
from workbench.ingest.programs.times import TimesOf
from workbench.ingest.programs.values import Refused, literal
from workbench.ingest.rules.memory import Memory
from workbench.model.claim import Claim, Polarity
from workbench.model.fact import Entity
from workbench.model.names import name_key
from workbench.model.schema import Relation
from workbench.model.time import BEGINNING, Bound, Instant, Unparsed, read_end, read_start

READ: Final = 0.9
INFERRED: Final = 0.7
QUOTE_MOST: Final = 1_000
_LETTER: Final = re.compile(r"[^\W_]")


@dataclass
class Claiming:
    """Turns the drafts of one episode into claims, window by window.

    Attributes:
        index: the schema.
        grounds: the text and what is around it.
        anchor, zone: when it was said, or None, and the speaker's zone.
        listener: who "you" is, or None.
        known: entities that the store knows.
        dropped: the drafts, and phrases of drafts, that do not count, with reasons.
    """

    index: SchemaIndex
    grounds: Grounds
    anchor: Instant | None
    zone: tzinfo
    listener: str | None = None
    known: tuple[Entity, ...] = ()
    dropped: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._times = TimesOf(self.grounds, self.anchor, self.zone)
        self._types = {name_key(name): entity.type for entity in self.known
                       for name in (entity.label, *entity.aliases)}

    def claims(self, drafts: list[Draft | DatedDraft], low: int, high: int) -> list[Claim]:
        """The claims among the drafts of the window `[low, high)`; the others are told in `dropped`."""
        memory = Memory(speaker=self.grounds.speaker or None, listener=self.listener)
        if len(drafts) > DRAFTS_LIMIT:
            self.dropped.append(f"{len(drafts) - DRAFTS_LIMIT} of {len(drafts)} drafts: more than {DRAFTS_LIMIT} from "
                                f"one stretch of text is a runaway")
        found: list[Claim] = []
        for draft in drafts[:DRAFTS_LIMIT]:
            try:
                claim = self._claim(draft, low, high, memory)
            except Refused as refusal:
                self.dropped.append(f"draft {_told(draft)}: {refusal}")
                continue
            memory.mention(claim.subject, subject=True)
            if claim.object is not None:
                memory.mention(claim.object, subject=False)
            found.append(claim)
        return found

    # -- one draft ------------------------------------------------------------------------------------------------

    def _claim(self, draft: Draft | DatedDraft, low: int, high: int, memory: Memory) -> Claim:
        span = self.grounds.quote(draft.quote, low, high)
        if span is None:
            raise Refused("its quote does not stand in the text")
        if span[1] - span[0] > QUOTE_MOST:
            raise Refused(f"its quote has {span[1] - span[0]} characters (limit {QUOTE_MOST})")
        around = self.grounds.sentence(span)
        if addressed(self.grounds.text[around[0]:around[1]]):
            raise Refused("its words speak to the program that reads them")
        subject, guessed = self._name(draft.subject, "subject", span, memory)
        relation = self._relation(draft, subject)
        given = draft.object if draft.object is not None else draft.value
        if given is None:
            raise Refused("it has neither object nor value")
        target, value, inferred = None, None, False
        if self._wants_value(relation, draft):
            value, inferred = literal(given, relation, self.grounds, self._times, span)
        else:
            target, inferred = self._name(given, "object", span, memory, besides=subject)
            if name_key(target) == name_key(subject):
                raise Refused("subject and object are the same")
        if guessed and (inferred or target is None) and not self.grounds.points_back(span):
            raise Refused(f"its words do not speak of {subject!r}")
        times = self._dates(draft, span, relation)
        self.dropped += [f"draft {_told(draft)}: {note}" for note in times.notes]
        inferred = inferred or guessed
        return Claim(
            subject, relation.iri if relation.declared else _plain(draft.relation), target, value,
            valid_from=times.valid_from, valid_to=times.valid_to, start=times.start, end=times.end,
            polarity=Polarity.DENIED if draft.polarity == "denied" else Polarity.AFFIRMED,
            confidence=INFERRED if inferred else READ, quote=self.grounds.text[span[0]:span[1]], span=span,
            inferred=inferred)

    def _name(self, name: str, role: str, span: tuple[int, int], memory: Memory, besides: str | None = None
              ) -> tuple[str, bool]:
        """The name as it counts, and whether it is inferred."""
        name = " ".join(name.split())
        if not _LETTER.search(name):
            raise Refused(f"it has no {role}")
        if len(name) > NAME_LIMIT:
            raise Refused(f"its {role} has {len(name)} characters (limit {NAME_LIMIT})")
        low = name.lower()
        if low in FIRST_WORDS or low in THIRD_WORDS:
            meant = self.grounds.speaker if low in FIRST_WORDS else memory.stands_for(low, besides)
            if not meant:
                raise Refused(f"nobody knows who {name!r} is")
            return meant, True
        sentence = self.grounds.sentence(span)
        candidates = dict.fromkeys((name, self.grounds.shortened(name)))
        for candidate in candidates:
            if self.grounds.mentioned(candidate, sentence):
                return candidate, False
        for candidate in candidates:
            if self.grounds.implied(candidate, span):
                return candidate, True
        raise Refused(f"its {role} {name!r} is not named in the text up to there")

    def _relation(self, draft: Statement, subject: str) -> Relation:
        if len(draft.relation) > NAME_LIMIT:
            raise Refused(f"its relation has {len(draft.relation)} characters (limit {NAME_LIMIT})")
        name = _plain(draft.relation)
        if not _LETTER.search(name):
            raise Refused("it has no relation")
        target = None if draft.object is None else self._types.get(name_key(draft.object))
        kinds = self._types.get(name_key(subject)), target
        found = self.index.relation(draft.relation, *kinds)
        return found if found.declared else self.index.relation(name, *kinds)

    def _wants_value(self, relation: Relation, draft: Statement) -> bool:
        if relation.range is not None:
            return is_datatype(relation.range)
        return draft.object is None

    def _dates(self, draft: Draft | DatedDraft, span: tuple[int, int], relation: Relation) -> Times:
        if isinstance(draft, Draft):
            return self._times.read(draft.times, draft.polarity, span, event=relation.event)
        start = None if draft.valid_from is None else read_start(draft.valid_from, self.zone)
        end = None if draft.valid_to is None else read_end(draft.valid_to, self.zone)
        if draft.polarity == "ended" and draft.valid_to is None and self.anchor is not None and not relation.event:
            first = start.best if isinstance(start, Bound) and start.best < self.anchor else BEGINNING
            end = Bound(self.anchor, first, self.anchor)
        if isinstance(start, Bound) and isinstance(end, Bound) and end.best <= start.best:
            end = Unparsed(draft.valid_to or "", f"it ends ({end.best}) before it starts ({start.best})")
        return Times(draft.valid_from, draft.valid_to, start, end)


def _plain(name: str) -> str:
    """A relation's name in lower-case words: `worksWith`, `works_with` and `Works with` are one.

    >>> _plain("worksWith"), _plain("Works-with!")
    ('works with', 'works with')
    """
    words = v.words_of(re.sub(r"[^\w\s]|_", " ", name))
    return name_key(words)


def _told(draft: Statement) -> str:
    parts = " ".join(part for part in (draft.subject, draft.relation, draft.object or draft.value) if part)
    return repr(parts if len(parts) <= 100 else parts[:97] + "…")
