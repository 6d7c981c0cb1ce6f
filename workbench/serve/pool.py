"""Workers kept ready: leased one request at a time, watched while they work, replaced when they die."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, Final

from workbench.serve.channel import WorkerGone
from workbench.serve.frames import DATA, END, ERROR, HEAD
from workbench.serve.metrics import Metrics
from workbench.serve.options import Options
from workbench.serve.problem import Problem
from workbench.serve.process import Worker
from workbench.serve.signature import signature

WATCH: Final = 0.05
"""Seconds between looks at the memory of workers that are busy."""
GRACE: Final = 0.5
"""Seconds that a worker gets to end an answer that nobody waits for any more."""
PATIENCE: Final = 5
"""A worker is opened anew at most every so many times as long as opening takes."""
_LOG: Final = logging.getLogger("workbench.serve")


class Pool:
    """Processes for one dataset: `size` at work at once, and `spare` more, warm.

    Attributes:
        options: of the server.
        workers: all that live.
    """

    def __init__(self, options: Options, role: str, size: int, spare: int, metrics: Metrics) -> None:
        self.options, self.role, self.metrics = options, role, metrics
        self._size, self._total = size, size + spare
        self.workers: list[Worker] = []
        self._idle: deque[Worker] = deque()
        self._busy: dict[Worker, Lease] = {}
        self._waiting: deque[asyncio.Future[Worker]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._active = 0
        self._closing = False

    # -- life -----------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Start all workers.

        Raises:
            Problem: the dataset cannot be opened.
        """
        for worker in await asyncio.gather(*(Worker.start(self.options, self.role) for _ in range(self._total))):
            self.workers.append(worker)
            self._idle.append(worker)
        self._spawn(self._watch())
        if self.role == "store":
            self._spawn(self._follow())

    async def close(self) -> None:
        """End all workers."""
        self._closing = True
        for task in self._tasks:
            task.cancel()
        for worker in list(self.workers):
            worker.kill("shutdown")
        await asyncio.gather(*(asyncio.to_thread(worker.process.wait) for worker in self.workers))

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self) -> None:
        """Kill what grows too large; notice what died while idle."""
        limit = self.options.budget.memory
        while True:
            await asyncio.sleep(WATCH)
            for worker in list(self._busy):
                if worker.resident() > limit:
                    worker.kill("memory")
            for worker in [worker for worker in self._idle if not worker.alive]:
                self._idle.remove(worker)
                self._replace(worker)

    async def _follow(self) -> None:
        """Open idle workers anew, one after the other, when the store moved on."""
        while True:
            await asyncio.sleep(self.options.refresh)
            newest = signature(self.options.store)
            for worker in list(self._idle):
                if worker in self._idle and worker.signature != newest and self._due(worker):
                    self._idle.remove(worker)
                    await self._reopen(worker)

    def _due(self, worker: Worker) -> bool:
        return time.monotonic() - worker.opened >= PATIENCE * worker.open_seconds

    async def _reopen(self, worker: Worker) -> None:
        try:
            await worker.reopen(self.options)
        except Problem as problem:
            _LOG.warning("a worker keeps its old commit: %s", problem.detail)
            worker.opened = time.monotonic()
        self._put_back(worker)

    def _replace(self, worker: Worker) -> None:
        worker.kill("died")
        self.workers.remove(worker)
        self.metrics.kills[worker.reason or "died"] += 1
        if not self._closing:
            self._spawn(self._start_one())

    async def _start_one(self) -> None:
        pause = 0.1
        while not self._closing:
            try:
                worker = await Worker.start(self.options, self.role)
            except Problem as problem:
                _LOG.warning("a worker could not be started: %s", problem.detail)
                await asyncio.sleep(pause)
                pause = min(5.0, pause * 2)
                continue
            self.workers.append(worker)
            self._put_back(worker)
            return

    # -- leases ---------------------------------------------------------------------------------------------------

    @property
    def newest(self) -> dict[str, Any]:
        """The newest commit that a worker has open, or an empty one."""
        commits = [worker.commit for worker in self.workers]
        return max(commits, key=lambda commit: commit.get("episodes") or 0, default={})

    @property
    def counts(self) -> dict[str, int]:
        """How many are busy, idle and waited for."""
        return {"busy": len(self._busy), "idle": len(self._idle), "waiting": len(self._waiting)}

    def lag(self, worker: Worker) -> float:
        """How many seconds an answer of an idle worker may be behind the store."""
        return max(self.options.refresh, PATIENCE * worker.open_seconds) + self.options.refresh + worker.open_seconds

    @contextlib.asynccontextmanager
    async def lease(self, fresh: bool = False) -> AsyncIterator[Lease]:
        """A worker for one request.

        Args:
            fresh: it must see all that was committed before the call.

        Raises:
            Problem: 503, there are too many requests.
        """
        worker = await self._take()
        lease = Lease(self, worker)
        self._busy[worker] = lease
        try:
            if fresh and self.role == "store" and worker.signature != signature(self.options.store):
                await worker.reopen(self.options)
            yield lease
        finally:
            self.end(lease)

    def end(self, lease: Lease) -> None:
        """Take a worker back; also before the lease ends, once the answer is here."""
        if self._busy.get(lease.worker) is not lease or lease.ending:
            return
        if lease.asked and not lease.done and lease.worker.alive:
            lease.ending = True
            self._spawn(self._finish(lease))
        else:
            self._release(lease.worker)

    async def _take(self) -> Worker:
        """An idle worker, now counted as active; `_release` takes it back."""
        while self._idle and self._active < self._size:
            worker = self._idle.popleft()
            if worker.alive:
                self._active += 1
                return worker
            self._replace(worker)
        if len(self._waiting) >= self.options.queue:
            self.metrics.refused += 1
            raise Problem(503, "too many requests wait already; try again", headers={"retry-after": "1"})
        future: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        try:
            async with asyncio.timeout(self.options.queue_seconds):
                return await future
        except BaseException as error:
            if future.done() and not future.cancelled():  # granted, but nobody takes it any more
                self._active -= 1
                self._put_back(future.result())
            with contextlib.suppress(ValueError):
                self._waiting.remove(future)
            if not isinstance(error, TimeoutError):
                raise
            self.metrics.refused += 1
            raise Problem(503, "no worker became free in time; try again", headers={"retry-after": "2"}) from None

    async def _finish(self, lease: Lease) -> None:
        """Let a worker end an answer that nobody reads, for a moment; then kill it."""
        with contextlib.suppress(TimeoutError, WorkerGone):
            async with asyncio.timeout(GRACE):
                while not lease.done:
                    await lease.next()
        if not lease.done:
            lease.worker.kill("client")
        self._release(lease.worker)

    def _release(self, worker: Worker) -> None:
        self._busy.pop(worker).stop_timer()
        self._active -= 1
        if worker.alive:
            self._put_back(worker)
        else:
            self._replace(worker)
            self._serve_next()

    def _put_back(self, worker: Worker) -> None:
        if not self._closing:
            self._idle.append(worker)
            self._serve_next()

    def _serve_next(self) -> None:
        while self._idle and self._waiting and self._active < self._size:
            worker = self._idle.popleft()
            if not worker.alive:
                self._replace(worker)
                continue
            while self._waiting:
                future = self._waiting.popleft()
                if not future.done():
                    self._active += 1
                    future.set_result(worker)
                    break
            else:
                self._idle.append(worker)


