"""What a token is: words, identifiers, scripts without spaces; nothing breaks it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.retrieve.making import everything, retriever, said, store
from workbench.retrieve.retriever import ARMS
from workbench.retrieve.text import question_tokens, stored, tokens

SCRIPTS = {
    "Latin": "Zoë näher", "Greek": "Ελλάδα σήμερα", "Cyrillic": "Привет Москва", "Armenian": "Բարեւ Երեւան",
    "Hebrew": "שלום ירושלים", "Arabic": "مرحبا بالعالم", "Persian": "می‌خواهم بروم", "Devanagari": "नमस्ते दिल्ली",
    "Bengali": "আমার ঢাকা", "Gurmukhi": "ਪੰਜਾਬ ਦਾ", "Tamil": "வணக்கம் சென்னை", "Telugu": "నమస్కారం హైదరాబాద్",
    "Kannada": "ಬೆಂಗಳೂರು ನಗರ", "Malayalam": "കേരളം ഇന്ന്", "Sinhala": "කොළඹ නගරය", "Thai": "สวัสดีกรุงเทพ",
    "Lao": "ສະບາຍດີ", "Khmer": "ភ្នំពេញ", "Burmese": "ရန်ကုန်မြို့", "Georgian": "გამარჯობა თბილისი",
    "Amharic": "ሰላም አዲስ", "Tibetan": "བོད་སྐད", "Han": "北京大学", "Kana": "さくらサクラ", "Hangul": "안녕하세요 서울",
}
ODD = ["", " ", "\n", "/", "\\", "|", "( )", '"', "'", ":", "%", "-", "NOT", "AND", "OR NOT", "C++", "a:b", "NEAR(a b)",
       "x*", "^x", "{a b}: c", "'; DROP TABLE facts; --", "\x00", "\ud800", "👩‍👩‍👧", "a\u0000b", "‏שלום‎", "+" * 50,
       "۱۲۳", "word " * 10_000, "x" * 100_000, " ".join(f"w{n}" for n in range(10_000))]


def storable(text: str) -> str:
    """A text without what no file can hold."""
    return text.encode("utf-8", "replace").decode()


@given(st.text())
def test_any_text_has_tokens_that_can_be_stored(text: str) -> None:
    for token in tokens(text):
        assert token and re.fullmatch("[a-z0-9]+", stored(token))
    assert set(question_tokens(text)) <= set(tokens(text))
    assert bool(question_tokens(text)) == bool(tokens(text))


@given(st.lists(st.text(min_size=1), unique=True))
def test_distinct_tokens_are_stored_apart(texts: list[str]) -> None:
    assert len({stored(text) for text in texts}) == len(texts)


@given(st.text())
def test_case_and_width_do_not_count(text: str) -> None:
    for word in tokens(text):
        assert tokens(word) == tokens(word.lower()) or not word.isascii()


@pytest.mark.parametrize(("text", "expected"), [
    ("ERR-1234/5", {"err-1234/5", "1234", "5"}), ("a:b", {"a:b", "a", "b"}), ("C++", {"c++"}), ("C#,", {"c#"}),
    ("node.js.", {"node.js", "node", "js"}), ("user_id", {"user_id", "user", "id"}),
    ("userId", {"userid", "user", "id"}),
    ("HTTPServer", {"httpserver", "http", "server"}), ("/usr/lib/x.py", {"usr/lib/x.py", "usr", "x"}),
    ("v1.2.3", {"v1.2.3", "2"}), ("1,000,000", {"1000000"}), ("don’t", {"dont"}), ("Ann’s", {"ann"}),
    ("ann@x.org", {"ann@x.org", "ann", "org"}), ("Straße", {"strass"}), ("ＡＢＣ", {"abc"}), ("naïve", {"naiv"}),
    ("moved", {"move"}), ("moving", {"move"}), ("3–5", {"3", "5"}),
])
def test_words_and_identifiers(text: str, expected: set[str]) -> None:
    assert expected <= set(tokens(text))


def test_a_question_finds_an_identifier_by_whole_and_part() -> None:
    texts = ["We saw ERR-1234/5 again", "We saw ERR-1234/6 again", "node.js crashed", "C++ is old", "C is older",
             "see user_id", "call getUserId", "path is /var/log/app.log"]
    with store([said(f"e{n}", text, n) for n, text in enumerate(texts)]) as wb:
        found = retriever(wb)
        best = {query: found.retrieve(query, everything(), arms=["keyword"]).found[0].hit.number for query in (
            "ERR-1234/5", "err-1234/6?", "node.js", "What about C++?", "user_id", "getuserid", "app.log")}
    assert list(best.values()) == [0, 1, 2, 3, 5, 6, 7]


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS.keys())
def test_scripts_are_found_whole_and_by_word(text: str) -> None:
    with store([said("e0", "Something else", 0), said("e1", text, 1), said("e2", "More of that", 2)]) as wb:
        found = retriever(wb)
        for query in (text, text.split()[-1], text[:3] if " " not in text else text.split()[0]):
            result = found.retrieve(query, everything(), arms=["keyword"])
            assert [one.hit.number for one in result.found] == [1], query


@pytest.mark.parametrize("text", ODD, ids=lambda text: ascii(text[:12]))
def test_odd_questions_are_answered_by_every_arm(text: str) -> None:
    """Faults 45 and 46: no text breaks an arm, and each says what it did."""
    told = [said("e0", "A plain text about C++ and a:b, w17", 0), said("e1", f"Odd: {storable(text)[:50]}", 1)]
    with store(told) as wb:
        result = retriever(wb).retrieve(text, everything())
        assert [ranking.arm for ranking in result.rankings] == list(ARMS)
        for ranking in result.rankings:
            assert ranking.hits or ranking.note or ranking.arm == "keyword"


def test_a_long_question_keeps_its_rarest_words_and_says_so() -> None:
    with store([said(f"e{n}", f"harbour w{n}", n) for n in range(100)] + [said("x", "unicorn", 100)]) as wb:
        long = " ".join(f"w{n}" for n in range(100)) + " harbour unicorn"
        ranking = retriever(wb).retrieve(long, everything(), arms=["keyword"]).rankings[0]
        assert ranking.note == "the 64 rarest of 102 different words were looked for"
        assert len(ranking.hits) == 64
