"""What a run leaves behind: one sample per question and system, one row per number, one folder per run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import polars as pl

from workbench.model.errors import UsageError
from workbench.model.time import Instant

RUN_FILE: Final = "run.json"
SAMPLES_FILE: Final = "samples.parquet"
ERRORS: Final = ("stale", "anachronistic", "leak", "wrong", "empty")


@dataclass(frozen=True, slots=True)
class Row:
    """One number of a run.

    Attributes:
        dataset: which data set.
        system: what was measured: `workbench`, or the name of a baseline.
        metric: what was measured about it; a question type in brackets narrows it (`accuracy[as_of_known]`).
        value: the number, or None where there is nothing to score.
        n: how many samples it rests on.
        unscored: how many samples of that kind could not be scored; they are not counted in `n`.
        low, high: the 95% interval, both ends included, or None.
    """

    dataset: str
    system: str
    metric: str
    value: float | None
    n: int
    unscored: int = 0
    low: float | None = None
    high: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The row as it stands in `eval run … --json`."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Sample:
    """What one system did with one question.

    Attributes:
        dataset, system, id: which question, asked of whom.
        kind: the question's type, as the data set names it.
        question: its words.
        valid_at, known_at: the vantage it was asked from; None = now / everything known.
        gold: the right answers, sorted; empty for an unanswerable question.
        predicted: what the system answered, sorted; empty if it abstained.
        correct: None if not scored (then `note` says why).
        error: why it is wrong (`stale`, `anachronistic`, `leak`, `wrong`, `empty`), or None.
        seconds: how long the query took; 0 where it was not measured.
        evidence: ids of the episodes behind the answer.
        note: how the answer was found, or why it is not scored.
    """

    dataset: str
    system: str
    id: str
    kind: str
    question: str
    gold: tuple[str, ...]
    predicted: tuple[str, ...]
    correct: bool | None
    error: str | None = None
    valid_at: Instant | None = None
    known_at: Instant | None = None
    seconds: float = 0.0
    evidence: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Run:
    """A finished run.

    Attributes:
        suite: the suite's name.
        run: the run's id; also the name of its folder.
        rows: the numbers.
        samples: what they rest on.
        record: what is needed to do it again: arguments, fingerprints of the data, versions, seconds.
        folder: where it was written, or None.
    """

    suite: str
    run: str
    rows: tuple[Row, ...]
    samples: tuple[Sample, ...] = ()
    record: Mapping[str, Any] = field(default_factory=dict)
    folder: Path | None = None

    def to_json(self) -> dict[str, Any]:
        """The object that `eval run … --json` prints."""
        return {"suite": self.suite, "run": self.run, "rows": [row.to_json() for row in self.rows]}


def write_run(run: Run, folder: Path) -> Path:
    """Write `run.json` and `samples.parquet` into a new folder.

    Raises:
        UsageError: the folder exists already.
    """
    try:
        folder.mkdir(parents=True)
    except FileExistsError as error:
        raise UsageError(f"{folder} exists already; give another --out or remove it") from error
    samples_frame(run.samples).write_parquet(folder / SAMPLES_FILE)
    text = json.dumps({**run.to_json(), "record": dict(run.record)}, ensure_ascii=False, indent=1)
    (folder / RUN_FILE).write_text(text + "\n", encoding="utf-8")
    return folder


def read_run(folder: Path) -> Run:
    """Read a run's folder back, samples included.

    Raises:
        UsageError: there is no run in that folder.
    """
    path = folder / RUN_FILE
    if not path.is_file():
        raise UsageError(f"{path} is not there; give the folder of a run, as `eval list` prints it")
    stored = json.loads(path.read_text(encoding="utf-8"))
    rows = tuple(Row(**row) for row in stored["rows"])
    samples: tuple[Sample, ...] = ()
    if (folder / SAMPLES_FILE).is_file():
        samples = tuple(_sample(row) for row in pl.read_parquet(folder / SAMPLES_FILE).iter_rows(named=True))
    return Run(stored["suite"], stored["run"], rows, samples, stored.get("record", {}), folder)


_SCHEMA: Final[Mapping[str, Any]] = {
    "dataset": pl.String, "system": pl.String, "id": pl.String, "kind": pl.String, "question": pl.String,
    "gold": pl.List(pl.String), "predicted": pl.List(pl.String), "correct": pl.Boolean, "error": pl.String,
    "valid_at": pl.Int64, "known_at": pl.Int64, "seconds": pl.Float64, "evidence": pl.List(pl.String),
    "note": pl.String,
}


def samples_frame(samples: Sequence[Sample]) -> pl.DataFrame:
    """One row a sample; instants as whole microseconds since 1970 in UTC, because years reach beyond datetime."""
    columns = {
        name: [int(value) if isinstance(value := getattr(sample, name), Instant)
               else list(value) if isinstance(value, tuple) else value for sample in samples]
        for name in _SCHEMA
    }
    return pl.DataFrame(columns, schema=_SCHEMA)


def _sample(row: Mapping[str, Any]) -> Sample:
    lists = {name: tuple(row[name]) for name in ("gold", "predicted", "evidence")}
    instants = {name: None if row[name] is None else Instant(row[name]) for name in ("valid_at", "known_at")}
    return Sample(**{**row, **lists, **instants})
