"""Proposals: guards, bounded work, stable order."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.ingest.proposals import _candidates, propose, similar


@pytest.mark.parametrize(("a", "b"), [("Group 2024", "Group 2025"), ("number-1", "number-11"), ("Иван", "Ivan")])
def test_guards(a: str, b: str) -> None:
    assert similar(a, b) == 0.0


@pytest.mark.parametrize(
    ("a", "b"), [("北京 University", "上海 University"), ("김민수", "김민석"), ("Ann Lee", "Bob Lee")]
)
def test_shared_words_do_not_suffice(a: str, b: str) -> None:
    assert similar(a, b) < 0.8


@pytest.mark.parametrize(
    ("a", "b"),
    [("Jon Smith", "John Smith"), ("Acme Corp", "Acme Corporation"), ("J. Smith", "John Smith"), ("Acme", "Acme Inc")],
)
def test_likely_variants_are_proposed(a: str, b: str) -> None:
    assert [(p.left, p.right) for p in propose([a, b, "Quite Another"])] in ([(a, b)], [(b, a)])


@given(st.text(), st.text())
def test_similarity_is_symmetric_and_bounded(a: str, b: str) -> None:
    assert similar(a, b) == similar(b, a)
    assert 0.0 <= similar(a, b) <= 1.0


@given(st.lists(st.text(max_size=12), max_size=12), st.randoms())
def test_order_of_names_does_not_matter(names: list[str], shuffle: random.Random) -> None:
    unique = sorted(set(names))
    mixed = list(unique)
    shuffle.shuffle(mixed)
    scores = [p.score for p in propose(unique)]
    assert scores == [p.score for p in propose(mixed)]


def test_work_is_not_quadratic() -> None:
    keys = sorted(f"customer number {letter} {n}" for n in range(2000) for letter in "ab")
    assert len(_candidates(keys)) < 60 * len(keys)
