"""The index is derived: kept up to date in steps, made anew when it is damaged, never written by a reader."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.retrieve.making import everything, retriever, said, store, stores
from workbench import Workbench
from workbench.graph.relations import SchemaIndex
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.errors import StoreError
from workbench.model.schema import Relation, Schema
from workbench.retrieve import index as index_module
from workbench.retrieve import storage
from workbench.retrieve.index import Index
from workbench.retrieve.retriever import Retriever
from workbench.retrieve.seam import Kind
from workbench.testing.encoding import HashedWords
from workbench.testing.histories import small_schema

TOKENS = ("tea", "move", "ann", "cy", "harbour", "likes", "like", "err-7/2", "北京", "home", "again")
SOME = [said(f"e{n}", text, n, Claim("Ann", "likes", name), speaker="Ann", session="s")
        for n, (text, name) in enumerate([("The harbour", "Cy"), ("The tea house", "Di"), ("A harbour again", "Cy")])]


def contents(index: Index) -> tuple[object, ...]:
    """All that an index says."""
    snapshot = index.snapshot()
    arrays = [getattr(snapshot, name).tolist() for name in (
        "length", "previous", "following", "position", "document", "fact_length")]
    named = [[index.catalog.sessions.texts[n] if n >= 0 else None for n in snapshot.session.tolist()],
             [index.catalog.speakers.texts[n] if n >= 0 else None for n in snapshot.speaker.tolist()]]
    postings = [[part.tolist() for part in index.postings(kind, token)] for kind in Kind for token in TOKENS]
    return arrays, named, postings, snapshot.withdrawals, [index.frequency(Kind.FACT, token) for token in TOKENS]


@settings(max_examples=40, deadline=None)
@given(stores(), st.lists(st.integers(1, 4), max_size=4))
def test_in_steps_or_at_once_is_the_same(episodes: list[Episode], steps: list[int]) -> None:
    with store() as wb:
        growing = Index(wb.graph, wb.schema)
        for step in (*steps, len(episodes)):
            wb.ingest(episodes[:step])
            episodes = episodes[step:]
            growing.catch_up()
            contents(growing)  # so that postings are remembered and have to be kept current
        fresh = Index(wb.graph, wb.schema)
        fresh.catch_up()
        assert contents(growing) == contents(fresh)
        assert growing.check() == fresh.check() == []
        assert growing.catch_up() == 0


def test_neighbours_of_a_session(tmp_path: Path) -> None:
    turns = [said("a", "one", 0, session="x"), said("b", "two", 1, session="y"), said("c", "three", 2, session="x"),
             said("d", " ", 3, session="x"), said("e", "five", 4, session="x"), said("f", "six", 5)]
    with store(turns, tmp_path / "s") as wb:
        index = Index(wb.graph, wb.schema)
        index.catch_up()
        index.close()
        index = Index(wb.graph, wb.schema)
        snapshot = index.snapshot()
        assert snapshot.previous.tolist() == [-1, -1, 0, -1, 2, -1]
        assert snapshot.following.tolist() == [2, -1, 4, -1, -1, -1]
        assert snapshot.position.tolist() == [0, 0, 1, 0, 2, 0]
        before = index.snapshot()
        wb.ingest([said("g", "seven", 6, session="x")])
        index.catch_up()
        assert before.following.tolist() == [2, -1, 4, -1, -1, -1]
        assert index.snapshot().following.tolist() == [2, -1, 4, -1, 6, -1, -1]


def test_batches_are_one_index(monkeypatch: pytest.MonkeyPatch) -> None:
    with store(SOME) as wb:
        whole = Index(wb.graph, wb.schema)
        whole.catch_up()
        monkeypatch.setattr(index_module, "EPISODES_AT_ONCE", 1)
        monkeypatch.setattr(index_module, "RECORDS_AT_ONCE", 1)
        pieces, told = Index(wb.graph, wb.schema), list[int]()
        assert pieces.catch_up(progress=told.append) == told[-1] == 3 + wb.graph.timeline.records.n
        assert contents(pieces) == contents(whole)


def test_one_document_a_triple() -> None:
    with store([said("e0", "", 0, Claim("Ann", "home", "Cy", valid_from="2020-01-01")),
                said("e1", "", 1, Claim("Ann", "home", "Di", valid_from="2020-02-01")),
                said("e2", "", 2, Claim("Ann", "home", "Cy", valid_from="2020-03-01"))]) as wb:
        index = Index(wb.graph, wb.schema)
        index.catch_up()
        documents = index.postings(Kind.FACT, "cy")[0].tolist()
        assert len(documents) == 1
        rows = wb.graph.timeline.records["o"] == wb.graph.timeline.records.get("o", documents[0])
        assert (index.snapshot().document[rows] == documents[0]).all()


def test_opened_again_it_is_up_to_date(tmp_path: Path) -> None:
    with store(SOME, tmp_path / "s") as wb:
        index = Index(wb.graph, wb.schema)
        index.catch_up()
        expected = contents(index)
        index.close()
    with Workbench.open(tmp_path / "s") as wb:
        index = Index(wb.graph, wb.schema)
        assert (index.where, index.catch_up()) == ("file", 0)
        assert contents(index) == expected


def files(folder: Path) -> dict[str, str]:
    """Every file of a store with a hash of what it holds."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("state", ["current", "missing", "behind", "damaged", "foreign"])
