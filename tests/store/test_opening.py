"""Opening: one writer, many readers; damage, strangers and newer versions get a clear error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.crash import episode
from workbench.api import Workbench
from workbench.bulk import compact
from workbench.model.episode import Episode
from workbench.model.errors import StoreCorrupt, StoreError, StoreLocked, StoreReadOnly, StoreVersion, UsageError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with three episodes."""
    with Workbench.open(tmp_path / "store") as wb:
        wb.ingest(episode(number) for number in range(3))
    return tmp_path / "store"


def test_second_writer_is_told_the_pid(store: Path) -> None:
    with Workbench.open(store), pytest.raises(StoreLocked, match=str(os.getpid())):
        Workbench.open(store)


def test_second_process_is_told_the_pid(store: Path) -> None:
    with Workbench.open(store):
        code = f"from workbench.api import Workbench; Workbench.open({str(store)!r})"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT,
                              env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode != 0
    assert f"process {os.getpid()}" in done.stderr


def test_reader_beside_writer_sees_what_was_there(store: Path) -> None:
    with Workbench.open(store) as writer, Workbench.open(store, read_only=True) as reader:
        writer.ingest([episode(3)])
        assert (reader.graph.episodes, writer.graph.episodes) == (3, 4)
        with pytest.raises((StoreReadOnly, StoreError)):
            reader.ingest([episode(9)])


def test_lock_is_free_again_after_close(store: Path) -> None:
    Workbench.open(store).close()
    Workbench.open(store).close()


def test_no_store(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no store in"):
        Workbench.open(tmp_path / "nowhere", read_only=True)
    assert not (tmp_path / "nowhere").exists()


def test_folder_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("not a store")
    with pytest.raises(StoreError, match="neither empty nor a store"):
        Workbench.open(tmp_path)
    assert (tmp_path / "letter.txt").read_text() == "not a store"


def test_newer_version(store: Path) -> None:
    row = json.loads((store / "store.json").read_text())
    (store / "store.json").write_text(json.dumps({**row, "format": 99}))
    with pytest.raises(StoreVersion, match=r"99.*newer"):
        Workbench.open(store)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}'])
def test_damaged_description(store: Path, text: str) -> None:
    (store / "store.json").write_text(text)
    with pytest.raises(StoreError):
        Workbench.open(store)


def test_damaged_pointer(store: Path) -> None:
    (store / "CURRENT").write_text("g-gone")
    with pytest.raises(StoreCorrupt, match="restore a backup"):
        Workbench.open(store)


def test_damaged_quads(store: Path) -> None:
    (generation,) = store.glob("g-*")
    for path in (generation / "quads").glob("MANIFEST-*"):
        path.write_bytes(b"\x00" * 40)
    with pytest.raises(StoreError, match="quads"):
        Workbench.open(store)


def test_damaged_timeline_is_made_anew(store: Path) -> None:
    (generation,) = store.glob("g-*")
    for path in generation.glob("timeline-*/records.*.npy"):
        path.write_bytes(path.read_bytes()[:-8])
    with Workbench.open(store) as wb:
        assert wb.graph.episodes == 3
        assert len(wb.history("Person 1")) > 0


def test_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot make"):
        Workbench.open(tmp_path / "file" / "store")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="cannot"):
            Workbench.open(tmp_path / "store")
    finally:
        tmp_path.chmod(0o700)


def test_full_disk_writes_nothing(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that fails (here: by the engine's own error) leaves the store as it was."""
    with Workbench.open(store) as wb:
        before = wb.graph.quads.lines()

        class Full:
            def __getattr__(self, name: str) -> object:
                return getattr(inner, name)

            def load(self, **_: object) -> None:
                raise OSError("IO error: No space left on device")

        inner = wb.graph.quads._store
        monkeypatch.setattr(wb.graph.quads, "_store", Full())
        with pytest.raises(StoreError, match="No space left"):
            wb.ingest([episode(3)])
        monkeypatch.setattr(wb.graph.quads, "_store", inner)
        assert wb.graph.quads.lines() == before
        assert wb.graph.episodes == 3
        wb.ingest([episode(3)])
        assert wb.graph.episodes == 4


def test_bulk_is_all_or_nothing_and_the_same(tmp_path: Path) -> None:
    """Bulk writing gives the same quads; interrupted, it leaves the store as it was."""
    with Workbench.open(tmp_path / "bulk") as bulk, Workbench.open() as plain:
        bulk.ingest([episode(0)])
        bulk.ingest((episode(number) for number in range(1, 40)), bulk=True)
        plain.ingest(episode(number) for number in range(40))
        assert bulk.graph.quads.lines() == plain.graph.quads.lines()

        def broken() -> Iterator[Episode]:
            yield episode(40)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            bulk.ingest(broken(), bulk=True)
        assert bulk.graph.quads.lines() == plain.graph.quads.lines()
        bulk.ingest([episode(40)])
        assert bulk.graph.episodes == 41
    with Workbench.open(tmp_path / "bulk") as again:
        assert again.graph.episodes == 41
        assert len(list((tmp_path / "bulk").glob("g-*"))) == 1


def test_readers_that_open_while_a_writer_saves_and_switches(tmp_path: Path) -> None:
    """Opening beside a busy writer neither fails nor sees half a state."""
    stop, errors = threading.Event(), []

    def read() -> None:
        try:
            while not stop.is_set():
                with Workbench.open(tmp_path / "store", read_only=True) as wb:
                    assert wb.graph.timeline.claims.n == 2 * wb.graph.episodes
        except BaseException as error:
            errors.append(error)

    with Workbench.open(tmp_path / "store") as wb:
        wb.ingest([episode(0)])
        reader = threading.Thread(target=read)
        reader.start()
        for number in range(1, 60):
            wb.ingest([episode(number)], bulk=number % 20 == 0)
            wb.graph.save()
            if number % 15 == 0:
                compact(wb)
        stop.set()
        reader.join(timeout=60)
    assert errors == []
