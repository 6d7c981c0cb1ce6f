"""The laws of the extraction seam, over random texts and random replies."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.graph.schema_json import default_schema
from workbench.ingest.seam import Context
from workbench.model.episode import Episode
from workbench.model.errors import EpisodeError
from workbench.model.fact import Entity
from workbench.model.time import Unparsed
from workbench.testing.extracting import SAID_AT, extract, reply

pytest.importorskip("dspy", reason="the extra `lm` is not installed")
from workbench.ingest.programs.extractor import ProgramExtractor
from workbench.ingest.programs.modules import MODULES
from workbench.testing.canned import canned_lm

NAMES = ("Ann", "Bob", "Acme", "Rome", "北京", "José", "김민수", "O'Hara", "Team 7")
VERBS = ("joined", "left", "lives in", "works at", "met", "never liked")
WHEN = ("in May 2023", "yesterday", "since 2019", "until March 2020", "for three years", "after the war", "2024-02-30",
        "on 1 March", "")
SECRET = ("Zebedee", "Xanadu")  # known from the context only

sentence = st.builds(lambda a, verb, b, when: f"{a} {verb} {b} {when}".strip() + ".", st.sampled_from(NAMES),
                     st.sampled_from(VERBS), st.sampled_from(NAMES), st.sampled_from(WHEN))
texts = st.lists(sentence, min_size=1, max_size=5).map(" ".join)
words = st.one_of(st.sampled_from((*NAMES, *SECRET, "I", "she", "", "the Acme")), st.text(max_size=12))
times = st.lists(st.fixed_dictionaries({
    "phrase": st.one_of(st.sampled_from(WHEN), st.text(max_size=8)),
    "role": st.sampled_from(("start", "end", "at", "duration", "order", "?"))}), max_size=3)


@st.composite
def drafts(draw: st.DrawFn, text: str) -> dict[str, Any]:
    low = draw(st.integers(0, len(text)))
    stretch = text[low:low + draw(st.integers(0, 60))]
    quote = draw(st.one_of(st.just(stretch), st.just(f"{SECRET[0]} owns {SECRET[1]}"), st.text(max_size=10)))
    relation = draw(st.sampled_from(("worksFor", "livesIn", "likes !")))
    return {"quote": quote, "subject": draw(words), "relation": relation,
            "object": draw(st.one_of(st.none(), words)), "value": draw(st.one_of(st.none(), words, st.integers())),
            "polarity": draw(st.sampled_from(("affirmed", "denied", "ended"))), "times": draw(times)}


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, list[dict[str, Any]]]:
    text = draw(texts)
    return text, draw(st.lists(drafts(text), max_size=4))


CONTEXT = Context(default_schema(), (Entity("urn:x", SECRET[0], ("Zeb",)),), (
    Episode("e0", text=f"{SECRET[0]} owns {SECRET[1]}.", speaker="Cy", observed_at=SAID_AT),))


@given(cases())
@settings(max_examples=80)
def test_every_claim_has_words_of_the_text_and_nothing_of_the_context(case: tuple[str, list[dict[str, Any]]]) -> None:
    text, said = case
    found = extract(text, reply(*said), speaker="Dee", earlier=CONTEXT.earlier, entities=CONTEXT.entities)
    for claim in found:
        assert claim.span is not None and claim.quote == text[claim.span[0]:claim.span[1]] and claim.quote.strip()
        assert SECRET[1] not in (claim.subject, claim.object, claim.value) or claim.inferred
        for name in (claim.subject, claim.object):
            assert name is None or claim.inferred or name.casefold() in text.casefold()
    again = extract(text, reply(*said), speaker="Dee", earlier=CONTEXT.earlier, entities=CONTEXT.entities)
    assert again == found
    # each draft is a claim, one with another, or named among the dropped
    assert len(found) <= len(said) and (len(found) > 0 or not said or bool(found.dropped))


@given(texts, times)
@settings(max_examples=60)
def test_no_claim_is_lost_by_a_bad_date(text: str, phrases: list[dict[str, Any]]) -> None:
    subject = next(name for name in NAMES if text.startswith(name))
    draft = {"quote": text.split(".")[0], "subject": subject, "relation": "is in", "value": subject, "object": None}
    bare = extract(text, reply(draft))
    timed = extract(text, reply({**draft, "times": phrases}))
    assert len(bare) == len(timed) == 1
    for claim in timed:
        assert replace(claim, start=None, end=None, valid_from=None, valid_to=None) == bare[0]
        for bound, phrase in ((claim.start, claim.valid_from), (claim.end, claim.valid_to)):
            if isinstance(bound, Unparsed):
                assert phrase is not None and bound.reason


@settings(max_examples=100)
@given(st.one_of(st.text(max_size=200), st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=10)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(
        st.sampled_from(("claims", "facts", "times", "mentions", "subject", "quote", "x")), inner, max_size=4)),
    max_leaves=12).map(json.dumps)), st.sampled_from(sorted(MODULES)))
def test_whatever_the_model_says_the_episode_ends_read_or_given_up(said: str, program: str) -> None:
    try:
        found = extract("Ann joined Acme in May 2023.", said, program=program)
    except EpisodeError as error:
        assert "e1" in str(error)
    else:
        assert all(claim.quote and claim.quote in "Ann joined Acme in May 2023." for claim in found)


def test_a_fingerprint_names_program_state_and_model() -> None:
    one, other = (ProgramExtractor(name, canned_lm("")) for name in ("onepass", "staged"))
    assert one.fingerprint.startswith("onepass-1") and one.fingerprint.endswith("canned/script")
    assert one.fingerprint == ProgramExtractor("onepass", canned_lm("x")).fingerprint != other.fingerprint
    changed = MODULES["onepass"]()
    changed.read.demos = []
    assert ProgramExtractor("onepass", canned_lm(""), changed).fingerprint != one.fingerprint
