"""The demonstration behind `make demo`: notes become a graph, questions are answered from several vantages."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from workbench.evaluate.data import ReplayClock, officeholders_path
from workbench.evaluate.harness import SYSTEM
from workbench.evaluate.officeholders import read_episodes, texts
from workbench.evaluate.records import RUN_FILE, SAMPLES_FILE, Run
from workbench.evaluate.report import write_report
from workbench.evaluate.suite import run_suite, scorecard
from workbench.ingest.rules.extractor import RuleExtractor
from workbench.model.fact import Fact
from workbench.model.time import DAY, Instant

if TYPE_CHECKING:
    from workbench.api import Workbench


@dataclass(frozen=True, slots=True)
class Scene:
    """One question asked from several vantages, and what to look for."""

    question: str
    relation: str
    object: str
    vantages: tuple[tuple[str, str], ...]
    point: str


SCENES: Final = (
    Scene("Who was Chancellor of Germany on 15 March 2025?", "primeMinisterOf", "Germany",
          (("2025-03-15", "2025-02-25"), ("2025-03-15", "2025-03-01"), ("2025-03-15", "2025-09-01")),
          "A note was wrong, and was retracted a day later. What was believed in between stays on record."),
    Scene("Who was President of Germany on 15 June 2010?", "presidentOf", "Germany",
          (("2010-06-15", "2021-06-01"), ("2010-06-15", "2022-06-01")),
          "A last day was corrected: from then on the office is known to have been vacant, so there is no answer."),
    Scene("Who leads NATO on 1 December 2024?", "headOf", "NATO",
          (("2024-12-01", "2024-06-01"), ("2024-12-01", "2024-07-15")),
          "An announced change counts from the day it was announced, for the time after it takes effect."),
    Scene("Who was President of the United States?", "presidentOf", "United States",
          (("2018-07-01", "2025-09-01"), ("2022-07-01", "2025-09-01"), ("2025-07-01", "2025-09-01")),
          "The same fact, true again later, keeps an interval of its own."),
)


@dataclass(frozen=True, slots=True)
class Demonstration:
    """What the demonstration left.

    Attributes:
        run: of the suite behind the scorecard.
        report: the page written about it.
        failures: how many notes or claims could not be taken in.
    """

    run: Run
    report: Path
    failures: int


def run_demo(console: Console, out: Path) -> Demonstration:
    """Take in the project's own notes, answer questions from several vantages, print a scorecard.

    Args:
        console: where to print.
        out: folder of runs; the run gets a folder of its own in it.

    Raises:
        UsageError: the project's own data set is missing.
    """
    from workbench.api import Workbench

    folder = officeholders_path()
    episodes = read_episodes(folder)
    last = max(episode.recorded_at for episode in episodes if episode.recorded_at is not None)
    console.rule("[bold]1 · Notes become a bitemporal graph")
    console.print(f"{len(episodes)} notes about public offices (from {folder}): cards, mails, wire reports; two thirds "
                  "with ready claims, one third plain text for the rule extractor. No key, no model, no network.\n",
                  highlight=False)
    with tempfile.TemporaryDirectory() as temporary:
        store = Path(temporary) / "store"
        with Workbench.open(store, clock=ReplayClock(last.plus(DAY)), extractor=RuleExtractor()) as bench:
            with _bar(console) as bar:
                task = bar.add_task("notes", total=len(episodes))
                report = bench.ingest(episodes, progress=lambda done: bar.update(task, completed=done))
            console.print(f"{report.episodes} notes · {report.claims} claims · {report.added} facts added · "
                          f"{report.closed} closed · {report.supported} supported · {report.competing} competing · "
                          f"{len(report.failures)} failures\n")
            console.rule("[bold]2 · Questions, answered from a point in time")
            said = texts(folder)
            for scene in SCENES:
                _show(console, bench, scene, said)
    console.rule("[bold]3 · Scorecard")
    with _bar(console) as bar:
        task = bar.add_task("questions", total=None)
        run = run_suite("officeholders", out=out, progress=lambda what, done, total: bar.update(
            task, description=escape(what), completed=done, total=total))
    console.print(scorecard(run))
    console.print(f"{_speed(run)}\nBaselines keep only the latest value, only validity, or only the order of arrival.\n"
                  "The other suites need data from outside: workbench eval list, workbench eval run SUITE --data DIR\n")
    page = write_report(run)
    console.print(f"Report: {page}\nNumbers: {page.with_name(RUN_FILE)}\nSamples: {page.with_name(SAMPLES_FILE)}",
                  soft_wrap=True, highlight=False)
    return Demonstration(run, page, len(report.failures))


def _bar(console: Console) -> Progress:
    return Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
                    console=console)


def _speed(run: Run) -> str:
    found = {row.metric: row.value for row in run.rows if row.system == SYSTEM}
    return f"A question took {found['p50_ms']:.2f} ms (p50), {found['p95_ms']:.2f} ms (p95)."


def _show(console: Console, bench: Workbench, scene: Scene, said: dict[str, str]) -> None:
    console.print(f"\n[bold]{escape(scene.question)}[/bold]\n[dim]{escape(scene.point)}[/dim]")
    for valid, known in scene.vantages:
        facts = list(bench.facts(None, scene.relation, scene.object, valid_at=_noon(valid), known_at=_noon(known)))
        answer = ", ".join(fact.subject for fact in facts) or "nobody, as far as was known"
        console.print(f"  true on {valid}, as known on {known}:  [bold green]{escape(answer)}[/bold green]",
                      highlight=False)
        for fact in facts:
            console.print(f"[dim]    in office {_span(fact.valid_from, fact.valid_to)}, "
                          f"believed {_span(fact.known_from, fact.known_to)}[/dim]", highlight=False)
            for line in _evidence(fact, said):
                console.print(Padding(Text(line, "dim"), (0, 0, 0, 4)))


def _noon(day: str) -> Instant:
    return Instant.parse(day).plus(DAY // 2)


def _span(start: Instant | None, end: Instant | None) -> str:
    return f"{'…' if start is None else start.iso()[:10]} → {'…' if end is None else end.iso()[:10]}"


def _evidence(fact: Fact, said: dict[str, str]) -> list[str]:
    lines = [f"{episode}: “{said.get(episode, '')}”" for episode in fact.episodes]
    return [*lines[:2], *([f"(and {len(lines) - 2} more)"] if len(lines) > 2 else [])]
