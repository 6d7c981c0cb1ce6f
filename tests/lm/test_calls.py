import sqlite3
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.lm.calls import Call, Calls, Identity, without_secrets
from workbench.model.errors import UsageError

HERE = Identity("openai/m", "dspy 3.4.1", "http://127.0.0.1:1/v1")


def call(key: str = "k", output: str | None = '{"text": "hi"}', what_for: str | None = None) -> Call:
    return Call(key=key, model="m", engine="e", endpoint="", digest="", prompt="p", parameters="{}", output=output,
                error=None if output else "refused", tokens_in=3, tokens_out=2, seconds=0.5, cost=None, tries=1,
                purpose=what_for, at="2026-01-01T00:00:00Z")


def test_what_is_recorded_is_read_back_in_order(tmp_path: Path) -> None:
    calls = Calls(tmp_path / "calls.sqlite")
    written = [call("a"), call("b", None), call("a", '{"text": "ho"}', "e1")]
    for each in written:
        calls.add(each)
    calls.close()
    again = Calls(tmp_path / "calls.sqlite")
    assert list(again) == written and len(again) == 3
    assert again.answer("a") == written[2] and again.answer("a", 0) == written[0] and again.answer("a", 2) is None
    assert again.answer("b") is None and again.failure("b") == written[1] and again.count("a") == 2


@given(st.fixed_dictionaries({name: st.sampled_from(["", "x", "y"]) for name in
                              ("model", "engine", "endpoint", "digest")}),
       st.sampled_from(["model", "engine", "endpoint", "digest"]))
def test_identities_that_differ_in_anything_share_no_key(of: dict[str, str], changed: str) -> None:
    one = Identity(**of)
    other = replace(one, **{changed: one.__getattribute__(changed) + "z"})
    assert one.key({"a": 1}) != other.key({"a": 1})
    assert one.key({"a": 1, "b": 2}) == one.key({"b": 2, "a": 1}) != one.key({"a": 1})


def test_many_threads_record_every_call_once(tmp_path: Path) -> None:
    calls = Calls(tmp_path / "calls.sqlite")

    def twenty(number: int) -> None:
        for each in range(20):
            calls.add(call(f"{number}.{each}"))

    threads = [threading.Thread(target=twenty, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({each.key for each in calls}) == len(calls) == 160


def test_two_processes_may_record_in_one_file(tmp_path: Path) -> None:
    first, second = Calls(tmp_path / "calls.sqlite"), Calls(tmp_path / "calls.sqlite")
    first.add(call("a"))
    second.add(call("b"))
    assert len(first) == len(second) == 2


def test_calls_for_a_purpose_are_forgotten_without_a_trace(tmp_path: Path) -> None:
    calls = Calls(tmp_path / "calls.sqlite")
    calls.add(call("a", '"the secret of episode one"', "e1"))
    calls.add(call("b", '"other"', "e2"))
    assert calls.forget("e1") == 1 and [each.key for each in calls] == ["b"]
    calls.close()
    assert b"secret of episode" not in (tmp_path / "calls.sqlite").read_bytes()


def test_the_models_of_a_record_are_listed_latest_first(tmp_path: Path) -> None:
    calls = Calls(tmp_path / "calls.sqlite")
    for model in ("a", "b", "a"):
        calls.add(replace(call(), model=model))
    assert [known.model for known in calls.identities()] == ["a", "b"]


def test_keys_of_the_environment_are_struck_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-very-secret-0001")
    monkeypatch.setenv("OTHER_TOKEN", "short")
    calls = Calls(tmp_path / "calls.sqlite")
    calls.add(call("a", '"you sent sk-very-secret-0001"'))
    assert [each.output for each in calls] == ['"you sent [SOME_API_KEY]"']
    assert without_secrets("short stays") == "short stays"


@pytest.mark.parametrize("content", [b"no database at all, but long enough to look like one" * 20, None])
def test_another_file_is_refused_and_left_alone(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "x.sqlite"
    if content is None:
        other = sqlite3.connect(path)
        other.execute("CREATE TABLE t (x)")
        other.commit()
        other.close()
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(UsageError, match="name a new file"):
        Calls(path)
    assert path.read_bytes() == before


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="record of calls"):
        Calls(tmp_path)
