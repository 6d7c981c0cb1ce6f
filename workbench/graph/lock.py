"""One writer a store: a lock file that names its holder."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO

from workbench.model.errors import StoreError, StoreLocked


class WriterLock:
    """Holds `folder/LOCK` while open. The kernel frees it when the process ends, kill -9 included.

    Raises:
        StoreLocked: another process, or another store object of this one, holds it.
        StoreError: the file cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / "LOCK"
        try:
            self._file: IO[str] | None = path.open("a+")
        except OSError as error:
            raise StoreError(f"cannot write {path}: {error.strerror}; open the store read-only or mend the "
                             f"folder's permissions") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.seek(0)
            holder = self._file.read().strip() or "unknown"
            self._file.close()
            self._file = None
            raise StoreLocked(f"{folder} is being written by process {holder}; wait for it, stop it, or open the "
                              f"store read-only") from error
        self._file.truncate(0)
        self._file.write(f"{os.getpid()}\n")
        self._file.flush()

    def release(self) -> None:
        """Free the lock; idempotent."""
        if self._file is not None:
            self._file.truncate(0)
            fcntl.flock(self._file, fcntl.LOCK_UN)
            self._file.close()
            self._file = None
