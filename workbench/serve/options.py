"""What `workbench serve` was told, as one value."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

MIB = 1 << 20


@dataclass(frozen=True)
class Budget:
    """What one query may cost.

    Attributes:
        seconds: wall time from when a worker takes it to its last byte.
        memory: resident bytes of the worker.
        rows: solutions or triples of the answer.
        bytes: of the answer, before compression.
    """

    seconds: float = 30.0
    memory: int = 2048 * MIB
    rows: int = 5_000_000
    bytes: int = 1024 * MIB


@dataclass(frozen=True)
class Options:
    """All settings of a server.

    Attributes:
        store: the folder.
        host, port: where to listen; port 0 = any free one.
        workers: how many queries run at once.
        budget: of each query.
        queue: how many requests may wait for a worker; more get 503.
        queue_seconds: how long each may wait.
        body: largest request body in bytes.
        query: longest query text in characters.
        headers: largest request line and headers in bytes.
        connections: how many at once.
        slow_seconds: how long a client may take to send its request, or not to read its answer.
        refresh: seconds between looks at whether the store moved on.
        token_file: who may do what; None = anyone on this machine may read.
        writable: the scratch dataset can be changed.
        open_scratch: ... without a token, by programs on this machine (not by web pages).
        scratch: folder of the scratch dataset; None = a temporary one.
        origins: web origins that may call (CORS); `*` = any, without credentials.
        public: the URL under which the server is known, if it stands behind another one.
        static: a folder served at /static.
    """

    store: Path
    host: str = "127.0.0.1"
    port: int = 7878
    workers: int = field(default_factory=lambda: min(4, 2 * (os.cpu_count() or 1)))
    budget: Budget = field(default_factory=Budget)
    queue: int = 64
    queue_seconds: float = 10.0
    body: int = 16 * MIB
    query: int = 256 * 1024
    headers: int = 320 * 1024
    connections: int = 512
    slow_seconds: float = 20.0
    refresh: float = 1.0
    token_file: Path | None = None
    writable: bool = False
    open_scratch: bool = False
    scratch: Path | None = None
    origins: tuple[str, ...] = ()
    public: str | None = None
    static: Path | None = None

    def for_worker(self, role: str) -> dict[str, Any]:
        """What a worker has to know, as JSON."""
        where = self.store if role == "store" else self.scratch
        return {"role": role, "path": str(where), "rows": self.budget.rows, "bytes": self.budget.bytes,
                "budget": asdict(self.budget)}
