"""Weights for summing the features of a ranking, fitted on some conversations to be used on others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

NEGATIVES: Final = 120
STEPS: Final = 250
RATE: Final = 0.1
PENALTY: Final = 1e-3


@dataclass(frozen=True)
class Candidates:
    """The items that one question may rank.

    Attributes:
        group: the conversation; weights for it are fitted on the others.
        dataset: each data set weighs the same, however many questions it has.
        ids: of the items.
        features: shape (items, features), raw.
        gold: which items hold the evidence, those that are among the candidates.
    """

    group: str
    dataset: str
    ids: tuple[str, ...]
    features: Floats
    gold: frozenset[str]

    def ranking(self, weights: Floats) -> list[str]:
        """Ids by weighted sum, ties by their place."""
        order = np.lexsort((np.arange(len(self.ids)), -(self.features @ weights)))
        return [self.ids[place] for place in order.tolist()]


def fit(questions: Sequence[Candidates], start: Floats) -> Floats:
    """Weights under which the gold stands above the rest, by softmax regression.

    For each gold item the log-likelihood of being chosen among itself and the question's best `NEGATIVES` other items
    (by `start`); gold items do not compete; averaged by gold item, question and data set; a small L2 penalty on weights
    in units of a feature's deviation; Adam (Kingma and Ba 2015, https://arxiv.org/abs/1412.6980), `STEPS` steps.

    Args:
        questions: those without gold among their candidates are left out.
        start: shape (features,), where to begin.
    """
    used = [question for question in questions if question.gold and len(question.ids) > len(question.gold)]
    if not used:
        return start
    share = {name: sum(question.dataset == name for question in used) for name in {q.dataset for q in used}}
    negatives, positives, of_negative, of_positive, mass = [], [], [], [], []
    for number, question in enumerate(used):
        is_gold = np.array([one in question.gold for one in question.ids])
        rest = question.features[~is_gold]
        rest = rest[np.argsort(-(rest @ start), kind="stable")[:NEGATIVES]]
        found = question.features[is_gold]
        negatives.append(rest)
        positives.append(found)
        of_negative += [number] * len(rest)
        of_positive += [number] * len(found)
        mass += [1.0 / (len(found) * share[question.dataset])] * len(found)
    low, high = np.concatenate(negatives), np.concatenate(positives)
    place, target = np.array(of_negative), np.array(of_positive)
    worth = np.array(mass) / sum(mass)
    scale = low.std(axis=0) + 1e-9
    weights: Floats = _descend(low / scale, high / scale, place, target, worth, start * scale) / scale
    return weights


def _descend(low: Floats, high: Floats, place: NDArray[np.int64], target: NDArray[np.int64], worth: Floats,
             start: Floats) -> Floats:
    count = int(place.max()) + 1
    first = np.searchsorted(place, np.arange(count))
    weights = start.astype(np.float64)
    momentum, speed = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(STEPS):
        scores = low @ weights
        peak = np.maximum.reduceat(scores, first)
        odds = np.exp(scores - peak[place])
        total = np.add.reduceat(odds, first)
        missed = worth / (1.0 + np.exp(np.clip(high @ weights - (peak + np.log(total))[target], -60, 60)))
        by_question = np.bincount(target, missed, count)
        slope = (odds / total[place] * by_question[place]) @ low - missed @ high + PENALTY * weights
        momentum = 0.9 * momentum + 0.1 * slope
        speed = 0.99 * speed + 0.01 * slope**2
        pace = RATE / (1.0 + step / 80.0)
        weights = weights - pace * (momentum / (1 - 0.9 ** (step + 1))) / (
            np.sqrt(speed / (1 - 0.99 ** (step + 1))) + 1e-8)
    return weights


def across(questions: Sequence[Candidates], start: Floats, use: Iterable[int] | None = None) -> dict[str, Floats]:
    """For each conversation the weights fitted on all others (leave one out), by its name.

    Args:
        questions: of all conversations of all data sets.
        start: shape (features,).
        use: numbers of the features that count; the others weigh nothing. None = all.
    """
    kept = np.ones(len(start), dtype=bool) if use is None else np.isin(np.arange(len(start)), list(use))
    narrow = [Candidates(q.group, q.dataset, q.ids, q.features[:, kept], q.gold) for q in questions]
    found: dict[str, Floats] = {}
    for group in dict.fromkeys(question.group for question in questions):
        weights = np.zeros(len(start))
        weights[kept] = fit([question for question in narrow if question.group != group], start[kept])
        found[group] = weights
    return found
