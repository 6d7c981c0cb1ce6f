"""Every command as scripts use it: shape of the JSON, exit codes, names, times, dry runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from tests.cli.running import good, lines, quads, run
from workbench.cli.main import cli

ROOT = Path(__file__).parents[2]
WHEN = ("--valid-at", "2024-06-01T00:00:00Z")
FACT = {
    "fact",
    "subject",
    "relation",
    "object",
    "value",
    "valid_from",
    "valid_to",
    "known_from",
    "known_to",
    "confidence",
    "status",
    "episodes",
    "quote",
    "answer",
    "subject_iri",
    "object_iri",
}
EPISODES: list[dict[str, Any]] = [
    {
        "id": "1",
        "observed_at": "2024-01-10T09:00:00Z",
        "recorded_at": "2024-01-10T09:00:05Z",
        "source": "chat",
        "text": "Alice joined Billing in January 2023.",
    },
    {
        "id": "2",
        "observed_at": "2024-03-03T14:00:00Z",
        "recorded_at": "2024-03-03T14:00:02Z",
        "source": "mail",
        "claims": [
            {"subject": "Alice", "relation": "memberOf", "object": "Platform", "valid_from": "2024-03-01"},
            {"subject": "Jordan", "subject_type": "Person", "relation": "likes", "object": "tea"},
            {"subject": "Jordan", "subject_type": "Country", "relation": "capital", "object": "Amman"},
            {
                "subject": "Caesar",
                "relation": "holdsRole",
                "object": "Dictator",
                "valid_from": "-0048",
                "valid_to": "-0043-03-15",
            },
        ],
    },
]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("commands")
    good("ingest", lines(folder / "a.jsonl", *EPISODES), "--store", folder / "s")
    return folder / "s"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    good("ingest", lines(tmp_path / "a.jsonl", *EPISODES), "--store", tmp_path / "s")
    return tmp_path / "s"


def commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, (*path, name))
    else:
        yield path, command


def test_every_command_has_help_and_json_and_stands_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for path, command in commands(cli):
        name = " ".join(path)
        assert (command.help or "").strip(), name
        done = run(*path, "--help")
        assert done.exit == 0 and "Usage:" in done.text, name
        assert any("--json" in option.opts for option in command.params), name
        assert path[0] in readme and path[-1] in readme, f"`workbench {name}` is not in the README"


def test_help_lists_every_command_of_the_contract() -> None:
    text = run("--help").text
    for name in (
        "ingest facts history changes query ask retract erase merge split unmerge correct reextract explain "
        "diff store eval"
    ).split():
        assert name in text


def test_ingest(tmp_path: Path) -> None:
    report = good("ingest", lines(tmp_path / "a.jsonl", *EPISODES), "--store", tmp_path / "s")
    assert report.keys() >= {
        "episodes",
        "claims",
        "added",
        "closed",
        "supported",
        "competing",
        "failures",
        "model_calls",
        "tokens",
        "seconds",
    }
    assert (report["episodes"], report["claims"], report["failures"]) == (2, 5, [])


def test_ingest_goes_on_after_bad_lines(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "a.jsonl",
        "{not json",
        EPISODES[0],
        '["a list"]',
        {"id": "x"},
        EPISODES[1],
        {"id": "y", "text": "a", "observed_at": "soon"},
        {"id": "z", "text": "a", "trust": 7},
    )
    done = run("ingest", path, "--store", tmp_path / "s", "--json")
    assert done.exit == 1
    assert done.json["episodes"] == 2
    assert [row["line"] for row in done.json["failures"]] == [1, 3, 4, 6, 7]
    assert all(row["file"] == str(path) and row["reason"] for row in done.json["failures"])
    listed = good("store", "failed", "--store", tmp_path / "s")
    assert [row["line"] for row in listed] == [1, 3, 4, 6, 7]


def test_a_refused_episode_is_listed_by_line(tmp_path: Path) -> None:
    late = {"id": "late", "text": "a", "recorded_at": "2023-01-01T00:00:00Z"}
    path = lines(tmp_path / "a.jsonl", *EPISODES, late)
    done = run("ingest", path, "--store", tmp_path / "s", "--json")
    assert done.exit == 1
    for rows in (done.json["failures"], good("store", "failed", "--store", tmp_path / "s")):
        assert [(row["file"], row["line"]) for row in rows] == [(str(path), 3)]
        assert "backwards" in rows[0]["reason"]


def test_facts(shared: Path) -> None:
    rows = good("facts", "--store", shared, "--subject", "Alice", *WHEN)
    assert isinstance(rows, list) and len(rows) == 1
    (row,) = rows
    assert row.keys() >= FACT
    assert (row["subject"], row["relation"], row["object"], row["value"]) == ("Alice", "memberOf", "Platform", None)
    assert (row["subject_iri"], row["object_iri"]) == ("urn:tcg:entity:alice", "urn:tcg:entity:platform")
    assert (row["valid_from"], row["valid_to"]) == ("2024-03-01T00:00:00Z", None)
    assert (row["known_from"], row["known_to"]) == ("2024-03-03T14:00:02Z", None)
    assert (row["status"], row["episodes"], row["answer"]) == ("settled", ["2"], "true")


def test_facts_from_another_vantage(shared: Path) -> None:
    (row,) = good("facts", "--store", shared, "--subject", "Alice", *WHEN, "--known-at", "2024-02-01T00:00:00Z")
    assert (row["object"], row["valid_to"]) == ("Billing", None)
    assert good("facts", "--store", shared, "--subject", "Alice", *WHEN, "--known-at", "2024-01-01T00:00:00Z") == []


@pytest.mark.parametrize(
    ("name", "value", "count"),
    [
        ("--subject", "alice", 1),
        ("--subject", "urn:tcg:entity:alice", 1),
        ("--subject", "Nobody", 0),
        ("--relation", "memberOf", 1),
        ("--relation", "member of", 1),
        ("--relation", "urn:tcg:relation:memberOf", 1),
        ("--relation", "hasMember", 1),
        ("--relation", "noSuchRelation", 0),
        ("--object", "Platform", 1),
        ("--object", "Nothing", 0),
    ],
)
def test_names(shared: Path, name: str, value: str, count: int) -> None:
    assert len(good("facts", "--store", shared, name, value, *WHEN)) == count


def test_ambiguous_name(shared: Path) -> None:
    for args in (("facts", "--subject", "Jordan"), ("facts", "--object", "Jordan"), ("history", "Jordan")):
        done = run(*args, "--store", shared, "--json")
        assert done.exit == 2
        said = done.text + done.error
        assert "urn:tcg:entity:jordan" in said and "Person" in said and "Country" in said
    for kind, value in (("Person", "tea"), ("Country", "Amman")):
        (row,) = good("facts", "--store", shared, "--subject", "Jordan", "--subject-type", kind, *WHEN)
        assert row["object"] == value
        (row,) = good("history", "Jordan", "--store", shared, "--subject-type", kind)
        assert row["object"] == value


def test_years_before_zero(shared: Path) -> None:
    (row,) = good("facts", "--store", shared, "--valid-at", "-0044-01-01T00:00:00Z")
    assert (row["object"], row["valid_from"], row["valid_to"]) == (
        "Dictator",
        "-0048-01-01T00:00:00Z",
        "-0043-03-15T00:00:00Z",
    )
    assert good("facts", "--store", shared, "--valid-at", "-0050-01-01T00:00:00Z") == []
    assert good("query", "SELECT * { ?s r:holdsRole ?o }", "--store", shared, "--valid-at", "-0044-01-01T00:00:00Z")[
        "results"
    ]["bindings"]


@pytest.mark.parametrize(
    "time", ["yesterday", "2024-13-01", "", "2024-02-30T00:00:00Z", "12:00", "2024-01-01T25:00:00Z"]
)
def test_bad_times(shared: Path, time: str) -> None:
    for command in (("facts",), ("query", "ASK {}"), ("ask", "Where?")):
        for name in ("--valid-at", "--known-at"):
            done = run(*command, "--store", shared, name, time)
            assert done.exit == 2 and done.text == "" and done.error


def test_history(shared: Path) -> None:
    rows = good("history", "Alice", "memberOf", "--store", shared)
    assert [(row["object"], row["valid_to"], row["cause"], row["closed_by"]) for row in rows] == [
        ("Billing", None, "1", "2"),
        ("Billing", "2024-03-01T00:00:00Z", "2", None),
        ("Platform", None, "2", None),
    ]
    assert all(row.keys() >= FACT for row in rows)
    assert good("history", "Nobody", "--store", shared) == []


def test_changes(shared: Path) -> None:
    rows = good("changes", "--between", "2024-02-01T00:00:00Z", "2024-04-01T00:00:00Z", "--store", shared)
    alice = [(row["change"], row["object"], row["episode"]) for row in rows if row["subject"] == "Alice"]
    assert alice == [("gone", "Billing", "2"), ("new", "Billing", "2"), ("new", "Platform", "2")]
    assert all(row.keys() >= FACT for row in rows)
    assert good("changes", "--between", "2025-01-01T00:00:00Z", "2025-02-01T00:00:00Z", "--store", shared) == []
    assert run("changes", "--between", "2025-01-01T00:00:00Z", "2024-01-01T00:00:00Z", "--store", shared).exit == 2


def test_ask(shared: Path) -> None:
    row = good("ask", "Which team was Alice a member of in 2023?", "--store", shared)
    assert row["answer"] == ["Billing"]
    assert row["interval"] == ["2023-01-01T00:00:00Z", "2024-03-01T00:00:00Z"]
    assert "1" in [item["episode"] for item in row["episodes"]]
    assert any("January 2023" in (item["quote"] or "") for item in row["episodes"])
    assert row["path"]
    nothing = good("ask", "Why is the sky blue?", "--store", shared)
    assert nothing["answer"] == [] and nothing["abstained"]


def test_explain(shared: Path) -> None:
    billing, again, _ = good("history", "Alice", "memberOf", "--store", shared)
    report = good("explain", billing["fact"], "--store", shared)
    assert report["believed"] is False
    assert report["closed"]["by"] == "2" and report["closed"]["replaced_by"] == [again["fact"]]
    report = good("explain", again["fact"], "--store", shared)
    assert report["believed"] and [item["episode"] for item in report["evidence"]] == ["1"]
    assert report["ends_because"]["rule"]
    assert run("explain", "nothing", "--store", shared).exit == 2


@pytest.mark.parametrize(
    "args",
    [
        ("facts",),
        ("history", "A"),
        ("changes", "--between", "2024-01-01", "2024-02-01"),
        ("query", "ASK {}"),
        ("ask", "Who?"),
        ("explain", "f"),
        ("retract", "1"),
        ("erase", "1"),
        ("merge", "A", "B"),
        ("split", "A", "--episodes", "1"),
        ("unmerge", "1"),
        ("correct", "f", "--valid-to", "2024"),
        ("reextract", "1"),
        ("trust", "0.5", "--source", "x"),
        ("schema",),
        ("store", "info"),
        ("store", "verify"),
        ("store", "rebuild"),
        ("store", "failed"),
        ("store", "compact"),
        ("store", "migrate"),
    ],
)
def test_unknown_store(tmp_path: Path, args: tuple[str, ...]) -> None:
    done = run(*args, "--store", tmp_path / "none", "--json")
    assert done.exit == 2
    assert "no store" in done.error
    assert not (tmp_path / "none").exists()


def test_wrong_use_is_exit_2(shared: Path, tmp_path: Path) -> None:
    for args in (
        ("nonsense",),
        ("facts",),
        ("facts", "--store", shared, "--reading", "sure"),
        ("ingest", "--store", shared),
        ("ingest", tmp_path / "none.jsonl", "--store", shared),
        ("ingest", tmp_path, "--store", shared),
        ("query", "--store", shared),
        ("store",),
        ("store", "nonsense"),
        ("correct", "x", "--store", shared),
        ("erase", "--store", shared),
        ("trust", "0.5", "--store", shared),
    ):
        done = run(*args)
        assert done.exit == 2, args
        assert "Traceback" not in done.error


def fact_of(store: Path, name: str) -> str:
    (row,) = good("facts", "--store", store, "--subject", name, *WHEN)
    return str(row["fact"])


def test_dry_runs_write_nothing(store: Path) -> None:
    fact = fact_of(store, "Alice")
    schema = store.parent / "s.ttl"
    schema.write_text(
        "@prefix r: <urn:tcg:relation:> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "r:likes a owl:ObjectProperty, owl:FunctionalProperty .\n"
    )
    before, files = quads(store), sorted(path.name for path in store.iterdir() if path.name != "LOCK")
    for args in (
        ("retract", "1"),
        ("erase", "1"),
        ("erase", "--entity", "Alice"),
        ("erase", "--source", "mail"),
        ("merge", "Alice", "Caesar"),
        ("split", "Alice", "--episodes", "1"),
        ("correct", fact, "--object", "Ops"),
        ("trust", "0.2", "--source", "mail"),
        ("schema", schema, "--resettle"),
        ("reextract", "1"),
    ):
        report = good(*args, "--store", store, "--dry-run")
        assert (report[0] if isinstance(report, list) else report)["dry_run"] is True, args
        assert quads(store) == before, args
    assert sorted(path.name for path in store.iterdir() if path.name != "LOCK") == files


def test_curation_prints_its_episode(store: Path) -> None:
    fact = fact_of(store, "Alice")
    for args in (
        ("retract", "1"),
        ("merge", "Alice", "Caesar"),
        ("correct", fact, "--object", "Ops"),
        ("split", "Alice", "--episodes", "2"),
        ("trust", "0.9", "--source", "mail"),
    ):
        count = good("store", "info", "--store", store)["episodes"]
        report = good(*args, "--store", store)
        assert report["episode"] and report["dry_run"] is False
        assert good("store", "info", "--store", store)["episodes"] == count + 1
        if args[0] == "merge":
            assert good("unmerge", report["episode"], "--store", store)["episode"]
    assert good("store", "verify", "--deep", "--store", store) == {"ok": True, "findings": []}


def test_reextract(store: Path) -> None:
    run("reextract", "1", "--store", store, "--json")
    (row,) = good("facts", "--store", store, "--subject", "Alice", "--valid-at", "2023-06-01T00:00:00Z")
    assert row["object"] == "Billing"
    assert run("reextract", "2", "--store", store).exit == 2
    assert run("reextract", "9", "--store", store).exit == 2


def test_erase_by_entity_and_source(store: Path) -> None:
    assert good("erase", "--source", "chat", "--store", store)["erased"] == ["1"]
    assert good("erase", "--entity", "Caesar", "--store", store)["erased"] == ["2"]
    assert good("facts", "--store", store, *WHEN) == []
    assert run("erase", "--entity", "Caesar", "--store", store).exit == 2
    assert run("erase", "1", "--store", store).exit == 2
    assert run("erase", "--source", "nowhere", "--store", store).exit == 2


def test_diff(store: Path, tmp_path: Path) -> None:
    good("ingest", tmp_path / "a.jsonl", "--store", tmp_path / "t")
    done = run("diff", store, tmp_path / "t", "--json")
    assert done.exit == 0 and done.json["claims"] == {"only_first": [], "only_second": []}
    good("retract", "2", "--store", tmp_path / "t")
    done = run("diff", store, tmp_path / "t", "--json")
    assert done.exit == 1
    assert {"Platform", "Billing"} <= {row["object"] for row in done.json["facts"]["only_first"]}
    assert run("diff", store, tmp_path / "none").exit == 2


def test_store_care(store: Path, tmp_path: Path) -> None:
    info = good("store", "info", "--store", store)
    assert info["episodes"] == 2
    assert good("store", "verify", "--store", store) == {"ok": True, "findings": []}
    before = quads(store)
    good("store", "rebuild", "--store", store)
    good("store", "compact", "--store", store)
    good("store", "migrate", "--store", store)
    assert quads(store) == before
    good("store", "backup", "--store", store, "--to", tmp_path / "b")
    good("retract", "1", "--store", store)
    good("store", "restore", "--from", tmp_path / "b", "--store", tmp_path / "r")
    assert quads(tmp_path / "r") == before
    assert good("store", "verify", "--deep", "--store", tmp_path / "r")["ok"]
    assert run("store", "backup", "--store", store, "--to", tmp_path / "b").exit == 2
    assert run("store", "restore", "--from", tmp_path / "b", "--store", tmp_path / "r").exit in (1, 2)
    assert good("store", "failed", "--store", store) == []


def test_eval_list() -> None:
    assert isinstance(good("eval", "list"), list)
    assert run("eval", "run", "no-such-suite").exit == 2


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Midway", "Pacific/Kiritimati", "America/New_York"])
def test_the_zone_of_the_machine_does_not_matter(tmp_path: Path, zone: str) -> None:
    path = lines(
        tmp_path / "a.jsonl",
        {
            "id": "a",
            "observed_at": "2024-03-10T23:30:00",
            "time_zone": "Pacific/Auckland",
            "text": "Tama joined Harbour Crew yesterday.",
        },
        {"id": "b", "observed_at": "2024-03-10T23:30:00", "text": "Rua joined Harbour Crew yesterday."},
    )
    code = "from workbench.cli.main import main; main()"
    environment = {**os.environ, "TZ": zone, "PYTHONPATH": str(ROOT)}
    found = []
    for args in (["ingest", path, "--json"], ["facts", "--valid-at", "2024-03-11T00:00:00Z", "--json"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, args), "--store", str(tmp_path / "s")],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
            cwd=tmp_path,
        )
        found.append(json.loads(done.stdout))
    assert {row["subject"]: row["valid_from"] for row in found[1]} == {
        "Tama": "2024-03-08T11:00:00Z",
        "Rua": "2024-03-09T00:00:00Z",
    }
    assert len(found[0]["notes"]) == 1 and "UTC" in found[0]["notes"][0]
