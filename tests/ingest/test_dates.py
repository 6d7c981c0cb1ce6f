"""Dates by code: no clock of the machine, no crash, nothing lost, nothing guessed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, tzinfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.ingest.dates import Role, TimeSpan, find, language_of, resolve
from workbench.ingest.dates.languages import LANGUAGES
from workbench.model.time import BEGINNING, FOREVER, Instant, Unparsed, zone_of

NOON = Instant.parse("2024-05-08T12:00:00Z")
FORMS = sorted({form for language in LANGUAGES.values() for forms in language.table.values()
                for text in ([forms] if isinstance(forms, str) else forms.values()) for form in text.split("|")}
               | {"2023", "44", "0", "99999999999999999999", "1.5", "12,000", "-", "/", "2024-02-30", "9999-12-31",
                  "31", "CET", "UTC+14", "'", "٣", "²", "１２", "199X", "~", "Ann", "left"})
ANCHORS = st.sampled_from([NOON, Instant.of(1), Instant.of(9999, 12, 31, 23, 59), Instant.of(-200_000), BEGINNING,
                           FOREVER, Instant.of(-43, 3, 15), Instant.of(2024, 2, 29)])
ZONES = st.sampled_from([UTC, zone_of("Pacific/Auckland"), zone_of("America/New_York"), zone_of("+14:00")])


@pytest.fixture(params=["UTC", "Pacific/Midway", "Pacific/Auckland"])
def machine_zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setitem(os.environ, "TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("phrase", ["yesterday", "gestern", "ayer", "昨天"])
def test_yesterday_late_in_auckland_is_the_speakers_yesterday_on_every_machine(phrase: str, machine_zone: str) -> None:
    auckland = zone_of("Pacific/Auckland")
    said = Instant.parse("2024-05-08T23:30:00", auckland)
    value = resolve(phrase, said, auckland)
    assert isinstance(value, TimeSpan)
    assert value.start is not None
    assert value.start.best == Instant.parse("2024-05-07T00:00:00", auckland)


def test_the_fallback_reads_no_clock_of_the_machine(machine_zone: str) -> None:
    value = resolve("3 giorni fa", NOON, language="it")
    assert isinstance(value, TimeSpan)
    assert value.start is not None
    assert value.start.best.iso()[:10] == "2024-05-05"
    assert value.rule == "at:fallback" or value.rule == "fallback"


@pytest.mark.parametrize("phrase", ["2023-02-30", "30 February 2024", "2024-13-01", "2023-W60", "30. Februar 2024",
                                    "30 de febrero de 2024", "2024年2月30日", "from 2021 to 2019", "on 2024-02-30",
                                    "until 2024-02-30", "4/5/2024"])
def test_impossible_dates_are_kept_with_a_reason(phrase: str) -> None:
    value = resolve(phrase, NOON)
    assert isinstance(value, Unparsed)
    assert value.phrase == phrase
    assert value.reason


@pytest.mark.parametrize("phrase", ["65 million years ago", "vor 65 Millionen Jahren", "hace 65 millones de años",
                                    "6500万年前", "year 0", "4.5 billion years ago", "year 999999999"])
def test_dates_beyond_all_calendars_are_clamped(phrase: str) -> None:
    value = resolve(phrase, NOON)
    assert isinstance(value, TimeSpan)
    assert value.start is not None
    assert Instant.of(-200_000) <= value.start.earliest <= value.start.latest <= Instant.of(200_001)
    assert value.start.phrase == phrase


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=40) | st.lists(st.sampled_from(FORMS), min_size=1, max_size=7).map(" ".join), ANCHORS, ZONES,
       st.sampled_from(Role), st.sampled_from([None, "en", "de", "es", "fr", "pt", "zh", "ja"]))
def test_no_text_crashes_and_every_bound_is_in_order(text: str, anchor: Instant, zone: tzinfo, role: Role,
                                                     language: str | None) -> None:
    value = resolve(text, anchor, zone, role, language)
    if isinstance(value, Unparsed):
        assert value.phrase == text
    else:
        assert value.start is not None or value.end is not None
        if value.start is not None and value.end is not None:
            assert value.start.best < value.end.best
    at = 0
    for mention in find(text, anchor, zone, language):
        assert at <= mention.span[0] < mention.span[1] <= len(text)
        assert text[mention.span[0]:mention.span[1]] == mention.phrase
        at = mention.span[1]


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["yesterday", "last Tuesday", "three weeks ago", "next month", "since March", "5 Nov"]),
       st.integers(min_value=int(Instant.of(1900)), max_value=int(Instant.of(2100))))
def test_the_same_phrase_and_anchor_mean_the_same(phrase: str, at: int) -> None:
    assert resolve(phrase, Instant(at)) == resolve(phrase, Instant(at))


FOUND = [
    ("Alice joined Billing in January 2023 and left on 1 March.", ["in January 2023", "on 1 March"]),
    ("We may march in May; in 2019 she paid 2019 dollars.", ["in May", "in 2019"]),
    ("Bob was CEO from 2019 to 2021, then moved last Tuesday at 5pm CET.",
     ["from 2019 to 2021", "last Tuesday at 5pm CET"]),
    ("The bug was fixed on 2024-02-30, see 10.1.2.", ["on 2024-02-30"]),
    ("Seit März 2021 arbeitet sie bei Acme.", ["Seit März 2021"]),
    ("Ella vive en Madrid desde marzo de 2021.", ["desde marzo de 2021"]),
    ("王明2019年加入阿里巴巴，去年离开。", ["2019年", "去年"]),
    ("He sat on a chair; second, the spring broke.", []),
    ("She has lived in Rome for three years.", ["for three years"]),
    ("", []),
]


@pytest.mark.parametrize(("text", "phrases"), FOUND)
def test_phrases_are_found_in_running_text(text: str, phrases: list[str]) -> None:
    assert [mention.phrase for mention in find(text, NOON)] == phrases


def test_an_impossible_date_in_a_text_is_reported_not_lost() -> None:
    mention, = find("It was fixed on 2024-02-30.", NOON)
    assert isinstance(mention.value, Unparsed)


@pytest.mark.parametrize(("text", "code"), [
    ("Peter wohnt in Berlin seit März 2021.", "de"), ("Ana vive en Madrid desde 2019.", "es"), ("王明住在北京", "zh"),
    ("Ann lives in Rome.", "en"), ("", "en")])
def test_the_language_of_a_sentence_is_told_by_its_small_words(text: str, code: str) -> None:
    assert language_of(text).code == code


def test_coming_dates_can_be_preferred() -> None:
    value = resolve("on Friday", NOON, future=True)
    assert isinstance(value, TimeSpan)
    assert value.start is not None
    assert value.start.best == Instant.of(2024, 5, 10)
