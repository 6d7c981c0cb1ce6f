"""The suite `dates`: its data, its scores, and phrases put together at random."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.evaluate.data import own_folder
from workbench.evaluate.dates import Phrase, judged, read_blind, read_phrases
from workbench.evaluate.expectations import misses, read_suite_file
from workbench.evaluate.suite import run_suite
from workbench.evaluate.tvq import Span, read_snippet
from workbench.ingest.dates import Role, TimeSpan, find, resolve
from workbench.model.time import Instant, Unparsed, zone_of

FOLDER = own_folder("dates", "phrases.csv")
PHRASES = read_phrases(FOLDER)
BLIND = read_blind(FOLDER)
WORDS = sorted({word for phrase in (*PHRASES, *BLIND) for word in phrase.text.split()})


def test_the_table_is_as_large_as_its_card_says() -> None:
    counts = Counter(phrase.language for phrase in PHRASES)
    assert len(PHRASES) >= 600
    assert len(counts) >= 6
    assert len(BLIND) >= 200


@pytest.mark.parametrize("phrases", [PHRASES, BLIND], ids=["own", "blind"])
def test_no_phrase_stands_twice(phrases: list[Phrase]) -> None:
    keys = Counter((phrase.language, phrase.text, phrase.anchor, phrase.role) for phrase in phrases)
    assert [key for key, count in keys.items() if count > 1] == []


def test_gold_is_in_order() -> None:
    for phrase in (*PHRASES, *BLIND):
        assert phrase.refused == (phrase.start is None and phrase.end is None), phrase.text
        for side in (phrase.start, phrase.end):
            assert side is None or side.earliest <= side.latest, phrase.text


def test_the_suite_reaches_what_is_expected_of_it() -> None:
    run = run_suite("dates")
    assert not list(misses(run, read_suite_file(Path(__file__).parents[2] / "evals" / "dates.toml")))


def test_a_refusal_is_right_only_where_nothing_is_meant() -> None:
    refused = next(phrase for phrase in PHRASES if phrase.refused)
    stated = next(phrase for phrase in PHRASES if not phrase.refused)
    assert judged(refused, Unparsed(refused.text, "no"))
    assert not judged(stated, Unparsed(stated.text, "no"))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=6), min_size=1, max_size=7), st.sampled_from(" -/\u3000"),
       st.sampled_from([None, "en", "de", "es", "fr", "pt", "zh", "ja", "xx"]), st.sampled_from(Role),
       st.sampled_from(["UTC", "Asia/Tokyo", "Australia/Lord_Howe"]),
       st.integers(Instant.of(-180_000), Instant.of(180_000)) | st.integers(Instant.of(1900), Instant.of(2100)))
def test_words_put_together_at_random_crash_nothing(words: list[str], joint: str, language: str | None, role: Role,
                                                    zone: str, anchor: int) -> None:
    text = joint.join(words)
    value = resolve(text, Instant(anchor), zone_of(zone), role, language)
    if isinstance(value, TimeSpan):
        assert value.start or value.end
        assert not (value.start and value.end) or value.start.best < value.end.best
    else:
        assert value.reason
    for mention in find(text, Instant(anchor), zone_of(zone), language):
        assert text[mention.span[0]:mention.span[1]] == mention.phrase


@pytest.mark.parametrize(("evidence", "source", "first", "last"), [
    ("Ann Example, Ann Example (4 June 1904 – 5 August 1992) was a painter.", "text", 19040604, 19920805),
    ("Ann Example, From 1973 to 1981 she led the Board of Trees.", "text", 19730101, 19731231),
    ("Ann Example (painter, born 1912), Offices, 1949–1951, Treasurer", "info", 19490101, 19511231),
    ("Ann Example, office, Treasurer, end time, 30 March 2015, start time, 6 May 2010", "kb", 20100506, 20150330),
    ("Exampleton, area, +3.1285, point in time, 1 April 2010", "kb", 20100401, 20100401),
])
def test_snippets_are_read_by_the_conventions_of_the_set(evidence: str, source: str, first: int, last: int) -> None:
    assert read_snippet(evidence, source) == Span(first, last)


def test_a_snippet_without_a_date_tells_nothing() -> None:
    assert read_snippet("Ann Example, Ann paints trees.", "text") is None