def test_a_reader_finds_everything_and_writes_nothing(tmp_path: Path, state: str) -> None:
    """Fault 48, and what a crash between store and index leaves."""
    folder = tmp_path / "s"
    with store(SOME[:1] if state == "behind" else SOME, folder) as wb:
        index = Index(wb.graph, wb.schema)
        index.catch_up()
        index.close()
        if state == "behind":
            for episode in SOME[1:]:  # past the workbench, which would keep the index up
                wb.pipeline.ingest(episode)
        path = wb.graph.folder
        assert path is not None
    spoil(path / storage.FILE, state)
    before = files(folder)
    with Workbench.open(folder, read_only=True) as wb:
        found = retriever(wb)
        assert found.index.where == "memory"  # the embeddings of a reader are its own
        assert [one.hit.number for one in found.retrieve("harbour", everything(), arms=["keyword"]).found] == [0, 2]
        assert found.index.check() == []
        found.index.close()
        plain = Index(wb.graph, wb.schema)
        assert plain.where == ("file" if state == "current" else "memory")
        plain.catch_up()
        assert plain.postings(Kind.EPISODE, "harbour")[0].tolist() == [0, 2]
        plain.close()
    assert files(folder) == before


def spoil(path: Path, state: str) -> None:
    """Bring an index's file into a bad state."""
    if state == "missing":
        path.unlink()
    elif state == "damaged":
        raw = bytearray(path.read_bytes())
        raw[4096:] = b"\xff" * (len(raw) - 4096)
        path.write_bytes(raw)
    elif state == "foreign":
        with store([said(f"other {n}", "Quite another thing", n) for n in range(3)], path.parent.parent / "o") as wb:
            index = Index(wb.graph, wb.schema)
            index.catch_up()
            index.close()
            assert wb.graph.folder is not None
            shutil.copy(wb.graph.folder / storage.FILE, path)


@pytest.mark.parametrize("state", ["missing", "damaged", "foreign", "text", "empty", "ahead", "other version"])
def test_a_writer_makes_a_bad_index_anew(tmp_path: Path, state: str) -> None:
    with store(SOME, tmp_path / "s") as wb:
        index = Index(wb.graph, wb.schema)
        index.catch_up()
        expected = contents(index)
        index.close()
        assert wb.graph.folder is not None
        path = wb.graph.folder / storage.FILE
    if state in ("text", "empty"):
        path.write_text("no index" * 1000 if state == "text" else "")
    elif state in ("ahead", "other version"):
        with sqlite3.connect(path) as connection:
            name, value = ("episodes", 99) if state == "ahead" else ("analyser", 99)
            connection.execute("UPDATE state SET value = ? WHERE name = ?", (value, name))
        connection.close()
    else:
        spoil(path, state)
    with Workbench.open(tmp_path / "s") as wb:
        index = Index(wb.graph, wb.schema)
        assert index.where == "file"
        index.catch_up()
        assert contents(index) == expected
        assert index.check() == []
        index.close()


def test_damage_that_shows_later_heals_too(tmp_path: Path) -> None:
    many = [said(f"e{n}", f"word{n} harbour " * 20, n) for n in range(150)]
    with store(many, tmp_path / "s") as wb:
        index = Index(wb.graph, wb.schema)
        index.catch_up()
        index.close()
        assert wb.graph.folder is not None
        path = wb.graph.folder / storage.FILE
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE episode_words_data SET block = x'00ff' WHERE id > 10")
        connection.close()
        index = Index(wb.graph, wb.schema)
        assert index.check() != [] or len(index.postings(Kind.EPISODE, "harbour")[0]) == 150
        assert len(index.postings(Kind.EPISODE, "harbour")[0]) == 150
        assert index.check() == []


def test_check_says_what_is_wrong(tmp_path: Path) -> None:
    with store(SOME, tmp_path / "s") as wb:
        index = Index(wb.graph, wb.schema)
        index.catch_up()
        index._connection.execute("DELETE FROM facts WHERE number = 0")
        index._connection.execute("INSERT INTO episode_words(episode_words, rowid, words) VALUES('delete', 1, ?)",
                                  ("ann the tea hous",))
        findings = "\n".join(index.check())
        assert "facts, " in findings and "were expected" in findings
        assert "episode 1 is not found by" in findings


def test_no_fts5_is_said_clearly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "has_fts5", lambda: False)
    with store() as wb, pytest.raises(StoreError, match="FTS5"):
        Index(wb.graph, wb.schema)


