"""Intervals for the numbers of a report. Every one is deterministic: the bootstrap takes its seed as an argument."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Final, NamedTuple

Z95: Final = 1.959963984540054


class Estimate(NamedTuple):
    """A number with its 95% interval `[low, high]` (both ends included); None where it cannot be computed."""

    value: float | None
    low: float | None
    high: float | None


def wilson(successes: int, n: int, z: float = Z95) -> Estimate:
    """A proportion with its score interval (E. B. Wilson, JASA 22, 1927).

    Args:
        successes: how many of the `n` trials succeeded, `0 ≤ successes ≤ n`.
        n: number of trials; 0 gives an empty estimate.
        z: the standard normal quantile; the default is for 95%.

    Raises:
        ValueError: `successes` is not within `0..n`.

    >>> [round(part, 4) for part in wilson(9, 10)]
    [0.9, 0.5958, 0.9821]
    >>> wilson(0, 0)
    Estimate(value=None, low=None, high=None)
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes in {n} trials is impossible")
    if n == 0:
        return Estimate(None, None, None)
    share = successes / n
    middle = share + z * z / (2 * n)
    spread = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if successes == 0 else (middle - spread) / scale
    high = 1.0 if successes == n else (middle + spread) / scale
    return Estimate(share, low, high)


def bootstrap_mean(values: Sequence[float], seed: int = 0, resamples: int = 2000) -> Estimate:
    """A mean with its percentile bootstrap interval (B. Efron, Annals of Statistics 7, 1979).

    Args:
        values: the observations; none gives an empty estimate, a single one an interval of no width.
        seed: of the resampling; equal seeds give equal intervals.
        resamples: how many resamples to draw.
    """
    if not values:
        return Estimate(None, None, None)
    mean = math.fsum(values) / len(values)
    if len(set(values)) == 1:
        return Estimate(mean, mean, mean)
    draw = random.Random(seed)
    means = sorted(math.fsum(draw.choices(values, k=len(values))) / len(values) for _ in range(resamples))
    return Estimate(mean, means[int(0.025 * resamples)], means[min(resamples - 1, int(0.975 * resamples))])


def clustered_mean(groups: Sequence[Sequence[float]], seed: int = 0, resamples: int = 2000) -> Estimate:
    """A mean over all observations, with the percentile bootstrap interval that resamples whole groups.

    For questions of one conversation, which are not independent (A. C. Cameron, J. B. Gelbach and D. L. Miller, Review
    of Economics and Statistics 90, 2008). With fewer than two groups there is no interval.

    Args:
        groups: the observations by group; empty groups are left out.
        seed: of the resampling.
        resamples: how many resamples to draw.

    >>> clustered_mean([[1.0, 0.0], [1.0, 0.0]])
    Estimate(value=0.5, low=0.5, high=0.5)
    """
    sums = [(math.fsum(group), len(group)) for group in groups if group]
    if not sums:
        return Estimate(None, None, None)
    mean = math.fsum(total for total, _ in sums) / sum(n for _, n in sums)
    if len(sums) < 2:
        return Estimate(mean, None, None)
    draw = random.Random(seed)
    means = []
    for _ in range(resamples):
        drawn = draw.choices(sums, k=len(sums))
        means.append(math.fsum(total for total, _ in drawn) / sum(n for _, n in drawn))
    means.sort()
    return Estimate(mean, means[int(0.025 * resamples)], means[min(resamples - 1, int(0.975 * resamples))])


def quantile(values: Sequence[float], share: float) -> Estimate:
    """A quantile (nearest rank) with its distribution-free interval from order statistics.

    Args:
        values: the observations, in any order.
        share: which quantile, within `(0, 1)`.

    The ranks of the interval come from the normal approximation of the binomial (W. J. Conover, Practical
    Nonparametric Statistics, §3.2) and are cut off at the smallest and largest observation.

    >>> quantile([1.0, 2.0, 3.0, 4.0, 5.0], 0.5).value
    3.0
    """
    if not values:
        return Estimate(None, None, None)
    ordered, n = sorted(values), len(values)
    spread = Z95 * math.sqrt(n * share * (1 - share))

    def at(rank: float) -> float:
        return ordered[min(n - 1, max(0, math.ceil(rank) - 1))]

    return Estimate(at(n * share), at(n * share - spread), at(n * share + spread + 1))
