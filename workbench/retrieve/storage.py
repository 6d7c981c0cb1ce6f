"""The file of the derived index: opened, checked, copied to memory for a reader, dropped when it is damaged."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Final

from workbench.model.errors import StoreError
from workbench.retrieve import text

FILE: Final = "index.sqlite"
FORMAT: Final = 2
PARTS: Final = ("", "-journal", "-wal", "-shm")
_APPLICATION: Final = 0x74636769
_TABLES: Final = """
PRAGMA application_id = {application};
CREATE TABLE state(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE episodes(number INTEGER PRIMARY KEY, code INTEGER NOT NULL, session TEXT, speaker TEXT,
                      kind TEXT NOT NULL, length INTEGER, of INTEGER, how TEXT, asks INTEGER NOT NULL);
CREATE TABLE facts(number INTEGER PRIMARY KEY, length INTEGER NOT NULL);
CREATE TABLE vectors(encoder TEXT NOT NULL, kind TEXT NOT NULL, document INTEGER NOT NULL,
                     code INTEGER NOT NULL, vector BLOB NOT NULL,
                     PRIMARY KEY(encoder, kind, document));
CREATE VIRTUAL TABLE episode_words USING fts5(words, content='', columnsize=0, tokenize='ascii');
CREATE VIRTUAL TABLE fact_words USING fts5(words, content='', columnsize=0, tokenize='ascii');
"""
_VIEWS: Final = """
CREATE VIRTUAL TABLE temp.{name}_places USING fts5vocab(main, '{name}_words', 'instance');
CREATE VIRTUAL TABLE temp.{name}_terms USING fts5vocab(main, '{name}_words', 'row');
"""


class Damaged(Exception):
    """The file is no index of this format, or SQLite cannot read it."""


def has_fts5() -> bool:
    """Whether Python's SQLite was built with FTS5."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5(words)")
        return True
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()


def create(path: Path | None) -> sqlite3.Connection:
    """An empty index in a new file, or in memory.

    Raises:
        StoreError: this Python's SQLite has no FTS5, or the file cannot be written.
    """
    if not has_fts5():
        raise StoreError("this Python's SQLite has no FTS5, which search needs; use a Python built with it "
                         "(python.org, conda and Linux distributions are)")
    try:
        connection = _connect(str(path or ":memory:"))
        connection.executescript("BEGIN;" + _TABLES.format(application=_APPLICATION))
        put(connection, "format", FORMAT)
        put(connection, "analyser", text.VERSION)
        connection.execute("COMMIT")
        return _prepared(connection)
    except sqlite3.Error as error:
        raise StoreError(f"cannot write the search index {path or 'in memory'}: {error}; "
                         f"check the free space and the folder's permissions") from error


def open_for_writing(path: Path) -> sqlite3.Connection:
    """An existing index.

    Raises:
        Damaged: it is not one, or not of this version.
        StoreError: another program holds it.
    """
    return _checked(_connect(str(path)), path)


def open_for_reading(path: Path) -> sqlite3.Connection:
    """An existing index, never written to.

    Raises:
        Damaged: it is not one, or not of this version, or cannot be read without repair.
        StoreError: a writer held it for too long.
    """
    try:
        return _checked(_connect(f"{path.absolute().as_uri()}?mode=ro", uri=True), path)
    except sqlite3.OperationalError as error:
        raise Damaged(str(error)) from error


def copy_to_memory(connection: sqlite3.Connection) -> sqlite3.Connection:
    """An independent copy of an index in memory."""
    copy = _connect(":memory:")
    connection.backup(copy)
    return _prepared(copy)


def drop(path: Path) -> None:
    """Remove an index's files."""
    for suffix in PARTS:
        with contextlib.suppress(OSError):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def put(connection: sqlite3.Connection, name: str, value: int | str) -> None:
    """Set one value of the state."""
    connection.execute("INSERT OR REPLACE INTO state VALUES(?, ?)", (name, value))


def state(connection: sqlite3.Connection) -> dict[str, int | str]:
    """Everything in the state."""
    return dict(connection.execute("SELECT name, value FROM state"))


def locked(error: sqlite3.Error) -> bool:
    """Whether an error only says that another process was busy with the file."""
    return getattr(error, "sqlite_errorcode", 0) & 0xff in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _connect(name: str, uri: bool = False) -> sqlite3.Connection:
    # The journal is SQLite's default, not the write-ahead log: a reader of that would have to write beside the file.
    connection = sqlite3.connect(name, timeout=30, isolation_level=None, check_same_thread=False, uri=uri)
    connection.executescript("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY;")
    return connection


def _checked(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        found = state(connection) if application == _APPLICATION else {}
        if (found.get("format"), found.get("analyser")) != (FORMAT, text.VERSION):
            raise Damaged(f"{path.name} is no index of this version")
        return _prepared(connection)
    except (sqlite3.DatabaseError, Damaged) as error:
        connection.close()
        if isinstance(error, Damaged):
            raise
        if locked(error):
            raise StoreError(f"the search index {path} is busy; try again") from error
        raise Damaged(str(error)) from error


def _prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    for name in ("episode", "fact"):
        connection.executescript(_VIEWS.format(name=name))
    return connection
