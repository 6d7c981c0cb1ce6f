"""Optimisers over the extraction programs, with a canned model that only does well when it is shown how."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("dspy", reason="the extra `lm` is not installed")
from workbench.cli.main import cli
from workbench.evaluate.extraction import measure
from workbench.evaluate.extraction_data import Case, read_cases, spread
from workbench.evaluate.optimise import Optimised, Parts, Scorer, Settings, cases_from, optimise, save
from workbench.evaluate.statistics import Estimate
from workbench.evaluate.suite import Model, run_suite
from workbench.ingest.programs.extractor import ProgramExtractor, load_program
from workbench.ingest.programs.modules import OnePass
from workbench.model.errors import UsageError
from workbench.testing.canned import canned_lm

STATES = [case for case in read_cases() if case.language == "en" and case.kind in ("state", "since")]
PARTS = Parts(*(spread([case for case in STATES if case.split == split], 6) for split in ("train", "dev", "test")))
BY_TEXT = {case.episode.text or "": case for case in STATES}


def _right(case: Case) -> str:
    return json.dumps({"claims": [
        {"quote": case.episode.text, "subject": gold.subject, "relation": gold.relation, "object": gold.object,
         "value": None, "polarity": "affirmed",
         "times": [{"phrase": gold.start.phrase, "role": "start"}] if gold.start else []} for gold in case.gold]})


def _asked_about(prompt: str) -> Case | None:
    """The case whose text stands last in the prompt; earlier ones are examples."""
    places = [(prompt.rfind(f"\n{text}\n"), text) for text in BY_TEXT if f"\n{text}\n" in prompt]
    return BY_TEXT[max(places)[1]] if places else None


def _pupil(prompt: str) -> str:
    """Right once the prompt holds an example of the set or the instruction to be exact; else it finds nothing."""
    if any(field in prompt for field in ("proposed_instruction", "new_instruction", "_description")):
        return json.dumps({"proposed_instruction": "Be exact.", "new_instruction": "Be exact.",
                           "reasoning": "", "program_description": "", "module_description": ""})
    case = _asked_about(prompt)
    shown = sum(f"\n{text}\n" in prompt for text in BY_TEXT) > 1
    return _right(case) if case is not None and (shown or "Be exact." in prompt) else json.dumps({"claims": []})


def _teacher(prompt: str) -> str:
    case = None if "proposed_instruction" in prompt else _asked_about(prompt)
    return _right(case) if case is not None else _pupil(prompt)


def test_examples_that_worked_become_the_prompt_and_the_gain_is_shown(tmp_path: Path) -> None:
    found = optimise("onepass", canned_lm(_pupil), "bootstrap", PARTS, Settings(demos=2), teacher=canned_lm(_teacher))
    assert found.before.value == 0.0
    assert found.after.value == 1.0
    assert found.gained
    assert "better" in found.verdict
    (change,) = found.changes
    assert change.predictor == "read"
    assert change.instructions_before == change.instructions_after
    assert len(change.demos) == 2
    save(found, tmp_path / "state.json")
    again = measure("again", load_program("onepass", canned_lm(_pupil), tmp_path / "state.json"), PARTS[2])
    assert all(one.timed.wrong == one.timed.missed == 0 for one in again.judged)


def test_nothing_learnt_is_no_gain() -> None:
    found = optimise("onepass", canned_lm('{"claims": []}'), "bootstrap", PARTS)
    assert not found.gained
    assert "no gain shown" in found.verdict
    assert not any(change.demos for change in found.changes)


def test_prompts_are_rewritten_by_gepa() -> None:
    found = optimise("onepass", canned_lm(_pupil), "gepa", PARTS, Settings(rounds=3))
    assert "Be exact." in found.changes[0].instructions_after
    assert found.gained


@pytest.mark.parametrize("optimizer", ["mipro", "simba"])
def test_the_other_optimisers_run_to_their_end(optimizer: str) -> None:
    if optimizer == "mipro":
        pytest.importorskip("optuna", reason="MIPROv2 needs optuna")
    found = optimise("onepass", canned_lm(_teacher), optimizer, PARTS, Settings(demos=1, rounds=1, candidates=2))
    assert found.n == len(PARTS[2])
    assert found.verdict


def test_a_gain_whose_interval_includes_nothing_is_not_claimed() -> None:
    def made(low: float, high: float) -> Optimised:
        return Optimised("onepass", "gepa", "m", "triple_time", OnePass(), (), Estimate(0.5, 0.4, 0.6),
                         Estimate(0.6, 0.5, 0.7), Estimate((low + high) / 2, low, high), 10)

    assert not made(-0.01, 0.2).gained
    assert "includes 0" in made(-0.01, 0.2).verdict
    assert "worse" in made(-0.3, -0.1).verdict
    assert made(0.01, 0.2).gained


def test_feedback_names_what_is_missing_and_what_is_made_up() -> None:
    scorer = Scorer("onepass", canned_lm("{}"), "triple_time")
    case = next(case for case in PARTS[0] if case.gold)

    class Said:
        claims: list[Any] = []  # noqa: RUF012

    words = scorer.feedback(scorer.example(case), Said()).feedback
    assert re.search("Missed: .*" + re.escape(case.gold[0].relation), words)
    assert scorer.score(scorer.example(case), Said()) == 0.0


def test_a_test_part_that_was_learnt_from_is_refused() -> None:
    with pytest.raises(UsageError, match="phrasing"):
        optimise("onepass", canned_lm("{}"), "bootstrap", Parts(PARTS[0], PARTS[1], PARTS[0]))


@pytest.mark.parametrize(("program", "optimizer", "metric"), [
    ("nonesuch", "bootstrap", "triple"), ("onepass", "nonesuch", "triple"), ("onepass", "bootstrap", "nonesuch")])
def test_unknown_names_are_refused(program: str, optimizer: str, metric: str) -> None:
    with pytest.raises(UsageError, match="nonesuch"):
        optimise(program, canned_lm("{}"), optimizer, PARTS, Settings(metric=metric))


def test_state_is_json_only(tmp_path: Path) -> None:
    found = optimise("onepass", canned_lm('{"claims": []}'), "bootstrap", Parts(*(part[:2] for part in PARTS)))
    with pytest.raises(UsageError, match="json"):
        save(found, tmp_path / "state.pkl")
    with pytest.raises(UsageError, match="neither"):
        cases_from(str(tmp_path / "nothing"))


def test_programs_are_measured_beside_the_rules_and_paired_with_them_and_with_the_first(tmp_path: Path) -> None:
    script, calls = tmp_path / "script.jsonl", tmp_path / "calls.sqlite"
    script.write_text('{"reply": {"claims": []}}\n')
    model = Model(f"canned:{script}", calls=calls, reply=256)
    run = run_suite("extract", limit=6, programs=["onepass-model-dates", "onepass"], model=model)
    rows = {(row.system, row.metric): row for row in run.rows}
    assert rows["onepass", "triple_recall"].value == 0.0
    gain = rows["onepass", "triple_time_f1_gain[over rules]"]
    assert gain.value is not None
    assert gain.value < 0
    assert rows["onepass", "triple_time_f1_gain[over onepass-model-dates]"].value == 0.0
    assert any("'onepass'" in note for note in run.record["notes"])
    assert run.record["arguments"]["programs"] == ["onepass-model-dates", "onepass"]
    assert calls.is_file()


def test_the_command_writes_the_state_and_says_that_no_gain_was_shown(tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text('{"reply": {"claims": []}}\n')
    out = tmp_path / "state.json"
    done = CliRunner().invoke(cli, ["optimize", "onepass", "--lm", f"canned:{script}", "--limit", "3", "--out",
                                    str(out), "--json"])
    assert done.exit_code == 1, done.output
    said = json.loads(done.stdout)
    assert said["gained"] is False
    assert ProgramExtractor("onepass", canned_lm("{}")).name == said["program"]
    assert json.loads(out.read_text())
