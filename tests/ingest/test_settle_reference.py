"""`believe` gives at every instant what the reference model gives, in all three readings."""

from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from workbench.ingest.settle import Force, Limits, Policy, Rules, Said, Segment, Triple, believe
from workbench.model.time import BEGINNING, Instant
from workbench.testing.histories import History, day, histories
from workbench.testing.reference import Reference


def best(segments: Sequence[Segment], at: Instant) -> dict[Triple, bool]:
    return {item.triple: item.competing for item in segments if item.start.best <= at < item.end.best}


def certain(segments: Sequence[Segment], at: Instant) -> set[Triple]:
    return {item.triple for item in segments if not item.competing and item.start.best <= at < item.end.best
            and any(support.attested_from <= at < support.attested_to for support in item.supports)}


def possible(history: History, segments: Sequence[Segment], at: Instant) -> set[Triple]:
    sure, holding = certain(segments, at), best(segments, at)
    keys = {triple: set(history.rules.keys(triple)) for triple in history.triples()}
    return {item.triple for item in segments if item.start.earliest <= at < item.end.latest and (
        item.triple in holding or not any(other != item.triple and keys[other] & keys[item.triple] for other in sure))}


@given(histories())
def test_best_is_the_reference_models(history: History) -> None:
    segments = believe(history.claims, history.rules, history.policy, history.triples())
    model = Reference(history.claims, history.rules, history.policy)
    for at in history.instants():
        assert best(segments, at) == model.best(at), at


@given(histories(exact=True))
def test_certain_and_possible_are_the_reference_models_where_dates_are_exact(history: History) -> None:
    segments = believe(history.claims, history.rules, history.policy, history.triples())
    model = Reference(history.claims, history.rules, history.policy)
    for at in history.instants():
        assert certain(segments, at) == model.certain(at), at
        assert possible(history, segments, at) == model.possible(at), at


@given(histories(), st.randoms(use_true_random=False))
def test_neither_the_order_of_claims_nor_their_ids_matter(history: History, random: Random) -> None:
    tens = list(range(1, len(history.claims) + 1))
    random.shuffle(tens)
    renamed = {claim.id: tens[claim.id // 10 - 1] * 10 + claim.id % 10 for claim in history.claims}
    claims = [claim._replace(id=renamed[claim.id]) for claim in history.claims[::-1]]
    one = believe(history.claims, history.rules, history.policy, history.triples())
    other = believe(claims, history.rules, history.policy, history.triples())
    assert [item.content for item in one] == [item.content for item in other]
    assert [sorted(item._replace(claim=renamed[item.claim]) for item in segment.supports) for segment in one] == [
        sorted(segment.supports) for segment in other]


@given(histories())
def test_with_imprecise_dates_certain_is_narrow_and_possible_is_not_wide(history: History) -> None:
    """Certain only where a standing claim vouches by its narrow bounds, its end perhaps stated better by another."""
    segments = believe(history.claims, history.rules, history.policy, history.triples())
    model = Reference(history.claims, history.rules, history.policy)
    for at in history.instants():
        holding, sure, maybe = best(segments, at), certain(segments, at), possible(history, segments, at)
        assert sure <= holding.keys() <= maybe
        for triple in sure:
            assert any(claim.triple == triple and (claim.start.latest if claim.start else claim.observed) <= at
                       and (claim.end is None or at < claim.end.earliest or model.ends_of(claim))
                       and at <= claim.observed and not model.is_denied(claim, at) for claim in model.affirmed)
        for triple in maybe - holding.keys():
            assert not any(other != triple and set(history.rules.keys(other)) & set(history.rules.keys(triple))
                           for other in sure)


def said(number: int, value: str, observed: int, trust: float = 1.0, force: Force = Force.AFFIRM, start: int | None = 0,
         end: int | None = None) -> Said:
    at = None if start is None else Limits(day(start), day(start), day(start))
    until = None if end is None else Limits(day(end), day(end), day(end))
    return Said(number, Triple("a", "r", value), force, day(observed), at, until, day(start or 0), trust)


def held_on(number: int, *claims: Said) -> dict[object, bool]:
    triples = dict.fromkeys(claim.triple for claim in claims)
    found = best(believe(claims, Rules(functional=True), Policy(), triples), day(number))
    return {triple.object: competing for triple, competing in found.items()}


def test_equals_below_a_winner_that_may_not_cut_them_all_compete() -> None:
    assert held_on(0, said(1, "x", 2, trust=0.4), said(2, "x", 1), said(3, "y", 1)) == {"x": True, "y": True}


def test_a_withdrawn_end_ends_nothing() -> None:
    end = said(2, "x", 3, force=Force.END, start=None, end=2)
    assert held_on(3, said(1, "x", 1), end, said(4, "x", 4, force=Force.WITHDRAW, start=None), said(5, "x", 4)) == {
        "x": False}


def test_a_correction_of_a_bare_end_names_that_end_only() -> None:
    end = said(2, "x", 3, force=Force.END, start=None, end=2)
    assert held_on(3, said(1, "x", 1), end, said(4, "x", 4, force=Force.WITHDRAW, start=None, end=2)) == {"x": False}
    assert held_on(3, said(1, "x", 1), end, said(4, "x", 4, force=Force.WITHDRAW, start=None, end=1)) == {}


def test_an_inverse_functional_symmetric_relation_is_exclusive_at_both_ends() -> None:
    rules = Rules(symmetric=True, inverse_functional=True)
    claims = [said(1, "x", 1)._replace(triple=Triple("a", "r", "x")),
              said(2, "b", 2, start=2)._replace(triple=Triple("a", "r", "b"))]
    found = believe(claims, rules, Policy(), [claim.triple for claim in claims])
    assert best(found, day(3)) == {claims[1].triple: False}


def test_a_cut_does_not_make_an_end_surer_than_it_was_stated() -> None:
    until = Limits(day(2), BEGINNING, day(2))
    claims = [said(1, "x", 0, start=1), said(2, "y", 0)._replace(end=until)]
    found = believe(claims, Rules(functional=True), Policy(), [claim.triple for claim in claims])
    assert best(found, day(0)) == {claims[1].triple: False}
    assert certain(found, day(0)) == set()
