"""What a SPARQL query gave, fully read in the thread that ran it, with real types."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
import pyoxigraph as ox

from workbench.graph import vocabulary as v
from workbench.model.errors import TimeError
from workbench.model.time import Instant

Cell = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple | None


@dataclass(frozen=True)
class Solutions:
    """Rows of a SELECT (or the one cell of an ASK).

    Attributes:
        variables: column names, without `?`.
        rows: terms, a tuple per row; None = unbound.
        boolean: the answer of an ASK, which also stands in the one cell; None for a SELECT.
    """

    variables: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    boolean: bool | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def frame(self) -> pl.DataFrame:
        """A Polars table. A column of one kind gets its real type (integers, floats, booleans, UTC datetimes; IRIs
        and plain strings as text); one with language tags becomes a struct of value and language; a mixed one text."""
        columns = [pl.Series(name, *_typed([row[i] for row in self.rows])) for i, name in enumerate(self.variables)]
        return pl.DataFrame(columns)

    def records(self) -> list[dict[str, Any]]:
        """JSON rows by variable: numbers and booleans as such, all else as text; unbound left out."""
        return [{name: _plain(cell) for name, cell in zip(self.variables, row, strict=True) if cell is not None}
                for row in self.rows]

    def sparql_json(self) -> str:
        """The SPARQL 1.1 Query Results JSON Format (with RDF 1.2 triple terms)."""
        if self.boolean is not None:
            return json.dumps({"head": {}, "boolean": self.boolean})
        bindings = [{name: _binding(cell) for name, cell in zip(self.variables, row, strict=True) if cell is not None}
                    for row in self.rows]
        return json.dumps({"head": {"vars": list(self.variables)}, "results": {"bindings": bindings}},
                          ensure_ascii=False)


    def csv(self, separator: str = ",") -> str:
        """CSV (RFC 4180) or TSV with a header; terms as in `records`, unbound as an empty cell."""
        rows = [[row.get(name) for name in self.variables] for row in self.records()]
        return _csv([self.variables, *rows], separator)


@dataclass(frozen=True)
class Triples:
    """What a CONSTRUCT or DESCRIBE gave."""

    triples: tuple[ox.Triple, ...]

    def __len__(self) -> int:
        return len(self.triples)

    def serialize(self, syntax: str = "nquads") -> str:
        """As N-Triples (`nquads`) or Turtle (`trig`), RDF 1.2."""
        form = ox.RdfFormat.TURTLE if syntax == "trig" else ox.RdfFormat.N_TRIPLES
        raw = ox.serialize(self.triples, format=form, prefixes=v.PREFIXES if syntax == "trig" else None)
        assert raw is not None
        return raw.decode("utf-8")

    def csv(self, separator: str = ",") -> str:
        """CSV (RFC 4180) or TSV of subject, predicate and object in N-Triples form."""
        rows = [[str(t.subject), str(t.predicate), str(t.object)] for t in self.triples]
        return _csv([["subject", "predicate", "object"], *rows], separator)

    def sparql_json(self) -> str:
        """JSON rows of subject, predicate and object, terms as in SPARQL results."""
        return json.dumps([{"subject": _binding(t.subject), "predicate": _binding(t.predicate),
                            "object": _binding(t.object)} for t in self.triples], ensure_ascii=False)

    def frame(self) -> pl.DataFrame:
        """A Polars table of subject, predicate and object as text."""
        return pl.DataFrame([[str(t.subject), str(t.predicate), str(t.object)] for t in self.triples],
                            schema=["subject", "predicate", "object"], orient="row")


def read(found: Any) -> Solutions | Triples:
    """Read a pyoxigraph result to its end, in this thread."""
    if isinstance(found, ox.QuerySolutions):
        names = tuple(variable.value for variable in found.variables)
        return Solutions(names, tuple(tuple(row[i] for i in range(len(names))) for row in found))
    if isinstance(found, ox.QueryTriples):
        return Triples(tuple(found))
    return Solutions(("ask",), ((ox.Literal(bool(found)),),), bool(found))


def _csv(rows: Sequence[Sequence[Any]], separator: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\r\n" if separator == "," else "\n").writerows(rows)
    return out.getvalue()


_INTEGERS = frozenset(v.XSD + name for name in (
    "integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger", "unsignedInt", "unsignedLong"))
_FLOATS = frozenset(v.XSD + name for name in ("decimal", "double", "float"))


def _kind(cell: Cell) -> str:
    if isinstance(cell, ox.Literal):
        if cell.language:
            return "language"
        datatype = cell.datatype.value
        if datatype in _INTEGERS:
            return "integer"
        if datatype in _FLOATS:
            return "float"
        if datatype == v.XSD_BOOLEAN:
            return "boolean"
        return "datetime" if datatype == v.XSD_DATE_TIME else "text"
    return "text"


def _typed(cells: Sequence[Cell]) -> tuple[list[Any], Any]:
    kinds = {_kind(cell) for cell in cells if cell is not None}
    kind = kinds.pop() if len(kinds) == 1 else "float" if kinds == {"integer", "float"} else "text"
    if kind in ("integer", "float"):
        cast: Any = int if kind == "integer" else float
        try:
            values = [None if cell is None else cast(_text(cell)) for cell in cells]
            if kind == "float" or all(value is None or abs(value) < 2**63 for value in values):
                return values, pl.Int64 if kind == "integer" else pl.Float64
        except ValueError:
            pass
    if kind == "boolean":
        return [None if cell is None else _text(cell) == "true" for cell in cells], pl.Boolean
    if kind == "datetime":
        moments = [None if cell is None else _moment(cell) for cell in cells]
        if all((moment is None) == (cell is None) for moment, cell in zip(moments, cells, strict=True)):
            return moments, pl.Datetime("us", "UTC")
    if kind == "language":
        values = [None if not isinstance(cell, ox.Literal) else {"value": cell.value, "language": cell.language}
                  for cell in cells]
        return values, pl.Struct({"value": pl.String, "language": pl.String})
    return [None if cell is None else _text(cell) for cell in cells], pl.String


def _moment(cell: Cell) -> Any:
    try:
        return Instant.parse(_text(cell)).to_datetime()
    except TimeError:
        return None


def _text(cell: Cell) -> str:
    return cell.value if isinstance(cell, ox.NamedNode | ox.Literal | ox.BlankNode) else str(cell)


def _plain(cell: Cell) -> Any:
    kind = _kind(cell)
    try:
        if kind == "integer":
            return int(_text(cell))
        if kind == "float":
            return float(_text(cell))
    except ValueError:
        return _text(cell)
    return _text(cell) == "true" if kind == "boolean" else _text(cell)


def _binding(cell: Cell) -> dict[str, Any]:
    if isinstance(cell, ox.NamedNode):
        return {"type": "uri", "value": cell.value}
    if isinstance(cell, ox.Literal):
        row: dict[str, Any] = {"type": "literal", "value": cell.value}
        if cell.language:
            row["xml:lang"] = cell.language
        elif cell.datatype.value != v.XSD_STRING:
            row["datatype"] = cell.datatype.value
        return row
    if isinstance(cell, ox.Triple):
        return {"type": "triple", "value": {"subject": _binding(cell.subject), "predicate": _binding(cell.predicate),
                                            "object": _binding(cell.object)}}
    return {"type": "bnode", "value": _text(cell)}
