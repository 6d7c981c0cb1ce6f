import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import dspy
import pytest

from tests.lm.server import serving
from workbench.lm import Limits, open_model
from workbench.lm.hosted import bare
from workbench.model.errors import ModelError, ModelRefused, UsageError

KEY = "sk-test-0123456789abcdef"


@pytest.fixture(autouse=True)
def keyed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for name in ("OPENAI_API_BASE", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def run(lm: Any, question: str = "q") -> str:
    with dspy.context(lm=lm, adapter=dspy.JSONAdapter()):
        answer: str = dspy.Predict("question -> answer")(question=question).answer
    return answer


def test_any_name_at_an_address_is_asked_with_a_schema_and_recorded_without_the_key(tmp_path: Path) -> None:
    with serving() as server:
        lm = open_model("Some/Model-1B", url=server.url + "/", calls=tmp_path / "calls.sqlite")
        assert run(lm) == run(lm) == "42"
        path, headers, body = server.asked[0]
    assert len(server.asked) == 1 and path == "/v1/chat/completions" and headers["authorization"] == f"Bearer {KEY}"
    assert body["model"] == "Some/Model-1B" and body["response_format"]["type"] == "json_schema"
    assert body["temperature"] == 0.0
    call, = lm.engine.calls
    assert (call.model, call.endpoint) == ("openai/Some/Model-1B", server.url)
    assert (call.tokens_in, call.tokens_out, call.cost) == (5, 3, None)
    lm.engine.close()
    assert all(KEY.encode() not in file.read_bytes() for file in tmp_path.iterdir())
    assert KEY not in repr(lm.__dict__) and KEY not in str(lm.history)


def test_two_addresses_share_no_answer(tmp_path: Path) -> None:
    with serving((200, "broken")) as bad, serving() as good:
        with pytest.raises(dspy.AdapterParseError):
            run(open_model("m", url=bad.url, calls=tmp_path / "calls.sqlite"))
        assert run(open_model("m", url=good.url, calls=tmp_path / "calls.sqlite")) == "42"
        assert len(good.asked) == 1


def test_a_replay_needs_no_server_and_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as server:
        run(open_model("m", url=server.url, calls=tmp_path / "calls.sqlite"))
    monkeypatch.delenv("OPENAI_API_KEY")
    assert run(open_model("m", url=server.url, calls=tmp_path / "calls.sqlite", replay=True)) == "42"


def test_a_busy_server_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving((429, "slow down"), (503, "busy"), (200, '{"answer": "yes"}')) as server:
        lm = open_model("m", url=server.url, calls=tmp_path / "calls.sqlite")
        slept: list[float] = []
        monkeypatch.setattr(lm.engine.meter, "_sleep", slept.append)
        assert run(lm) == "yes"
    assert len(slept) == 2 and [call.tries for call in lm.engine.calls] == [3]


def test_a_refused_key_stops_at_once_and_is_told_without_the_key() -> None:
    with serving((401, f"Incorrect API key provided: {KEY}")) as server:
        with pytest.raises(ModelRefused, match="check the key") as caught:
            run(open_model("m", url=server.url))
        assert len(server.asked) == 1
    assert KEY not in str(caught.value) and server.url in str(caught.value)


def test_a_bad_request_is_not_tried_again() -> None:
    with serving((400, "no such thing")) as server:
        with pytest.raises(ModelError, match="no such thing"):
            run(open_model("m", url=server.url))
        assert len(server.asked) == 1


def test_a_server_that_hangs_times_out() -> None:
    with serving() as server:
        server.hang = 30.0
        with pytest.raises(ModelError, match=r"TimeoutError|TransportError"):
            run(open_model("m", url=server.url, limits=Limits(timeout=0.2, tries=1)))


def test_nobody_there_is_told_with_the_address() -> None:
    with pytest.raises(ModelError, match=r"http://127\.0\.0\.1:9/v1 gave no answer"):
        run(open_model("m", url="http://127.0.0.1:9/v1", limits=Limits(tries=1)))


def test_litellm_asks_the_same_server_where_dspy_s_client_cannot(tmp_path: Path) -> None:
    with serving() as server:
        lm = open_model("litellm_proxy/m", url=server.url, calls=tmp_path / "calls.sqlite")
        engine = lm.engine.backend
        engine._native = None
        assert run(lm) == "42" and len(server.asked) == 1
    assert [(call.tokens_in, call.tokens_out) for call in lm.engine.calls] == [(5, 3)]


@pytest.mark.parametrize(("setting", "url", "says"), [
    ("m", "ftp://x", "no address"), ("m", "http://", "no address"), ("m", "http://[x", "cannot be read"),
    ("m", f"http://me:{KEY}@127.0.0.1/v1", "must not carry"), ("m", f"http://127.0.0.1/v1?key={KEY}", "must not carry"),
    ("canned:x", "http://127.0.0.1/v1", "takes no address"), ("openai/", None, "names no model"),
    ("", None, "no model is named")])
def test_a_setting_that_makes_no_sense_is_refused(setting: str, url: str | None, says: str) -> None:
    with pytest.raises(UsageError, match=says) as caught:
        open_model(setting, url=url)
    assert KEY not in str(caught.value)


def test_money_cannot_be_budgeted_where_the_price_is_unknown() -> None:
    with pytest.raises(UsageError, match="price is known"):
        open_model("m", url="http://127.0.0.1:9/v1", limits=Limits(cost=1.0))


def test_a_provider_s_model_is_priced_by_the_list_that_ships() -> None:
    from dspy import lm15

    engine = open_model("openai/gpt-4o-mini").engine
    request = lm15.Request(model="openai/gpt-4o-mini", messages=(lm15.Message.user("x"),))
    response = lm15.Response(id=None, model="gpt-4o-mini", message=lm15.Message.assistant([lm15.TextPart("y")]),
                             finish_reason="stop", usage=lm15.Usage(input_tokens=1_000_000, output_tokens=0))
    assert 0.01 < engine.backend.cost(request, response) < 10


def test_models_that_reason_are_opened_without_temperature() -> None:
    assert open_model("openai/o3-mini").kwargs.get("temperature") is None
    assert open_model("openai/gpt-4o-mini").kwargs["temperature"] == 0.0


def test_an_address_set_aside_is_known_without_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bare("https://me:secret@host:8/v1/?key=1") == "https://host:8/v1"
    monkeypatch.setenv("OPENAI_API_BASE", "http://me:secret@127.0.0.1:9/v1")
    assert open_model("openai/m").engine.backend.identity.endpoint == "http://127.0.0.1:9/v1"


def test_nobody_but_the_given_address_is_contacted(tmp_path: Path) -> None:
    """Every connection and every name looked up by a fresh process, while both clients make a call."""
    program = """
import socket, sys
asked = []
def audit(event, args):
    if event in ("socket.connect", "socket.getaddrinfo"):
        asked.append((args[1] if event == "socket.connect" else args)[:2])
sys.addaudithook(audit)
import dspy
from workbench.lm import open_model
lm = open_model("m", url=sys.argv[1])
other = open_model("m", url=sys.argv[1])
other.engine.backend._native = None
for each in (lm, other):
    with dspy.context(lm=each, adapter=dspy.JSONAdapter()):
        assert dspy.Predict("question -> answer")(question="q").answer == "42"
assert asked and all(str(host) == "127.0.0.1" for host, port in asked), asked
"""
    with serving() as server:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LITELLM")}
        done = subprocess.run([sys.executable, "-c", program, server.url], env=environment, capture_output=True,
                              text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        assert len(server.asked) == 2


@pytest.mark.parametrize("module", ["workbench", "workbench.lm", "workbench.lm.calls", "workbench.testing.canned"])
def test_importing_loads_neither_dspy_nor_torch(module: str) -> None:
    program = (f"import sys, {module}; "
               "print(sorted({'dspy', 'torch', 'litellm', 'transformers', 'llama_cpp'} & set(sys.modules)))")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
