"""Which time phrase belongs to which clause, and what it says of the claim's start and end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo
from typing import Final

from workbench.ingest.dates import Role, TimeMention, TimeSpan, find, resolve
from workbench.ingest.rules.clauses import Mood
from workbench.model.time import BEGINNING, Bound, Instant, Unparsed

_PROBES: Final = (Instant.of(2000, 1, 4, 10), Instant.of(2011, 7, 22, 17))


@dataclass(frozen=True, slots=True)
class Stated:
    """The times of one claim: the phrases as given, and their bounds (`Unparsed` where they cannot be read)."""

    valid_from: str | None = None
    valid_to: str | None = None
    start: Bound | Unparsed | None = None
    end: Bound | Unparsed | None = None
    denied: bool = False

    @property
    def empty(self) -> bool:
        """No time is stated."""
        return self.start is None and self.end is None and self.valid_from is None


@dataclass(frozen=True, slots=True)
class TimeReader:
    """Reads the time phrases of one episode; without an anchor only those that need none."""

    anchor: Instant | None
    zone: tzinfo

    def mentions(self, text: str) -> list[TimeMention]:
        """All time phrases of the text."""
        if self.anchor is not None:
            return find(text, self.anchor, self.zone)
        one, other = (find(text, probe, self.zone) for probe in _PROBES)
        values = {mention.span: mention.value for mention in other}
        return [mention if values.get(mention.span) == mention.value else TimeMention(
            mention.span, mention.phrase, Unparsed(mention.phrase, "the episode has no observed_at to count from"))
            for mention in one]

    def read(self, mention: TimeMention, role: Role) -> TimeSpan | Unparsed:
        """The phrase at another role than `AT`."""
        if role is Role.AT or self.anchor is None or isinstance(mention.value, Unparsed):
            return mention.value
        return resolve(mention.phrase, self.anchor, self.zone, role, mention.value.language or None)

    def stated(self, mood: Mood, mentions: list[TimeMention], *, event: bool, perfect: bool) -> Stated | None:
        """The times of a clause; None if it says nothing that can be claimed (a plan without a date)."""
        if mood is Mood.ENDS:
            return self._ending(mentions)
        if mood is Mood.NEVER and not mentions:
            return Stated(valid_from="..")
        if mood is Mood.FUTURE and not mentions:
            return None
        if not mentions:
            return self._ended_by_now() if mood is Mood.PAST and not event else Stated()
        return self._holding(mood, mentions, event=event, perfect=perfect)

    def _ended_by_now(self) -> Stated:
        """Ended, nobody says when: at the anchor at the latest."""
        if self.anchor is None:
            return Stated(denied=True)
        return Stated(end=Bound(self.anchor, BEGINNING, self.anchor))

    def _ending(self, mentions: list[TimeMention]) -> Stated:
        if not mentions:
            return self._ended_by_now()
        mention = mentions[-1]
        value = self.read(mention, Role.END)
        if isinstance(value, TimeSpan) and value.end is not None:
            return Stated(valid_to=mention.phrase, end=value.end)
        if isinstance(value, TimeSpan) and value.start is not None:
            return Stated(valid_to=mention.phrase, end=value.start)
        reason = value.reason if isinstance(value, Unparsed) else "it states no end"
        start = None if self.anchor is None else Bound.exact(self.anchor)
        return Stated(valid_to=mention.phrase, start=start, end=Unparsed(mention.phrase, reason), denied=True)

    def _holding(self, mood: Mood, mentions: list[TimeMention], *, event: bool, perfect: bool) -> Stated:
        valid_from = valid_to = None
        start: Bound | Unparsed | None = None
        end: Bound | Unparsed | None = None
        for mention in mentions:
            value = mention.value
            if mood in (Mood.BEGINS, Mood.FUTURE) and isinstance(value, TimeSpan) and (
                    value.start is None or value.end is None):
                value = self.read(mention, Role.START)
            if isinstance(value, TimeSpan) and value.rule == "duration" and not perfect:
                value = Unparsed(mention.phrase, "a duration without the date that it counts from")
            if isinstance(value, Unparsed):
                if start is None:
                    valid_from, start = mention.phrase, value
                continue
            if value.start is not None and (start is None or isinstance(start, Unparsed)):
                valid_from, start = mention.phrase, value.start
                if value.end is None and end is None and mood in (Mood.PAST, Mood.DENIED) and not event:
                    end = self._within(value, mood)
                    valid_to = mention.phrase if end is not None else None
            if value.end is not None and (end is None or valid_to == valid_from):
                valid_to, end = mention.phrase, value.end
        if isinstance(start, Bound) and isinstance(end, Bound) and end.best <= start.best:
            end = Unparsed(valid_to or "", f"it ends ({end.best}) before it starts ({start.best})")
        return Stated(valid_from, valid_to, start, end)

    def _within(self, value: TimeSpan, mood: Mood) -> Bound | None:
        """The end of what was so in a period: at its end or, in the past tense, at some time until now."""
        assert value.start is not None
        period = value.start.period
        if period is None or not value.rule.startswith("at:") or period.end <= value.start.best:
            return None
        if mood is Mood.DENIED or self.anchor is None or self.anchor <= period.end:
            return Bound(period.end, period.end, period.end)
        return Bound(period.end, period.end, self.anchor)
