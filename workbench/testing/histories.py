"""Hypothesis strategies for random histories: few values and few instants, so that they collide often.

`histories()` draws what `settle` takes in; `episode_lists()` draws episodes with ready claims for a whole workbench.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from workbench.graph import vocabulary as v
from workbench.ingest.settle import Force, Limits, Policy, Rules, Said, Triple
from workbench.model.claim import Claim, Correction, Polarity
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.schema import Relation, Schema
from workbench.model.time import BEGINNING, DAY, FOREVER, Instant

RULES = (
    Rules(functional=True), Rules(inverse_functional=True), Rules(functional=True, inverse_functional=True),
    Rules(symmetric=True, functional=True), Rules(symmetric=True), Rules(), Rules(event=True),
    Rules(event=True, functional=True),
)
LAST_DAY = 9


def day(number: int) -> Instant:
    """The n-th instant that histories use."""
    return Instant(number * DAY)


@dataclass(frozen=True)
class History:
    """Claims of one relation, ready to settle, with the relation's rules."""

    rules: Rules
    claims: tuple[Said, ...]
    policy: Policy = field(default_factory=Policy)

    def instants(self) -> list[Instant]:
        """Every instant at which belief can change, its two neighbours, and far past and future."""
        marks = {0, (LAST_DAY + 5) * DAY}
        for claim in self.claims:
            marks.update(int(at) for limits in (claim.start, claim.end) if limits for at in limits)
            marks |= {int(claim.observed), int(claim.period_end)}
        near = {at + step for at in marks if BEGINNING < at < FOREVER for step in (-1, 0, 1)}
        return sorted(Instant(at) for at in near | {-1000 * DAY, 1000 * DAY})

    def triples(self) -> list[Triple]:
        """The values that occur, in order of first mention."""
        return list(dict.fromkeys(claim.triple for claim in self.claims))


@st.composite
def _limits(draw: st.DrawFn, low: int, high: int, exact: bool) -> Limits:
    best = draw(st.integers(low, high))
    if exact or draw(st.booleans()):
        return Limits(day(best), day(best), day(best))
    earliest = BEGINNING if draw(st.integers(0, 4)) == 0 else day(draw(st.integers(max(0, best - 2), best)))
    return Limits(day(best), earliest, day(draw(st.integers(best, best + 2))))


@st.composite
def _triples(draw: st.DrawFn, rules: Rules) -> Triple:
    if not rules.symmetric:
        return Triple(draw(st.sampled_from("ab")), "r", draw(st.sampled_from("xyz")))
    first, last = sorted(draw(st.lists(st.sampled_from("abcd"), min_size=2, max_size=2)))
    return Triple(first, "r", last)


