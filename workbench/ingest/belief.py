"""Belief: what the visible claims of a slot support, as a function of the set of claims alone.

At one instant and within one exclusive key, attested beats persisting; between two attested the later `observed_at`
wins, between two persisting the later max(`valid_from`, `observed_at`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from workbench.ingest.said import Cause, Force, Limits, Policy, Rules, Said, Segment, Support, Triple
from workbench.ingest.spans import Span, Statements, Win, Winners, denied_by, span_of, statements
from workbench.model.time import BEGINNING, Instant


def believe(claims: Sequence[Said], rules: Rules, policy: Policy, triples: Iterable[Triple]) -> list[Segment]:
    """The segments that the visible claims support, in the order of `triples`, and by start.

    Every affirmation that stands is a support of a segment. Where it holds nowhere, or its start is beaten, an empty
    segment keeps it, with the instants before its start at which it may have held.
    """
    return Belief(claims, rules, policy).segments(triples)


class Belief:
    """What the visible claims of a slot support, for callers that need only the values near some of them.

    Attributes:
        claims: all that are visible under the keys concerned.
    """

    def __init__(self, claims: Sequence[Said], rules: Rules, policy: Policy) -> None:
        self.claims, self._rules, self._policy = claims, rules, policy
        self._made: tuple[Statements, Winners] | None = None

    def _rivals(self) -> tuple[Statements, Winners]:
        if self._made is None:
            said = statements(self.claims, self._rules, self._policy)
            self._made = said, Winners(said.spans, self._rules, self._policy)
        return self._made

    def segments(self, triples: Iterable[Triple]) -> list[Segment]:
        """As `believe`."""
        wanted = list(dict.fromkeys(triples))
        if len(self.claims) == 1 and wanted == [self.claims[0].triple]:
            return _lone(self.claims[0], self._rules)
        said, winners = self._rivals()
        segments: list[Segment] = []
        for triple in wanted:
            spans = [winners.lasting(span) for span in said.spans.get(triple, ())]
            value = _Value(triple, spans, said.denials.get(triple, ()), winners, self._policy)
            segments += _joined(value.segments(), value.endings(said.ends.get(triple, ())))
        return segments

    def window(self, new: Collection[int]) -> tuple[Instant, Instant] | None:
        """The stretch, ends included, outside which some claims (ids) change nothing for other values; None = nowhere.

        Where they may take earlier claims of their value away, the spans of those count too.
        """
        redone = {said.triple for said in self.claims if said.id in new and (
            said.force is Force.WITHDRAW or (said.start is not None and said.end is not None))}
        spans = [span_of(said, self._rules) for said in self.claims
                 if said.force is Force.AFFIRM and (said.id in new or said.triple in redone)]
        if not spans:
            return None
        return min(span.start for span in spans), max(span.claimed_end for span in spans)

    def within(self, window: tuple[Instant, Instant]) -> set[Triple]:
        """The values that win within a window, and those with a claim that starts there."""
        low, high = window
        said, winners = self._rivals()
        return winners.within(low, high) | {
            triple for triple, spans in said.spans.items() if any(low <= span.start <= high for span in spans)}


def _joined(segments: list[Segment], endings: Iterable[Segment]) -> list[Segment]:
    """With the empty segments of ends; two of one content are one."""
    for ending in endings:
        same = next((place for place, item in enumerate(segments) if item.content == ending.content), None)
        if same is None:
            segments.append(ending)
        else:
            supports = tuple(sorted({*segments[same].supports, *ending.supports}))
            segments[same] = replace(segments[same], supports=supports)
    return segments


def _lone(said: Said, rules: Rules) -> list[Segment]:
    """The common case, a claim with nothing else in its slot, without the machinery."""
    if said.force is Force.END:
        assert said.end is not None
        return [_ending(said.triple, said.end, BEGINNING, [said])]
    if said.force is not Force.AFFIRM:
        return []
    span = span_of(said, rules)
    support = _support(span, span.start, span.end.best, ())
    start = said.start or Limits(span.start, BEGINNING, span.start)
    return [Segment(said.triple, start, span.end, said.start is not None, False, (support,),
                    Cause("stated start" if said.start else "said", said.id), span.end_cause)]


class _Piece(NamedTuple):
    """A stretch in which the value is believed; `group` tells its intervals apart."""

    start: Instant
    end: Instant
    group: int
    competing: bool


class _Value:
    """What is believed of one value."""

    def __init__(self, triple: Triple, spans: Sequence[Span], denials: Sequence[Said], winners: Winners,
                 policy: Policy) -> None:
        self.triple, self.winners, self.policy = triple, winners, policy
        self.denials = sorted(denials, key=lambda denial: denial.order)
        self.spans = sorted(spans, key=lambda span: (span.start, span.end.best, span.said.id))
        self.denied = {span.said.id: denied_by(span.said, denials, policy) for span in spans}

    def segments(self) -> list[Segment]:
        """The stretches in which it is believed, and empty ones for claims that hold up none of them."""
        groups = _groups(self.spans)
        runs = _runs(self._pieces(groups))
        found, begun = [], set()
        before: _Piece | None = None
        for run in runs:
            goes_on = before is not None and (before.group, before.end) == (run.group, run.start)
            found.append(self._segment(run, groups[run.group], goes_on))
            begun |= {span.said.id for span in groups[run.group] if run.start <= span.start < run.end
                      and (span.start > run.start or goes_on)}
            before = run
        starts = {run.start for run in runs}
        return found + self._beaten(found, begun, starts)

    def _pieces(self, groups: Sequence[Sequence[Span]]) -> list[_Piece]:
        pieces = []
        for number, group in enumerate(groups):
            live = _union([part for span in group for part in _without(
                (span.start, span.end.best), self.denied[span.said.id])])
            pieces += [_Piece(start, end, number, False) for start, end in live]
        for wins in self.winners.wins(self.triple):
            pieces = _meet(pieces, wins)
        return pieces

    # -- one stretch ----------------------------------------------------------------------------------------------

    def _segment(self, run: _Piece, group: Sequence[Span], goes_on: bool) -> Segment:
        spans = [span for span in group if span.start < run.end and span.end.best > run.start]
        first, stated, start_cause = self._start(run.start, () if goes_on else spans)
        last, end_cause = self._end(run.end, spans)
        low, high = max(run.start, first.latest), min(run.end, last.earliest)
        supports = tuple(sorted(_support(span, low, high, self.denied[span.said.id]) for span in spans))
        return Segment(self.triple, first, last, stated, run.competing, supports, start_cause, end_cause)

    def _start(self, at: Instant, spans: Iterable[Span]) -> tuple[Limits, bool, Cause]:
        own = [span for span in spans if span.start == at and not _inside(at, self.denied[span.said.id])]
        if own:
            stated = [span for span in own if span.said.start is not None]
            by_order = sorted(stated or own, key=lambda item: item.said.order)
            span = by_order[-1] if stated else by_order[0]
            maybe = self._maybe_before(span)
            earliest = maybe[-1][0] if maybe and maybe[-1][1] == at else at
            latest = span.said.start.latest if span.said.start else at
            return Limits(at, earliest, latest), bool(stated), Cause("stated start" if stated else "said", span.said.id)
        for denial in self.denials:
            if denial.end is not None and denial.end.best == at:
                return denial.end, True, Cause("denial over", denial.id)
        for rival in self.winners.at(self.triple, Instant(at - 1)):
            if rival.triple != self.triple and rival.end is not None and rival.end.best == at:
                return rival.end, True, Cause("resumed after a stated end", rival.id)
        return _exact(at), True, Cause("outweighs from here", None)

    def _end(self, at: Instant, spans: Iterable[Span]) -> tuple[Limits, Cause]:
        own = [span for span in spans if span.end.best == at]
        if own:
            span = max(own, key=lambda item: (item.said.observed, item.end, item.said.order))
            return span.end, span.end_cause
        for denial in self.denials:
            if (denial.start.best if denial.start else denial.observed) == at:
                return denial.start or _exact(at), Cause("denied", denial.id)
        rival = self._rival(at)
        if rival is None:
            return _exact(at), Cause("competes from here", None)
        starts_here = rival.start is not None and rival.start.best == at
        return rival.start if starts_here and rival.start is not None else _exact(at), Cause("replaced", rival.id)

    def _rival(self, at: Instant) -> Said | None:
        return next((said for said in self.winners.at(self.triple, at) if said.triple != self.triple), None)

    # -- what may be, or is kept only -----------------------------------------------------------------------------

    def _maybe_before(self, span: Span) -> list[tuple[Instant, Instant]]:
        """The stretches before the best start of a claim in which it may have held, but for denials."""
        earliest = span.said.start.earliest if span.said.start else BEGINNING
        return _without((earliest, span.start), self.denied[span.said.id])

    def _beaten(self, found: Sequence[Segment], begun: set[int], starts: set[Instant]) -> list[Segment]:
        held = {support.claim for segment in found for support in segment.supports}
        empty: dict[tuple[Instant, Instant, bool], list[Span]] = defaultdict(list)
        for span in self.spans:
            if span.said.id in begun:
                continue
            maybe = self._maybe_before(span)
            if span.start in starts and maybe and maybe[-1][1] == span.start:
                maybe.pop()  # it is the earliest start of that segment
            if not maybe and span.said.id not in held:
                maybe = [(span.start, span.start)]
            for earliest, end in maybe:
                empty[earliest, end, earliest == end and span.said.start is not None].append(span)
        return [Segment(self.triple, Limits(end, earliest, end), _exact(end), stated, False, _supports(
            [span.said for span in of_end]), Cause("holds nowhere", None), self._beaten_by(of_end[0]))
            for (earliest, end, stated), of_end in sorted(empty.items())]

    def _beaten_by(self, span: Span) -> Cause:
        for denial in self.denials:
            if _inside(span.start, denied_by(span.said, [denial], self.policy)):
                return Cause("denied", denial.id)
        rival = self._rival(span.start)
        return Cause("outweighed", None if rival is None else rival.id)

    def endings(self, ends: Iterable[Said]) -> list[Segment]:
        """Ends with nothing to end: best holds nowhere, possible everywhere before, but for denials."""
        empty: dict[tuple[Instant, Limits], list[Said]] = defaultdict(list)
        for item in ends:
            assert item.end is not None
            end = item.end
            if any(span.start < end.best <= span.claimed_end for span in self.spans):
                continue
            maybe = _without((BEGINNING, end.latest), denied_by(item, self.denials, self.policy))
            for since, until in maybe or [(end.best, end.best)]:
                empty[since, end if until == end.latest and since < end.best else _exact(until)].append(item)
        return [_ending(self.triple, end, since, items) for (since, end), items in sorted(empty.items())]


def _ending(triple: Triple, end: Limits, earliest: Instant, items: Sequence[Said]) -> Segment:
    return Segment(triple, Limits(end.best, earliest, end.best), end, False, False, _supports(items),
                   Cause("start unknown", None), Cause("end stated", min(item.id for item in items)))


def _supports(items: Iterable[Said]) -> tuple[Support, ...]:
    return tuple(sorted(Support(item.id, item.observed, item.observed) for item in items))


def _support(span: Span, low: Instant, high: Instant, denied: Iterable[tuple[Instant, Instant]]) -> Support:
    """The narrow span that a claim certainly attests inside `[low, high)`, up to the first denial of it."""
    said = span.said
    since = max(low, said.start.latest if said.start else said.observed)
    until = min(high, span.end.earliest, Instant(said.observed + 1))
    for start, end in denied:
        if start <= since < end:
            since = end
        elif since < start:
            until = min(until, start)
    return Support(said.id, since, until) if since < until else Support(said.id, said.observed, said.observed)


# -- stretches of time --------------------------------------------------------------------------------------------


def _groups(spans: Sequence[Span]) -> list[list[Span]]:
    """Spans of one value that overlap are one interval; a span without a stated start also joins where it touches."""
    groups: list[list[Span]] = []
    reach = BEGINNING
    for span in spans:
        touches = span.start == reach and span.said.start is None
        if not groups or not (span.start < reach or touches):
            groups.append([])
        groups[-1].append(span)
        reach = max(reach, span.end.best)
    return groups


def _exact(at: Instant) -> Limits:
    return Limits(at, at, at)


def _inside(at: Instant, spans: Iterable[tuple[Instant, Instant]]) -> bool:
    return any(start <= at < end for start, end in spans)


def _without(span: tuple[Instant, Instant], holes: Iterable[tuple[Instant, Instant]]) -> list[tuple[Instant, Instant]]:
    """What is left of a span; `holes` are sorted."""
    start, end = span
    left = []
    for low, high in holes:
        if start < min(low, end):
            left.append((start, min(low, end)))
        start = max(start, high)
    return [*left, (start, end)] if start < end else left


def _union(spans: list[tuple[Instant, Instant]]) -> list[tuple[Instant, Instant]]:
    merged: list[tuple[Instant, Instant]] = []
    for start, end in sorted(spans) if len(spans) > 1 else spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _meet(pieces: Sequence[_Piece], wins: Sequence[Win]) -> list[_Piece]:
    """The parts of the pieces that lie within wins; both are sorted."""
    met, position = [], 0
    for piece in pieces:
        while position < len(wins) and wins[position].end <= piece.start:
            position += 1
        index = position
        while index < len(wins) and wins[index].start < piece.end:
            win = wins[index]
            met.append(_Piece(max(piece.start, win.start), min(piece.end, win.end), piece.group,
                              piece.competing or win.competing))
            index += 1
    return met


def _runs(pieces: Iterable[_Piece]) -> list[_Piece]:
    """The pieces with neighbours of one kind joined."""
    runs: list[_Piece] = []
    for piece in pieces:
        if runs and runs[-1][1:] == (piece.start, piece.group, piece.competing):
            runs[-1] = runs[-1]._replace(end=piece.end)
        else:
            runs.append(piece)
    return runs
