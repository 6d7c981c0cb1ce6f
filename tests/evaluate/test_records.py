from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from workbench.evaluate.records import Row, Run, Sample, read_run, write_run
from workbench.evaluate.score import score
from workbench.evaluate.suite import compare, details, list_runs, run_suite, scorecard, suites
from workbench.model.errors import UsageError
from workbench.model.time import Instant


def sample(number: int, correct: bool | None, gold: tuple[str, ...] = ("a",), predicted: tuple[str, ...] = ("a",),
           error: str | None = None) -> Sample:
    return Sample("set", "workbench", f"q{number}", "kind", "who?", gold, predicted, correct, error,
                  Instant.of(-43, 3, 15), None, 0.001 * number, ("e1",), "")


SAMPLES = [sample(1, True), sample(2, False, predicted=("b",), error="stale"), sample(3, True, (), ()),
           sample(4, False, (), ("c",), "leak"), sample(5, None, predicted=())]


def rows() -> dict[str, Row]:
    return {row.metric: row for row in score(SAMPLES)}


def test_unscored_samples_are_counted_beside_n_not_as_wrong() -> None:
    accuracy = rows()["accuracy"]
    assert (accuracy.value, accuracy.n, accuracy.unscored) == (0.5, 4, 1)
    assert rows()["accuracy_answerable"].n == 2


def test_abstention_is_told_apart() -> None:
    assert rows()["abstention_accuracy"].value == 0.5
    assert rows()["false_answers"].value == 0.5
    assert rows()["false_abstentions"].value == 0.0
    assert rows()["error[leak]"].value == 0.25


def test_a_run_is_read_back_as_it_was(tmp_path: Path) -> None:
    run = Run("suite", "suite-1", tuple(score(SAMPLES)), tuple(SAMPLES), {"made_at": "x"})
    write_run(run, tmp_path / "suite-1")
    again = read_run(tmp_path / "suite-1")
    assert replace(again, folder=None) == run
    assert [found.run for found in list_runs(tmp_path)] == ["suite-1"]
    assert set(run.to_json()) == {"suite", "run", "rows"}
    assert set(run.to_json()["rows"][0]) == {"dataset", "system", "metric", "value", "n", "unscored", "low", "high"}
    with pytest.raises(UsageError, match="exists"):
        write_run(run, tmp_path / "suite-1")
    with pytest.raises(UsageError, match="not there"):
        read_run(tmp_path / "elsewhere")
    assert list_runs(tmp_path / "elsewhere") == []


def test_comparison_names_what_flipped_losses_first() -> None:
    better = [replace(item, correct=True, error=None) if item.id == "q2" else
              replace(item, correct=False) if item.id == "q1" else item for item in SAMPLES]
    first = Run("suite", "one", tuple(score(SAMPLES)), tuple(SAMPLES))
    second = Run("suite", "two", tuple(score(better)), tuple(better))
    found = compare(first, second)
    assert [before.id for before, _ in found.flipped] == ["q1", "q2"]
    assert all(item.apart in (False, None) for item in found.differences if item.metric == "accuracy")
    with pytest.raises(UsageError, match="like with like"):
        compare(first, replace(second, suite="other"))


def test_scorecard_shows_every_system() -> None:
    console = Console(width=200, record=True)
    run = Run("suite", "one", tuple(score(SAMPLES)))
    console.print(scorecard(run), details(run))
    text = console.export_text()
    assert "workbench" in text and "0.15–0.85" in text and "false_answers" in text


def test_an_unknown_suite_is_named_with_those_that_exist() -> None:
    with pytest.raises(UsageError, match="githistory"):
        run_suite("nothing")
    assert {name for name, _ in suites()} >= {"githistory", "tempreason", "unseentimeqa", "factconsolidation"}
