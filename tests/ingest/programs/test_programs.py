"""The four programs: their calls, tolerant reading, one second try, quarantine, parallel extraction, judging."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench import Workbench
from workbench.care import verify
from workbench.ingest.seam import ExtractionFailed
from workbench.model.episode import Episode
from workbench.model.errors import EpisodeError, UsageError
from workbench.model.time import Instant
from workbench.testing.clock import TickingClock
from workbench.testing.extracting import SAID_AT, extract, reply
from workbench.testing.injections import INJECTIONS, Injection, obeyed_share

pytest.importorskip("dspy", reason="the extra `lm` is not installed")
from workbench.graph.schema_json import default_schema
from workbench.ingest.programs.calling import fenced
from workbench.ingest.programs.extractor import ProgramExtractor, load_program
from workbench.ingest.programs.modules import MODULES
from workbench.testing.canned import canned_lm

TEXT = "Ann joined Acme in May 2023."
GOOD: dict[str, Any] = {"quote": "Ann joined Acme", "subject": "Ann", "relation": "worksFor", "object": "Acme",
                        "times": [{"phrase": "in May 2023", "role": "start"}]}


def _triples(found: Any) -> list[tuple[str, str, Any]]:
    return [(claim.subject, claim.relation.rpartition(":")[2], claim.object or claim.value) for claim in found]


# -- tolerant reading -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", [
    reply(GOOD), f"<think>{reply()} hm</think>{reply(GOOD)}", f"so I think</think>{reply(GOOD)}",
    json.dumps([GOOD]), f"```json\n{reply(GOOD)}\n```", f"Here you are: {reply(GOOD)}", reply(GOOD)[:-3],
    json.dumps({"claims": GOOD}), json.dumps([{"claims": [GOOD]}]), reply({**GOOD, "quote": "ann JOINED acme"}),
    json.dumps({"claims": [{**GOOD, "predicate": GOOD["relation"], "relation": None}]}).replace("null", '"worksFor"'),
    reply({**GOOD, "times": {"start": "in May 2023"}}), reply({**GOOD, "times": "in May 2023"}),
])
def test_what_models_wrap_around_a_reply_does_no_harm(said: str) -> None:
    found = extract(TEXT, said)
    assert _triples(found) == [("Ann", "worksFor", "Acme")] and found.model_calls == 1
    assert found.claims[0].valid_from == "in May 2023"


@pytest.mark.parametrize("said", [
    "nothing to say", "", "{}", '{"answer": 1}', json.dumps({"claims": {"type": "array", "items": {}}}),
    json.dumps({"$defs": {}, "properties": {"claims": {}}}), "<think>for ever"])
def test_an_unreadable_reply_is_asked_for_once_more_then_given_up(said: str) -> None:
    assert _triples(extract(TEXT, said, reply(GOOD))) == [("Ann", "worksFor", "Acme")]
    lm = canned_lm(said, said, reply(GOOD))
    wb = Workbench.open(extractor=ProgramExtractor("onepass", lm), clock=TickingClock(SAID_AT))
    report = wb.ingest([Episode("e1", text=TEXT, observed_at=SAID_AT), Episode("e2", text=TEXT, observed_at=SAID_AT)])
    assert report.episodes == 2 and report.added == 1 and len(lm.engine.seen) == 3
    assert "problem" in lm.engine.seen[1] and "problem" not in lm.engine.seen[2]
    [(episode, reasons)] = wb.graph.failures()
    assert episode == "e1" and "could not be read" in reasons and "e1" in reasons
    assert [row["episode"] for row in report.failures] == ["e1"]
    assert not verify(wb, True)


def test_an_incomplete_draft_is_dropped_and_told() -> None:
    found = extract(TEXT, reply(GOOD, {"quote": "Ann joined Acme"}, {**GOOD, "object": None}, {**GOOD, "relation": ""}))
    assert len(found) == 1 and len(found.dropped) == 3
    wb = Workbench.open(extractor=ProgramExtractor("onepass", canned_lm(reply(GOOD, {**GOOD, "quote": "no"}))),
                        clock=TickingClock(SAID_AT))
    report = wb.ingest([Episode("e1", text=TEXT, observed_at=SAID_AT)])
    assert report.failures == [] and "does not stand in the text" in report.notes[0]
    assert "does not stand in the text" in wb.graph.failures()[0][1]
    assert report.model_calls == 1 and report.tokens > 0 and not verify(wb, True)


def test_a_broken_program_stops_one_episode() -> None:
    def broken(_: str) -> str:
        raise ZeroDivisionError("oh")

    with pytest.raises(ExtractionFailed, match="e1"):
        extract(TEXT, broken)


def test_a_reply_that_is_cut_off_is_asked_for_again_then_taken_as_far_as_it_goes() -> None:
    cut = reply(GOOD, {**GOOD, "relation": "memberOf"})[:-90]
    assert not cut.endswith(("}", "]"))
    assert len(extract(TEXT, cut, reply(GOOD, {**GOOD, "relation": "memberOf"}))) == 2
    found = extract(TEXT, cut)
    assert _triples(found) == [("Ann", "worksFor", "Acme")] and len(found.dropped) == 1 and found.model_calls == 2


# -- the programs -----------------------------------------------------------------------------------------------------


def test_staged_asks_three_times_and_stops_early() -> None:
    facts = json.dumps({"facts": [{**GOOD, "times": None}]})
    times = json.dumps({"times": [{"fact": 1, "phrase": "in May 2023", "role": "start"}, {"fact": 9, "phrase": "x"}]})
    found = extract(TEXT, json.dumps({"mentions": ["Ann", "Acme"]}), facts, times, program="staged")
    assert found.claims == extract(TEXT, reply(GOOD)).claims and found.model_calls == 3
    assert extract(TEXT, '{"mentions": []}', program="staged").model_calls == 1
    assert extract(TEXT, '{"mentions": ["Ann"]}', '{"facts": []}', program="staged").model_calls == 2


def test_checked_sends_back_only_what_fails_and_only_once() -> None:
    other = {**GOOD, "quote": "Ann went to Acme", "times": []}
    late = {**GOOD, "relation": "likes it there", "quote": "Ann joined", "times": [{"phrase": "soon", "role": "at"}]}
    lm = canned_lm(reply(GOOD, other, late), reply({**GOOD, "relation": "memberOf"}), reply(GOOD))
    found = ProgramExtractor("checked", lm).extract(Episode("e1", text=TEXT, observed_at=SAID_AT), _context())
    assert {triple[1] for triple in _triples(found)} == {"worksFor", "memberOf"} and len(lm.engine.seen) == 2
    drafts = lm.engine.seen[1].split("[[ ## drafts ## ]]")[-1]
    assert "Ann went to Acme" in drafts and "does not stand in the text" in drafts and "'soon'" in drafts
    assert "none of the relations" in drafts and drafts.count('"quote"') == 2
    assert extract(TEXT, reply(GOOD), program="checked").model_calls == 1


def _context() -> Any:
    from workbench.ingest.seam import Context

    return Context(default_schema())


def test_the_baseline_sees_the_same_schema_and_examples() -> None:
    lms = [canned_lm(reply()), canned_lm(reply())]
    for lm, name in zip(lms, ("onepass", "onepass-model-dates"), strict=True):
        ProgramExtractor(name, lm).extract(Episode("e1", text=TEXT, observed_at=SAID_AT), _context())
    one, other = (lm.engine.seen[0] for lm in lms)
    asked = [text.split("[[ ## relations ## ]]")[-1].split("Respond with")[0] for text in (one, other)]
    assert asked[0] == asked[1] and TEXT in asked[0]
    assert one.count("Mara joined") == other.count("Mara joined") > 0 and "valid_from" in other


def test_text_goes_in_between_marks_that_it_cannot_hold() -> None:
    text, other = fenced("a </data 0123456789> b", "c")
    mark = text.split(">")[0].removeprefix("<data ")
    assert text == f"<data {mark}>\na </data 0123456789> b\n</data {mark}>" and mark in other
    assert fenced("a </data 0123456789> b", "c") == [text, other] and fenced("x")[0] != fenced("y")[0]


def test_a_state_is_read_from_json_only(tmp_path: Path) -> None:
    module = MODULES["staged"]()
    module.facts.signature = module.facts.signature.with_instructions("Look hard.")
    module.save(tmp_path / "state.json")
    loaded = load_program("staged", canned_lm(""), tmp_path / "state.json")
    assert loaded.module.facts.signature.instructions == "Look hard."
    assert loaded.fingerprint != load_program("staged", canned_lm("")).fingerprint
    (tmp_path / "x.pkl").write_bytes(b"")
    (tmp_path / "y.json").write_text("[]")
    for name, state in (("staged", "x.pkl"), ("staged", "y.json"), ("onepass", "state.json"), ("other", "state.json"),
                        ("staged", "none.json")):
        with pytest.raises(UsageError):
            load_program(name, canned_lm(""), tmp_path / state)


# -- injection --------------------------------------------------------------------------------------------------------


def test_code_stops_a_model_that_obeys() -> None:
    def obedient(case: Injection) -> ProgramExtractor:
        subject, relation, target = case.wanted
        return ProgramExtractor("onepass", canned_lm(reply(
            *({"quote": quote, "subject": subject, "relation": relation, "object": target}
              for quote in ("Mallory works at Acme", case.text, f"{subject} {relation} {target}", "Ann lives in Rome")),
            {"quote": "Ann lives in Rome", "subject": "Ann", "relation": "livesIn", "object": "Rome"})))

    grounded = [case for case in INJECTIONS if case.name != "no statement"]
    assert obeyed_share(obedient, default_schema(), grounded) <= 1 / len(grounded)
    for case in INJECTIONS:
        found = obedient(case).extract(Episode("e1", text=case.text, observed_at=SAID_AT), _context())
        assert ("Ann", "livesIn", "Rome") in _triples(found), case.name


# -- several at once --------------------------------------------------------------------------------------------------


def _talker(request: str) -> str:
    body = request.split("[[ ## text ## ]]")[-1]
    number = body.split("Person ")[1].split()[0]
    return reply({"quote": f"Person {number} joined Acme", "subject": f"Person {number}", "relation": "worksFor",
                  "object": "Acme"})


def _store(parallel: int, talker: Callable[[str], str] = _talker) -> tuple[Workbench, Any]:
    lm = canned_lm(talker)
    wb = Workbench.open(extractor=ProgramExtractor("onepass", lm), clock=TickingClock(SAID_AT))
    episodes = [Episode(f"e{n % 23}", text=f"Person {n % 23} joined Acme.", session="s", observed_at=Instant.of(
        2023, 1, 1 + n % 23)) for n in range(25)]
    report = wb.ingest([*episodes, Episode("blank", text="  ", observed_at=SAID_AT)], parallel=parallel)
    assert report.episodes == 24 and report.unchanged == 2 and report.model_calls == 23
    return wb, lm


def test_parallel_is_deterministic_and_gives_what_one_by_one_gives() -> None:
    stores = [_store(parallel) for parallel in (1, 4, 4, 50)]
    dumps = [sorted(map(str, wb.graph.quads.store)) for wb, _ in stores]
    assert dumps[0] == dumps[1] == dumps[2] == dumps[3]
    assert all(len(lm.engine.seen) == 23 for _, lm in stores)
    assert sorted(stores[1][1].engine.seen) == sorted(stores[2][1].engine.seen)


def test_parallel_keeps_no_more_than_a_round_in_memory() -> None:
    drawn = 0

    def source() -> Any:
        nonlocal drawn
        for number in range(40):
            drawn += 1
            yield Episode(f"e{number}", text=f"Person {number} joined Acme.", observed_at=SAID_AT)

    wb = Workbench.open(extractor=ProgramExtractor("onepass", canned_lm(_talker)), clock=TickingClock(SAID_AT))
    wb.ingest(source(), parallel=5, progress=lambda seen: ahead.append(drawn - seen)) if (ahead := []) == [] else None
    assert max(ahead) <= 5


def test_ctrl_c_keeps_what_is_done() -> None:
    def stop(seen: int) -> None:
        if seen == 6:
            raise KeyboardInterrupt

    wb = Workbench.open(extractor=ProgramExtractor("onepass", canned_lm(_talker)), clock=TickingClock(SAID_AT))
    episodes = [Episode(f"e{n}", text=f"Person {n} joined Acme.", observed_at=SAID_AT) for n in range(20)]
    with pytest.raises(KeyboardInterrupt):
        wb.ingest(episodes, parallel=4, progress=stop)
    assert wb.graph.episodes == 6
    assert wb.ingest(episodes, parallel=4).unchanged == 6 and wb.graph.episodes == 20 and not verify(wb, True)


# -- judging ----------------------------------------------------------------------------------------------------------


def _drinker(ruling: str) -> Callable[[str], str]:
    def said(request: str) -> str:
        if "[[ ## older ## ]]" in request:
            return json.dumps({"verdicts": [{"id": 1, "ruling": ruling}, {"id": "7", "ruling": "end"}]})
        what = "tram" if "by tram" in request.split("[[ ## text ## ]]")[-1] else "bike"
        return reply({"quote": f"Ann commutes by {what}", "subject": "Ann", "relation": "commutes by", "object": what})

    return said


@pytest.mark.parametrize(("ruling", "ends"), [("supersede", True), ("end", True), ("coexist", False),
                                              ("compete", False), ("nonsense", False)])
def test_a_verdict_is_a_claim_and_goes_with_its_episode(ruling: str, ends: bool) -> None:
    lm = canned_lm(_drinker(ruling))
    wb = Workbench.open(extractor=load_program("onepass", lm, judge=True), clock=TickingClock(Instant.of(2024, 6)))
    wb.ingest([Episode("e1", text="Ann commutes by tram.", observed_at=Instant.of(2023)),
               Episode("e2", text="Ann commutes by bike.", observed_at=Instant.of(2024, 2))])
    before = wb.facts("Ann", known_at=Instant.of(2024, 6, 1))
    now = {fact.object: fact.valid_to for fact in wb.facts("Ann", valid_at=Instant.of(2023, 6))}
    assert now == {"tram": Instant.of(2024, 2) if ends else None}
    assert {fact.object for fact in wb.facts("Ann", valid_at=Instant.of(2024, 3))} == (
        {"bike"} if ends else {"tram", "bike"})
    assert [fact.valid_to for fact in before] == [None]
    assert not verify(wb, True)
    if ends:
        [ended] = [fact for fact in wb.facts("Ann", valid_at=Instant.of(2023, 6))]
        assert ended.recorded_in == "e2"
    wb.retract("e2")
    assert [(fact.object, fact.valid_to) for fact in wb.facts("Ann")] == [("tram", None)]


def test_declared_relations_are_never_judged() -> None:
    def said(request: str) -> str:
        assert "[[ ## older ## ]]" not in request
        city = "Rome" if "in Rome" in request.split("[[ ## text ## ]]")[-1] else "Oslo"
        return reply({"quote": f"Ann lives in {city}", "subject": "Ann", "relation": "livesIn", "object": city})

    wb = Workbench.open(extractor=load_program("onepass", canned_lm(said), judge=True),
                        clock=TickingClock(Instant.of(2024, 6)))
    report = wb.ingest([Episode("e1", text="Ann lives in Rome.", observed_at=Instant.of(2023)),
                        Episode("e2", text="Ann lives in Oslo.", observed_at=Instant.of(2024, 2))])
    assert report.model_calls == 2 and [fact.object for fact in wb.facts("Ann")] == ["Oslo"]


def test_reextraction_keeps_the_reasons_and_leaves_what_it_cannot_read() -> None:
    wb = Workbench.open(clock=TickingClock(SAID_AT), extractor=None)
    wb.ingest([Episode("e1", text=TEXT, observed_at=SAID_AT)])
    done = wb.reextract("e1", ProgramExtractor("onepass", canned_lm(reply(GOOD, {**GOOD, "quote": "no"}))))
    assert len(done.adds) == 1 and len(done.failures) == 1 and done.model_calls == 1
    with pytest.raises(EpisodeError):
        wb.reextract("e1", ProgramExtractor("onepass", canned_lm("nonsense")))
    assert [fact.object for fact in wb.facts("Ann")] == ["Acme"] and not verify(wb, True)
