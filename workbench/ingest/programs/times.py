"""From the time phrases of a draft to a claim's start and end: code reads the dates, anchored at the episode."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Final

from workbench.ingest.dates import Role, TimeMention, TimeSpan, resolve
from workbench.ingest.programs.drafts import TimePhrase
from workbench.ingest.programs.durations import duration_of
from workbench.ingest.programs.grounding import Grounds
from workbench.ingest.programs.stated import Stated, Times
from workbench.ingest.rules.times import TimeReader
from workbench.model.time import BEGINNING, Bound, Instant, Unparsed

_ONGOING: Final = re.compile(
    r"\b(?:has|have|had|been|since|seit|depuis|hace|lleva|llevan)\b|'ve|'s been|已经|以来", re.IGNORECASE)
_NEVER: Final = re.compile(r"\b(?:never|nie|niemals|nunca|jamás|jamais)\b|从不|从未|從未", re.IGNORECASE)
_PHRASE_LIMIT: Final = 120


@dataclass
class TimesOf:
    """Reads the time phrases of one episode's drafts.

    Attributes:
        anchor: when it was said, or None.
        zone: the speaker's.
        mentions: all time phrases that code sees in the text.
    """

    grounds: Grounds
    anchor: Instant | None
    zone: tzinfo
    mentions: list[TimeMention] = field(init=False)

    def __post_init__(self) -> None:
        self._reader = TimeReader(self.anchor, self.zone)
        self.mentions = self._reader.mentions(self.grounds.text)

    def read(self, phrases: Sequence[TimePhrase], polarity: str, span: tuple[int, int], *, event: bool) -> Times:
        """The times of a draft whose quote stands at `span`; a phrase that does not stand in the text does not count.

        Args:
            phrases: as the model names them.
            polarity: affirmed, denied or ended.
            span: of the quote.
            event: the relation is an occurrence.
        """
        said = Stated(self.grounds.text[span[0]:span[1]])
        roles = {"duration": 1, "order": 2}  # what has a date of its own comes first
        for phrase in sorted(phrases, key=lambda one: roles.get(one.role, 0)):
            self._take(phrase, polarity, span, said)
        return self._finished(said, polarity, event=event)

    def resolvable(self, phrase: str, span: tuple[int, int]) -> bool:
        """Whether code can read a date or duration from a phrase of the text."""
        mention = self._mention(phrase, span)
        return mention is not None and (
            isinstance(mention.value, TimeSpan) or duration_of(phrase) is not None)

    # -- one phrase -----------------------------------------------------------------------------------------------

    def _take(self, given: TimePhrase, polarity: str, span: tuple[int, int], said: Stated) -> None:
        if not given.phrase or len(given.phrase) > _PHRASE_LIMIT:
            return
        mention = self._mention(given.phrase, span)
        if mention is None:
            said.notes.append(f"time phrase {given.phrase!r} does not stand in the text")
            return
        if given.role == "duration" and self._duration(mention, said):
            return
        role = given.role
        if polarity == "ended" and role == "at":
            role = "end"
        value = self._value(mention, role)
        if isinstance(value, Unparsed):
            said.keep(mention.phrase, value, end=role == "end")
            return
        if value.start is not None:
            said.set_start(mention.phrase, value.start)
        if value.end is not None:
            said.set_end(mention.phrase, value.end)

    def _value(self, mention: TimeMention, role: str) -> TimeSpan | Unparsed:
        plain = mention.value
        if isinstance(plain, Unparsed):
            return plain
        if plain.rule == "duration" and not _ONGOING.search(self._around(mention)):
            return Unparsed(mention.phrase, "a duration without the date that it counts from")
        if role == "start" and not (plain.start is None and plain.rule.startswith(("until", "through"))):
            return self._at_role(mention, Role.START) if plain.start is None or plain.end is None else plain
        if role == "end" and plain.end is None:
            return self._at_role(mention, Role.END)
        return plain

    def _at_role(self, mention: TimeMention, role: Role) -> TimeSpan | Unparsed:
        value = self._reader.read(mention, role)
        return value if not isinstance(value, Unparsed) else mention.value

    def _around(self, mention: TimeMention) -> str:
        low, high = self.grounds.sentence(mention.span)
        return self.grounds.text[low:high]

    def _mention(self, phrase: str, span: tuple[int, int]) -> TimeMention | None:
        """The phrase as it stands in the text, in the quote's sentence if it stands there, widened to what code takes
        for one time phrase ("2019" to "until 2019")."""
        low, high = self.grounds.sentence(span)
        at = self.grounds.quote(phrase, low, high) or self.grounds.quote(phrase)
        if at is None:
            return None
        for mention in self.mentions:
            if mention.span[0] < at[1] and at[0] < mention.span[1]:
                return mention
        words = self.grounds.text[at[0]:at[1]]
        if self.anchor is None:
            return TimeMention(at, words, Unparsed(words, "the episode has no observed_at to count from"))
        return TimeMention(at, words, resolve(words, self.anchor, self.zone))

    def _duration(self, mention: TimeMention, said: Stated) -> bool:
        """Whether the phrase is a duration from a known start or to a known end, and is taken as such."""
        duration = duration_of(mention.phrase)
        if duration is None:
            return False
        if isinstance(said.start, Bound) and said.end is None:
            said.set_end(mention.phrase, duration.after(said.start, self.zone, mention.phrase))
            return True
        if isinstance(said.end, Bound) and said.start is None:
            said.set_start(mention.phrase, duration.after(said.end, self.zone, mention.phrase, back=True))
            return True
        return False

    # -- all of them ----------------------------------------------------------------------------------------------

    def _finished(self, said: Stated, polarity: str, *, event: bool) -> Times:
        if polarity == "ended" and said.end is None and not event:
            if isinstance(said.start, Unparsed):
                said.end, said.valid_to, said.start, said.valid_from = said.start, said.valid_from, None, None
            elif self.anchor is not None:
                said.end = Bound(self.anchor, BEGINNING, self.anchor)
                if isinstance(said.start, Bound) and said.start.best < self.anchor:
                    said.end = Bound(self.anchor, said.start.best, self.anchor)
        if polarity == "denied" and said.start is None and said.end is None and _NEVER.search(said.quote):
            said.valid_from = ".."
        if isinstance(said.start, Bound) and isinstance(said.end, Bound) and said.end.best <= said.start.best:
            reason = f"it ends ({said.end.best}) before it starts ({said.start.best})"
            said.end = Unparsed(said.valid_to or "", reason)
        return Times(said.valid_from, said.valid_to, said.start, said.end, tuple(said.notes))
