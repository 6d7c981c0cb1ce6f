"""How each arm orders what it finds, and how arms are put together."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.retrieve.making import everything, question, recorded, retriever, said, store
from workbench.graph.columns import Index as Columns
from workbench.model.claim import Claim
from workbench.model.errors import UsageError
from workbench.model.time import Instant, Interval
from workbench.retrieve.fuse import by_score, diverse, reciprocal_rank
from workbench.retrieve.keyword import Keyword
from workbench.retrieve.rank import order, top
from workbench.retrieve.retriever import Plan
from workbench.retrieve.seam import Found, Hit, Kind, Query, Ranking
from workbench.retrieve.text import tokens
from workbench.testing.encoding import HashedWords

TEXTS = ["the cat sat", "a cat and a cat and a dog", "dogs run", "the bird", "cat cat cat bird bird dog run run run"]


def test_bm25_is_the_formula() -> None:
    with store([said(f"e{n}", text, n) for n, text in enumerate(TEXTS)]) as wb:
        found = retriever(wb)
        hits = found.retrieve("cat birds", everything(), arms=["keyword"]).rankings[0].hits
    docs = [tokens(text) for text in TEXTS]
    mean = sum(map(len, docs)) / len(docs)
    expected = {}
    for number, doc in enumerate(docs):
        score = 0.0
        for term in ("cat", "bird"):
            n, times = sum(term in other for other in docs), doc.count(term)
            score += math.log(1 + (len(docs) - n + 0.5) / (n + 0.5)) * times * 2.2 / (
                times + 1.2 * (0.25 + 0.75 * len(doc) / mean))
        if score:
            expected[number] = pytest.approx(score, rel=1e-5)
    assert {hit.number: hit.score for hit in hits} == expected


def test_skipping_frequent_words_changes_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    from workbench.retrieve import keyword

    with store([said(f"e{n}", "harbour " * (n % 3 + 1) + f"w{n % 7} x{n % 11}" + " and so on" * (n % 5), n)
                for n in range(120)]) as wb:
        found = retriever(wb, embed=False)
        query = Query("w3 x5 harbour on")
        whole = found.arms["keyword"].rank(query, found.sight(everything()), 5)
        monkeypatch.setattr(keyword, "FREQUENT", 0)
        assert found.arms["keyword"].rank(query, found.sight(everything()), 5).hits == whole.hits
        assert isinstance(found.arms["keyword"], Keyword)


def test_the_relation_asked_for_comes_first() -> None:
    with store([said("e0", "", 0, Claim("Ann", "likes", "Cy"), Claim("Ann", "home", "Oslo"),
                     Claim("Ann", "visited", "Rome"),
                     Claim("Oslo", "lies in", "Norway"), Claim("Rome", "lies in", "Italy"))]) as wb:
        found = retriever(wb)
        ranked = [found.text(one.hit) for one in found.retrieve(
            "What does Ann like?", replace(everything(), kinds=frozenset({Kind.FACT})), arms=["graph"]).found]
        assert ranked[0] == "Ann likes Cy"
        assert set(ranked[1:3]) == {"Ann home Oslo", "Ann visited Rome"}
        assert set(ranked[3:]) == {"Oslo lies in Norway", "Rome lies in Italy"}
        backwards = found.retrieve("What about Norway?", everything(), arms=["graph"]).found
        assert "Ann home Oslo" in [found.text(one.hit) for one in backwards]


def test_the_graph_arm_looks_at_the_neighbourhood_only(monkeypatch: pytest.MonkeyPatch) -> None:
    episodes = [said("e0", "", 0, Claim("Ann", "likes", "Cy"))]
    episodes += [said(f"x{n}", "", 1, Claim(f"p{n}", "likes", f"q{n}")) for n in range(200)]
    with store(episodes) as wb:
        found = retriever(wb, embed=False)
        query = question(found, "Ann", everything())
        sight, looked = found.sight(everything()), list[int]()
        real = Columns.rows_of_many

        def counting(self: Columns, majors: object) -> object:
            rows = real(self, majors)  # type: ignore[arg-type]
            looked.append(len(rows))
            return rows

        monkeypatch.setattr(Columns, "rows_of_many", counting)
        assert len(found.arms["graph"].rank(query, sight, 10).hits) == 1
        assert 0 < sum(looked) < 20


def test_a_hub_is_capped_and_its_latest_facts_stay() -> None:
    claims = [Claim("Hub", "mentions", f"p{n}", valid_from=f"{1700 + n}") for n in range(300)]
    with store([said("e0", "", 0, *claims)]) as wb:
        found = retriever(wb, embed=False)
        ranking = found.arms["graph"].rank(question(found, "Hub", everything()), found.sight(everything()), 1000)
        facts = [found.text(hit) for hit in ranking.hits if hit.kind is Kind.FACT]
        assert len(facts) == 256
        assert facts[0] == "Hub mentions p299" and "Hub mentions p0" not in facts


def test_time_changes_the_order() -> None:
    """Fault 52."""
    with store([said(f"e{n}", "tea", n) for n in range(10)]) as wb:
        found = retriever(wb)
        days = [Interval(recorded(day), recorded(day + 1)) for day in range(10)]
        results = [found.retrieve(Query("tea", times=(day,)), everything()) for day in days]
        assert [result.found[0].hit.number for result in results] == list(range(10))
        ranking = found.retrieve("tea", everything(), arms=["time"]).rankings[0]
        assert (ranking.hits, ranking.note) == ((), "the question names no time")


def test_facts_nearest_the_time_come_first() -> None:
    with store([said("e0", "", 0, *[Claim("Ann", "likes", f"p{year}", valid_from=f"{year}", valid_to=f"{year + 5}")
                                    for year in (1990, 2000, 2003, 2010)])]) as wb:
        found = retriever(wb)
        query = Query("", times=(Interval(Instant.of(2003), Instant.of(2004)),))
        scope = replace(everything(), kinds=frozenset({Kind.FACT}))
        ranked = [found.text(one.hit) for one in found.retrieve(query, scope, arms=["time"]).found]
        assert ranked == ["Ann likes p2003", "Ann likes p2000"]


def test_speakers_named_in_the_question() -> None:
    with store([said("e0", "Hi", 0, speaker="Ann Lee"), said("e1", "Hi", 1, speaker="user"),
                said("e2", "Hi", 5, speaker="Bo")]) as wb:
        found = retriever(wb)
        sight = found.sight(everything(recorded(2)))
        assert found.understand("What did Ann say to Bo?", sight).speakers == {"Ann Lee"}
        assert found.understand("What did the user say?", sight).speakers == {"user"}
        assert found.understand("What will Bo say?", found.sight(everything(recorded(4)))).speakers == frozenset()


def test_names_that_begin_alike_and_names_that_are_words() -> None:
    speakers = ("Ann Lee", "Ann Poe", "Bo", "Bo Ek", "Will", "agent 1", "agent 2")
    with store([said(f"e{n}", "Hi", n, speaker=name) for n, name in enumerate(speakers)]) as wb:
        found = retriever(wb, embed=False)
        sight = found.sight(everything())
        for text, expected in (("What did Ann Lee say?", {"Ann Lee"}), ("What did Ann say?", set()),
                               ("Did Ann Lee meet Ann Poe?", {"Ann Lee", "Ann Poe"}), ("Did Bo come?", {"Bo"}),
                               ("Did bo ek come?", {"Bo Ek"}), ("Will it rain?", {"Will"}), ("Who will?", set()),
                               ("What did agent 2 say?", {"agent 2"}), ("Which agent?", set())):
            assert found.understand(text, sight).speakers == expected, text


def test_no_encoder_is_said() -> None:
    with store([said("e0", "tea", 0)]) as wb:
        found = retriever(wb)
        found.semantic.encoder = None
        ranking = found.retrieve("tea", everything(), arms=["semantic"]).rankings[0]
        assert (ranking.hits, ranking.note) == ((), "no encoder")


def test_vectors_of_two_encoders_are_never_mixed() -> None:
    with store([said("e0", "tea", 0)]) as wb:
        found = retriever(wb)
        other = HashedWords(32)
        other.name = "other"
        found.semantic.encoder = other
        assert found.retrieve("tea", everything(), arms=["semantic"]).rankings[0].note == "0 of 1 episodes embedded"
        assert found.semantic.embed() == 1
        assert found.retrieve("tea", everything(), arms=["semantic"]).found


def test_unknown_arms_and_fusions_are_refused() -> None:
    with store() as wb:
        found = retriever(wb)
        with pytest.raises(UsageError, match="no arm 'vector'; there are keyword, semantic, graph, time"):
            found.retrieve("x", everything(), arms=["vector"])
        with pytest.raises(UsageError, match="no fusion 'magic'"):
            found.retrieve("x", everything(), plan=Plan("magic"))


@pytest.mark.parametrize("plan", [Plan(), Plan("rank"), Plan("score", {"graph": 2}), Plan(diversity=0.5)])
def test_equal_questions_get_equal_results(plan: Plan) -> None:
    with store([said(f"e{n}", "tea for two", n, Claim("Ann", "likes", f"p{n}")) for n in range(12)]) as wb:
        results = [retriever(wb).retrieve(Query("tea for Ann", (0,)), everything(), 20, plan=plan).found
                   for _ in range(2)]
        assert results[0] == results[1]
        assert results[0]


# -- fusion -------------------------------------------------------------------------------------------------------

_hits = st.lists(st.tuples(st.sampled_from(list(Kind)), st.integers(0, 9), st.floats(0.1, 9)),
                 unique_by=lambda item: item[:2]).map(
    lambda items: tuple(sorted((Hit(*item) for item in items), key=order)))
_rankings = st.lists(_hits, min_size=1, max_size=3).map(
    lambda lists: [Ranking(f"arm{n}", hits) for n, hits in enumerate(lists)])


@given(_rankings, st.sampled_from([reciprocal_rank, by_score]), st.floats(0, 3))
def test_fusion_adds_up(rankings: list[Ranking], fuse: object, weight: float) -> None:
    weights = {"arm0": weight}
    found: list[Found] = fuse(rankings, weights)  # type: ignore[operator]
    assert found == sorted(found, key=lambda one: order(one.hit))
    assert fuse(rankings, weights, 3) == found[:3]  # type: ignore[operator]
    for one in found:
        assert one.hit.score == pytest.approx(sum(one.scores.values()))
        assert one.ranks.keys() == one.scores.keys()
    heard = rankings if weight else rankings[1:]
    for ranking in heard:
        assert {(hit.kind, hit.number): rank for rank, hit in enumerate(ranking.hits, 1)} == {
            (one.hit.kind, one.hit.number): one.ranks[ranking.arm] for one in found if ranking.arm in one.ranks}


def test_fusion_by_hand() -> None:
    a, b, c = (Hit(Kind.EPISODE, number, 3.0 - number) for number in range(3))
    found = reciprocal_rank([Ranking("x", (a, b)), Ranking("y", (replace(b, score=1), c))], {"y": 2})
    assert [one.hit.number for one in found] == [1, 2, 0]
    assert found[0].hit.score == pytest.approx(1 / 62 + 2 / 61)
    assert dict(found[0].ranks) == {"x": 2, "y": 1}
    assert [one.hit.number for one in by_score([Ranking("x", (a, b, c))])] == [0, 1, 2]


def test_diversity_puts_the_like_apart() -> None:
    texts = ["tea for two", "tea for two", "rum for one"]
    found = [Found(Hit(Kind.EPISODE, number, 1 - number / 10)) for number in range(3)]
    chosen = diverse(found, lambda hit: frozenset(texts[hit.number].split()), 2, 0.5)
    assert [one.hit.number for one in chosen] == [0, 2]
    assert [one.hit.number for one in diverse(found, lambda _: frozenset(), 2, 1)] == [0, 1]
    assert diverse([], lambda _: frozenset(), 2) == []


@given(st.lists(st.integers(0, 4), max_size=30), st.integers(-1, 12))
def test_top_is_sorting(scores: list[int], limit: int) -> None:
    import numpy as np

    expected = sorted((-score, number) for number, score in enumerate(scores) if score > 0)[:max(0, limit)]
    assert [(-hit.score, hit.number) for hit in top(Kind.FACT, np.array(scores, dtype=float), limit)] == expected
