"""A server in a process of its own, on a free port of this machine, ended by its id."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from workbench.api import Workbench
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.time import Instant

ROOT = Path(__file__).parents[2]
START = "from workbench.cli.main import main; main()"


@dataclass(frozen=True)
class Running:
    """A server that answers.

    Attributes:
        url: without a slash at the end.
        process: of it.
        log: what it wrote to standard error.
    """

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def client(self, timeout: float = 30.0, token: str | None = None) -> httpx.Client:
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        return httpx.Client(base_url=self.url, timeout=timeout, headers=headers)

    def workers(self) -> list[int]:
        """Process ids of the workers."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                except (OSError, IndexError, ValueError):
                    continue
                if parent == self.process.pid:
                    found.append(int(entry.name))
        return found


@contextmanager
def serving(store: Path, folder: Path, *options: str) -> Iterator[Running]:
    """Serve a store; the server is stopped by SIGTERM, and killed if that takes long."""
    log = folder / f"serve-{os.urandom(4).hex()}.log"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-c", START, "serve", "--store", str(store), "--bind", "127.0.0.1:0", *options],
            stdout=subprocess.PIPE, stderr=out, env=env)
    try:
        assert process.stdout is not None
        line = process.stdout.readline().decode()
        assert " at http://" in line, log.read_text()
        yield Running(line.split(" at ")[1].strip().rstrip("/"), process, log)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert process.stdout is not None
        process.stdout.close()


def small_store(folder: Path) -> Path:
    """Three episodes of two sources; Alice moves from Billing to Platform, and Bo's secret is the hr source's."""
    def at(month: int, day: int = 1) -> Instant:
        return Instant.of(2024, month, day, 9)

    with Workbench.open(folder) as wb:
        report = wb.ingest([
            Episode("mail-1", text="Alice joined Billing in January 2023.", source="mail", observed_at=at(1, 10),
                    recorded_at=at(1, 10), claims=(Claim("Alice", "memberOf", "Billing", valid_from="2023-01-01",
                                                         quote="Alice joined Billing"),)),
            Episode("hr 2/b", text="Bo earns a secret salary.", source="hr", observed_at=at(2), recorded_at=at(2),
                    claims=(Claim("Bo", "earns", value="31337"), Claim("Alice", "knows", "Bo"))),
            Episode("mail-3", text="Alice moved to Platform on 1 March.", source="mail", observed_at=at(6, 3),
                    recorded_at=at(6, 3), claims=(Claim("Alice", "memberOf", "Platform", valid_from="2024-03-01"),)),
        ])
        assert not report.failures
    return folder
