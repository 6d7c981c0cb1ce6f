"""`workbench retrieve`, `store index`, and what erasure leaves in the index."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import good, lines, run
from workbench.retrieve.encoder import default_model_path

CANARY = "zanzibarquokka"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    notes = lines(
        tmp_path / "notes.jsonl",
        {"id": "1", "session": "s", "speaker": "ann", "source": "crm/eu", "observed_at": "2024-01-10T09:00:00Z",
         "text": "Alice joined Billing in January 2023."},
        {"id": "2", "session": "s", "speaker": "bob", "source": "wiki", "kind": "document",
         "observed_at": "2024-06-03T14:00:00Z", "text": f"The deploy failed with ERR-1234/5. Note {CANARY}."},
    )
    good("ingest", notes, "--store", tmp_path / "store")
    return tmp_path / "store"


def test_retrieve(store: Path) -> None:
    row = good("retrieve", "Which team was Alice a member of in 2023?", "--store", store)
    assert row["path"] == "slot" and row["pack"]["tokens"] <= 1200
    assert "Alice member of Billing [2023-01-01 – …) (1, said by ann, on 2024-01-10)" in row["pack"]["text"]
    found = good("retrieve", "What about ERR-1234/5?", "--store", store, "--budget", "200")
    assert found["path"] == "lookup" and [item["id"] for item in found["items"]] == ["2"]
    text = run("retrieve", "What about ERR-1234/5?", "--store", store, "--explain").text
    assert "ERR-1234/5" in text and "keyword" in text


@pytest.mark.parametrize(("option", "value", "ids"), [
    ("--speaker", "bob", ["2"]), ("--source", "crm", ["1"]), ("--session", "nowhere", []),
    ("--episode-kind", "document", ["2"]), ("--known-at", "2020-01-01", []),
])
def test_filters_hold_on_every_arm(store: Path, option: str, value: str, ids: list[str]) -> None:
    """Fault 51."""
    for arm in ("keyword", "semantic", "graph", "time"):
        row = good("retrieve", "Alice deploy Billing ERR-1234/5 in 2024", "--store", store, "--kind", "episode",
                   "--arm", arm, option, value)
        assert {item["id"] for item in row["items"]} <= set(ids), arm
    row = good("retrieve", "Alice deploy Billing", "--store", store, "--kind", "episode", "--arm", "keyword", option,
               value)
    assert [item["id"] for item in row["items"]] == ids


def test_wrong_use(store: Path, tmp_path: Path) -> None:
    assert run("retrieve", "x", "--store", store, "--arm", "telepathy").exit == 2
    assert run("retrieve", "x", "--store", store, "--tokenizer", "nonesuch").exit == 2
    assert run("retrieve", "x", "--store", tmp_path / "none").exit == 2
    assert good("retrieve", "", "--store", store)["items"] == []
    assert good("retrieve", "Alice", "--store", store, "--budget", "0")["pack"]["lines"] == []


def test_reading_leaves_the_store_as_it_was(store: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in store.rglob("*") if path.is_file()}
    good("retrieve", "Alice", "--store", store)
    good("ask", "Who is Alice?", "--store", store)
    assert {path: path.stat().st_mtime_ns for path in store.rglob("*") if path.is_file()} == before


def test_an_erased_episode_is_in_no_index(store: Path) -> None:
    """Fault 27, 32."""
    if default_model_path() is not None:
        assert good("store", "index", "--store", store, "--embed")["embedded"] > 0
    assert good("retrieve", CANARY, "--store", store, "--arm", "keyword")["items"]
    good("erase", "2", "--store", store)
    assert good("retrieve", CANARY, "--store", store, "--arm", "keyword")["items"] == []
    assert good("store", "verify", "--store", store)["ok"]
    if default_model_path() is not None:
        assert good("store", "index", "--store", store, "--embed")["embedded"] == 0  # the rest kept its vectors
    assert not any(CANARY.encode() in path.read_bytes() for path in store.rglob("*") if path.is_file())


def test_a_damaged_index_is_found_and_made_anew(store: Path) -> None:
    file = next(store.rglob("index.sqlite"))
    file.write_bytes(b"not a database")
    assert good("retrieve", "ERR-1234/5", "--store", store)["items"]
    good("store", "index", "--store", store)
    assert good("store", "verify", "--store", store)["ok"]


def test_compaction_keeps_the_index(store: Path) -> None:
    if default_model_path() is not None:
        good("store", "index", "--store", store, "--embed")
    good("store", "compact", "--store", store)
    assert next(store.rglob("index.sqlite")).exists()
    if default_model_path() is not None:
        assert good("store", "index", "--store", store, "--embed")["embedded"] == 0
