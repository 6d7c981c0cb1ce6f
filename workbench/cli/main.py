"""The command line. Commands load what they need when they run, so that `workbench --help` answers at once."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Final

import click

# command → (module, what `workbench --help` says)
_COMMANDS: Final = {
    "ingest": ("feed", "Take episodes in from files."),
    "facts": ("look", "What is true from a vantage."),
    "history": ("look", "Every version of a subject's facts, with its cause."),
    "changes": ("look", "What changed in belief between two instants."),
    "query": ("look", "SPARQL on the annotated quads, or on the view from a vantage."),
    "ask": ("find", "A question in words, answered with evidence or an abstention."),
    "retrieve": ("find", "The context that bears on a question, within a token budget."),
    "explain": ("look", "Why a fact holds, what closed it or why nothing did."),
    "retract": ("curate", "From now on as if an episode had never been said."),
    "erase": ("curate", "Remove episodes for good."),
    "merge": ("curate", "Two entities are one."),
    "split": ("curate", "What some episodes say of an entity is about another one."),
    "unmerge": ("curate", "Undo a merge or a split."),
    "correct": ("curate", "A fact was recorded wrongly."),
    "trust": ("curate", "What a source or an episode is trusted from now on."),
    "schema": ("curate", "Put another schema in force, or show what is undeclared."),
    "reextract": ("curate", "Replace episodes' claims by another program's."),
    "export": ("carry", "Write a store to files: N-Quads, TriG, JSON-LD, Parquet, PROV-O, OWL-Time, RDF Patch."),
    "import": ("carry", "Make a store from an export of another's quads."),
    "serve": ("serving", "Serve a store over HTTP: SPARQL, graphs, episodes, entities, facts."),
    "diff": ("keep", "Claims and facts that differ between two stores."),
    "store": ("keep", "Care: info, verify, proposals, index, rebuild, failed, backup, restore, compact, migrate."),
    "eval": ("assess", "Run suites on labelled data, list, compare and report runs."),
    "optimize": ("learn", "Better prompts for an extraction program, judged on held-out episodes."),
    "demo": ("assess", "Real episodes, questions from several vantages, a scorecard."),
}


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"workbench.cli.{_COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, {"eval": "eval_", "import": "import_"}.get(cmd_name, cmd_name))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="temporal-context-workbench", prog_name="workbench")
def cli() -> None:
    """A workbench for agent memory as a temporal context graph: episodes in, answers from any point in time.

    Times are ISO 8601. Every command takes --json. Exit codes: 0 good, 1 findings or failures, 2 wrong use.
    """


def main() -> None:
    """Entry point: errors on purpose become one line and an exit code, a broken pipe is silent."""
    from workbench.model.errors import StoreError, WorkbenchError

    try:
        code = cli(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.Abort:
        click.echo("stopped; what was acknowledged is safe", err=True)
        sys.exit(130)
    except WorkbenchError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(1 if isinstance(error, StoreError) else 2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
