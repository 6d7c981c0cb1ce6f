"""All arms under one scope: a question in, ranked episodes and facts out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final

from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.model.errors import UsageError
from workbench.model.time import Interval
from workbench.retrieve.documents import Verbaliser, episode_text
from workbench.retrieve.fuse import FUSIONS, diverse
from workbench.retrieve.index import Index
from workbench.retrieve.keyword import Keyword
from workbench.retrieve.link import link
from workbench.retrieve.seam import Arm, Found, Hit, Kind, Query, Ranking, Scope, Sight
from workbench.retrieve.semantic import Encodes, Semantic
from workbench.retrieve.sight import Looker, names_of
from workbench.retrieve.text import tokens
from workbench.retrieve.traverse import Graphwise
from workbench.retrieve.when import Timewise

ARMS: Final = ("keyword", "semantic", "graph", "time")
POOL: Final = 100


@dataclass(frozen=True)
class Plan:
    """How arms are put together.

    Attributes:
        fusion: `rank` (reciprocal rank) or `score` (standardised scores).
        weights: arm → weight; missing ones are 1.
        diversity: 0 = by score alone, towards 1 = the more against repetition (maximal marginal relevance).
        pool: how many items each arm contributes.
    """

    fusion: str = "rank"
    weights: Mapping[str, float] | None = None
    diversity: float = 0.0
    pool: int = POOL


@dataclass(frozen=True)
class Result:
    """What was found, and how.

    Attributes:
        found: best first.
        rankings: what each arm that was asked said, in the order of `ARMS`.
        query: the question as the arms saw it.
        sight: what could be seen.
        seconds: wall time of all of it.
    """

    found: Sequence[Found]
    rankings: Sequence[Ranking]
    query: Query
    sight: Sight
    seconds: float


class Retriever:
    """Finds what bears on a question. Reads only; equal questions of an unchanged store get equal results.

    Attributes:
        arms: name → arm.
        semantic: the arm that embeds, see `Semantic.embed`.
    """

    def __init__(self, graph: Graph, schema: SchemaIndex, index: Index, encoder: Encodes | None = None) -> None:
        self._graph, self.index = graph, index
        self._schema = schema
        self._looker = Looker(graph, schema, index)
        self._keyword, self._graphwise = Keyword(index), Graphwise(graph, schema)
        self.semantic = Semantic(graph, schema, index, encoder)
        found: tuple[Arm, ...] = (self._keyword, self.semantic, self._graphwise, Timewise(graph))
        self.arms: Mapping[str, Arm] = {arm.name: arm for arm in found}

    def use(self, schema: SchemaIndex) -> None:
        """Go on with another schema."""
        if schema is not self._schema:
            self._schema = self._looker.schema = self._graphwise.schema = self.semantic.schema = schema

    def understand(self, text: str, sight: Sight, times: Sequence[Interval] = ()) -> Query:
        """A question with the entities and speakers that it names, as far as they were known from there.

        Args:
            text: the question.
            sight: what can be seen.
            times: valid times that it names; reading them is the caller's.
        """
        mentions = link(self._graph, text, sight.scope.vantage.known_at)
        entities = tuple(dict.fromkeys(term for mention in mentions for term in mention.terms))
        return Query(text, entities, self._speakers(text, sight), tuple(times))

    def _speakers(self, text: str, sight: Sight) -> frozenset[str]:
        """The speakers in sight whose name stands in a text, whole or by its first word."""
        said = frozenset(tokens(text))
        snapshot = self.index.snapshot()
        names = names_of(self.index.catalog.speakers, snapshot.speaker[:len(sight.episodes)], sight.episodes)
        return frozenset(name for name in names if (words := tokens(name)) and (
            words[0] in said or said.issuperset(words)))

    def retrieve(self, question: str | Query, scope: Scope, limit: int = 10, arms: Sequence[str] = ARMS,
                 plan: Plan | None = None) -> Result:
        """The `limit` episodes and facts in scope that bear most on a question.

        Args:
            question: in words, or understood already.
            scope: from where to look, and at what.
            limit: how many items.
            arms: names of the arms to ask.
            plan: how to put them together.

        Raises:
            UsageError: no such arm or fusion.
        """
        begin = perf_counter()
        plan = plan or Plan()
        unknown = sorted(set(arms) - set(self.arms))
        if unknown or plan.fusion not in FUSIONS:
            raise UsageError(f"no arm {unknown[0]!r}; there are {', '.join(self.arms)}" if unknown else
                             f"no fusion {plan.fusion!r}; there are {', '.join(FUSIONS)}")
        self.index.catch_up(self._schema)
        sight = self._looker.sight(scope)
        query = self.understand(question, sight) if isinstance(question, str) else question
        rankings = [self.arms[name].rank(query, sight, max(plan.pool, limit)) for name in self.arms if name in arms]
        found = FUSIONS[plan.fusion](rankings, plan.weights, max(plan.pool, limit) if plan.diversity else max(0, limit))
        if plan.diversity:
            found = diverse(found, self._words(), limit, 1 - plan.diversity)
        return Result(tuple(found), tuple(rankings), query, sight, perf_counter() - begin)

    def sight(self, scope: Scope) -> Sight:
        """What a scope lets through."""
        self.index.catch_up(self._schema)
        return self._looker.sight(scope)

    def text(self, hit: Hit) -> str:
        """An item in words, as it is indexed."""
        return self._text(Verbaliser(self._graph.timeline, self._schema), hit)

    def _text(self, verbaliser: Verbaliser, hit: Hit) -> str:
        with self._graph.lock:
            timeline = self._graph.timeline
            if hit.kind is Kind.FACT:
                return verbaliser.fact(*(timeline.records.get(name, hit.number) for name in ("s", "r", "o")))
            entry = self._graph.entry(timeline.episode_id(hit.number))
            return "" if entry is None else episode_text(entry[1])

    def _words(self) -> Callable[[Hit], frozenset[str]]:
        verbaliser = Verbaliser(self._graph.timeline, self._schema)
        return lambda hit: frozenset(tokens(self._text(verbaliser, hit)))


def with_times(query: Query, times: Sequence[Interval]) -> Query:
    """The same question with the times that it names."""
    return replace(query, times=tuple(times))
