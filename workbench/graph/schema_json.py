"""A schema as JSON: what the store keeps, so that nobody who only asks has to parse Turtle."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, replace
from importlib.resources import files
from typing import Any, Final

from workbench.model.errors import SchemaError
from workbench.model.schema import EntityType, Relation, Schema

_FORMAT: Final = 1
_PAIRS: Final = frozenset({"labels", "alt_labels"})


def schema_to_json(schema: Schema) -> dict[str, Any]:
    """A JSON object with only what differs from the defaults; `schema_from_json` reads it back, equal."""
    return {
        "format": _FORMAT,
        "digest": schema.digest,
        "source": schema.source,
        "relations": {iri: _row(relation) for iri, relation in sorted(schema.relations.items())},
        "types": {iri: _row(kind) for iri, kind in sorted(schema.types.items())},
    }


def schema_from_json(row: Mapping[str, Any]) -> Schema:
    """Read back what `schema_to_json` wrote.

    Raises:
        SchemaError: written in another format.
    """
    if row.get("format") != _FORMAT:
        raise SchemaError(f"the stored schema has format {row.get('format')!r}, not {_FORMAT}; apply the file again")
    return Schema(
        {iri: Relation(iri, **_fields(part)) for iri, part in row["relations"].items()},
        {iri: EntityType(iri, **_fields(part)) for iri, part in row["types"].items()},
        row["digest"],
        row["source"],
    )


def default_schema() -> Schema:
    """The schema that comes with the workbench (`default.ttl`, parsed beforehand into `default.json`)."""
    folder = files("workbench.graph")
    schema = schema_from_json(json.loads(folder.joinpath("default.json").read_text("utf-8")))
    return replace(schema, source=folder.joinpath("default.ttl").read_text("utf-8"))


def _row(value: Relation | EntityType) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for field in fields(value):
        part = getattr(value, field.name)
        if field.name != "iri" and part != field.default:
            row[field.name] = [list(pair) for pair in part] if field.name in _PAIRS else part
    return row


def _fields(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple((text, language) for text, language in part) if name in _PAIRS else part
            for name, part in row.items()}
