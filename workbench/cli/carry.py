"""Stores out to files and back: `workbench export`, `workbench import`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.common import MOMENT, json_option, print_json, reading, store_option, vantage_options

if TYPE_CHECKING:
    from workbench.model.time import Instant

SYNTAXES = ("nquads", "trig", "turtle", "jsonld", "parquet", "patch")


@click.command()
@store_option
@click.option("--syntax", type=click.Choice(SYNTAXES), default="nquads", show_default=True)
@click.option("--content", type=click.Choice(("quads", "view", "prov", "owl-time")), default=None,
              help="All quads (default); the plain view from a vantage (default with --valid-at or --known-at); all "
              "versions as PROV-O or OWL-Time.")
@click.option("--dialect", type=click.Choice(("rdf-1.2", "rdf-star", "reification")), default="rdf-1.2",
              show_default=True, help="How a fact stands for its triple; the last two are for older stores.")
@vantage_options
@click.option("--between", nargs=2, type=MOMENT, help="For --syntax patch: what came after T1 and up to T2 of "
              "knowledge time.")
@click.option("--to", type=click.Path(path_type=Path), help="A file, or a new folder for parquet; default: standard "
              "output.")
@json_option
def export(store: Path, syntax: str, content: str | None, dialect: str, valid_at: Instant | None,
           known_at: Instant | None, between: tuple[Instant, Instant] | None, to: Path | None, as_json: bool) -> None:
    """Write a store to files. Quads go out as they are stored, in bounded memory; `workbench import` takes them in."""
    from workbench import exchange
    from workbench.graph.exchange.dialects import Dialect
    from workbench.graph.exchange.writing import Syntax

    wanted = exchange.Content(content or ("view" if valid_at is not None or known_at is not None else "quads"))
    if (syntax == "patch") != (between is not None):
        raise click.UsageError("--syntax patch and --between T1 T2 go together")
    if between is not None and known_at is not None:
        raise click.UsageError("--between names both instants of knowledge time; leave --known-at out")
    if as_json and to is None:
        raise click.UsageError("--json tells what was written where, so it needs --to")
    if syntax == "parquet" and to is None:
        raise click.UsageError("--syntax parquet needs --to FOLDER")
    with reading(store) as wb:
        if syntax == "parquet":
            assert to is not None
            exchange.export_tables(wb, to)
            _tell(as_json, syntax, to)
            return
        part = None if to is None else to.with_name(to.name + ".part")
        out = sys.stdout.buffer if part is None else part.open("wb")
        try:
            if between is not None:
                exchange.export_patch(wb, out, *between, wanted, valid_at)
            else:
                exchange.export(wb, out, wanted, Syntax(syntax), Dialect(dialect), valid_at, known_at)
            if part is not None and to is not None:
                out.close()
                part.replace(to)
        finally:
            if part is not None:
                out.close()
                part.unlink(missing_ok=True)
    _tell(as_json, syntax, to)


def _tell(as_json: bool, syntax: str, to: Path | None) -> None:
    if as_json and to is not None:
        size = sum(path.stat().st_size for path in ([to] if to.is_file() else to.rglob("*")) if path.is_file())
        print_json({"syntax": syntax, "to": str(to), "bytes": size})


@click.command("import")
@click.argument("source", type=click.Path(path_type=Path, exists=True))
@store_option
@click.option("--schema", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="What the store began with, in Turtle; default: the default schema.")
@json_option
def import_(source: Path, store: Path, schema: Path | None, as_json: bool) -> None:
    """Make a store from SOURCE: an export of quads (.nq, .trig, .jsonld, any dialect) or a folder of tables."""
    from workbench.exchange import import_store
    from workbench.graph.ontology import load_schema

    report = import_store(source, store, None if schema is None else load_schema(schema))
    if as_json:
        print_json(report)
    else:
        click.echo(f"{report['episodes']} episodes, {report['records']} records, {report['quads']} quads")
        click.echo("\n".join(report["findings"]) or "all is well")
    if report["findings"]:
        raise click.exceptions.Exit(1)
