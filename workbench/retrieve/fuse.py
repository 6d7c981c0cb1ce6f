"""Several rankings as one: by rank or by score, and without repetition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from statistics import fmean, pstdev
from typing import Final

from workbench.retrieve.seam import Found, Hit, Kind, Ranking

RRF_CONSTANT: Final = 60
Item = tuple[Kind, int]


def reciprocal_rank(rankings: Sequence[Ranking], weights: Mapping[str, float] | None = None,
                    limit: int | None = None, constant: float = RRF_CONSTANT) -> list[Found]:
    """Reciprocal rank fusion: the sum of weight / (constant + rank) over the arms (Cormack, Clarke, Büttcher 2009).

    Args:
        rankings: one an arm.
        weights: arm → weight; missing ones are 1, those of weight 0 do not count.
        limit: how many items; None = all.
        constant: the larger, the less the first ranks stand out.
    """
    shares = {ranking.arm: [1 / (constant + rank) for rank in range(1, len(ranking.hits) + 1)] for ranking in rankings}
    return _fused(rankings, shares, weights, limit)


def by_score(rankings: Sequence[Ranking], weights: Mapping[str, float] | None = None, limit: int | None = None
             ) -> list[Found]:
    """Weighted score fusion: each arm's scores standardised over its own hits, the worst of them at 0, and added.

    An item that an arm did not find gets nothing from it; so it never stands above one that the arm found last.
    """
    shares = {ranking.arm: _standardised([hit.score for hit in ranking.hits]) for ranking in rankings}
    return _fused(rankings, shares, weights, limit)


FUSIONS: Final[Mapping[str, Callable[..., list[Found]]]] = {"rank": reciprocal_rank, "score": by_score}
"""Name → way to fuse."""


def _standardised(scores: Sequence[float]) -> list[float]:
    if not scores:
        return []
    mean, spread = fmean(scores), pstdev(scores)
    if spread <= 1e-12 * max(1.0, abs(mean)):
        return [1.0] * len(scores)
    z = [(score - mean) / spread for score in scores]
    low = min(z)
    return [value - low for value in z]


def _fused(rankings: Sequence[Ranking], shares: Mapping[str, Sequence[float]], weights: Mapping[str, float] | None,
           limit: int | None) -> list[Found]:
    places: dict[Item, list[tuple[str, int, float]]] = {}
    for ranking in rankings:
        weight = 1.0 if weights is None else weights.get(ranking.arm, 1.0)
        if weight == 0:
            continue
        for rank, (hit, share) in enumerate(zip(ranking.hits, shares[ranking.arm], strict=True), 1):
            places.setdefault((hit.kind, hit.number), []).append((ranking.arm, rank, weight * share))
    totals = sorted((-sum(share for _, _, share in at), *item) for item, at in places.items())
    return [Found(Hit(kind, number, -total), {arm: rank for arm, rank, _ in places[kind, number]},
                  {arm: share for arm, _, share in places[kind, number]})
            for total, kind, number in totals[:limit]]


def interleaved(rankings: Sequence[Sequence[Found]], limit: int) -> list[Found]:
    """Rankings of different kinds, which share no item and whose scores do not compare, as one.

    This is reciprocal rank fusion of them: an item has one rank only, so the first of each come before the second of
    any; equal ranks in the order of the rankings given. Scores stay what they were.

    >>> interleaved([], 3)
    []
    """
    found = [one for row in zip_longest(*rankings) for one in row if one is not None]
    return found[:max(0, limit)]


def diverse(found: Sequence[Found], words: Callable[[Hit], frozenset[str]], limit: int, balance: float = 0.7
            ) -> list[Found]:
    """The best `limit` by maximal marginal relevance (Carbonell and Goldstein 1998), in the order chosen.

    Args:
        found: best first.
        words: the words of an item; likeness is their Jaccard overlap.
        limit: how many.
        balance: 1 = by score alone, 0 = by difference alone.

    Returns:
        The items with their fused scores unchanged.
    """
    if not found:
        return []
    left = list(found)
    high, low = left[0].hit.score, left[-1].hit.score
    relevance = {id(one): (one.hit.score - low) / (high - low) if high > low else 1.0 for one in left}
    said = {id(one): words(one.hit) for one in left}
    nearest = dict.fromkeys(relevance, 0.0)
    chosen: list[Found] = []
    while left and len(chosen) < limit:
        best = max(range(len(left)), key=lambda at: (
            balance * relevance[id(left[at])] - (1 - balance) * nearest[id(left[at])], -at))
        one = left.pop(best)
        chosen.append(one)
        for other in left:
            nearest[id(other)] = max(nearest[id(other)], _jaccard(said[id(one)], said[id(other)]))
    return chosen


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    union = len(one | other)
    return len(one & other) / union if union else 0.0
