"""Commands that only read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.common import (
    MOMENT,
    json_option,
    print_facts,
    print_json,
    print_table,
    reading,
    store_option,
    vantage_options,
)

if TYPE_CHECKING:
    from workbench.graph.result import Solutions, Triples
    from workbench.model.time import Instant


@click.command()
@store_option
@click.option("--subject", help="Label, alias or IRI.")
@click.option("--relation", help="Local name, label or IRI.")
@click.option("--object", "object_", help="Label, alias, IRI, or a literal.")
@click.option("--subject-type", help="Decides between entities of one name.")
@click.option("--object-type", help="Decides between entities of one name.")
@vantage_options
@click.option("--reading", "how", type=click.Choice(["best", "certain", "possible"]), default="best", show_default=True)
@json_option
def facts(store: Path, subject: str | None, relation: str | None, object_: str | None, subject_type: str | None,
          object_type: str | None, valid_at: Instant | None, known_at: Instant | None, how: str, as_json: bool) -> None:
    """What is true from a vantage, with its interval, evidence and status."""
    from workbench.model.fact import Reading

    with reading(store) as wb:
        found = wb.facts(subject, relation, object_, valid_at=valid_at, known_at=known_at, reading=Reading(how),
                         subject_type=subject_type, object_type=object_type)
        rows, vantage = found.to_json(), wb.vantage(valid_at, known_at)
    if as_json:
        print_json(rows)
    else:
        print_facts(f"valid at {vantage.valid_at}, known at {vantage.known_at}, {how} reading", rows)


@click.command()
@click.argument("subject")
@click.argument("relation", required=False)
@click.option("--subject-type", help="Decides between entities of one name.")
@store_option
@json_option
def history(subject: str, relation: str | None, subject_type: str | None, store: Path, as_json: bool) -> None:
    """Every version of every fact about SUBJECT, in order of knowledge, with the episodes that caused and closed it."""
    with reading(store) as wb:
        found = sorted(wb.history(subject, relation, subject_type=subject_type),
                       key=lambda fact: (fact.known_from or 0, fact.valid_from or 0))
        rows = [{**fact.to_json(), "cause": fact.recorded_in} for fact in found]
    if as_json:
        print_json(rows)
    else:
        print_facts(f"history of {subject}", rows, ("cause", "closed_by"))


@click.command()
@store_option
@click.option("--between", nargs=2, required=True, type=MOMENT, help="Two instants of knowledge time.")
@json_option
def changes(store: Path, between: tuple[Instant, Instant], as_json: bool) -> None:
    """What was believed at the first instant and no longer at the second, and the reverse."""
    with reading(store) as wb:
        rows = wb.changes(*between).to_json()
    if as_json:
        print_json(rows)
    else:
        print_facts(f"changes of belief between {between[0]} and {between[1]}", rows, ("change", "episode"))


FORMATS = ("table", "json", "csv", "tsv", "parquet", "arrow", "trig", "nquads")


@click.command()
@click.argument("sparql")
@store_option
@vantage_options
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write to a file.")
@json_option
def query(sparql: str, store: Path, valid_at: Instant | None, known_at: Instant | None, form: str, out: Path | None,
          as_json: bool) -> None:
    """Run SPARQL (or @FILE) on the annotated quads; with --valid-at or --known-at, on the plain view from there."""
    if sparql.startswith("@"):
        try:
            sparql = Path(sparql[1:]).read_text("utf-8")
        except OSError as error:
            raise click.UsageError(f"cannot read {sparql[1:]}: {error.strerror}") from error
    with reading(store) as wb:
        found = wb.query(sparql, valid_at=valid_at, known_at=known_at)
    _write(found, "json" if as_json else form, out)


def _write(found: Solutions | Triples, form: str, out: Path | None) -> None:
    from workbench.graph import result

    if form in ("parquet", "arrow"):
        target: Any = out if out is not None else sys.stdout.buffer
        frame = found.frame()
        if form == "parquet":
            frame.write_parquet(target)
        else:
            frame.write_ipc_stream(target)
        return
    if form in ("trig", "nquads"):
        if isinstance(found, result.Solutions):
            raise click.UsageError(f"--format {form} is for CONSTRUCT and DESCRIBE; a SELECT gives a table")
        text = found.serialize(form)
    elif form in ("csv", "tsv"):
        text = found.csv("\t" if form == "tsv" else ",")
    elif form == "json":
        text = found.sparql_json()
    elif isinstance(found, result.Solutions):
        print_table(f"{len(found)} rows", found.variables,
                    [[_cell(row.get(name)) for name in found.variables] for row in found.records()])
        return
    else:
        assert not isinstance(found, result.Solutions)
        text = found.serialize("trig")
    if out is None:
        click.echo(text.rstrip("\n"))
    else:
        out.write_text(text, "utf-8")


def _cell(value: Any) -> Any:
    from workbench.graph.vocabulary import compact

    return compact(value) if isinstance(value, str) else value


@click.command()
@click.argument("fact")
@store_option
@json_option
def explain(fact: str, store: Path, as_json: bool) -> None:
    """Why FACT (an id) holds, what closed it or why nothing did, with evidence and the rules applied."""
    with reading(store) as wb:
        report = wb.explain(fact)
    if as_json:
        print_json(report)
        return
    print_facts(report["fact"]["fact"], [report["fact"]])
    for name in ("starts_because", "ends_because"):
        if report[name]:
            claim = report[name].get("claim")
            by = f" (episode {claim['episode']})" if claim else ""
            click.echo(f"{name.replace('_', ' ')}: {report[name]['rule']}{by}")
    for item in report["evidence"]:
        quote = f": “{item['quote']}”" if item["quote"] else ""
        click.echo(f"evidence: episode {item['episode']}, observed {item['observed_at']}{quote}")
    if report["believed"]:
        click.echo("not closed because " + "; ".join(report["not_closed_because"]))
    else:
        click.echo(f"closed at {report['closed']['known_to']} by episode {report['closed']['by']}: "
                   f"{report['closed']['reason']}")
