"""The timeline and SPARQL on the annotated quads give the same facts, from any vantage."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.api import Workbench
from workbench.graph.forms import ask_form
from workbench.model.claim import Claim, Polarity
from workbench.model.episode import Episode
from workbench.model.time import Instant, Vantage

PEOPLE, TEAMS = ("Ann", "Bo"), ("Ops", "Web", "Law")
YEARS = [None, "..", "2019", "2020", "2021-03", "../2020", "2022-05-01"]


@st.composite
def histories(draw: st.DrawFn) -> list[Episode]:
    """A few episodes about few people, with every sort of start and end."""
    episodes = []
    for number in range(draw(st.integers(1, 6))):
        start, end = draw(st.sampled_from(YEARS)), draw(st.sampled_from([None, None, "2021", "2023-01-01"]))
        denied = draw(st.integers(0, 9)) == 0
        claim = Claim(
            draw(st.sampled_from(PEOPLE)), draw(st.sampled_from(["memberOf", "likes"])), draw(st.sampled_from(TEAMS)),
            valid_from=start, valid_to=end, polarity=Polarity.DENIED if denied else Polarity.AFFIRMED)
        at = Instant.of(draw(st.sampled_from([2020, 2022, 2024])), draw(st.integers(1, 12)))
        episodes.append(Episode(f"e{number}", observed_at=at, recorded_at=Instant.of(2025, 1, 1 + number),
                                claims=(claim,)))
    return episodes


@settings(max_examples=60)
@given(histories(), st.sampled_from([2010, 2019, 2020, 2021, 2022, 2023, 2030]), st.integers(1, 7))
def test_timeline_equals_sparql(episodes: list[Episode], year: int, day: int) -> None:
    vantage = Vantage(Instant.of(year, 6), Instant.of(2025, 1, day))
    with Workbench.open() as wb:
        wb.ingest(episodes)
        for name in PEOPLE:
            facts = wb.facts(name, valid_at=vantage.valid_at, known_at=vantage.known_at)
            iri = f"{wb.graph.timeline.terms[wb.entity(name)]}" if len(wb.history(name)) else None
            found = [] if iri is None else ask_form(wb.graph.quads.store, "as_of", iri, vantage).records()
            assert sorted(fact.id for fact in facts) == sorted(row["fact"] for row in found)


def test_two_hops() -> None:
    with Workbench.open() as wb:
        wb.ingest([Episode("1", observed_at=Instant.of(2024), claims=(
            Claim("Ann", "memberOf", "Ops"), Claim("Ops", "partOf", "Acme"), Claim("Web", "partOf", "Acme")))])
        iri = wb.graph.timeline.terms[wb.entity("Ann")]
        rows = ask_form(wb.graph.quads.store, "two_hops", iri, wb.vantage()).records()
    assert [row["o"].rsplit(":", 1)[-1] for row in rows] == ["acme"]
