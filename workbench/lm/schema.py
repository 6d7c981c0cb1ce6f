"""JSON schemas as grammars take them: references put in place, titles and descriptions left out."""

from __future__ import annotations

from typing import Any, Final

MARKS: Final = ("title", "description", "default", "examples")
DEEPEST: Final = 12
_BY_NAME: Final = ("properties", "$defs", "definitions")


def plain_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without references, titles, descriptions and defaults.

    Raises:
        ValueError: a reference leads nowhere or round in a circle: no grammar of bounded size follows from it.
    """
    definitions = {**schema.get("definitions", {}), **schema.get("$defs", {})}
    plain: dict[str, Any] = _plain(schema, definitions, 0)
    return plain


def _plain(part: Any, definitions: dict[str, Any], depth: int) -> Any:
    if isinstance(part, list):
        return [_plain(each, definitions, depth) for each in part]
    if not isinstance(part, dict):
        return part
    if isinstance(reference := part.get("$ref"), str):
        name = reference.rpartition("/")[2]
        if name not in definitions or depth >= DEEPEST:
            raise ValueError(f"the schema's reference {reference} leads nowhere or round in a circle")
        return _plain(definitions[name], definitions, depth + 1)
    return {
        key: {name: _plain(each, definitions, depth) for name, each in value.items()} if key in _BY_NAME
        else value if key in ("enum", "const") else _plain(value, definitions, depth)
        for key, value in part.items() if key not in MARKS and key not in ("$defs", "definitions")}
