"""SPARQL functions for time, registered with every query: `tcg:validAt`, `tcg:knownAt`, `tcg:overlap`, Allen's."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pyoxigraph as ox

from workbench.graph import codec
from workbench.graph import vocabulary as v
from workbench.model.time import BEGINNING, FOREVER, Allen, Instant, Interval

_TRUE, _FALSE = ox.Literal(True), ox.Literal(False)
Function = Callable[..., Any]


def _at(value: Any, unbounded: Instant) -> Instant:
    """An argument as an instant; a text such as "" or ".." stands for an open end (SPARQL cannot pass nothing)."""
    if value is None:
        return unbounded
    text = value.value
    return unbounded if text in ("", "..") else Instant.parse(text)


def _holds(start: Any, end: Any, at: Any) -> ox.Literal:
    return _bool(_at(start, BEGINNING) <= _at(at, FOREVER) < _at(end, FOREVER))


def _bool(value: bool) -> ox.Literal:
    return _TRUE if value else _FALSE


def _pair(first_start: Any, first_end: Any, second_start: Any, second_end: Any) -> tuple[Interval, Interval]:
    return (Interval(_at(first_start, BEGINNING), _at(first_end, FOREVER)),
            Interval(_at(second_start, BEGINNING), _at(second_end, FOREVER)))


def _overlap(*arguments: Any) -> ox.Literal:
    first, second = _pair(*arguments)
    return _bool(first.overlaps(second))


def _allen(relation: Allen) -> Function:
    def test(*arguments: Any) -> ox.Literal:
        first, second = _pair(*arguments)
        return _bool(first.relation(second) is relation)

    return test


@cache
def functions() -> dict[ox.NamedNode, Function]:
    """By IRI. Intervals are half-open; an argument "" is an open end; a wrong argument makes the result unbound."""
    found: dict[ox.NamedNode, Function] = {
        codec.node(v.TCG_VALID_AT): _holds, codec.node(v.TCG_KNOWN_AT): _holds, codec.node(v.TCG_OVERLAP): _overlap}
    found.update({codec.node(iri): _allen(relation) for iri, relation in v.ALLEN_FUNCTIONS.items()})
    return found
