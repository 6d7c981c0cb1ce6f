"""RDF Patch between two instants of knowledge time (https://afs.github.io/rdf-patch/): what was added.

The store only ever adds, a graph per episode, so a patch of the annotated quads has no deletions; an erasure is no
step in knowledge time and makes a new store. A patch of the resolved view has both.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox

from workbench.graph import vocabulary as v
from workbench.graph.graph import Graph
from workbench.model.errors import UsageError
from workbench.model.time import Instant


def patch_lines(graph: Graph, after: Instant, until: Instant) -> Iterator[str]:
    """One transaction: the quads that episodes recorded in `(after, until]` brought, catalogue rows included.

    Raises:
        UsageError: the second instant is before the first.
    """
    if until < after:
        raise UsageError(f"{until} is before {after}; give the earlier instant first")
    yield f"H after {ox.Literal(after.iso())} .\n"
    yield f"H until {ox.Literal(until.iso())} .\n"
    yield "TX .\n"
    store = graph.quads.store
    for _, identifier in graph.catalogue():
        found = graph.entry(identifier)
        assert found is not None
        if after < found[1].recorded <= until:
            episode = ox.NamedNode(v.episode_iri(identifier))
            for quad in store.quads_for_pattern(episode, None, None, ox.DefaultGraph()):
                yield f"A {quad} .\n"
            for quad in store.quads_for_pattern(None, None, None, episode):
                yield f"A {quad} .\n"
    yield "TC .\n"


def difference_lines(before: Iterator[str], after: Iterator[str]) -> Iterator[str]:
    """One transaction that turns one set of N-Quads lines into another; both are held in memory."""
    old, new = set(before), set(after)
    yield "TX .\n"
    for line in sorted(old - new):
        yield f"D {line}"
    for line in sorted(new - old):
        yield f"A {line}"
    yield "TC .\n"
