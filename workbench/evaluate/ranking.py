"""How good a ranking is against the items that hold the evidence. Gains are binary; positions count from 1.

A ranking is a sequence of ids, best first, without repetition; what stands twice counts where it first stands. Without
gold there is nothing to score: every measure is then None, never 0 or 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log2


def recall(ranking: Sequence[str], gold: Collection[str], k: int) -> float | None:
    """Evidence recall@k: the share of the gold among the first k. Its mean over questions is what LoCoMo's authors
    report (Maharana et al. 2024, https://arxiv.org/abs/2402.17753).

    >>> recall(["a", "x", "b"], {"a", "b", "c", "d"}, 3)
    0.5
    """
    wanted = set(gold)
    return len(wanted & set(_first(ranking, k))) / len(wanted) if wanted else None


def any_found(ranking: Sequence[str], gold: Collection[str], k: int) -> float | None:
    """1.0 if any gold item is among the first k, else 0.0 (hits@k, recall_any@k of LongMemEval; Wu et al. 2024,
    https://arxiv.org/abs/2410.10813).

    >>> any_found(["a", "x"], {"a", "b"}, 2), any_found(["x", "a"], {"a"}, 1)
    (1.0, 0.0)
    """
    return float(not set(gold).isdisjoint(_first(ranking, k))) if gold else None


def all_found(ranking: Sequence[str], gold: Collection[str], k: int) -> float | None:
    """1.0 if all gold items are among the first k, else 0.0 (recall_all@k of LongMemEval, ibid.).

    >>> all_found(["a", "x", "b"], {"a", "b"}, 3), all_found(["a", "x", "b"], {"a", "b"}, 2)
    (1.0, 0.0)
    """
    return float(set(gold) <= set(_first(ranking, k))) if gold else None


def ndcg(ranking: Sequence[str], gold: Collection[str], k: int) -> float | None:
    """Normalised discounted cumulative gain of the first k: each gold item at position i gains 1 / log2(i + 1),
    divided by what the best order would gain (Järvelin and Kekäläinen 2002, https://doi.org/10.1145/582415.582418).

    >>> ndcg(["a", "b", "x"], {"a", "b"}, 3)
    1.0
    """
    wanted = set(gold)
    if not wanted:
        return None
    gained = sum(1 / log2(place + 1) for place, item in enumerate(_first(ranking, k), start=1) if item in wanted)
    best = sum(1 / log2(place + 1) for place in range(1, min(len(wanted), k) + 1))
    return gained / best if best else 0.0


def reciprocal_rank(ranking: Sequence[str], gold: Collection[str], k: int | None = None) -> float | None:
    """1 / position of the first gold item, 0.0 if none is there (among the first k); its mean is MRR (Voorhees 1999,
    the TREC-8 question answering track).

    >>> reciprocal_rank(["x", "a", "b"], {"a", "b"})
    0.5
    """
    if not gold:
        return None
    wanted = set(gold)
    places = (1 / place for place, item in enumerate(_first(ranking, len(ranking) if k is None else k), start=1)
              if item in wanted)
    return next(places, 0.0)


def before(ranking: Sequence[str], newer: Collection[str], older: Collection[str]) -> float | None:
    """1.0 if the best newer item stands above the best older one, 0.0 if below; an absent item stands below all. None
    where neither is in the ranking, or where the two share their best item (BEAM states some updates in one turn).

    >>> before(["new", "old"], {"new"}, {"old"}), before(["old"], {"new"}, {"old"}), before([], {"new"}, {"old"})
    (1.0, 0.0, None)
    """
    places = {item: place for place, item in reversed(list(enumerate(ranking)))}
    first, second = (min((places[item] for item in items if item in places), default=len(ranking))
                     for items in (newer, older))
    return None if first == second else float(first < second)


def groups_of(ranking: Iterable[str], group: Mapping[str, str]) -> list[str]:
    """The groups (sessions) of ranked items, each where its best item stands; items of no group are left out.

    >>> groups_of(["t3", "t1", "t2"], {"t1": "s1", "t2": "s2", "t3": "s2"})
    ['s2', 's1']
    """
    return list(dict.fromkeys(group[item] for item in ranking if item in group))


def _first(ranking: Sequence[str], k: int) -> list[str]:
    return list(dict.fromkeys(ranking))[:max(k, 0)]
