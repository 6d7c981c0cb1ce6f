"""The numbers that a suite must reach, from its file under `evals/`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench.evaluate.harness import SYSTEM
from workbench.evaluate.records import Run
from workbench.model.errors import UsageError


@dataclass(frozen=True, slots=True)
class Expectation:
    """A bound on one number; rows that a run does not have are not looked at."""

    dataset: str
    metric: str
    system: str = SYSTEM
    at_least: float | None = None
    at_most: float | None = None


@dataclass(frozen=True)
class SuiteFile:
    """One file under `evals/`, see the README there."""

    suite: str
    data: tuple[str, ...]
    licence: str
    expect: tuple[Expectation, ...]


def read_suite_file(path: Path) -> SuiteFile:
    """Read a suite's file.

    Raises:
        UsageError: it is not there or not such a file; the message says what is wrong.
    """
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
        expect = tuple(Expectation(**row) for row in given.get("expect", []))
        return SuiteFile(given["suite"], tuple(given["data"]), given["licence"], expect)
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise UsageError(f"{path}: not a suite file ({error}); see evals/README.md") from error


def misses(run: Run, expected: SuiteFile) -> Iterator[str]:
    """What the run falls short of, one sentence each."""
    rows = {(row.dataset, row.system, row.metric): row for row in run.rows}
    for item in expected.expect:
        row = rows.get((item.dataset, item.system, item.metric))
        if row is None or row.value is None:
            continue
        if item.at_least is not None and row.value < item.at_least:
            yield f"{item.dataset} {item.system} {item.metric}: {row.value:.4f} is below {item.at_least}"
        if item.at_most is not None and row.value > item.at_most:
            yield f"{item.dataset} {item.system} {item.metric}: {row.value:.4f} is above {item.at_most}"
