"""Writing all quads at once: many episodes in one step, and compaction."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from workbench.graph.graph import Graph
from workbench.graph.quads import QuadStore
from workbench.retrieve.storage import FILE as INDEX_FILE

if TYPE_CHECKING:
    from workbench.api import Workbench

_RARELY: Final = (200_000, 50, 1_000)


@contextmanager
def bulk_writing(wb: Workbench) -> Iterator[None]:
    """Write in bulk to a copy of the quads (hard links), and switch to it at the end, all or nothing."""
    graph, home = wb.graph, wb.home
    if home is None:
        graph.quads.start_bulk()
        with _rare_collection():
            yield
        graph.quads.end_bulk()
        return
    old, folder = graph.quads, home.new_generation()
    old.checkpoint(folder / "quads")
    graph.quads = QuadStore(folder / "quads")
    graph.quads.start_bulk()
    try:
        with _rare_collection():
            yield
        graph.quads.end_bulk()
        graph.quads.flush()
    except BaseException:
        # the timeline is ahead of the old quads: start again from what they hold
        old.close()
        wb.adopt(Graph(home.generation, QuadStore(home.generation / "quads")))
        home.sweep()
        raise
    _switch(wb, folder, old)


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Look for garbage in cycles seldom: all that bulk writing makes lasts, and looking through it takes a fifth of
    the time."""
    before = gc.get_threshold()
    gc.set_threshold(*_RARELY)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def compact(wb: Workbench) -> None:
    """Write the quads anew, sorted, into files that take about half the space of many small commits.

    Takes some ten seconds a million quads; the old files stay in use until the new ones are complete.
    """
    home, old = wb.home, wb.graph.quads
    if home is None:
        return
    folder = home.new_generation()
    try:
        quads = QuadStore(folder / "quads")
        quads.copy_from(old)
        quads.flush()
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    wb.graph.quads = quads
    _switch(wb, folder, old)


def _switch(wb: Workbench, folder: Path, old: QuadStore) -> None:
    """Put a new generation in use, its quads open already."""
    assert wb.home is not None and wb.graph.folder is not None
    wb.forget_index()
    index = wb.graph.folder / INDEX_FILE
    if index.exists():  # the same episodes and facts, so it goes along
        shutil.copy2(index, folder / INDEX_FILE)
    wb.graph.folder = folder
    wb.graph.save(anew=True)
    old.close()
    wb.home.switch(folder)
