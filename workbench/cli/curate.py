"""Commands that change belief, each as an episode of its own; and erasure."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.common import dry_run_option, json_option, print_json, print_table, reading, store_option, writing
from workbench.cli.feed import MODEL_PROGRAMS, Model, model_options, program

if TYPE_CHECKING:
    from workbench.ingest.pipeline import Curated


def _show(done: Curated, as_json: bool) -> None:
    if as_json:
        print_json({"episode": done.id, **{k: v for k, v in asdict(done).items() if k != "id"}})
        return
    click.echo(f"{'would be episode' if done.dry_run else 'episode'} {done.id}")
    for line in done.closes:
        click.echo(f"  closes {line}")
    for line in done.adds:
        click.echo(f"  adds   {line}")
    for line in done.failures:
        click.echo(f"  note   {line}")
    if done.model_calls:
        click.echo(f"  {done.model_calls} model calls, {done.tokens} tokens")


@click.command()
@click.argument("episode")
@store_option
@dry_run_option
@json_option
def retract(episode: str, store: Path, dry_run: bool, as_json: bool) -> None:
    """From now on as if EPISODE had never been said; past belief stays. Undoes a curation episode too."""
    with writing(store) as wb:
        _show(wb.retract(episode, dry_run=dry_run), as_json)


@click.command()
@click.argument("first")
@click.argument("second")
@store_option
@dry_run_option
@json_option
def merge(first: str, second: str, store: Path, dry_run: bool, as_json: bool) -> None:
    """SECOND counts as FIRST from now on. `unmerge` takes it back."""
    with writing(store) as wb:
        _show(wb.curate("merge", entities=[first, second], dry_run=dry_run), as_json)


@click.command()
@click.argument("entity")
@click.option("--episodes", required=True, multiple=True, help="Episode id; may be given several times, or as a list.")
@click.argument("more", nargs=-1)
@store_option
@dry_run_option
@json_option
def split(entity: str, episodes: tuple[str, ...], more: tuple[str, ...], store: Path, dry_run: bool, as_json: bool
          ) -> None:
    """What the episodes say of ENTITY is about another one of the same name."""
    with writing(store) as wb:
        _show(wb.curate("split", entity=entity, episodes=[*episodes, *more], dry_run=dry_run), as_json)


@click.command()
@click.argument("episode")
@store_option
@dry_run_option
@json_option
def unmerge(episode: str, store: Path, dry_run: bool, as_json: bool) -> None:
    """Undo the merge or split that EPISODE made."""
    with writing(store) as wb:
        _show(wb.unmerge(episode, dry_run=dry_run), as_json)


@click.command()
@click.argument("fact")
@click.option("--valid-from", help="ISO 8601 or EDTF.")
@click.option("--valid-to", help="ISO 8601 or EDTF; `..` takes an end away.")
@click.option("--object", "object_", help="Another entity.")
@click.option("--value", help="Another literal.")
@store_option
@dry_run_option
@json_option
def correct(fact: str, valid_from: str | None, valid_to: str | None, object_: str | None, value: str | None,
            store: Path, dry_run: bool, as_json: bool) -> None:
    """FACT was recorded wrongly: what is not given stays as it was."""
    with writing(store) as wb:
        _show(wb.correct(fact, valid_from=valid_from, valid_to=valid_to, object=object_, value=value,
                         dry_run=dry_run), as_json)


@click.command()
@click.argument("trust", type=click.FloatRange(0, 1))
@click.option("--source", help="All episodes of a source so far.")
@click.option("--episode", help="One episode.")
@store_option
@dry_run_option
@json_option
def trust(trust: float, source: str | None, episode: str | None, store: Path, dry_run: bool, as_json: bool) -> None:
    """Trust (0–1) a source or an episode from now on."""
    if (source is None) == (episode is None):
        raise click.UsageError("give --source or --episode")
    with writing(store) as wb:
        _show(wb.curate("trust", trust=trust, source=source, episode=episode, dry_run=dry_run), as_json)


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--resettle", is_flag=True, help="Apply it to what is stored too.")
@store_option
@dry_run_option
@json_option
def schema(file: Path | None, resettle: bool, store: Path, dry_run: bool, as_json: bool) -> None:
    """Put the relations in FILE (Turtle) in force; without FILE, list undeclared relations and propose declarations."""
    if file is None:
        from workbench.graph.declare import declarations_turtle, propose_declarations

        with reading(store) as wb:
            proposals = propose_declarations(wb.believed(), wb.schema.schema)
        if as_json:
            print_json([asdict(proposal) for proposal in proposals])
        else:
            click.echo(declarations_turtle(proposals) if proposals else "every relation is declared")
        return
    from workbench.graph.ontology import load_schema

    with writing(store) as wb:
        done = wb.set_schema(load_schema(file), resettle=resettle, dry_run=dry_run)
        if done is None:
            click.echo("this schema is in force already")
        else:
            _show(done, as_json)


@click.command()
@click.argument("episodes", nargs=-1, required=True)
@click.option("--program", "name", type=click.Choice(("rules", *MODEL_PROGRAMS)), default="rules", show_default=True)
@model_options
@store_option
@dry_run_option
@json_option
def reextract(episodes: tuple[str, ...], name: str, model: Model, store: Path, dry_run: bool, as_json: bool) -> None:
    """Replace the claims of EPISODES by what a program extracts from their text; one that it cannot read keeps its
    claims and stops no other."""
    from workbench.model.errors import EpisodeError

    extractor = program(name, model)
    assert extractor is not None
    failed = False
    with writing(store) as wb:
        for episode in episodes:
            try:
                _show(wb.reextract(episode, extractor, dry_run=dry_run), as_json)
            except EpisodeError as error:
                failed = True
                click.echo(f"failed: {error}", err=True)
    if failed:
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("episodes", nargs=-1)
@click.option("--entity", help="All episodes that speak of an entity.")
@click.option("--source", help="All episodes of a source.")
@store_option
@dry_run_option
@json_option
def erase(episodes: tuple[str, ...], entity: str | None, source: str | None, store: Path, dry_run: bool,
          as_json: bool) -> None:
    """Remove EPISODES for good: text, claims, facts. Backups are not touched."""
    from workbench.care import erase as run

    with writing(store) as wb:
        report: dict[str, Any] = run(wb, episodes, entity, source, dry_run)
    if as_json:
        print_json(report)
        return
    print_table("would be erased" if dry_run else "erased", ["episode"], [[one] for one in report["erased"]])
    for token in report["tombstones"]:
        click.echo(f"tombstone {token}")
