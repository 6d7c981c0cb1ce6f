"""One worker process as the server sees it: started, asked, watched, killed."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

import workbench
from workbench.serve.channel import Channel, WorkerGone
from workbench.serve.frames import ASK, BODY, ERROR, frame, json_frame
from workbench.serve.options import Options
from workbench.serve.problem import Problem
from workbench.serve.signature import Signature, signature

OPENING: Final = 120.0
"""Seconds that opening a store may take."""
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class Worker:
    """A worker process.

    Attributes:
        commit: what it answers from: generation, episodes, knowledge time of the last (microseconds) or None.
        signature: of the store's files just before it opened them.
        opened: on the monotonic clock, when.
        open_seconds: how long that took.
        reason: why it was killed, or None.
        told: headers that say which commit that is, for whoever makes them to keep.
    """

    def __init__(self, process: subprocess.Popen[bytes], channel: Channel) -> None:
        self.process, self.channel = process, channel
        self.commit: dict[str, Any] = {}
        self.signature: Signature | None = None
        self.opened = self.open_seconds = 0.0
        self.reason: str | None = None
        self.told: list[tuple[str, str]] = []

    @classmethod
    async def start(cls, options: Options, role: str) -> Worker:
        """Start a process and wait until it has opened its dataset.

        Raises:
            Problem: it could not.
        """
        before = cls._signature(options, role)
        ours, theirs = socket.socketpair()
        try:
            ours.setblocking(False)
            settings = {**options.for_worker(role), "parent": os.getpid()}
            root = str(Path(workbench.__file__).parents[1])
            env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))}
            process = subprocess.Popen(
                [sys.executable, "-m", "workbench.serve.worker", str(theirs.fileno()), json.dumps(settings)],
                pass_fds=(theirs.fileno(),), stdin=subprocess.DEVNULL, env=env)
        finally:
            theirs.close()
        loop = asyncio.get_running_loop()
        _, channel = await loop.create_connection(Channel, sock=ours)
        worker = cls(process, channel)
        timer = loop.call_later(OPENING, worker.kill, "time")
        try:
            await worker._opened(before)
        except BaseException:
            worker.kill("start")
            raise
        finally:
            timer.cancel()
        return worker

    @staticmethod
    def _signature(options: Options, role: str) -> Signature | None:
        return signature(options.store) if role == "store" else None

    async def _opened(self, before: Signature | None) -> None:
        try:
            tag, row = await self.channel.receive_json()
        except WorkerGone:
            raise Problem(503, "a worker ended while it opened the store") from None
        if tag == ERROR:
            raise Problem(503, row["detail"])
        self.told = []
        self.commit, self.signature = row, before
        self.opened, self.open_seconds = time.monotonic(), row.pop("seconds")

    async def reopen(self, options: Options) -> None:
        """See what was written since; a worker that cannot keeps its old commit.

        Raises:
            Problem: it could not.
        """
        before = signature(options.store)
        self.channel.send(json_frame(ASK, {"op": "reopen"}))
        timer = asyncio.get_running_loop().call_later(OPENING, self.kill, "time")
        try:
            await self._opened(before)
        finally:
            timer.cancel()

    def ask(self, request: dict[str, Any], body: bytes) -> None:
        """Send a request."""
        raw = json_frame(ASK, {**request, "body": bool(body)} if body else request)
        self.channel.send(raw + frame(BODY, body) if body else raw)

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self.reason is None and not self.channel.lost

    def resident(self) -> int:
        """Its resident memory in bytes; 0 where that cannot be told."""
        try:
            with open(f"/proc/{self.process.pid}/statm", "rb") as source:
                return int(source.read().split()[1]) * _PAGE
        except (OSError, IndexError, ValueError):
            return 0

    def kill(self, reason: str) -> None:
        """End it at once; whoever waits for it gets `WorkerGone`."""
        if self.reason is None:
            self.reason = reason
        if self.process.poll() is None:
            self.process.kill()
        self.channel.close()
        self._reap()

    def _reap(self) -> None:
        if self.process.poll() is None:
            asyncio.get_running_loop().call_later(0.05, self._reap)
