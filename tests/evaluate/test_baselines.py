import pytest

from workbench.evaluate.baselines import Statement, arrival_order, error_kind, latest_only, valid_time_only
from workbench.model.time import FOREVER, Instant


def at(year: int) -> Instant:
    return Instant.of(year)


# Ann until 2010 by what was known till 2015, then corrected to 2012; Bea follows.
HISTORY = [
    Statement("office", "Ann", at(2005), at(2010), at(2006), at(2015)),
    Statement("office", "Ann", at(2005), at(2012), at(2015)),
    Statement("office", "Bea", at(2012), FOREVER, at(2013)),
    Statement("office", "Cy", at(2030), FOREVER, at(2014)),
]


def test_each_baseline_has_its_own_blind_spot() -> None:
    assert latest_only(HISTORY, at(2006), at(2020)) == {"Bea"}
    assert valid_time_only(HISTORY, at(2011), at(2020)) == {"Ann"}
    assert arrival_order(HISTORY, at(2011), at(2020)) == {"Ann"}
    assert latest_only([], at(2006), at(2020)) == arrival_order([], at(2006), at(2020)) == frozenset()


@pytest.mark.parametrize(("gold", "predicted", "valid_at", "known_at", "kind"), [
    ({"Ann"}, {"Ann"}, 2007, 2016, None),
    (set(), set(), 2000, 2016, None),
    ({"Ann"}, set(), 2007, 2016, "empty"),
    (set(), {"Bea"}, 2011, 2012, "leak"),
    ({"Bea"}, {"Ann"}, 2014, 2016, "stale"),
    ({"Ann"}, {"Cy"}, 2007, 2016, "anachronistic"),
    ({"Ann"}, {"Dora"}, 2007, 2016, "wrong"),
    ({"Ann", "Dora"}, {"Ann"}, 2007, 2016, "wrong"),
    ({"Ann"}, {"Bea", "Dora"}, 2007, 2012, "leak"),
])
def test_wrong_answers_are_told_apart(gold: set[str], predicted: set[str], valid_at: int, known_at: int,
                                      kind: str | None) -> None:
    assert error_kind(HISTORY, gold, predicted, at(valid_at), at(known_at)) == kind
