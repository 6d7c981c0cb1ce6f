"""`workbench eval …` and `workbench demo`, on the project's own data."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.running import good, run
from workbench.evaluate.records import Row, Run, Sample
from workbench.evaluate.report import page

ROW = {"dataset", "system", "metric", "value", "n", "unscored", "low", "high"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two runs: of twenty questions and of all."""
    out = tmp_path_factory.mktemp("evaluate") / "runs"
    for limit in (["--limit", "20"], []):
        good("eval", "run", "officeholders", "--out", out, *limit)
    return out


def ids(runs: Path) -> list[str]:
    return [made["run"] for entry in good("eval", "list", "--out", runs) for made in entry["runs"]]


def test_run_prints_one_object_and_nothing_else(tmp_path: Path) -> None:
    done = run("eval", "run", "officeholders", "--limit", "5", "--out", tmp_path, "--json")
    assert (done.exit, done.error) == (0, "")
    assert set(done.json) == {"suite", "run", "rows"}
    assert done.json["rows"] and all(set(row) == ROW for row in done.json["rows"])
    assert (tmp_path / done.json["run"] / "run.json").is_file()
    accuracy = [row for row in done.json["rows"] if row["metric"] == "accuracy"]
    assert {row["system"] for row in accuracy} >= {"workbench", "latest-only"}
    assert all(row["n"] == 5 and row["low"] <= row["value"] <= row["high"] for row in accuracy)


def test_run_for_people(tmp_path: Path) -> None:
    done = run("eval", "run", "officeholders", "--limit", "5", "--out", tmp_path)
    assert done.exit == 0 and "right" in done.text and str(tmp_path) in done.text.replace("\n", "")


def test_list_shows_suites_and_runs(runs: Path) -> None:
    listed = {entry["suite"]: entry["runs"] for entry in good("eval", "list", "--out", runs)}
    assert {"officeholders", "githistory", "speed"} <= set(listed)
    assert [made["arguments"]["limit"] for made in listed["officeholders"]] == [20, None]
    assert not any(entry["runs"] for entry in good("eval", "list", "--out", runs / "nothing"))
    assert "officeholders" in run("eval", "list", "--out", runs).text


def test_compare_by_id_or_folder(runs: Path) -> None:
    first, second = ids(runs)
    found = good("eval", "compare", first, runs / second, "--out", runs)
    assert (found["first"], found["second"], found["flipped"]) == (first, second, [])
    assert {"dataset", "system", "metric", "first", "second", "apart"} == set(found["differences"][0])
    assert run("eval", "compare", first, second, "--out", runs).exit == 0


def test_report_writes_a_page_and_says_where(runs: Path) -> None:
    last = ids(runs)[-1]
    reported = good("eval", "report", last, "--out", runs)
    assert Path(reported["report"]) == runs / last / "report.html"
    done = run("eval", "report", last, "--out", runs, "--html", runs / "page.html")
    assert done.exit == 0 and "page.html" in done.text
    assert (runs / "page.html").read_text("utf-8") == (runs / last / "report.html").read_text("utf-8")


def test_the_page_needs_nothing_from_outside_and_is_well_formed(runs: Path) -> None:
    text = Path(good("eval", "report", ids(runs)[-1], "--out", runs)["report"]).read_text("utf-8")
    assert not re.search(r"""(src|href)=|url\(|@import|<script|<link""", text)
    assert "prefers-color-scheme: dark" in text and "Horst" in text
    open_tags: list[str] = []

    class Check(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag != "meta":
                open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_tags.pop() == tag

    Check().feed(text)
    assert open_tags == []


def test_the_page_escapes_what_the_data_says() -> None:
    evil = "<script>alert('$title')</script>"
    sample = Sample("d", "workbench", "1", "k", evil, (evil,), (), False, "empty")
    text = page(Run(evil, "run", (Row(evil, evil, "accuracy", None, 0),), (sample,), {"notes": [evil]}))
    assert "<script>" not in text and "&lt;script&gt;" in text


@pytest.mark.parametrize("arguments", [
    ("run", "nonsense"), ("run", "officeholders", "--limit", "0"), ("compare", "a", "b"), ("report", "a"), ("run",)])
def test_wrong_use_is_exit_2_and_says_what(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = run("eval", *arguments, "--out", tmp_path, "--json")
    assert done.exit == 2 and done.raw == b"" and len(done.error.strip()) > 20


def test_missing_data_is_exit_2_and_names_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    assert "--data" in run("eval", "run", "githistory", "--out", tmp_path).error
    done = run("eval", "run", "githistory", "--data", tmp_path, "--out", tmp_path)
    assert done.exit == 2 and "congress-bitemporal" in done.error
    assert run("eval", "run", "githistory", "--data", tmp_path / "none", "--out", tmp_path).exit == 2


def test_an_unwritable_folder_is_told_before_the_suite_runs(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("eval", "run", "officeholders", "--out", tmp_path / "file" / "runs")
    assert done.exit == 2 and "--out" in done.error


def test_demo(tmp_path: Path) -> None:
    done = run("demo", "--out", tmp_path)
    assert done.exit == 0, done.error
    told = done.text.replace("\n", "")
    assert "Olaf Scholz" in told and "as known on" in told and "report.html" in told
    assert max(map(len, done.text.splitlines())) <= 200
    printed = good("demo", "--out", tmp_path)
    assert Path(printed["report"]).is_file() and printed["failures"] == 0
    assert all(set(row) == ROW for row in printed["rows"])
