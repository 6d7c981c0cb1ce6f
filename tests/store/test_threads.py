"""Readers beside the writer: no error, and every answer fits one state of the store."""

from __future__ import annotations

import os
import threading
import time

from tests.store.crash import START, episode
from workbench.api import Workbench
from workbench.model.time import SECOND, Instant


def test_readers_see_whole_episodes() -> None:
    """A person is in exactly one team at any instant of knowledge, whoever writes meanwhile."""
    errors: list[BaseException] = []
    stop = threading.Event()
    with Workbench.open() as wb:
        wb.ingest(episode(number) for number in range(7))

        def read(seed: int) -> None:
            try:
                while not stop.is_set():
                    known = Instant(START + wb.graph.episodes * SECOND)
                    for fact in (found := wb.facts(f"Person {seed % 7}", "memberOf", valid_at=known, known_at=known)):
                        assert fact.known_to is None or fact.known_to > known
                    assert len(found) == 1
                    past = Instant(START + 6 * SECOND)
                    assert [fact.object for fact in wb.facts("Person 3", "memberOf", valid_at=past, known_at=past)
                            ] == ["Team 3"]
                    wb.query("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s r:memberOf ?o } }")
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=read, args=(seed,)) for seed in range(8)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + float(os.environ.get("READ_SECONDS", "3"))
        number = 7
        while time.monotonic() < end and not errors:
            wb.ingest([episode(number)])
            number += 1
        stop.set()
        for thread in threads:
            thread.join(timeout=30)
    assert errors == []
    assert number > 20
