"""Suites on labelled data, and the demonstration."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.common import json_option, print_json, print_table

if TYPE_CHECKING:
    from rich.console import Console

    from workbench.evaluate.records import Run
    from workbench.evaluate.suite import Comparison, Progress

RUNS = Path("runs")

out_option = click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=RUNS, show_default=True,
                          help="The folder of runs; each run has a folder of its own in it.")


@click.group(name="eval")
def eval_() -> None:
    """Run suites on labelled data, list, compare and report runs."""


@eval_.command(name="list")
@out_option
@json_option
def list_(out: Path, as_json: bool) -> None:
    """The suites there are, and the runs made so far."""
    from workbench.evaluate.suite import list_runs, suites

    made = list_runs(out)
    rows = [{"suite": name, "description": what, "runs": [
        {"run": run.run, "made_at": run.record.get("made_at"), "folder": str(run.folder),
         "arguments": run.record.get("arguments", {})} for run in made if run.suite == name]}
        for name, what in suites()]
    if as_json:
        print_json(rows)
        return
    print_table("suites", ["suite", "what it asks"], suites())
    if made:
        print_table(f"runs in {out}", ["run", "suite", "made at"],
                    [[run.run, run.suite, run.record.get("made_at")] for run in made])


@eval_.command()
@click.argument("suite")
@click.option("--data", type=click.Path(path_type=Path), help="Folder of the data sets, one folder each "
                                                              "(default: the environment's WORKBENCH_DATA).")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many questions a data set.")
@out_option
@click.option("--size", type=click.IntRange(min=1), help="Claims of the generated workload (suite speed).")
@click.option("--seed", type=int, default=0, show_default=True, help="Of anything random.")
@click.option("--program", "programs", multiple=True, metavar="NAME[@STATE.json]",
              help="An extraction program to measure beside the rules (suite extract), perhaps as `optimize` left it. "
                   "Give several to compare each with the first.")
@click.option("--lm", help="The language model that --program asks: provider/model, local:PATH or canned:FILE.")
@click.option("--lm-url", "url", help="An OpenAI-compatible server that has the model.")
@click.option("--calls", type=click.Path(path_type=Path, dir_okay=False),
              help="File that records every call; one that is killed goes on where it stopped.")
@click.option("--max-reply", "reply", type=click.IntRange(min=16), default=1024, show_default=True,
              help="Longest reply of the model in tokens.")
@json_option
def run(suite: str, data: Path | None, limit: int | None, out: Path, size: int | None, seed: int,
        programs: tuple[str, ...], lm: str | None, url: str | None, calls: Path | None, reply: int,
        as_json: bool) -> None:
    """Run SUITE, print its numbers and keep them, with every answer, in a folder below --out."""
    from workbench.evaluate.suite import Model, run_suite

    _writable(out)
    model = None if lm is None else Model(lm, url, calls, reply)
    with _progress() as progress:
        done = run_suite(suite, data=data, limit=limit, out=out, progress=progress, seed=seed, size=size,
                         programs=programs, model=model)
    if as_json:
        print_json(done.to_json())
        return
    _print_numbers(done)
    click.echo(f"written to {done.folder}; a page to read: workbench eval report {done.folder}")


@eval_.command()
@click.argument("first")
@click.argument("second")
@out_option
@json_option
def compare(first: str, second: str, out: Path, as_json: bool) -> None:
    """The numbers of two runs side by side, and the questions whose verdict changed. A run is an id or a folder."""
    from workbench.evaluate.suite import compare as compare_runs

    found = compare_runs(_read(first, out), _read(second, out))
    if as_json:
        print_json(_comparison(found))
        return
    print_table(f"{found.first.run} → {found.second.run}",
                ["data set", "system", "metric", "first", "second", "intervals apart"],
                [[d.dataset, d.system, d.metric, _number(d.first), _number(d.second),
                  {True: "yes", False: "no", None: ""}[d.apart]] for d in found.differences])
    print_table(f"{len(found.flipped)} questions with another verdict",
                ["data set", "system", "question", "gold", "first", "second", "now"],
                [[a.dataset, a.system, a.question, ", ".join(a.gold), ", ".join(a.predicted), ", ".join(b.predicted),
                  "right" if b.correct else "wrong"] for a, b in found.flipped])


@eval_.command()
@click.argument("run", metavar="RUN")
@click.option("--html", "target", type=click.Path(path_type=Path, dir_okay=False),
              help="Where to write the page (default: report.html in the run's folder).")
@out_option
@json_option
def report(run: str, target: Path | None, out: Path, as_json: bool) -> None:
    """Write a run (an id or a folder) as a page to read without a network; print its numbers and where it lies."""
    from workbench.evaluate.report import write_report

    found = _read(run, out)
    try:
        page = write_report(found, target)
    except OSError as error:
        raise click.UsageError(f"cannot write {error.filename}: {error.strerror}; give another --html") from error
    if as_json:
        print_json({**found.to_json(), "report": str(page)})
        return
    _print_numbers(found)
    click.echo(f"report: {page}")


@click.command()
@out_option
@json_option
def demo(out: Path, as_json: bool) -> None:
    """Real episodes become a graph, questions are answered from several vantages, a scorecard is printed."""
    from rich.console import Console

    from workbench.evaluate.demo import run_demo

    _writable(out)
    console = Console(stderr=as_json, quiet=as_json and not sys.stderr.isatty())
    done = run_demo(console, out)
    if as_json:
        print_json({**done.run.to_json(), "report": str(done.report), "failures": done.failures})
    if done.failures:
        raise click.exceptions.Exit(1)


def _writable(out: Path) -> None:
    """Found out before a suite runs for minutes, not after it."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe = out / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise click.UsageError(f"cannot write to {out}: {error.strerror}; give another --out") from error


def _read(run: str, out: Path) -> Run:
    """A run by its folder, or by its id in the folder of runs."""
    from workbench.evaluate.records import RUN_FILE, read_run

    named = out / run
    folder = named if (named / RUN_FILE).is_file() else Path(run)
    if not (folder / RUN_FILE).is_file():
        raise click.UsageError(f"no run {run!r} in {out} and no folder of that name with a {RUN_FILE}; "
                               f"`workbench eval list --out {out}` shows the runs there")
    return read_run(folder)


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """A bar on standard error, where a person is watching."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    with Bar(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
             console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, total: bar.update(task, description=escape(what), completed=done, total=total)


def _print_numbers(run: Run, console: Console | None = None) -> None:
    from rich.console import Console

    from workbench.evaluate.suite import details, scorecard

    screen = console or Console()
    for table in (scorecard(run), details(run)):
        if table.row_count:
            screen.print(table)


def _comparison(found: Comparison) -> dict[str, Any]:
    return {
        "suite": found.first.suite, "first": found.first.run, "second": found.second.run,
        "differences": [asdict(difference) for difference in found.differences],
        "flipped": [{"dataset": a.dataset, "system": a.system, "id": a.id, "kind": a.kind, "question": a.question,
                     "gold": list(a.gold), "first": list(a.predicted), "second": list(b.predicted),
                     "first_correct": a.correct, "second_correct": b.correct} for a, b in found.flipped],
    }


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"
