"""`workbench optimize`."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.common import json_option, print_json, print_table

if TYPE_CHECKING:
    from workbench.evaluate.optimise import Optimised
    from workbench.evaluate.statistics import Estimate

_PROGRAMS = ("onepass", "staged", "checked", "onepass-model-dates")
_PARTS = "A part of datasets/assertions (train, dev, test), or a file like its episodes.jsonl"


@click.command()
@click.argument("program", type=click.Choice(_PROGRAMS))
@click.option("--optimizer", type=click.Choice(["bootstrap", "mipro", "gepa", "simba"]), default="bootstrap",
              show_default=True, help="DSPy's: examples that worked, or prompts rewritten and tried.")
@click.option("--lm", required=True, help="The program's model: provider/model, local:PATH or canned:FILE.")
@click.option("--lm-url", "url", help="An OpenAI-compatible server to ask instead of the provider.")
@click.option("--teacher", help="The model that writes prompts and shows how it is done (default: the program's).")
@click.option("--train", default="train", show_default=True, help=f"What to learn from. {_PARTS}.")
@click.option("--dev", default="dev", show_default=True, help="What candidates are chosen by.")
@click.option("--test", "held_out", default="test", show_default=True, help="What before and after are compared on.")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many episodes of each part, spread evenly.")
@click.option("--metric", type=click.Choice(["triple_time", "triple"]), default="triple_time", show_default=True,
              help="Statements with both dates right, or statements alone.")
@click.option("--demos", type=click.IntRange(min=0), default=4, show_default=True, help="Examples a predictor.")
@click.option("--rounds", type=click.IntRange(min=1), default=4, show_default=True,
              help="Trials (mipro), looks at all episodes (gepa), steps (simba).")
@click.option("--candidates", type=click.IntRange(min=1), default=4, show_default=True,
              help="Prompts tried beside each other (mipro, simba).")
@click.option("--calls", type=click.Path(path_type=Path, dir_okay=False), help="File that records every call.")
@click.option("--max-calls", type=click.IntRange(min=1), help="Stop after so many calls of the program's model.")
@click.option("--max-tokens", type=click.IntRange(min=1), help="Stop after so many tokens.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of anything random.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True,
              help="Where the optimised program's state goes, as JSON (for --state).")
@json_option
def optimize(program: str, optimizer: str, lm: str, url: str | None, teacher: str | None, train: str, dev: str,
             held_out: str, limit: int | None, metric: str, demos: int, rounds: int, candidates: int,
             calls: Path | None, max_calls: int | None, max_tokens: int | None, seed: int, out: Path,
             as_json: bool) -> None:
    """Optimise the prompts of PROGRAM on labelled episodes and say what that is worth on held-out ones.

    Exit code 1 if no gain was shown; the state is written all the same.
    """
    if out.suffix != ".json":
        raise click.UsageError(f"--out {out}: the state is JSON; let the name end in .json")
    from workbench.evaluate.extraction_data import spread
    from workbench.evaluate.optimise import Parts, Settings, cases_from, optimise, save
    from workbench.lm import Limits, open_model

    parts = Parts(*(spread(cases_from(name), limit) for name in (train, dev, held_out)))
    model = open_model(lm, url=url, calls=calls, limits=Limits(calls=max_calls, tokens=max_tokens), seed=seed)
    other = None if teacher is None else open_model(teacher, calls=calls, seed=seed)
    with redirect_stdout(sys.stderr):  # optimisers print
        found = optimise(program, model, optimizer, parts, Settings(metric, demos, rounds, candidates, seed),
                         teacher=other)
    save(found, out)
    if as_json:
        print_json({**found.to_json(), "state": str(out)})
    else:
        _print(found, out)
    if not found.gained:
        raise SystemExit(1)


def _print(found: Optimised, out: Path) -> None:
    print_table(f"{found.program} · {found.optimizer} · {found.model}",
                ["held-out", f"F1 ({found.metric})", "95%"],
                [[name, _value(estimate), _span(estimate)] for name, estimate in (
                    ("before", found.before), ("after", found.after), ("difference", found.difference))])
    for change in found.changes:
        words = "rewritten" if change.instructions_before != change.instructions_after else "as before"
        click.echo(f"{change.predictor}: instructions {words}, examples {change.demos_before} → {change.demos_after}, "
                   f"{len(change.demos)} of them new")
        if words == "rewritten":
            click.echo(f"  before: {change.instructions_before}\n  after:  {change.instructions_after}")
    click.echo(f"{found.verdict}\nwritten to {out}; use it with --program {found.program} --state {out}")


def _value(estimate: Estimate) -> str:
    return "–" if estimate.value is None else f"{estimate.value:.3f}"


def _span(estimate: Estimate) -> str:
    return "" if estimate.low is None or estimate.high is None else f"{estimate.low:.3f} to {estimate.high:.3f}"
