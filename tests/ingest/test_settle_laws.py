"""The ten laws of settling, each on random histories; see `workbench.testing.histories`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from workbench.api import Workbench
from workbench.ingest.settle import (
    Force,
    Held,
    Limits,
    Policy,
    Rules,
    Said,
    Segment,
    Support,
    Triple,
    believe,
    settle,
)
from workbench.ingest.slots import Slots
from workbench.model.episode import Episode
from workbench.model.fact import Fact, Reading
from workbench.model.time import BEGINNING, FOREVER, Instant
from workbench.testing.clock import TickingClock
from workbench.testing.histories import (
    LAST_DAY,
    History,
    date,
    day,
    episode_lists,
    histories,
    retraction,
    small_schema,
)
from workbench.testing.reference import Reference

START = Instant.of(2021)
MOMENTS = [Instant(Instant.parse(date(number)) + step) for number in range(-2, LAST_DAY + 4) for step in (0, 1)]


def segments_of(history: History) -> list[Segment]:
    return believe(history.claims, history.rules, history.policy, history.triples())


def holding(segments: Sequence[Segment], at: Instant) -> list[Segment]:
    return [item for item in segments if item.start.best <= at < item.end.best]


def opened() -> Workbench:
    return Workbench.open(schema=small_schema(), clock=TickingClock(START))


def content(fact: Fact) -> tuple[object, ...]:
    """A fact without what depends on the order of arrival: ids and knowledge time."""
    return (fact.subject, fact.relation, fact.object, fact.valid_from, fact.valid_to, fact.valid_from_earliest,
            fact.valid_from_latest, fact.valid_to_earliest, fact.valid_to_latest, fact.status, frozenset(fact.episodes))


def beliefs(wb: Workbench, known_at: Instant | None = None) -> list[tuple[object, ...]]:
    """Everything believed, whatever its validity."""
    known = wb.vantage(None, known_at).known_at
    rows = [content(fact) for name in ("Ann", "Bo", "Cy", "Di", "Ed")
            for fact in wb.history(name, known_at=known)]
    return sorted(set(rows), key=repr)


def answers(wb: Workbench, at: Instant, known_at: Instant | None, reading: Reading) -> set[tuple[object, ...]]:
    return {(fact.subject, fact.relation, fact.object, fact.status)
            for fact in wb.facts(valid_at=at, known_at=known_at, reading=reading)}


# -- 1 ----------------------------------------------------------------------------------------------------------


@given(histories())
def test_1_only_records_under_the_same_key_or_of_the_same_value_are_closed(history: History) -> None:
    *before, new = history.claims
    triples = history.triples()
    held = [Held(number, item) for number, item in
            enumerate(believe(before, history.rules, history.policy, triples))]
    result = settle(history.claims, held, history.rules, history.policy)
    keys = set(history.rules.keys(new.triple))
    for closing in result.close:
        triple = next(item.segment.triple for item in held if item.id == closing.id)
        assert triple == new.triple or keys & set(history.rules.keys(triple))


@given(histories(exact=True, trusts=(1.0,)))
def test_1_disjoint_intervals_are_never_closed(history: History) -> None:
    *before, new = history.claims
    if new.force is not Force.AFFIRM or new.end is None or history.rules.event:
        return
    start = new.start.best if new.start else new.observed
    old = believe(before, history.rules, history.policy, history.triples())
    now = [item.content for item in segments_of(history)]
    for item in old:
        if item.triple != new.triple and (item.end.best < start or item.start.best > new.end.best):
            assert item.content in now


# -- 2 ----------------------------------------------------------------------------------------------------------


@given(episode_lists())
def test_2_past_belief_is_constant(episodes: list[Episode]) -> None:
    with opened() as wb:
        seen: list[tuple[Instant, list[tuple[object, ...]]]] = []
        for episode in episodes:
            wb.ingest([episode])
            known = wb.graph.last_recorded
            assert known is not None
            seen.append((known, beliefs(wb, known)))
            for earlier, then in seen:
                assert beliefs(wb, earlier) == then


# -- 3 ----------------------------------------------------------------------------------------------------------


@given(episode_lists(), st.integers(0, 1000))
def test_3_the_order_of_import_does_not_matter(episodes: list[Episode], seed: int) -> None:
    shuffled = list(episodes)
    Random(seed).shuffle(shuffled)
    with opened() as one, opened() as other:
        assert not one.ingest(episodes).failures
        other.ingest(shuffled)
        assert beliefs(one) == beliefs(other)


@given(histories())
def test_3_settling_one_by_one_gives_the_belief_of_all(history: History) -> None:
    """Records kept by differences are at every step those of the whole set, supports included."""
    held: list[Held] = []
    arrived: list[Said] = []
    for number, said in enumerate(history.claims):
        arrived.append(said)
        result = settle(arrived, held, history.rules, history.policy)
        closed = {item.id for item in result.close}
        more: dict[object, list[Support]] = defaultdict(list)
        for item in result.support:
            more[item.id].append(item.support)
        held = [Held(item.id, replace(item.segment, supports=tuple(sorted((*item.segment.supports, *more[item.id])))))
                for item in held if item.id not in closed]
        held += [Held((number, place), addition.segment) for place, addition in enumerate(result.add)]
    believed = believe(history.claims, history.rules, history.policy, history.triples())
    assert {(item.segment.content, item.segment.supports) for item in held} == {
        (item.content, item.supports) for item in believed}
    assert len(held) == len(believed)


def test_3_an_end_and_a_claim_that_hold_nowhere_share_a_record() -> None:
    """An end that found nothing to end, and a claim said at that instant and beaten by what was said later."""
    zero, always = Limits(day(0), day(0), day(0)), Limits(BEGINNING, BEGINNING, BEGINNING)
    x, y = Triple("b", "r", "x"), Triple("b", "r", "y")
    claims = [Said(10, x, Force.AFFIRM, day(1), always, None, BEGINNING, 1.0),
              Said(20, y, Force.END, day(0), None, zero, day(0), 1.0),
              Said(30, y, Force.AFFIRM, day(0), None, None, day(0), 1.0)]
    (empty,) = believe(claims, Rules(functional=True), Policy(), [y])
    assert [support.claim for support in empty.supports] == [20, 30]


# -- 4 ----------------------------------------------------------------------------------------------------------


@given(episode_lists())
def test_4_the_same_episodes_again_change_nothing(episodes: list[Episode]) -> None:
    with opened() as wb:
        wb.ingest(episodes)
        before, count = beliefs(wb), wb.graph.episodes
        report = wb.ingest(episodes)
        assert (report.episodes, report.unchanged, report.added, report.closed) == (0, len(episodes), 0, 0)
        assert (beliefs(wb), wb.graph.episodes) == (before, count)


@given(histories())
def test_4_settling_again_changes_nothing(history: History) -> None:
    held = [Held(number, item) for number, item in enumerate(segments_of(history))]
    result = settle(history.claims, held, history.rules, history.policy)
    assert not (result.add or result.close or result.support)


@given(episode_lists())
def test_4_settling_every_slot_of_a_store_again_changes_nothing(episodes: list[Episode]) -> None:
    """What an episode leaves alone because it is far from its claims is what settling all of it gives."""
    with opened() as wb:
        for episode in episodes:
            wb.ingest([episode])
            slots = Slots(wb.graph, wb.schema, Policy())
            outcome = slots.settle({slots.triple_of(row) for row in range(wb.graph.timeline.claims.n)})
            assert not (outcome.records or outcome.closings or outcome.supports)


# -- 5 ----------------------------------------------------------------------------------------------------------


@given(histories(exact=True))
def test_5_a_fact_true_again_keeps_its_own_interval(history: History) -> None:
    """Every stretch of belief lies within one run of claimed spans of its value: it bridges no gap."""
    model = Reference(history.claims, history.rules, history.policy)
    for item in segments_of(history):
        for at in history.instants():
            if item.start.best <= at < item.end.best:
                assert any(claim.triple == item.triple and model.covers(claim, at) and not model.is_over(claim, at)
                           for claim in model.affirmed)


# -- 6 ----------------------------------------------------------------------------------------------------------


@given(histories())
def test_6_an_exclusive_key_holds_one_value_or_one_competing_set(history: History) -> None:
    segments = segments_of(history)
    for at in history.instants():
        by_key: dict[object, list[Segment]] = defaultdict(list)
        for item in holding(segments, at):
            for key in set(history.rules.keys(item.triple)):
                by_key[key].append(item)
        for items in by_key.values():
            assert len(items) == 1 or all(item.competing for item in items)
        triples = [item.triple for item in holding(segments, at)]
        assert len(triples) == len(set(triples))


# -- 7 ----------------------------------------------------------------------------------------------------------


@given(histories())
def test_7_ends_and_denials_act_only_on_their_value(history: History) -> None:
    acting = {claim.id: claim.triple for claim in history.claims if claim.force in (Force.END, Force.DENY)}
    rest = [claim for claim in history.claims if claim.id not in acting]
    without = believe(rest, history.rules, history.policy, history.triples())
    others = [item for item in segments_of(history) if item.triple not in acting.values()]
    assert others == [item for item in without if item.triple not in acting.values()]


@given(histories())
def test_7_a_correction_acts_on_its_value_and_what_that_ruled_out(history: History) -> None:
    named = {claim.triple for claim in history.claims if claim.force is Force.WITHDRAW}
    keys = {key for triple in named for key in history.rules.keys(triple)}
    rest = [claim for claim in history.claims if claim.force is not Force.WITHDRAW]
    without = believe(rest, history.rules, history.policy, history.triples())

    def apart(items: list[Segment]) -> list[Segment]:
        return [item for item in items if item.triple not in named and not keys & set(history.rules.keys(item.triple))]

    assert apart(segments_of(history)) == apart(without)


# -- 8 ----------------------------------------------------------------------------------------------------------


@given(histories())
def test_8_every_affirmation_that_stands_holds_up_a_record(history: History) -> None:
    supports = {support.claim for item in segments_of(history) for support in item.supports}
    model = Reference(history.claims, history.rules, history.policy)
    assert {claim.id for claim in model.affirmed} <= supports


# -- 9 ----------------------------------------------------------------------------------------------------------


@given(episode_lists(), st.integers(0, 5))
def test_9_a_retracted_episode_was_never_said(episodes: list[Episode], which: int) -> None:
    gone = episodes[which % len(episodes)]
    rest = [episode for episode in episodes if episode is not gone]
    with opened() as one, opened() as other:
        one.ingest(episodes)
        known = one.graph.last_recorded
        before = beliefs(one, known)
        assert not one.ingest([retraction("r", gone.id)]).failures
        other.ingest(rest)
        assert beliefs(one) == beliefs(other)
        assert beliefs(one, known) == before
        one.ingest([retraction("undo", "r")])
        assert beliefs(one) == before


# -- 10 ---------------------------------------------------------------------------------------------------------


@given(histories())
def test_10_certain_is_best_and_best_is_possible(history: History) -> None:
    for item in segments_of(history):
        assert item.start.earliest <= item.start.best <= item.end.best <= item.end.latest or item.end.best == FOREVER
        for support in item.supports:
            if support.attested_from < support.attested_to:
                assert item.start.best <= support.attested_from and support.attested_to <= item.end.best


@given(episode_lists())
def test_10_in_the_store(episodes: list[Episode]) -> None:
    with opened() as wb:
        wb.ingest(episodes)
        for at in MOMENTS:
            sure, best, maybe = (answers(wb, at, None, reading) for reading in (
                Reading.CERTAIN, Reading.BEST, Reading.POSSIBLE))
            assert sure <= best <= maybe
