"""Questions in words: answers and contexts. The part of `Workbench` that joins understanding, retrieval and answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.ingest.claims import find_record
from workbench.ingest.pipeline import Pipeline
from workbench.model.fact import Answer, Cost, Fact
from workbench.model.time import Instant, Interval, Vantage

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.answer.asked import Asked
    from workbench.answer.lexicon import Lexicon
    from workbench.answer.reply import Reply
    from workbench.retrieve.rerank import Reranker
    from workbench.retrieve.retrieved import Retrieved
    from workbench.retrieve.retriever import Plan, Retriever
    from workbench.retrieve.route import Route
    from workbench.retrieve.seam import Found, Query, Ranking, Scope
    from workbench.retrieve.tokens import TokenCounter

BUDGET: Final = 1_200
LIMIT: Final = 20
EMBED_AT_ONCE: Final = 256


@dataclass(frozen=True)
class Filters:
    """What a search is limited to; empty = everything. See `workbench.retrieve.seam.Scope`."""

    kinds: Sequence[str] = ()
    sessions: Sequence[str] = ()
    sources: Sequence[str] = ()
    speakers: Sequence[str] = ()
    episode_kinds: Sequence[str] = ()
    types: Sequence[str] = ()
    within: Interval | None = None


class Asking:
    """Ask and retrieve, from any vantage.

    Attributes:
        graph, pipeline: of the workbench.
        model: folder of the embedding model; None = the default one, if its package is installed.
    """

    graph: Graph
    pipeline: Pipeline
    model: Path | None = None
    _lexicon: tuple[int, Lexicon] | None = None
    _retriever: Retriever | None = None

    @property
    def schema(self) -> SchemaIndex:
        """The schema in force."""
        return self.pipeline.schema

    def vantage(self, valid_at: Instant | None = None, known_at: Instant | None = None) -> Vantage:
        """A vantage with what is not given filled in: now, and all that is known.

        All that is known is the store's last instant of knowledge, should its clock run behind that.
        """
        now, last = self.pipeline.clock.now(), self.graph.last_recorded
        known = known_at if known_at is not None else now if last is None else max(now, last)
        return Vantage(now if valid_at is None else valid_at, known)

    def ask(self, question: str, *, valid_at: Instant | None = None, known_at: Instant | None = None,
            now: Instant | None = None, lm: Any = None, budget: int = BUDGET) -> Reply:
        """Answer a question in words, with evidence, or abstain with the reason.

        Without a model it answers what `workbench.answer.question` understands. With one, what is left goes to
        `workbench.answer.programs.AnswerFromContext` over the retrieved context.

        Args:
            question: in words.
            valid_at, known_at: the vantage where the question names no time of its own.
            now: the present that "last year" speaks from; default: `valid_at`, else the clock's.
            lm: a `dspy.LM`, see `workbench.lm.open_model`; None = no model.
            budget: tokens of the context for the model.
        """
        from workbench.answer.reply import Reply

        begin = perf_counter()
        vantage = self.vantage(valid_at, known_at)
        found = self._structured(question, vantage, now, known_at is not None)
        if found.abstained is not None and lm is not None and not found.abstained.startswith("competing"):
            from workbench.answer.programs import answer_from_context

            context = self.retrieve(question, valid_at=valid_at, known_at=known_at, now=now, budget=budget)
            found = answer_from_context(question, context.pack, found.vantage, lm)
        return Reply.of(replace(found, cost=Cost(perf_counter() - begin, found.cost.model_calls, found.cost.tokens)))

    def _structured(self, question: str, vantage: Vantage, now: Instant | None, fixed: bool,
                    asked: Asked | None = None) -> Answer:
        from workbench.answer.structured import ask

        return ask(self.graph, self.schema, question, vantage, now or vantage.valid_at, fixed=fixed,
                   lexicon=self._words(), asked=asked)

    def _words(self) -> Lexicon:
        """The words for relations, made anew when something was written."""
        from workbench.answer.lexicon import Lexicon

        if self._lexicon is None or self._lexicon[0] != self.graph.version:
            with self.graph.lock:
                self._lexicon = (self.graph.version, Lexicon.of(self.graph, self.schema))
        return self._lexicon[1]

    # -- contexts -------------------------------------------------------------------------------------------------

    def retrieve(self, question: str, *, valid_at: Instant | None = None, known_at: Instant | None = None,
                 now: Instant | None = None, budget: int = BUDGET, limit: int = LIMIT, history: bool | None = None,
                 arms: Sequence[str] | None = None, filters: Filters | None = None,
                 tokenizer: TokenCounter | str | None = None, plan: Plan | None = None,
                 reranker: Reranker | None = None) -> Retrieved:
        """The smallest context that bears on a question.

        Args:
            question: in words.
            valid_at, known_at, now: as for `ask`.
            budget: tokens that the context may have.
            limit: how many items are ranked.
            history: facts whatever their validity; None = if the question speaks of the past as such.
            arms: names of arms, asked all; None = the cheapest way that can answer (see `workbench.retrieve.route`).
            filters: what to limit the search to.
            tokenizer: a counter or its name, see `workbench.retrieve.tokens`; None = the best that is installed.
            plan: how arms are put together.
            reranker: orders the first items anew, see `workbench.retrieve.rerank`; None = none does.

        Raises:
            UsageError: no such arm, type or tokenizer.
        """
        from workbench.answer.question import understand
        from workbench.retrieve.link import link
        from workbench.retrieve.pack import pack
        from workbench.retrieve.rerank import reranked
        from workbench.retrieve.retrieved import Item, Retrieved
        from workbench.retrieve.route import Route, Signs, Way, route
        from workbench.retrieve.tokens import token_counter

        begin = perf_counter()
        given = self.vantage(valid_at, known_at)
        with self.graph.lock:
            mentions = link(self.graph, question, given.known_at)
            asked = understand(self.graph, self.schema, self._words(), question, now or given.valid_at, given.known_at,
                               mentions)
        answer = self._structured(question, given, now, known_at is not None, asked)
        place = answer.vantage
        signs = Signs(answer.abstained is None or answer.abstained.startswith("competing"), len(asked.entities),
                      bool(asked.matches and asked.entities), is_timed(asked), is_bare(asked))
        filters = filters or Filters()
        way = route(question, signs) if arms is None else Route(Way.OPEN, tuple(arms), frozenset(), "as asked")
        if way.way is Way.SLOT and filters != Filters():
            way = route(question, replace(signs, answered=False))
        retriever = self.retriever(semantic=False)
        scope = self._scope(place, asked, filters, is_timed(asked) if history is None else history)
        found: Sequence[Found]
        rankings: Sequence[Ranking] = ()
        sessions: Sequence[str] = ()
        if way.way is Way.SLOT:
            found, sight = self._of_facts(answer.facts)[:limit], retriever.sight(replace(scope, history=True))
        else:
            query = retriever.understand(question, retriever.sight(scope), times_of(asked),
                                         mentions if place.known_at == given.known_at else None)
            words = [retriever.rank("keyword", query, retriever.sight(scope), limit, plan)] * (arms is None)
            if way.way is Way.OPEN and words:
                way = self._narrowed(retriever, query, words[0], way)
            if "semantic" in way.arms:
                self.retriever()
            result = retriever.retrieve(query, scope, limit, way.arms, plan, words)
            found, rankings, sight = result.found, result.rankings, result.sight
            sessions = [one.session for one in result.sessions()]
        if reranker is not None:
            found = reranked(found, [retriever.text(one.hit) for one in found], question, reranker)
        counter = token_counter(tokenizer) if tokenizer is None or isinstance(tokenizer, str) else tokenizer
        packed = pack(self.graph, self.schema, found, sight, question, budget, counter,
                      chronological=is_timed(asked))
        with self.graph.lock:
            items = [Item(self._id(one), retriever.text(one.hit), one) for one in found]
            entities = self._entities_of(found)
        return Retrieved(question, place, way, items, rankings, packed, perf_counter() - begin, sessions, entities)

    def _entities_of(self, found: Sequence[Found]) -> list[str]:
        """The labels of what the facts of a ranking speak of, by the sum of 1 / rank."""
        from workbench.retrieve.seam import Kind

        timeline = self.graph.timeline
        weight: dict[str, float] = defaultdict(float)
        for rank, one in enumerate(found, 1):
            if one.hit.kind is Kind.FACT:
                for side in ("s", "o"):
                    term = timeline.records.get(side, one.hit.number)
                    if not timeline.terms[term].startswith('"'):
                        weight[timeline.label(term)] += 1 / rank
        return [label for label, _ in sorted(weight.items(), key=lambda item: (-item[1], item[0]))]

    def _narrowed(self, retriever: Retriever, query: Query, words: Ranking, way: Route) -> Route:
        """Keywords alone for an open question whose words nearly all stand in one place."""
        from workbench.retrieve.coverage import ENOUGH, covered
        from workbench.retrieve.route import Route, Way

        if words.hits and covered(retriever.index, query.text, words.hits[0]) >= ENOUGH:
            return Route(Way.LOOKUP, ("keyword",), way.kinds, "nearly all of its words stand in one place")
        return way

    def _scope(self, place: Vantage, asked: Asked, filters: Filters, history: bool) -> Scope:
        from workbench.retrieve.seam import Kind, Scope

        return Scope(
            place, history=history, kinds=frozenset(map(Kind, filters.kinds)) or frozenset(Kind),
            sessions=frozenset(filters.sessions), sources=frozenset(filters.sources),
            speakers=frozenset(filters.speakers), episode_kinds=frozenset(filters.episode_kinds),
            types=frozenset(self.schema.entity_type(name).iri for name in filters.types), within=filters.within)

    def _of_facts(self, facts: Sequence[Fact]) -> list[Found]:
        """The facts of an answer as a ranking, each followed by the episodes that say it."""
        from workbench.retrieve.seam import Found, Hit, Kind

        numbers: dict[tuple[Kind, int], None] = {}
        for fact in facts:
            row = find_record(self.graph, fact.id)
            if row is not None:
                numbers[Kind.FACT, row] = None
            for episode in fact.episodes:
                number = self.graph.number_of(episode)
                if number is not None:
                    numbers[Kind.EPISODE, number] = None
        ordered = sorted(numbers, key=lambda key: key[0] is not Kind.FACT)
        return [Found(Hit(kind, number, 1.0 / rank), {"slot": rank}, {"slot": 1.0 / rank})
                for rank, (kind, number) in enumerate(ordered, 1)]

    def _id(self, found: Found) -> str:
        from workbench.retrieve.seam import Kind

        timeline, hit = self.graph.timeline, found.hit
        return timeline.fact_id(hit.number) if hit.kind is Kind.FACT else timeline.episode_id(hit.number)

    # -- the index ------------------------------------------------------------------------------------------------

    def retriever(self, *, semantic: bool = True) -> Retriever:
        """The arms over this store, their index up to date.

        Args:
            semantic: load the embedding model too, and embed what is missing if it is little (`EMBED_AT_ONCE` texts;
                `embed` does all).
        """
        from workbench.retrieve.index import Index
        from workbench.retrieve.retriever import Retriever

        if self._retriever is None:
            self._retriever = Retriever(self.graph, self.schema, Index(self.graph, self.schema))
        found = self._retriever
        found.use(self.schema)
        found.index.catch_up(self.schema)
        if semantic and self._load_encoder(found) and sum(
                len(found.semantic.missing(view)) for view in found.semantic.views) <= EMBED_AT_ONCE:
            found.semantic.embed()
        return found

    def _load_encoder(self, found: Retriever) -> bool:
        from workbench.retrieve.encoder import default_model_path, load_encoder

        if found.semantic.encoder is None and (self.model is not None or default_model_path() is not None):
            found.semantic.encoder = load_encoder(self.model)
        return found.semantic.encoder is not None

    def embed(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Embed every episode and fact that is not yet; can be interrupted and gone on with. Returns how many were.

        Raises:
            UsageError: there is no embedding model.
        """
        from workbench.retrieve.encoder import load_encoder

        found = self.retriever(semantic=False)
        if found.semantic.encoder is None:
            found.semantic.encoder = load_encoder(self.model)
        return found.semantic.embed(progress=progress)

    def has_index(self) -> bool:
        """Whether there is a search index: in use, or beside the store."""
        from workbench.retrieve.storage import FILE

        folder = self.graph.folder
        return self._retriever is not None or (folder is not None and (folder / FILE).exists())

    def keep_index(self, *, create: bool = False) -> None:
        """Bring the search index up to date if there is one (`create`: in any case)."""
        if create or self.has_index():
            self.retriever(semantic=False)

    def move_index(self, graph: Graph) -> None:
        """If there is an index, make one of another graph, which takes over the vectors of texts that are still there
        and nothing else."""
        from workbench.retrieve.index import Index
        from workbench.retrieve.retriever import Retriever
        from workbench.retrieve.storage import FILE

        old = None if self.graph.folder is None else self.graph.folder / FILE
        self.forget_index()
        if old is not None and old.exists():
            index = Index(graph, self.schema)
            index.catch_up(self.schema)
            Retriever(graph, self.schema, index).semantic.adopt(old)
            index.close()

    def forget_index(self) -> None:
        """Let the index go; the next question opens it again."""
        if self._retriever is not None:
            self._retriever.index.close()
        self._retriever = None
        self._lexicon = None


def is_timed(asked: Asked) -> bool:
    """Whether a question needs facts that no longer hold: it names a time, an order or more than one step."""
    times = asked.times
    return bool(asked.ever or asked.pick or asked.anchor or asked.clause or asked.hops or times.valid or times.begins
                or times.ends or asked.kind in ("when", "start", "end", "duration", "order"))


def is_bare(asked: Asked) -> bool:
    """Whether a question says nothing but names and times."""
    from workbench.retrieve.text import content_tokens

    return not any(content_tokens(word.text) for at, word in enumerate(asked.words) if at not in asked.taken)


def times_of(asked: Asked) -> tuple[Interval, ...]:
    """The valid times that a question names."""
    times = asked.times
    return tuple(window for window in (times.valid, times.begins, times.ends) if window is not None)
