"""Data set `tiq` (MIT), its snippets: a line of an infobox, a statement or a sentence, and the time span it tells.

The span is compared by days at the ends that the snippet states: an end whose year does not stand in it comes from
elsewhere and is left out, a snippet with neither end is unscored, and 31 February and such count as the month's last
day (`exact_span`; `exact_span_all` asks for both ends of every snippet). Three conventions of the set are the
loader's, not the grammar's: the title before the first comma is no evidence; "start time"/"end time" name the ends; of
several dates the first counts, and in running text of "from 1973 to 1981" as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

from workbench.evaluate.data import find_files, read_rows
from workbench.evaluate.harness import SYSTEM, limited, share_row
from workbench.evaluate.records import Sample
from workbench.evaluate.suite import Outcome, Request
from workbench.ingest.dates import TimeMention, find
from workbench.model.time import DAY, Bound, Instant, Interval, Unparsed, days_in_month

DATASET: Final = "tiq"
_ANCHOR: Final = Instant.of(2023, 7, 15)  # when the set was made
_TITLE: Final = re.compile(r"[^,(]*(?:\([^)]*\))?[^,]*,\s*")
_SIDE: Final = re.compile(r"\b(start|end) time, ([^,]*)")


@dataclass(frozen=True, slots=True)
class Span:
    """Days `[first, last]`, both included, as year * 10000 + month * 100 + day."""

    first: int
    last: int


def run(request: Request) -> Outcome:
    """Every snippet of every file found; none if the data set is not there."""
    files = find_files(request.data, DATASET, "tvq_*.json*")
    rows = limited((row for path in files for row in read_rows(path)), request.limit)
    samples = []
    for number, row in enumerate(rows, start=1):
        samples.append(_sample(row, number))
        request.progress(f"{DATASET}: snippets", number, len(rows))
    if not samples:
        return Outcome([], [], [], [f"{DATASET}: no file tvq_*.json*, left out"])
    scored = [sample for sample in samples if sample.correct is not None]
    strict = sum(sample.predicted == sample.gold for sample in samples)
    exact = share_row(DATASET, "exact_span", sum(sample.correct is True for sample in scored), len(scored),
                    unscored=len(samples) - len(scored))
    every = share_row(DATASET, "exact_span_all", strict, len(samples))
    return Outcome(samples, [exact, every], files, ["tiq: days compared at the ends that a snippet states; see tvq.py"])


def _sample(row: dict[str, Any], number: int) -> Sample:
    source, evidence = str(row["source"]), str(row["evidence"])
    gold = Span(*(_existing(int(day)) for day in row["timespan"]))
    started = perf_counter()
    found = read_snippet(evidence, source)
    seconds = perf_counter() - started
    body = _body(evidence)
    stated = [str(day // 10_000) in body for day in (gold.first, gold.last)]
    shown = () if found is None else (f"{found.first} – {found.last}",)
    right: bool | None = found is not None and (not stated[0] or found.first == gold.first) and (
        not stated[1] or found.last == gold.last)
    if not any(stated):
        right = None
    error = None if right or right is None else "wrong" if shown else "empty"
    return Sample(DATASET, SYSTEM, f"{row['Id']}/{number}", source, evidence, (f"{gold.first} – {gold.last}",), shown,
                  right, error, _ANCHOR, None, seconds, note="" if any(stated) else "the snippet states neither end")


def read_snippet(evidence: str, source: str) -> Span | None:
    """The days that a snippet tells, or None."""
    if source == "kb" and (sides := dict(_SIDE.findall(evidence))):
        spans = {name: next(iter(_spans(text, source)), None) for name, text in sides.items()}
        start, end = spans.get("start"), spans.get("end")
        first = start or end
        last = end or start
        return None if first is None or last is None else Span(first.first, last.last)
    return next(iter(_spans(_body(evidence), source)), None) or next(iter(_spans(evidence, source)), None)


def _body(evidence: str) -> str:
    """The evidence without its title."""
    title = _TITLE.match(evidence)
    return evidence[title.end():] if title else evidence


def _spans(text: str, source: str) -> Iterator[Span]:
    for mention in find(text, _ANCHOR, language="en", loose=True):
        if not isinstance(mention.value, Unparsed):
            yield _span(mention, source)


def _span(mention: TimeMention, source: str) -> Span:
    value = mention.value
    assert not isinstance(value, Unparsed)
    first, last = value.start or value.end, value.end or value.start
    assert first is not None and last is not None
    if source == "text" and re.match(r"(?:from|between)\b", mention.phrase, re.IGNORECASE):
        last = first
    return Span(_day(_stretch(first).start), _day(Instant(_stretch(last).end - 1)))


def _stretch(bound: Bound) -> Interval:
    return bound.period if bound.period is not None else Interval(bound.best, bound.best.plus(DAY))


def _day(instant: Instant) -> int:
    year, month, day = instant.civil()[:3]
    return year * 10_000 + month * 100 + day


def _existing(day: int) -> int:
    """The day, or the last of its month."""
    year, month, number = day // 10_000, day // 100 % 100, day % 100
    return day - number + min(number, days_in_month(year, month)) if 1 <= month <= 12 else day
