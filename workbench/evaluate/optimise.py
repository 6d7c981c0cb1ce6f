"""DSPy's optimisers over the extraction programs: prompts and examples chosen by score, judged on held-out text.

The optimiser sees the train and the dev part; what it made is compared with what it began with on the test part, whose
phrasings occur in neither. A gain is only claimed if the paired 95% interval of the difference, resampled by
phrasing, lies above 0. The result is saved as JSON state (never a pickle), for `load_program`.

The score of an episode is what the claims are worth, not the drafts: quotes found, dates resolved by code, and
statements with both dates right (`triple_time`) or without dates (`triple`), as F1 of that episode; silence where
nothing is stated is worth 1. GEPA is also told in words what was missed and what was made up.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import dspy

from workbench.evaluate.extraction import measure
from workbench.evaluate.extraction_data import Case, Contexts, read_cases
from workbench.evaluate.extraction_scoring import Counts, Judged, by_phrasing, f1, f1_difference, judge
from workbench.evaluate.statistics import Estimate
from workbench.ingest.programs.extractor import ProgramExtractor
from workbench.ingest.programs.modules import MODULES
from workbench.ingest.programs.prompt import inputs_of
from workbench.model.errors import EpisodeError, ModelError, UsageError

METRICS: Final[Mapping[str, Callable[[Judged], Counts]]] = {
    "triple_time": lambda judged: judged.timed, "triple": lambda judged: judged.triple}
_INPUTS: Final = ("text", "observed_at", "speaker", "earlier", "entities", "schema")


@dataclass(frozen=True)
class Settings:
    """How an optimiser goes about it.

    Attributes:
        metric: a name of `METRICS`.
        demos: at most so many examples a predictor, taken from runs that were right.
        rounds: trials (mipro), full looks at the train part (gepa), steps (simba).
        candidates: how many prompts are tried beside each other (mipro, simba).
        seed: of anything random.
    """

    metric: str = "triple_time"
    demos: int = 4
    rounds: int = 4
    candidates: int = 4
    seed: int = 0


class Parts(NamedTuple):
    """What is learnt from, what candidates are chosen by, what before and after are compared on."""

    train: Sequence[Case]
    dev: Sequence[Case]
    test: Sequence[Case]


@dataclass(frozen=True)
class Change:
    """What became of one predictor's prompt."""

    predictor: str
    instructions_before: str
    instructions_after: str
    demos_before: int
    demos_after: int
    demos: tuple[str, ...]

    @property
    def any(self) -> bool:
        """Whether the prompt is another."""
        return bool(self.demos) or self.instructions_before != self.instructions_after


@dataclass(frozen=True)
class Optimised:
    """An optimised program and what it is worth.

    Attributes:
        program, optimizer, model: what was optimised, by what, for which model.
        module: the DSPy module.
        changes: by predictor.
        metric: name of the score.
        before, after: F1 on the held-out part.
        difference: after minus before, paired over phrasings.
        n: held-out episodes.
    """

    program: str
    optimizer: str
    model: str
    metric: str
    module: Any
    changes: tuple[Change, ...]
    before: Estimate
    after: Estimate
    difference: Estimate
    n: int

    @property
    def gained(self) -> bool:
        """Whether the interval of the difference lies above 0."""
        return self.difference.low is not None and self.difference.low > 0

    @property
    def verdict(self) -> str:
        """One sentence on what may be claimed."""
        value, low, high = self.difference
        if value is None or low is None or high is None:
            return "no difference could be computed"
        span = f"{value:+.3f} (95% {low:+.3f} to {high:+.3f}, n={self.n})"
        if self.gained:
            return f"better on held-out episodes: {span}"
        if high < 0:
            return f"worse on held-out episodes: {span}; keep the program as it was"
        return f"no gain shown: {span} includes 0; more held-out episodes might tell"

    def to_json(self) -> dict[str, Any]:
        """What `workbench optimize --json` prints."""
        return {"program": self.program, "optimizer": self.optimizer, "model": self.model, "metric": self.metric,
                "n": self.n, "before": self.before._asdict(), "after": self.after._asdict(),
                "difference": self.difference._asdict(), "gained": self.gained, "verdict": self.verdict,
                "changes": [{"predictor": change.predictor, "changed": change.any,
                             "instructions": {"before": change.instructions_before,
                                              "after": change.instructions_after},
                             "demos": {"before": change.demos_before, "after": change.demos_after,
                                       "texts": list(change.demos)}} for change in self.changes]}


