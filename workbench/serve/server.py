"""Start and stop: all routes together, uvicorn around them."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import logging
import shutil
import signal
import socket
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import uvicorn
from starlette.routing import BaseRoute

from workbench.model.errors import StoreError
from workbench.model.time import Instant
from workbench.serve import graphs, queries, things
from workbench.serve.answering import commit_name
from workbench.serve.app import App, Services, route
from workbench.serve.call import Call
from workbench.serve.http import protocol
from workbench.serve.options import Options
from workbench.serve.problem import Problem

GRACEFUL: Final = 10
"""Seconds that requests get to end when the server is told to stop."""
_READ: Final = ("GET", "HEAD", "POST", "QUERY")
_GET: Final = ("GET", "HEAD")


async def health(call: Call, services: Services) -> None:
    """200 while queries can be answered, else 503."""
    alive = sum(worker.alive for worker in services.store.workers)
    good = alive > 0 and not services.closing
    body = {"status": "ok" if good else "stopping" if services.closing else "no worker", "workers": alive}
    await call.respond(200 if good else 503, json.dumps(body).encode(), "application/json",
                       [("cache-control", "no-store")])


async def metrics(call: Call, services: Services) -> None:
    """Counters for Prometheus."""
    newest = services.store.newest
    gauges: dict[str, float] = {f"workers_{name}": value for name, value in services.store.counts.items()}
    gauges["episodes"] = newest.get("episodes") or 0
    if newest.get("recorded") is not None:
        gauges["last_recorded_seconds"] = newest["recorded"] / 1e6
    gauges["resident_bytes"] = sum(worker.resident() for pool in services.pools for worker in pool.workers)
    await call.respond(200, services.metrics.text(gauges).encode(), "text/plain; version=0.0.4; charset=utf-8",
                       [("cache-control", "no-store")])


async def state(call: Call, services: Services) -> None:
    """Which commit is served, and what there is to ask for."""
    newest = services.store.newest
    recorded = newest.get("recorded")
    body = {"commit": commit_name(newest), "episodes": newest.get("episodes"),
            "known": None if recorded is None else Instant(recorded).iso(),
            "query": f"{call.origin}/query", "graphs": f"{call.origin}/graphs", "void": f"{call.origin}/void",
            "vocabulary": f"{call.origin}/vocabulary",
            "scratch": None if services.scratch is None else f"{call.origin}/scratch/query"}
    if call.principal.sources is not None:
        body = {name: value for name, value in body.items() if name not in ("commit", "episodes", "known")}
    await call.respond(200, json.dumps(body).encode(), "application/json", [("cache-control", "no-store")])


def routes() -> list[BaseRoute]:
    """All routes; whoever adds pages puts theirs before or after."""
    return [
        route("/query", queries.query, _READ, "query"),
        route("/sparql", queries.query, _READ, "query"),
        route("/update", queries.no_update, ("POST",), "update", write=True),
        route("/graphs", graphs.store_graphs, graphs.ALL, "graphs"),
        route("/graphs/{id:path}", graphs.store_graph, graphs.ALL, "graphs"),
        route("/scratch/query", queries.scratch_query, _READ, "scratch-query"),
        route("/scratch/update", queries.scratch_update, ("GET", "HEAD", "POST"), "scratch-update", write=True),
        route("/scratch/sparql", queries.scratch_either, _READ, "scratch"),
        route("/scratch/graphs", graphs.scratch_graphs, graphs.ALL, "scratch-graphs", write=True),
        route("/scratch/graphs/{id:path}", graphs.scratch_graph, graphs.ALL, "scratch-graphs", write=True),
        route("/episode/{id:path}", things.thing, _GET, "episode"),
        route("/entity/{name:path}", things.thing, _GET, "entity"),
        route("/fact/{id:path}", things.thing, _GET, "fact"),
        route("/vocabulary", things.vocabulary, _GET, "vocabulary"),
        route("/timegate/{path:path}", things.timegate, _GET, "timegate"),
        route("/timemap/{path:path}", things.timemap, _GET, "timemap"),
        route("/void", queries.void, _GET, "void"),
        route("/.well-known/void", queries.void, _GET, "void"),
        route("/", state, _GET, "state"),
        route("/state", state, _GET, "state"),
        route("/health", health, _GET, "health", open=True),
        route("/metrics", metrics, _GET, "metrics"),
    ]


def serve(options: Options, announce: Callable[[str], None], extra: Sequence[BaseRoute] = ()) -> None:
    """Serve until SIGTERM or SIGINT; requests then get a few seconds to end.

    Args:
        options: all settings.
        announce: called with the URL once requests are answered.
        extra: routes of pages, before the others.

    Raises:
        UsageError: the options contradict each other.
        StoreError: the store cannot be opened, or the address cannot be had.
    """
    with contextlib.ExitStack() as stack:
        if options.writable and options.scratch is None:
            folder = tempfile.mkdtemp(prefix="workbench-scratch-")
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            options = dataclasses.replace(options, scratch=Path(folder))
        app = App(options, [*extra, *routes()])
        sock = stack.enter_context(_listen(options))
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_run(app, sock, options, announce))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop
    return uvloop.new_event_loop


def _listen(options: Options) -> socket.socket:
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((options.host.strip("[]"), options.port))
    except (OSError, OverflowError) as error:
        sock.close()
        raise StoreError(f"cannot listen on {options.host}:{options.port}: {error}; give another --bind") from error
    sock.setblocking(False)
    return sock


class _Server(uvicorn.Server):
    """Ends when told, but leaves it to us to end the process: workers and folders are still to be put away."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop, signals = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)
        for number in signals:
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in signals:
                loop.remove_signal_handler(number)


async def _run(app: App, sock: socket.socket, options: Options, announce: Callable[[str], None]) -> None:
    config = uvicorn.Config(
        app, http=protocol(options), ws="none", lifespan="off", log_config=None, access_log=False,
        server_header=False, proxy_headers=False, limit_concurrency=options.connections, timeout_keep_alive=30,
        timeout_graceful_shutdown=GRACEFUL, log_level="warning")
    # what the parser says of a bad request may hold parts of it
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    server = _Server(config)
    try:
        async with app.running():
            sock.listen(512)
            host = f"[{options.host.strip('[]')}]" if ":" in options.host else options.host
            announce(f"http://{host}:{sock.getsockname()[1]}/")
            await server.serve(sockets=[sock])
    except Problem as problem:
        raise StoreError(problem.detail) from None