@st.composite
def _affirmation(draw: st.DrawFn, number: int, triple: Triple, observed: int, rules: Rules, exact: bool,
                 trust: float) -> Said:
    start = draw(st.none() | _limits(0, LAST_DAY, exact)) if draw(st.integers(0, 9)) else _always()
    since = observed if start is None else max(0, start.best // DAY) if start.best.finite else 0
    end = draw(st.none() | st.none() | _limits(since + 1, LAST_DAY + 1, exact)) if since < LAST_DAY else None
    period = start.best if start else day(observed)
    if rules.event and start and period.finite and draw(st.booleans()):
        period = Instant(period + DAY)
    return Said(number, triple, Force.AFFIRM, day(observed), start, end, period, trust)


def _always() -> Limits:
    return Limits(BEGINNING, BEGINNING, BEGINNING)


@st.composite
def histories(draw: st.DrawFn, rules: st.SearchStrategy[Rules] | None = None, exact: bool = False,
              trusts: Sequence[float] = (1.0, 1.0, 1.0, 0.7, 0.4, 0.2), max_size: int = 8) -> History:
    """Claims of every force under one relation, in random order of arrival.

    Args:
        draw: given by Hypothesis.
        rules: declarations to draw from; None = all kinds.
        exact: no imprecise dates.
        trusts: what to draw trust from.
        max_size: the most statements; a correction brings a claim of its own besides.
    """
    chosen = draw(st.sampled_from(RULES) if rules is None else rules)
    claims: list[Said] = []
    for number in range(10, 10 * draw(st.integers(1, max_size)) + 10, 10):
        triple, observed = draw(_triples(chosen)), draw(st.integers(0, LAST_DAY))
        trust = draw(st.sampled_from(trusts))
        force = draw(st.sampled_from([Force.AFFIRM] * 6 + [Force.END, Force.END, Force.DENY, Force.WITHDRAW]))
        at = day(observed)
        if force is Force.AFFIRM:
            claims.append(draw(_affirmation(number, triple, observed, chosen, exact, trust)))
        elif force is Force.END:
            claims.append(Said(number, triple, force, at, None, draw(_limits(0, observed, exact)), at, trust))
        elif force is Force.DENY:
            start = draw(st.none() | _limits(0, LAST_DAY, exact) | st.just(_always()))
            since = observed if start is None else max(0, start.best // DAY)
            end = draw(st.none() | _limits(min(since, LAST_DAY) + 1, LAST_DAY + 1, exact))
            claims.append(Said(number, triple, force, at, start, end, at, trust))
        else:
            start = draw(st.none() | _limits(0, LAST_DAY, True))
            end = draw(st.none() | _limits(0, observed, True)) if start is None else None
            claims.append(Said(number, triple, force, at, start, end, at, trust))
            if draw(st.booleans()):
                value = triple if draw(st.booleans()) else draw(_triples(chosen))
                claims.append(draw(_affirmation(number + 1, value, observed, chosen, exact, trust)))
    return History(chosen, tuple(draw(st.permutations(claims))))


# -- episodes ---------------------------------------------------------------------------------------------------


def small_schema() -> Schema:
    """A functional, an inverse functional, a symmetric functional, a plain and an event relation."""
    base = v.RELATION
    relations = (
        Relation(base + "home", functional=True), Relation(base + "heads", inverse_functional=True),
        Relation(base + "spouse", functional=True, symmetric=True), Relation(base + "likes"),
        Relation(base + "visited", event=True),
    )
    return Schema({relation.iri: relation for relation in relations}, {}, "small")


_FIRST = Instant.of(2020)


def date(number: int) -> str:
    """The n-th day that episodes use, as ISO text."""
    return Instant(_FIRST + number * DAY).iso()


@st.composite
def claims(draw: st.DrawFn, observed: int) -> Claim:
    """A claim about few things: affirmed, denied or ended, dated or not."""
    relation = draw(st.sampled_from(["home", "heads", "spouse", "likes", "visited"]))
    subject = draw(st.sampled_from(["Ann", "Bo"]))
    object = draw(st.sampled_from(["Cy", "Di", "Ed"]))
    kind = draw(st.sampled_from(["open", "open", "undated", "closed", "closed", "end", "deny", "never", "plan"]))
    first = draw(st.integers(0, LAST_DAY))
    last = draw(st.integers(first + 1, LAST_DAY + 2))
    since, until = date(first), date(last)
    if draw(st.integers(0, 3)) == 0:
        since = draw(st.sampled_from(["2020-01", "2020", f"../{since[:10]}"]))
        until = draw(st.sampled_from(["2020-01", "2020"])) if first < LAST_DAY else until
    if kind == "end":
        return Claim(subject, relation, object, valid_to=date(draw(st.integers(0, observed))))
    if kind in ("deny", "never"):
        start = ".." if kind == "never" else draw(st.none() | st.just(since))
        return Claim(subject, relation, object, valid_from=start, polarity=Polarity.DENIED)
    if kind == "plan":
        since, until = date(observed + 1), date(observed + 1 + last - first)
        return Claim(subject, relation, object, valid_from=since, valid_to=until)
    return Claim(subject, relation, object, valid_from=None if kind == "undated" else since,
                 valid_to=until if kind == "closed" else None)


@st.composite
def episode_lists(draw: st.DrawFn, max_size: int = 6, corrections: bool = True) -> list[Episode]:
    """Episodes with ready claims, in random order of observation: late arrivals, recurrences, corrections."""
    episodes = []
    for number in range(draw(st.integers(1, max_size))):
        observed = draw(st.integers(0, LAST_DAY))
        said = draw(st.lists(claims(observed), min_size=1, max_size=2))
        if corrections and draw(st.integers(0, 4)) == 0:
            first = draw(st.integers(0, LAST_DAY))
            named = Correction(object=draw(st.sampled_from(["Cy", "Di", "Ed"])), valid_from=date(first))
            said = [Claim(said[0].subject, said[0].relation, said[0].object, valid_from=date(first),
                          valid_to=date(draw(st.integers(first + 1, LAST_DAY + 2))), corrects=named)]
        episodes.append(Episode(f"e{number}", observed_at=Instant(_FIRST + observed * DAY), claims=tuple(said),
                                trust=draw(st.sampled_from([1.0, 1.0, 1.0, 0.3]))))
    return episodes


def retraction(identifier: str, of: str, recorded_at: Instant | None = None) -> Episode:
    """A curation episode that retracts another."""
    return Episode(identifier, EpisodeKind.CURATION, action="retract", arguments={"episode": of},
                   recorded_at=recorded_at)
