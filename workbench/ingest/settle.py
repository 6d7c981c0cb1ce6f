"""Settling: what claims do to the records of their slot. The only place where supersession lives.

`settle` is pure: claims and current records in, records to add and to close out, each with its reason. Belief is a
function of the set of visible claims alone, so the order of arrival cannot matter; records are the difference
between the belief before and after.

At one instant and within one exclusive key, attested beats persisting; between two attested the later `observed_at`
wins, between two persisting the later max(`valid_from`, `observed_at`). Winners are chosen on the spans as claimed;
ends and denials cut them afterwards, so they never revive the value before.

Times here are `Instant`s or plain ints of microseconds; spans are half-open.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from workbench.model.time import BEGINNING, FOREVER, Instant


class Force(IntEnum):
    """What a claim does."""

    AFFIRM = 0
    END = 1
    DENY = 2
    WITHDRAW = 3


class Limits(NamedTuple):
    """A start or an end with its bounds: `earliest ≤ best ≤ latest`."""

    best: Instant
    earliest: Instant
    latest: Instant


class Triple(NamedTuple):
    """Subject, relation, object, as any hashable ids; symmetric and inverse relations already turned."""

    subject: Hashable
    relation: Hashable
    object: Hashable


class Said(NamedTuple):
    """One claim, ready to settle.

    Attributes:
        id: unique and stable; ties are broken by it.
        triple: what it speaks of.
        force: affirm, end only, deny, or withdraw (a correction's effect on what it names).
        observed: when it was said.
        start: stated start, or None (then it counts from `observed`; a withdrawal then names every start).
        end: stated end, or None.
        period_end: end of the precision of the start ("on 5 May" → 6 May), for events; else the start itself.
        trust: 0–1.
    """

    id: int
    triple: Triple
    force: Force
    observed: Instant
    start: Limits | None
    end: Limits | None
    period_end: Instant
    trust: float


@dataclass(frozen=True, slots=True)
class Rules:
    """What the schema says of a relation."""

    functional: bool = False
    inverse_functional: bool = False
    symmetric: bool = False
    event: bool = False

    def keys(self, triple: Triple) -> list[tuple[str, Hashable]]:
        """The exclusive keys that a triple lies under; both ends are keys if symmetric and functional."""
        if self.event:
            return []
        if self.symmetric and self.functional:
            return [("end", triple.subject), ("end", triple.object)]
        keys: list[tuple[str, Hashable]] = []
        if self.functional:
            keys.append(("subject", triple.subject))
        if self.inverse_functional:
            keys.append(("object", triple.object))
        return keys


@dataclass(frozen=True, slots=True)
class Policy:
    """Attributes: threshold: a claim with less trust never cuts a more trusted one; they compete."""

    threshold: float = 0.5


class Support(NamedTuple):
    """A claim that holds a record up, and the span `[attested_from, attested_to)` it certainly attests (may be empty)."""

    claim: int
    attested_from: Instant
    attested_to: Instant


class Cause(NamedTuple):
    """Why a record starts or ends where it does: a rule's name and the claim behind it (or None)."""

    rule: str
    claim: int | None


@dataclass(frozen=True, slots=True)
class Segment:
    """One stretch of belief: a value, where it holds, how sure that is, and why.

    Attributes:
        start, end: best reading, `[start.best, end.best)`; empty (equal) where only the possible reading holds it.
        start_stated: False if the start is unknown and counts from when it was said.
        competing: another value holds at the same instants with equal right.
        supports: by claim id.
    """

    triple: Triple
    start: Limits
    end: Limits
    start_stated: bool
    competing: bool
    supports: tuple[Support, ...]
    start_cause: Cause
    end_cause: Cause

    @property
    def content(self) -> tuple[object, ...]:
        """What makes two records the same belief; supports and causes aside."""
        return (self.triple, self.start, self.end, self.start_stated, self.competing)


@dataclass(frozen=True, slots=True)
class Held:
    """A record now believed: its id and its segment."""

    id: Hashable
    segment: Segment


@dataclass(frozen=True, slots=True)
class Closing:
    """A record to close and the reason."""

    id: Hashable
    reason: str


@dataclass(frozen=True, slots=True)
class Addition:
    """A record to add; `revises` is the id of the record it replaces, or None."""

    segment: Segment
    revises: Hashable | None


@dataclass(frozen=True, slots=True)
class Supporting:
    """New support for a record that stays as it is."""

    id: Hashable
    support: Support


@dataclass(frozen=True, slots=True)
class Settlement:
    """The change of belief: what to add, close and support."""

    add: tuple[Addition, ...] = ()
    close: tuple[Closing, ...] = ()
    support: tuple[Supporting, ...] = field(default=())


def settle(claims: Sequence[Said], records: Sequence[Held], rules: Rules, policy: Policy,
           triples: Collection[Triple] | None = None) -> Settlement:
    """What the visible `claims` of a slot mean for its current `records`.

    Args:
        claims: every visible claim under the keys concerned, new ones included, all of one relation.
        records: the records now believed of `triples` (their `known_to` is open).
        rules: the relation's declaration.
        policy: trust.
        triples: which triples to settle; None = all that occur. Claims of others only compete.
    """
    wanted = {claim.triple for claim in claims} | {held.segment.triple for held in records}
    return difference(records, believe(claims, rules, policy, wanted if triples is None else triples))


def difference(records: Sequence[Held], segments: Sequence[Segment]) -> Settlement:
    """The records to add, close and support that turn the belief in `records` into `segments`."""
    new = {segment.content: segment for segment in segments}
    closed: list[tuple[Held, str]] = []
    kept: set[tuple[object, ...]] = set()
    support: list[Supporting] = []
    for held in records:
        match = new.get(held.segment.content)
        have = {item.claim: item for item in held.segment.supports}
        if match is None or not have.keys() <= {item.claim for item in match.supports}:
            closed.append((held, _why(held.segment, match, segments)))
            continue
        if any(have[item.claim] != item for item in match.supports if item.claim in have):
            closed.append((held, "evidence changed"))
            continue
        kept.add(held.segment.content)
        support += [Supporting(held.id, item) for item in match.supports if item.claim not in have]
    add = []
    for segment in segments:
        if segment.content not in kept:
            add.append(Addition(segment, _revised(segment, [held for held, _ in closed])))
    return Settlement(tuple(add), tuple(Closing(held.id, why) for held, why in closed), tuple(support))


def _why(old: Segment, same: Segment | None, segments: Sequence[Segment]) -> str:
    if same is not None:
        return "support withdrawn"
    of_value = [segment for segment in segments if segment.triple == old.triple]
    if not of_value:
        return "no longer held"
    for segment in of_value:
        if segment.start == old.start and segment.end != old.end:
            return segment.end_cause.rule
    return "revised"


def _revised(segment: Segment, closed: Sequence[Held]) -> Hashable | None:
    best: tuple[int, int] | None = None
    found: Hashable | None = None
    for position, held in enumerate(closed):
        old = held.segment
        if old.triple != segment.triple:
            continue
        shared = min(segment.end.best, old.end.best) - max(segment.start.best, old.start.best)
        if shared >= 0 and (best is None or (shared, -position) > best):
            best, found = (shared, -position), held.id
    return found


# -- belief -----------------------------------------------------------------------------------------------------


class _Span(NamedTuple):
    """An affirmation with its spans worked out."""

    said: Said
    start: Instant
    claimed_end: Instant  # as claimed; FOREVER if open
    end: Limits  # after ends of the same value have acted
    end_cause: Cause
    attested_to: Instant  # exclusive; ≤ start if nothing is attested


def believe(claims: Sequence[Said], rules: Rules, policy: Policy, triples: Iterable[Triple]) -> list[Segment]:
    """The segments that the visible claims support, sorted by triple and start (the order of `triples` aside)."""
    wanted = list(dict.fromkeys(triples))
    if len(claims) == 1 and wanted == [claims[0].triple]:
        return _lone(claims[0], rules)
    spans, denials, ends = _prepare(claims, rules, policy)
    winners = _Winners(spans, rules, policy)
    segments: list[Segment] = []
    for triple in wanted:
        segments += _segments_of(triple, spans.get(triple, []), denials.get(triple, []), winners, policy)
        segments += _ghosts(triple, ends.get(triple, []), spans.get(triple, []))
    return segments


def _lone(said: Said, rules: Rules) -> list[Segment]:
    """The common case, a claim with nothing else in its slot, without the machinery."""
    if said.force is Force.END:
        return _ghosts(said.triple, [said], [])
    if said.force is not Force.AFFIRM:
        return []
    span = _span(said, rules)
    if span.start >= span.end.best:
        return []
    support = _support(span, span.start, span.end.best)
    start = said.start or Limits(span.start, BEGINNING, span.start)
    return [Segment(said.triple, start, span.end, said.start is not None, False, (support,),
                    Cause("stated start" if said.start else "said", said.id), span.end_cause)]


def _span(said: Said, rules: Rules) -> _Span:
    start = said.start.best if said.start else said.observed
    if said.end is not None:
        end, cause = said.end, Cause("stated end", said.id)
    elif rules.event:
        after = Instant(max(said.period_end, start + 1)) if start.finite else start
        end, cause = Limits(after, after, after), Cause("event over", said.id)
    else:
        end, cause = Limits(FOREVER, FOREVER, FOREVER), Cause("still true", None)
    return _Span(said, start, end.best, end, cause, min(end.best, Instant(said.observed + 1)))


_ByTriple = dict[Triple, list[_Span]]


def _prepare(claims: Sequence[Said], rules: Rules, policy: Policy
             ) -> tuple[_ByTriple, dict[Triple, list[Said]], dict[Triple, list[Said]]]:
    affirmed: dict[Triple, list[Said]] = defaultdict(list)
    denials: dict[Triple, list[Said]] = defaultdict(list)
    ends: dict[Triple, list[Said]] = defaultdict(list)
    withdrawals: dict[Triple, list[Said]] = defaultdict(list)
    for said in claims:
        {Force.AFFIRM: affirmed, Force.DENY: denials, Force.END: ends,
         Force.WITHDRAW: withdrawals}[said.force][said.triple].append(said)
    spans: _ByTriple = {}
    for triple, said_of in affirmed.items():
        kept = _standing(said_of, withdrawals.get(triple, ()), policy)
        raw = [_span(said, rules) for said in kept]
        if len(raw) == 1 and triple not in ends:
            spans[triple] = raw
        else:
            spans[triple] = [_ended(span, raw, ends.get(triple, ()), rules, policy) for span in raw]
    for triple, items in withdrawals.items():
        for kind in (denials, ends):
            if triple in kind:
                kind[triple] = _standing(kind[triple], items, policy)
    return spans, denials, ends


def _may_cut(cutter: Said, other: Said, policy: Policy) -> bool:
    return cutter.trust >= policy.threshold or cutter.trust >= other.trust


def _standing(said_of: Sequence[Said], withdrawals: Sequence[Said], policy: Policy) -> list[Said]:
    """Without what a correction names, and without what a later statement of both ends from the same start corrects."""
    standing = [said for said in said_of if not _withdrawn(said, said_of, withdrawals, policy)]
    if len(standing) < 2:
        return standing
    latest: dict[Instant, list[Said]] = defaultdict(list)
    for said in standing:
        if said.start and said.end and said.force is Force.AFFIRM:
            latest[said.start.best].append(said)
    corrected = {
        said.id for same in latest.values() if len(same) > 1 for said in same
        if any(other.observed > said.observed and _may_cut(other, said, policy) for other in same)
    }
    return [said for said in standing if said.id not in corrected]


def _withdrawn(said: Said, all_of_value: Sequence[Said], withdrawals: Sequence[Said], policy: Policy) -> bool:
    for item in withdrawals:
        # the claim that the correction itself makes has the id after its withdrawal's
        if said.observed > item.observed or said.id == item.id + 1 or not _may_cut(item, said, policy):
            continue
        if item.start is None:
            return True
        if said.start is not None:
            if said.start.best == item.start.best:
                return True
            continue
        if said.observed == item.start.best or any(
                other.start is not None and other.start.best == item.start.best
                and other.start.best <= said.observed < (other.end.best if other.end else FOREVER)
                for other in all_of_value):
            return True
    return False


def _ended(span: _Span, of_value: Sequence[_Span], ends: Sequence[Said], rules: Rules, policy: Policy) -> _Span:
    """The span as cut by the ends that act on it (statements of an end, and stated ends of other spans)."""
    said, end, cause = span.said, span.end, span.end_cause
    is_open = said.end is None and not rules.event
    for item in ends:
        assert item.end is not None
        at = item.end.best
        acts = said.observed <= item.observed or (is_open and said.observed < at)
        if span.start < at <= span.claimed_end and at < end.best and acts and _may_cut(item, said, policy):
            end, cause = item.end, Cause("end stated", item.id)
    if is_open:
        for other in of_value:
            if other.said.end is None or other.said.id == said.id:
                continue
            at = other.claimed_end
            acts = said.observed <= other.said.observed or said.observed < at
            if span.start < at < end.best and acts and _may_cut(other.said, said, policy):
                end, cause = other.said.end, Cause("end stated", other.said.id)
    return span if end is span.end else span._replace(end=end, end_cause=cause)


# -- who wins ---------------------------------------------------------------------------------------------------


class _Winners:
    """For every exclusive key, the winning values over time; asked by triple."""

    def __init__(self, spans: _ByTriple, rules: Rules, policy: Policy) -> None:
        self._rules = rules
        self._steps: dict[Hashable, tuple[list[Instant], list[dict[Triple, Said]]]] = {}
        by_key: dict[Hashable, list[_Span]] = defaultdict(list)
        for triple, of_value in spans.items():
            for key in rules.keys(triple):
                by_key[key] += of_value
        for rival_key, rivals in by_key.items():
            if len({span.said.triple for span in rivals}) > 1:
                self._steps[rival_key] = _sweep(rivals, policy)

    def steps(self, triple: Triple) -> list[tuple[list[Instant], list[dict[Triple, Said]]]]:
        """(breakpoints, winners from each breakpoint to the next) of every key that has rivals."""
        return [self._steps[key] for key in self._rules.keys(triple) if key in self._steps]


_Rank = tuple[int, int, int, int]  # (1 attested | 0 persisting, strength, observed, id)


def _sweep(rivals: Sequence[_Span], policy: Policy) -> tuple[list[Instant], list[dict[Triple, Said]]]:
    changes: dict[Instant, list[tuple[bool, _Rank, Said]]] = defaultdict(list)
    for span in rivals:
        said = span.said
        if span.start < span.attested_to:
            rank: _Rank = (1, said.observed, said.observed, said.id)
            changes[span.start].append((True, rank, said))
            changes[span.attested_to].append((False, rank, said))
        begin = max(span.start, span.attested_to) if span.start < span.attested_to else span.start
        if begin < span.claimed_end:
            rank = (0, max(span.start, said.observed), said.observed, said.id)
            changes[begin].append((True, rank, said))
            changes[span.claimed_end].append((False, rank, said))
    active: list[tuple[_Rank, Said]] = []
    points: list[Instant] = []
    winners: list[dict[Triple, Said]] = []
    for at in sorted(changes):
        for enters, rank, said in changes[at]:
            if enters:
                insort(active, (rank, said), key=lambda item: item[0])
            else:
                del active[bisect_left(active, rank, key=lambda item: item[0])]
        points.append(at)
        winners.append(_top(active, policy))
    return points, winners


def _top(active: Sequence[tuple[_Rank, Said]], policy: Policy) -> dict[Triple, Said]:
    """The winning value, or the competing set: equals, and more trusted values that the winner may not cut."""
    top: dict[Triple, Said] = {}
    best: _Rank | None = None
    floor = -1.0
    for rank, said in reversed(active):
        if best is None or rank[:3] == best[:3]:
            best = rank if best is None else best
            top.setdefault(said.triple, said)
            floor = max(floor, said.trust)
        elif floor >= policy.threshold:
            break
        elif said.trust > floor:
            top.setdefault(said.triple, said)
            floor = said.trust
    return top


# -- segments ---------------------------------------------------------------------------------------------------


class _Piece(NamedTuple):
    """An elementary stretch in which the value is believed."""

    start: Instant
    end: Instant
    group: int
    competing: bool


def _segments_of(triple: Triple, spans: Sequence[_Span], denials: Sequence[Said], winners: _Winners,
                 policy: Policy) -> list[Segment]:
    spans = [span for span in spans if span.start < span.end.best]
    if not spans:
        return []
    steps = winners.steps(triple)
    group_of = _groups(spans)
    if not steps and not denials and len(spans) == 1:
        pieces = [_Piece(spans[0].start, spans[0].end.best, 0, False)]
    else:
        pieces = list(_pieces(triple, spans, group_of, denials, steps, policy))
    return [_segment(triple, run, [span for span in spans if group_of[span.said.id] == run[0].group], denials, steps)
            for run in _runs(pieces)]


def _groups(spans: Sequence[_Span]) -> dict[int, int]:
    """Spans of one value that overlap are one interval; a span without a stated start also joins where it touches."""
    group_of: dict[int, int] = {}
    group, reach = -1, BEGINNING
    for span in sorted(spans, key=lambda item: (item.start, item.end.best, item.said.id)):
        touches = span.start == reach and span.said.start is None
        if group < 0 or not (span.start < reach or touches):
            group += 1
            reach = span.end.best
        reach = max(reach, span.end.best)
        group_of[span.said.id] = group
    return group_of


def _pieces(triple: Triple, spans: Sequence[_Span], group_of: dict[int, int], denials: Sequence[Said],
            steps: Sequence[tuple[list[Instant], list[dict[Triple, Said]]]], policy: Policy) -> Iterable[_Piece]:
    points: set[Instant] = set()
    for span in spans:
        points |= {span.start, span.end.best}
    low, high = min(points), max(points)
    for denial in denials:
        points |= {point for point in _denied_span(denial) if low < point < high}
    for breaks, _ in steps:
        points.update(breaks[bisect_left(breaks, low):bisect_left(breaks, high)])
    ordered = sorted(points)
    by_start = sorted(spans, key=lambda span: span.start)
    active: list[_Span] = []
    position = 0
    for start, end in zip(ordered, ordered[1:], strict=False):
        while position < len(by_start) and by_start[position].start <= start:
            active.append(by_start[position])
            position += 1
        active = [span for span in active if span.end.best > start]
        if not active:
            continue
        competing = False
        for breaks, won in steps:
            index = bisect_left(breaks, start + 1) - 1
            top = won[index] if index >= 0 else {}
            if triple not in top:
                break
            competing = competing or len(top) > 1
        else:
            live = [span for span in active if not any(_denies(denial, span.said, start, policy)
                                                       for denial in denials)]
            if live:
                yield _Piece(start, end, group_of[live[0].said.id], competing)


def _denied_span(denial: Said) -> tuple[Instant, Instant]:
    start = denial.start.best if denial.start else denial.observed
    return start, denial.end.best if denial.end else FOREVER


def _denies(denial: Said, said: Said, at: Instant, policy: Policy) -> bool:
    start, end = _denied_span(denial)
    return start <= at < end and said.observed < denial.observed and _may_cut(denial, said, policy)


def _runs(pieces: Iterable[_Piece]) -> list[list[_Piece]]:
    runs: list[list[_Piece]] = []
    for piece in pieces:
        last = runs[-1][-1] if runs else None
        if last and last.end == piece.start and last.group == piece.group and last.competing == piece.competing:
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return runs


def _segment(triple: Triple, run: Sequence[_Piece], spans: Sequence[_Span], denials: Sequence[Said],
             steps: Sequence[tuple[list[Instant], list[dict[Triple, Said]]]]) -> Segment:
    start, end = run[0].start, run[-1].end
    first, stated, start_cause = _start(start, spans, denials, steps)
    last, end_cause = _end(triple, end, spans, denials, steps)
    supports = tuple(sorted(
        _support(span, max(start, first.latest), min(end, last.earliest)) for span in spans
        if span.start < end and span.end.best > start))
    return Segment(triple, first, last, stated, run[0].competing, supports, start_cause, end_cause)


def _support(span: _Span, low: Instant, high: Instant) -> Support:
    """The narrow span that a claim certainly attests inside `[low, high)`."""
    said = span.said
    since = said.start.latest if said.start else said.observed
    until = min(span.end.earliest, Instant(said.observed + 1))
    since, until = max(since, low), min(until, high)
    return Support(said.id, since, until) if since < until else Support(said.id, said.observed, said.observed)


def _exact(at: Instant) -> Limits:
    return Limits(at, at, at)


def _start(at: Instant, spans: Sequence[_Span], denials: Sequence[Said],
           steps: Sequence[tuple[list[Instant], list[dict[Triple, Said]]]]) -> tuple[Limits, bool, Cause]:
    own = [span.said for span in spans if span.start == at]
    stated = [said for said in own if said.start is not None]
    if stated:
        said = max(stated, key=lambda item: (item.observed, item.id))
        assert said.start is not None
        return said.start, True, Cause("stated start", said.id)
    if own:
        said = min(own, key=lambda item: (item.observed, item.id))
        return Limits(at, BEGINNING, at), False, Cause("said", said.id)
    for denial in denials:
        if _denied_span(denial)[1] == at:
            return denial.end or _exact(at), True, Cause("denial over", denial.id)
    for rival in _won_at(Instant(at - 1), steps):
        if rival.end is not None and rival.end.best == at:
            return rival.end, True, Cause("resumed after a stated end", rival.id)
    return _exact(at), True, Cause("outweighs from here", None)


def _end(triple: Triple, at: Instant, spans: Sequence[_Span], denials: Sequence[Said],
         steps: Sequence[tuple[list[Instant], list[dict[Triple, Said]]]]) -> tuple[Limits, Cause]:
    own = [span for span in spans if span.end.best == at]
    if own:
        span = max(own, key=lambda item: (item.said.observed, item.said.id))
        return span.end, span.end_cause
    for denial in denials:
        if _denied_span(denial)[0] == at:
            return denial.start or _exact(at), Cause("denied", denial.id)
    for rival in _won_at(at, steps):
        if rival.triple != triple:
            starts_here = rival.start is not None and rival.start.best == at
            limits = rival.start if starts_here and rival.start is not None else _exact(at)
            return limits, Cause("replaced", rival.id)
    return _exact(at), Cause("competes from here", None)


def _won_at(at: Instant, steps: Sequence[tuple[list[Instant], list[dict[Triple, Said]]]]) -> list[Said]:
    found: list[Said] = []
    for breaks, won in steps:
        index = bisect_left(breaks, at + 1) - 1
        if index >= 0:
            found += won[index].values()
    return sorted(found, key=lambda said: said.id)


def _ghosts(triple: Triple, ends: Sequence[Said], spans: Sequence[_Span]) -> list[Segment]:
    """An end with nothing to end: best holds nowhere, possible everywhere before it."""
    ghosts: dict[Limits, list[Said]] = defaultdict(list)
    for item in ends:
        assert item.end is not None
        if not any(span.start < item.end.best <= span.claimed_end for span in spans):
            ghosts[item.end].append(item)
    return [
        Segment(triple, Limits(end.best, BEGINNING, end.best), end, False, False,
                tuple(sorted(Support(item.id, item.observed, item.observed) for item in items)),
                Cause("start unknown", None), Cause("end stated", items[0].id))
        for end, items in sorted(ghosts.items())
    ]
