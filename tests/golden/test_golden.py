"""Golden cases: a folder holds `episodes.jsonl`, perhaps `schema.ttl`, and `checks.json`, a list of commands in order.

A check is `{"args": […], "exit": 0, "expect": …}`, run with `--store` and `--json`; the episodes are taken in first,
unless the first check takes them in itself. `expect` names only what matters: an object's keys, a list's items in
any order but all of them; `"~text"` means "contains". `say` and `silent` are texts that the output must or must not
hold; `save` keeps a part of the answer (`"0.fact"`) for `{name}` in later arguments; `{case}` is the folder.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run

HERE = Path(__file__).parent
CASES = sorted(path.parent for path in HERE.glob("*/checks.json"))


def fits(expected: Any, found: Any) -> bool:
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(
            name in found and fits(part, found[name]) for name, part in expected.items())
    if isinstance(expected, list):
        if not isinstance(found, list) or len(found) != len(expected):
            return False
        left = list(found)
        for part in expected:
            place = next((n for n, item in enumerate(left) if fits(part, item)), None)
            if place is None:
                return False
            del left[place]
        return True
    if isinstance(expected, str) and expected.startswith("~"):
        return expected[1:] in str(found)
    return bool(expected == found) and isinstance(expected, bool) == isinstance(found, bool)


def picked(answer: Any, path: str) -> Any:
    for step in path.split("."):
        answer = answer[int(step) if isinstance(answer, list) else step]
    return answer


def filled(arg: str, saved: dict[str, str]) -> str:
    for name, value in saved.items():
        arg = arg.replace("{" + name + "}", value)
    return arg


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden(case: Path, tmp_path: Path) -> None:
    checks: list[dict[str, Any]] = json.loads((case / "checks.json").read_text("utf-8"))
    store = tmp_path / "store"
    saved = {"case": str(case), "tmp": str(tmp_path), "store": str(store)}
    if (case / "episodes.jsonl").exists() and checks[0]["args"][:2] != ["ingest", "{case}/episodes.jsonl"]:
        schema = case / "schema.ttl"
        checks.insert(0, {"args": ["ingest", str(case / "episodes.jsonl"),
                                   *(["--schema", str(schema)] if schema.exists() else [])]})
    for check in [*checks, {"args": ["store", "verify", "--deep"], "expect": {"ok": True}}]:
        args = [filled(arg, saved) for arg in check["args"]]
        done = run(*args, *([] if check.get("bare") else ["--store", str(store)]), "--json")
        told = f"{' '.join(args)}\n{done.text}\n{done.error}"
        assert done.exit == check.get("exit", 0), told
        if "expect" in check:
            assert fits(check["expect"], done.json), f"expected {json.dumps(check['expect'], indent=1)}\n{told}"
        for text in check.get("say", []):
            assert text in done.text + done.error, f"expected {text!r}\n{told}"
        for text in check.get("silent", []):
            assert text not in done.text + done.error, f"unexpected {text!r}\n{told}"
        for name, path in check.get("save", {}).items():
            saved[name] = str(picked(done.json, path))


def test_there_are_cases() -> None:
    assert len(CASES) > 50
