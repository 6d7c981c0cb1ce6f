"""Which times a question names, and which clock each of them is on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from workbench.ingest.dates import TimeMention, TimeSpan, find, language_of
from workbench.model.time import BEGINNING, DAY, FOREVER, Instant, Interval

NOON: Final = DAY // 2

_KNOWING: Final = (
    r"(?:(?<!well[ -])(?<!best )(?<!better )known?(?!\s+(?:as(?!\s+of\b)|for|to)\b)"  # "known as" names a thing
    r"|knew|recorded|believed?|thought|understood|stood|on (?:record|file)|listed at the time"
    r"|according to|records? (?:said|showed|had|say|show)|bekannt|conocido|registrado)")
_KNOWN_BEFORE: Final = re.compile(rf"\b{_KNOWING}\b(?![^,:;?]*[,:;?])", re.I)
_KNOWN_AFTER: Final = re.compile(
    r"^\s*,?\s*(?:(?:what|who|which|where|when|how)\b[^,.?]{0,30}?\s)?(?:did |do |had |have )?"
    r"(?:we|you|the (?:store|records?|database)|our (?:records?|notes|store))\s+"
    r"(?:know|knew|believed?|think|thought|say|said|show|showed|have|had|list|listed|recorded)\b", re.I)
_SAME_DAY: Final = re.compile(
    r"\b(?:as )?(?:it was |was |they were )?(?:recorded|known|believed|it stood|things stood)\s+"
    r"(?:(?:on )?(?:that|the same) (?:very )?(?:day|date)|at (?:that|the) (?:same )?time|then)\b", re.I)
_COURTESY: Final = re.compile(r"\b(?:do|can|could|would) you (?:know|remember|say|recall)\b", re.I)
_AS_OF: Final = re.compile(r"^as of\b", re.I)
_BEGAN: Final = re.compile(
    r"\b(?:that|which|who|whose)?\s*(?:began|begun|beginning|begins|started|starting|starts|commenced|took effect)"
    r"\s*(?:on|in|at|from)?\s*$", re.I)
_ENDED: Final = re.compile(
    r"\b(?:that|which|who|whose)?\s*(?:ended|ending|ends|expired|expiring|finished)\s*(?:on|in|at)?\s*$", re.I)
_OPEN: Final = ("since", "after", "from")


@dataclass(frozen=True)
class Times:
    """The times of a question.

    Attributes:
        valid: valid time asked about, `[start, end)`, or None.
        day: it is a day without a clock time: asked at its noon (UTC), and over the whole day if nothing held then.
        known: instant of knowledge time asked about, or None. A day counts to its noon, a longer period to its end.
        begins, ends: the fact asked about starts, ends in it.
        spans: `[start, end)` character offsets that these explain.
    """

    valid: Interval | None = None
    day: bool = False
    known: Instant | None = None
    begins: Interval | None = None
    ends: Interval | None = None
    spans: tuple[tuple[int, int], ...] = ()


def read_times(question: str, now: Instant) -> Times:
    """The times of a question; relative ones count from `now`."""
    question = _COURTESY.sub(lambda match: " " * len(match[0]), question)
    found = _with_clocks(_mentions(question, now))
    times, last = Times(), 0
    for mention, window in found:
        low, high = mention.span
        before, after = question[last:low], question[high:]
        lead = f"{before} {mention.phrase.split()[0]}" if mention.phrase else before
        day = window.end - window.start == DAY
        if _KNOWN_BEFORE.search(before) or _KNOWN_AFTER.match(after):
            if times.known is None:
                times = replace(times, known=_known(window, day))
        elif _BEGAN.search(before) or _BEGAN.search(lead):
            times = replace(times, begins=window)
        elif _ENDED.search(before) or _ENDED.search(lead):
            times = replace(times, ends=window)
        elif times.valid is None:
            times = replace(times, valid=window, day=day)
        else:
            continue
        times = replace(times, spans=(*times.spans, (low, high)))
        last = high
    same = _SAME_DAY.search(question)
    if same is not None and times.known is None and times.valid is not None:
        times = replace(times, known=_known(times.valid, times.day), spans=(*times.spans, same.span()))
    return times


def _mentions(question: str, now: Instant) -> list[TimeMention]:
    """The time phrases, read in the question's own language or in English, whichever explains more of it."""
    languages = dict.fromkeys((language_of(question).code, "en"))
    readings = [[mention for mention in find(question, now, language=language) if isinstance(mention.value, TimeSpan)]
                for language in languages]
    return max(readings, key=lambda reading: sum(high - low for low, high in (mention.span for mention in reading)))


def _known(window: Interval, day: bool) -> Instant:
    if day:
        return window.start.plus(NOON)
    return Instant(window.end - 1) if window.end < FOREVER else window.start


def _with_clocks(mentions: Sequence[TimeMention]) -> list[tuple[TimeMention, Interval]]:
    """Each mention with its window; a clock time right behind a day, as in "2021-02-05 (12:00 UTC)", belongs to it."""
    found: list[tuple[TimeMention, Interval]] = []
    for mention in mentions:
        assert isinstance(mention.value, TimeSpan)
        window = window_of(mention.value)
        if window is None:
            continue
        if found and mention.value.rule == "at:clock" and mention.span[0] - found[-1][0].span[1] <= 3:
            day, whole = found[-1]
            if whole.end - whole.start == DAY:
                start = whole.start.plus(int(window.start) % DAY)
                joined = replace(day, span=(day.span[0], mention.span[1]))
                found[-1] = (joined, Interval(start, Instant(start + 1)))
                continue
        found.append((mention, window))
    return found


def window_of(value: TimeSpan) -> Interval | None:
    """The valid time that a time phrase of a question spans; None if it is empty."""
    kind = value.rule.partition(":")[0]
    period = value.start.period if value.start else None
    if kind == "by" and period is not None:
        return period
    start = value.start.best if value.start else BEGINNING
    if value.end is not None:
        end = value.end.best
    elif kind in _OPEN and not _AS_OF.match(value.phrase):
        end = FOREVER
    else:
        end = period.end if period is not None else Instant(start + 1)
    return Interval(start, end) if start < end else None