_CRASH = """
import os, signal, sys
from pathlib import Path
from tests.retrieve.making import said, store
from workbench.retrieve import index as module
from workbench.retrieve.index import Index
module.EPISODES_AT_ONCE = 5
wb = store([said(f"e{n}", f"harbour {n}", n) for n in range(20)], Path(sys.argv[1]))
wb.graph.quads.flush()
index = Index(wb.graph, wb.schema)
steps = 0
real = Index._write
def write(self, kind, texts):
    global steps
    real(self, kind, texts)
    steps += 1
    if steps == 3:
        os.kill(os.getpid(), signal.SIGKILL)
Index._write = write
index.catch_up()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_kill_within_a_batch_loses_the_batch_only(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", _CRASH, str(tmp_path / "s")], cwd=root, check=False,
                          env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    with Workbench.open(tmp_path / "s", read_only=True) as wb:  # before the journal has been rolled back
        assert len(retriever(wb).index.postings(Kind.EPISODE, "harbour")[0]) == 20
    with Workbench.open(tmp_path / "s") as wb:
        index = Index(wb.graph, wb.schema)
        assert index.catalog.episodes == 10
        assert index.catch_up() == 10
        assert index.postings(Kind.EPISODE, "harbour")[0].tolist() == list(range(20))
        assert index.check() == []


def test_another_schema_gives_facts_other_words(tmp_path: Path) -> None:
    with store(SOME, tmp_path / "s") as wb:
        found = retriever(wb)
        old = len(found.semantic.missing(Kind.FACT))
        likes = next(one for one in small_schema().relations.values() if one.iri.endswith("likes"))
        other = SchemaIndex(Schema({likes.iri: Relation(likes.iri, (("adores", "en"),))}, {}, "other"))
        assert found.index.catch_up(other) == wb.graph.timeline.records.n
        found.use(other)
        assert found.index.postings(Kind.FACT, "likes")[0].tolist() == []
        assert len(found.index.postings(Kind.FACT, "ador")[0]) == 2
        assert (old, len(found.semantic.missing(Kind.FACT))) == (0, 2)
        assert len(found.semantic.missing(Kind.EPISODE)) == 0
        found.index.close()
        index = Index(wb.graph, wb.schema)  # opened with the old one again
        index.catch_up()
        assert len(index.postings(Kind.FACT, "like")[0]) == 2


class Interrupted(HashedWords):
    """Fails after a few texts."""

    def encode(self, texts: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        if self.texts > 100:
            raise KeyboardInterrupt
        return super().encode(texts)


def test_embedding_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with store([said(f"e{n}", f"harbour {n}", n) for n in range(200)], tmp_path / "s") as wb:
        index = Index(wb.graph, wb.schema)
        with pytest.raises(KeyboardInterrupt):
            Retriever(wb.graph, wb.schema, index, Interrupted()).semantic.embed()
        index.close()
        index = Index(wb.graph, wb.schema)
        encoder = HashedWords()
        found, told = Retriever(wb.graph, wb.schema, index, encoder), list[tuple[int, int]]()
        note = found.retrieve("harbour", everything(), arms=["semantic"]).rankings[0].note
        assert note == "128 of 200 episodes embedded"
        assert found.semantic.embed(10) == 10
        assert found.semantic.embed(progress=lambda done, of: told.append((done, of))) == 62
        assert told[-1] == (62, 62)
        assert found.retrieve("harbour", everything(), arms=["semantic"]).rankings[0].note is None


def test_questions_beside_a_writer() -> None:
    with store(SOME) as wb:
        found, errors = retriever(wb), list[BaseException]()

        def ask() -> None:
            try:
                for _ in range(30):
                    found.retrieve("What does Ann like at the harbour?", everything())
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for number in range(3, 60):
            wb.ingest([said(f"e{number}", f"harbour {number}", number, Claim("Ann", "likes", f"thing {number}"))])
        for thread in threads:
            thread.join()
        assert errors == []
        found.index.catch_up()
        assert len(found.index.postings(Kind.EPISODE, "harbour")[0]) == 59


def test_two_indexes_of_one_store_do_not_spoil_it(tmp_path: Path) -> None:
    with store(SOME[:1], tmp_path / "s") as wb:
        one, other = Index(wb.graph, wb.schema), None
        one.catch_up()
        other = Index(wb.graph, wb.schema)
        for number, index in ((1, other), (2, one), (3, other)):
            claim = Claim("Ann", "likes", f"it {number}")
            wb.pipeline.ingest(said(f"more {number}", f"harbour {number}", number, claim))
            index.catch_up()
            assert index.postings(Kind.EPISODE, "harbour")[0].tolist() == list(range(number + 1))
            assert (index.where, index.check()) == ("file", [])
        one.catch_up()
        assert contents(one) == contents(other)
