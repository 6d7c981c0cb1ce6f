"""Care of stores."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from workbench.cli.common import json_option, print_json, print_table, reading, store_option, writing


@click.group()
def store() -> None:
    """Care: info, verify, proposals, index, rebuild, failed, backup, restore, compact, migrate."""


@store.command()
@store_option
@json_option
def info(store: Path, as_json: bool) -> None:
    """Counts, sizes, schema, undeclared relations."""
    from workbench.care import info as run

    with reading(store) as wb:
        report = run(wb)
    if as_json:
        print_json(report)
    else:
        print_table(str(store), ["what", "value"], list(report.items()))


@store.command()
@store_option
@click.option("--deep", is_flag=True, help="Also replay every episode and compare byte for byte.")
@json_option
@click.option("--shapes", is_flag=True, help="Also measure what is true now by the schema's SHACL shapes.")
def verify(store: Path, deep: bool, shapes: bool, as_json: bool) -> None:
    """Whether quads and timeline agree and keep their rules; exit 1 with findings."""
    from workbench.care import against_schema
    from workbench.care import verify as run

    with reading(store) as wb:
        findings = run(wb, deep) + (against_schema(wb) if shapes else [])
    if as_json:
        print_json({"ok": not findings, "findings": findings})
    else:
        click.echo("\n".join(findings) if findings else "all is well")
    if findings:
        raise click.exceptions.Exit(1)


@store.command()
@store_option
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True)
@json_option
def proposals(store: Path, limit: int, as_json: bool) -> None:
    """Entities whose names are alike, as candidates for `merge`; likeness alone never merges."""
    from workbench.care import same_names

    with reading(store) as wb:
        rows = [asdict(proposal) for proposal in same_names(wb, limit)]
    if as_json:
        print_json(rows)
    else:
        print_table(f"{len(rows)} pairs", ["name", "and", "score", "because"], [
            [row["left"], row["right"], f"{row['score']:.2f}", row["reason"]] for row in rows])


@store.command()
@store_option
@json_option
def rebuild(store: Path, as_json: bool) -> None:
    """Make quads and timeline anew from episodes and claims."""
    from workbench.care import rebuild as run

    with writing(store) as wb:
        run(wb)
        report = {"episodes": wb.graph.episodes, "quads": len(wb.graph.quads)}
    if as_json:
        print_json(report)
    else:
        click.echo(f"rebuilt from {report['episodes']} episodes: {report['quads']} quads")


@store.command()
@store_option
@click.option("--embed", is_flag=True, help="Also embed every episode and fact that is not yet (5 to 10 ms a text).")
@json_option
def index(store: Path, embed: bool, as_json: bool) -> None:
    """Bring the search index up to date; with --embed for search by meaning too. It can be interrupted and gone on."""
    from workbench.cli.common import progress_bar

    with writing(store) as wb:
        wb.keep_index(create=True)
        embedded = 0
        if embed:
            with progress_bar("embed", as_json) as advance:
                embedded = wb.embed(advance)
        report = {"episodes": wb.graph.episodes, "embedded": embedded}
    if as_json:
        print_json(report)
    else:
        click.echo(f"the index covers {report['episodes']} episodes; {embedded} texts embedded")


@store.command()
@store_option
@json_option
def failed(store: Path, as_json: bool) -> None:
    """Input lines, episodes and claims that could not be used, with the reason."""
    from workbench.care import failed as run

    with reading(store) as wb:
        rows = run(wb)
    if as_json:
        print_json(rows)
    else:
        print_table(f"{len(rows)} failures", ["where", "reason"], [
            [f"{row['file']}:{row['line']}" if "file" in row else row["episode"], row["reason"]] for row in rows])


@store.command()
@store_option
@click.option("--to", "to", required=True, type=click.Path(path_type=Path, file_okay=False), help="A new folder.")
@json_option
def backup(store: Path, to: Path, as_json: bool) -> None:
    """Copy the store as it is now to a new folder."""
    from workbench.care import backup as run

    with writing(store) as wb:
        run(wb, to)
    if as_json:
        print_json({"backup": str(to)})
    else:
        click.echo(f"backed up to {to}")


@store.command()
@click.option("--from", "source", required=True, type=click.Path(path_type=Path, file_okay=False, exists=True))
@store_option
@json_option
def restore(source: Path, store: Path, as_json: bool) -> None:
    """Make a store from a backup; --store is a new folder."""
    from workbench.care import restore as run

    run(source, store)
    if as_json:
        print_json({"store": str(store)})
    else:
        click.echo(f"restored to {store}")


@store.command()
@store_option
@json_option
def compact(store: Path, as_json: bool) -> None:
    """Merge the store's files; gives back the space of many small commits."""
    from workbench.bulk import compact as rewrite
    from workbench.care import info as measure

    with writing(store) as wb:
        before = measure(wb)["bytes"]
        rewrite(wb)
        report = {"bytes_before": before, "bytes": measure(wb)["bytes"]}
    if as_json:
        print_json(report)
    else:
        click.echo(f"{report['bytes_before']:,} → {report['bytes']:,} bytes")


@store.command()
@store_option
@json_option
def migrate(store: Path, as_json: bool) -> None:
    """Bring a store of an older format up to this one. Format 1 is the first, so today this only checks.

    The path for later formats: back up, then `migrate` replays episodes and claims into the new format as `rebuild`
    does, and switches over in one step; the old files stay until that succeeds.
    """
    with reading(store):
        pass
    if as_json:
        print_json({"format": 1, "migrated": False})
    else:
        click.echo("the store has the current format")


@click.command()
@click.argument("first", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.argument("second", type=click.Path(path_type=Path, file_okay=False, exists=True))
@json_option
def diff(first: Path, second: Path, as_json: bool) -> None:
    """Claims and facts that only one of two stores has; exit 1 if there are any."""
    from workbench.care import difference

    with reading(first) as one, reading(second) as other:
        report = difference(one, other)
    differs = any(rows for part in report.values() for rows in part.values())
    if as_json:
        print_json(report)
    elif not differs:
        click.echo("no difference")
    else:
        for name, part in report.items():
            for side, rows in part.items():
                for row in rows:
                    click.echo(f"{name} {side.replace('_', ' ')}: {row}")
    if differs:
        raise click.exceptions.Exit(1)