def cases_from(given: str) -> list[Case]:
    """The episodes of a split of `datasets/assertions`, or of a file like `datasets/assertions/episodes.jsonl`.

    Raises:
        UsageError: there is neither.
    """
    if given in ("train", "dev", "test"):
        return read_cases(None, given)
    path = Path(given).expanduser()
    if not path.is_file():
        raise UsageError(f"{given!r} is neither train, dev nor test, nor a file of labelled episodes")
    return read_cases(path)


def optimise(program: str, lm: Any, optimizer: str, parts: Parts, settings: Settings = Settings(), *,
             teacher: Any = None) -> Optimised:
    """Optimise a program and compare it, on the held-out part, with what it was.

    Args:
        program: a name of `workbench.ingest.programs.modules.MODULES`.
        lm: the model that the program asks.
        optimizer: a name of `OPTIMIZERS`.
        parts: labelled episodes; no phrasing of the test part may occur in the others.
        settings: how to go about it.
        teacher: the model that writes prompts and shows how it is done; None = `lm`.

    Raises:
        UsageError: an unknown name, an empty part, held-out phrasings that are not held out, or a package that the
            optimiser needs is missing.
        ModelError: a reply that the optimiser lives on could not be read.
        BudgetSpent: a budget of `lm` is used up.
    """
    for what, name, known in (("program", program, MODULES), ("optimizer", optimizer, OPTIMIZERS),
                              ("metric", settings.metric, METRICS)):
        if name not in known:
            raise UsageError(f"no {what} is called {name!r}; use one of {', '.join(known)}")
    train, dev, test = parts
    if not (train and dev and test):
        raise UsageError("an optimiser needs episodes to learn from, to choose by and to be judged by: "
                         f"train {len(train)}, dev {len(dev)}, test {len(test)}")
    if shared := {case.phrasing for case in test} & {case.phrasing for case in (*train, *dev)}:
        raise UsageError(f"{len(shared)} phrasings of the held-out part occur in the parts that are learnt from; "
                         "split by phrasing")
    before, student = MODULES[program](), MODULES[program]()
    scorer = Scorer(program, lm, settings.metric)
    learnt, chosen = ([scorer.example(case) for case in cases] for cases in (train, dev))
    try:
        with dspy.context(lm=lm):
            made = OPTIMIZERS[optimizer](student, scorer, learnt, chosen, settings, teacher or lm)
    except (dspy.AdapterParseError, dspy.LMError) as error:
        raise ModelError(f"the optimizer {optimizer} cannot use what {(teacher or lm).model} replied: "
                         f"{' '.join(str(error).split())[:300]}; take a stronger --teacher, or bootstrap") from error
    first = measure("before", ProgramExtractor(program, lm, before), test)
    second = measure("after", ProgramExtractor(program, lm, made), test)
    counts = [by_phrasing(test, [METRICS[settings.metric](one) for one in measured.judged])
              for measured in (first, second)]
    return Optimised(program, optimizer, str(lm.model), settings.metric, made, tuple(_changes(before, made)),
                     f1(counts[0], settings.seed)[2], f1(counts[1], settings.seed)[2],
                     f1_difference(counts[0], counts[1], settings.seed), len(test))


def save(found: Optimised, path: Path) -> None:
    """Write the state as JSON.

    Raises:
        UsageError: the name does not end in `.json`.
    """
    if path.suffix != ".json":
        raise UsageError(f"{path}: the state of a program is JSON; let the name end in .json")
    path.parent.mkdir(parents=True, exist_ok=True)
    found.module.save(str(path), save_program=False)


class _Said(dspy.Module):  # type: ignore[misc]
    """A program that says what was already said."""

    version = "0"

    def __init__(self, claims: Sequence[Any]) -> None:
        super().__init__()
        self._claims = list(claims)

    def forward(self, **_: str) -> Any:
        return dspy.Prediction(claims=self._claims)


