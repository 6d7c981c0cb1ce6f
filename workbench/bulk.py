"""Writing many episodes in one step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from workbench.graph.graph import Graph
from workbench.graph.quads import QuadStore

if TYPE_CHECKING:
    from workbench.api import Workbench


@contextmanager
def bulk_writing(wb: Workbench) -> Iterator[None]:
    """Write in bulk to a copy of the quads (hard links), and switch to it at the end, all or nothing."""
    graph, home = wb.graph, wb.home
    if home is None:
        graph.quads.start_bulk()
        yield
        graph.quads.end_bulk()
        return
    old, folder = graph.quads, home.new_generation()
    old.checkpoint(folder / "quads")
    graph.quads = QuadStore(folder / "quads")
    graph.quads.start_bulk()
    try:
        yield
        graph.quads.end_bulk()
        graph.quads.compact()
    except BaseException:
        # the timeline is ahead of the old quads: start again from what they hold
        old.close()
        wb.adopt(Graph(home.generation, QuadStore(home.generation / "quads")))
        home.sweep()
        raise
    graph.folder = folder
    graph.save(anew=True)
    old.close()
    home.switch(folder)
