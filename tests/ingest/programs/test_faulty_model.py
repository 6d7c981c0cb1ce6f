"""A thousand episodes with a model that fails, times out and breaks its JSON; and what a killed run leaves."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run
from workbench import Workbench
from workbench.care import verify
from workbench.model.episode import Episode
from workbench.testing.clock import TickingClock
from workbench.testing.extracting import SAID_AT, reply

pytest.importorskip("dspy", reason="the extra `lm` is not installed")
from workbench.ingest.programs.extractor import ProgramExtractor
from workbench.lm import Limits
from workbench.lm.calls import Calls
from workbench.testing.canned import faulty_lm


def _draft(number: int) -> dict[str, Any]:
    return {"quote": f"Person {number} joined Acme in May 2023", "subject": f"Person {number}", "relation": "worksFor",
            "object": "Acme", "times": [{"phrase": "in May 2023", "role": "start"}]}


def _model(request: str) -> str:
    number = int(request.split("[[ ## text ## ]]")[-1].split("Person ")[1].split()[0])
    return reply(_draft(number))


def _episodes(count: int) -> list[Episode]:
    return [Episode(f"e{number}", text=f"Person {number} joined Acme in May 2023.", observed_at=SAID_AT)
            for number in range(count)]


@pytest.mark.parametrize(("many", "tries"), [(1_000, 1), (200, 3)])
def test_a_thousand_episodes_all_end_as_done_or_given_up(tmp_path: Path, many: int, tries: int) -> None:
    faults: dict[str, Any] = {"p_fail": 0.2, "p_timeout": 0.05, "p_broken": 0.1, "seed": 3}
    lm = faulty_lm(_model, **faults, calls=tmp_path / "calls.db", limits=Limits(tries=tries, parallel=2))
    wb = Workbench.open(extractor=ProgramExtractor("onepass", lm), clock=TickingClock(SAID_AT))
    report = wb.ingest(_episodes(many), parallel=8)
    given_up = {row["episode"]: row["reason"] for row in report.failures}
    done = {fact.subject for fact in wb.believed()}
    assert report.episodes == many == wb.graph.episodes and len(given_up) == len(report.failures)
    assert {f"Person {number}" for number in range(many) if f"e{number}" not in given_up} == done
    assert all("gave no answer" in reason or "could not be read" in reason for reason in given_up.values())
    assert dict(wb.graph.failures()).keys() == given_up.keys()
    assert (len(given_up) > many / 10) == (tries == 1) and len(given_up) < many / 2
    assert report.added == len(done) and not verify(wb)
    attempts = lm.engine.backend.attempts
    assert wb.ingest(_episodes(many), parallel=8).unchanged == many and lm.engine.backend.attempts == attempts


_KILLED = """
import os, sys
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.ingest.programs.test_faulty_model import _episodes, _model
from workbench import Workbench
from workbench.ingest.programs.extractor import ProgramExtractor
from workbench.testing.canned import faulty_lm

asked = 0
def model(request):
    global asked
    asked += 1
    if asked > 37:
        os.kill(os.getpid(), 9)
    return _model(request)

lm = faulty_lm(model, calls=Path({calls!r}))
with Workbench.open({store!r}, extractor=ProgramExtractor("onepass", lm)) as wb:
    wb.ingest(_episodes(60), parallel=4)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_resuming_after_a_kill_repeats_no_recorded_call(tmp_path: Path) -> None:
    store, calls = tmp_path / "store", tmp_path / "calls.db"
    code = _KILLED.format(root=str(Path(__file__).parents[3]), calls=str(calls), store=str(store))
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=120).returncode == -9
    recorded = Counter(call.purpose for call in Calls(calls))
    assert 30 <= len(recorded) <= 37
    lm = faulty_lm(_model, calls=calls)
    with Workbench.open(store, extractor=ProgramExtractor("onepass", lm)) as wb:
        kept = wb.graph.episodes
        assert 0 < kept <= len(recorded)
        report = wb.ingest(_episodes(60), parallel=4)
        assert report.episodes == 60 - kept and report.unchanged == kept and not report.failures
        assert {fact.subject for fact in wb.believed()} == {f"Person {number}" for number in range(60)}
    asked = [int(text.split("[[ ## text ## ]]")[-1].split("Person ")[1].split()[0]) for text in lm.engine.backend.seen]
    assert len(asked) == len(set(asked)) and not {f"e{number}" for number in asked} & recorded.keys()


def _script(folder: Path, count: int, **faults: float) -> Path:
    lines: list[dict[str, Any]] = [{"contains": f"Person {number} joined", "reply": {"claims": [_draft(number)]}}
                                   for number in range(count)]
    path = folder / "script.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in ([{"faults": faults}] if faults else []) + lines))
    return path


def _input(folder: Path, count: int) -> Path:
    path = folder / "episodes.jsonl"
    path.write_text("\n".join(json.dumps({"id": episode.id, "text": episode.text,
                                          "observed_at": "2024-06-03T12:00:00Z"}) for episode in _episodes(count)))
    return path


def test_the_command_ingests_with_a_model_and_stops_at_its_budget(tmp_path: Path) -> None:
    given: list[str | Path] = [
        "ingest", _input(tmp_path, 9), "--store", tmp_path / "s", "--program", "onepass", "--lm",
        f"canned:{_script(tmp_path, 9)}", "--calls", tmp_path / "calls.db", "--parallel", "2", "--json"]
    first = run(*given, "--max-calls", "4")
    assert first.exit == 1 and first.json["episodes"] == first.json["model_calls"] == 4
    assert "before episode 'e4'" in first.json["stopped"] and first.json["failures"] == []
    second = run(*given)
    assert second.exit == 0 and second.json["stopped"] is None
    assert (second.json["unchanged"], second.json["episodes"], second.json["tokens"] > 0) == (4, 5, True)
    assert len(Calls(tmp_path / "calls.db")) == 9
    shown = run("facts", "--store", tmp_path / "s", "--json")
    assert {row["subject"] for row in shown.json} == {f"Person {number}" for number in range(9)}


def test_the_command_reextracts_and_names_what_it_cannot_read(tmp_path: Path) -> None:
    store = tmp_path / "s"
    assert run("ingest", _input(tmp_path, 3), "--store", store, "--program", "none").exit == 0
    script = _script(tmp_path, 2)
    done = run("reextract", "e0", "e2", "e1", "--store", store, "--program", "checked", "--lm", f"canned:{script}")
    assert done.exit == 1 and "e2" in done.error and done.text.count("adds") == 2 and "1 model calls" in done.text
    shown = run("facts", "--store", store, "--json").json
    assert {row["subject"] for row in shown} == {"Person 0", "Person 1"}


@pytest.mark.parametrize("wrong", [
    ["--program", "staged"], ["--program", "rules", "--lm", "canned:x"], ["--program", "nothing"],
    ["--program", "staged", "--lm", "canned:nowhere"], ["--parallel", "0"]])
def test_wrong_use_is_told(tmp_path: Path, wrong: list[str]) -> None:
    done = run("ingest", _input(tmp_path, 1), "--store", tmp_path / "s", *wrong)
    assert done.exit == 2 and done.error
