"""Suite `githistory`: two public git histories, asked what the record said when."""

from __future__ import annotations

from workbench.evaluate import congress, kubernetes
from workbench.evaluate.suite import Outcome, Request


def run(request: Request) -> Outcome:
    """Both data sets; each is built and asked on its own."""
    parts = [congress.run(request), kubernetes.run(request)]
    return Outcome(
        [sample for part in parts for sample in part.samples],
        [row for part in parts for row in part.rows],
        [path for part in parts for path in part.files],
        [note for part in parts for note in part.notes],
    )
