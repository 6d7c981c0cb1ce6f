"""The application: routes as a list, and one gate before all of them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Final

from starlette.routing import BaseRoute, Mount, Route, Router
from starlette.staticfiles import StaticFiles

from workbench.serve.call import Call
from workbench.serve.gate import Gate
from workbench.serve.metrics import Metrics
from workbench.serve.options import Options
from workbench.serve.pool import Pool
from workbench.serve.problem import PROBLEM_JSON, Problem

_LOG: Final = logging.getLogger("workbench.serve")
Handler = Callable[[Call, "Services"], Awaitable[None]]


class Services:
    """What handlers need.

    Attributes:
        options: of the server.
        store: workers on the store.
        scratch: the worker of the scratch dataset, or None if it is not offered.
        metrics: counters.
        closing: the server is stopping.
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self.metrics = Metrics()
        self.store = Pool(options, "store", options.workers, 1, self.metrics)
        self.scratch = Pool(options, "scratch", 1, 0, self.metrics) if options.writable else None
        self.closing = False

    @property
    def pools(self) -> list[Pool]:
        """All pools."""
        return [self.store] if self.scratch is None else [self.store, self.scratch]


class Endpoint:
    """A handler as an ASGI application.

    Attributes:
        operation: what metrics and log call it.
        methods: what it knows; OPTIONS is answered here.
        write: it changes something.
        open: no token is needed.
    """

    def __init__(self, handler: Handler, methods: Sequence[str], operation: str, *, write: bool = False,
                 open: bool = False) -> None:
        self._handler = handler
        self.operation, self.methods, self.write, self.open = operation, tuple(methods), write, open

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the handler with the request's `Call`."""
        call: Call = scope["call"]
        call.operation = self.operation
        services: Services = scope["services"]
        allow = ", ".join((*self.methods, "OPTIONS"))
        if call.method == "OPTIONS":
            await call.respond(204, headers=[("allow", allow)])
            return
        if not self.open:
            scope["gate"].authorise(call, write=self.write)
        if call.method not in self.methods:
            raise Problem(405, f"{call.method} is not known here; there is {allow}", headers={"allow": allow})
        await self._handler(call, services)


class App:
    """The ASGI application.

    Attributes:
        services: what handlers need.
    """

    def __init__(self, options: Options, routes: Sequence[BaseRoute]) -> None:
        self.services = Services(options)
        self._gate = Gate(options)
        mounts = [] if options.static is None else [Mount("/static", StaticFiles(directory=options.static))]
        self._router = Router([*routes, *mounts], redirect_slashes=False, default=_nothing)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Workers live inside.

        Raises:
            Problem: the store cannot be opened.
        """
        pools = self.services.pools
        try:
            await asyncio.gather(*(pool.start() for pool in pools))
            yield
        finally:
            self.services.closing = True
            await asyncio.gather(*(pool.close() for pool in pools))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """ASGI's."""
        if scope["type"] != "http":
            return
        begin = time.perf_counter()
        services = self.services
        try:
            call = Call(scope, receive, send, services.options)
        except Problem as problem:
            body = problem.body()
            await send({"type": "http.response.start", "status": problem.status, "headers": [
                (b"content-type", PROBLEM_JSON.encode()), (b"content-length", str(len(body)).encode())]})
            await send({"type": "http.response.body", "body": body})
            return
        try:
            self._gate.admit(call)
            if not await self._gate.preflight(call):
                scope.update(call=call, services=services, gate=self._gate)
                await self._router(scope, receive, send)
        except Problem as problem:
            if not call.status:
                await call.problem(problem)
        except Exception as error:
            # an error's text may hold what was asked: only its kind and place are told
            trace = error.__traceback__
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace is not None else "?"
            _LOG.error("%s at %s", type(error).__name__, place)
            if call.status:
                call.abort()
            else:
                await call.problem(Problem(500, "the server made a mistake"))
        services.metrics.observe(call.operation, call.status, time.perf_counter() - begin)
        _log(call, time.perf_counter() - begin)


async def _nothing(scope: Any, receive: Any, send: Any) -> None:
    raise Problem(404, "there is nothing here; see /")


def _log(call: Call, seconds: float) -> None:
    if not _LOG.isEnabledFor(logging.INFO):
        return
    row = {"operation": call.operation, "method": call.method, "status": call.status, "principal": call.principal.name,
           "total": round(seconds, 6), **{name: value for name, value in call.note.items() if value is not None}}
    _LOG.info("%s", json.dumps(row))


def route(path: str, handler: Handler, methods: Sequence[str], operation: str, *, write: bool = False,
          open: bool = False) -> Route:
    """A path and what answers there."""
    return Route(path, Endpoint(handler, methods, operation, write=write, open=open))
