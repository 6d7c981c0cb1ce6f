"""What a notebook shows of an extraction run: stages, texts with marks, and why each mistake happened."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from workbench.evaluate.extraction import Measured, measure
from workbench.evaluate.extraction_data import Case, Gold, Moment
from workbench.evaluate.extraction_misses import MISDATED, MISSED, SURPLUS, Miss
from workbench.ingest.seam import Context, Extraction
from workbench.model.claim import Claim, Polarity
from workbench.model.episode import Episode
from workbench.model.errors import EpisodeError
from workbench.model.time import Bound, Instant, Unparsed
from workbench.notebook.extraction import Reading, readings, stages

TEXT = "Ada joined <Platform> in March 2020."
MARCH = Moment(Instant.of(2020, 3), Instant.of(2020, 3), "March 2020", "month")
GOLD = Gold("Ada", "memberOf", "<Platform>", start=MARCH)
RIGHT = Claim("Ada", "memberOf", object="<Platform>", quote="Ada joined <Platform>", span=(0, 21),
              start=Bound.exact(Instant.of(2020, 3)), valid_from="March 2020")


@dataclass
class Saying:
    """Says the claims it was made with."""

    claims: Sequence[Claim] = ()
    dropped: tuple[str, ...] = ()
    fingerprint: str = "saying"

    def extract(self, episode: Episode, context: Context) -> Sequence[Claim]:
        return Extraction(tuple(self.claims), self.dropped)


@dataclass
class GivingUp:
    """Gives up."""

    fingerprint: str = "giving up"

    def extract(self, episode: Episode, context: Context) -> Sequence[Claim]:
        raise EpisodeError("the reply cannot be read")


def _case(*gold: Gold) -> Case:
    episode = Episode("1", observed_at=Instant.of(2024), text=TEXT, speaker="Bo")
    return Case(episode, (), (("Ada", "Person"),), gold, "test", "since", "en", 1)


def _measured(claims: Sequence[Claim], *dropped: str) -> Measured:
    return measure("mine", Saying(claims, dropped), [_case(GOLD)], names=False)


def _misses(claims: Sequence[Claim], *dropped: str) -> list[Miss]:
    return Reading(_measured(claims, *dropped), 0).misses


def test_what_is_right_is_no_miss() -> None:
    assert _misses([RIGHT]) == []
    assert readings(_measured([RIGHT])) == []
    assert len(readings(_measured([RIGHT]), wrong=False)) == 1


@pytest.mark.parametrize(("change", "why"), [
    ({"start": None, "valid_from": None}, "start: the text says “March 2020” (2020-03-01), the claim nothing"),
    ({"start": Bound.exact(Instant.of(2021)), "valid_from": "2021"}, "the claim “2021” (2021-01-01)"),
    ({"start": Unparsed("once", "no date")}, "not understood: no date"),
    ({"end": Bound.exact(Instant.of(2022))}, "end: the text says nothing, the claim 2022-01-01"),
])
def test_a_wrong_date_is_told_with_both(change: dict[str, object], why: str) -> None:
    (miss,) = _misses([replace(RIGHT, **change)])  # type: ignore[arg-type]
    assert miss.kind == MISDATED
    assert why in miss.why


@pytest.mark.parametrize(("change", "why"), [
    ({"polarity": Polarity.DENIED}, "taken as denied instead of affirmed"),
    ({"relation": "leads"}, "taken as headOf instead of memberOf"),
    ({"subject": "<Platform>", "object": "Ada"}, "the ends are swapped"),
    ({"object": "Billing"}, "taken to be billing instead of"),
    ({"subject": "Bo"}, "taken to be about bo instead of ada"),
    ({"subject": "Bo", "object": "Billing", "relation": "owns"}, "nothing was said about it"),
])
def test_what_was_missed_is_told_with_the_nearest_that_was_said(change: dict[str, object], why: str) -> None:
    missed, surplus = _misses([replace(RIGHT, **change)])  # type: ignore[arg-type]
    assert (missed.kind, surplus.kind) == (MISSED, SURPLUS)
    assert why in missed.why


def test_a_draft_that_was_dropped_is_the_reason() -> None:
    (miss,) = _misses([], "Ada · memberOf · <Platform>: not in the text")
    assert miss.why == "dropped: Ada · memberOf · <Platform>: not in the text"


def test_an_episode_given_up_says_why() -> None:
    (miss,) = Reading(measure("mine", GivingUp(), [_case(GOLD)], names=False), 0).misses
    assert miss.why == "the episode was given up: the reply cannot be read"


def test_something_said_where_nothing_is_stated() -> None:
    (miss,) = Reading(measure("mine", Saying([RIGHT]), [_case()], names=False), 0).misses
    assert (miss.kind, miss.why) == (SURPLUS, "the text states nothing")


def test_the_text_is_marked_and_escaped() -> None:
    shown = Reading(_measured([RIGHT, replace(RIGHT, object="<b>", span=(11, 21))]), 0)._repr_html_()
    assert "Ada joined </mark>" in shown
    assert "&lt;Platform&gt;</mark><sup>1,2</sup>" in shown
    assert "<b>" not in shown.replace("<b>mine</b>", "").replace("<b>surplus</b>", "")
    assert "✓ right" in shown
    assert "✗ wrong" in shown


def test_stages_have_a_row_for_each_program() -> None:
    frame = stages(_measured([RIGHT]), measure("silent", Saying(), [_case(GOLD)], names=False))
    triples = frame.filter(frame["stage"] == "statements with both dates")
    assert triples["program"].to_list() == ["mine", "silent"]
    assert triples["recall"].to_list() == [1.0, 0.0]
    assert triples["n"].to_list() == [1, 1]
