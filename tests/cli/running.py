"""The command line in this process: as a script would call it, without the cost of a new interpreter."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from workbench.cli.main import main


@dataclass(frozen=True)
class Done:
    """What a command left: exit code, the bytes it printed, and what it said on standard error."""

    exit: int
    raw: bytes
    error: str

    @property
    def text(self) -> str:
        return self.raw.decode("utf-8")

    @property
    def json(self) -> Any:
        return json.loads(self.raw)


def run(*args: str | Path) -> Done:
    """Run `workbench ARGS`; an error that is no `SystemExit` is a defect and is raised here."""
    raw, error = io.BytesIO(), io.StringIO()
    code: object = 0
    out = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
    with patch.object(sys, "argv", ["workbench", *map(str, args)]), redirect_stdout(out), redirect_stderr(error):
        try:
            main()
        except SystemExit as stop:
            code = stop.code
    out.flush()
    assert code is None or isinstance(code, int)
    return Done(code or 0, raw.getvalue(), error.getvalue())


def good(*args: str | Path) -> Any:
    """The JSON of a command that must end well."""
    done = run(*args, "--json")
    assert done.exit == 0, done.error or done.text
    return done.json


def lines(path: Path, *rows: dict[str, Any] | str) -> Path:
    """A JSON Lines file; texts are taken as they are."""
    path.write_text(
        "".join((row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)) + "\n" for row in rows), "utf-8"
    )
    return path


def quads(store: Path) -> list[str]:
    """The sorted N-Quads of a store."""
    from workbench.api import Workbench

    with Workbench.open(store, read_only=True) as wb:
        return wb.graph.quads.lines()
