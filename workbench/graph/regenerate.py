"""`python -m workbench.graph.regenerate`: parse `default.ttl` again into `default.json`, after editing it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from workbench.graph.ontology import load_schema
from workbench.graph.schema_json import schema_to_json


def default_json(folder: Path) -> str:
    """The text that `default.json` must have, given `default.ttl` beside it (the source text itself is left out).

    Raises:
        SchemaError: `default.ttl` is not a valid schema.
    """
    schema = replace(load_schema(folder / "default.ttl"), source="")
    return json.dumps(schema_to_json(schema), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    here = Path(__file__).parent
    here.joinpath("default.json").write_text(default_json(here), "utf-8")
