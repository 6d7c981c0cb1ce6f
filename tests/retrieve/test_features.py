"""Episodes by the sum of their features: each counts as described, and changes the order where it has something to
say."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.retrieve.making import everything, question, recorded, retriever, said, scopes, store, stores
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.time import DAY, Instant, Interval
from workbench.retrieve.documents import episode_text
from workbench.retrieve.features import Weights, nearness
from workbench.retrieve.fuse import interleaved
from workbench.retrieve.keyword import Keyword
from workbench.retrieve.retriever import ARMS, Plan
from workbench.retrieve.seam import Found, Hit, Kind, Query, Scope, Sight
from workbench.retrieve.speakers import first_person
from workbench.retrieve.text import question_tokens, tokens

EPISODES = frozenset({Kind.EPISODE})


# -- the window ---------------------------------------------------------------------------------------------------


def windowed_by_hand(texts: list[str], sessions: list[str | None], sight: Sight, terms: list[str]) -> dict[int, float]:
    """The definition, one pair of turns at a time."""
    docs = [tokens(text) for text in texts]
    seen = [number for number in range(len(texts)) if sight.episodes[number]]

    def weight(one: int, other: int) -> float:
        if one == other:
            return 1.0
        turns = [n for n, text in enumerate(texts) if text and sessions[n] == sessions[one]]
        if sessions[one] is None or other not in turns or abs(turns.index(one) - turns.index(other)) > 4:
            return 0.0
        low, high = sorted((one, other))
        between = sum(len(docs[n]) for n in turns if low < n < high)
        return max(0.0, 1 - (len(docs[low]) / 2 + between + len(docs[high]) / 2) / 120)

    lengths = {one: sum(weight(one, other) * len(docs[other]) for other in seen) for one in seen}
    mean = sum(lengths.values()) / max(1, len(lengths))
    scores = dict.fromkeys(seen, 0.0)
    for term in terms:
        held = sum(term in docs[number] for number in seen)
        for one in seen if held else ():
            times = sum(weight(one, other) * docs[other].count(term) for other in seen)
            scores[one] += math.log(1 + (len(seen) - held + 0.5) / (held + 0.5)) * 2.2 * times / (
                times + 1.2 * (0.25 + 0.75 * lengths[one] / mean))
    return scores


@settings(max_examples=60, deadline=None)
@given(stores(), scopes(), st.integers(1, 60))
def test_the_window_is_the_formula(episodes: list[Episode], scope: Scope, stretch: int) -> None:
    long = [replace(one, text=one.text + " and so on" * stretch) if number % 3 == 0 and one.text else one
            for number, one in enumerate(episodes)]
    scope = replace(scope, kinds=EPISODES)
    with store(long) as wb:
        found = retriever(wb, embed=False)
        sight = found.sight(scope)
        entries = [wb.graph.entry(wb.graph.timeline.episode_id(number)) for number in range(wb.graph.episodes)]
        held = [entry[1] for entry in entries if entry is not None]
        text = "Ann likes the harbour so"
        keyword = found.arms["keyword"]
        assert isinstance(keyword, Keyword)
        scores = keyword.windowed(Query(text), sight, sight.numbers(Kind.EPISODE))
        expected = windowed_by_hand([episode_text(entry) for entry in held], [one.episode.session for one in held],
                                    sight, question_tokens(text))
    assert dict(zip(sight.numbers(Kind.EPISODE).tolist(), scores.tolist(), strict=True)) == {
        number: pytest.approx(score, rel=1e-4, abs=1e-6) for number, score in expected.items()}


# -- a small conversation -----------------------------------------------------------------------------------------

TALK = [
    ("e0", "Bo", "The weather was grey all week", 0),
    ("e1", "Bo", "Did the sailing lesson at the lighthouse go well?", 0),
    ("e2", "Ann", "Yes, wonderful, we even saw seals", 0),
    ("e3", "Bo", "My violin is from Cremona", 20),
    ("e4", "Ann", "My violin is from Mittenwald", 20),
    ("e5", "Ann", "Violin of theirs: from her old teacher Cremona", 20),
    ("e6", "Ann", "We bought plums on the market", 40),
    ("e7", "Ann", "We bought plums on the market", 60),
    ("e8", "Ann", "Shall I bake bread?", 80),
    ("e9", "Ann", "Shall I bake bread!", 80),
]


def talk() -> list[Episode]:
    return [said(identifier, text, day, speaker=speaker, session=f"day {day}")
            for identifier, speaker, text, day in TALK]


@pytest.mark.parametrize(("feature", "text", "day", "first", "without"), [
    ("window", "What happened at the sailing lesson at the lighthouse?", None, {"e0", "e1", "e2"}, {"e1"}),
    ("speaker", "Where is the violin of Ann from, Mittenwald or Cremona?", None, {"e4", "e5"}, None),
    ("date", "plums on the market", 61, {"e7"}, {"e6"}),
    ("asks", "bake bread", None, {"e9"}, {"e8"}),
])
def test_each_feature_changes_the_order(feature: str, text: str, day: int | None, first: set[str],
                                        without: set[str] | None) -> None:
    with store(talk()) as wb:
        found = retriever(wb)
        scope = replace(everything(), kinds=EPISODES)
        times = [] if day is None else [Interval(recorded(day), recorded(day + 1))]
        query = found.understand(text, found.sight(scope), times)
        orders = []
        for weights in (Weights(), replace(Weights(), **{feature: 0.0})):
            result = found.retrieve(query, scope, len(TALK), plan=Plan(weights=weights))
            orders.append([wb.graph.timeline.episode_id(one.hit.number) for one in result.found])
        assert orders[0] != orders[1]
        assert set(orders[0][:len(first)]) == first
        assert without is None or set(orders[1][:len(without)]) == without


def test_a_year_in_a_text_outweighs_more_words() -> None:
    pages = ["Harbour House is a house by the harbour", "Harbour House: owners of the house over time",
             "It stood empty from 1811 to 1827", "Merz bought it in 1827 and sold it", "1964: a museum was opened"]
    with store([said(f"p{number}", text, number, session=f"page {number}") for number, text in enumerate(pages)]) as wb:
        found = retriever(wb, embed=False)
        scope = replace(everything(), kinds=EPISODES)
        firsts = [wb.graph.timeline.episode_id(found.retrieve(
            "Who owned Harbour House from 1964 on?", scope, 5, ["keyword", "graph"],
            Plan(weights=replace(Weights(), number=weight))).found[0].hit.number) for weight in (2.0, 0.0)]
        sight = found.sight(scope)
        keyword = found.arms["keyword"]
        assert isinstance(keyword, Keyword)
        scores = keyword.numerals(Query("1827 or 1964, 1964?"), sight, sight.numbers(Kind.EPISODE))
    assert firsts[0] == "p4" and firsts[1] != "p4"
    once, twice = 2.2 * math.log1p(4.5 / 1.5), 2.2 * math.log1p(3.5 / 2.5)
    assert scores.tolist() == pytest.approx([0, 0, twice, twice, once])


def test_the_question_is_put_in_the_mouth_of_who_is_named() -> None:
    with store([*talk(), said("e10", "a manual: violin of Ann", 90)]) as wb:
        found = retriever(wb)
        scope = replace(everything(), kinds=EPISODES)
        query = found.understand("Where is Ann's violin from?", found.sight(scope))
        assert query.speakers == {"Ann"}
        spoken, plain = (found.retrieve(replace(query, speakers=speakers), scope, 20, arms=["semantic"]).rankings[0]
                         for speakers in (query.speakers, frozenset[str]()))
        by_number = [{hit.number: hit.score for hit in one.hits} for one in (spoken, plain)]
        assert by_number[0][4] > by_number[1][4]  # "my violin" is nearer to "my violin"
        assert by_number[0][10] == pytest.approx(by_number[1][10])  # nobody says this, so it is compared as asked
        assert [one.number for one in spoken.hits] != [one.number for one in plain.hits]


@pytest.mark.parametrize(("text", "speakers", "expected"), [
    ("What does Ann do?", ["Ann"], "What do I do?"), ("What is Ann’s plan?", ["Ann"], "What is my plan?"),
    ("What did Annabel do?", ["Ann"], "What did Annabel do?"),
    ("has ann sold her car?", ["Ann Lee"], "have I sold my car?"),
    ("Did Ann tell Bo about her car?", ["Ann", "Bo"], "Did I tell I about her car?"),
    ("Who will see Will?", ["Will"], "Who will see I?"), ("What of C++ (x)?", ["C++ (x)"], "What of I?"),
    ("her cat", [], "her cat"), ("", ["Ann"], ""), ("What is James' boat?", ["James"], "What is my boat?"),
])
def test_first_person(text: str, speakers: list[str], expected: str) -> None:
    assert first_person(text, speakers) == expected


def test_nearness() -> None:
    time = Interval(recorded(10), recorded(12))
    at = np.array([recorded(10), Instant(recorded(12) - 1), recorded(19), recorded(10) - 7 * DAY // 3], dtype=np.int64)
    assert nearness(at, [time]).tolist() == pytest.approx([1, 1, math.exp(-1), math.exp(-1)])
    assert nearness(at, []).tolist() == [0] * 4
    assert nearness(at, [time, Interval(recorded(19), recorded(20))])[2] == 1


# -- putting together ---------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(stores(), scopes(), st.integers(0, 12))
def test_shares_add_up_and_order(episodes: list[Episode], scope: Scope, limit: int) -> None:
    with store(episodes) as wb:
        found = retriever(wb)
        query = question(found, "When did Ann and Cy like tea? 北京大学 home moved harbour", scope)
        result = found.retrieve(query, scope, limit)
        for one in result.found:
            assert one.hit.score == pytest.approx(sum(one.scores.values()))
        by_kind = [[one.hit for one in result.found if one.hit.kind is kind] for kind in Kind]
        for hits in by_kind:
            assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.number))
        alone = found.retrieve(query, replace(scope, kinds=scope.kinds & EPISODES), limit)
        assert [one.hit.number for one in alone.found] == result.scored.numbers[:limit].tolist()
        assert by_kind[0] == [one.hit for one in alone.found][:len(by_kind[0])]
        for arm in result.rankings:
            ranks = {hit.number: rank for rank, hit in enumerate(
                (hit for hit in arm.hits if hit.kind is Kind.FACT), 1)}
            assert all(one.ranks.get(arm.arm) == ranks.get(one.hit.number) for one in result.found
                       if one.hit.kind is Kind.FACT)


def test_kinds_take_turns() -> None:
    kinds = [[Found(Hit(kind, number, 3.0 - number)) for number in range(count)]
             for kind, count in ((Kind.EPISODE, 1), (Kind.FACT, 3))]
    assert [(one.hit.kind, one.hit.number) for one in interleaved(kinds, 9)] == [
        (Kind.EPISODE, 0), (Kind.FACT, 0), (Kind.FACT, 1), (Kind.FACT, 2)]
    assert len(interleaved(kinds, 2)) == 2 and interleaved(kinds, -1) == []


@pytest.mark.parametrize("left_out", ARMS)
def test_no_arm_is_a_no_op(left_out: str) -> None:
    """Fault 52: without any one of the arms the result is another."""
    trips = [Claim("Cy", "visits", f"place {n}", valid_from=recorded(30).iso()[:10]) for n in range(5)]
    episodes = [*(said(f"x{n}", f"milk and lemon {n}", n, trips[n]) for n in range(5)),
                said("e0", "tea with milk", 10, Claim("Ann", "home", "Oslo")),
                said("e1", "tea with lemon", 11, Claim("Oslo", "lies in", "Norway"), Claim("Oslo", "borders", "Moss")),
                said("e2", "nothing of the sort", 30, Claim("Bo", "likes", "tea"), session="s")]
    with store(episodes) as wb:
        found = retriever(wb)
        scope = everything(valid_at=recorded(60))
        query = found.understand("What of tea for Ann?", found.sight(scope), [Interval(recorded(30), recorded(31))])
        orders = [[(one.hit.kind, one.hit.number, one.hit.score) for one in found.retrieve(
            query, scope, 30, arms=[arm for arm in ARMS if arm != missing]).found] for missing in ("", left_out)]
        assert [item[:2] for item in orders[0]] != [item[:2] for item in orders[1]]


def test_one_arm_alone_keeps_its_order() -> None:
    with store(talk()) as wb:
        found = retriever(wb)
        for arm in ("keyword", "semantic"):
            result = found.retrieve("Where is the violin from?", everything(), 20, arms=[arm])
            assert [one.hit.number for one in result.found] == [hit.number for hit in result.rankings[0].hits]
            assert result.sessions()[0].session == "day 20"


def test_sessions_are_ranked_by_their_turns() -> None:
    with store(talk()) as wb:
        found = retriever(wb)
        result = found.retrieve("Where is the violin from?", replace(everything(), kinds=EPISODES), 3)
        sessions = result.sessions()
        assert sessions[0].session == "day 20" and set(sessions[0].episodes) == {3, 4, 5}
        scores = dict(zip(result.scored.numbers.tolist(), result.scored.scores.tolist(), strict=True))
        for one in sessions:
            assert one.score == pytest.approx(math.log(sum(math.exp(1.5 * scores[number]) for number in one.episodes)))
        assert [one.score for one in sessions] == sorted((one.score for one in sessions), reverse=True)


def test_an_episode_that_is_not_embedded_is_not_pushed_down() -> None:
    with store([said(f"e{n}", f"harbour {n}", n) for n in range(3)]) as wb:
        found = retriever(wb)
        wb.ingest([said("new", "harbour again, harbour", 3)])
        result = found.retrieve("harbour", replace(everything(), kinds=EPISODES))
        assert result.rankings[1].note == "3 of 4 episodes embedded"
        shares = {one.hit.number: one.scores["cosine"] for one in result.found}
        assert shares[3] == pytest.approx(sum(shares[number] for number in range(3)) / 3)
