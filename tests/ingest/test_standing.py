"""Which claims are in force after retractions, re-extractions and new versions, in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from workbench.api import Workbench
from workbench.care import verify
from workbench.ingest.seam import Context
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.errors import UsageError
from workbench.model.time import Instant
from workbench.testing.clock import TickingClock


@dataclass(frozen=True)
class Says:
    """An extractor that reads one drink into every text."""

    drink: str

    @property
    def fingerprint(self) -> str:
        return f"says-{self.drink}"

    def extract(self, episode: Episode, context: Context) -> Sequence[Claim]:
        return [Claim("Ann", "drinks", self.drink)]


def text(number: int = 1) -> Episode:
    return Episode("doc", text=f"Ann drinks. {number}", observed_at=Instant.of(2024))


def drinks(wb: Workbench) -> list[str]:
    assert verify(wb, deep=True) == []
    return sorted(str(fact.object) for fact in wb.facts("Ann", "drinks", valid_at=Instant.of(2025)))


@pytest.fixture
def wb() -> Workbench:
    found = Workbench.open(clock=TickingClock(Instant.of(2024, 6)), extractor=Says("tea"))
    found.ingest([text()])
    return found


def test_the_last_extraction_counts(wb: Workbench) -> None:
    assert drinks(wb) == ["tea"]
    milk = wb.reextract("doc", Says("milk"))
    assert drinks(wb) == ["milk"]
    rum = wb.reextract("doc", Says("rum"))
    assert drinks(wb) == ["rum"]
    wb.retract(milk.id)
    assert drinks(wb) == ["rum"]
    wb.retract(rum.id)
    assert drinks(wb) == ["tea"]


def test_taking_back_the_last_extraction_brings_back_the_one_before(wb: Workbench) -> None:
    wb.reextract("doc", Says("milk"))
    rum = wb.reextract("doc", Says("rum"))
    back = wb.retract(rum.id)
    assert drinks(wb) == ["milk"]
    wb.retract(back.id)
    assert drinks(wb) == ["rum"]


def test_retracting_an_episode_retracts_what_was_extracted_from_it_later(wb: Workbench) -> None:
    wb.reextract("doc", Says("milk"))
    gone = wb.retract("doc")
    assert drinks(wb) == []
    with pytest.raises(UsageError, match="retracted or superseded"):
        wb.reextract("doc", Says("rum"))
    wb.retract(gone.id)
    assert drinks(wb) == ["milk"]


def test_a_new_version_supersedes_what_was_extracted_from_the_old_one(wb: Workbench) -> None:
    wb.reextract("doc", Says("milk"))
    wb.ingest([text(2)])
    assert drinks(wb) == ["tea"]
    wb.retract("doc#2")
    assert drinks(wb) == ["milk"]
    wb.ingest([text(3)])
    assert drinks(wb) == ["tea"]
    wb.retract("doc#3")
    assert drinks(wb) == ["milk"]


def test_a_version_that_was_retracted_stays_so_when_a_later_one_goes(wb: Workbench) -> None:
    wb.ingest([text(2)])
    wb.retract("doc")
    wb.retract("doc#2")
    assert drinks(wb) == []


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_retracted_twice_needs_both_taken_back(wb: Workbench, order: tuple[int, int]) -> None:
    done = [wb.retract("doc"), wb.retract("doc")]
    wb.retract(done[order[0]].id)
    assert drinks(wb) == []
    wb.retract(done[order[1]].id)
    assert drinks(wb) == ["tea"]


def test_a_long_chain(wb: Workbench) -> None:
    last = "doc"
    for number in range(7):
        last = wb.retract(last).id
        assert drinks(wb) == ([] if number % 2 == 0 else ["tea"])


def test_taking_back_one_merge_of_a_chain_leaves_what_the_other_alone_gives() -> None:
    """Aa = Bb, then Cc = Bb; without the first, Bb and Cc are one and Aa is apart (law 9)."""
    with Workbench.open() as wb:
        wb.ingest([Episode("1", observed_at=Instant.of(2024), claims=tuple(
            Claim(name, "likes", f"Thing of {name}") for name in ("Aa", "Bb", "Cc")))])
        first = wb.curate("merge", entities=["Aa", "Bb"])
        wb.curate("merge", entities=["Cc", "Bb"])
        assert len(wb.facts("Aa")) == 3
        wb.unmerge(first.id)
        liked = {name: sorted(str(fact.object) for fact in wb.facts(name)) for name in ("Aa", "Bb", "Cc")}
        both = ["Thing of Bb", "Thing of Cc"]
        assert liked == {"Aa": ["Thing of Aa"], "Bb": both, "Cc": both}
        assert verify(wb, deep=True) == []
