"""A reference model of belief: claims in a plain list, every question answered from all of them, one instant at a time.

Slow on purpose. It follows the words of the settling rules and shares nothing with `settle` but the types; tests
compare the two.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from workbench.ingest.settle import Force, Policy, Rules, Said, Triple
from workbench.model.time import FOREVER, Instant


class Reference:
    """What the visible claims of one relation mean at an instant.

    Attributes:
        claims: all that are visible, in any order.
        rules, policy: as for `settle`.
    """

    def __init__(self, claims: Iterable[Said], rules: Rules, policy: Policy) -> None:
        self.claims, self.rules, self.policy = list(claims), rules, policy
        self.affirmed = [claim for claim in self.claims if claim.force is Force.AFFIRM and self._stands(claim)]
        self.ends = [claim for claim in self.claims if claim.force is Force.END and self._stands(claim)]
        self.denials = [claim for claim in self.claims if claim.force is Force.DENY and self._stands(claim)]

    # -- the three readings ---------------------------------------------------------------------------------------

    def best(self, at: Instant) -> dict[Triple, bool]:
        """The values that hold at an instant → whether they compete."""
        found = {}
        for triple in self._triples():
            winners = [self.winners(key, at) for key in self._keys(triple)]
            holds = any(self.covers(claim, at) and not self.is_over(claim, at) and not self.is_denied(claim, at)
                        for claim in self._of(triple))
            if holds and all(triple in winning for winning in winners):
                found[triple] = any(len(winning) > 1 for winning in winners)
        return found

    def certain(self, at: Instant) -> set[Triple]:
        """The values that are attested at an instant and compete with none, should every date be exact."""
        return {triple for triple, competes in self.best(at).items() if not competes and any(
            self.attests(claim, at) and not self.is_over(claim, at) and not self.is_denied(claim, at)
            for claim in self._of(triple))}

    def possible(self, at: Instant) -> set[Triple]:
        """The values that may hold at an instant, should every stated date be exact.

        Besides what holds: before a claim whose start is unknown, and before an end that found nothing to end,
        unless it is denied there or another value is certain.
        """
        best, certain = self.best(at), self.certain(at)
        found = set(best)
        for triple in self._triples():
            ruled_out = any(other != triple and set(self._keys(other)) & set(self._keys(triple)) for other in certain)
            ends = [end for end in self.ends if end.triple == triple]
            if not ruled_out and (any(self._unknown_before(claim, at) for claim in self._of(triple))
                                  or any(self._ended_before_known(end, at) for end in ends)):
                found.add(triple)
        return found

    def _unknown_before(self, claim: Said, at: Instant) -> bool:
        """Whether the unknown start of a claim may lie at or before an instant that is earlier than the saying."""
        if claim.start is not None or at >= claim.observed or self.is_denied(claim, at):
            return False
        if claim.end is not None and claim.end.best <= claim.observed:
            return False
        dated = any(
            other.start is not None and other.start.best == claim.observed and self.covers(other, claim.observed)
            and not self.is_denied(other, claim.observed) for other in self._of(claim.triple))
        now, before = self.best(claim.observed), self.best(Instant(claim.observed - 1))
        return claim.triple not in now or not (dated or claim.triple in before)

    def _ended_before_known(self, end: Said, at: Instant) -> bool:
        assert end.end is not None
        ends_something = any(_start(claim) < end.end.best <= self.claimed_end(claim) for claim in self._of(end.triple))
        return not ends_something and at < end.end.best and not self.is_denied(end, at)

    # -- one claim ------------------------------------------------------------------------------------------------

    def claimed_end(self, claim: Said) -> Instant:
        """Where the span of an affirmation ends by its own words."""
        if claim.end is not None:
            return claim.end.best
        if self.rules.event:
            return Instant(max(claim.period_end, _start(claim) + 1)) if _start(claim).finite else _start(claim)
        return FOREVER

    def covers(self, claim: Said, at: Instant) -> bool:
        """Whether an instant lies in the span of an affirmation as claimed."""
        return _start(claim) <= at < self.claimed_end(claim)

    def attests(self, claim: Said, at: Instant) -> bool:
        """Whether an affirmation vouches for an instant: from its start to its end, but not beyond its saying."""
        return self.covers(claim, at) and at <= claim.observed

    def is_over(self, claim: Said, at: Instant) -> bool:
        """Whether something else that was said ended an affirmation at or before an instant.

        That is an end of its own value, or an open-ended claim of another that ended its persistence for good.
        """
        return any(end <= at for end in self.ends_of(claim)) or any(
            self.claimed_end(other) == FOREVER and other.trust >= self.policy.threshold
            and self._persists_longer(other, claim)
            and max(_start(other), _start(claim)) <= at and not self.attests(claim, at)
            for other in self.affirmed if other.triple != claim.triple
            and set(self._keys(other.triple)) & set(self._keys(claim.triple)))

    def is_denied(self, claim: Said, at: Instant) -> bool:
        """Whether a denial said after a claim covers an instant."""
        return any(
            denial.triple == claim.triple and denial.observed > claim.observed and self._may_cut(denial, claim)
            and _start(denial) <= at and (denial.end is None or at < denial.end.best) for denial in self.denials)

    def ends_of(self, claim: Said) -> list[Instant]:
        """Where other statements about its value end an affirmation."""
        is_open = claim.end is None and not self.rules.event
        said = [(end, end.end.best) for end in self.ends if end.triple == claim.triple and end.end is not None]
        if is_open:
            said += [(other, other.end.best) for other in self._of(claim.triple) if other.end is not None]
        return [at for end, at in said if end.id != claim.id and self._may_cut(end, claim)
                and _start(claim) < at <= self.claimed_end(claim)
                and (claim.observed <= end.observed or (is_open and claim.observed < at))]

    # -- corrections ----------------------------------------------------------------------------------------------

    def _stands(self, claim: Said) -> bool:
        """Whether no correction names a claim, in words or by stating both ends from the same start again."""
        same = [other for other in self.claims if other.triple == claim.triple and other.id != claim.id]
        return not any(self._names(other, claim) for other in same if other.force is Force.WITHDRAW) and not any(
            other.force is claim.force is Force.AFFIRM and other.start is not None and claim.start is not None
            and other.end is not None and claim.end is not None and other.start.best == claim.start.best
            and other.end.best != claim.end.best
            and other.observed > claim.observed and self._may_cut(other, claim)
            and not any(self._names(item, other) for item in same if item.force is Force.WITHDRAW)
            for other in same)

    def _names(self, correction: Said, claim: Said) -> bool:
        """Whether a correction withdraws a claim of its value. The claim that it brings itself has the next id."""
        if (claim.observed > correction.observed or claim.id == correction.id + 1
                or not self._may_cut(correction, claim)):
            return False
        if correction.start is None:
            return correction.end is None or (claim.force is Force.END and claim.end == correction.end)
        if claim.force is not Force.AFFIRM:
            return False
        if claim.start is not None:
            return claim.start.best == correction.start.best
        # an unknown start counts from the saying: such a claim belongs to the span in which it was said
        return claim.observed == correction.start.best or any(
            other.triple == claim.triple and other.force is Force.AFFIRM and other.start is not None
            and other.start.best == correction.start.best and self.covers(other, claim.observed)
            for other in self.claims)

    # -- rivals ---------------------------------------------------------------------------------------------------

    def winners(self, key: Hashable, at: Instant) -> set[Triple]:
        """The value that wins under an exclusive key at an instant, or the set that competes; spans as claimed."""
        here = [claim for claim in self.affirmed if key in self._keys(claim.triple) and self.covers(claim, at)]
        return {claim.triple for claim in here if not any(
            other.triple != claim.triple and self._outranks(other, claim, at) and self._may_cut(other, claim)
            for other in here)}

    def _outranks(self, one: Said, other: Said, at: Instant) -> bool:
        if self.attests(one, at) or self.attests(other, at):
            if self.attests(one, at) and self.attests(other, at):
                return one.observed > other.observed
            return self.attests(one, at)
        return self._persists_longer(one, other)

    def _persists_longer(self, one: Said, other: Said) -> bool:
        """Whether the persistence of one claim beats that of another: the later start, or else the later saying."""
        first, second = max(_start(one), one.observed), max(_start(other), other.observed)
        return first > second or (first == second and one.observed > other.observed)

    def _may_cut(self, one: Said, other: Said) -> bool:
        return one.trust >= self.policy.threshold or one.trust >= other.trust

    def _keys(self, triple: Triple) -> list[Hashable]:
        rules = self.rules
        if rules.event:
            return []
        if rules.symmetric and (rules.functional or rules.inverse_functional):
            return [triple.subject, triple.object]
        keys: list[Hashable] = [("of", triple.subject)] if rules.functional else []
        return [*keys, ("to", triple.object)] if rules.inverse_functional else keys

    def _of(self, triple: Triple) -> list[Said]:
        return [claim for claim in self.affirmed if claim.triple == triple]

    def _triples(self) -> Sequence[Triple]:
        return list(dict.fromkeys(claim.triple for claim in self.claims))


def _start(claim: Said) -> Instant:
    return claim.start.best if claim.start is not None else claim.observed
