"""Spans, times, values and windows: what code makes of single drafts."""

from __future__ import annotations

from datetime import UTC
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.model.claim import Claim, Polarity
from workbench.model.episode import Episode
from workbench.model.fact import Entity
from workbench.model.time import Bound, Instant, Unparsed
from workbench.testing.extracting import SAID_AT, extract, reply

pytest.importorskip("dspy", reason="the extra `lm` is not installed")
from workbench.ingest.programs.durations import duration_of
from workbench.ingest.programs.grounding import Grounds
from workbench.ingest.programs.windows import merged, windows


def _draft(quote: str, subject: str = "Ann", relation: str = "worksFor", object: str | None = "Acme", **more: Any
           ) -> dict[str, Any]:
    return {"quote": quote, "subject": subject, "relation": relation, "object": object, **more}


def _one(text: str, draft: dict[str, Any], **more: Any) -> Claim:
    found = extract(text, reply(draft), **more)
    assert len(found) == 1, found.dropped
    return found[0]


def _iso(bound: Bound | Unparsed | None) -> str | None:
    return bound.best.iso()[:10] if isinstance(bound, Bound) else None if bound is None else "unparsed"


@pytest.mark.parametrize(("text", "quote", "found"), [
    ("Ann  joined\nAcme.", "ann joined acme", "Ann  joined\nAcme"),
    ("She said “Ann joined”.", 'said "Ann joined"', "said “Ann joined”"),
    ("می‌خواهم Ann", "میخواهم Ann", "می‌خواهم Ann"),
    ("Ann, who is tall, joined Acme in May.", "Ann … joined Acme", "Ann, who is tall, joined Acme"),
    ("Ann joined Acme.", '"Ann joined Acme"', "Ann joined Acme"),
    ("Ann joined Acme.", "Ann left Acme", None),
    ("Ann joined Acme.", "...", None),
    ("Ann joined Acme.", "", None),
    ("Straße und Weg", "STRASSE UND", "Straße und"),
])
def test_a_quote_is_found_where_it_stands(text: str, quote: str, found: str | None) -> None:
    span = Grounds(text).quote(quote)
    assert (None if span is None else text[span[0]:span[1]]) == found


@given(st.text(max_size=80), st.data())
def test_every_stretch_with_a_letter_is_found_verbatim(text: str, data: st.DataObject) -> None:
    low = data.draw(st.integers(0, len(text)))
    high = data.draw(st.integers(low, len(text)))
    span = Grounds(text).quote(text[low:high])
    if span is None:
        assert not any(char.isalnum() for char in text[low:high])
    else:
        assert text[span[0]:span[1]] == text[low:high].strip()


@pytest.mark.parametrize(("text", "times", "polarity", "start", "end"), [
    ("Ann joined Acme in May 2023.", [("in May 2023", "start")], "affirmed", "2023-05-01", None),
    ("Ann joined Acme in May 2023.", [("May 2023", "start")], "affirmed", "2023-05-01", None),
    ("Ann joined Acme yesterday.", [("yesterday", "start")], "affirmed", "2024-06-02", None),
    ("Ann worked at Acme from 2019 to 2021.", [("2019", "start"), ("2021", "end")], "affirmed", "2019-01-01",
     "2022-01-01"),
    ("Ann worked at Acme from 2019 to 2021.", [("from 2019 to 2021", "at")], "affirmed", "2019-01-01", "2022-01-01"),
    ("Ann works at Acme until May 2030.", [("May 2030", "start")], "affirmed", None, "2030-06-01"),
    ("Ann joined Acme in 2019 and stayed for three years.", [("in 2019", "start"), ("for three years", "duration")],
     "affirmed", "2019-01-01", "2022-01-01"),
    ("Ann was at Acme for two years, which ended in May 2022.", [("for two years", "duration"), ("May 2022", "end")],
     "affirmed", "2020-06-01", "2022-06-01"),
    ("Ann has worked at Acme for three years.", [("for three years", "duration")], "affirmed", "2021-06-03", None),
    ("Ann worked at Acme for three years.", [("for three years", "duration")], "affirmed", "unparsed", None),
    ("Ann left Acme on 1 March.", [("on 1 March", "at")], "ended", None, "2024-03-01"),
    ("Ann left Acme on 1 March.", [("on 1 March", "end")], "affirmed", None, "2024-03-01"),
    ("Ann left Acme.", [], "ended", None, "2024-06-03"),
    ("Ann joined Acme after she left Bolt.", [("after she left Bolt", "order")], "affirmed", "unparsed", None),
    ("Ann joined Acme on 2024-02-30.", [("2024-02-30", "start")], "affirmed", "unparsed", None),
    ("Ann joined Acme.", [("in 2019", "start")], "affirmed", None, None),
    ("Ann joined Acme in 2021 and was there until 2019.", [("2021", "start"), ("until 2019", "end")], "affirmed",
     "2021-01-01", "unparsed"),
])
def test_code_reads_the_dates(text: str, times: list[tuple[str, str]], polarity: str, start: str | None,
                              end: str | None) -> None:
    phrases = [{"phrase": phrase, "role": role} for phrase, role in times]
    claim = _one(text, _draft(text.rstrip("."), times=phrases, polarity=polarity))
    assert (_iso(claim.start), _iso(claim.end)) == (start, end)


