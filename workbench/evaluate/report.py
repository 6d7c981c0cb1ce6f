"""A run as one page to read: self-contained, without scripts, without a network."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from string import Template
from typing import Final

from workbench.evaluate.records import ERRORS, Row, Run, Sample
from workbench.evaluate.suite import figure
from workbench.model.errors import UsageError
from workbench.model.time import Instant

REPORT_FILE: Final = "report.html"
_SHOWN_MISTAKES: Final = 200


def write_report(run: Run, target: Path | None = None) -> Path:
    """Write a run's page, by default as `report.html` in the run's own folder; an older one is replaced.

    Raises:
        UsageError: the run has no folder and no target is given.
        OSError: the file cannot be written.
    """
    if target is None and run.folder is None:
        raise UsageError(f"run {run.run} was not written to a folder; say where its report goes")
    path = target if target is not None else Path(run.folder or ".") / REPORT_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(run), encoding="utf-8")
    return path


def page(run: Run) -> str:
    """The page's HTML."""
    record, version = run.record, run.record.get("versions", {}).get("temporal-context-workbench", "")
    template = Template(files("workbench.evaluate").joinpath("templates", REPORT_FILE).read_text("utf-8"))
    return template.substitute(
        title=escape(f"{run.suite} · {run.run}"), suite=escape(run.suite), run=escape(run.run),
        made_at=escape(str(record.get("made_at", "at an unknown time"))),
        seconds=escape(str(record.get("seconds", "?"))), version=escape(str(version)),
        notes="".join(f"<p>{escape(str(note))}</p>" for note in record.get("notes", ())),
        scores=_scores(run.rows), numbers=_numbers(run.rows), mistakes=_mistakes(run.samples),
        command=escape(_command(run)), record=escape(json.dumps(dict(record), ensure_ascii=False, indent=1)))


def _command(run: Run) -> str:
    given = run.record.get("arguments", {})
    options = [f"--{name} {given[name]}" for name in ("limit", "size", "seed") if given.get(name)]
    return " ".join(["workbench eval run", run.suite, *options])


def _scores(rows: Sequence[Row]) -> str:
    cells = {(row.dataset, row.system, row.metric): row for row in rows}
    lines = []
    for dataset, system in dict.fromkeys((row.dataset, row.system) for row in rows if row.metric == "accuracy"):
        accuracy = cells[dataset, system, "accuracy"]
        errors = [cells.get((dataset, system, f"error[{error}]")) for error in ERRORS]
        lines.append([_text(dataset), _text(system), _figure(str(accuracy.n)), _figure(_value(accuracy)),
                      _scale(accuracy), *(_figure("" if row is None else _value(row)) for row in errors)])
    return _table(["data set", "system", "n", "accuracy", "95%", *ERRORS], lines)


def _numbers(rows: Sequence[Row]) -> str:
    return _table(["data set", "system", "metric", "value", "low", "high", "n", "unscored"], [
        [_text(row.dataset), _text(row.system), _text(row.metric), _figure(_value(row)), _figure(_short(row.low)),
         _figure(_short(row.high)), _figure(str(row.n)), _figure(str(row.unscored or ""))] for row in rows])


def _mistakes(samples: Sequence[Sample]) -> str:
    wrong = sorted((sample for sample in samples if sample.correct is False), key=_group)
    return "".join(_mistakes_of(*group, list(found)) for group, found in groupby(wrong, key=_group)) or (
        '<p class="dim">No question was answered wrongly, or this suite asks none.</p>')


def _group(sample: Sample) -> tuple[str, str]:
    return sample.dataset, sample.system


def _mistakes_of(dataset: str, system: str, wrong: Sequence[Sample]) -> str:
    lines = [[_text(sample.question), _text(_day(sample.valid_at)), _text(_day(sample.known_at)),
              _text(", ".join(sample.gold) or "no answer"), _text(", ".join(sample.predicted) or "no answer"),
              _text(sample.error or ""), _text(", ".join(sample.evidence[:5]))] for sample in wrong[:_SHOWN_MISTAKES]]
    more = f", the first {_SHOWN_MISTAKES} shown" if len(wrong) > _SHOWN_MISTAKES else ""
    table = _table(["question", "true on", "as known on", "right", "answered", "error", "evidence"], lines)
    return (f"<details><summary>{escape(dataset)} · {escape(system)}: {len(wrong)} questions{more}</summary>"
            f'<div class="scroll">{table}</div></details>')


def _table(headings: Iterable[str], lines: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "\n".join(f"<tr>{''.join(line)}</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _text(content: str) -> str:
    return f"<td>{escape(content)}</td>"


def _figure(content: str) -> str:
    return f'<td class="n">{escape(content)}</td>'


def _scale(row: Row) -> str:
    return f'<td><div class="scale">{"".join(_marks(row))}</div></td>'


def _marks(row: Row) -> Iterator[str]:
    if row.low is not None and row.high is not None:
        yield f'<i style="left:{row.low:.1%};width:{row.high - row.low:.1%}"></i>'
    if row.value is not None:
        yield f'<b style="left:calc({row.value:.1%} - 1px)"></b>'


def _value(row: Row) -> str:
    return _short(row.value) or "–"


def _short(value: float | None) -> str:
    return "" if value is None else figure(value)


def _day(at: Instant | None) -> str:
    return "" if at is None else at.iso()[:10]
