"""Names: what counts as the same name, and what never does."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.model.names import SLUG_LENGTH, name_key, scripts, slug

SAME = [
    ("스코프랩스", "스코프 랩스"),
    ("Alice", "  ALICE "),
    ("Zoë Müller", "zoe muller"),
    ("Zoe\u0308", "Zoë"),
    ("Άννα", "αννα"),
    ("Straße", "STRASSE"),
    ("ﬁnance", "finance"),
    ("ＡＢＣ", "abc"),
    ("می\u200cخواهم", "میخواهم"),
    ("co\u00adop", "coop"),
    ("\ufeffAlice", "Alice"),
    ("กรุงเทพ มหานคร", "กรุงเทพมหานคร"),
    ("山田 太郎", "山田太郎"),
    ("Anna\u00a0Lee", "Anna   Lee"),
    ("İstanbul", "istanbul"),
]
DIFFERENT = [
    ("김민수", "김민석"),
    ("北京 University", "上海 University"),
    ("Group 2024", "Group 2025"),
    ("number-1", "number-11"),
    ("C", "C++"),
    ("a b", "a-b"),
    ("йод", "иод"),
    ("が", "か"),
    ("นา", "น้า"),
    ("Anna Lee", "Annalee"),
    ("๑ ๒", "๑๒"),
    ("کتاب", "کباب"),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_same_names(a: str, b: str) -> None:
    assert name_key(a) == name_key(b)
    assert slug(a) == slug(b)


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_different_names(a: str, b: str) -> None:
    assert name_key(a) != name_key(b)
    assert slug(a) != slug(b)


@given(st.text())
def test_key_is_idempotent(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)


@given(st.text())
def test_key_is_empty_only_for_blanks(text: str) -> None:
    assert bool(name_key(text)) == bool(text.strip())


@given(st.text(alphabet="\u200d\u200c\u00ad\ufeff\u3164\u115f ", min_size=1))
def test_invisible_names_keep_a_key(text: str) -> None:
    assert bool(name_key(text)) == bool(text.strip())


@given(st.text(), st.text())
def test_slugs_are_equal_exactly_if_keys_are(a: str, b: str) -> None:
    assert (slug(a) == slug(b)) == (name_key(a) == name_key(b))


@given(st.text(alphabet="ab-_ .+", max_size=6), st.text(alphabet="ab-_ .+", max_size=6))
def test_slugs_of_near_names_are_equal_exactly_if_keys_are(a: str, b: str) -> None:
    assert (slug(a) == slug(b)) == (name_key(a) == name_key(b))


@given(st.text(max_size=300))
def test_slug_is_safe_in_an_iri(text: str) -> None:
    local = slug(text)
    assert 0 < len(local) <= SLUG_LENGTH + 13
    assert not set(local) & set(string.whitespace + string.punctuation.replace("-", "").replace("_", ""))


@given(st.text())
def test_case_and_outer_blanks_never_matter(text: str) -> None:
    assert name_key(f"  {text}\t") == name_key(text)
    assert name_key(text.casefold()) == name_key(text)


def test_scripts() -> None:
    assert scripts("Иван Smith") == {"CYRILLIC", "LATIN"}
