"""From samples to the rows of a report. One table of metrics for every as-of suite."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from workbench.evaluate.records import ERRORS, Row, Sample
from workbench.evaluate.statistics import Estimate, quantile, wilson


def score(samples: Iterable[Sample]) -> list[Row]:
    """The rows of every (data set, system), in the order in which they first appear.

    * `accuracy`, `accuracy[TYPE]`: share of questions answered with exactly the gold set. An unanswerable question
      has the empty set as gold, so abstaining is right there; `accuracy_answerable` leaves those out.
    * `error[…]`: share of all scored questions that went wrong in that way (see `baselines.error_kind`).
    * `abstention_accuracy`: share of unanswerable questions on which it abstained; `false_answers`: the rest of
      them; `false_abstentions`: share of answerable questions on which it abstained.
    * `queries_per_second`, `p50_ms`, `p95_ms`: of the queries that were timed.
    """
    groups: dict[tuple[str, str], list[Sample]] = {}
    for sample in samples:
        groups.setdefault((sample.dataset, sample.system), []).append(sample)
    return [row for (dataset, system), group in groups.items() for row in _rows(dataset, system, group)]


def _rows(dataset: str, system: str, samples: Sequence[Sample]) -> Iterator[Row]:
    def share(metric: str, among: Sequence[Sample], hit: Callable[[Sample], bool]) -> Row:
        scored = [sample for sample in among if sample.correct is not None]
        value, low, high = wilson(sum(map(hit, scored)), len(scored))
        return Row(dataset, system, metric, value, len(scored), len(among) - len(scored), low, high)

    answerable = [sample for sample in samples if sample.gold]
    unanswerable = [sample for sample in samples if not sample.gold]
    kinds = sorted({sample.kind for sample in samples})
    yield share("accuracy", samples, _right)
    if len(kinds) > 1:
        for kind in kinds:
            yield share(f"accuracy[{kind}]", [sample for sample in samples if sample.kind == kind], _right)
    for error in ERRORS:
        yield share(f"error[{error}]", samples, lambda sample, error=error: sample.error == error)  # type: ignore[misc]
    if unanswerable:
        yield share("accuracy_answerable", answerable, _right)
        yield share("abstention_accuracy", unanswerable, _abstained)
        yield share("false_answers", unanswerable, lambda sample: not _abstained(sample))
    yield share("false_abstentions", answerable, _abstained)
    yield from _speed(dataset, system, [sample.seconds for sample in samples if sample.seconds > 0])


def _right(sample: Sample) -> bool:
    return sample.correct is True


def _abstained(sample: Sample) -> bool:
    return not sample.predicted


def _speed(dataset: str, system: str, seconds: Sequence[float]) -> Iterator[Row]:
    if not seconds:
        return
    n = len(seconds)
    yield Row(dataset, system, "queries_per_second", n / math.fsum(seconds), n)
    for metric, share in (("p50_ms", 0.5), ("p95_ms", 0.95)):
        value, low, high = (None if part is None else part * 1000 for part in quantile(seconds, share))
        yield Row(dataset, system, metric, value, n, 0, low, high)


def row_of(dataset: str, system: str, metric: str, estimate: Estimate, n: int, unscored: int = 0) -> Row:
    """A row from an estimate."""
    return Row(dataset, system, metric, estimate.value, n, unscored, estimate.low, estimate.high)
