"""Suite `extract`: what an extraction program finds in labelled text, stage by stage.

Runs any `Extractor` over `datasets/assertions`, test split; the rule extractor by default, once with the names and
types of what the text mentions (as a store knows them after the first mention) and once without. A language model's
program is measured with `--program NAME --lm SETTING`, beside the rules and paired with them; of several programs each
is paired with the first, which is the baseline then. Each row says which program it is about: `system` is the program's
name, the fingerprint stands in the notes. With `--data`, text of others is read as it is (`extraction_others`), by the
rules alone. A limit takes episodes evenly from the whole.

`triple_f1` compares statements as sets, `triple_time_f1` also asks for both dates; intervals come from a bootstrap over
episodes, and over phrasings where the name says so. `triple_time_f1_gain` is the paired difference of a program to
another, over phrasings.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

import numpy as np

from workbench.evaluate import extraction_others
from workbench.evaluate.data import DATA_VARIABLE
from workbench.evaluate.extraction_data import FILE, Case, Contexts, assertions_path, read_cases, spread
from workbench.evaluate.extraction_scoring import Counts, Judged, by_phrasing, f1, f1_difference, judge
from workbench.evaluate.harness import share_row
from workbench.evaluate.records import Row, Sample
from workbench.evaluate.score import row_of
from workbench.evaluate.statistics import bootstrap_mean
from workbench.evaluate.suite import Model, Outcome, Request
from workbench.ingest.rules import RuleExtractor
from workbench.ingest.seam import Extractor
from workbench.model.claim import Claim
from workbench.model.errors import EpisodeError, UsageError

DATASET: Final = "assertions"
RULES: Final = "rules"
NAMELESS: Final = "rules (names unknown)"
_MAIN: Final = "triple_time_f1"


@dataclass(frozen=True)
class Measured:
    """A program on a set of cases.

    Attributes:
        system: the program's name.
        fingerprint: of the program, as facts would carry it.
        cases: what it read.
        claims: of each case.
        judged: for each case.
        dropped: for each case, what was drafted and does not count, with the reason.
        failed: ids of episodes that it gave up, with the reason; they count as having found nothing.
        seconds: for each case.
    """

    system: str
    fingerprint: str
    cases: Sequence[Case]
    claims: Sequence[Sequence[Claim]]
    judged: Sequence[Judged]
    dropped: Sequence[Sequence[str]]
    failed: Mapping[str, str]
    seconds: Sequence[float]

    @property
    def timed(self) -> list[Counts]:
        """Counts of statements with both dates right, by case."""
        return [one.timed for one in self.judged]


def measure(system: str, extractor: Extractor, cases: Sequence[Case], *, names: bool = True,
            progress: Callable[[int], None] = lambda done: None) -> Measured:
    """Run a program over labelled cases.

    Args:
        system: the name that its rows carry.
        extractor: the program.
        cases: labelled episodes.
        names: whether it is told the names and types of what the text mentions.
        progress: told how many cases are done.
    """
    contexts = Contexts(names=names)
    found: list[Sequence[Claim]] = []
    failed: dict[str, str] = {}
    seconds = []
    for number, case in enumerate(cases, start=1):
        started = perf_counter()
        try:
            found.append(extractor.extract(case.episode, contexts.of(case)))
        except EpisodeError as error:
            found.append(())
            failed[case.episode.id] = str(error)
        seconds.append(perf_counter() - started)
        progress(number)
    return Measured(system, extractor.fingerprint, cases, found,
                    [judge(case, claims, contexts.index) for case, claims in zip(cases, found, strict=True)],
                    [getattr(claims, "dropped", ()) for claims in found], failed, seconds)


def run(request: Request) -> Outcome:
    """The rules, the program asked for if there is one, and text of others if it is there."""
    folder = assertions_path()
    cases = spread(read_cases(folder, "test"), request.limit)
    measured = [measure(RULES, RuleExtractor(), cases, progress=_telling(request, RULES, len(cases))),
                measure(NAMELESS, RuleExtractor(), cases, names=False,
                        progress=_telling(request, NAMELESS, len(cases)))]
    asked = [(name, program(name, request.model)) for name in request.programs]
    measured += [measure(name, extractor, cases, progress=_telling(request, name, len(cases)))
                 for name, extractor in asked]
    rows = [row for one in measured for row in rows_of(one, request.seed)]
    rows += [gain(measured[0], one, request.seed) for one in measured[2:]]
    rows += [gain(measured[2], one, request.seed) for one in measured[3:]]
    notes = [f"system {one.system!r}: program {one.fingerprint}" for one in measured]
    notes += [f"model of the programs: {request.model.lm}, replies of at most {request.model.reply} tokens"
              ] if request.programs and request.model else []
    files = [folder / FILE]
    if request.data is not None or os.environ.get(DATA_VARIABLE):
        others = extraction_others.run(request, RuleExtractor(), RULES)
        rows += others.rows
        files += others.files
        notes += others.notes
    return Outcome([sample for one in measured for sample in samples_of(one)], rows, files, notes)


def program(given: str, model: Model | None) -> Extractor:
    """An extraction program over a language model.

    Args:
        given: its name, or `NAME@STATE.json` as `optimize` left it.
        model: whom it asks.

    Raises:
        UsageError: no model is named, or there is no such program or file.
    """
    name, _, state = given.partition("@")
    if model is None:
        raise UsageError(f"the program {name!r} asks a language model: name one with --lm "
                         "(provider/model, local:PATH, or canned:FILE)")
    from workbench.ingest.programs.extractor import load_program
    from workbench.lm import Limits, open_model

    opened = open_model(model.lm, url=model.url, calls=model.calls, limits=Limits(reply=model.reply))
    extractor: Extractor = load_program(name, opened, Path(state) if state else None)
    return extractor


def gain(first: Measured, second: Measured, seed: int = 0) -> Row:
    """How much better the second program is than the first on the same cases, in F1 of statements with time."""
    return row_of(DATASET, second.system, f"{_MAIN}_gain[over {first.system}]",
                  f1_difference(by_phrasing(first.cases, first.timed), by_phrasing(second.cases, second.timed), seed),
                  len(first.cases))


def rows_of(measured: Measured, seed: int = 0) -> list[Row]:
    """All numbers of a program."""
    return list(_rows(measured, seed))


def _rows(measured: Measured, seed: int) -> Iterator[Row]:
    judged, system = measured.judged, measured.system
    for metric, counts in (("triple", [one.triple for one in judged]), ("triple_time", measured.timed),
                           ("mention", [one.mentions for one in judged]), ("pair", [one.pairs for one in judged])):
        for part, estimate in zip(("precision", "recall", "f1"), f1(counts, seed), strict=True):
            yield row_of(DATASET, system, f"{metric}_{part}", estimate, len(counts))
    alike = by_phrasing(measured.cases, measured.timed)
    yield row_of(DATASET, system, f"{_MAIN}[by phrasing]", f1(alike, seed)[2], len(judged))
    yield from _by(measured, "language", lambda case: case.language, seed)
    yield from _by(measured, "kind", lambda case: case.kind, seed)
    yield _ratio(system, "relation_accuracy", [one.relations for one in judged])
    yield _ratio(system, "polarity_accuracy", [one.polarity for one in judged])
    yield _ratio(system, "date_accuracy", [share for one in judged for share in one.dates.values()])
    for kind in sorted({kind for one in judged for kind in one.dates}):
        yield _ratio(system, f"date_accuracy[{kind}]", [one.dates[kind] for one in judged if kind in one.dates])
    overlaps = [overlap for one in judged for overlap in one.overlaps]
    yield row_of(DATASET, system, "interval_iou", bootstrap_mean(overlaps, seed), len(overlaps))
    silent = [one for case, one in zip(measured.cases, judged, strict=True) if not case.gold]
    quiet = sum(not one.surplus for one in silent)
    yield share_row(DATASET, "nothing_said_nothing_claimed", quiet, len(silent), system)
    yield Row(DATASET, system, "failed", float(len(measured.failed)), len(measured.cases))
    yield Row(DATASET, system, "seconds_an_episode_p50", float(np.median(measured.seconds)), len(measured.cases))


def _by(measured: Measured, what: str, key: Callable[[Case], str], seed: int) -> Iterator[Row]:
    """F1 by language or kind, of those that state something."""
    for group in sorted({key(case) for case in measured.cases}):
        chosen = [one for case, one in zip(measured.cases, measured.judged, strict=True) if key(case) == group]
        if any(one.triple.right + one.triple.missed for one in chosen):
            for metric, counts in (("triple_f1", [one.triple for one in chosen]),
                                   (_MAIN, [one.timed for one in chosen])):
                yield row_of(DATASET, measured.system, f"{metric}[{what} {group}]", f1(counts, seed)[2], len(chosen))


def _ratio(system: str, metric: str, shares: Sequence[tuple[int, int]]) -> Row:
    return share_row(DATASET, metric, sum(right for right, _ in shares), sum(n for _, n in shares), system)


def samples_of(measured: Measured) -> Iterator[Sample]:
    """One sample an episode: right if it found all that is stated, with its dates, and nothing else."""
    for case, one, seconds in zip(measured.cases, measured.judged, measured.seconds, strict=True):
        whole = one.timed.wrong == one.timed.missed == 0
        gold = tuple(sorted(f"{item.subject} {item.relation} {item.object}" for item in case.gold))
        found = one.triple.right + one.triple.wrong
        note = "; ".join([*(f"missed: {item}" for item in one.missing), *(f"surplus: {item}" for item in one.surplus)])
        if not note and not whole:
            note = "dates"
        yield Sample(DATASET, measured.system, case.episode.id, case.kind, case.episode.text or "", gold,
                     (f"{found} claimed",) if found else (), whole,
                     None if whole else "wrong" if found else "empty", case.episode.observed_at, None, seconds,
                     (case.episode.id,), note)


def _telling(request: Request, system: str, total: int) -> Callable[[int], None]:
    return lambda done: request.progress(f"{DATASET}: {system}", done, total)


def mistakes(measured: Measured) -> Counter[str]:
    """How often each kind of phrasing went wrong, for a look at what to do next."""
    return Counter(case.kind for case, one in zip(measured.cases, measured.judged, strict=True)
                   if one.timed.wrong or one.timed.missed)

