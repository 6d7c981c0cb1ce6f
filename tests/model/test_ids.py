"""Ids: what may be one, and that every one survives an IRI."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.model.errors import UsageError
from workbench.model.ids import MAX_ID_LENGTH, check_id, quote_id, unquote_id

IDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=MAX_ID_LENGTH)


@given(IDS.filter(str.strip))
def test_every_id_survives_an_iri(text: str) -> None:
    assert unquote_id(quote_id(check_id(text))) == text


@given(IDS)
def test_quoted_ids_are_plain_ascii(text: str) -> None:
    assert quote_id(text).isascii()
    assert not set(quote_id(text)) & set(' <>"{}|\\^`#?/')


@given(IDS, IDS)
def test_quoting_never_makes_two_ids_one(a: str, b: str) -> None:
    assert (quote_id(a) == quote_id(b)) == (a == b)


@pytest.mark.parametrize("text", ["a b", "c/d", "é", "#?%", "e\u0301", "..", "%20", "🙂"])
def test_awkward_ids(text: str) -> None:
    assert unquote_id(quote_id(check_id(text))) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "empty"), (" \u00a0 ", "blanks"), ("a\x00b", "control"), ("a\x85", "control"), ("x" * 513, "513 characters"),
     ("\ud800x", "surrogate")],
)
def test_what_is_no_id(text: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        check_id(text)


def test_broken_encoding_is_refused() -> None:
    with pytest.raises(UsageError, match="percent-encoded"):
        unquote_id("%FF")
