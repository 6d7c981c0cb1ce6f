"""A research workbench for agent memory as a bitemporal RDF 1.2 graph. `from workbench import Workbench`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.api import Workbench

__all__ = ["Workbench"]


def __getattr__(name: str) -> Any:
    # loaded on first use: `workbench --help` must not wait for Polars and pyoxigraph
    if name == "Workbench":
        from workbench.api import Workbench

        return Workbench
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
