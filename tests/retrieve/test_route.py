"""Ways of questions, and that the cheap ones find what the dear ones find."""

from __future__ import annotations

import pytest

from workbench import Workbench
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.time import Instant
from workbench.retrieve.route import Way, is_verbatim
from workbench.testing.clock import FixedClock


@pytest.fixture(scope="module")
def world() -> Workbench:
    wb = Workbench.open(clock=FixedClock(Instant.of(2024, 8)))
    wb.ingest([
        Episode("a", text="Ann moved to Platform.", observed_at=Instant.of(2024), claims=(
            Claim("Ann", "memberOf", "Platform", valid_from="2024-01-01", quote="Ann moved to Platform."),)),
        Episode("b", text="The build broke with ERR-1234/5: disk full.", observed_at=Instant.of(2024), claims=()),
        Episode("c", text="Bo said “ship it on Friday” twice.", observed_at=Instant.of(2024), claims=()),
        Episode("d", text="Everybody enjoyed the summer party by the lake.", observed_at=Instant.of(2024), claims=()),
    ])
    return wb


@pytest.mark.parametrize(("question", "way", "first"), [
    ("Which team is Ann on?", Way.SLOT, "a"),
    ("What about ERR-1234/5?", Way.LOOKUP, "b"),
    ("Who said “ship it on Friday”?", Way.LOOKUP, "c"),
    ("What was noted about Ann in 2024?", Way.GRAPH, "a"),
    ("What was the deal with Ann being a member in 2024 of that odd team?", Way.OPEN, "a"),
    ("Was there a party?", Way.OPEN, "d"),
])
def test_ways(world: Workbench, question: str, way: Way, first: str) -> None:
    found = world.retrieve(question)
    assert found.route.way is way, found.route
    assert found.episodes[0] == first and found.pack.lines and found.route.reason
    everything = world.retrieve(question, arms=("keyword", "semantic", "graph", "time"))
    assert first in everything.episodes


def test_the_result_says_what_each_arm_found(world: Workbench) -> None:
    found = world.retrieve("Was there a party?", arms=("keyword", "graph", "time"))
    row = found.to_json()
    assert [arm["arm"] for arm in row["arms"]] == ["keyword", "graph", "time"]
    assert row["items"][0]["ranks"] == {"keyword": 1} and row["cost"]["tokens"] == found.pack.tokens
    frame = found.explain()
    assert frame["keyword_rank"][0] == 1 and frame["id"][0] == "d"
    assert "party" in found._repr_html_()


def test_reading_changes_nothing(world: Workbench) -> None:
    """Fault 48."""
    before = world.graph.version, world.graph.quads.lines()
    world.retrieve("Was there a party?", limit=1)
    world.ask("Which team is Ann on?")
    assert (world.graph.version, world.graph.quads.lines()) == before


@pytest.mark.parametrize("question", ["What about node.js?", "see config/app.yaml", "v1.2.3 failed", "user_id is null",
                                      "What does “as is” mean?", "0xDEADBEEF", "mail ann@example.org"])
def test_verbatim(question: str) -> None:
    assert is_verbatim(question)


@pytest.mark.parametrize("question", ["Who left in 2019?", "on 2024-05-01", "What's Ann's role?", "the 1990s",
                                      "At 10:30?", "his/her", "Who is the 3rd?", "It was good. Then?"])
def test_not_verbatim(question: str) -> None:
    assert not is_verbatim(question)


def test_sessions_and_entities_are_units_too() -> None:
    wb = Workbench.open(clock=FixedClock(Instant.of(2024, 8)))
    wb.ingest([Episode("a", text="Ann likes tea.", session="s1", speaker="Ann", observed_at=Instant.of(2024), claims=(
        Claim("Ann", "likes", "tea", valid_from="2020"),)),
        Episode("b", text="Bo left.", session="s2", speaker="Bo", observed_at=Instant.of(2024), claims=())])
    found = wb.retrieve("What about Ann and tea at large?", arms=("keyword", "graph"))
    assert found.sessions[0] == "s1" and set(found.entities) == {"Ann", "tea"}
    assert found.to_json()["sessions"] == list(found.sessions)
