"""Options and printing that commands share."""

from __future__ import annotations

import json as jsonlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from workbench.model.errors import TimeError

if TYPE_CHECKING:
    from workbench.api import Workbench
    from workbench.model.time import Instant

F = TypeVar("F", bound=Callable[..., Any])


class Moment(click.ParamType[Any]):
    """An ISO 8601 instant; without offset it is UTC; a date is its first instant."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Instant:
        """Read the argument."""
        from workbench.model.time import Instant

        if isinstance(value, Instant):
            return value
        try:
            return Instant.parse(str(value))
        except TimeError as error:
            self.fail(str(error), param, ctx)


MOMENT = Moment()


def store_option(command: F) -> F:
    """--store DIR."""
    return click.option("--store", "store", required=True, type=click.Path(path_type=Path, file_okay=False),
                        help="The store's folder.")(command)


def json_option(command: F) -> F:
    """--json."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def vantage_options(command: F) -> F:
    """--valid-at and --known-at."""
    command = click.option("--known-at", type=MOMENT, help="As believed at this instant (default: now).")(command)
    return click.option("--valid-at", type=MOMENT, help="What was true at this instant (default: now).")(command)


def dry_run_option(command: F) -> F:
    """--dry-run."""
    return click.option("--dry-run", is_flag=True, help="Show the effect, write nothing.")(command)


@contextmanager
def reading(store: Path) -> Iterator[Workbench]:
    """The store, to read. Nobody is kept from writing; what a crash left is caught up with in memory."""
    from workbench.api import Workbench

    with Workbench.open(store, read_only=True) as wb:
        yield wb


@contextmanager
def writing(store: Path, must_exist: bool = True) -> Iterator[Workbench]:
    """The store, to write.

    Raises:
        click.UsageError: there is none.
    """
    from workbench.api import Workbench

    if must_exist and not (store / "store.json").exists():
        raise click.UsageError(f"there is no store in {store}; make one with `workbench ingest`")
    with Workbench.open(store) as wb:
        yield wb


@contextmanager
def progress_bar(what: str, quiet: bool) -> Iterator[Callable[..., None] | None]:
    """A bar on standard error, if someone is looking: call it with (done) or (done, total)."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), TextColumn("{task.completed:,}"), TimeElapsedColumn(),
               TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total=None: bar.update(task, completed=done, total=total)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    click.echo(jsonlib.dumps(value, ensure_ascii=False, indent=2, default=str))


_WORD: Final = 12  # letters; a date with its dash is not broken


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """A table for people; nothing in it is read as markup."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", header_style="bold", padding=(0, 1, 0, 0), box=SIMPLE_HEAD)
    for number, column in enumerate(columns):
        words = [word for cell in (column, *(row[number] for row in rows)) for word in str(cell).split()]
        table.add_column(column, overflow="fold", min_width=min(_WORD, max(map(len, words), default=0)))
    for row in rows:
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    Console().print(table)


def print_facts(title: str, rows: Sequence[dict[str, Any]], extra: Sequence[str] = ()) -> None:
    """Facts as a table; intervals are `[from – to)`, `?` an unknown start, `…` an open end. Where all are settled there
    is no column for that."""
    plain = all(row["answer"] == "true" and row["status"] == "settled" for row in rows)

    def cells(row: dict[str, Any]) -> list[Any]:
        value = row["object"] if row["object"] is not None else row["value"]
        start = short(row["valid_from"]) or (f"? (by {short(row['valid_from_latest'])})" if row["valid_from_latest"]
                                             else "?")
        status = row["status"] if row["answer"] == "true" else row["answer"]
        return [row["subject"], row["relation"], value, f"{start} –\n{short(row['valid_to']) or '…'}",
                f"{short(row['known_from'])} –\n{short(row['known_to']) or '…'}", *([] if plain else [status]),
                ", ".join(row["episodes"]), *(row[name] for name in extra)]

    print_table(title, ["subject", "relation", "object", "valid", "known", *([] if plain else ["status"]), "episodes",
                        *(name.replace("_", " ") for name in extra)], [cells(row) for row in rows])


def short(instant: str | None) -> str:
    """An instant without what says nothing: midnight, seconds of zero, fractions."""
    text = "" if instant is None else instant.split(".")[0].removesuffix("Z")
    return text.removesuffix("T00:00:00").replace("T", " ").removesuffix(":00") if text else ""
