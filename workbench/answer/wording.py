"""How answers are put: values, dates at their precision, durations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from workbench.answer.spans import Held
from workbench.model.claim import Value
from workbench.model.fact import Fact
from workbench.model.time import DAY, FOREVER, Instant, Interval

_YEAR: Final = 365.2425
_MIDNIGHT: Final = "T00:00:00Z"


def value_of(held: Held) -> Value:
    """The answering side: a label, or a literal."""
    fact = held.fact
    if not held.forward:
        return fact.subject
    value: Value = fact.object if fact.object is not None else fact.value if fact.value is not None else ""
    return value


def date_of(best: Instant, earliest: Instant | None, latest: Instant | None, *, end: bool) -> str:
    """A date as precisely as it is known: a year, a month, a day or an instant (UTC).

    Args:
        best: the best value of a start or an end.
        earliest, latest: its bounds where they differ.
        end: it is an end, whose best value is the first instant after.

    >>> date_of(Instant.of(2019), None, Instant.of(2020), end=False)
    '2019'
    >>> date_of(Instant.of(2019, 3, 1), None, None, end=True)
    '2019-03-01'
    """
    first, last = (earliest, best) if end else (best, latest)
    if first is not None and last is not None and first != last:
        text = first.iso()
        if text.endswith(f"-01-01{_MIDNIGHT}") and 365 * DAY <= last - first <= 366 * DAY:
            return text.removesuffix(f"-01-01{_MIDNIGHT}")
        if text.endswith(f"-01{_MIDNIGHT}") and 28 * DAY <= last - first <= 31 * DAY:
            return text.removesuffix(f"-01{_MIDNIGHT}")
    return best.iso().removesuffix(_MIDNIGHT)


def start_of(fact: Fact) -> str | None:
    """When a fact starts, or None if that is not known."""
    if fact.valid_from is None:
        return None
    return date_of(fact.valid_from, fact.valid_from_earliest, fact.valid_from_latest, end=False)


def end_of(fact: Fact) -> str | None:
    """When a fact ends (the first instant after it), or None if it is not known to."""
    if fact.valid_to is None:
        return None
    return date_of(fact.valid_to, fact.valid_to_earliest, fact.valid_to_latest, end=True)


def interval_of(fact: Fact) -> str | None:
    """From when to when, or None if neither is known."""
    start, end = start_of(fact), end_of(fact)
    if start is None and end is None:
        return None
    return f"{start or '?'} – {end or '…'}"


def duration_of(facts: Sequence[Fact], at: Instant) -> str | None:
    """How long some facts hold in all, overlaps once, up to `at` where they go on; None if a start is not known."""
    spans = []
    for fact in facts:
        if fact.valid_from is None:
            return None
        end = fact.valid_to if fact.valid_to is not None and fact.valid_to < FOREVER else at
        if fact.valid_from < end:
            spans.append(Interval(fact.valid_from, end))
    total, reached = 0, None
    for span in sorted(spans, key=lambda span: span.start):
        start = span.start if reached is None else max(span.start, reached)
        total += max(0, span.end - start)
        reached = span.end if reached is None else max(reached, span.end)
    if not spans:
        return None
    days = total // DAY
    if not days:
        minutes = total // (DAY // 1_440)
        return " ".join(f"{number} {name}{'s' if number != 1 else ''}" for number, name in (
            (minutes // 60, "hour"), (minutes % 60, "minute")) if number) or "less than a minute"
    years, months = int(days // _YEAR), int(days % _YEAR // (_YEAR / 12))
    parts = [f"{number} {name}{'s' if number != 1 else ''}" for number, name in ((years, "year"), (months, "month"))
             if number]
    return f"{days} days" + (f" (about {' '.join(parts)})" if parts else "")
