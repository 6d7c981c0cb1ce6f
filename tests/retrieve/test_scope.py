"""Every arm sees what the scope lets through and nothing else; no arm is a no-op."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.retrieve.making import everything, question, recorded, retriever, said, scopes, store, stores
from workbench import Workbench
from workbench.graph.timeline import GHOST
from workbench.ingest.standing import Standing
from workbench.model.claim import Claim
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.time import Instant, Interval, Vantage
from workbench.retrieve.documents import words_said
from workbench.retrieve.retriever import ARMS
from workbench.retrieve.seam import Hit, Kind, Scope
from workbench.retrieve.sight import withdrawn
from workbench.testing.histories import retraction

TEXT = "When did Ann and Cy like tea? 北京大学 home ERR-7/2 moved harbour"


def allowed(wb: Workbench, scope: Scope, hit: Hit, stood: set[str]) -> bool:
    """The scope's rules, read off the store one item at a time."""
    timeline = wb.graph.timeline

    def passes(number: int) -> bool:
        found = wb.graph.entry(timeline.episode_id(number))
        assert found is not None
        one = found[1].episode
        return ((not scope.sessions or one.session in scope.sessions)
                and (not scope.speakers or one.speaker in scope.speakers)
                and (not scope.episode_kinds or str(one.kind) in scope.episode_kinds)
                and (not scope.sources or any(one.source == name or (one.source or "").startswith(name + "/")
                                              for name in scope.sources)))

    valid, known = scope.vantage
    if hit.kind is Kind.EPISODE:
        found = wb.graph.entry(timeline.episode_id(hit.number))
        assert found is not None
        entry = found[1]
        return (Kind.EPISODE in scope.kinds and entry.recorded <= known and passes(hit.number)
                and bool(words_said(entry.episode).strip()) and entry.episode.id in stood
                and (scope.within is None or entry.observed in scope.within))
    get = timeline.records.get
    supports = [row for row in timeline.rows("support_of", hit.number).tolist()
                if timeline.supports.get("kf", row) <= known]
    by = [timeline.claims.get("episode", timeline.supports.get("claim", row)) for row in supports]
    return (Kind.FACT in scope.kinds and get("kf", hit.number) <= known < get("kt", hit.number)
            and not get("flags", hit.number) & GHOST
            and (scope.history or get("vf", hit.number) <= valid < get("vt", hit.number))
            and (scope.within is None or (get("vf", hit.number) < scope.within.end
                                          and get("vt", hit.number) > scope.within.start))
            and any(passes(number) for number in by))


def standing(episodes: list[Episode], known: Instant) -> set[str]:
    """Ids of the episodes that stand, in a store that ends at `known`, by the rules of ingestion."""
    kept = [one for one in episodes if one.recorded_at is not None and one.recorded_at <= known]
    with store(kept) as wb:
        rules = Standing(wb.graph, Episode("none of them"))
        return {identifier for _, identifier in wb.graph.catalogue() if rules.stands(identifier)}


@settings(max_examples=60)
@given(stores(), scopes())
def test_the_sight_is_what_the_scope_says(episodes: list[Episode], scope: Scope) -> None:
    with store(episodes) as wb:
        sight, stood = retriever(wb, embed=False).sight(scope), standing(episodes, scope.vantage.known_at)
        for kind, mask in ((Kind.EPISODE, sight.episodes), (Kind.FACT, sight.records)):
            expected = [allowed(wb, scope, Hit(kind, number, 1), stood) for number in range(len(mask))]
            assert mask.tolist() == expected


@settings(max_examples=60)
@given(stores(), scopes())
def test_no_arm_looks_beyond_the_sight(episodes: list[Episode], scope: Scope) -> None:
    with store(episodes) as wb:
        found = retriever(wb)
        sight, query = found.sight(scope), question(found, TEXT, scope)
        for arm in found.arms.values():
            ranking = arm.rank(query, sight, 50)
            assert ranking.arm == arm.name
            assert all(sum(hit.kind is kind for hit in arm.rank(query, sight, 2).hits) <= 2 for kind in Kind)
            items = [(hit.kind, hit.number) for hit in ranking.hits]
            assert len(set(items)) == len(items)
            assert all((sight.episodes if kind is Kind.EPISODE else sight.records)[number] for kind, number in items)
            assert all(a.score >= b.score for a, b in zip(ranking.hits, ranking.hits[1:], strict=False))


@settings(max_examples=40)
@given(stores(), st.integers(0, 8), st.booleans())
def test_what_came_later_changes_no_ranking(episodes: list[Episode], last: int, history: bool) -> None:
    """From a past vantage, a store answers as the store did that ended there."""
    known = recorded(last)
    scope = everything(known, history=history)
    rankings = []
    for kept in (episodes, [one for one in episodes if one.recorded_at is not None and one.recorded_at <= known]):
        with store(kept) as wb:
            found = retriever(wb)
            result = found.retrieve(question(found, TEXT, scope), scope, 20)
            rankings.append([[(hit.kind, hit.number, pytest.approx(hit.score, rel=1e-5)) for hit in hits] for hits in (
                *(one.hits for one in result.rankings), [one.hit for one in result.found])])
    assert rankings[0] == rankings[1]


@settings(max_examples=40)
@given(stores(), scopes())
def test_nothing_found_is_beyond_the_sight(episodes: list[Episode], scope: Scope) -> None:
    with store(episodes) as wb:
        found = retriever(wb)
        result = found.retrieve(question(found, TEXT, scope), scope, 50)
        masks = {Kind.EPISODE: result.sight.episodes, Kind.FACT: result.sight.records}
        items = [(one.hit.kind, one.hit.number) for one in result.found]
        assert all(masks[kind][number] for kind, number in items)
        assert len(set(items)) == len(items)


