"""Erasure (fault 27): what was erased is nowhere, and the store is one built from the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import good, lines, quads, run
from workbench.api import Workbench
from workbench.ingest.pipeline import Pipeline
from workbench.ingest.reader import episode_from_row

CANARY = "zxcanary7"
BEFORE: dict[str, Any] = {
    "id": "a",
    "observed_at": "2024-01-01T00:00:00Z",
    "recorded_at": "2024-01-01T00:00:00Z",
    "claims": [{"subject": "Ann", "relation": "livesIn", "object": "Rome"}],
}
SECRET: dict[str, Any] = {
    "id": "b",
    "observed_at": "2024-02-01T00:00:00Z",
    "recorded_at": "2024-02-01T00:00:00Z",
    "text": f"{CANARY} text",
    "source": f"{CANARY} source",
    "session": f"{CANARY} session",
    "speaker": f"{CANARY} speaker",
    "record": {CANARY: [CANARY]},
    "claims": [
        {
            "subject": "Ann",
            "relation": "livesIn",
            "object": f"{CANARY} Town",
            "object_type": f"{CANARY} type",
            "quote": f"{CANARY} quote",
            "valid_from": "2023",
        },
        {"subject": f"{CANARY} Person", "relation": f"{CANARY} relation", "value": f"{CANARY} value"},
        {"subject": "Ann", "relation": "age", "value": f"{CANARY} years", "datatype": "xsd:integer"},
        {"subject": "Ann", "relation": "knows", "object": f"{CANARY} denied", "polarity": "denied"},
    ],
}
AFTER: dict[str, Any] = {
    "id": "c",
    "observed_at": "2024-03-01T00:00:00Z",
    "recorded_at": "2024-03-01T00:00:00Z",
    "claims": [
        {"subject": "Ann", "relation": "livesIn", "object": "Oslo", "valid_from": "2024-03-01"},
        {"subject": "Bo", "relation": "knows", "object": "Ann"},
    ],
}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    done = run("ingest", lines(tmp_path / "a.jsonl", BEFORE, SECRET, AFTER), "--store", tmp_path / "s", "--json")
    assert done.json["episodes"] == 3
    return tmp_path / "s"


def holding(folder: Path, word: str) -> list[str]:
    """The files below a folder whose name or bytes hold a word, in UTF-8 or UTF-16."""
    forms = [word.encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be")]
    return [
        str(path)
        for path in folder.rglob("*")
        if word in path.name or (path.is_file() and any(form in path.read_bytes() for form in forms))
    ]


def without_tombstones(found: list[str]) -> list[str]:
    return [line for line in found if "urn:tcg:tombstone:" not in line]


def built_from(*rows: dict[str, Any]) -> list[str]:
    with Workbench.open() as wb:
        wb.ingest([episode_from_row(row) for row in rows])
        return wb.graph.quads.lines()


def test_the_canary_is_there_before(store: Path) -> None:
    assert holding(store, CANARY)


@pytest.mark.parametrize(
    "how", [("b",), ("--source", f"{CANARY} source"), ("--entity", f"{CANARY} Town"), ("--entity", f"{CANARY} Person")]
)
def test_it_is_nowhere_after(store: Path, how: tuple[str, ...]) -> None:
    done = run("erase", *how, "--store", store, "--json")
    assert done.exit == 0, done.error
    assert done.json["erased"] == ["b"] and len(done.json["tombstones"]) == 1
    assert CANARY not in done.text + done.error
    assert holding(store, CANARY) == []
    assert without_tombstones(quads(store)) == built_from(BEFORE, AFTER)
    assert good("store", "verify", "--deep", "--store", store)["ok"]


def test_curation_that_repeats_it_goes_too(store: Path) -> None:
    (fact,) = good(
        "facts", "--store", store, "--subject", "Ann", "--relation", "livesIn", "--valid-at", "2024-02-02T00:00:00Z"
    )
    first = good("correct", fact["fact"], "--valid-from", "2022-01-01", "--store", store)
    (again,) = good(
        "facts", "--store", store, "--subject", "Ann", "--relation", "livesIn", "--valid-at", "2022-02-02T00:00:00Z"
    )
    assert again["object"] == f"{CANARY} Town"
    second = good("correct", again["fact"], "--valid-from", "2021-01-01", "--store", store)
    merged = good("merge", "Bo", f"{CANARY} Person", "--store", store)
    report = good("erase", "b", "--store", store)
    assert report["erased"] == sorted(["b", first["episode"], second["episode"], merged["episode"]])
    assert holding(store, CANARY) == []
    assert without_tombstones(quads(store)) == built_from(BEFORE, AFTER)


def test_a_correction_of_a_fact_that_another_episode_closed_goes_too(store: Path) -> None:
    # the record as it is now stands in the graph of episode c, which closed it; only b says what it holds
    (fact,) = good(
        "facts", "--store", store, "--subject", "Ann", "--relation", "livesIn", "--valid-at", "2024-02-02T00:00:00Z"
    )
    assert fact["recorded_in"] == "c" and fact["episodes"] == ["b"]
    good("correct", fact["fact"], "--valid-from", "2022-01-01", "--store", store)
    good("erase", "b", "--store", store)
    assert holding(store, CANARY) == []
    assert without_tombstones(quads(store)) == built_from(BEFORE, AFTER)


def test_all_versions_go(tmp_path: Path) -> None:
    rows = [
        {"id": "doc", "observed_at": "2024-01-01T00:00:00Z", "kind": "document", "text": f"{CANARY} {number}"}
        for number in range(3)
    ]
    good("ingest", lines(tmp_path / "a.jsonl", BEFORE, *rows), "--store", tmp_path / "s")
    assert good("erase", "doc#2", "--store", tmp_path / "s")["erased"] == ["doc", "doc#2", "doc#3"]
    assert holding(tmp_path / "s", CANARY) == []


def test_a_strangers_id_is_no_version(tmp_path: Path) -> None:
    stranger = {
        "id": "doc#2",
        "observed_at": "2024-01-01T00:00:00Z",
        "claims": [{"subject": "Cy", "relation": "likes", "object": "tea"}],
    }
    rows = [{"id": "doc", "observed_at": "2024-01-01T00:00:00Z", "text": f"{CANARY} {number}"} for number in range(2)]
    good("ingest", lines(tmp_path / "a.jsonl", stranger, *rows), "--store", tmp_path / "s")
    assert good("facts", "--store", tmp_path / "s", "--subject", "Cy", "--valid-at", "2024-02-01T00:00:00Z")
    assert good("erase", "doc", "--store", tmp_path / "s")["erased"] == ["doc", "doc#3"]
    assert good("facts", "--store", tmp_path / "s", "--subject", "Cy", "--valid-at", "2024-02-01T00:00:00Z")


def test_failures_are_not_kept(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "a.jsonl",
        BEFORE,
        {"id": "b", "text": "a", "kind": CANARY},
        {**SECRET, "recorded_at": "1999-01-01"},
        {"id": f"{CANARY}", "text": "a", "recorded_at": "1999-01-01T00:00:00Z"},
    )
    run("ingest", path, "--store", tmp_path / "s")
    assert holding(tmp_path / "s", CANARY)
    good("erase", "a", "--store", tmp_path / "s")
    assert holding(tmp_path / "s", CANARY) == []
    assert len(good("store", "failed", "--store", tmp_path / "s")) == 3


def test_erased_content_is_refused_without_force(store: Path, tmp_path: Path) -> None:
    good("erase", "b", "--store", store)
    done = run("ingest", tmp_path / "a.jsonl", "--store", store, "--json")
    assert done.exit == 1
    assert done.json["unchanged"] == 2 and "--force" in done.json["failures"][0]["reason"]
    again = run(
        "ingest", lines(tmp_path / "b.jsonl", {**SECRET, "recorded_at": None}), "--force", "--store", store, "--json"
    )
    assert again.json["episodes"] == 1
    assert holding(store, CANARY)


def test_an_interrupted_erase_changes_nothing(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = quads(store)

    def broken(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Pipeline, "replay", broken)
        assert run("erase", "b", "--store", store).exit != 0
    assert quads(store) == before
    assert good("store", "verify", "--deep", "--store", store)["ok"]
    assert len(list(store.glob("g-*"))) == 1
