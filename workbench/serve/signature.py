"""Whether a store moved on, told from its files in microseconds, without opening it."""

from __future__ import annotations

import os
from pathlib import Path

Signature = tuple[str, tuple[tuple[str, int, int], ...]]


def signature(store: Path) -> Signature:
    """The generation in use, and name, size and time of change of its write-ahead logs and manifest.

    Two equal signatures mean that nothing was committed in between; unequal ones that something may have been.
    """
    try:
        generation = (store / "CURRENT").read_text("utf-8").strip()
        with os.scandir(store / generation / "quads") as found:
            files = sorted((entry.name, stat.st_size, stat.st_mtime_ns) for entry in found
                           if (entry.name.endswith(".log") or entry.name.startswith("MANIFEST"))
                           and (stat := entry.stat()))
    except OSError:
        return "", ()
    return generation, tuple(files)
