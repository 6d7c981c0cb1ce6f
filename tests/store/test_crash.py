"""kill -9 at any moment loses no acknowledged episode and leaves a store that verifies and goes on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.crash import episode
from workbench.api import Workbench
from workbench.care import verify

RUNS = int(os.environ.get("CRASH_RUNS", "6"))
SCRIPT = Path(__file__).with_name("crash.py")
ROOT = Path(__file__).parents[2]


def killed(folder: Path, first: int, lines: int) -> int:
    """Run the script, kill it after some acknowledgements; the number of the last one, or first - 1."""
    process = subprocess.Popen(
        [sys.executable, str(SCRIPT), str(folder), str(first), "400"], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=ROOT)
    assert process.stdout is not None
    last = first - 1
    for _, line in zip(range(lines), process.stdout, strict=False):
        last = int(line)
    process.send_signal(signal.SIGKILL)
    rest = [int(line) for line in process.stdout if line.endswith("\n")]
    process.wait(timeout=30)
    return rest[-1] if rest else last


@pytest.mark.timeout(7200)
def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    """Many kills of one growing store; then the same episodes again complete it, and it equals one never killed."""
    chance = random.Random(7)
    folder, first = tmp_path / "store", 0
    for _ in range(RUNS):
        last = killed(folder, first, chance.randrange(1, 60))
        with Workbench.open(folder) as wb:
            assert wb.graph.episodes >= last + 1
            assert verify(wb) == []
            first = wb.graph.episodes
    with Workbench.open(folder) as wb, Workbench.open() as whole:
        report = wb.ingest(episode(number) for number in range(first + 5))
        assert (report.unchanged, report.episodes) == (first, 5)
        assert verify(wb, deep=True) == []
        whole.ingest(episode(number) for number in range(first + 5))
        assert wb.graph.quads.lines() == whole.graph.quads.lines()
