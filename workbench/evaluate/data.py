"""Where data sets lie, how their lines are read, and the clock of a replayed history."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from workbench.graph.ontology import load_schema
from workbench.model.errors import UsageError
from workbench.model.schema import Schema
from workbench.model.time import Instant

DATA_VARIABLE: Final = "WORKBENCH_DATA"
_OWN: Final = "officeholders"


@dataclass(frozen=True, slots=True)
class ReplayClock:
    """A clock that stands still, so that a replayed history gives the same store on every day."""

    at: Instant

    def now(self) -> Instant:
        """The instant it stands at."""
        return self.at


def data_root(data: Path | None) -> Path:
    """The folder given, or that of `WORKBENCH_DATA`.

    Raises:
        UsageError: neither is given, or the folder is not there.
    """
    given = data if data is not None else os.environ.get(DATA_VARIABLE)
    if not given:
        raise UsageError(
            f"this suite needs data sets from outside: give --data DIR or set {DATA_VARIABLE} to the folder that "
            "holds them, one folder a data set (such as DIR/congress-bitemporal/)")
    root = Path(given).expanduser()
    if not root.is_dir():
        raise UsageError(f"{root} is not a folder; give the folder that holds the data sets")
    return root


def find_files(data: Path | None, dataset: str, pattern: str, aliases: Sequence[str] = ()) -> list[Path]:
    """The files of a data set that match a glob pattern, sorted; empty if there are none.

    They are looked for in `DIR/<dataset>/`, in `DIR/<alias>/`, and in `DIR` itself if that is the data set's folder.
    """
    root = data_root(data)
    names = (dataset, *aliases)
    folders = [root / name for name in names] + ([root] if root.name in names else [])
    if not any(folder.is_dir() for folder in folders):
        folders = [root]
    return sorted(path for folder in folders if folder.is_dir() for path in folder.glob(pattern) if path.is_file())


def need_files(data: Path | None, dataset: str, pattern: str, aliases: Sequence[str] = ()) -> list[Path]:
    """Like `find_files`, for files that a suite cannot do without.

    Raises:
        UsageError: there are none; the message says what was looked for and where to put it.
    """
    found = find_files(data, dataset, pattern, aliases)
    if not found:
        root = data_root(data)
        raise UsageError(f"data set {dataset}: no file {pattern} in {root / dataset} nor in {root}; "
                         f"put it into {root / dataset}, or give another --data DIR")
    return found


def read_text(path: Path) -> str:
    """A text file in UTF-8, gzipped or not."""
    if path.suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            return stream.read()
    return path.read_text(encoding="utf-8")


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON array or of JSON Lines, gzipped or not.

    Raises:
        UsageError: a line is not JSON; the message names file and line.
    """
    text = read_text(path)
    if text.lstrip().startswith("["):
        yield from json.loads(text)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except json.JSONDecodeError as error:
                raise UsageError(f"{path}, line {number}: not JSON ({error.msg}); the file may be damaged") from error


def fingerprint(path: Path) -> str:
    """SHA-256 (hex) of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def schema_named(name: str) -> Schema:
    """One of the schemas that the suites bring with them (`schemas/NAME.ttl`)."""
    return load_schema(Path(__file__).resolve().parent / "schemas" / f"{name}.ttl", check=False)


def officeholders_path() -> Path:
    """The folder of the project's own office-holders.

    Raises:
        UsageError: it is not there.
    """
    return own_folder(_OWN, "episodes.jsonl")


def own_folder(name: str, file: str) -> Path:
    """The folder of a data set of the project's own that holds `file`, in a checkout or as package data.

    Raises:
        UsageError: it is in neither place.
    """
    package = Path(__file__).resolve().parent.parent
    places = (package.parent / "datasets" / name, package / "datasets" / name)
    for place in places:
        if (place / file).is_file():
            return place
    raise UsageError(f"the data set {name} is missing: looked in {places[0]} and {places[1]}; reinstall the project")
