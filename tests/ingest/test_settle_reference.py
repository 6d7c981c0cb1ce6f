"""`believe` gives at every instant what the reference model gives, in all three readings."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from workbench.ingest.settle import Segment, believe
from workbench.model.time import Instant
from workbench.testing.histories import History, histories
from workbench.testing.reference import Reference


def best(segments: Sequence[Segment], at: Instant) -> dict[object, bool]:
    return {item.triple: item.competing for item in segments if item.start.best <= at < item.end.best}


def certain(segments: Sequence[Segment], at: Instant) -> set[object]:
    return {item.triple for item in segments if not item.competing and item.start.best <= at < item.end.best
            and any(support.attested_from <= at < support.attested_to for support in item.supports)}


def possible(history: History, segments: Sequence[Segment], at: Instant) -> set[object]:
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


@given(histories(), st.randoms())
def test_the_order_of_claims_does_not_matter(history: History, random: object) -> None:
    segments = believe(history.claims, history.rules, history.policy, history.triples())
    turned = believe(history.claims[::-1], history.rules, history.policy, history.triples())
    assert segments == turned