PLANTED = (
    said("e0", "Nothing to see here", 0, Claim("Bo", "home", "Di", valid_from="2020-01-03")),
    said("e1", "The harbour master likes tea", 1, Claim("Ann", "home", "Cy", valid_from="2020-01-02"), speaker="Ann"),
    said("e2", "Other things were said", 2, Claim("Ed", "likes", "Di", valid_from="2018", valid_to="2019")),
)


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("kind", list(Kind))
def test_every_arm_alone_finds_what_was_planted(arm: str, kind: Kind) -> None:
    """Fault 52: an arm that is a no-op fails here."""
    with store(PLANTED) as wb:
        found = retriever(wb)
        scope = replace(everything(history=True), kinds=frozenset({kind}))
        text = "Where is the home of Ann?" if kind is Kind.FACT or arm == "graph" else "the harbour master"
        time = Interval(recorded(1), recorded(2)) if kind is Kind.EPISODE else Interval(
            Instant.of(2020, 1, 2), Instant.of(2020, 1, 3))
        query = found.understand(text, found.sight(scope), [time])
        result = found.retrieve(query, scope, 1, arms=[arm])
        assert [one.hit.kind for one in result.found] == [kind]
        assert "Cy" in found.text(result.found[0].hit) or "harbour" in found.text(result.found[0].hit)
        assert [ranking.arm for ranking in result.rankings] == [arm]


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("change", [
    {"sessions": frozenset({"other"})}, {"sources": frozenset({"cr"})}, {"speakers": frozenset({"Bo"})},
    {"episode_kinds": frozenset({"document"})}, {"types": frozenset({"unheard of"})},
    {"within": Interval(Instant.of(1990), Instant.of(1991))},
    {"vantage": Vantage(Instant.of(2020), Instant.of(2000))}, {"kinds": frozenset()},
], ids=lambda change: next(iter(change)))
def test_every_filter_holds_on_every_arm(arm: str, change: dict[str, object]) -> None:
    """Fault 51."""
    with store([replace(PLANTED[1], session="s", source="crm/eu")]) as wb:
        found = retriever(wb)
        scope = everything()
        query = question(found, "Is the harbour master at home with Ann?", scope)
        assert found.retrieve(query, scope, arms=[arm]).found
        assert not found.retrieve(query, replace(scope, **change), arms=[arm]).found  # type: ignore[arg-type]


def test_filters_by_type_take_narrower_ones_too() -> None:
    with Workbench.open() as wb:
        wb.ingest([said("e0", "Ann is here", 0, Claim("Ann", "likes", "Cy", subject_type="person")),
                   said("e1", "The ship is there", 1, Claim("Vasa", "likes", "Di", subject_type="ship"))])
        found = retriever(wb)
        person = wb.schema.entity_type("person").iri
        scope = replace(everything(), types=frozenset({person}))
        sight = found.sight(scope)
        assert sight.episodes.tolist() == [True, False]
        assert sight.records.tolist() == [True, False]


def test_stale_facts_only_for_history() -> None:
    """Fault 12: what is no longer true comes by request only."""
    with store([said("e0", "", 0, Claim("Ann", "home", "Cy", valid_from="2020-01-01")),
                said("e1", "", 1, Claim("Ann", "home", "Di", valid_from="2020-06-01"))]) as wb:
        found = retriever(wb)
        now = everything(valid_at=Instant.of(2021), history=False)
        text = "Where is the home of Ann?"
        assert [found.text(one.hit) for one in found.retrieve(text, now).found] == ["Ann home Di"]
        past = {found.text(one.hit) for one in found.retrieve(text, replace(now, history=True)).found}
        assert past == {"Ann home Cy", "Ann home Di"}


def test_withdrawn_episodes_are_out_from_then_on_and_back_if_that_is_taken_back() -> None:
    episodes = [said("e0", "The harbour burnt", 0), retraction("r1", "e0", recorded(1)),
                retraction("r2", "r1", recorded(2)), said("e0", "The harbour did not burn", 3)]
    with store(episodes) as wb:
        found = retriever(wb, embed=False)
        seen = [[wb.graph.timeline.episode_id(one.hit.number) for one in
                 found.retrieve("harbour", everything(recorded(day)), arms=["keyword"]).found] for day in range(4)]
    assert seen == [["e0"], [], ["e0"], ["e0#2"]]


def test_standing_of_chains() -> None:
    assert withdrawn([(1, 0, "supersede"), (2, 1, "supersede")]) == {0, 1}
    assert withdrawn([(1, 0, "supersede"), (2, 1, "retract")]) == {1}
    assert withdrawn([(1, 0, "supersede"), (2, 1, "supersede"), (3, 1, "retract")]) == {0, 1}
    assert withdrawn([(1, 0, "supersede"), (2, 1, "supersede"), (3, 2, "retract")]) == {0, 2}
    assert withdrawn([(1, 0, "retract"), (2, 1, "retract"), (3, 2, "retract")]) == {0, 2}


def test_curation_and_blank_texts_are_not_found() -> None:
    with store([said("e0", " \n", 0, speaker="Ann"), retraction("r", "e0", recorded(1)),
                Episode("e2", EpisodeKind.RECORD, record={"name": "harbour", "berths": [1, {"deep": 2}], "x": None},
                        observed_at=recorded(2), recorded_at=recorded(2))]) as wb:
        found = retriever(wb)
        assert found.sight(everything()).episodes.tolist() == [False, False, True]
        assert [one.hit.number for one in found.retrieve("deep berths of the harbour", everything()).found] == [2]
