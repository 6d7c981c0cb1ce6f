"""A process to be killed: ingests numbered episodes and says each id on standard output once it is acknowledged.

    python tests/store/crash.py STORE FIRST COUNT
"""

from __future__ import annotations

import sys

from workbench.api import Workbench
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.time import SECOND, Instant

START = Instant.of(2024)


def episode(number: int) -> Episode:
    """The n-th episode: a person moves between teams and likes something."""
    at = Instant(START + number * SECOND)
    person = f"Person {number % 7}"
    return Episode(f"e{number}", observed_at=at, recorded_at=at, claims=(
        Claim(person, "memberOf", f"Team {number % 11}", valid_from=at.iso()),
        Claim(person, "likes", f"Thing {number % 5}")))


def main() -> None:
    """Ingest and acknowledge, saving the timeline now and then, as a long ingest does."""
    folder, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with Workbench.open(folder) as wb:
        for number in range(first, first + count):
            report = wb.ingest([episode(number)])
            assert not report.failures, report.failures
            print(number, flush=True)
            if number % 50 == 49:
                wb.graph.save()


if __name__ == "__main__":
    main()
