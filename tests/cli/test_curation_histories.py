"""Random sequences of episodes and curation steps: the store stays whole, and what is taken back leaves no mark."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.api import Workbench
from workbench.care import erase, rebuild, verify
from workbench.model.episode import Episode
from workbench.model.errors import WorkbenchError
from workbench.model.fact import Reading
from workbench.model.time import DAY, Instant
from workbench.testing.clock import TickingClock
from workbench.testing.histories import claims as random_claims
from workbench.testing.histories import small_schema

START = Instant.of(2020)
Step = tuple[str, Any, Any, Any]
STEPS = ["say"] * 8 + ["again", "version", "retract", "retract", "merge", "split", "undo", "trust", "correct", "schema"]


@st.composite
def steps(draw: st.DrawFn) -> list[Step]:
    found: list[Step] = []
    for number in range(draw(st.integers(2, 10))):
        kind = draw(st.sampled_from(STEPS)) if number else "say"
        pick, other = draw(st.integers(0, 30)), draw(st.integers(0, 30))
        observed = draw(st.integers(0, 9))
        said = tuple(draw(st.lists(random_claims(observed), min_size=1, max_size=2)))
        found.append(
            (
                kind,
                pick,
                other,
                Episode(
                    f"e{number}",
                    observed_at=Instant(START + observed * DAY),
                    claims=said,
                    source=draw(st.sampled_from(["x", "y"])),
                ),
            )
        )
    return found


def carry_out(wb: Workbench, plan: list[Step]) -> list[str]:
    """Do the steps that can be done; returns the ids of the episodes that were written."""
    done: list[str] = []
    for kind, pick, other, episode in plan:
        before = wb.graph.episodes
        lines = wb.graph.quads.lines()
        try:
            step(wb, kind, pick, other, episode, done)
        except WorkbenchError:
            assert wb.graph.quads.lines() == lines, "a refused step left something"
        if wb.graph.episodes > before:
            done.append(wb.graph.catalogue()[-1][1])
    return done


def step(wb: Workbench, kind: str, pick: int, other: int, episode: Episode, done: list[str]) -> None:
    names = ["Ann", "Bo", "Cy", "Di", "Ed"]
    if kind == "say":
        wb.ingest([episode])
    elif kind == "again":
        found = wb.graph.entry(done[pick % len(done)])
        assert found is not None
        wb.ingest([replace(found[1].episode, recorded_at=None)])
    elif kind == "version":
        wb.ingest([replace(episode, id=done[pick % len(done)])])
    elif kind in ("retract", "undo"):
        wanted = [one for one in done if kind == "retract" or "-" in one] or done
        wb.retract(wanted[pick % len(wanted)])
    elif kind == "merge":
        wb.curate("merge", entities=[names[pick % 5], names[other % 5]])
    elif kind == "split":
        wb.curate("split", entity=names[pick % 5], episodes=[done[other % len(done)]])
    elif kind == "trust":
        wb.curate("trust", trust=[0.2, 0.9][pick % 2], episode=done[other % len(done)])
    elif kind == "correct":
        facts = list(wb.believed())
        if facts:
            wb.correct(facts[pick % len(facts)].id, valid_from=Instant(START + other * DAY).iso())
    else:
        schema = small_schema()
        changed = {
            iri: replace(relation, functional=not relation.functional)
            if iri.endswith("likes") and pick % 2
            else relation
            for iri, relation in schema.relations.items()
        }
        wb.set_schema(replace(schema, relations=changed, digest=f"small-{pick % 2}"), resettle=bool(other % 2))


def belief(wb: Workbench) -> list[tuple[Any, ...]]:
    rows = []
    for day in range(-1, 14):
        for reading in Reading:
            rows += [
                (day, reading, fact.subject_iri, fact.relation, fact.object_iri, fact.status)
                for fact in wb.facts(valid_at=Instant(START + day * DAY), reading=reading)
            ]
    return sorted(rows)


def opened() -> Workbench:
    return Workbench.open(schema=small_schema(), clock=TickingClock(Instant.of(2021)))


@given(steps())
@settings(max_examples=150)
def test_any_history_verifies_and_rebuilds_identical(plan: list[Step]) -> None:
    wb = opened()
    carry_out(wb, plan)
    assert verify(wb, deep=True) == []
    before, believed = wb.graph.quads.lines(), belief(wb)
    rebuild(wb)
    assert wb.graph.quads.lines() == before
    assert belief(wb) == believed


@given(steps(), st.integers(0, 30))
@settings(max_examples=60)
def test_taking_back_a_retraction_leaves_no_mark(plan: list[Step], pick: int) -> None:
    wb = opened()
    done = [one for one in carry_out(wb, plan) if not one.startswith(("merge", "split", "trust", "schema"))]
    before = belief(wb)
    try:
        first = wb.retract(done[pick % len(done)])
        wb.retract(first.id)
    except WorkbenchError:
        return
    assert belief(wb) == before
    assert verify(wb, deep=True) == []


@given(steps(), st.integers(0, 30))
@settings(max_examples=60)
def test_unmerging_leaves_no_mark(plan: list[Step], pick: int) -> None:
    wb = opened()
    carry_out(wb, plan)
    before = belief(wb)
    names = ["Ann", "Bo", "Cy", "Di", "Ed"]
    try:
        done = wb.curate("merge", entities=[names[pick % 5], names[pick // 5 % 5]])
    except WorkbenchError:
        return
    wb.unmerge(done.id)
    assert belief(wb) == before


@given(steps(), st.integers(0, 30))
@settings(max_examples=60)
def test_an_erased_store_is_one_built_from_the_rest(plan: list[Step], pick: int) -> None:
    wb = opened()
    done = carry_out(wb, plan)
    report = erase(wb, [done[pick % len(done)]])
    assert verify(wb, deep=True) == []
    other = opened()
    for identifier in [one for one in done if one not in report["erased"]]:
        found = wb.graph.entry(identifier)
        assert found is not None
        other.pipeline.replay(found[1], write=True)
    assert [line for line in wb.graph.quads.lines() if "urn:tcg:tombstone:" not in line] == other.graph.quads.lines()
