"""Stores, scopes and questions for the tests of retrieval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from hypothesis import strategies as st

from workbench import Workbench
from workbench.model.claim import Claim
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.time import DAY, LATEST, Instant, Interval, Vantage
from workbench.retrieve.index import Index
from workbench.retrieve.retriever import Retriever
from workbench.retrieve.seam import Kind, Query, Scope
from workbench.testing.encoding import HashedWords
from workbench.testing.histories import episode_lists, retraction, small_schema

FIRST = Instant.of(2021)
WORDS = ("tea", "moved", "the", "Ann", "Cy", "harbour", "likes", "ERR-7/2", "北京大学", "when", "naïve")


def recorded(number: int) -> Instant:
    """Knowledge time of the n-th episode of a random store."""
    return Instant(FIRST + number * DAY)


@st.composite
def stores(draw: st.DrawFn, retractions: bool = True) -> list[Episode]:
    """Episodes with text, speakers, sessions and claims, one a day of knowledge time; now and then a retraction, a new
    version or a blank text."""
    found: list[Episode] = []
    for episode in draw(episode_lists(max_size=7)):
        number = len(found)
        said = " ".join(draw(st.lists(st.sampled_from(WORDS), max_size=6)))
        found.append(replace(
            episode, id=f"e{number}", text=said, recorded_at=recorded(number),
            kind=draw(st.sampled_from([EpisodeKind.MESSAGE, EpisodeKind.DOCUMENT])),
            session=draw(st.sampled_from([None, "s1", "s2"])), speaker=draw(st.sampled_from([None, "Ann", "Bo"])),
            source=draw(st.sampled_from([None, "crm", "crm/eu", "crmx"]))))
        if retractions and draw(st.integers(0, 4)) == 0:
            number, of = len(found), draw(st.sampled_from(found))
            if of.id not in {str(one.arguments.get("episode")) for one in found}:
                found.append(retraction(f"e{number}", of.id, recorded(number)))
        if draw(st.integers(0, 5)) == 0:
            old = draw(st.sampled_from(found))
            if old.kind is not EpisodeKind.CURATION and "#" not in old.id:
                number = len(found)
                found.append(replace(old, text=f"{old.text} again {number}", recorded_at=recorded(number)))
    return found


@st.composite
def scopes(draw: st.DrawFn) -> Scope:
    """Any vantage on such a store, with any filters."""
    valid = Instant(Instant.of(2020) + draw(st.integers(-2, 12)) * DAY)
    known = draw(st.integers(-1, 12).map(recorded))
    some = st.booleans().map(lambda yes: yes)
    return Scope(
        Vantage(valid, known), history=draw(st.booleans()),
        kinds=draw(st.sampled_from([frozenset(Kind), frozenset({Kind.EPISODE}), frozenset({Kind.FACT})])),
        sessions=frozenset({"s1"}) if draw(some) and draw(some) else frozenset(),
        sources=frozenset({draw(st.sampled_from(["crm", "crm/eu"]))}) if draw(some) and draw(some) else frozenset(),
        speakers=frozenset({"Bo", "Nobody"}) if draw(some) and draw(some) else frozenset(),
        episode_kinds=frozenset({"message"}) if draw(some) and draw(some) else frozenset(),
        within=Interval(Instant.of(2020), Instant(Instant.of(2020) + 3 * DAY)) if draw(some) and draw(some) else None)


def store(episodes: Iterable[Episode] = (), path: Path | None = None) -> Workbench:
    """A store with the small schema and these episodes."""
    wb = Workbench.open(path, schema=small_schema())
    report = wb.ingest(episodes)
    assert report.failures == []
    return wb


def retriever(wb: Workbench, embed: bool = True) -> Retriever:
    """A retriever with everything indexed and embedded."""
    found = Retriever(wb.graph, wb.schema, Index(wb.graph, wb.schema), HashedWords())
    found.index.catch_up()
    if embed:
        found.semantic.embed()
    return found


def everything(known_at: Instant = LATEST, valid_at: Instant | None = None, *,
               history: bool = True) -> Scope:
    """All that is known at an instant."""
    return Scope(Vantage(valid_at or Instant.of(2020, 1, 5), known_at), history=history)


def question(found: Retriever, text: str, scope: Scope) -> Query:
    """A question with its entities and a time that covers all of the random stores."""
    return found.understand(text, found.sight(scope), [Interval(Instant.of(2019), Instant.of(2022))])


def said(identifier: str, text: str, number: int = 0, *claims: Claim, speaker: str | None = None,
         session: str | None = None, source: str | None = None) -> Episode:
    """A message of one day."""
    at = recorded(number)
    return Episode(identifier, EpisodeKind.MESSAGE, text, observed_at=at, recorded_at=at, claims=claims,
                   speaker=speaker, session=session, source=source)
