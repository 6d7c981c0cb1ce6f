"""Claims against gold: statements as a set, their times, and the stages on the way there.

A statement is (subject, relation, object, polarity), names by their keys, leading articles apart, relations turned
into the direction that the schema stores. It is timed right if both ends are: the best instant equals the stated one,
or lies in the stretch that a vague phrase names; an end that is not stated is not claimed either.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.evaluate.extraction_data import Case, Gold, Moment
from workbench.evaluate.statistics import Estimate
from workbench.graph.relations import SchemaIndex
from workbench.graph.vocabulary import local_name
from workbench.model.claim import Claim
from workbench.model.names import name_key
from workbench.model.time import BEGINNING, DAY, Bound, Instant, Unparsed, read_end, read_start, zone_of

_ARTICLES: Final = re.compile(r"\A(?:the|a|an|der|die|das|el|la|le|o) (?=.)")
_NUMBER: Final = re.compile(r"\D*(\d[\d,]*(?:\.\d+)?)\D*")
_BEFORE: Final = 30 * 366 * DAY
_AFTER: Final = 5 * 366 * DAY
_RESAMPLES: Final = 2000
Table = NDArray[np.float64]
T = TypeVar("T")


class Statement(NamedTuple):
    """What counts as one statement when sets of them are compared."""

    subject: str
    relation: str
    object: str
    polarity: str


class Counts(NamedTuple):
    """Of one episode: statements found and right, found and wrong, missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0


@dataclass(frozen=True)
class Judged:
    """One episode's claims, judged.

    Attributes:
        triple, timed: counts of statements, and of statements with both dates right.
        mentions, pairs: counts of names, and of (subject, object) pairs in either direction.
        relations: of the pairs found, (right, all) with the right relation.
        polarity: of the (subject, relation, object) found, (right, all) with the right polarity.
        dates: by class of phrase, (right, all) of the ends of right statements that gold states.
        overlaps: intersection over union of validity, of right statements with a stated end.
        missing, surplus: statements, as text.
    """

    triple: Counts
    timed: Counts
    mentions: Counts
    pairs: Counts
    relations: tuple[int, int]
    polarity: tuple[int, int]
    dates: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    overlaps: Sequence[float] = ()
    missing: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Told:
    """A claim or a gold statement, with its ends as stretches."""

    statement: Statement
    start: Moment | None
    end: Moment | None


def judge(case: Case, claims: Sequence[Claim], index: SchemaIndex) -> Judged:
    """One episode's claims against its gold. A statement claimed twice counts once, with the better of its times."""
    zone = zone_of(case.episode.time_zone)
    gold: dict[Statement, _Told] = {}
    for one in case.gold:
        told = _told_gold(one, index)
        gold[told.statement] = told
    found: dict[Statement, list[_Told]] = {}
    for claim in claims:
        claimed = _told(claim, index, zone)
        found.setdefault(claimed.statement, []).append(claimed)
    best = {statement: max(_joined(items), key=lambda item: _timed(gold.get(statement), item))
            for statement, items in found.items()}
    common = [statement for statement in gold if statement in best]
    timed = sum(_timed(gold[statement], best[statement]) for statement in common)
    now = case.episode.observed_at or BEGINNING
    return Judged(
        triple=_counts(set(gold), set(best)),
        timed=Counts(timed, len(best) - timed, len(gold) - timed),
        mentions=_counts(set(_names(gold)), set(_names(best))),
        pairs=_counts(_pairs(gold), _pairs(best)),
        relations=_share(_pairs(gold) & _pairs(best), lambda pair: any(
            {item.subject, item.object} == set(pair) and any(
                item[:3] == other[:3] for other in best) for item in gold)),
        polarity=_share({item[:3] for item in gold} & {item[:3] for item in best},
                        lambda triple: any(item[:3] == triple and item in best for item in gold)),
        dates=_dates((gold[statement], best[statement]) for statement in common),
        overlaps=[_overlap(gold[statement], best[statement], now) for statement in common
                  if gold[statement].start or gold[statement].end],
        missing=tuple(" · ".join(item) for item in gold if item not in best),
        surplus=tuple(" · ".join(item) for item in best if item not in gold),
    )


