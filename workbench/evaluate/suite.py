"""Suites by name: run one, find runs again, compare two, print a scorecard."""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from workbench.evaluate.data import fingerprint
from workbench.evaluate.records import RUN_FILE, Row, Run, Sample, read_run, write_run
from workbench.evaluate.score import score
from workbench.model.clock import Clock, SystemClock
from workbench.model.errors import UsageError

Progress = Callable[[str, int, int], None]
"""Told `(what, done, total)` while a suite runs."""


@dataclass(frozen=True)
class Model:
    """A language model that a suite asks.

    Attributes:
        lm: its setting, as `workbench.lm.open_model` reads it.
        url: an OpenAI-compatible server that has it.
        calls: the file that records every call; what it holds is not asked again.
        reply: longest reply in tokens, the same for every program.
    """

    lm: str
    url: str | None = None
    calls: Path | None = None
    reply: int = 1024


@dataclass(frozen=True)
class Request:
    """What a suite is asked to do.

    Attributes:
        data: folder of the data sets, or None for `WORKBENCH_DATA`.
        limit: at most so many questions a data set, the first ones; None = all.
        progress: told what is done.
        seed: of anything random.
        size: how many claims a generated workload has; None = the suite's default.
        programs: of suite `extract`: extraction programs by name, `NAME@STATE.json` for an optimised one.
        model: the language model that they ask.
    """

    data: Path | None = None
    limit: int | None = None
    progress: Progress = lambda what, done, total: None
    seed: int = 0
    size: int | None = None
    programs: Sequence[str] = ()
    model: Model | None = None


@dataclass(frozen=True)
class Outcome:
    """What a suite found.

    Attributes:
        samples: one for each question and system.
        rows: numbers that do not follow from the samples (coverage, failures, speed).
        files: the files that were read.
        notes: what a reader must know about the numbers; written into the record.
    """

    samples: Sequence[Sample]
    rows: Sequence[Row] = ()
    files: Sequence[Path] = ()
    notes: Sequence[str] = ()


SuiteProgram = Callable[[Request], Outcome]

_SUITES: Final[dict[str, tuple[str, str]]] = {
    "githistory": ("workbench.evaluate.githistory", "Who held what, as recorded when: two git histories"),
    "tempreason": ("workbench.evaluate.tempreason", "As-of and before/after over stated intervals"),
    "unseentimeqa": ("workbench.evaluate.unseentimeqa", "Where is the package, from an event log"),
    "factconsolidation": ("workbench.evaluate.factconsolidation",
                          "Superseded facts in a controlled language, one to four hops"),
    "officeholders": ("workbench.evaluate.officeholders", "The project's own data: offices, two clocks, texts"),
    "retrieve": ("workbench.evaluate.retrieval", "Evidence among the first k: arms alone, together, beside plain BM25"),
    "retrieve-speed": ("workbench.evaluate.retrieval_speed", "Search beside one by hand, and what routing saves"),
    "qa-structured": ("workbench.evaluate.inwords", "Questions in words, answered without a model or not at all"),
    "dates": ("workbench.evaluate.dates", "Time phrases in seven languages, and snippets with their time span"),
    "extract": ("workbench.evaluate.extraction", "What an extractor finds in labelled text: claims, dates, stages"),
    "speed": ("workbench.evaluate.speed", "Writes and reads against raw engines and a hand-written SQLite table"),
}


def suites() -> list[tuple[str, str]]:
    """(name, description) of every suite, sorted by name."""
    return sorted((name, description) for name, (_, description) in _SUITES.items())


def run_suite(name: str, data: Path | None = None, limit: int | None = None, out: Path | None = None,
              progress: Progress | None = None, *, clock: Clock | None = None, seed: int = 0,
              size: int | None = None, programs: Sequence[str] = (), model: Model | None = None) -> Run:
    """Run a suite.

    Args:
        name: one of `suites()`.
        data: folder of the data sets; None = the environment's `WORKBENCH_DATA`.
        limit: at most so many questions a data set.
        out: folder of all runs; the run gets a folder of its own there. None = nothing is written.
        progress: told `(what, done, total)`.
        clock: only for the record of when the run was made.
        seed: of anything random.
        size: how many claims a generated workload has (suite `speed`).
        programs: extraction programs to measure (suite `extract`); `NAME@STATE.json` is an optimised one.
        model: the language model that they ask.

    Raises:
        UsageError: no such suite, or its data is not there.
    """
    if name not in _SUITES:
        raise UsageError(f"no suite {name!r}; there are {', '.join(known for known, _ in suites())}")
    chosen: SuiteProgram = import_module(_SUITES[name][0]).run
    request = Request(data, limit, progress or (lambda what, done, total: None), seed, size, programs, model)
    started = perf_counter()
    outcome = chosen(request)
    rows = (*score(outcome.samples), *outcome.rows)
    record: dict[str, Any] = {
        "arguments": {"suite": name, "limit": limit, "seed": seed, "size": size,
                      **({"programs": list(programs)} if programs else {}),
                      **({"lm": model.lm, "reply": model.reply} if model else {})},
        "files": {f"{path.parent.name}/{path.name}": fingerprint(path) for path in outcome.files},
        "notes": list(outcome.notes),
        "made_at": (clock or SystemClock()).now().iso(),
        "seconds": round(perf_counter() - started, 3),
        "versions": _versions(),
        "revision": _revision(),
    }
    if out is None:
        return Run(name, _run_id(name, record, None), rows, tuple(outcome.samples), record)
    run = Run(name, _run_id(name, record, out), rows, tuple(outcome.samples), record, None)
    folder = write_run(run, out / run.run)
    return Run(run.suite, run.run, run.rows, run.samples, run.record, folder)