class Scorer:
    """The worth of a prediction, in the forms that the optimisers ask for it."""

    def __init__(self, program: str, lm: Any, metric: str) -> None:
        self._program, self._lm, self._counts = program, lm, METRICS[metric]
        self._contexts = Contexts()

    def example(self, case: Case) -> Any:
        """A case as DSPy's example; the gold travels along."""
        inputs = inputs_of(case.episode, self._contexts.of(case))
        return dspy.Example(**inputs, case=case).with_inputs(*_INPUTS)

    def judged(self, case: Case, prediction: Any) -> Judged:
        """What the claims made of the drafts are worth; drafts that break the code count as none."""
        extractor = ProgramExtractor(self._program, self._lm, _Said(getattr(prediction, "claims", None) or []))
        try:
            claims = list(extractor.extract(case.episode, self._contexts.of(case)))
        except EpisodeError:
            claims = []
        return judge(case, claims, self._contexts.index)

    def score(self, example: Any, prediction: Any, trace: Any = None) -> float:
        """F1 of one episode."""
        right, wrong, missed = self._counts(self.judged(example.case, prediction))
        return 1.0 if not right + wrong + missed else 2 * right / (2 * right + wrong + missed)

    def feedback(self, gold: Any, pred: Any, trace: Any = None, pred_name: str | None = None,
                 pred_trace: Any = None) -> Any:
        """The score with what is wrong in words."""
        return dspy.Prediction(score=self.score(gold, pred), feedback=self.words(gold.case, pred))

    def words(self, case: Case, prediction: Any) -> str:
        """What was missed, made up, or dated wrongly."""
        judged = self.judged(case, prediction)
        said = [f"Missed: {item}." for item in judged.missing] + [
            f"The text does not state: {item}." for item in judged.surplus]
        if judged.timed.right < judged.triple.right:
            stated = [f"{name} {moment.phrase!r}" for gold in case.gold
                      for name, moment in (("start", gold.start), ("end", gold.end)) if moment and moment.phrase]
            said.append("The words that say when are wrong or in the wrong role; the text says: "
                        f"{', '.join(stated) or 'no time at all'}.")
        return " ".join(said) or "All right."


Optimiser = Callable[[Any, Scorer, list[Any], list[Any], Settings, Any], Any]


def _bootstrap(student: Any, scorer: Scorer, train: list[Any], dev: list[Any], settings: Settings, teacher: Any) -> Any:
    maker = dspy.BootstrapFewShot(metric=scorer.score, metric_threshold=1.0, max_bootstrapped_demos=settings.demos,
                                  max_labeled_demos=0, max_errors=len(train), teacher_settings={"lm": teacher})
    return maker.compile(student, trainset=train)


def _mipro(student: Any, scorer: Scorer, train: list[Any], dev: list[Any], settings: Settings, teacher: Any) -> Any:
    if find_spec("optuna") is None:
        raise UsageError("the optimizer mipro needs optuna: pip install 'temporal-context-workbench[mipro]'")
    seed = settings.seed + 1  # MIPROv2 takes 0 for "none given"
    maker = dspy.MIPROv2(metric=scorer.score, prompt_model=teacher, auto=None, num_candidates=settings.candidates,
                         max_bootstrapped_demos=settings.demos, max_labeled_demos=0, num_threads=1, seed=seed,
                         max_errors=len(train) + len(dev), teacher_settings={"lm": teacher})
    return maker.compile(student, trainset=train, valset=dev, num_trials=settings.rounds, minibatch=False, seed=seed)


def _gepa(student: Any, scorer: Scorer, train: list[Any], dev: list[Any], settings: Settings, teacher: Any) -> Any:
    maker = dspy.GEPA(metric=scorer.feedback, max_metric_calls=settings.rounds * (len(train) + len(dev)),
                      reflection_lm=teacher, num_threads=1, seed=settings.seed)
    return maker.compile(student, trainset=train, valset=dev)


def _simba(student: Any, scorer: Scorer, train: list[Any], dev: list[Any], settings: Settings, teacher: Any) -> Any:
    maker = dspy.SIMBA(metric=scorer.score, bsize=min(16, len(train)), num_candidates=settings.candidates,
                       max_steps=settings.rounds, max_demos=settings.demos, prompt_model=teacher, num_threads=1)
    return maker.compile(student, trainset=train, seed=settings.seed)


OPTIMIZERS: Final[Mapping[str, Optimiser]] = {
    "bootstrap": _bootstrap, "mipro": _mipro, "gepa": _gepa, "simba": _simba}


def _changes(before: Any, after: Any) -> list[Change]:
    made = dict(after.named_predictors())
    return [Change(name, old.signature.instructions, made[name].signature.instructions, len(old.demos),
                   len(made[name].demos), tuple(_new_demos(old.demos, made[name].demos)))
            for name, old in before.named_predictors()]


def _new_demos(old: Sequence[Any], new: Sequence[Any]) -> list[str]:
    known = {_demo(demo) for demo in old}
    return [text for demo in new if (text := _demo(demo)) not in known]


def _demo(demo: Any) -> str:
    return json.dumps(dict(demo), ensure_ascii=False, sort_keys=True,
                      default=lambda value: value.model_dump() if hasattr(value, "model_dump") else str(value))

