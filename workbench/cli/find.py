"""Questions in words: `workbench ask`, `workbench retrieve`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.common import MOMENT, json_option, print_facts, print_json, print_table, reading, store_option
from workbench.cli.common import vantage_options as vantage

if TYPE_CHECKING:
    from workbench.model.time import Instant

_NOW = click.option("--now", type=MOMENT,
                    help="The present that the question speaks from (default: --valid-at, else now).")


@click.command()
@click.argument("question")
@store_option
@vantage
@_NOW
@click.option("--lm", "model", help="A language model for what is left open without one: provider/model as LiteLLM "
              "names it, its key in the environment; or local:PATH, a GGUF file or a hub model's folder.")
@click.option("--lm-url", "url", help="An OpenAI-compatible server to ask instead of the provider.")
@click.option("--budget", type=click.IntRange(min=0), default=1_200, show_default=True,
              help="Tokens of the context that the model gets.")
@json_option
def ask(question: str, store: Path, valid_at: Instant | None, known_at: Instant | None, now: Instant | None,
        model: str | None, url: str | None, budget: int, as_json: bool) -> None:
    """Answer a QUESTION in words, with its interval, evidence and path; or abstain with the reason."""
    lm: Any = None
    if model is not None:
        from workbench.lm import open_model

        lm = open_model(model, url=url)
    with reading(store) as wb:
        answer = wb.ask(question, valid_at=valid_at, known_at=known_at, now=now, lm=lm, budget=budget)
        row = answer.to_json()
    if as_json:
        print_json(row)
        return
    click.echo(", ".join(map(str, row["answer"])) if row["answer"] else f"no answer: {row['abstained']}")
    click.echo(f"path: {row['path']}")
    if row["facts"]:
        print_facts("evidence", row["facts"])
    for cited in row["episodes"]:
        if cited["quote"] or not row["facts"]:
            click.echo(f"episode {cited['episode']}" + (f": “{cited['quote']}”" if cited["quote"] else ""))


@click.command()
@click.argument("question")
@store_option
@vantage
@_NOW
@click.option("--budget", type=click.IntRange(min=0), default=1_200, show_default=True,
              help="Tokens that the context may have.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Items that are ranked.")
@click.option("--arm", "arms", multiple=True, type=click.Choice(("keyword", "semantic", "graph", "time")),
              help="Ask just these arms (default: the cheapest way that can answer).")
@click.option("--history", is_flag=True, default=None, help="Facts whatever their validity.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(("episode", "fact")), help="Rank only these.")
@click.option("--session", "sessions", multiple=True)
@click.option("--source", "sources", multiple=True, help="A source, or a group of them: crm stands for crm/eu too.")
@click.option("--speaker", "speakers", multiple=True)
@click.option("--episode-kind", "episode_kinds", multiple=True, help="message, document, record, …")
@click.option("--type", "types", multiple=True, help="What is about an entity of this type.")
@click.option("--tokenizer", help="o200k_base, cl100k_base, wordpiece, bytes, or a tokenizer.json.")
@click.option("--explain", is_flag=True, help="Show each arm's rank of every item.")
@json_option
def retrieve(question: str, store: Path, valid_at: Instant | None, known_at: Instant | None, now: Instant | None,
             budget: int, limit: int, arms: tuple[str, ...], history: bool | None, tokenizer: str | None,
             explain: bool, as_json: bool, kinds: tuple[str, ...], sessions: tuple[str, ...],
             sources: tuple[str, ...], speakers: tuple[str, ...], episode_kinds: tuple[str, ...],
             types: tuple[str, ...]) -> None:
    """The context that an agent would get for a QUESTION: lines with intervals and episodes, within a budget."""
    from workbench.asking import Filters

    with reading(store) as wb:
        found = wb.retrieve(question, valid_at=valid_at, known_at=known_at, now=now, budget=budget, limit=limit,
                            history=history, arms=arms or None, tokenizer=tokenizer,
                            filters=Filters(kinds, sessions, sources, speakers, episode_kinds, types))
    if as_json:
        print_json(found.to_json())
        return
    click.echo(found.pack.text or "nothing found")
    click.echo(f"{found.pack.tokens} of {budget} tokens ({found.pack.tokenizer}); path: {found.route.way}, "
               f"{found.route.reason}; {found.seconds * 1e3:.0f} ms", err=True)
    for ranking in found.rankings:
        click.echo(f"  {ranking.arm}: {len(ranking.hits)} items" + (f" ({ranking.note})" if ranking.note else ""),
                   err=True)
    if explain and found.items:
        print_table("ranking", ["rank", "kind", "score", "found by", "text"], [
            [number, item.found.hit.kind, f"{item.found.hit.score:.4f}",
             ", ".join(f"{arm} {rank}" for arm, rank in item.found.ranks.items()), item.text]
            for number, item in enumerate(found.items, 1)])
