"""The record of calls to language models: one SQLite file, from which a run can be repeated without the model.

A call is known by the model's identity (name, weights, engine, endpoint) and the whole request: no answer ever serves
another engine or endpoint. Answers are written when they arrive, each in its own transaction: a call in flight at a
kill is simply absent. Prompts are kept as hashes only, keys not at all.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Final

from workbench.model.errors import UsageError

VERSION: Final = 1
APPLICATION: Final = 0x7C6C6D63
SECRET_NAMES: Final = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$", re.IGNORECASE)
SHORTEST_SECRET: Final = 8

#: What calls are made for, as a rule an episode's id; `Calls.forget` finds them by it.
purpose: ContextVar[str | None] = ContextVar("purpose", default=None)
#: True: ask again what the record could answer, as after an answer of no use; the new answer takes its place.
again: ContextVar[bool] = ContextVar("again", default=False)

_TABLE = """
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, model TEXT NOT NULL, engine TEXT NOT NULL, endpoint TEXT NOT NULL,
    digest TEXT NOT NULL, prompt TEXT NOT NULL, parameters TEXT NOT NULL, output TEXT, error TEXT, tokens_in INTEGER,
    tokens_out INTEGER, seconds REAL NOT NULL, cost REAL, tries INTEGER NOT NULL, purpose TEXT, at TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS calls_key ON calls (key, id);
CREATE INDEX IF NOT EXISTS calls_purpose ON calls (purpose);
"""
_COLUMNS = ("key, model, engine, endpoint, digest, prompt, parameters, output, error, tokens_in, tokens_out, seconds, "
            "cost, tries, purpose, at")


@dataclass(frozen=True)
class Identity:
    """What answers: two of these that differ in anything share no answer.

    Attributes:
        model: as DSPy names it, `openai/gpt-4o-mini` or `local/<first 12 digits of the weights' SHA-256>`.
        engine: the software and what of its setting changes answers.
        endpoint: the server's address; empty in process.
        digest: SHA-256 of weights or script; empty for a server.
    """

    model: str
    engine: str
    endpoint: str = ""
    digest: str = ""

    def key(self, request: dict[str, Any]) -> str:
        """The key of a request to this model: SHA-256 of both, hexadecimal."""
        return hashed([*astuple(self), request])


@dataclass(frozen=True)
class Call:
    """One call as recorded.

    Attributes:
        key: identity and request, hashed.
        model, engine, endpoint, digest: as of `Identity`.
        prompt: SHA-256 of system text, messages and tools.
        parameters: of the request, as JSON: temperature, longest reply, response format, …
        output: the response as JSON; None: it failed for good.
        error: why it failed.
        tokens_in, tokens_out: as the model counted them; None: not said.
        seconds: of the attempt that was answered, or of all that failed.
        cost: US dollars; None: unknown.
        tries: attempts made.
        purpose: what for, as a rule an episode's id.
        at: when it was recorded, ISO 8601 in UTC.
    """

    key: str
    model: str
    engine: str
    endpoint: str
    digest: str
    prompt: str
    parameters: str
    output: str | None
    error: str | None
    tokens_in: int | None
    tokens_out: int | None
    seconds: float
    cost: float | None
    tries: int
    purpose: str | None
    at: str


def hashed(value: object) -> str:
    """SHA-256 of the value's canonical JSON, hexadecimal."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def without_secrets(text: str) -> str:
    """The text with the values of the environment's keys, tokens and passwords struck out."""
    for name, value in os.environ.items():
        if SECRET_NAMES.search(name) and len(value) >= SHORTEST_SECRET:
            text = text.replace(value, f"[{name}]")
    return text


class Calls:
    """The record, open for reading and appending from many threads and processes.

    Raises:
        UsageError: the file is something else, or of a later version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, timeout=30.0, isolation_level=None, check_same_thread=False)
            self._open()
        except (sqlite3.Error, OSError) as error:
            raise UsageError(f"{path} cannot be used as a record of calls ({error}): name a new file, or one that was "
                             "written with this option") from error

    def _open(self) -> None:
        application, = self._file.execute("PRAGMA application_id").fetchone()
        version, = self._file.execute("PRAGMA user_version").fetchone()
        tables, = self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if (tables and application != APPLICATION) or version > VERSION:
            self._file.close()
            raise UsageError(f"{self.path} is no record of calls of this version: name a new file, or one that was "
                             "written with this option")
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=NORMAL")
        self._file.execute("PRAGMA secure_delete=ON")
        self._file.executescript(f"PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION}; {_TABLE}")

    def answer(self, key: str, number: int | None = None) -> Call | None:
        """A recorded answer to a request.

        Args:
            key: `Identity.key` of the request.
            number: which one of several, from 0 in the order of arrival; None: the latest.
        """
        order = "id DESC LIMIT 1" if number is None else f"id LIMIT 1 OFFSET {int(number)}"
        return self._one(f"SELECT {_COLUMNS} FROM calls WHERE key = ? AND output IS NOT NULL ORDER BY {order}", key)

    def failure(self, key: str) -> Call | None:
        """The latest failure of a request."""
        return self._one(f"SELECT {_COLUMNS} FROM calls WHERE key = ? AND output IS NULL ORDER BY id DESC LIMIT 1", key)

    def _one(self, query: str, key: str) -> Call | None:
        with self._lock:
            row = self._file.execute(query, (key,)).fetchone()
        return None if row is None else Call(*row)

    def count(self, key: str) -> int:
        """How many answers to a request are recorded."""
        with self._lock:
            return int(self._file.execute("SELECT count(*) FROM calls WHERE key = ? AND output IS NOT NULL",
                                          (key,)).fetchone()[0])

    def identities(self) -> list[Identity]:
        """The models that were asked, the latest first."""
        with self._lock:
            rows = self._file.execute("SELECT model, engine, endpoint, digest FROM calls "
                                      "GROUP BY model, engine, endpoint, digest ORDER BY max(id) DESC").fetchall()
        return [Identity(*row) for row in rows]

    def add(self, call: Call) -> None:
        """Record a call; it is in the file on return."""
        values = [without_secrets(value) if isinstance(value, str) else value for value in astuple(call)]
        with self._lock:
            self._file.execute(f"INSERT INTO calls ({_COLUMNS}) VALUES ({', '.join('?' * len(values))})", values)

    def forget(self, what_for: str) -> int:
        """Delete the calls made for a purpose, as when an episode is erased; their number."""
        with self._lock:
            return self._file.execute("DELETE FROM calls WHERE purpose = ?", (what_for,)).rowcount

    def __len__(self) -> int:
        with self._lock:
            return int(self._file.execute("SELECT count(*) FROM calls").fetchone()[0])

    def __iter__(self) -> Iterator[Call]:
        with self._lock:
            rows = self._file.execute(f"SELECT {_COLUMNS} FROM calls ORDER BY id").fetchall()
        return (Call(*row) for row in rows)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()
