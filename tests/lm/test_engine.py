import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dspy
import pytest
from pydantic import BaseModel

from workbench.lm import Limits, open_model
from workbench.lm.calls import Identity, again, purpose
from workbench.lm.scripted import Scripted, ScriptedEngine
from workbench.lm.setting import over_engine
from workbench.model.errors import BudgetSpent, ModelError, ModelRefused, UsageError
from workbench.model.time import Instant
from workbench.testing.canned import faulty_lm
from workbench.testing.clock import FixedClock


class Claim(BaseModel):
    subject: str
    year: int


class Extract(dspy.Signature):  # type: ignore[misc]
    """Find claims."""

    text: str = dspy.InputField()
    claims: list[Claim] = dspy.OutputField()


GOOD = '{"claims": [{"subject": "Alice", "year": 2024}]}'
AT = FixedClock(Instant(0))


def run(lm: Any, text: str = "Alice joined in 2024.", **config: Any) -> Any:
    with dspy.context(lm=lm, adapter=dspy.JSONAdapter()):
        return dspy.Predict(Extract)(text=text, config=config).claims


def scripted(*replies: str | Callable[[str], str], **options: Any) -> Any:
    return over_engine(ScriptedEngine([Scripted(reply) for reply in replies]), clock=AT, sleep=lambda _: None,
                       **options)


def test_a_typed_call_is_recorded_and_then_repeated_from_the_record(tmp_path: Path) -> None:
    lm = scripted(GOOD, "never said", calls=tmp_path / "calls.sqlite")
    token = purpose.set("episode-1")
    try:
        assert run(lm) == run(lm) == [Claim(subject="Alice", year=2024)]
    finally:
        purpose.reset(token)
    recorded, = lm.engine.calls
    assert (recorded.purpose, recorded.tries, recorded.cost, recorded.at) == (
        "episode-1", 1, 0.0, "1970-01-01T00:00:00Z")
    assert recorded.tokens_in > 10 and json.loads(recorded.parameters)["temperature"] == 0.0
    assert (lm.engine.meter.attempts, lm.engine.reused) == (1, 1)
    assert lm.history[0]["usage"] == lm.history[1]["usage"] != {}, "a repeated call still says what it took"
    assert b"Alice joined" not in (tmp_path / "calls.sqlite").read_bytes(), "prompts are kept as hashes"


