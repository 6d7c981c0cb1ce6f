import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.evaluate.statistics import Estimate, bootstrap_mean, quantile, wilson


def test_wilson_agrees_with_a_worked_case() -> None:
    # Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263.
    value, low, high = wilson(81, 263)
    assert value == pytest.approx(0.3080, abs=1e-4)
    assert low == pytest.approx(0.2553, abs=1e-4)
    assert high == pytest.approx(0.3662, abs=1e-4)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_its_proportion_and_stays_within_0_and_1(case: tuple[int, int]) -> None:
    value, low, high = wilson(*case)
    assert value is not None and low is not None and high is not None
    assert 0 <= low <= value <= high <= 1


def test_no_trials_give_no_number() -> None:
    assert wilson(0, 0) == Estimate(None, None, None)
    with pytest.raises(ValueError, match="impossible"):
        wilson(3, 2)


def test_bootstrap_is_the_same_for_the_same_seed_and_holds_the_mean() -> None:
    values = [0.0, 1.0, 1.0, 0.0, 1.0, 0.5]
    first = bootstrap_mean(values, seed=3)
    assert first == bootstrap_mean(values, seed=3)
    assert first.value == pytest.approx(3.5 / 6)
    assert first.low is not None and first.high is not None and first.low < 3.5 / 6 < first.high
    assert bootstrap_mean([]) == Estimate(None, None, None)
    assert bootstrap_mean([2.0]) == Estimate(2.0, 2.0, 2.0)


def test_quantiles_are_observations() -> None:
    values = [float(number) for number in range(1, 101)]
    assert quantile(values, 0.5).value == 50
    assert quantile(values, 0.95).value == 95
    assert quantile(values, 0.95).high == 100
    assert quantile([], 0.5) == Estimate(None, None, None)
