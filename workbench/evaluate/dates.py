"""Suite `dates`: time phrases with the instants that they state, and snippets of text with their time span.

`dates` is the project's own table (`datasets/dates/phrases.csv`), `dates-blind` a list that was written before its
author had read the grammar (`blind.jsonl`; the score at first sight is in the data set's card). A phrase is right if
both ends have the stated best instant, an end that is not stated is None, and a phrase that means no date is refused;
where the words are vague ("mid-2018"), the best instant must lie within the stated stretch. `bounds_exact` also asks
for the earliest and latest instants. With `--data`, `tiq` is read too (see `tvq`). `dateparser` stands beside: one
instant a phrase, right if it is that of the start.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from workbench.evaluate import tvq
from workbench.evaluate.data import DATA_VARIABLE, own_folder
from workbench.evaluate.harness import SYSTEM, limited, share_row
from workbench.evaluate.records import Row, Sample
from workbench.evaluate.suite import Outcome, Request
from workbench.ingest.dates import Role, TimeSpan, resolve
from workbench.model.time import Bound, Instant, Unparsed, zone_of

OWN: Final = "dates"
BLIND: Final = "dates-blind"
_BASELINE: Final = "dateparser"


@dataclass(frozen=True, slots=True)
class Side:
    """What a phrase should give at one end: an instant, or any within `[earliest, latest]` if `best` is None."""

    best: Instant | None
    earliest: Instant
    latest: Instant

    def right(self, found: Bound | Unparsed | None) -> bool:
        """Whether the best value is right."""
        if found is None or isinstance(found, Unparsed):
            return False
        return found.best == self.best if self.best is not None else self.earliest <= found.best <= self.latest

    def exact(self, found: Bound | Unparsed | None) -> bool:
        """Whether the bounds are right, too; a vague end has none to compare."""
        return self.right(found) and isinstance(found, Bound) and (
            self.best is None or (found.earliest, found.latest) == (self.earliest, self.latest))


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase with its gold. `refused`: it means no date; then both ends are None."""

    id: str
    language: str
    text: str
    anchor: Instant
    zone: str
    role: Role
    kind: str
    refused: bool
    start: Side | None
    end: Side | None


def read_phrases(folder: Path) -> list[Phrase]:
    """The project's own table."""
    with (folder / "phrases.csv").open(encoding="utf-8", newline="") as stream:
        return [_phrase(f"{number}", row, row["class"] == "refuse", _cells(row, "start"), _cells(row, "end"))
                for number, row in enumerate(csv.DictReader(stream), start=1)]


def read_blind(folder: Path) -> list[Phrase]:
    """The list written before its author had read the grammar."""
    rows = [json.loads(line) for line in (folder / "blind.jsonl").read_text(encoding="utf-8").splitlines()]
    return [_phrase(f"blind {number}", row, row.get("refused", False), _object(row.get("start")),
                    _object(row.get("end"))) for number, row in enumerate(rows, start=1)]


def _phrase(identity: str, row: dict[str, Any], refused: bool, start: Side | None, end: Side | None) -> Phrase:
    return Phrase(identity, row["language"], row["phrase"], Instant.parse(row["anchor"]), row["zone"],
                  Role(row["role"]), row["class"], refused, start, end)


def _cells(row: dict[str, str], end: str) -> Side | None:
    best, earliest, latest = row[end], row[f"{end}_earliest"], row[f"{end}_latest"]
    if not (best or earliest):
        return None
    at = Instant.parse(best) if best else None
    return Side(at, Instant.parse(earliest or best), Instant.parse(latest or best))


def _object(given: dict[str, Any] | None) -> Side | None:
    if given is None:
        return None
    if "within" in given:
        return Side(None, *(Instant.parse(text) for text in given["within"]))
    best = given["best"]
    return Side(Instant.parse(best), Instant.parse(given.get("earliest", best)),
                Instant.parse(given.get("latest", best)))


