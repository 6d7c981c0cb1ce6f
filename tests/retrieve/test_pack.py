"""Packs: never over budget, never a cut sentence, nothing that the cited episode does not say."""

from __future__ import annotations

import re
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench import Workbench
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.errors import UsageError
from workbench.model.sentences import sentence_spans
from workbench.model.time import DAY, Instant
from workbench.retrieve.encoder import default_model_path
from workbench.retrieve.pack import Pack
from workbench.retrieve.seam import Kind
from workbench.retrieve.tokens import Bytes, TokenCounter, token_counter
from workbench.testing.clock import FixedClock

START = Instant.of(2024)
WORDS = ("Ann Bob Platform Billing moved left joined tea rollout failed 北京 محمد ERR-12/4 C++ “quoted” Dr. v1.2 …"
         ).split()
SENTENCE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join)
TEXT = st.lists(st.tuples(SENTENCE, st.sampled_from([". ", "! ", "?\n", "。", "\n\n", " ", ".\r\n"])), max_size=8).map(
    lambda parts: "".join(sentence + end for sentence, end in parts))
CLAIM = st.builds(
    lambda subject, relation, value, day: Claim(subject, relation, value, valid_from=f"2023-0{day}"),
    st.sampled_from(["Ann", "Bob", "Line\nbreak"]), st.sampled_from(["memberOf", "livesIn", "uses"]),
    st.sampled_from(["Platform", "Billing", "Rome", "a, (b)"]), st.integers(1, 9))


def counters() -> list[TokenCounter]:
    found: list[TokenCounter] = [Bytes()]
    if find_spec("bpe_openai") is not None:
        found += [token_counter("o200k_base"), token_counter("cl100k_base")]
    if default_model_path() is not None:
        found.append(token_counter("wordpiece"))
    return found


COUNTERS = counters()


@given(st.lists(st.tuples(TEXT, st.lists(CLAIM, max_size=4)), min_size=1, max_size=6), st.integers(0, 400),
       st.sampled_from(COUNTERS),
       st.sampled_from(["Where does Ann live?", "Ann rollout ERR-12/4", "北京 when, in order?", ""]))
def test_a_pack_keeps_to_its_budget_and_its_sources(
        said: list[tuple[str, list[Claim]]], budget: int, counter: TokenCounter, question: str) -> None:
    wb = Workbench.open(clock=FixedClock(START.plus(90 * DAY)))
    episodes = {f"e {n}": Episode(f"e {n}", text=text, claims=tuple(claims), speaker="ann", session="s",
                                  observed_at=START.plus(n * DAY)) for n, (text, claims) in enumerate(said)}
    wb.ingest(episodes.values())
    pack = wb.retrieve(question, budget=budget, arms=("keyword", "graph", "time"), tokenizer=counter,
                       history=True).pack
    check(wb, pack, counter, budget)


def check(wb: Workbench, pack: Pack, counter: TokenCounter, budget: int) -> None:
    assert pack.tokens == counter.count(pack.text) <= budget or (pack.text == "" and pack.tokens == 0)
    for line in pack.lines:
        assert "\n" not in line.text and line.episode in line.text
        entry = wb.graph.entry(line.episode)
        assert entry is not None
        text = entry[1].episode.text or ""
        if line.kind is Kind.FACT:
            fact = next(fact for fact in wb.believed() if fact.id == line.fact)
            assert line.episode in fact.episodes
            said = re.sub(r"\s*[\n\r]\s*", " ", f"{fact.subject} {fact.relation_label} {fact.object}")
            assert line.text.startswith(said) and any(claim.subject == fact.subject for claim in entry[1].claims)
            continue
        sentences = [text[low:high].strip() for low, high in sentence_spans(text)]
        assert line.quotes
        for quote in line.quotes:
            assert quote in text and quote in line.text
            inside = [sentence for sentence in sentences if sentence in quote]
            assert inside and quote.startswith(inside[0].splitlines()[0].strip()[:1])
            assert any(quote.endswith(sentence.splitlines()[-1].strip()) for sentence in inside)


def _store(*claims: Claim, text: str = "") -> Workbench:
    wb = Workbench.open(clock=FixedClock(START.plus(90 * DAY)))
    wb.ingest([Episode(f"e{n}", observed_at=START, speaker="bo", text=text, claims=(claim,))
               for n, claim in enumerate(claims)])
    return wb


def test_a_fact_is_a_line_with_interval_and_source() -> None:
    wb = _store(Claim("Ann", "memberOf", "Platform", valid_from="2023-03-01"))
    pack = wb.retrieve("Tell me about Ann", arms=("graph",), tokenizer="bytes").pack
    assert pack.text == "Ann member of Platform [2023-03-01 – …) (e0, said by bo, on 2024-01-01)"


def test_both_sides_of_a_conflict_or_none() -> None:
    wb = _store(*(Claim("Ann", "livesIn", place, valid_from="2023-01") for place in ("Rome", "Oslo")))
    whole = wb.retrieve("Ann", arms=("graph",), tokenizer="bytes", budget=400).pack
    assert {line.text.split(" [")[0] for line in whole.lines} == {"Ann lives in Rome", "Ann lives in Oslo"}
    assert all("competing" in line.text for line in whole.lines)
    narrow = wb.retrieve("Ann", arms=("graph",), tokenizer="bytes", budget=len(whole.lines[0].text.encode()) + 8).pack
    assert narrow.lines == ()


def test_stale_facts_only_where_the_past_is_asked_for() -> None:
    """Fault 12."""
    wb = _store(Claim("Ann", "memberOf", "Billing", valid_from="2022", valid_to="2023-01-01"),
                Claim("Ann", "memberOf", "Platform", valid_from="2023-06"))
    assert "Billing" not in wb.retrieve("What is Ann up to?", arms=("graph",)).pack.text
    past = wb.retrieve("Which teams has Ann been a member of?", arms=("graph",)).pack
    assert [line.text.split(" [")[0] for line in past.lines] == ["Ann member of Billing", "Ann member of Platform"]


def test_long_episodes_give_whole_sentences_that_bear_on_the_question() -> None:
    text = " ".join(f"Sentence {n} is about nothing much at all." for n in range(60)) + " The rollout failed on Monday."
    wb = Workbench.open(clock=FixedClock(START.plus(DAY)))
    wb.ingest([Episode("long", text=text, observed_at=START, claims=())])
    pack = wb.retrieve("Why did the rollout fail?", arms=("keyword",), budget=120, tokenizer="bytes").pack
    assert [line.quotes for line in pack.lines] == [("The rollout failed on Monday.",)]


def test_an_unknown_tokenizer_is_named_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="wordpiece"):
        token_counter("nonesuch")
