"""A store's folder: format, schema, generations of quads, and what failed.

    store/
      store.json      format and the schema that the store began with
      CURRENT         name of the generation in use; switched in one step, so that erase and rebuild are all or nothing
      g-…/quads       RocksDB files
      g-…/timeline-…  the derived timeline, named after the number of episodes it holds
      failed.jsonl    input lines that could not be read
      LOCK            the writer's pid
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from pathlib import Path
from typing import Any, Final

from workbench.graph.schema_json import schema_from_json, schema_to_json
from workbench.model.errors import StoreCorrupt, StoreError, StoreVersion
from workbench.model.schema import Schema

FORMAT: Final = 1


class Home:
    """The folder of one store.

    Attributes:
        folder: where it is.
        schema: the schema that it began with.
    """

    def __init__(self, folder: Path, schema: Schema) -> None:
        self.folder = folder
        self.schema = schema

    @classmethod
    def create(cls, folder: Path, schema: Schema) -> Home:
        """Make a new store in a folder that is absent or empty.

        Raises:
            StoreError: the folder holds something else, or cannot be written.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(path.name != "LOCK" for path in folder.iterdir()):
                raise StoreError(f"{folder} is neither empty nor a store; give another folder")
            home = cls(folder, schema)
            name = home.new_generation().name
            _write(folder / "CURRENT", name)
            _write(folder / "store.json", json.dumps({"format": FORMAT, "schema": schema_to_json(schema)},
                                                     ensure_ascii=False))
            return home
        except OSError as error:
            raise StoreError(f"cannot make a store in {folder}: {error.strerror or error}") from error

    @classmethod
    def find(cls, folder: Path) -> Home | None:
        """The store in a folder, or None if there is none yet.

        Raises:
            StoreVersion: made by a newer version.
            StoreCorrupt, StoreError: damaged or unreadable.
        """
        path = folder / "store.json"
        try:
            if not path.exists():
                return None
            row: dict[str, Any] = json.loads(path.read_text("utf-8"))
            found = row["format"]
        except (ValueError, KeyError, TypeError) as error:
            raise StoreCorrupt(f"{path} is damaged ({error}); restore a backup") from error
        except OSError as error:
            raise StoreError(f"cannot read {path}: {error.strerror or error}") from error
        if found != FORMAT:
            raise StoreVersion(f"{folder} has format {found}, this version reads {FORMAT}; "
                               + ("use a newer workbench" if isinstance(found, int) and found > FORMAT
                                  else "run `workbench store migrate`"))
        try:
            return cls(folder, schema_from_json(row["schema"]))
        except (KeyError, TypeError, AttributeError) as error:
            raise StoreCorrupt(f"{path} has no readable schema ({error}); restore a backup") from error

    @property
    def generation(self) -> Path:
        """The folder of quads and timeline in use.

        Raises:
            StoreCorrupt: the pointer is damaged.
        """
        try:
            name = (self.folder / "CURRENT").read_text("utf-8").strip()
        except OSError as error:
            raise StoreCorrupt(f"{self.folder}/CURRENT cannot be read ({error.strerror}); restore a backup") from error
        path = self.folder / name
        if not name.startswith("g-") or not path.is_dir():
            raise StoreCorrupt(f"{self.folder}/CURRENT names {name!r}, which is not there; restore a backup")
        return path

    def new_generation(self) -> Path:
        """An empty folder for a new generation, not yet in use."""
        path = self.folder / f"g-{secrets.token_hex(6)}"
        path.mkdir()
        return path

    def switch(self, generation: Path) -> None:
        """Put a generation in use in one step, and remove the others."""
        _write(self.folder / "CURRENT", generation.name)
        self.sweep()

    def sweep(self) -> None:
        """Remove generations that are not in use (what a crash or an erasure left)."""
        current = self.generation
        for path in self.folder.glob("g-*"):
            if path != current:
                shutil.rmtree(path, ignore_errors=True)

    # -- failures -------------------------------------------------------------------------------------------------

    def failures(self) -> list[dict[str, Any]]:
        """Input lines that could not be read: file, line, reason."""
        path = self.folder / "failed.jsonl"
        if not path.exists():
            return []
        return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]

    def set_failures(self, rows: list[dict[str, Any]]) -> None:
        """Replace the list."""
        _write(self.folder / "failed.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def _write(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    part.replace(path)
