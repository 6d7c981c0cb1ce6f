"""Qualifiers around points: since, until, before, by, from–to, between–and, for three years."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, cast

from workbench.ingest.dates.calendar import shift, unit_period
from workbench.ingest.dates.clock import alone, on_date, read_clock, tolerance, with_clock
from workbench.ingest.dates.lexicon import Cat, Found, Unit
from workbench.ingest.dates.periods import ABSOLUTE
from workbench.ingest.dates.point import Parsed, Point, Scope, dated, first_of
from workbench.ingest.dates.relative import RELATIVE, counted, turned_number
from workbench.ingest.dates.shaping import (
    approximate,
    at_edge,
    displaced,
    in_part,
    is_now,
    joinable,
    on_side,
    share_year,
)
from workbench.ingest.dates.years import year_after, year_number
from workbench.model.time import Bound, Precision

_POINTS: Final = (*RELATIVE, *ABSOLUTE, alone)
_DEPTH: Final = 4
_LOWER: Final = ((Cat.SINCE, "since"), (Cat.AFTER, "after"))
_UPPER: Final = ((Cat.THROUGH, "through"), (Cat.UNTIL, "until"), (Cat.BY, "by"), (Cat.BEFORE, "before"))


@dataclass(frozen=True, slots=True)
class Reading:
    """A parsed phrase before roles: a plain point, or a lower and an upper limit with their kinds.

    Attributes:
        next: index of the token after it.
        rule: id of the rule.
        at: the point, if there is no qualifier.
        lower, upper: (kind, point) of the limits.
        duration: the start told by a duration up to the anchor, and whether it says "the last N" (a window).
        weak: only a phrase if somebody says so (`resolve`), not to be found in running text.
    """

    next: int
    rule: str
    at: Point | None = None
    lower: tuple[str, Point] | None = None
    upper: tuple[str, Point] | None = None
    duration: Bound | None = None
    weak: bool = False


def point_at(scope: Scope, i: int, depth: int = 0) -> Parsed:
    """The longest point that starts at token `i`."""
    reader = scope.reader
    if i >= reader.size or depth > _DEPTH:
        return None
    key = (i, scope.future)
    if key in reader.memo:
        return cast(Parsed, reader.memo[key])
    found = _read_point(scope, i, depth)
    if depth == 0:
        reader.memo[key] = found
    return found


def _read_point(scope: Scope, i: int, depth: int) -> Parsed:
    reader = scope.reader
    found = first_of(scope, i, _POINTS) if reader.may_name(i) else None
    if found and found[0].rule != "clock":
        found = with_clock(scope, found)
    found = _longer(found, _modified(scope, i, depth))
    if (clock := read_clock(scope, i)) is not None:
        j = reader.skip(clock.next, Cat.FILLER, Cat.IN, Cat.AT)
        found = _longer(found, on_date(scope, i, first_of(scope, j, _POINTS), clock))
    found = _longer(found, _offset(scope, i, depth))
    if found is None and (filler := reader.skip(i, Cat.FILLER)) > i:
        found = point_at(scope, filler, depth + 1)
    return None if found is None else _after(scope, found)


def _offset(scope: Scope, i: int, depth: int) -> Parsed:
    """`a week from Friday`, `two days before Christmas 2019`, `three years after 2015`."""
    reader = scope.reader
    stretch = counted(scope, i)
    if stretch is None or stretch[2] or stretch[1] < Unit.DAY or abs(stretch[0]) > 10_000:
        return None
    count, unit, _, j = stretch
    for cat in (Cat.AFTER, Cat.BEFORE, Cat.FROM):
        if (word := reader.get(j, cat)) is None:
            continue
        ahead = scope.ahead() if cat is Cat.FROM else scope
        inner = point_at(ahead, reader.skip(word[1], Cat.FILLER), depth + 1)
        if inner is None or inner[0].trouble or inner[0].period.precision is Precision.INSTANT or (
                cat is Cat.FROM and inner[0].rule not in ("weekday:bare", "day-word")):
            continue
        moved = displaced(inner[0], unit, -count if cat is Cat.BEFORE else count)
        return replace(moved, rule="offset:" + inner[0].rule, bare=None, weak=False), inner[1]
    return None


def _longer(one: Parsed, other: Parsed) -> Parsed:
    if one is None or other is None:
        return one or other
    return other if other[1] > one[1] else one


def _modified(scope: Scope, i: int, depth: int) -> Parsed:
    """`early 1990s`, `the end of Q3 2023`, `about 2019`, `end of the month`."""
    reader = scope.reader
    if about := reader.get(i, Cat.APPROX):
        inner = point_at(scope, reader.skip(about[1], Cat.FILLER, Cat.IN), depth + 1)
        return None if inner is None else (approximate(inner[0]), inner[1])
    if (turn := reader.get(i, Cat.EARLIER)) and (inner := point_at(scope, turn[1], depth + 1)):
        told = inner[0].rule.startswith(("turned", "day-word"))
        return (on_side(scope, inner[0], turn[0]), inner[1]) if told else None
    for cat in (Cat.EDGE, Cat.PART):
        if (found := reader.get(i, cat)) is None:
            continue
        j = reader.skip(found[1], Cat.FILLER)
        j += reader.word(j) == "-"
        inner = point_at(scope, j, depth + 1)
        if inner is None and (unit := reader.get(j, Cat.UNIT)):
            inner = Point(unit_period(scope.now, unit[0]), "this"), unit[1]
        if inner is None or inner[0].trouble:
            return inner
        return (at_edge(inner[0], found[0]) if cat is Cat.EDGE else in_part(inner[0], found[0])), inner[1]
    return None


def _after(scope: Scope, found: tuple[Point, int]) -> tuple[Point, int]:
    point, j = found
    reader = scope.reader
    if not point.trouble and (edge := reader.get(j, Cat.EDGE_POST)):
        point, j = at_edge(point, edge[0]), edge[1]
    if post := reader.get(j, Cat.APPROX_POST):
        point, j = approximate(point), post[1]
    return point, j






def reading_at(scope: Scope, i: int) -> Reading | None:
    """The longest time phrase that starts at token `i`."""
    best: Reading | None = None
    for rule in (_between, _durations, _limits, _throughout, _plain, _short_range):
        found = rule(scope, i)
        if found is not None and (best is None or found.next > best.next):
            best = found
    return best


def _after_words(scope: Scope, i: int, *, at_least: bool = True) -> tuple[int, bool]:
    """The index after fillers and "at least", and whether the latter was there."""
    reader = scope.reader
    least = reader.get(i, Cat.AT_LEAST) if at_least else None
    i = least[1] if least else i
    return i, least is not None


def _qualified(scope: Scope, i: int) -> Parsed:
    """A point behind a qualifier, which may repeat a preposition ("until in 2019")."""
    reader = scope.reader
    best: Parsed = None
    for j in dict.fromkeys((i, reader.skip(i, Cat.FILLER), reader.skip(i, Cat.FILLER, Cat.IN, Cat.AT))):
        best = _longer(best, point_at(scope, j))
    return best


def _between(scope: Scope, i: int) -> Reading | None:
    reader = scope.reader
    word = reader.get(i, Cat.BETWEEN)
    if word is None or (low := _qualified(scope, word[1])) is None:
        return None
    joint = reader.get(low[1], Cat.AND)
    high = _qualified(scope, joint[1]) if joint else None
    if high is None:
        return None
    left, right = share_year(low[0], high[0])
    end = closing[1] if (closing := reader.get(high[1], Cat.IN_POST)) else high[1]
    if reader.language.characters and end == high[1]:
        return None
    return Reading(end, "between", lower=("between", left), upper=("between", right))


def _upper_at(scope: Scope, i: int) -> tuple[str, Point, int] | None:
    reader = scope.reader
    best: tuple[str, Point, int] | None = None
    length = 0
    for cat, kind in _UPPER:
        word = reader.get(i, cat)
        found = _qualified(scope.ahead() if kind == "by" else scope, word[1]) if word else None
        if word and found and (best is None or found[1] > best[2] or (found[1] == best[2] and word[1] > length)):
            best, length = (kind, found[0], found[1]), word[1]
    if best is not None and (post := reader.get(best[2], Cat.UNTIL_POST)):
        kind = best[0] if reader.language.characters else "through"
        best = (kind, best[1], post[1])
    return best


def _limits(scope: Scope, i: int) -> Reading | None:
    """One or two limits: `since 2019`, `until May`, `from 2019 to 2021`, `after 2019 and before 2021`."""
    reader = scope.reader
    lower: tuple[str, Point, int] | None = None
    length = 0
    if (word := reader.get(i, Cat.DAY_WORD)) and word[1] > i + 1:
        return None  # "antes de ayer" is a day
    for cat, kind in (*_LOWER, (Cat.FROM, "from")):
        word = reader.get(i, cat)
        if word is None:
            continue
        j, least = _after_words(scope, word[1])
        if kind == "since" and (before := reader.get(j, Cat.BEFORE)):
            j, kind = before[1], "since-before"
        found = _qualified(scope, j)
        if found and (lower is None or found[1] > lower[2] or (found[1] == lower[2] and word[1] > length)):
            lower, length = ("since-at-least" if least else kind, found[0], found[1]), word[1]
    if lower is None:
        upper = _upper_at(scope, i)
        return None if upper is None else Reading(upper[2], f"{upper[0]}:{upper[1].rule}", upper=upper[:2])
    kind, point, j = lower
    joined = reader.get(j, Cat.TO)
    high = _qualified(scope, joined[1]) if joined else None
    upper = _upper_at(scope, reader.skip(j, Cat.AND, Cat.FILLER))
    if high and (upper is None or high[1] >= upper[2]) and (upper is None or upper[0] not in ("through", "before")):
        upper = (_joint(scope, j), *high)
    if upper and is_now(scope, upper[1]):
        return Reading(upper[2], f"since:{point.rule}", lower=(kind, point))
    if upper and kind != "since-at-least":
        left, right = share_year(point, upper[1])
        return Reading(upper[2], "range", lower=(kind, left), upper=(upper[0], right))
    if post := reader.get(j, Cat.SINCE_POST) or reader.get(j, Cat.ONWARD):
        return Reading(post[1], f"since:{point.rule}", lower=("since", point))
    if kind == "from" and reader.language.code == "zh" and reader.word(i) == "在":
        return None
    if point.rule == "day-of-month:bare" and reader.kind(j) == "word" and not reader.starts(j):
        return None  # "from the 1st district"
    return Reading(j, f"{kind}:{point.rule}", lower=(kind, point))


def _throughout(scope: Scope, i: int) -> Reading | None:
    """`throughout 2019`, `all of last year`: from its first instant to its last."""
    reader = scope.reader
    word = reader.get(i, Cat.THROUGHOUT) or reader.get(reader.skip(i, Cat.IN), Cat.THROUGHOUT)
    found = _qualified(scope, word[1]) if word else None
    if found is None:
        return None
    kind = "through" if found[0].period.precision is Precision.DAY else "until"
    return Reading(found[1], f"throughout:{found[0].rule}", lower=("from", found[0]), upper=(kind, found[0]))


def _durations(scope: Scope, i: int) -> Reading | None:
    """`for three years`, `for the last three years`, `in the past two weeks`, `seit drei Jahren`, `过去三年`."""
    reader = scope.reader
    j, kinds = i, []
    while (word := next((found for cat in (Cat.FOR, Cat.SINCE, Cat.IN) if (found := reader.get(j, cat))), None)):
        kinds.append(next(cat for cat in (Cat.FOR, Cat.SINCE, Cat.IN) if reader.get(j, cat) == word))
        j = word[1]
        if len(kinds) > 2:
            return None
    trailing = turned_number(scope, j)
    count_at = trailing[1] if trailing else j
    if (ago := reader.get(count_at, Cat.AGO_PRE)) and Cat.SINCE in kinds:
        count_at = ago[1]
    stretch = counted(scope, count_at)
    if stretch is None or not (kinds or trailing):
        return None
    if not trailing and Cat.FOR not in kinds and Cat.SINCE not in kinds:
        return None
    count, unit, vague, end = stretch
    if abs(count) > 100_000:
        return None
    end = post[1] if (post := reader.get(end, Cat.DURING_POST)) else end
    if Cat.SINCE in kinds and (post := reader.get(end, Cat.AGO_POST)):
        end = post[1]
    anchored = _anchored_duration(scope, end, count, unit)
    if anchored is not None:
        return anchored
    at = shift(scope.now, unit, -count)
    slack = tolerance(unit) * (2 if vague else 1)
    window = trailing and Cat.FOR not in kinds and Cat.SINCE not in kinds
    bound = Bound(at, at if window else at.plus(-slack), scope.now if window else min(at.plus(slack), scope.now))
    rule = "window" if window else "duration:last" if trailing or Cat.SINCE in kinds or post else "duration"
    return Reading(end, rule, duration=bound)


def _anchored_duration(scope: Scope, i: int, count: float, unit: int) -> Reading | None:
    """`for three years from 2019`, `for three years until May 2022`."""
    reader = scope.reader
    for cat in (Cat.FROM, Cat.SINCE):
        word = reader.get(i, cat)
        if word and (found := _qualified(scope, word[1])) and not found[0].trouble:
            return Reading(found[1], "duration:from", lower=("since", found[0]),
                           upper=("exactly", displaced(found[0], unit, count)))
    upper = _upper_at(scope, i)
    if upper and not upper[1].trouble:
        return Reading(upper[2], "duration:until", lower=("exactly", displaced(upper[1], unit, -count)),
                       upper=upper[:2])
    return None



def _plain(scope: Scope, i: int) -> Reading | None:
    """A point, with or without "in"/"on"; a range `X to Y`; a point with a qualifier behind it (`2019 onwards`)."""
    reader = scope.reader
    start = reader.skip(i, Cat.IN, Cat.AT)
    found = _longer(point_at(scope, i), point_at(scope, start) if start > i else None)
    if found is None:
        return None
    point, j = found
    point_end = j
    weak = point.weak and start == i
    joined = reader.get(j, Cat.TO)
    if joined and (high := _qualified(scope, joined[1])) and joinable(point, high[0]):
        left, right = share_year(point, high[0])
        kind = _joint(scope, point_end)
        j = post[1] if (post := reader.get(high[1], Cat.IN_POST)) else high[1]
        if is_now(scope, right):
            return Reading(j, f"since:{point.rule}", lower=("since", left))
        return Reading(j, "range", lower=("from", left), upper=(kind, right), weak=weak and right.weak)
    for cat, kind in ((Cat.SINCE_POST, "since"), (Cat.AFTER_POST, "after")):
        if post := reader.get(j, cat):
            return Reading(post[1], f"{kind}:{point.rule}", lower=(kind, point), weak=weak)
    for cat, kind in ((Cat.BEFORE_POST, "before"), (Cat.UNTIL_POST, "until")):
        if post := reader.get(j, cat):
            return Reading(post[1], f"{kind}:{point.rule}", upper=(kind, point), weak=weak)
    if post := reader.get(j, Cat.IN_POST):
        j = post[1]
    return Reading(j, f"at:{point.rule}", at=point, weak=weak)



def _joint(scope: Scope, i: int) -> str:
    """Whether the word between two limits takes the second one in: "June through August"."""
    through, to = scope.reader.get(i, Cat.THROUGH), scope.reader.get(i, Cat.TO)
    return "through" if through and to and through[1] >= to[1] else "until"




def _short_range(scope: Scope, i: int) -> Reading | None:
    """`3 to 10 May 2024`, `May 3–10, 2024`, `2019-21`, `from 3 to 10 May`."""
    reader = scope.reader
    prefix = reader.get(i, Cat.FROM) or reader.get(i, Cat.IN)
    start = reader.skip(prefix[1], Cat.FILLER) if prefix else i
    month = reader.get(start, Cat.MONTH)
    first: Found | None = reader.digits(month[1] if month else start)
    if first is None:
        return None
    mark = reader.get(first[1], Cat.ORDINAL_MARK)
    after = mark[1] if mark and reader.glued(first[1]) else first[1]
    joined, joint = reader.get(after, Cat.TO), _joint(scope, after)
    if joined is None:
        return None
    if not month and (year := year_number(scope, start)) and reader.word(joined[1] - 1) in ("-", "–", "—"):
        last = reader.digits(joined[1])
        if last and len(reader.word(joined[1])) == 2 and last[0] > year[0] % 100:
            end = year[0] // 100 * 100 + last[0]
            return Reading(last[1], "range", lower=("from", dated(year[0], 0, 0, "year")),
                           upper=("until", dated(end, 0, 0, "year")), weak=prefix is None)
    if first[0] > 31:
        return None
    if month:
        last = reader.digits(joined[1])
        if last is None or last[0] > 31:
            return None
        year = year_after(scope, last[1])
        number = year[0] if year else scope.year
        left, right = (dated(number, month[0], day, "month-day") for day in (first[0], last[0]))
        end = year[1] if year else last[1]
        return Reading(end, "range", lower=("from", left), upper=(joint, right))
    found = point_at(scope, joined[1])
    if found is None or found[0].trouble or found[0].period.precision is not Precision.DAY:
        return None
    civil = found[0].period.interval.start.civil()
    if first[0] >= civil[2]:
        return None
    left = dated(civil[0], civil[1], first[0], "day-month")
    return Reading(found[1], "range", lower=("from", left), upper=(joint, found[0]))

