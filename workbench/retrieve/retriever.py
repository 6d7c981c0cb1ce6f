"""All arms under one scope: a question in, ranked episodes and facts out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Final

import numpy as np

from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.model.errors import UsageError
from workbench.model.time import Interval
from workbench.retrieve.documents import Verbaliser, episode_text
from workbench.retrieve.features import CANDIDATES, Features, Scored, SessionScore, Weights
from workbench.retrieve.fuse import FUSIONS, diverse, interleaved, reciprocal_rank
from workbench.retrieve.index import Index
from workbench.retrieve.keyword import Keyword
from workbench.retrieve.link import Mention, link
from workbench.retrieve.seam import Arm, Found, Hit, Kind, Query, Ranking, Scope, Sight
from workbench.retrieve.semantic import Encodes, Semantic
from workbench.retrieve.sight import Looker
from workbench.retrieve.speakers import Speakers
from workbench.retrieve.text import tokens
from workbench.retrieve.traverse import Graphwise
from workbench.retrieve.when import Timewise

ARMS: Final = ("keyword", "semantic", "graph", "time")
POOL: Final = 100
FEATURES: Final = "features"


@dataclass(frozen=True)
class Plan:
    """How arms are put together.

    Attributes:
        fusion: `features` (episodes by a sum of features, facts by reciprocal rank, then both in turn), `rank`
            (reciprocal rank over everything) or `score` (standardised scores). One arm alone keeps its order.
        arm_weights: arm → weight where arms are fused; missing ones are 1.
        diversity: 0 = by score alone, towards 1 = the more against repetition (maximal marginal relevance).
        pool: how many items of each kind an arm contributes.
        weights: of the features.
        candidates: how many episodes an arm makes candidates for the sum of features.
    """

    fusion: str = FEATURES
    arm_weights: Mapping[str, float] | None = None
    diversity: float = 0.0
    pool: int = POOL
    weights: Weights = field(default_factory=Weights)
    candidates: int = CANDIDATES


@dataclass(frozen=True)
class Result:
    """What was found, and how.

    Attributes:
        found: best first.
        rankings: what each arm that was asked said, in the order of `ARMS`.
        query: the question as the arms saw it.
        sight: what could be seen.
        seconds: wall time of all of it.
        scored: all candidates among the episodes; without features, the episodes of the ranking.
        weights: of the features.
    """

    found: Sequence[Found]
    rankings: Sequence[Ranking]
    query: Query
    sight: Sight
    seconds: float
    scored: Scored
    weights: Weights = field(default_factory=Weights)

    def sessions(self) -> list[SessionScore]:
        """The sessions of the candidates, best first, by `Weights.session`; without features, in the order of their
        best turns."""
        if self.scored.shares:
            return self.scored.by_session(self.weights.session)
        best: dict[int, int] = {}
        for at, session in enumerate(self.scored.sessions.tolist()):
            best.setdefault(session, at)
        return [SessionScore(self.scored.names[session], float(self.scored.scores[at]),
                             tuple(self.scored.numbers[self.scored.sessions == session].tolist()))
                for session, at in best.items() if session >= 0]


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
        self._speakers = Speakers(index)
        self.semantic = Semantic(graph, schema, index, encoder)
        self._features = Features(graph, index, self._keyword, self.semantic)
        found: tuple[Arm, ...] = (self._keyword, self.semantic, self._graphwise, Timewise(graph))
        self.arms: Mapping[str, Arm] = {arm.name: arm for arm in found}

    def use(self, schema: SchemaIndex) -> None:
        """Go on with another schema."""
        if schema is not self._schema:
            self._schema = self._looker.schema = self._graphwise.schema = self.semantic.schema = schema

    def understand(self, text: str, sight: Sight, times: Sequence[Interval] = (),
                   mentions: Sequence[Mention] | None = None) -> Query:
        """A question with the entities and speakers that it names, as far as they were known from there.

        Args:
            text: the question.
            sight: what can be seen.
            times: valid times that it names; reading them is the caller's.
            mentions: what `link` finds in it from there, if that is known already.
        """
        if mentions is None:
            mentions = link(self._graph, text, sight.scope.vantage.known_at)
        entities = tuple(dict.fromkeys(term for mention in mentions for term in mention.terms))
        return Query(text, entities, self._speakers.named(text, sight), tuple(times))

    def retrieve(self, question: str | Query, scope: Scope, limit: int = 10, arms: Sequence[str] = ARMS,
                 plan: Plan | None = None, ranked: Sequence[Ranking] = ()) -> Result:
        """The `limit` episodes and facts in scope that bear most on a question.

        Args:
            question: in words, or understood already.
            scope: from where to look, and at what.
            limit: how many items.
            arms: names of the arms to ask.
            plan: how to put them together.
            ranked: what `rank` said of the same question from the same scope; these arms are not asked again.

        Raises:
            UsageError: no such arm or fusion.
        """
        begin = perf_counter()
        plan = plan or Plan()
        unknown = sorted(set(arms) - set(self.arms))
        if unknown or plan.fusion not in (FEATURES, *FUSIONS):
            raise UsageError(f"no arm {unknown[0]!r}; there are {', '.join(self.arms)}" if unknown else
                             f"no fusion {plan.fusion!r}; there are {', '.join((FEATURES, *FUSIONS))}")
        self.index.catch_up(self._schema)
        sight = self._looker.sight(scope)
        query = self.understand(question, sight) if isinstance(question, str) else question
        known = {ranking.arm: ranking for ranking in ranked}
        rankings = [known[name] if name in known else self.arms[name].rank(query, sight, max(plan.pool, limit))
                    for name in self.arms if name in arms]
        put = self._by_features if plan.fusion == FEATURES and len(rankings) > 1 else self._fused
        found, scored = put(query, sight, rankings, plan, limit)
        return Result(tuple(found), tuple(rankings), query, sight, perf_counter() - begin, scored, plan.weights)

    def _by_features(self, query: Query, sight: Sight, rankings: Sequence[Ranking], plan: Plan, limit: int
                     ) -> tuple[list[Found], Scored]:
        """Episodes by their features, facts by reciprocal rank over the arms, and both in turn."""
        scored = self._features.score(query, sight, rankings, plan.weights, max(plan.candidates, limit))
        of_facts = [replace(one, hits=[hit for hit in one.hits if hit.kind is Kind.FACT]) for one in rankings]
        most = max(plan.pool, limit) if plan.diversity else limit
        kinds = [scored.found(most), reciprocal_rank(of_facts, plan.arm_weights, max(0, most))]
        return interleaved([self._varied(found, plan, limit) for found in kinds], limit), scored

    def _fused(self, query: Query, sight: Sight, rankings: Sequence[Ranking], plan: Plan, limit: int
               ) -> tuple[list[Found], Scored]:
        """Everything by what the arms say."""
        fuse = FUSIONS.get(plan.fusion, reciprocal_rank)
        every = fuse(rankings, plan.arm_weights)
        numbers = np.array([one.hit.number for one in every if one.hit.kind is Kind.EPISODE], dtype=np.int64)
        scores = np.array([one.hit.score for one in every if one.hit.kind is Kind.EPISODE], dtype=np.float64)
        scored = Scored(numbers, scores, sessions=self.index.snapshot().session[numbers],
                        names=self.index.catalog.sessions.texts)
        most = max(plan.pool, limit) if plan.diversity else max(0, limit)
        return self._varied(every[:most], plan, limit), scored

    def _varied(self, found: Sequence[Found], plan: Plan, limit: int) -> list[Found]:
        return diverse(found, self._words(), limit, 1 - plan.diversity) if plan.diversity else list(found)

    def rank(self, arm: str, query: Query, sight: Sight, limit: int, plan: Plan | None = None) -> Ranking:
        """What one arm says, as deep as `retrieve` needs it for `limit` items."""
        return self.arms[arm].rank(query, sight, max((plan or Plan()).pool, limit))

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
