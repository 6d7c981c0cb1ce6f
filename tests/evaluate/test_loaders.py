from collections.abc import Mapping
from typing import Any

import pytest

from workbench.evaluate import congress, kubernetes, logistics, tempreason, unseentimeqa
from workbench.evaluate.controlled_language import RELATIONS, ControlledLanguageRules, read_statement
from workbench.evaluate.data import schema_named
from workbench.evaluate.factconsolidation import contains_answer, read_context
from workbench.evaluate.relation_path import read_path
from workbench.ingest.seam import Context
from workbench.model.claim import Polarity
from workbench.model.episode import Episode
from workbench.model.errors import EpisodeError
from workbench.model.schema import Schema


def term(valid_to: str, recorded_from: str, recorded_to: str | None, closed_by: str, **more: Any) -> dict[str, Any]:
    return {"person": "X000001", "name": "Ann Example", "kind": "term", "role": "rep", "valid_from": "2011-01-05",
            "valid_to": valid_to, "state": "NY", "district": 5, "recorded_from": recorded_from,
            "recorded_to": recorded_to, "closed_by": closed_by, **more}


def test_congress_a_commit_is_an_episode_and_a_corrected_row_states_the_term_anew() -> None:
    first, second = "2012-09-28T00:00:00Z", "2013-01-02T00:00:00Z"
    found = list(congress.episodes([term("2012-12-31", first, second, "corrected"),
                                    term("2013-01-03", second, None, "open", district=6)]))
    assert [str(episode.recorded_at) for episode in found] == [first, second]
    served, seat = found[1].claims or ()
    assert (served.valid_from, served.valid_to, served.corrects) == ("2011-01-05", "2013-01-03", None)
    assert seat.object == "seat NY-6" and seat.corrects is not None and seat.corrects.object == "seat NY-5"


def test_congress_leaving_the_file_ends_a_running_term_and_retracts_nothing() -> None:
    left = "2012-10-01T00:00:00Z"
    running, over = (list(congress.episodes([term(end, "2012-09-28T00:00:00Z", left, "left_current_file")]))[1].claims
                     for end in ("2013-01-03", "2012-01-01"))
    assert [(claim.valid_from, claim.valid_to, claim.polarity) for claim in running or ()] \
        == [(None, left, Polarity.AFFIRMED)] * 2
    assert over == ()


def test_congress_a_removed_row_is_denied_and_an_impossible_end_is_kept_as_listed() -> None:
    removed = list(congress.episodes([term("2013-01-03", "2012-09-28T00:00:00Z", "2012-10-01T00:00:00Z", "removed")]))
    assert {claim.polarity for claim in removed[1].claims or ()} == {Polarity.DENIED}
    impossible, = list(congress.episodes([term("2010-01-01", "2012-09-28T00:00:00Z", None, "open")]))
    assert [(claim.relation, claim.value) for claim in impossible.claims or ()] == [("listed end", "2010-01-01")]


def role(person: str, company: str, start: str, end: str | None) -> Mapping[str, Any]:
    return {"group": "sig-x", "role": "chair", "person": person, "company": company, "recorded_from": start,
            "recorded_to": end}


def test_kubernetes_only_net_changes_become_claims() -> None:
    one, two, three = "2018-01-01T00:00:00Z", "2019-01-01T00:00:00Z", "2020-01-01T00:00:00Z"
    found = list(kubernetes.episodes([role("ann", "Acme", one, two), role("Ann", "ACME", two, three),
                                      role("bo", "", one, None)]))
    assert [str(episode.observed_at) for episode in found] == [one, three]  # a respelt handle is no change
    assert [(claim.subject, claim.object, claim.valid_to) for claim in found[1].claims or ()] \
        == [("sig-x", "Ann", three), ("Ann", "ACME", three)]


