"""Vectors of a store's last index are taken over for texts that are still there, and for nothing else."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.retrieve.making import everything, retriever, said, store, stores
from workbench import Workbench
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.retrieve.coming import code_of
from workbench.retrieve.index import Index
from workbench.retrieve.retriever import Retriever
from workbench.retrieve.seam import Kind
from workbench.retrieve.storage import FILE
from workbench.testing.encoding import HashedWords


def file_of(wb: Workbench) -> Path:
    assert wb.graph.folder is not None
    return wb.graph.folder / FILE


def held(found: Retriever) -> dict[tuple[str, str, int], tuple[int, bytes]]:
    """The vectors table."""
    return {row[:3]: row[3:] for row in found.index.select(
        "SELECT encoder, kind, document, code, vector FROM vectors")}


def texts_of(found: Retriever, view: str) -> dict[int, str]:
    """What a view would embed."""
    numbers = found.semantic._wanted(view).tolist()
    return dict(zip(numbers, found.semantic._texts(view, numbers), strict=True))


@settings(max_examples=25, deadline=None)
@given(stores(retractions=False), st.data())
def test_vectors_of_texts_that_are_still_there(episodes: list[Episode], data: st.DataObject) -> None:
    kept = [one for one in episodes if data.draw(st.booleans())]
    with TemporaryDirectory() as folder:
        with store(episodes, Path(folder) / "old") as wb:
            old = retriever(wb)
            before, embedded = held(old), {view: set(texts_of(old, view).values()) for view in old.semantic.views}
            old.index.close()
            file = file_of(wb)
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        vectors = {(view, code): vector for (_, view, _), (code, vector) in before.items()}
        with store(kept, Path(folder) / "new") as wb:
            found = retriever(wb, embed=False)
            copied = found.semantic.adopt(file)
            after = held(found)
            assert copied == len(after)
            expected = {("hashed-words", view, number): (code_of(text), vectors[view, code_of(text)])
                        for view in found.semantic.views for number, text in texts_of(found, view).items()
                        if text in embedded[view]}
            assert after == expected  # nothing else: no vector of a text that is gone
            assert sum(len(found.semantic.missing(view)) for view in found.semantic.views) == sum(
                text not in embedded[view] for view in found.semantic.views for text in texts_of(found, view).values())
            found.semantic.embed()
            fresh = Retriever(wb.graph, wb.schema, found.index, HashedWords())
            assert fresh.retrieve("tea harbour", everything()).found == found.retrieve(
                "tea harbour", everything()).found
            assert found.semantic.adopt(file) == 0 or held(found).keys() == {
                ("hashed-words", view, number) for view in found.semantic.views for number in texts_of(found, view)}
            found.index.close()
        assert hashlib.sha256(file.read_bytes()).hexdigest() == digest


def test_every_encoder_and_without_one(tmp_path: Path) -> None:
    some = [said("e0", "tea", 0, Claim("Ann", "likes", "Cy")), said("e1", "secret harbour", 1)]
    with store(some, tmp_path / "old") as wb:
        old = retriever(wb)
        other = HashedWords(16)
        other.name = "other"
        old.semantic.encoder = other
        old.semantic.embed()
        old.index.close()
        file = file_of(wb)
    with store(some[:1], tmp_path / "new") as wb:
        found = Retriever(wb.graph, wb.schema, Index(wb.graph, wb.schema))  # erasing needs no model
        assert found.semantic.adopt(file) == 4
        assert Counter((encoder, kind) for encoder, kind, _ in held(found)) == {
            (encoder, kind): 1 for encoder in ("hashed-words", "other") for kind in Kind}
        found.semantic.encoder = other
        assert [len(found.semantic.missing(view)) for view in found.semantic.views] == [0, 0]
        found.index.close()


@pytest.mark.parametrize("content", [None, b"", b"no index at all" * 1000])
def test_what_cannot_be_read_gives_nothing(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "old.sqlite"
    if content is not None:
        file.write_bytes(content)
    with store([said("e0", "tea", 0)]) as wb:
        found = retriever(wb, embed=False)
        assert found.semantic.adopt(file) == 0
        assert found.semantic.embed() == 1
    assert file.exists() == (content is not None)
