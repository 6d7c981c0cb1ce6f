"""An invented world and questions about it, each with the path of relations that it asks for (`paraphrases.txt`).

Those `asked` were written before the suite's phrases were widened for them, in other wordings than the data set's:
possessives in a row, relative clauses, passives, indirect questions; those `asked later` after that. Every entity has
facts that lead astray, so that a reading has to choose.
"""

from __future__ import annotations

from pathlib import Path

from workbench.evaluate.controlled_language import RELATIONS

Asked = list[tuple[str, tuple[str, ...]]]


def _lines(section: str) -> list[str]:
    parts = Path(__file__).with_suffix(".txt").read_text("utf-8").split("\n\n")
    return next(part for part in parts if part.startswith(f"[{section}]\n")).strip().splitlines()[1:]


def world() -> dict[str, list[tuple[str, str]]]:
    """From an entity to its (relation, value) pairs."""
    found: dict[str, list[tuple[str, str]]] = {}
    relations = sorted(RELATIONS, key=len, reverse=True)
    for line in _lines("facts"):
        subject, _, rest = line.partition(": ")
        for part in rest.split("; "):
            relation = next(name for name in relations if part.startswith(f"{name} "))
            found.setdefault(subject, []).append((relation, part[len(relation) + 1:]))
    return found


def questions(section: str) -> Asked:
    """(question, relations) of a section: `asked` or `asked later`."""
    return [(question, tuple(path.split(", "))) for question, _, path in (
        line.partition(" => ") for line in _lines(section))]