class Lease:
    """A worker in use.

    Attributes:
        worker: which.
        asked, done: whether a request was sent, and answered to the end.
        end: what the worker told at the end: rows, bytes, seconds.
        ending: the rest of the answer is only waited for.
        seconds: the wall time allowed; `deadline` on the loop's clock.
    """

    def __init__(self, pool: Pool, worker: Worker) -> None:
        self._pool, self.worker = pool, worker
        self.asked = self.done = False
        self.end: dict[str, Any] = {}
        self.ending = False
        self.seconds = self.deadline = 0.0
        self._told = ""
        self._timer: asyncio.TimerHandle | None = None

    async def ask(self, request: dict[str, Any], seconds: float, body: bytes = b"") -> dict[str, Any]:
        """Send a request and wait for the beginning of the answer.

        Raises:
            Problem: there is none; nothing was sent.
        """
        loop = asyncio.get_running_loop()
        self.asked, self.seconds, self.deadline = True, seconds, loop.time() + seconds
        self._timer = loop.call_at(self.deadline, self.worker.kill, "time")
        self.worker.ask(request, body)
        try:
            tag, row = await self.worker.channel.receive_json()
        except WorkerGone:
            raise self._killed() from None
        if tag == HEAD:
            return row
        assert tag == ERROR, tag
        self.done = True
        if row.get("kill"):
            self._pool.metrics.kills[row["kill"]] += 1
        raise Problem(row.pop("status"), row.pop("detail"), **row)

    async def next(self) -> bytes | None:
        """The next bytes of the answer, None at its end.

        Raises:
            WorkerGone: there is no end; what was sent is not an answer.
        """
        while not self.done:
            tag, payload = await self.worker.channel.receive()
            if tag == DATA:
                return payload
            if tag == HEAD:
                continue
            self.done = True
            row: dict[str, Any] = json.loads(payload)
            if tag == ERROR:
                self._told = row.get("kill", "error")
                self._pool.metrics.kills[self._told] += 1
                raise WorkerGone
            assert tag == END, tag
            self.end = row
        return None

    @property
    def complete(self) -> bool:
        """Whether all of the answer is here already, so that nothing has to be awaited."""
        return self.done or self.worker.channel.ended

    @property
    def reason(self) -> str | None:
        """Why the answer broke off, or None."""
        return self._told or self.worker.reason or (None if self.worker.alive else "died")

    def _killed(self) -> Problem:
        reason = self.worker.reason
        if reason == "time":
            return Problem(504, f"the query took longer than {self.seconds:g} s and was ended; make it narrower",
                           kill="time")
        if reason == "memory":
            mebibytes = self._pool.options.budget.memory >> 20
            return Problem(503, f"the query needed more than {mebibytes} MiB and was ended; make it narrower",
                           kill="memory")
        if reason == "client":
            return Problem(499, "the client went away", kill="client")
        return Problem(503, "the worker ended before it had an answer; try again", kill=reason or "died",
                       headers={"retry-after": "1"})

    def stop_timer(self) -> None:
        """No deadline any more."""
        if self._timer is not None:
            self._timer.cancel()
