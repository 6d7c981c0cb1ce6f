"""The demonstration behind `make demo`: notes become a graph, questions are answered from several vantages."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from workbench.evaluate.data import ReplayClock, officeholders_path
from workbench.evaluate.officeholders import read_episodes, texts
from workbench.evaluate.records import RUN_FILE, SAMPLES_FILE
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


def run_demo(console: Console, out: Path) -> int:
    """Take in the project's own notes, answer questions from several vantages, print a scorecard.

    Args:
        console: where to print.
        out: folder of runs; the run gets a folder of its own in it.

    Returns:
        0, or 1 if a note could not be taken in.
    """
    from workbench.api import Workbench

    folder = officeholders_path()
    episodes = read_episodes(folder)
    last = max(episode.recorded_at for episode in episodes if episode.recorded_at is not None)
    console.rule("[bold]1 · Notes become a bitemporal graph")
    console.print(f"{len(episodes)} notes about public offices from {folder}: cards, mails and wire reports,\n"
                  "two thirds with ready claims, one third plain text for the rule extractor. No key, no model, no "
                  "network.\n")
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
    console.print("Baselines keep only the latest value, only validity, or only the order of arrival.\n"
                  "The other suites need data from outside: workbench eval list, workbench eval run SUITE --data DIR\n")
    if run.folder is not None:
        console.print(f"Report: {run.folder / RUN_FILE}\nSamples: {run.folder / SAMPLES_FILE}", soft_wrap=True)
    return int(bool(report.failures))


def _bar(console: Console) -> Progress:
    return Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
                    console=console)


def _show(console: Console, bench: Workbench, scene: Scene, said: dict[str, str]) -> None:
    table = Table(title=escape(scene.question), title_justify="left", caption=escape(scene.point),
                  caption_justify="left", show_lines=True)
    for heading, width in (("true on", 10), ("as known on", 11), ("answer", 22), ("in office", 24), ("believed", 24)):
        table.add_column(heading, min_width=width if width < 20 else None)
    table.add_column("evidence", ratio=1)
    for valid, known in scene.vantages:
        facts = list(bench.facts(None, scene.relation, scene.object, valid_at=_noon(valid), known_at=_noon(known)))
        if not facts:
            table.add_row(valid, known, "[dim]no answer: nobody known[/dim]", "", "", "")
        for fact in facts:
            table.add_row(valid, known, f"[bold]{escape(fact.subject)}[/bold]", _span(fact.valid_from, fact.valid_to),
                          _span(fact.known_from, fact.known_to), _evidence(fact, said))
    console.print(table, "")


def _noon(day: str) -> Instant:
    return Instant.parse(day).plus(DAY // 2)


def _span(start: Instant | None, end: Instant | None) -> str:
    return f"{'…' if start is None else start.iso()[:10]} → {'…' if end is None else end.iso()[:10]}"


def _evidence(fact: Fact, said: dict[str, str]) -> str:
    lines: Sequence[str] = [f"{episode}: “{said.get(episode, '')}”" for episode in fact.episodes]
    more = f"\n(and {len(lines) - 2} more)" if len(lines) > 2 else ""
    return escape("\n".join(lines[:2]) + more)
