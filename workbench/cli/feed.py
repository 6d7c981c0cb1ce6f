"""`workbench ingest`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from workbench.cli.common import json_option, print_json, progress_bar, store_option

if TYPE_CHECKING:
    from workbench.api import Workbench
    from workbench.ingest.seam import Extractor
    from workbench.model.episode import Episode

PROGRAMS = ("rules", "none")
MODEL_PROGRAMS = ("onepass", "staged", "checked", "onepass-model-dates")
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Model:
    """What `--lm` and the options beside it say."""

    lm: str | None = None
    lm_url: str | None = None
    calls: Path | None = None
    state: Path | None = None
    judge: bool = False
    max_calls: int | None = None
    max_tokens: int | None = None


def model_options(command: F) -> F:
    """--lm and what goes with it, handed over as one `Model` named `model`."""
    names = [field.name for field in fields(Model)]

    @wraps(command)
    def gathered(*args: Any, **given: Any) -> Any:
        return command(*args, model=Model(**{name: given.pop(name) for name in names}), **given)

    decorated: Any = gathered
    for option in reversed((
        click.option("--lm", help="The language model of the program: provider/model as LiteLLM names it with its key "
                     "in the environment, local:PATH (GGUF file or hub folder), canned:FILE."),
        click.option("--lm-url", help="An OpenAI-compatible server to ask instead of the provider."),
        click.option("--calls", type=click.Path(path_type=Path, dir_okay=False),
                     help="File that records every call; a recorded call is not repeated."),
        click.option("--state", type=click.Path(path_type=Path, dir_okay=False, exists=True),
                     help="JSON of an optimised program (`workbench optimize`)."),
        click.option("--judge", is_flag=True, help="Let the model judge whether a new value of an undeclared relation "
                     "ends an older one."),
        click.option("--max-calls", type=click.IntRange(min=0), help="Stop cleanly after so many calls."),
        click.option("--max-tokens", type=click.IntRange(min=0), help="Stop cleanly after so many tokens."),
    )):
        decorated = option(decorated)
    result: F = decorated
    return result


def program(name: str, model: Model = Model(), parallel: int = 1) -> Extractor | None:
    """The extraction program of that name.

    Raises:
        click.UsageError: it needs a model and none is named, or the reverse.
    """
    if name in MODEL_PROGRAMS:
        if model.lm is None:
            raise click.UsageError(f"the program {name} needs a language model: give --lm provider/model, "
                                   f"--lm local:PATH or --lm canned:FILE")
        from workbench.lm import Limits, open_model

        limits = Limits(parallel=parallel, calls=model.max_calls, tokens=model.max_tokens)
        lm = open_model(model.lm, url=model.lm_url, calls=model.calls, limits=limits)
        from workbench.ingest.programs.extractor import load_program

        return load_program(name, lm, model.state, judge=model.judge)
    if model != Model():
        raise click.UsageError(f"the program {name} uses no language model; choose one of "
                               f"{', '.join(MODEL_PROGRAMS)} with --program, or leave the model out")
    if name == "none":
        return None
    from workbench.ingest.rules import RuleExtractor

    return RuleExtractor()


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False,
                                                                  allow_dash=True))
@store_option
@click.option("--program", "name", type=click.Choice((*PROGRAMS, *MODEL_PROGRAMS)), default="rules",
              show_default=True, help="What extracts claims from text that comes without.")
@model_options
@click.option("--parallel", type=click.IntRange(1, 64), default=1, show_default=True,
              help="Episodes that are extracted at once, each with what the store knows before the first of them.")
@click.option("--schema", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="Relations in Turtle; for a new store, or put in force from here on.")
@click.option("--mapping", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="JSON that says how a table's row, or a record, becomes an episode with claims.")
@click.option("--force", is_flag=True, help="Take in what was erased before.")
@json_option
def ingest(files: tuple[Path, ...], store: Path, name: str, model: Model, parallel: int, schema: Path | None,
           mapping: Path | None, force: bool, as_json: bool) -> None:
    """Take episodes in from FILES: JSON Lines, text, Markdown, mail (.eml, .mbox), tables (.csv with --mapping).

    Each episode is written whole or not at all; running the command again goes on where it stopped.
    """
    from workbench.api import Workbench
    from workbench.ingest.formats import load_mapping

    declared = None
    if schema is not None:
        from workbench.graph.ontology import load_schema

        declared = load_schema(schema)
    rules = None if mapping is None else load_mapping(mapping)
    with Workbench.open(store, schema=declared, extractor=program(name, model, parallel)) as wb:
        applied = None if declared is None else wb.set_schema(declared)
        bad: list[dict[str, Any]] = []
        places: dict[str, dict[str, Any]] = {}
        with progress_bar("ingest", as_json) as advance:
            report = wb.ingest(_episodes(files, rules, bad, places), progress=advance, force=force,
                               parallel=parallel)
        wb.keep_index(create=True)
        placed = [{**_place(places, row["episode"]), **row} for row in report.failures]
        report.failures = bad + placed
        wb.keep_failures([str(file) for file in files], bad + _refused(wb, placed))
    row = {**vars(report), "seconds": round(report.seconds, 3), "schema_episode": applied.id if applied else None}
    if as_json:
        print_json(row)
    else:
        _tell(row)
    if report.failures or report.stopped:
        raise click.exceptions.Exit(1)


def _place(places: dict[str, dict[str, Any]], episode: str) -> dict[str, Any]:
    """File and line of an episode, or of the document that it is a version of."""
    return places.get(episode) or places.get(episode.rpartition("#")[0]) or {}


def _refused(wb: Workbench, failures: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of the failures those that left nothing in the store, by file and line."""
    stored = {(episode, reason) for episode, reasons in wb.graph.failures() for reason in json.loads(reasons)}
    return [{"file": row["file"], "line": row["line"], "reason": row["reason"]} for row in failures
            if "file" in row and (row["episode"], row["reason"]) not in stored]


def _episodes(files: tuple[Path, ...], mapping: dict[str, Any] | None, bad: list[dict[str, Any]],
              places: dict[str, dict[str, Any]]) -> Iterator[Episode]:
    """The episodes of the files; what is none goes to `bad`, where each stands to `places`."""
    from workbench.ingest.formats import read_file

    for file in files:
        for item in read_file(Path("/dev/stdin") if str(file) == "-" else file, mapping):
            if item.episode is None:
                bad.append({"file": str(file), "line": item.line, "reason": item.reason})
            else:
                places[item.episode.id] = {"file": str(file), "line": item.line}
                yield item.episode


def _tell(row: dict[str, Any]) -> None:
    click.echo(f"{row['episodes']} episodes taken in, {row['unchanged']} known already; {row['claims']} claims: "
               f"{row['added']} facts added, {row['closed']} closed, {row['supported']} supported, "
               f"{row['competing']} competing, {row['denied']} ends and denials ({row['seconds']} s)")
    if row["model_calls"]:
        click.echo(f"  {row['model_calls']} model calls, {row['tokens']} tokens")
    if row["stopped"]:
        click.echo(f"  stopped {row['stopped']}", err=True)
    for failure in row["failures"][:20]:
        where = f"{failure['file']}:{failure['line']}" if "file" in failure else f"episode {failure['episode']}"
        click.echo(f"  failed: {where}: {failure['reason']}", err=True)
    if len(row["failures"]) > 20:
        click.echo(f"  and {len(row['failures']) - 20} more; see `workbench store failed`", err=True)
    for note in row["notes"][:10]:
        click.echo(f"  note: {note}")
    if len(row["notes"]) > 10:
        click.echo(f"  and {len(row['notes']) - 10} more notes; --json shows all")