def test_the_zone_of_the_speaker_counts() -> None:
    claim = _one("Ann joined Acme yesterday.", _draft("joined Acme yesterday", times=["yesterday"]),
                 observed_at=Instant.parse("2024-01-10T23:30:00+13:00"), time_zone="Pacific/Auckland")
    assert isinstance(claim.start, Bound) and claim.start.best.iso() == "2024-01-08T11:00:00Z"


def test_never_is_denied_from_the_beginning() -> None:
    claim = _one("Ann has never worked at Acme.", _draft("Ann has never worked at Acme", polarity="denied"))
    assert claim.polarity is Polarity.DENIED and claim.valid_from == ".."


def test_dates_of_the_baseline_are_the_models() -> None:
    draft = _draft("Ann joined Acme yesterday", valid_from="2024-05-30", valid_to="soon")
    claim = _one("Ann joined Acme yesterday.", draft, program="onepass-model-dates")
    assert (_iso(claim.start), _iso(claim.end)) == ("2024-05-30", "unparsed")


@pytest.mark.parametrize(("text", "draft", "subject", "inferred"), [
    ("I joined Acme.", _draft("I joined Acme", "I"), "Dee", True),
    ("I joined Acme.", _draft("I joined Acme", "Dee"), "Dee", True),
    ("Acme is big.", _draft("Acme is big", "Dee"), None, True),
    ("She joined Acme.", _draft("She joined Acme", "Bea"), "Bea", True),
    ("Bolt joined Acme.", _draft("Bolt joined Acme", "Bea"), None, True),
    ("Ann is here. She joined Acme.", _draft("She joined Acme", "Ann"), "Ann", True),
    ("Ann is here. Bolt joined Acme.", _draft("Bolt joined Acme", "Ann"), "Ann", True),
    ("Bolt joined Acme. Ann is here.", _draft("Bolt joined Acme", "Ann"), None, True),
    ("Ann likes Acme. Bolt is closed.", _draft("Bolt is closed", "Ann"), None, True),
    ("Bob joined Acme.", _draft("Bob joined Acme", "Robert Smith"), "Robert Smith", False),
    ("The Ann joined Acme.", _draft("joined Acme", "the Ann"), "the Ann", False),
    ("Ann's team joined Acme.", _draft("joined Acme", "Ann"), "Ann", False),
    ("Annika joined Acme.", _draft("joined Acme", "Ann"), None, False),
    ("They joined Acme.", _draft("They joined Acme", "they"), None, False),
])
def test_names_stand_in_the_text_or_are_inferred(text: str, draft: dict[str, Any], subject: str | None,
                                                 inferred: bool) -> None:
    found = extract(text, reply(draft), speaker="Dee", entities=(Entity("urn:b", "Robert Smith", ("Bob",)),),
                    earlier=(Episode("e0", text="Bea is my sister.", speaker="Dee", observed_at=SAID_AT),))
    assert [claim.subject for claim in found] == ([] if subject is None else [subject])
    assert all(claim.inferred is inferred and claim.confidence == (0.7 if inferred else 0.9) for claim in found)
    assert len(found.dropped) == (subject is None)


