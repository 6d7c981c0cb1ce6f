"""Writes the gold answers into questions.jsonl, from truth.csv alone. Needs nothing but Python.

truth.csv holds every version of the belief about every term of office: `[valid_from, valid_to)` in days, and
`[known_from, known_to)` in which the notes taken in by then say so. This script imports nothing of the workbench and
knows nothing of its rules, so that it can disagree with it.

    python gold.py          answers the questions anew
    python gold.py --check  only says whether the file is as it would be
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
LAST = "9999-12-31T00:00:00Z"


def known(rows: list[dict[str, str]], known_at: str | None) -> list[dict[str, str]]:
    """The versions believed at an instant; None = at the end. ISO 8601 text of equal form compares as time does."""
    at = known_at or LAST
    return [row for row in rows if row["known_from"] <= at and (not row["known_to"] or at < row["known_to"])]


def holds(row: dict[str, str], valid_at: str) -> bool:
    """Whether a term covers a day; its last day is the first day of what follows."""
    day = valid_at[:10]
    return row["valid_from"] <= day and (not row["valid_to"] or day < row["valid_to"])


def answers(question: dict[str, Any], truth: list[dict[str, str]]) -> list[str]:
    """The gold set of a question, sorted; empty if nothing is known."""
    slot, rows = question["slot"], known(truth, question["known_at"])
    fixed = {name: slot[name] for name in ("subject", "relation", "object", "valid_from") if name in slot}
    rows = [row for row in rows if all(row[name] == value for name, value in fixed.items())]
    if question["valid_at"]:
        rows = [row for row in rows if holds(row, question["valid_at"])]
    if slot["find"] == "office":
        return sorted({f"{row['relation']} {row['object']}" for row in rows})
    return sorted({row[slot["find"]] for row in rows if row[slot["find"]]})


def main() -> int:
    """Answer every question; exit 1 with `--check` if the file would change."""
    with (HERE / "truth.csv").open(encoding="utf-8", newline="") as stream:
        truth = list(csv.DictReader(stream))
    path = HERE / "questions.jsonl"
    before = path.read_text(encoding="utf-8")
    lines = []
    for line in before.splitlines():
        question = json.loads(line)
        gold = answers(question, truth)
        lines.append(json.dumps({**question, "answers": gold, "unanswerable": not gold}, ensure_ascii=False))
    after = "\n".join(lines) + "\n"
    if "--check" in sys.argv[1:]:
        return int(after != before)
    path.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