def _run_id(name: str, record: dict[str, Any], out: Path | None) -> str:
    """Suite, what was asked of which data with which code, and a number that makes it unique in its folder."""
    asked = {key: record[key] for key in ("arguments", "files", "versions", "revision")}
    stem = f"{name}-{hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:8]}"
    number = 1
    while out is not None and (out / f"{stem}-{number}").exists():
        number += 1
    return f"{stem}-{number}"


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in ("temporal-context-workbench", "pyoxigraph", "polars", "numpy"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def _revision() -> str | None:
    try:
        done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True,
                              check=False, timeout=5)
    except OSError:
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None


def list_runs(out: Path) -> list[Run]:
    """The runs under a folder, in the order in which they were made."""
    folders = sorted(path.parent for path in out.glob(f"*/{RUN_FILE}")) if out.is_dir() else []
    return sorted((read_run(folder) for folder in folders), key=lambda run: (run.record.get("made_at", ""), run.run))


@dataclass(frozen=True, slots=True)
class Difference:
    """One number of two runs. `apart` is True where their 95% intervals do not touch, None where they have none."""

    dataset: str
    system: str
    metric: str
    first: float | None
    second: float | None
    apart: bool | None


@dataclass(frozen=True)
class Comparison:
    """Two runs side by side: numbers, and the samples whose verdict flipped, losses first."""

    first: Run
    second: Run
    differences: tuple[Difference, ...]
    flipped: tuple[tuple[Sample, Sample], ...]


def compare(first: Run, second: Run) -> Comparison:
    """Compare the numbers that both runs have, and the questions that both scored.

    Raises:
        UsageError: the runs are of different suites.
    """
    if first.suite != second.suite:
        raise UsageError(f"{first.run} is a run of {first.suite}, {second.run} of {second.suite}; "
                         "compare like with like")
    others = {(row.dataset, row.system, row.metric): row for row in second.rows}
    differences = tuple(_difference(row, others[key]) for row in first.rows
                        if (key := (row.dataset, row.system, row.metric)) in others)
    flipped = sorted(_flips(first, second), key=lambda pair: not pair[0].correct)
    return Comparison(first, second, differences, tuple(flipped))


def _difference(row: Row, other: Row) -> Difference:
    apart = None
    if None not in (row.low, row.high, other.low, other.high):
        apart = row.high < other.low or other.high < row.low  # type: ignore[operator]
    return Difference(row.dataset, row.system, row.metric, row.value, other.value, apart)


def _flips(first: Run, second: Run) -> Iterator[tuple[Sample, Sample]]:
    after = {(sample.dataset, sample.system, sample.id): sample for sample in second.samples}
    for sample in first.samples:
        other = after.get((sample.dataset, sample.system, sample.id))
        if other is not None and None not in (sample.correct, other.correct) and sample.correct != other.correct:
            yield sample, other


_SHOWN: Final = ("error[stale]", "error[anachronistic]", "error[leak]", "error[wrong]", "error[empty]",
                 "abstention_accuracy")


def scorecard(run: Run) -> Table:
    """The numbers of a run as a table, a line a system and data set, narrow enough for a terminal of 80 columns."""
    groups = list(dict.fromkeys((row.dataset, row.system) for row in run.rows if row.metric == "accuracy"))
    table = Table(title=f"{run.suite} · {run.run}", title_justify="left", box=SIMPLE_HEAD, padding=0)
    several = len({dataset for dataset, _ in groups}) > 1
    for heading in (*(("data set",) if several else ()), "system"):
        table.add_column(heading, min_width=15)
    for heading in ("n", "right", "95%", "stale", "anachr.", "leak", "wrong", "empty", "abst."):
        table.add_column(heading, justify="right", no_wrap=True)
    cells = {(row.dataset, row.system, row.metric): row for row in run.rows}
    for dataset, system in groups:
        accuracy = cells[dataset, system, "accuracy"]
        table.add_row(*((dataset,) if several else ()), system, str(accuracy.n), _number(accuracy),
                      _interval(accuracy, 2), *(_number(cells.get((dataset, system, metric))) for metric in _SHOWN))
    return table


def details(run: Run) -> Table:
    """Every number that `scorecard` leaves out, one a line."""
    table = Table(title="details", title_justify="left", box=SIMPLE_HEAD, padding=0)
    rows = [row for row in run.rows if row.metric not in ("accuracy", *_SHOWN)]
    several = len({row.dataset for row in rows}) > 1
    for heading in (*(("data set",) if several else ()), "system"):
        table.add_column(heading, min_width=10)
    table.add_column("metric", overflow="fold")
    for heading in ("value", "95%", "n (+unscored)"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*((row.dataset,) if several else ()), row.system, escape(row.metric), _number(row),
                      _interval(row), f"{row.n} (+{row.unscored})" if row.unscored else str(row.n))
    return table


def _number(row: Row | None) -> str:
    return "" if row is None else "–" if row.value is None else figure(row.value)


def _interval(row: Row, places: int = 3) -> str:
    return "" if row.low is None or row.high is None else f"{figure(row.low, places)}–{figure(row.high, places)}"


def figure(value: float, places: int = 3) -> str:
    """A number for people; no places from a thousand on."""
    return f"{value:.{places}f}" if abs(value) < 1000 else f"{value:,.0f}"