def test_tempreason_reads_both_directions_and_keeps_months() -> None:
    claims, left = tempreason.claims_of("A works for E from Jan, 1946 to Feb, 1949.\n"
                                        "B is the head coach of C from Mar, 2001 to Apr, 2001.\nnonsense")
    assert [(claim.subject, claim.relation, claim.object, claim.valid_from, claim.valid_to) for claim in claims] == [
        ("A", "works for", "E", "1946-01", "1949-02"), ("C", "head coach", "B", "2001-03", "2001-04")]
    assert left == ["nonsense"]


@pytest.mark.parametrize(("question", "slot"), [
    ("Which employer did A work for in Jan, 1948?", tempreason.Slot("A", "works for", "1948-01")),
    ("Which employer did A work for after E?", tempreason.Slot("A", "works for", None, "after", "E")),
    ("Which position did the Man who would hold on hold in May, 2001?",
     tempreason.Slot("the Man who would hold on", "holds position", "2001-05")),
    ("Who was the chair of the Year before Last before B?",
     tempreason.Slot("the Year before Last", "chair", None, "before", "B")),
    ("How old is A?", None),
])
def test_tempreason_questions(question: str, slot: tempreason.Slot | None) -> None:
    known: dict[tuple[str, str], Any] = {("a", "works for"): (), ("the man who would hold on", "holds position"): (),
                                         ("the year before last", "chair"): ()}
    assert tempreason.parse_question(question, known) == slot


LOG = ["Given the initial states, the following events occur:",
       "loading package p0 into truck t0 at location l0_0 starts at 11:40 PM and ends at 11:50 PM.",
       "from 11:55 PM to 12:10 AM truck t0 transports from location l0_0 to location l0_1.",
       "package p0 is unloaded from truck t0 from 12:20 AM to 12:30 AM at location l0_1."]
INITIAL = ["package p0 is at the location l0_0.", "truck t0 is at the location l0_0."]


def world(question: str, events: list[str]) -> unseentimeqa.World:
    return unseentimeqa.read_world("w", {"events": events, "initial_states_description": INITIAL, "answers": [],
                                         "question": question, "execution": "serial"})


@pytest.mark.parametrize(("clock", "places"), [
    ("11:00 PM", {"l0_0"}), ("11:40 PM", {"l0_0", "t0"}), ("11:52 PM", {"l0_0", "t0"}), ("11:59 PM", {"t0"}),
    ("12:10 AM", {"t0", "l0_1"}), ("12:30 AM", {"t0", "l0_1"}), ("12:31 AM", {"l0_1"}),
])
def test_logistics_follow_a_package_over_midnight(clock: str, places: set[str]) -> None:
    events = logistics.read_log(LOG)
    found = logistics.stays(logistics.initial_places(INITIAL), events, -logistics.DAY)
    minute = logistics.minutes(clock) + (logistics.DAY if clock.endswith("AM") else 0)
    assert logistics.where(found, "p0", minute) == places


def test_logistics_durations_place_the_events_once_one_start_is_given() -> None:
    durations = ["loading package p0 into truck t0 at location l0_0 takes 10 minutes to finish.",
                 "truck t0 operates from location l0_0 to location l0_1 and it requires 5 minutes to complete.",
                 "package p0 unloaded from truck t0 at location l0_1 for 20 minutes."]
    sure = world("If loading package p0 into truck t0 at location l0_0 starts at 01:00 PM, where is the package p0 at "
                 "01:12 PM?", durations)
    assert sure.determined and not sure.robust  # a gap of three minutes would have it wait in the truck
    assert logistics.where(sure.stays, "p0", sure.minutes[0]) == {"t0"}
    twice = world("If loading package p0 into truck t0 at location l0_0 starts at 01:00 PM, where is the package p0 at "
                  "01:12 PM?", [*durations, durations[0]])
    assert not twice.determined and twice.reason


