import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.lm.limits import LONGEST_PAUSE, Limits, Meter
from workbench.model.errors import BudgetSpent, UsageError


class Time:
    """Stands still but for sleeping."""

    def __init__(self) -> None:
        self.at = 0.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds


def meter(time: Time, **limits: float | None) -> Meter:
    return Meter(Limits(**limits), 0, time.now, time.sleep)  # type: ignore[arg-type]


@given(st.integers(1, 7), st.integers(1, 40), st.integers(0, 30))
def test_no_minute_sees_more_attempts_than_allowed(per_minute: int, attempts: int, between: int) -> None:
    time, starts = Time(), list[float]()
    held = meter(time, per_minute=per_minute)
    for _ in range(attempts):
        with held.attempt():
            starts.append(time.at)
        time.at += between
    for first in starts:
        assert sum(first <= start < first + 60 for start in starts) <= per_minute


def test_the_rate_waits_no_longer_than_it_must() -> None:
    time = Time()
    held = meter(time, per_minute=2)
    for _ in range(3):
        with held.attempt():
            pass
    assert time.slept == [60.0]


@given(st.integers(1, 30), st.one_of(st.none(), st.floats(0, 1000)))
def test_pauses_grow_with_jitter_up_to_a_minute_and_heed_the_server(attempt: int, hint: float | None) -> None:
    time = Time()
    meter(time).pause(attempt, hint)
    pause, = time.slept
    full = 2.0 ** (attempt - 1)
    assert min(max(full / 2, hint or 0), LONGEST_PAUSE) <= pause <= min(max(full, hint or 0), LONGEST_PAUSE)


def test_pauses_are_the_same_for_the_same_seed() -> None:
    first, second = Time(), Time()
    for time in (first, second):
        held = meter(time)
        for attempt in range(1, 6):
            held.pause(attempt)
    assert first.slept == second.slept


def test_a_budget_of_calls_is_exact() -> None:
    held = meter(Time(), calls=2)
    for _ in range(2):
        with held.attempt():
            pass
    with pytest.raises(BudgetSpent, match="budget of 2 calls is spent"), held.attempt():
        raise AssertionError("not reached")


@pytest.mark.parametrize("limits", [{"tokens": 10}, {"cost": 0.5}, {"seconds": 3.0}])
def test_other_budgets_stop_the_next_attempt(limits: dict[str, float]) -> None:
    time = Time()
    held = meter(time, **limits)
    with held.attempt():
        time.at += 3.0
    held.spend(10, 0.5)
    with pytest.raises(BudgetSpent, match="raise the budget"), held.attempt():
        raise AssertionError("not reached")


def test_an_unknown_cost_spends_no_money() -> None:
    held = meter(Time(), cost=0.1)
    held.spend(5, None)
    with held.attempt():
        pass
    assert held.cost == 0.0


def test_slots_are_given_back_when_an_attempt_fails() -> None:
    held = meter(Time(), parallel=1)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt), held.attempt():
            raise KeyboardInterrupt


@pytest.mark.parametrize("limits", [{"parallel": 0}, {"tries": 0}, {"per_minute": 0}, {"tokens": -1}, {"timeout": 0},
                                    {"reply": 0}])
def test_limits_that_make_no_sense_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=next(iter(limits))):
        Limits(**limits)
