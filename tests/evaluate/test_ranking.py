"""Measures of rankings, against values worked out by hand and against their own laws."""

from __future__ import annotations

from math import isclose, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.evaluate.ranking import all_found, any_found, before, groups_of, ndcg, recall, reciprocal_rank

RANKING = ["t1", "t7", "t3", "t9", "t2"]


@pytest.mark.parametrize(("k", "found"), [(0, 0.0), (1, 1 / 3), (2, 1 / 3), (3, 2 / 3), (5, 1.0), (50, 1.0)])
def test_recall_is_the_share_of_the_gold_that_was_found(k: int, found: float) -> None:
    assert recall(RANKING, {"t1", "t2", "t3"}, k) == found


def test_recall_counts_gold_that_is_nowhere_as_missed() -> None:
    assert recall(RANKING, ["t1", "elsewhere", "t1"], 5) == 0.5


def test_any_and_all_differ_where_some_is_found() -> None:
    assert any_found(RANKING, {"t3", "t2"}, 3) == 1.0
    assert all_found(RANKING, {"t3", "t2"}, 3) == 0.0
    assert all_found(RANKING, {"t3", "t2"}, 5) == 1.0
    assert any_found(RANKING, {"t2"}, 4) == 0.0


def test_ndcg_by_hand() -> None:
    # gold at 1 and 3 of three gold items: 1/log2(2) + 1/log2(4) = 1.5, of 1 + 1/log2(3) + 1/2
    assert isclose(ndcg(RANKING, {"t1", "t3", "t2"}, 3) or 0, 1.5 / (1.5 + 1 / log2(3)))
    # one gold item in third place
    assert ndcg(RANKING, {"t3"}, 5) == 0.5
    # more gold than places: the best order fills the places only
    assert ndcg(["a"], {"a", "b", "c"}, 1) == 1.0
    assert ndcg(RANKING, {"t3"}, 0) == 0.0


@pytest.mark.parametrize(("gold", "found"), [({"t1"}, 1.0), ({"t2", "t3"}, 1 / 3), ({"x"}, 0.0)])
def test_reciprocal_rank(gold: set[str], found: float) -> None:
    assert reciprocal_rank(RANKING, gold) == found


def test_reciprocal_rank_looks_no_further_than_k() -> None:
    assert reciprocal_rank(RANKING, {"t3"}, 2) == 0.0
    assert reciprocal_rank(RANKING, {"t3"}, 3) == 1 / 3


def test_what_stands_twice_counts_once() -> None:
    assert recall(["a", "a", "b"], {"b"}, 2) == 1.0
    assert reciprocal_rank(["a", "a", "b"], {"b"}) == 0.5
    assert ndcg(["a", "a"], {"a", "b"}, 2) == ndcg(["a", "x"], {"a", "b"}, 2)


def test_without_gold_there_is_nothing_to_score() -> None:
    assert [measure(RANKING, (), 5) for measure in (recall, any_found, all_found, ndcg, reciprocal_rank)] == [None] * 5


def test_new_above_old() -> None:
    assert before(RANKING, {"t7"}, {"t9", "t2"}) == 1.0
    assert before(RANKING, {"t2"}, {"t7"}) == 0.0
    assert before(RANKING, {"t2"}, {"absent"}) == 1.0
    assert before(RANKING, {"absent"}, {"t2"}) == 0.0
    assert before(RANKING, {"t7"}, {"t7"}) is None


def test_sessions_stand_where_their_best_turn_stands() -> None:
    assert groups_of(RANKING, {"t1": "s1", "t7": "s2", "t3": "s1", "t9": "s3"}) == ["s1", "s2", "s3"]


@given(st.lists(st.sampled_from("abcdefgh"), unique=True), st.sets(st.sampled_from("abcdefgh"), min_size=1),
       st.integers(1, 10))
def test_measures_agree_with_each_other(ranking: list[str], gold: set[str], k: int) -> None:
    found, gained, first = recall(ranking, gold, k), ndcg(ranking, gold, k), reciprocal_rank(ranking, gold, k)
    assert found is not None and gained is not None and first is not None
    assert 0 <= found <= (recall(ranking, gold, k + 1) or 0) <= 1
    assert 0 <= gained <= 1 + 1e-12 and 0 <= first <= 1
    assert (found > 0) == (gained > 0) == (first > 0) == (any_found(ranking, gold, k) == 1)
    assert (found == 1) == (all_found(ranking, gold, k) == 1)
    best = [*sorted(gold), *(item for item in ranking if item not in gold)]
    assert isclose(ndcg(best, gold, k) or 0, 1)
