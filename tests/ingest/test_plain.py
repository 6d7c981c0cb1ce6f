"""The closed forms of common claims give what `settle` gives, alone and in whole stores, byte for byte."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.api import Workbench
from workbench.evaluate.data import ReplayClock, schema_named
from workbench.evaluate.workload import Workload
from workbench.graph import vocabulary as v
from workbench.graph.change import ClaimRow, RecordRow, SupportRow
from workbench.graph.timeline import COMPETING, GHOST, STATED
from workbench.ingest import shapes, slots
from workbench.ingest.plain import Plain
from workbench.ingest.settle import (
    Addition,
    Force,
    Held,
    Limits,
    Policy,
    Rules,
    Said,
    Segment,
    Triple,
    believe,
    settle,
)
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.time import FOREVER, Instant
from workbench.testing.clock import FixedClock
from workbench.testing.histories import (
    LAST_DAY,
    History,
    date,
    day,
    episode_lists,
    histories,
    retraction,
    small_schema,
)

# drawn from a seed, because what Hypothesis draws piece by piece seldom has the shapes that are meant here
SEEDS = st.integers(0, 2**32)
TABLES = ("episodes", "records", "supports", "claims", "names", "types")


def row_of(said: Said) -> ClaimRow:
    """A claim as the timeline keeps it; its object as a number."""
    start = said.start or (said.observed,) * 3
    end = said.end or (FOREVER,) * 3
    stated = (shapes.STATED_START if said.start else 0) | (shapes.STATED_END if said.end else 0)
    s, r, o = numbers(said.triple)
    return ClaimRow(s, r, o, int(said.force), stated, said.observed, *start, *end, said.period_end, said.trust, 0, 1.0)


def numbers(triple: Triple) -> tuple[int, int, int]:
    return ord(str(triple.subject)), 0, ord(str(triple.object))


def record_of(segment: Segment, revises: Any = -1) -> RecordRow:
    flags = STATED * segment.start_stated | COMPETING * segment.competing
    flags |= GHOST * (segment.start.best >= segment.end.best)
    return RecordRow(*numbers(segment.triple), *segment.start, *segment.end, flags, 1.0, revises, None,
                     tuple(SupportRow(*item) for item in segment.supports))


def records_of(additions: Sequence[Addition]) -> list[RecordRow]:
    return [record_of(item.segment, -1 if item.revises is None else item.revises) for item in additions]


@given(histories(st.sampled_from([Rules(), Rules(functional=True), Rules(event=True), Rules(symmetric=True)])))
def test_an_affirmation_alone(history: History) -> None:
    for said in history.claims:
        if said.force == 0:
            settled = settle([said], [], history.rules, history.policy)
            assert records_of(settled.add) == [shapes.first(said.id, row_of(said), history.rules.event)]


def chain(seed: int) -> list[Said]:
    """Claims of one slot in the order in which they were said, mostly of different open values, the last one new."""
    draw, claims, observed = Random(seed), [], 0
    for number in range(draw.randint(2, 5)):
        observed += draw.choice([0, 2, 3, 3, 4])
        begins = max(0, observed - draw.choice([0, 0, 1, 1, 3, -1]))
        early, late = draw.choice([(0, 0), (0, 0), (1, 0), (0, 1)])
        start = Limits(day(begins), day(begins - early), day(begins + late)) if draw.randrange(4) else None
        until = day(max(begins, observed) + draw.randint(1, 5))
        end = None if draw.randrange(8) else Limits(until, until, until)
        trust = draw.choice([1.0, 1.0, 1.0, 1.0, 0.7, 0.4])
        triple = Triple("a", "r", draw.choice("uvwxyz"))
        claims.append(Said(number * 10, triple, Force.AFFIRM, day(observed), start, end,
                           day(begins) if start else day(observed), trust))
    return claims


def followed(claims: Sequence[Said]) -> int | None:
    """What the closed form says of the last claim, and that `settle` says the same."""
    *before, new = claims
    rules, policy = Rules(functional=True), Policy()
    place = shapes.followed([row_of(said) for said in before], row_of(new), int(row_of(new).sb), policy)
    if place is None:
        return None
    held = [Held(number, segment) for number, segment in enumerate(
        believe(before, rules, policy, dict.fromkeys(said.triple for said in before)))]
    settled = settle([*before, new], held, rules, policy)
    old = next(item for item in held if item.segment.triple == before[place].triple)
    assert isinstance(old.id, int)
    record = shapes.first(before[place].id, row_of(before[place]), event=False)
    assert record == record_of(old.segment)
    cut = shapes.cut(record, row_of(new))._replace(revises=old.id)
    assert sorted(records_of(settled.add)) == sorted([cut, shapes.first(new.id, row_of(new), event=False)])
    assert [(item.id, item.reason) for item in settled.close] == [(old.id, "replaced")]
    assert not settled.support
    return place


@given(SEEDS)
def test_a_claim_that_goes_on_from_the_last_value(seed: int) -> None:
    for number in range(20):
        followed(chain(seed + number))


def test_the_shape_is_met() -> None:
    said = [Said(number, Triple("a", "r", value), Force.AFFIRM, day(number * 3), Limits(*[day(
        number * 3 - 1)] * 3), None, day(number * 3 - 1), 1.0) for number, value in enumerate("xyz", 1)]
    assert followed(said) == 1
    assert followed([said[1], said[0], said[2]]) == 0
    assert followed([said[0], said[2], said[1]]) is None
    assert followed([said[0]._replace(triple=said[2].triple), *said[1:]]) is None


# -- whole stores -------------------------------------------------------------------------------------------------


def nothing_is_plain(_timeline: object, _relation: object, pending: Sequence[tuple[int, ClaimRow]], *_: object
                     ) -> Plain:
    return Plain(left=list(pending))


def contents(bench: Workbench) -> list[object]:
    timeline = bench.graph.timeline
    tables = [[getattr(timeline, name).values(row) for row in range(getattr(timeline, name).n)] for name in TABLES]
    return [bench.graph.quads.lines(), *tables, [timeline.terms[term] for term in range(len(timeline.terms))]]


def made(episodes: Sequence[Episode], loosen: str | None, bulk: bool) -> list[object]:
    """What a store holds after some episodes, and the reports; half-way a relation changes its declaration."""
    bench = Workbench.open(schema=small_schema(), clock=FixedClock(Instant.of(2030)))
    half = len(episodes) // 2
    reports = [bench.ingest(episodes[:half], bulk=bulk)]
    if loosen is not None:
        schema = bench.schema.schema
        old = schema.relations[v.RELATION + loosen]
        bench.set_schema(replace(schema, digest="loosened", relations={
            **schema.relations, old.iri: replace(old, functional=not old.functional)}))
    reports.append(bench.ingest(episodes[half:], bulk=bulk))
    counts = [{**vars(report), "seconds": 0.0} for report in reports]
    return [counts, *contents(bench)]


def alike(episodes: Sequence[Episode], loosen: str | None = None) -> None:
    quick = made(episodes, loosen, bulk=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slots, "settle_plain", nothing_is_plain)
        assert quick == made(episodes, loosen, bulk=False)


def succession(draw: Random) -> list[Episode]:
    """Episodes in the order of the events, mostly of open values that follow each other, with several slots each."""
    episodes, observed = [], 0
    relations = draw.choice([["home"], ["likes"], ["home", "likes", "spouse"]])
    for number in range(draw.randint(2, 9)):
        observed += draw.choice([0, 2, 3, 4])
        said = []
        for subject in draw.choice([["Ann"], ["Ann", "Bo"], ["Bo", "Ann"], ["Ann", "Ann", "Bo"]]):
            begins = max(0, observed - draw.choice([0, 0, 1, 1, 5]))
            said.append(Claim(
                subject, draw.choice(relations), draw.choice("CDEFGHIJ"),
                valid_from=draw.choice([date(begins), date(begins), date(begins)[:10], None]),
                valid_to=None if draw.randrange(8) else date(begins + draw.randint(1, 9))))
        at = Instant(Instant.parse(date(observed)) + draw.choice([0, 3_600_000_000]))
        episodes.append(Episode(f"e{number}", observed_at=at, claims=tuple(said),
                                trust=draw.choice([1.0, 1.0, 1.0, 1.0, 0.3])))
        if not draw.randrange(10):
            episodes.append(retraction(f"c{number}", f"e{draw.randint(0, number)}"))
    return episodes


@given(SEEDS)
def test_stores_of_successions_are_alike(seed: int) -> None:
    for number in range(2):
        draw = Random(seed + number)
        alike(succession(draw), draw.choice([None, "home", "likes", "likes"]))


@given(episode_lists(max_size=LAST_DAY), st.sampled_from([None, "likes"]))
def test_stores_of_random_histories_are_alike(episodes: list[Episode], loosen: str | None) -> None:
    alike(episodes, loosen)


def test_stores_of_the_speed_workload_are_alike() -> None:
    workload = Workload(2_000)

    def store() -> list[object]:
        bench = Workbench.open(schema=schema_named("speed"), clock=ReplayClock(workload.end))
        bench.ingest(workload.episodes(), bulk=True)
        return contents(bench)

    quick = store()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slots, "settle_plain", nothing_is_plain)
        assert quick == store()