@pytest.mark.parametrize(("text", "relation", "value", "wanted"), [
    ("Ann weighs 60 kg.", "weighs in at", "60 kg", "60 kg"),
    ("Ann weighs 60 kg.", "weighs in at", 60, 60),
    ("Ann weighs 60 kg.", "weighs in at", "61", None),
    ("Ann earns 1,234.50 a month.", "earns", "1234.5", 1234.5),
    ("Ann earns 1.234.567 a month.", "earns", "1234567", 1234567),
    ("Ann is tall.", "stands", "x" * 9000, None),
    ("Ann is tall.", "stands", "not tall", None),
])
def test_values_are_typed_and_stand_in_the_text(text: str, relation: str, value: Any, wanted: Any) -> None:
    found = extract(text, reply(_draft(text.rstrip("."), relation=relation, object=None, value=value)))
    assert [claim.value for claim in found] == ([] if wanted is None else [wanted])
    assert all(type(claim.value) is type(wanted) for claim in found) and len(found) + len(found.dropped) == 1


@pytest.mark.parametrize(("given", "wanted"), [
    ("memberOf", "urn:tcg:relation:memberOf"), ("member_of", "urn:tcg:relation:memberOf"),
    ("Commutes-By!", "commutes by"), ("commutesBy", "commutes by"), ("commutes_by", "commutes by")])
def test_relations_by_any_spelling(given: str, wanted: str) -> None:
    assert _one("Ann joined Acme.", _draft("Ann joined Acme", relation=given)).relation == wanted


def test_a_duration_is_read_alone_and_behind_a_preposition() -> None:
    for phrase in ("three years", "for three years", "about 18 months", "seit drei Jahren", "a year and a half"):
        assert duration_of(phrase) is not None, phrase
    for phrase in ("three", "in 2019", "x" * 500, ""):
        assert duration_of(phrase) is None, phrase
    bound = duration_of("a month")
    assert bound is not None
    start = Bound.exact(Instant.of(2024, 1, 31))
    assert bound.after(start, UTC, "a month").best == Instant.of(2024, 2, 29)
    assert bound.after(start, UTC, "a month", back=True).best == Instant.of(2023, 12, 31)


@given(st.text(alphabet="ab .!\n", max_size=400), st.integers(20, 80), st.integers(0, 9))
def test_windows_cover_the_text_and_keep_their_size(text: str, size: int, overlap: int) -> None:
    found = windows(text, size, overlap)
    assert all(0 <= low < high <= len(text) and high - low <= size for low, high in found)
    assert found == sorted(found)
    covered = {place for low, high in found for place in range(low, high)}
    assert all(place in covered or char.isspace() for place, char in enumerate(text))


def test_windows_overlap_by_sentences() -> None:
    text = " ".join(f"Sentence number {number} stands here." for number in range(20))
    found = windows(text, 200, 60)
    assert len(found) > 3
    for (_, high), (low, _) in pairwise(found):
        assert low < high and text[low:].lstrip().startswith("Sentence")


def test_merging_keeps_the_one_that_says_when() -> None:
    bare = Claim("Ann", "r", "Acme", quote="Ann joined Acme", span=(0, 15))
    dated = Claim("Ann", "r", "Acme", quote="Ann joined Acme in May", span=(0, 22), valid_from="in May",
                  start=Bound.exact(SAID_AT))
    later = Claim("Ann", "r", "Acme", quote="Ann joined Acme", span=(100, 115))
    assert merged([bare, dated]) == [dated] and merged([later, bare]) == [bare]
    assert len(merged([Claim("Ann", "r", value=1, span=(0, 1)), Claim("Ann", "r", value=True, span=(0, 1))])) == 2
