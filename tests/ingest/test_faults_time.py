"""Faults of time and supersession that users of such systems reported, each with the right value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from workbench.api import Workbench
from workbench.graph import vocabulary as v
from workbench.model.claim import Claim, Correction, Polarity
from workbench.model.episode import Episode
from workbench.model.fact import Reading
from workbench.model.schema import Relation, Schema
from workbench.model.time import Instant
from workbench.testing.clock import FixedClock
from workbench.testing.histories import retraction

NOW = Instant.of(2026, 6, 1)


@pytest.fixture
def wb() -> Workbench:
    return Workbench.open(clock=FixedClock(NOW))


def said(identifier: str, observed: str, *claims: Claim, recorded: str | None = None, **more: Any) -> Episode:
    return Episode(identifier, observed_at=Instant.parse(observed), claims=claims,
                   recorded_at=None if recorded is None else Instant.parse(recorded), **more)


def values(wb: Workbench, subject: str, relation: str, at: str | None = None, known: str | None = None,
           reading: Reading = Reading.BEST) -> list[str]:
    found = wb.facts(subject, relation, valid_at=None if at is None else Instant.parse(at),
                     known_at=None if known is None else Instant.parse(known), reading=reading)
    return sorted(str(fact.object if fact.object is not None else fact.value) for fact in found)


def intervals(wb: Workbench, subject: str, relation: str) -> list[tuple[str, str, str]]:
    """(object, from, to) of what is believed now, as dates; "" for unknown or open."""
    found = wb.history(subject, relation, known_at=NOW)
    return sorted((str(fact.object or fact.value), str(fact.valid_from or "")[:10], str(fact.valid_to or "")[:10])
                  for fact in found if fact.valid_from != fact.valid_to or fact.valid_from is None)


def test_1_a_second_value_of_a_plain_relation_closes_nothing(wb: Workbench) -> None:
    report = wb.ingest([said("1", "2024-01-01", Claim("Bench", "testedWith", "model A")),
                        said("2", "2024-02-01", Claim("Bench", "testedWith", "model B"))])
    assert report.closed == 0
    assert values(wb, "Bench", "testedWith") == ["model A", "model B"]


def test_1_only_overlapping_validity_in_the_slot_is_closed(wb: Workbench) -> None:
    wb.ingest([said("1", "2024-01-01", Claim("Ann", "livesIn", "Rome", valid_from="2010", valid_to="2015"),
                    Claim("Ann", "memberOf", "Billing", valid_from="2023-01-01"),
                    Claim("Bob", "livesIn", "Rome", valid_from="2012-01-01"))])
    report = wb.ingest([said("2", "2024-02-01", Claim("Ann", "livesIn", "Oslo", valid_from="2020-01-01"))])
    assert report.closed == 0
    assert values(wb, "Ann", "livesIn", "2013-06-01") == ["Rome"]
    assert values(wb, "Ann", "memberOf") == ["Billing"]
    assert values(wb, "Bob", "livesIn") == ["Rome"]


@pytest.mark.parametrize("turned", [False, True])
def test_2_recurrence_keeps_two_intervals(wb: Workbench, turned: bool) -> None:
    episodes = [said("1", "2024-07-01", Claim("Ann", "memberOf", "Payments", valid_from="2024-01-01",
                                              valid_to="2024-07-01")),
                said("2", "2026-01-15", Claim("Ann", "memberOf", "Payments", valid_from="2026-01-01"))]
    wb.ingest(episodes[::-1] if turned else episodes)
    assert intervals(wb, "Ann", "memberOf") == [
        ("Payments", "2024-01-01", "2024-07-01"), ("Payments", "2026-01-01", "")]
    assert values(wb, "Ann", "memberOf", "2025-06-01") == []
    assert values(wb, "Ann", "memberOf", "2025-06-01", reading=Reading.POSSIBLE) == []
    assert values(wb, "Ann", "memberOf", "2026-03-01") == ["Payments"]


def test_3_supersession_follows_the_declaration(wb: Workbench) -> None:
    wb.ingest([said("1", "2024-01-01", Claim("Ann", "livesIn", "Rome"), Claim("T-7", "assignedTo", "Ann"),
                    Claim("Ann", "likes", "tea")),
               said("2", "2024-03-01", Claim("Ann", "livesIn", "Oslo"), Claim("T-7", "assignedTo", "Bob"),
                    Claim("Ann", "likes", "coffee"))])
    assert values(wb, "Ann", "livesIn") == ["Oslo"]
    assert values(wb, "T-7", "assignedTo") == ["Bob"]
    assert values(wb, "Ann", "likes") == ["coffee", "tea"]


def test_4_stable_ids_when_many_close_at_once(wb: Workbench) -> None:
    same = [said(str(n), "2024-01-01", Claim("T-7", "assignedTo", f"P{n}")) for n in range(4)]
    wb.ingest(same)
    assert {fact.status for fact in wb.facts("T-7", "assignedTo")} == {"competing"}
    before = {fact.object: fact.id for fact in wb.facts("T-7", "assignedTo")}
    wb.ingest([said("new", "2024-02-01", Claim("T-7", "assignedTo", "P1"))])
    closed = {fact.object: fact.id for fact in wb.history("T-7", "assignedTo") if fact.closed_by == "new"}
    assert closed == before
    assert values(wb, "T-7", "assignedTo") == ["P1"]


def test_6_known_since_is_not_true_since(wb: Workbench) -> None:
    wb.ingest([said("1", "2026-03-01", Claim("Bo", "handedness", value="left"))])
    assert values(wb, "Bo", "handedness", "2010-01-01") == []
    assert values(wb, "Bo", "handedness", "2010-01-01", reading=Reading.POSSIBLE) == ["left"]
    assert wb.facts("Bo", "handedness", valid_at=Instant.of(2010), reading=Reading.POSSIBLE)[0].answer == "possible"


def test_9_a_future_end_is_no_expiry(wb: Workbench) -> None:
    wb.ingest([said("1", "2024-01-01", Claim("Ann", "worksFor", "Acme", valid_to="2030-01-01"))])
    assert values(wb, "Ann", "worksFor") == ["Acme"]
    assert values(wb, "Ann", "worksFor", "2029-12-31") == ["Acme"]
    assert values(wb, "Ann", "worksFor", "2030-01-01") == []
    assert values(wb, "Ann", "worksFor", "2029-12-31", reading=Reading.CERTAIN) == []


@pytest.mark.parametrize(("since", "kept"), [("2023-06-01", True), ("2019-01-01", False)])
def test_10_a_dated_contradiction_closes_an_undated_fact(wb: Workbench, since: str, kept: bool) -> None:
    wb.ingest([said("1", "2020-05-01", Claim("Ann", "livesIn", "Rome")),
               said("2", "2023-06-01", Claim("Ann", "livesIn", "Oslo", valid_from=since))])
    assert values(wb, "Ann", "livesIn") == ["Oslo"]
    assert values(wb, "Ann", "livesIn", "2021-01-01") == (["Rome"] if kept else ["Oslo"])
    assert values(wb, "Ann", "livesIn", "2010-01-01", reading=Reading.POSSIBLE) == ["Rome"]


def test_11_a_backdated_correction_leaves_the_old_belief_readable(wb: Workbench) -> None:
    ended = Claim("Ann", "memberOf", "Billing", valid_from="2020-01-01", valid_to="2024-01-01")
    named = Correction(subject="Ann", relation="memberOf", object="Billing", valid_from="2020-01-01")
    wb.ingest([
        said("1", "2024-02-01", ended, recorded="2024-02-01T00:00:00Z"),
        said("2", "2025-01-01", replace(ended, valid_to="2023-01-01", corrects=named),
             recorded="2025-01-01T00:00:00Z")])
    assert values(wb, "Ann", "memberOf", "2023-06-01") == []
    assert values(wb, "Ann", "memberOf", "2023-06-01", known="2024-06-01") == ["Billing"]
    assert intervals(wb, "Ann", "memberOf") == [("Billing", "2020-01-01", "2023-01-01")]


def test_12_answers_are_what_is_true_now(wb: Workbench) -> None:
    wb.ingest([said(str(n), f"20{10 + n}-01-01", Claim("Ann", "livesIn", f"Town {n}")) for n in range(10)])
    assert values(wb, "Ann", "livesIn") == ["Town 9"]
    assert len(wb.facts("Ann")) == 1


def test_13_negation_and_end_act_on_what_they_name(wb: Workbench) -> None:
    wb.ingest([said("1", "2024-01-01", Claim("Ann", "drinks", "tea"), Claim("Ann", "drinks", "water")),
               said("2", "2024-02-01", Claim("Ann", "drinks", "tea", valid_to="2024-02-01")),
               said("3", "2024-03-01", Claim("Ann", "drinks", "coffee")),
               said("4", "2024-04-01", Claim("Ann", "drinks", "water", polarity=Polarity.DENIED))])
    assert values(wb, "Ann", "drinks") == ["coffee"]
    assert values(wb, "Ann", "drinks", "2024-01-15") == ["tea", "water"]


def test_13_denying_the_present_value_does_not_bring_the_old_one_back(wb: Workbench) -> None:
    wb.ingest([said("1", "2024-01-01", Claim("Ann", "livesIn", "Rome")),
               said("2", "2024-02-01", Claim("Ann", "livesIn", "Oslo")),
               said("3", "2024-03-01", Claim("Ann", "livesIn", "Oslo", polarity=Polarity.DENIED))])
    assert values(wb, "Ann", "livesIn") == []
    assert values(wb, "Ann", "livesIn", "2024-02-15") == ["Oslo"]


def test_14_the_times_of_a_gap_count_on_both_sides(wb: Workbench) -> None:
    wb.ingest([said("1", "2026-01-01", Claim("Ann", "memberOf", "Board", valid_from="2015", valid_to="2020"),
                    Claim("Ann", "memberOf", "Board", valid_from="2025"))])
    assert [bool(values(wb, "Ann", "memberOf", f"{year}-06-01")) for year in (2014, 2020, 2021, 2024, 2025)] == [
        False, True, False, False, True]


def test_15_old_mail_imported_late_retires_nothing(wb: Workbench) -> None:
    wb.ingest([said("new", "2024-05-01", Claim("Ann", "livesIn", "Oslo", valid_from="2024-01-01")),
               said("old", "2019-05-01", Claim("Ann", "livesIn", "Rome", valid_from="2018-01-01"))])
    assert intervals(wb, "Ann", "livesIn") == [("Oslo", "2024-01-01", ""), ("Rome", "2018-01-01", "2024-01-01")]


def test_29_support_counts_when_an_episode_goes(wb: Workbench) -> None:
    wb.ingest([said("0", "2023-01-01", Claim("Ann", "livesIn", "Rome")),
               said("1", "2024-01-01", Claim("Ann", "livesIn", "Oslo", valid_from="2024-01-01")),
               said("2", "2024-02-01", Claim("Ann", "livesIn", "Oslo", valid_from="2024-01-01"))])
    wb.ingest([retraction("r1", "1")])
    assert values(wb, "Ann", "livesIn") == ["Oslo"]
    assert wb.facts("Ann", "livesIn")[0].episodes == ("2",)
    wb.ingest([retraction("r2", "2")])
    assert values(wb, "Ann", "livesIn") == ["Rome"]
    assert intervals(wb, "Ann", "livesIn") == [("Rome", "", "")]


def test_30_support_lists_hold_each_episode_once(wb: Workbench) -> None:
    claim = Claim("Ann", "livesIn", "Oslo", valid_from="2024-01-01")
    wb.ingest([said("1", "2024-01-01", claim, claim), said("2", "2024-02-01", claim), said("2", "2024-02-01", claim)])
    (fact,) = wb.facts("Ann", "livesIn")
    assert fact.episodes == ("1", "2")


def test_44_the_same_fact_twice_stays(wb: Workbench) -> None:
    wb.ingest([said("1", "2024-01-01", Claim("Ann", "livesIn", "Oslo")),
               said("2", "2024-01-01", Claim("Ann", "livesIn", "Oslo")),
               said("3", "2024-06-01", Claim("Ann", "livesIn", "Oslo"))])
    assert values(wb, "Ann", "livesIn") == ["Oslo"]
    assert wb.facts("Ann", "livesIn")[0].status == "settled"


def test_44_loves_then_hates_loses_neither(wb: Workbench) -> None:
    wb.ingest([said("1", "2024-01-01", Claim("Ann", "likes", "jazz")),
               said("2", "2024-06-01", Claim("Ann", "likes", "jazz", polarity=Polarity.DENIED),
                    Claim("Ann", "dislikes", "jazz"))])
    assert values(wb, "Ann", "likes", "2024-03-01") == ["jazz"]
    assert values(wb, "Ann", "likes") == []
    assert values(wb, "Ann", "dislikes") == ["jazz"]


def test_a_correction_without_dates_of_a_fact_that_only_ended(wb: Workbench) -> None:
    wb.ingest([said("1", "2024-06-01", Claim("Ann", "memberOf", "Billing", valid_to="2024-03-01"))])
    (ghost,) = wb.history("Ann", "memberOf")
    wb.ingest([said("2", "2024-07-01", Claim("Ann", "memberOf", "Billing", valid_from="2020-01-01",
                                             corrects=Correction(fact=ghost.id)))])
    assert intervals(wb, "Ann", "memberOf") == [("Billing", "2020-01-01", "2024-03-01")]


def test_30_a_repeated_event_of_a_functional_relation_keeps_its_support() -> None:
    born = Relation(v.relation_iri("born"), functional=True, event=True)
    wb = Workbench.open(schema=Schema({born.iri: born}, {}, "born"), clock=FixedClock(NOW))
    claim = Claim("Ann", "born", "Rome", valid_from="1980-05-01")
    wb.ingest([said("1", "2024-01-01", claim), said("2", "2024-02-01", claim)])
    (fact,) = wb.facts("Ann", "born", valid_at=Instant.parse("1980-05-01T12:00:00Z"))
    assert fact.episodes == ("1", "2")
    assert values(wb, "Ann", "born") == []


def test_a_claim_that_holds_nowhere_is_kept_in_a_record(wb: Workbench) -> None:
    oslo = Claim("Ann", "livesIn", "Oslo", valid_from="2018-01-01", valid_to="2020-01-01")
    rome = Claim("Ann", "livesIn", "Rome", valid_from="2018-01-01", valid_to="2019-01-01")
    wb.ingest([said("new", "2024-05-01", oslo), said("old", "2019-05-01", rome)])
    assert intervals(wb, "Ann", "livesIn") == [("Oslo", "2018-01-01", "2020-01-01")]
    (kept,) = [fact for fact in wb.history("Ann", "livesIn") if fact.object == "Rome"]
    assert (kept.episodes, kept.valid_from, kept.valid_to) == (("old",), Instant.of(2018), Instant.of(2018))
    assert values(wb, "Ann", "livesIn", "2018-06-01", reading=Reading.POSSIBLE) == ["Oslo"]


def test_a_symmetric_fact_said_either_way_is_one_fact() -> None:
    """Both episodes support it, whichever end they name first; a denial from the other end acts on it too."""
    with Workbench.open() as wb:
        wb.ingest([
            Episode("1", observed_at=Instant.of(2024, 2), claims=(Claim("Zed", "sibling", "Ann"),)),
            Episode("2", observed_at=Instant.of(2024, 3), claims=(Claim("Ann", "sibling", "Zed"),)),
        ])
        for name, other in (("Zed", "Ann"), ("Ann", "Zed")):
            (fact,) = wb.facts(name, "sibling")
            assert (fact.subject, fact.object, fact.episodes) == (name, other, ("1", "2"))
        denial = Claim("Ann", "sibling", "Zed", polarity=Polarity.DENIED)
        wb.ingest([Episode("3", observed_at=Instant.of(2024, 4), claims=(denial,))])
        assert len(wb.facts("Zed", "sibling", valid_at=Instant.of(2024, 5))) == 0