def test_a_replay_needs_no_model_and_calls_none(tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text(json.dumps({"reply": json.loads(GOOD)}))
    setting, record = f"canned:{script}", tmp_path / "calls.sqlite"
    first = run(open_model(setting, calls=record))
    script.unlink()
    lm = open_model(setting, calls=record, replay=True)
    assert run(lm) == first and lm.engine.meter.attempts == 0
    with pytest.raises(ModelError, match=r"no recorded answer .* run without replay"):
        run(lm, "another text")


def test_a_replay_without_a_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs the record"):
        open_model("canned:x", replay=True)
    with pytest.raises(UsageError, match="there is none at"):
        open_model("canned:x", calls=tmp_path / "none.sqlite", replay=True)
    assert not (tmp_path / "none.sqlite").exists()


def test_answers_are_not_shared_between_engines_of_one_name(tmp_path: Path) -> None:
    def engine(reply: str, **of: str) -> Any:
        backend = ScriptedEngine([Scripted(reply)])
        backend.identity = Identity("same/name", **{"engine": "e", **of})
        return over_engine(backend, calls=tmp_path / "calls.sqlite", clock=AT)

    bad = engine("not JSON")
    with pytest.raises(dspy.AdapterParseError):
        run(bad)
    for other in ({"engine": "f"}, {"endpoint": "http://a/v1"}, {"endpoint": "http://b/v1"}, {"digest": "d"}):
        lm = engine(GOOD, **other)
        assert run(lm)[0].subject == "Alice" and lm.engine.reused == 0


def test_asking_again_replaces_an_answer_of_no_use(tmp_path: Path) -> None:
    lm = scripted("not JSON", GOOD, calls=tmp_path / "calls.sqlite")
    for _ in range(2):
        with pytest.raises(dspy.AdapterParseError):
            run(lm)
    token = again.set(True)
    try:
        assert run(lm)[0].subject == "Alice"
    finally:
        again.reset(token)
    assert run(lm)[0].subject == "Alice" and lm.engine.meter.attempts == 2 and len(lm.engine.calls) == 2
    replayed = scripted("x", calls=tmp_path / "calls.sqlite", replay=True)
    assert run(replayed)[0].subject == "Alice"


def test_samples_are_recorded_one_by_one_and_repeated_in_turn(tmp_path: Path) -> None:
    replies = [f'{{"claims": [{{"subject": "{name}", "year": 1}}]}}' for name in ("A", "B", "C")]

    def names(lm: Any, number: int) -> list[str]:
        return [run(lm, temperature=1.0, rollout_id=each)[0].subject for each in range(number)]

    record = tmp_path / "calls.sqlite"
    assert names(scripted(*replies, calls=record), 2) == ["A", "B"]
    resumed = scripted(replies[2], calls=record)
    assert names(resumed, 3) == ["A", "B", "C"] and resumed.engine.meter.attempts == 1
    assert names(scripted("x", calls=record, replay=True), 4) == ["A", "B", "C", "A"]


def test_passing_faults_are_tried_again_and_the_record_says_how_often(tmp_path: Path) -> None:
    lm = faulty_lm(GOOD, p_fail=0.4, p_timeout=0.2, seed=3, limits=Limits(tries=20), calls=tmp_path / "calls.sqlite")
    for number in range(50):
        assert run(lm, f"text {number}")[0].subject == "Alice"
    assert len(lm.engine.calls) == 50 == len({call.key for call in lm.engine.calls})
    assert sum(call.tries for call in lm.engine.calls) == lm.engine.meter.attempts > 75


def test_faults_follow_the_seed_whatever_the_order() -> None:
    def failed(order: list[int], seed: int) -> set[int]:
        lm = faulty_lm(GOOD, p_fail=0.3, seed=seed, limits=Limits(tries=1))
        lost = set()
        for number in order:
            try:
                run(lm, f"text {number}")
            except ModelError:
                lost.add(number)
        return lost

    forth = list(range(40))
    assert failed(forth, 1) == failed(forth[::-1], 1) != failed(forth, 2)
    assert 4 <= len(failed(forth, 1)) <= 20


def test_broken_answers_are_recorded_as_they_are(tmp_path: Path) -> None:
    lm = faulty_lm(GOOD, p_broken=1.0, calls=tmp_path / "calls.sqlite")
    with pytest.raises(dspy.AdapterParseError):
        run(lm)
    assert len(lm.engine.calls) == 1


def test_a_failure_for_good_is_recorded_and_asked_again_next_time(tmp_path: Path) -> None:
    record = tmp_path / "calls.sqlite"
    lm = faulty_lm(GOOD, p_fail=1.0, calls=record, limits=Limits(tries=3))
    with pytest.raises(ModelError, match="canned/script gave no answer after 3 tries: ServerError: refused on purpose"):
        run(lm)
    assert [(call.output, call.tries) for call in lm.engine.calls] == [(None, 3)]
    with pytest.raises(ModelError, match="the recorded call failed"):
        run(faulty_lm(GOOD, calls=record, replay=True))
    assert run(faulty_lm(GOOD, calls=record))[0].subject == "Alice"
    assert run(faulty_lm(GOOD, calls=record, replay=True))[0].subject == "Alice"


def test_a_budget_stops_cleanly_and_keeps_what_is_done(tmp_path: Path) -> None:
    lm = scripted(GOOD, calls=tmp_path / "calls.sqlite", limits=Limits(calls=2))
    run(lm, "one")
    run(lm, "two")
    with pytest.raises(BudgetSpent, match="what is done is kept"):
        run(lm, "three")
    assert len(lm.engine.calls) == 2
    assert run(lm, "one")[0].subject == "Alice", "what is recorded costs nothing"


def test_tries_count_against_the_budget() -> None:
    lm = faulty_lm(GOOD, p_fail=1.0, limits=Limits(tries=10, calls=4))
    with pytest.raises(BudgetSpent):
        run(lm)
    assert lm.engine.backend.attempts == 4


def test_no_more_calls_are_in_flight_than_allowed() -> None:
    lock, flying, most = threading.Lock(), 0, 0
    full = threading.Barrier(2, timeout=20)

    def reply(_: str) -> str:
        nonlocal flying, most
        with lock:
            flying += 1
            most = max(most, flying)
        full.wait()
        with lock:
            flying -= 1
        return GOOD

    lm = scripted(reply, limits=Limits(parallel=2))
    threads = [threading.Thread(target=run, args=(lm, f"text {number}")) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 2 and lm.engine.meter.attempts == 8


def test_an_interrupt_keeps_what_is_recorded_and_the_call_in_flight_is_absent(tmp_path: Path) -> None:
    def reply(text: str) -> str:
        if "text 2" in text:
            raise KeyboardInterrupt
        return GOOD

    record = tmp_path / "calls.sqlite"
    lm = scripted(reply, calls=record, limits=Limits(parallel=1))
    with pytest.raises(KeyboardInterrupt):
        for number in range(5):
            run(lm, f"text {number}")
    assert len(lm.engine.calls) == 2
    resumed = scripted(GOOD, calls=record)
    for number in range(5):
        run(resumed, f"text {number}")
    assert resumed.engine.meter.attempts == 3 and len(resumed.engine.calls) == 5


def test_asynchronous_calls_pass_the_same_place(tmp_path: Path) -> None:
    lm = scripted(GOOD, calls=tmp_path / "calls.sqlite")

    async def both() -> Any:
        with dspy.context(lm=lm, adapter=dspy.JSONAdapter()):
            return await asyncio.gather(*(dspy.Predict(Extract).acall(text=f"text {number}") for number in range(3)))

    assert [each.claims[0].subject for each in asyncio.run(both())] == ["Alice"] * 3
    assert len(lm.engine.calls) == 3


def test_copies_of_a_program_share_model_and_record(tmp_path: Path) -> None:
    lm = scripted(GOOD, calls=tmp_path / "calls.sqlite")
    program = dspy.Predict(Extract)
    program.set_lm(lm)
    copy = program.deepcopy()
    with dspy.context(adapter=dspy.JSONAdapter()):
        copy(text="x")
    assert copy.lm.engine is lm.engine and lm.engine.meter.attempts == 1
    assert lm.copy(temperature=1.0).engine is lm.engine


def test_a_script_finds_its_reply_by_words_or_in_turn(tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    rows = [{"contains": "Bo", "reply": {"claims": [{"subject": "Bo", "year": 1}]}},
            {"contains": ["Cy", "2020"], "reply": {"claims": [{"subject": "Cy", "year": 2020}]}},
            {"reply": {"claims": []}}]
    script.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    lm = open_model(f"canned:{script}")
    assert [claim.subject for text in ("Cy in 2020", "Bo", "Cy", "nobody") for claim in run(lm, text)] == ["Cy", "Bo"]


def test_a_script_may_answer_by_what_the_instructions_say(tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    rows = [{"told": "no instruction says this", "reply": {"claims": [{"subject": "one", "year": 1}]}},
            {"told": [], "contains": "Bo", "reply": {"claims": [{"subject": "two", "year": 2}]}}]
    script.write_text("\n".join(map(json.dumps, rows)))
    assert [claim.subject for claim in run(open_model(f"canned:{script}"), "Bo")] == ["two"]


def test_a_script_without_a_fitting_reply_says_so(tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text('{"contains": "Bo", "reply": "x"}')
    with pytest.raises(ModelError, match="the script has no reply for"):
        run(open_model(f"canned:{script}"))


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"faults": {"p_fail": 2}}', '{"faults": {"other": 2}}', ""])
def test_a_bad_script_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text(line)
    with pytest.raises(UsageError):
        open_model(f"canned:{script}")


def test_a_script_may_fail_on_purpose(tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text('{"faults": {"p_fail": 1.0}}\n{"reply": "x"}')
    with pytest.raises(ModelError, match="refused on purpose"):
        run(open_model(f"canned:{script}", limits=Limits(tries=1)))


def test_errors_of_the_caller_are_the_workbench_s_own() -> None:
    from workbench.lm.errors import CallFailed, CallRefused, CallUnpaid

    assert issubclass(CallFailed, ModelError) and issubclass(CallUnpaid, BudgetSpent)
    assert issubclass(CallRefused, ModelRefused)
    assert str(CallFailed("what, where, what to do")) == "what, where, what to do"
