"""The reranker's seam."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from workbench import Workbench
from workbench.model.episode import Episode
from workbench.model.errors import UsageError
from workbench.model.time import Instant
from workbench.retrieve.rerank import CrossEncoder, Reranker
from workbench.testing.clock import FixedClock


class Longest:
    """Prefers long texts."""

    name = "longest"

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        return [float(len(text)) for text in texts]


class Broken:
    """Loses a score."""

    name = "broken"

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        return [1.0]


@pytest.fixture(scope="module")
def world() -> Workbench:
    wb = Workbench.open(clock=FixedClock(Instant.of(2024, 2)))
    texts = {"a": "Tea.", "b": "Tea, and much more than tea was had.", "c": "Tea again."}
    wb.ingest([Episode(name, text=text, claims=()) for name, text in texts.items()])
    return wb


def _ids(world: Workbench, reranker: Reranker | None) -> list[str]:
    return world.retrieve("tea", arms=("keyword",), reranker=reranker).episodes


def test_the_reranker_decides_the_order(world: Workbench) -> None:
    assert _ids(world, None)[0] != "b"
    assert _ids(world, Longest()) == ["b", "c", "a"]
    first = world.retrieve("tea", arms=("keyword",), reranker=Longest()).items[0]
    assert first.found.ranks["longest"] == 1 and "keyword" in first.found.ranks


def test_a_reranker_out_of_step_is_refused(world: Workbench) -> None:
    with pytest.raises(UsageError, match="3 texts"):
        _ids(world, Broken())


def test_nothing_found_is_not_reranked(world: Workbench) -> None:
    assert world.retrieve("xyzzy", arms=("keyword",), reranker=Broken()).items == []


def test_a_language_model_reranks_what_it_names() -> None:
    pytest.importorskip("dspy", reason="the extra `lm` is not installed")
    from workbench.retrieve.programs import LanguageModelReranker
    from workbench.testing.canned import canned_lm

    texts = ["one", "two", "three"]
    assert LanguageModelReranker(canned_lm('{"helpful": [3, 1, 9]}')).score("q", texts) == [0.5, 0.0, 1.0]
    assert LanguageModelReranker(canned_lm("no idea")).score("q", texts) == [0.0, 0.0, 0.0]


def test_a_cross_encoder_says_what_it_needs() -> None:
    try:
        import sentence_transformers  # noqa: F401
    except ImportError:
        with pytest.raises(UsageError, match="pip install sentence-transformers"):
            CrossEncoder("none")