def run(request: Request) -> Outcome:
    """Own table and blind list; the snippets if their data is there."""
    folder = own_folder("dates", "phrases.csv")
    samples: list[Sample] = []
    rows: list[Row] = []
    for dataset, phrases in ((OWN, read_phrases(folder)), (BLIND, read_blind(folder))):
        asked = limited(phrases, request.limit)
        found, measured = _table(dataset, asked, request)
        samples += found
        rows += measured
    files = [folder / "phrases.csv", folder / "blind.jsonl"]
    notes = ["kind = language; class[…] = accuracy by class of phrase; rule grammar, no model"]
    if request.data is not None or os.environ.get(DATA_VARIABLE):
        snippets = tvq.run(request)
        samples += snippets.samples
        rows += snippets.rows
        files += snippets.files
        notes += snippets.notes
    return Outcome(samples, rows, files, notes)


def _table(dataset: str, phrases: Sequence[Phrase], request: Request) -> tuple[list[Sample], list[Row]]:
    samples: list[Sample] = []
    classes: dict[str, list[bool]] = {}
    exact = 0
    for number, phrase in enumerate(phrases, start=1):
        started = perf_counter()
        value = resolve(phrase.text, phrase.anchor, zone_of(phrase.zone), phrase.role, phrase.language)
        seconds = perf_counter() - started
        right = judged(phrase, value)
        exact += right and _bounds(phrase, value)
        classes.setdefault(phrase.kind, []).append(right)
        samples.append(_sample(dataset, SYSTEM, phrase, _shown(value), right, seconds))
        samples += _baseline(dataset, phrase)
        request.progress(f"{dataset}: phrases", number, len(phrases))
    rows = [share_row(dataset, "bounds_exact", exact, len(phrases))]
    rows += [share_row(dataset, f"class[{kind}]", sum(hits), len(hits)) for kind, hits in sorted(classes.items())]
    return samples, rows


def judged(phrase: Phrase, value: TimeSpan | Unparsed) -> bool:
    """Whether a value is what the phrase states."""
    if phrase.refused or isinstance(value, Unparsed):
        return phrase.refused and isinstance(value, Unparsed)
    return all(found is None if side is None else side.right(found)
               for side, found in ((phrase.start, value.start), (phrase.end, value.end)))


def _bounds(phrase: Phrase, value: TimeSpan | Unparsed) -> bool:
    return isinstance(value, Unparsed) or all(
        side is None or side.exact(found) for side, found in ((phrase.start, value.start), (phrase.end, value.end)))


def _shown(value: TimeSpan | Unparsed) -> tuple[str, ...]:
    if isinstance(value, Unparsed):
        return ()
    return tuple(f"{name} {bound.best}" for name, bound in (("start", value.start), ("end", value.end)) if bound)


def _gold(phrase: Phrase) -> tuple[str, ...]:
    return tuple(f"{name} {side.best if side.best is not None else f'{side.earliest} … {side.latest}'}"
                 for name, side in (("start", phrase.start), ("end", phrase.end)) if side)


def _sample(dataset: str, system: str, phrase: Phrase, predicted: tuple[str, ...], right: bool,
            seconds: float = 0.0) -> Sample:
    error = None if right else "wrong" if predicted else "empty"
    return Sample(dataset, system, phrase.id, phrase.language, f"{phrase.text} ({phrase.role})", _gold(phrase),
                  predicted, right, error, phrase.anchor, None, seconds, note=phrase.kind)


def _baseline(dataset: str, phrase: Phrase) -> Iterator[Sample]:
    from dateparser.date import DateDataParser  # type: ignore[import-untyped, unused-ignore]

    from workbench.model.time import in_zone, local_time

    zone = zone_of(phrase.zone)
    base = local_time(phrase.anchor, zone).to_datetime()
    assert base is not None
    settings = {"RELATIVE_BASE": base.replace(tzinfo=None), "PREFER_DATES_FROM": "past", "TIMEZONE": "UTC",
                "PREFER_DAY_OF_MONTH": "first", "PREFER_MONTH_OF_YEAR": "first", "RETURN_TIME_AS_PERIOD": True}
    found = DateDataParser(languages=[phrase.language], settings=settings).get_date_data(phrase.text)
    if found.date_obj is None:
        yield _sample(dataset, _BASELINE, phrase, (), phrase.refused)
        return
    at = found.date_obj
    clock = (at.hour, at.minute, at.second) if found.period == "time" else (0, 0, 0)
    best = in_zone(Instant.of(at.year, at.month, at.day, *clock), zone)
    right = phrase.end is None and phrase.start is not None and phrase.start.right(Bound.exact(best))
    yield _sample(dataset, _BASELINE, phrase, (f"start {best}",), right)