class Verdict(NamedTuple):
    """What a claim is worth.

    Attributes:
        claim: as extracted.
        statement: what it counts as.
        stated: whether the text states it.
        start, end: whether that end is as stated; of a claim that is not stated, False.
    """

    claim: Claim
    statement: Statement
    stated: bool
    start: bool
    end: bool


def verdicts(case: Case, claims: Sequence[Claim], index: SchemaIndex) -> list[Verdict]:
    """Each claim of an episode against its gold, in order."""
    zone = zone_of(case.episode.time_zone)
    gold = {told.statement: told for told in (_told_gold(one, index) for one in case.gold)}
    rows = []
    for claim in claims:
        told = _told(claim, index, zone)
        stated = gold.get(told.statement)
        rows.append(Verdict(claim, told.statement, stated is not None, stated is not None and _same(stated.start,
                            told.start), stated is not None and _same(stated.end, told.end)))
    return rows


def gold_statement(gold: Gold, index: SchemaIndex) -> Statement:
    """What a gold statement counts as."""
    return _told_gold(gold, index).statement


def _joined(items: Sequence[_Told]) -> list[_Told]:
    """The claims of one statement, and each start with each end: "joined in May and left in June" may be two claims."""
    return [*items, *(replace(one, end=other.end) for one in items for other in items
                      if one is not other and one.end is None and other.start is None)]


def _counts(gold: Set[T], found: Set[T]) -> Counts:
    return Counts(len(gold & found), len(found - gold), len(gold - found))


def _share(items: Iterable[object], right: Callable[..., bool]) -> tuple[int, int]:
    every = list(items)
    return sum(right(item) for item in every), len(every)


def _names(statements: Iterable[Statement]) -> Iterator[str]:
    for statement in statements:
        yield from (statement.subject, statement.object)


def _pairs(statements: Iterable[Statement]) -> set[frozenset[str]]:
    return {frozenset((statement.subject, statement.object)) for statement in statements}


def name(text: str) -> str:
    """A name or literal as it is compared: its key without a leading article."""
    return _ARTICLES.sub("", name_key(text), count=1) or name_key(text)


def _literal(value: object) -> str:
    text = str(value)
    number = _NUMBER.fullmatch(text)
    return f"{float(number[1].replace(',', '')):g}" if number else name(text)


def statement_of(subject: str, relation: str, thing: str, polarity: str, index: SchemaIndex) -> Statement:
    """A statement in the direction that the schema stores it in; the ends of a symmetric relation are sorted."""
    known, turned = index.canonical(index.relation(relation))
    ends = (name(thing), name(subject)) if turned else (name(subject), name(thing))
    if known.symmetric:
        ends = (min(ends), max(ends))
    return Statement(ends[0], local_name(known.iri), ends[1], polarity)


def _told_gold(gold: Gold, index: SchemaIndex) -> _Told:
    thing = _literal(gold.object) if gold.object.isdecimal() else gold.object
    return _Told(statement_of(gold.subject, gold.relation, thing, str(gold.polarity), index), gold.start, gold.end)


def _told(claim: Claim, index: SchemaIndex, zone: tzinfo) -> _Told:
    thing = claim.object if claim.object is not None else _literal(claim.value)
    return _Told(statement_of(claim.subject, claim.relation, thing, str(claim.polarity), index),
                 _end_of(claim.start, claim.valid_from, zone, read_start),
                 _end_of(claim.end, claim.valid_to, zone, read_end))


def _end_of(bound: Bound | Unparsed | None, phrase: str | None, zone: tzinfo,
            read: Callable[[str, tzinfo], Bound | Unparsed | None]) -> Moment | None:
    """The end as stated; words that were not resolved are an end that nothing matches."""
    if bound is None and phrase is not None:
        if phrase.strip() == "..":
            return Moment(BEGINNING, BEGINNING)
        bound = read(phrase, zone)
    if isinstance(bound, Unparsed):
        return Moment(Instant(BEGINNING + 1), Instant(BEGINNING + 1))
    return None if bound is None else Moment(bound.best, bound.best)


