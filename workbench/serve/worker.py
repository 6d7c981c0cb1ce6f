"""A worker process: one dataset, one request at a time, until the server closes the line or kills it."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import signal
import socket
import sys
import threading
import time
from typing import Any, Final, Protocol

from workbench.graph.endpoint import BadSyntax, OverBudget, Unsayable
from workbench.model.errors import AmbiguousName, NotFound, StoreError, UsageError
from workbench.serve import frames
from workbench.serve.negotiation import choose
from workbench.serve.output import Output
from workbench.serve.problem import Problem

_DIE_WITH_PARENT: Final = 1  # PR_SET_PDEATHSIG


class Engine(Protocol):
    """What a worker does its work with."""

    def opened(self) -> dict[str, Any]:
        """What is open, for the server: the commit it answers from."""
        ...

    def reopen(self) -> None:
        """See what was written since."""
        ...

    def answer(self, ask: dict[str, Any], body: bytes, out: Output, accept: Any) -> dict[str, Any]:
        """Do what is asked; returns what else the server should know, such as a status."""
        ...


def main() -> None:
    """Entry point: the number of the inherited socket, and the settings as JSON."""
    line = frames.Line(socket.socket(fileno=int(sys.argv[1])))
    settings: dict[str, Any] = json.loads(sys.argv[2])
    _bind_to_parent(settings["parent"])
    begin = time.perf_counter()
    try:
        engine = _engine(settings)
    except (StoreError, NotFound) as error:
        line.send(frames.json_frame(frames.ERROR, {"status": 503, "detail": str(error)}))
        raise SystemExit(1) from None
    line.send(_ready(engine, begin))
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        while (got := line.receive()) is not None:
            ask: dict[str, Any] = json.loads(got[1])
            body = b""
            if ask.get("body"):
                following = line.receive()
                if following is None:
                    return
                body = following[1]
            _serve(engine, ask, body, line, settings)


def _engine(settings: dict[str, Any]) -> Engine:
    if settings["role"] == "scratch":
        from workbench.serve.scratch import ScratchEngine

        return ScratchEngine(settings["path"])
    from workbench.serve.reading import StoreEngine

    return StoreEngine(settings["path"])


def _serve(engine: Engine, ask: dict[str, Any], body: bytes, line: frames.Line, settings: dict[str, Any]) -> None:
    if ask["op"] == "reopen":
        begin = time.perf_counter()
        try:
            engine.reopen()
            line.send(_ready(engine, begin))
        except (StoreError, NotFound) as error:
            line.send(frames.json_frame(frames.ERROR, {"status": 503, "detail": str(error)}))
        return
    out = Output(line, settings["rows"], settings["bytes"], ask.get("gzip", False), ask.get("method") != "HEAD")
    begin = time.perf_counter()
    try:
        more = engine.answer(ask, body, out, _accept(ask.get("accept")))
        end = {"rows": out.rows, "bytes": out.size, "seconds": time.perf_counter() - begin, **more}
        out.finish(frames.json_frame(frames.END, end))
    except (BrokenPipeError, ConnectionResetError):
        raise
    except Exception as error:
        line.send(frames.json_frame(frames.ERROR, _told(error)))


def _ready(engine: Engine, begin: float) -> bytes:
    return frames.json_frame(frames.READY, {**engine.opened(), "seconds": time.perf_counter() - begin})


def _accept(header: str | None) -> Any:
    def pick(offers: Any) -> str:
        found = choose(header, tuple(offers))
        if found is None:
            raise Problem(406, f"none of what is asked for can be sent; there is {', '.join(offers)}",
                          offers=list(offers))
        return found

    return pick


def _told(error: Exception) -> dict[str, Any]:
    """An error as a status and members of a problem object."""
    row: dict[str, Any] = {"detail": str(error)}
    match error:
        case Problem():
            return {"status": error.status, **row, **error.more}
        case BadSyntax():
            return {"status": 400, **row, "line": error.line, "column": error.column}
        case Unsayable():
            return {"status": 406, **row}
        case OverBudget():
            return {"status": 503, **row, "kill": error.what}
        case AmbiguousName():
            return {"status": 300, **row, "candidates": list(error.candidates)}
        case NotFound():
            return {"status": 404, **row}
        case UsageError():
            return {"status": 400, **row}
        case MemoryError():
            return {"status": 503, "detail": "the query needs more memory than it may have", "kill": "memory"}
    # the engine's own errors may hold text of the data: only their kind is told
    return {"status": 500, "detail": f"the query failed: {type(error).__name__}", "kill": "error"}


def _bind_to_parent(parent: int) -> None:
    """Die with the server, leave no core files, ignore the terminal's Ctrl-C: the server says when to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    main()
