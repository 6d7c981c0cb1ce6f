"""The same questions as the timeline answers, in SPARQL on the annotated quads: for proof, and for other stores."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

import pyoxigraph as ox

from workbench.graph import codec, sparql
from workbench.graph.result import Solutions
from workbench.model.time import Vantage

NAMES: Final = ("as_of", "two_hops")


@cache
def text(name: str) -> str:
    """The text of a query of `NAMES`, with BINDINGS where the bound values go."""
    return files("workbench.graph").joinpath("queries", f"{name}.rq").read_text("utf-8")


def bound(name: str, terms: Mapping[str, codec.Term]) -> str:
    """A query with its variables bound by a VALUES block; terms are written by the engine, never formatted."""
    names = " ".join(f"?{variable}" for variable in terms)
    values = " ".join(str(value) for value in terms.values())
    return text(name).replace("BINDINGS\n", f"VALUES ({names}) {{ ({values}) }}\n")


def ask_form(store: ox.Store, name: str, subject: str, vantage: Vantage, relation: str | None = None) -> Solutions:
    """Run a query of `NAMES` for a subject's IRI, perhaps a relation's, from a vantage."""
    terms: dict[str, codec.Term] = {"s": codec.node(subject)}
    if relation is not None:
        terms["p"] = codec.node(relation)
    terms |= {"valid": codec.moment(vantage.valid_at), "known": codec.moment(vantage.known_at)}
    found = sparql.run(store, bound(name, terms))
    assert isinstance(found, Solutions)
    return found