def _same(gold: Moment | None, found: Moment | None) -> bool:
    if gold is None or found is None:
        return gold is found
    return gold.earliest <= found.earliest <= gold.latest


def _timed(gold: _Told | None, found: _Told) -> bool:
    return gold is not None and _same(gold.start, found.start) and _same(gold.end, found.end)


def _dates(pairs: Iterable[tuple[_Told, _Told]]) -> dict[str, tuple[int, int]]:
    right: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for gold, found in pairs:
        for stated, claimed in ((gold.start, found.start), (gold.end, found.end)):
            if stated is not None:
                every[stated.kind] += 1
                right[stated.kind] += _same(stated, claimed)
    return {kind: (right[kind], count) for kind, count in every.items()}


def _overlap(gold: _Told, found: _Told, now: Instant) -> float:
    """Intersection over union, the open sides cut 30 years before and 5 after the episode; a vague end by its middle,
    or by the claimed instant if that is within it."""
    low, high = now.plus(-_BEFORE), now.plus(_AFTER)

    def ends(told: _Told, other: _Told) -> tuple[int, int]:
        return (max(low, _at(told.start, other.start, low)), min(high, _at(told.end, other.end, high)))

    (a, b), (c, d) = ends(gold, found), ends(found, found)
    union = max(b, d) - min(a, c)
    return max(0, min(b, d) - max(a, c)) / union if union > 0 and a < b and c < d else float((a, b) == (c, d))


def _at(moment: Moment | None, other: Moment | None, missing: Instant) -> Instant:
    if moment is None:
        return missing
    if other is not None and moment.earliest <= other.earliest <= moment.latest:
        return other.earliest
    return Instant((moment.earliest + moment.latest) // 2)


def by_phrasing(cases: Sequence[Case], counts: Sequence[Counts]) -> list[Counts]:
    """Counts summed over the episodes of a phrasing, which are alike: what claims about new wordings rest on."""
    sums: dict[int, Counts] = {}
    for case, one in zip(cases, counts, strict=True):
        before = sums.get(case.phrasing, Counts())
        sums[case.phrasing] = Counts(*(a + b for a, b in zip(before, one, strict=True)))
    return list(sums.values())


def f1(counts: Sequence[Counts], seed: int = 0) -> tuple[Estimate, Estimate, Estimate]:
    """Precision, recall and F1 over all episodes, with 95% intervals by bootstrap over episodes."""
    table = np.array(counts, dtype=np.float64).reshape(-1, 3)
    drawn = _resampled(table, seed)
    points = _scores(table.sum(axis=0, keepdims=True))
    spread = _scores(drawn)
    first, second, third = (_estimate(point, spread[number]) for number, point in enumerate(points))
    return first, second, third


def f1_difference(first: Sequence[Counts], second: Sequence[Counts], seed: int = 0) -> Estimate:
    """F1 of the second minus that of the first, paired: the same episodes are drawn for both."""
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} episodes cannot be paired")
    tables = [np.array(counts, dtype=np.float64).reshape(-1, 3) for counts in (first, second)]
    point = [_scores(table.sum(axis=0, keepdims=True))[2] for table in tables]
    spread = [_scores(_resampled(table, seed))[2] for table in tables]
    return _estimate(point[1] - point[0], spread[1] - spread[0])


def _resampled(table: Table, seed: int) -> Table:
    n = len(table)
    if not n:
        return np.zeros((0, 3))
    weights = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=_RESAMPLES)
    drawn: Table = weights.astype(np.float64) @ table
    return drawn


def _scores(sums: Table) -> tuple[Table, Table, Table]:
    right, wrong, missed = sums[:, 0], sums[:, 1], sums[:, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        return right / (right + wrong), right / (right + missed), 2 * right / (2 * right + wrong + missed)


def _estimate(point: Table, spread: Table) -> Estimate:
    if not len(point) or np.isnan(point[0]):
        return Estimate(None, None, None)
    known = spread[~np.isnan(spread)]
    if not len(known):
        return Estimate(float(point[0]), None, None)
    low, high = np.quantile(known, [0.025, 0.975])
    return Estimate(float(point[0]), float(low), float(high))
