"""Packing: the lines that go into a context, whole sentences only, never over the budget, each with its source.

A fact is a line "subject relation object [from – to) (episode, said by whom, on which date)", an episode a line with
its words in quotation marks, verbatim. Nothing is in a pack that the episode it names does not say or support.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Final

import numpy as np

from workbench.graph.facts import Facts, Part
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.model.episode import Episode
from workbench.model.fact import Fact
from workbench.model.sentences import sentence_spans
from workbench.model.time import DAY, Instant
from workbench.retrieve.seam import Found, Kind, Sight
from workbench.retrieve.text import question_tokens, tokens
from workbench.retrieve.tokens import TokenCounter

MISSES: Final = 12
SHARE: Final = 0.34
MARGIN: Final = 8  # tokens: less room holds no sentence worth the looking
_DAY: Final = "T00:00:00Z"


@dataclass(frozen=True)
class Line:
    """One line of a pack.

    Attributes:
        text: as it stands in the pack.
        kind: fact or episode.
        episode: id of the episode that says it.
        fact: id of the fact, or None.
        quotes: the stretches of the episode's text that it holds, verbatim.
        at: what it is sorted by where order matters: start of validity, or when it was said.
        rank: of the item it comes from, from 1.
    """

    text: str
    kind: Kind
    episode: str
    fact: str | None = None
    quotes: tuple[str, ...] = ()
    at: Instant | None = None
    rank: int = 0

    def to_json(self) -> dict[str, Any]:
        """A JSON row."""
        return {"text": self.text, "kind": str(self.kind), "episode": self.episode, "fact": self.fact,
                "quotes": list(self.quotes), "rank": self.rank}


@dataclass(frozen=True)
class Pack:
    """A context within a budget.

    Attributes:
        lines: in the order to be read.
        tokens: how many tokens `text` has; at most `budget`.
        budget: as asked.
        tokenizer: name of the counter.
        left_out: items of the ranking that did not fit.
    """

    lines: tuple[Line, ...]
    tokens: int
    budget: int
    tokenizer: str
    left_out: int = 0

    @property
    def text(self) -> str:
        """The context."""
        return "\n".join(line.text for line in self.lines)

    def to_json(self) -> dict[str, Any]:
        """A JSON object."""
        return {"text": self.text, "tokens": self.tokens, "budget": self.budget, "tokenizer": self.tokenizer,
                "left_out": self.left_out, "lines": [line.to_json() for line in self.lines]}

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{number}</td><td style='text-align:left'>{escape(line.text)}</td></tr>"
                       for number, line in enumerate(self.lines, 1))
        return (f"<table><caption>{self.tokens} of {self.budget} tokens ({escape(self.tokenizer)})</caption>"
                f"<tbody>{rows}</tbody></table>")


def pack(graph: Graph, schema: SchemaIndex, found: Sequence[Found], sight: Sight, question: str, budget: int,
         counter: TokenCounter, *, chronological: bool = False) -> Pack:
    """Take items, best first, as long as they fit.

    Args:
        graph, schema: where the items are.
        found: the ranking.
        sight: what could be seen: supports and conflicts outside it are not shown either.
        question: long episodes give the sentences that bear on it.
        budget: in tokens.
        counter: counts them.
        chronological: order the lines by time, oldest first, instead of by rank.
    """
    packer = _Packer(graph, schema, sight, question, budget, counter)
    with graph.lock:
        return packer.pack(found, chronological)


class _Packer:
    def __init__(self, graph: Graph, schema: SchemaIndex, sight: Sight, question: str, budget: int,
                 counter: TokenCounter) -> None:
        self.graph, self.schema, self.sight = graph, schema, sight
        self.budget, self.counter = budget, counter
        self.known = sight.scope.vantage.known_at
        self.wanted = frozenset(question_tokens(question))

    def pack(self, found: Sequence[Found], chronological: bool) -> Pack:
        if self.budget <= 0:
            return Pack((), 0, self.budget, self.counter.name, len(found))
        lines: list[Line] = []
        used, misses, left_out = 0, 0, 0
        done: set[int] = set()
        for rank, item in enumerate(found, 1):
            if misses >= MISSES:
                left_out += len(found) - rank + 1
                break
            if item.hit.kind is Kind.FACT and item.hit.number in done:
                continue
            for option in self._options(item, done):
                trial = [*lines, *(replace(line, rank=rank) for line in option)]
                if (size := self.counter.count("\n".join(line.text for line in trial))) <= self.budget:
                    lines, used, misses = trial, size, 0
                    break
            else:
                misses += 1
                left_out += 1
        if chronological:
            lines.sort(key=lambda line: (line.at is not None, line.at or Instant(0), line.rank))
            used = self.counter.count("\n".join(line.text for line in lines))
            while lines and used > self.budget:  # another order can make a token more
                lines.remove(max(lines, key=lambda line: line.rank))
                used = self.counter.count("\n".join(line.text for line in lines))
                left_out += 1
        return Pack(tuple(lines), used if lines else 0, self.budget, self.counter.name, left_out)

    def _options(self, item: Found, done: set[int]) -> Iterator[list[Line]]:
        """Ways to put an item, the fullest first; a conflict is shown with both sides or not at all."""
        if item.hit.kind is Kind.EPISODE:
            yield from self._episode(item.hit.number)
            return
        rows = self._rivals(item.hit.number)
        done.update(rows)
        lines = [line for row in rows if (line := self._fact(row)) is not None]
        if lines:
            yield lines

    # -- facts ----------------------------------------------------------------------------------------------------

    def _rivals(self, row: int) -> list[int]:
        """The record, and what competes with it as far as it can be seen."""
        timeline = self.graph.timeline
        fact = self._facts([row])[0]
        if fact.status != "competing":
            return [row]
        relation = self.schema.by_iri(fact.relation_iri)
        found: list[int] = []
        if relation.functional or not relation.inverse_functional:
            found += timeline.rows("by_subject", *(timeline.records.get(name, row) for name in ("s", "r"))).tolist()
        if relation.inverse_functional or relation.symmetric:
            found += timeline.rows("by_object", *(timeline.records.get(name, row) for name in ("o", "r"))).tolist()
        seen = self.sight.records
        rivals = [one for one in dict.fromkeys([row, *found]) if one < len(seen) and (seen[one] or one == row)]
        return [one for one in rivals if self._facts([one])[0].status == "competing"]

    def _facts(self, rows: Sequence[int]) -> Facts:
        return Facts(self.graph, self.schema, [Part(np.array(rows, dtype=np.int64))], self.known)

    def _fact(self, row: int) -> Line | None:
        fact = self._facts([row])[0]
        if not fact.episodes:
            return None
        episode = self._entry(fact.episodes[0])
        value = fact.object if fact.object is not None else fact.value
        end = f"{_date(fact.valid_to) or '…'}"
        mark = ", competing" if fact.status == "competing" else ""
        text = (f"{fact.subject} {fact.relation_label or fact.relation} {value} [{self._start(fact)} – {end}) "
                f"({_source(episode)}{mark})")
        return Line(_one_line(text), Kind.FACT, episode.id, fact.id, at=fact.valid_from)

    def _start(self, fact: Fact) -> str:
        if fact.valid_from is not None:
            return _date(fact.valid_from)
        return f"? by {_date(fact.valid_from_latest)}" if fact.valid_from_latest is not None else "?"

    def _entry(self, identifier: str) -> Episode:
        found = self.graph.entry(identifier)
        assert found is not None
        return found[1].episode

    # -- episodes -------------------------------------------------------------------------------------------------

    def _episode(self, number: int) -> Iterator[list[Line]]:
        """The episode's words: all of them if they take no more than their share, else what bears on the question."""
        episode = self._entry(self.graph.timeline.episode_id(number))
        text = episode.text or ""
        spans = list(sentence_spans(text))
        if not spans:
            return
        share = max(1, int(self.budget * SHARE))
        bearing = [self._bearing(text[slice(*span)]) for span in spans]
        order = sorted(range(len(spans)), key=lambda at: (-bearing[at], at))
        if len(spans) > 1 and self.counter.count(text) > share:
            room, chosen = share, []
            for at in order:
                size = self.counter.count(text[slice(*spans[at])])
                if size <= room:
                    room -= size
                    chosen.append(at)
                if room < MARGIN:
                    break
            order = chosen
        while order:
            yield [self._quote(episode, text, [spans[at] for at in sorted(order)])]
            order = order[: len(order) // 2]

    def _bearing(self, sentence: str) -> float:
        words = frozenset(tokens(sentence))
        return len(words & self.wanted) + 0.001 * bool(words)

    def _quote(self, episode: Episode, text: str, spans: Sequence[tuple[int, int]]) -> Line:
        """Neighbouring sentences of one paragraph are one quote; what lies between others is left out with a sign."""
        runs: list[tuple[int, int]] = []
        for low, high in spans:
            if runs and runs[-1][1] == low and "\n" not in text[runs[-1][0]:high].strip():
                runs[-1] = (runs[-1][0], high)
            else:
                runs.append((low, high))
        quotes = tuple(part for low, high in runs for part in text[low:high].strip().splitlines() if part.strip())
        said = " … ".join(f"“{quote.strip()}”" for quote in quotes)
        return Line(f"{said} ({_source(episode)})", Kind.EPISODE, episode.id, quotes=tuple(q.strip() for q in quotes),
                    at=episode.observed_at)


def _source(episode: Episode) -> str:
    """The episode, who said it, on which date."""
    by = episode.speaker or episode.source
    at = episode.observed_at
    day = "" if at is None else f", on {_date(Instant(at - at % DAY))}"
    return _one_line(f"{episode.id}{f', said by {by}' if by else ''}{day}")


def _date(at: Instant | None) -> str:
    return "" if at is None else at.iso().removesuffix(_DAY)


def _one_line(text: str) -> str:
    return re.sub(r"\s*[\n\r\u2028\u2029\x0b\x0c\x85]\s*", " ", text)
