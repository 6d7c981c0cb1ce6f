"""Affirmations as spans, cut by what else is said of their value, and the winners among rival values.

Winners are chosen on the spans as claimed; ends and denials cut them afterwards, so they never revive the value
before.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from workbench.ingest.said import Cause, Force, Limits, Policy, Rules, Said, Triple
from workbench.model.time import FOREVER, Instant


class Span(NamedTuple):
    """An affirmation with its spans worked out.

    Attributes:
        start: best start; of an unknown one, when it was said.
        claimed_end: where it ends by its own words; FOREVER if open.
        end, end_cause: where it ends after other statements about the value have acted on it.
        attested_to: exclusive; not after `start` if nothing is attested.
    """

    said: Said
    start: Instant
    claimed_end: Instant
    end: Limits
    end_cause: Cause
    attested_to: Instant


class Statements(NamedTuple):
    """What stands of the claims about the values of a slot, by value."""

    spans: dict[Triple, list[Span]]
    denials: dict[Triple, list[Said]]
    ends: dict[Triple, list[Said]]


def span_of(said: Said, rules: Rules) -> Span:
    """The span of an affirmation by its own words."""
    start = _start(said)
    if said.end is not None:
        end, cause = said.end, Cause("stated end", said.id)
    elif rules.event:
        after = Instant(max(said.period_end, start + 1)) if start.finite else start
        end, cause = Limits(after, after, after), Cause("event over", said.id)
    else:
        end, cause = Limits(FOREVER, FOREVER, FOREVER), Cause("still true", None)
    return Span(said, start, end.best, end, cause, min(end.best, Instant(said.observed + 1)))


def may_cut(cutter: Said, other: Said, policy: Policy) -> bool:
    """Whether trust lets one statement act on another."""
    return cutter.trust >= policy.threshold or cutter.trust >= other.trust


def denied_by(said: Said, denials: Iterable[Said], policy: Policy) -> list[tuple[Instant, Instant]]:
    """The spans over which denials of its value beat a claim, sorted; they may overlap."""
    return sorted((denial.start.best if denial.start else denial.observed, denial.end.best if denial.end else FOREVER)
                  for denial in denials if said.observed < denial.observed and may_cut(denial, said, policy))


# -- what stands ------------------------------------------------------------------------------------------------


def statements(claims: Sequence[Said], rules: Rules, policy: Policy) -> Statements:
    """Sort claims by force and value, without what corrections name; affirmations cut by the ends that act on them."""
    by_force: dict[Force, dict[Triple, list[Said]]] = {force: defaultdict(list) for force in Force}
    for said in claims:
        by_force[said.force][said.triple].append(said)
    withdrawals = by_force[Force.WITHDRAW]
    for force in (Force.AFFIRM, Force.END, Force.DENY):
        for triple, items in withdrawals.items():
            if triple in by_force[force]:
                of_value = by_force[force][triple]
                of_value[:] = [said for said in of_value if not _withdrawn(said, of_value, items, rules, policy)]
    spans: dict[Triple, list[Span]] = {}
    for triple, said_of in by_force[Force.AFFIRM].items():
        raw = [span_of(said, rules) for said in _uncorrected(said_of, policy)]
        spans[triple] = _all_ended(raw, by_force[Force.END].get(triple, ()), rules, policy)
    return Statements(spans, dict(by_force[Force.DENY]), dict(by_force[Force.END]))


def _withdrawn(said: Said, of_value: Sequence[Said], withdrawals: Sequence[Said], rules: Rules, policy: Policy) -> bool:
    return any(_names(item, said, of_value, rules) and may_cut(item, said, policy) for item in withdrawals)


def _names(withdrawal: Said, said: Said, of_value: Sequence[Said], rules: Rules) -> bool:
    """Whether a correction names a claim of its value."""
    # the claim that the correction itself makes has the id after its withdrawal's
    if said.observed > withdrawal.observed or said.id == withdrawal.id + 1:
        return False
    if withdrawal.start is None:
        return withdrawal.end is None or (said.force is Force.END and said.end == withdrawal.end)
    if said.force is not Force.AFFIRM:
        return False
    named = withdrawal.start.best
    if said.start is not None:
        return said.start.best == named
    return said.observed == named or any(
        other.start is not None and other.start.best == named <= said.observed < span_of(other, rules).claimed_end
        for other in of_value)


def _uncorrected(said_of: Sequence[Said], policy: Policy) -> Sequence[Said]:
    """Without what a later statement of both ends from the same start corrects."""
    if len(said_of) < 2:
        return said_of
    same_start: dict[Instant, list[Said]] = defaultdict(list)
    for said in said_of:
        if said.start and said.end:
            same_start[said.start.best].append(said)
    corrected = {
        said.id for same in same_start.values() if len(same) > 1 for said in same
        if any(other.observed > said.observed and other.end and said.end and other.end.best != said.end.best
               and may_cut(other, said, policy) for other in same)
    }
    return [said for said in said_of if said.id not in corrected]


def _all_ended(raw: list[Span], ends: Sequence[Said], rules: Rules, policy: Policy) -> list[Span]:
    stated = [span for span in raw if span.said.end is not None]
    if not ends and (not stated or len(raw) == 1):
        return raw
    return [_ended(span, stated, ends, rules, policy) for span in raw]


def _ended(span: Span, stated: Sequence[Span], ends: Sequence[Said], rules: Rules, policy: Policy) -> Span:
    """The span as cut by the ends that act on it: statements of an end, and of open spans stated ends of others."""
    said, end, cause = span.said, span.end, span.end_cause
    is_open = said.end is None and not rules.event
    enders = [*ends, *(other.said for other in stated)] if is_open else ends
    for item in enders:
        assert item.end is not None
        at = item.end.best
        acts = said.observed <= item.observed or (is_open and said.observed < at)
        within = span.start < at <= span.claimed_end and at < span.end.best
        if acts and within and (item.end < end or end is span.end) and may_cut(item, said, policy):
            end, cause = item.end, Cause("end stated", item.id)
    return span if end is span.end else span._replace(end=end, end_cause=cause)


# -- who wins ---------------------------------------------------------------------------------------------------


class Win(NamedTuple):
    """A stretch `[start, end)` over which a value wins under a key, alone or in a competing set."""

    start: Instant
    end: Instant
    competing: bool


class Winners:
    """For every exclusive key with rivals, the winning values over time; asked by triple."""

    def __init__(self, spans: Mapping[Triple, Sequence[Span]], rules: Rules, policy: Policy) -> None:
        self._rules = rules
        self._contests: dict[Hashable, _Contest] = {}
        by_key: dict[Hashable, list[Span]] = defaultdict(list)
        values: dict[Hashable, int] = defaultdict(int)
        for triple, of_value in spans.items():
            for key in dict.fromkeys(rules.keys(triple)):
                by_key[key] += of_value
                values[key] += bool(of_value)
        for contested, rivals in by_key.items():
            if values[contested] > 1:
                self._contests[contested] = _Contest(rivals, policy)

    def wins(self, triple: Triple) -> list[list[Win]]:
        """Where a value wins, sorted; a list for each of its keys that has rivals."""
        return [contest.wins.get(triple, []) for contest in self._of(triple)]

    def at(self, triple: Triple, at: Instant) -> list[Said]:
        """The claims by which values win under the keys of a triple at an instant, in order."""
        found = [said for contest in self._of(triple) for said in contest.at(at)]
        return sorted(found, key=lambda said: said.order)

    def lasting(self, span: Span) -> Span:
        """The span up to where an open-ended rival ends its persistence for good."""
        for contest in self._of(span.said.triple):
            found = contest.ended_for_good(span)
            if found is not None and found[0] < span.end.best and span.start < found[0]:
                at, rival = found
                starts = rival.start if rival.start is not None and rival.start.best == at else Limits(at, at, at)
                end = starts._replace(earliest=min(starts.earliest, span.end.earliest))
                span = span._replace(end=end, end_cause=Cause("replaced", rival.id))
        return span

    def within(self, low: Instant, high: Instant) -> set[Triple]:
        """The values that win under any key somewhere in `[low, high]`."""
        return {triple for contest in self._contests.values() for triple in contest.within(low, high)}

    def _of(self, triple: Triple) -> list[_Contest]:
        keys = dict.fromkeys(self._rules.keys(triple))
        return [self._contests[key] for key in keys if key in self._contests]


_Rank = tuple[int, int, int, tuple[object, ...]]  # (1 attested | 0 persisting, strength, observed, order)


class _Contest:
    """The winners under one key, by a sweep over the spans of all its values."""

    def __init__(self, rivals: Sequence[Span], policy: Policy) -> None:
        self._points: list[Instant] = []
        self._tops: list[dict[Triple, Said]] = []
        self.wins: dict[Triple, list[Win]] = defaultdict(list)
        self._lasting = _open_ended(rivals, policy)
        changes: dict[Instant, list[tuple[bool, _Rank, Said]]] = defaultdict(list)
        for span in rivals:
            for start, end, rank in _ranked(span):
                changes[start].append((True, rank, span.said))
                changes[end].append((False, rank, span.said))
        active: list[tuple[_Rank, Said]] = []
        for at in sorted(changes):
            for enters, rank, said in changes[at]:
                if enters:
                    insort(active, (rank, said), key=_rank)
                else:
                    del active[bisect_left(active, rank, key=_rank)]
            self._points.append(at)
            self._tops.append(_top(active, policy))
        for start, end, top in zip(self._points, [*self._points[1:], FOREVER], self._tops, strict=True):
            for triple in top:
                self._add(triple, Win(start, end, len(top) > 1))

    def _add(self, triple: Triple, win: Win) -> None:
        of_value = self.wins[triple]
        if of_value and of_value[-1].end == win.start and of_value[-1].competing == win.competing:
            of_value[-1] = Win(of_value[-1].start, win.end, win.competing)
        elif win.start < win.end:
            of_value.append(win)

    def at(self, at: Instant) -> Iterable[Said]:
        index = bisect_right(self._points, at) - 1
        return self._tops[index].values() if index >= 0 else ()

    def within(self, low: Instant, high: Instant) -> Iterable[Triple]:
        first, last = max(bisect_right(self._points, low) - 1, 0), bisect_right(self._points, high)
        return (triple for top in self._tops[first:last] for triple in top)

    def ended_for_good(self, span: Span) -> tuple[Instant, Said] | None:
        """Where and by which open-ended claim of another value; low trust aside, which ends nothing for good."""
        strengths, firsts = self._lasting
        index = bisect_right(strengths, (max(span.start, span.said.observed), span.said.observed))
        if index == len(strengths):
            return None
        rival = next((said for said in firsts[index] if said.triple != span.said.triple), None)
        return None if rival is None else (max(_start(rival), span.start, span.attested_to), rival)


def _open_ended(rivals: Sequence[Span], policy: Policy
                ) -> tuple[list[tuple[Instant, Instant]], list[tuple[Said, ...]]]:
    """Strengths of open-ended claims, rising, and of those at least as strong the first to start, of two values."""
    lasting = sorted(((max(span.start, span.said.observed), span.said.observed), span.said.id, span.said)
                     for span in rivals if span.claimed_end == FOREVER and span.said.trust >= policy.threshold)
    firsts: list[tuple[Said, ...]] = []
    first: tuple[Said, ...] = ()
    for _, _, said in reversed(lasting):
        by_start = sorted((said, *first), key=lambda item: (_start(item), item.order))
        other = next((item for item in by_start if item.triple != by_start[0].triple), None)
        first = (by_start[0],) if other is None else (by_start[0], other)
        firsts.append(first)
    return [strength for strength, _, _ in lasting], firsts[::-1]


def _start(said: Said) -> Instant:
    return said.start.best if said.start else said.observed


def _rank(item: tuple[_Rank, Said]) -> _Rank:
    return item[0]


def _ranked(span: Span) -> list[tuple[Instant, Instant, _Rank]]:
    """The attested and the persisting part of a span, with how strong each is."""
    said, parts = span.said, []
    begin = max(span.start, span.attested_to)
    if span.start < span.attested_to:
        parts.append((span.start, span.attested_to, (1, int(said.observed), int(said.observed), said.order)))
    if begin < span.claimed_end:
        strength = int(max(span.start, said.observed))
        parts.append((begin, span.claimed_end, (0, strength, int(said.observed), said.order)))
    return parts


def _top(active: Sequence[tuple[_Rank, Said]], policy: Policy) -> dict[Triple, Said]:
    """The winning value, or the competing set: equals, and more trusted values that those above may not cut."""
    top: dict[Triple, Said] = {}
    above, level, equals = -1.0, -1.0, None  # the highest trust above the present rank, and down to it
    for rank, said in reversed(active):
        if rank[:3] != equals:
            above, equals = level, rank[:3]
            if above >= policy.threshold:
                break
        if said.trust > above:
            top.setdefault(said.triple, said)
            level = max(level, said.trust)
    return top
