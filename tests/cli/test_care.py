"""Proposals of merges, and the schema's shapes measured on what is true."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import good, lines, run

EPISODE = {"id": "1", "observed_at": "2024-01-01T00:00:00Z", "claims": [
    {"subject": "Catherine Smith", "relation": "likes", "object": "tea"},
    {"subject": "Katherine Smith", "relation": "works with", "object": "Group 2024"},
    {"subject": "Bo", "relation": "works with", "object": "Group 2025"}]}


def test_likeness_proposes_and_never_merges(tmp_path: Path) -> None:
    good("ingest", lines(tmp_path / "a.jsonl", EPISODE), "--store", tmp_path / "s")
    rows = good("store", "proposals", "--store", tmp_path / "s")
    assert [(row["left"], row["right"]) for row in rows] == [("Catherine Smith", "Katherine Smith")]
    facts = good("facts", "--store", tmp_path / "s", "--subject", "Catherine Smith")
    assert [fact["relation"] for fact in facts] == ["likes"]


def test_shapes_find_a_competing_functional_slot(tmp_path: Path) -> None:
    claims = [{"subject": "Bo", "relation": "livesIn", "object": place} for place in ("Rome", "Oslo")]
    store = tmp_path / "s"
    good("ingest", lines(tmp_path / "a.jsonl", {**EPISODE, "claims": claims[:1]}), "--store", store)
    assert good("store", "verify", "--shapes", "--store", store) == {"ok": True, "findings": []}
    good("ingest", lines(tmp_path / "b.jsonl", {**EPISODE, "id": "2", "claims": claims[1:]}), "--store", store)
    done = run("store", "verify", "--shapes", "--store", store, "--json")
    assert done.exit == 1 and "livesIn" in done.text