@pytest.mark.parametrize(("sentence", "stated"), [
    ("The univeristy where Galileo Galilei was educated is University of Pisa.",
     ("Galileo Galilei", "educated at", "University of Pisa")),
    ("The origianl broadcaster of Soap is ABC.", ("Soap", "original broadcaster", "ABC")),
    ("The chief executive officer of Apple Inc. is Tim Cook.", ("Apple Inc.", "chief executive officer", "Tim Cook")),
    ("Walter Chrysler's child is Walter Percy Chrysler Jr..",
     ("Walter Chrysler", "child", "Walter Percy Chrysler Jr.")),
    ("The Prime Minister of Sweden is Stefan Löfven.", ("Prime Minister of Sweden", "office holder", "Stefan Löfven")),
    ("The name of the current head of the Italy government is Giuseppe Conte.",
     ("Italy", "head of government", "Giuseppe Conte")),
])
def test_controlled_language(sentence: str, stated: tuple[str, str, str]) -> None:
    found = read_statement(sentence)
    assert found is not None and (found.subject, found.relation, found.value) == stated


def test_controlled_language_quotes_with_span_and_refuses_what_it_does_not_know() -> None:
    rules, context = ControlledLanguageRules(), Context(Schema())
    text = "A was founded by B.\nB is a citizen of C."
    claims = rules.extract(Episode("e", text=text), context)
    assert [text[claim.span[0]:claim.span[1]] for claim in claims if claim.span] == [claim.quote for claim in claims]
    with pytest.raises(EpisodeError, match="no template"):
        rules.extract(Episode("e", text="Lorem ipsum dolor."), context)


def test_every_relation_of_the_language_is_declared_functional() -> None:
    schema = schema_named("controlled_language")
    names = {label for relation in schema.relations.values() for label, _ in relation.labels}
    assert names == set(RELATIONS)
    assert all(relation.functional for relation in schema.relations.values())


def test_numbers_become_times() -> None:
    first, second = read_context("Here is a list of facts:\n0. A was founded by B.\n7. A was founded by C.\n")
    assert first.observed_at is not None and second.observed_at is not None
    assert second.observed_at - first.observed_at == 7_000_000
    assert second.text == "A was founded by C."


FACTS = {
    "Ann Example": [("citizenship", "Freedonia"), ("spouse", "Bo Example"), ("position played", "goalkeeper")],
    "Bo Example": [("citizenship", "Sylvania"), ("place of death", "Lund")],
    "goalkeeper": [("sport", "water polo")],
    "water polo": [("country of origin", "Ruritania")],
    "Freedonia": [("capital", "Fredville"), ("official language", "Freedish")],
    "Sylvania": [("capital", "Sylvaville"), ("continent", "Europe")],
    "Ruritania": [("capital", "Strelsau")],
    "A Long Book": [("author", "Ann Example")],
}


@pytest.mark.parametrize(("question", "relations"), [
    ("What is the country of citizenship of Ann Example?", ("citizenship",)),
    ("Which city serves as the capital of the country that Ann Example is a citizen of?", ("citizenship", "capital")),
    ("Where did the husband of the writer of \"A Long Book\" pass away?", ("author", "spouse", "place of death")),
    ("On which continent is the country whose citizenship the partner of Ann Example holds?",
     ("spouse", "citizenship", "continent")),
    ("What is the capital of the country where the sport that Ann Example plays was invented?",
     ("position played", "sport", "country of origin", "capital")),
    ("Which language is the official one in the country of Ann Example's citizenship?",
     ("citizenship", "official language")),
    ("What is the favourite colour of the chairperson of Nowhere?", None),
])
def test_questions_become_paths(question: str, relations: tuple[str, ...] | None) -> None:
    def names(text: str) -> list[str]:
        return sorted((name for name in FACTS if name in text), key=len, reverse=True)

    path = read_path(question, names, lambda entity: FACTS.get(entity, []))
    assert (None if path is None else path.relations) == relations


def test_sub_em_looks_for_an_alias_in_the_answer() -> None:
    assert contains_answer("The Beatles", ["beatles"])
    assert not contains_answer("Beat", ["Beatles"])
    assert not contains_answer("anything", [""])
