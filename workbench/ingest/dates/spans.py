"""Qualifiers around points: since, until, before, by, from–to, between–and, for three years."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, cast

from workbench.ingest.dates.calendar import edge_of, part_of, shift, unit_period
from workbench.ingest.dates.clock import alone, on_date, read_clock, tolerance, with_clock
from workbench.ingest.dates.lexicon import Cat, Found
from workbench.ingest.dates.periods import ABSOLUTE
from workbench.ingest.dates.point import Parsed, Point, Scope, dated, first_of
from workbench.ingest.dates.relative import RELATIVE, counted, turned_number
from workbench.ingest.dates.years import year_after, year_number
from workbench.model.time import DAY, Bound, Interval, Precision

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
    if found is None and (filler := reader.skip(i, Cat.FILLER)) > i:
        found = point_at(scope, filler, depth + 1)
    return None if found is None else _after(scope, found)


def _longer(one: Parsed, other: Parsed) -> Parsed:
    if one is None or other is None:
        return one or other
    return other if other[1] > one[1] else one


def _modified(scope: Scope, i: int, depth: int) -> Parsed:
    """`early 1990s`, `the end of Q3 2023`, `about 2019`, `end of the month`."""
    reader = scope.reader
    if about := reader.get(i, Cat.APPROX):
        inner = point_at(scope, reader.skip(about[1], Cat.FILLER, Cat.IN), depth + 1)
        return None if inner is None else (_approximate(inner[0]), inner[1])
    if (turn := reader.get(i, Cat.EARLIER)) and (inner := point_at(scope, turn[1], depth + 1)):
        return (_side(scope, inner[0], turn[0]), inner[1]) if inner[0].rule.startswith(("turned", "day-word")) else None
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
        return (_edge(inner[0], found[0]) if cat is Cat.EDGE else _part(inner[0], found[0])), inner[1]
    return None


def _after(scope: Scope, found: tuple[Point, int]) -> tuple[Point, int]:
    point, j = found
    reader = scope.reader
    if not point.trouble and (edge := reader.get(j, Cat.EDGE_POST)):
        point, j = _edge(point, edge[0]), edge[1]
    if post := reader.get(j, Cat.APPROX_POST):
        point, j = _approximate(point), post[1]
    return point, j


def _approximate(point: Point) -> Point:
    return replace(point, period=replace(point.period, approximate=True), rule=point.rule + "~", weak=False)


def _part(point: Point, part: int) -> Point:
    return replace(point, period=part_of(point.period, part), rule="part:" + point.rule, weak=False, bare=None)


def _side(scope: Scope, point: Point, later: int) -> Point:
    """The part of the point before the anchor, or after it."""
    low, high, now = point.period.interval.start, point.period.interval.end, scope.now
    if not low < now < high:
        return point
    interval = Interval(now, high) if later else Interval(low, now)
    return replace(point, period=replace(point.period, interval=interval, precision=Precision.SPAN),
                   rule=("earlier:", "later:")[later] + point.rule)


def _edge(point: Point, edge: int) -> Point:
    return replace(point, period=edge_of(point.period, edge), whole=point.period.interval, bare=None,
                   edge=None if edge == 2 or point.period.precision in (Precision.DAY, Precision.INSTANT) else edge,
                   rule=("beginning-of:", "end-of:", "middle-of:")[edge] + point.rule, weak=False)


def reading_at(scope: Scope, i: int) -> Reading | None:
    """The longest time phrase that starts at token `i`."""
    best: Reading | None = None
    for rule in (_between, _durations, _limits, _plain, _short_range):
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
    left, right = _share_year(low[0], high[0])
    end = closing[1] if (closing := reader.get(high[1], Cat.IN_POST)) else high[1]
    if reader.language.code == "zh" and end == high[1]:
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
        kind = "through" if reader.language.code == "es" else best[0]
        best = (kind, best[1], post[1])
    return best


def _limits(scope: Scope, i: int) -> Reading | None:
    """One or two limits: `since 2019`, `until May`, `from 2019 to 2021`, `after 2019 and before 2021`."""
    reader = scope.reader
    lower: tuple[str, Point, int] | None = None
    length = 0
    for cat, kind in (*_LOWER, (Cat.FROM, "from")):
        word = reader.get(i, cat)
        if word is None:
            continue
        j, least = _after_words(scope, word[1])
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
    if upper and upper[1].rule == "now":
        return Reading(upper[2], f"since:{point.rule}", lower=(kind, point))
    if upper and kind != "since-at-least":
        left, right = _share_year(point, upper[1])
        return Reading(upper[2], "range", lower=(kind, left), upper=(upper[0], right))
    if post := reader.get(j, Cat.SINCE_POST) or reader.get(j, Cat.ONWARD):
        return Reading(post[1], f"since:{point.rule}", lower=("since", point))
    if kind == "from" and reader.language.code == "zh" and reader.word(i) == "在":
        return None
    return Reading(j, f"{kind}:{point.rule}", lower=(kind, point))


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
                           upper=("exactly", _displaced(found[0], unit, count)))
    upper = _upper_at(scope, i)
    if upper and not upper[1].trouble:
        return Reading(upper[2], "duration:until", lower=("exactly", _displaced(upper[1], unit, -count)),
                       upper=upper[:2])
    return None


def _displaced(point: Point, unit: int, count: float) -> Point:
    low, high = (shift(end, unit, count) for end in (point.period.interval.start, point.period.interval.end))
    if not low < high:
        return point
    return replace(point, period=replace(point.period, interval=Interval(low, high)), best=None, whole=None, edge=None)


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
    if joined and (high := _qualified(scope, joined[1])) and _joinable(point, high[0]):
        left, right = _share_year(point, high[0])
        kind = _joint(scope, point_end)
        j = post[1] if (post := reader.get(high[1], Cat.IN_POST)) else high[1]
        if right.rule == "now":
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


def _joinable(left: Point, right: Point) -> bool:
    return bool(left.trouble or right.trouble) or left.period.interval.start <= right.period.interval.start or (
        left.bare is not None or right.bare is not None or right.rule == "weekday:bare")


def _share_year(left: Point, right: Point) -> tuple[Point, Point]:
    """A missing year is the other limit's: `March to May 2024`, `May 2023 to March`."""
    if left.trouble or right.trouble:
        return left, right
    if left.bare and not right.bare:
        year = right.period.interval.start.civil()[0]
        guess = dated(year, *left.bare, left.rule)
        if not guess.trouble and guess.period.interval.start > right.period.interval.start:
            guess = dated(year - 1, *left.bare, left.rule)
        return guess, right
    if right.rule == "weekday:bare" and right.period.interval.start < left.period.interval.start:
        low, high = (end.plus(7 * DAY) for end in (right.period.interval.start, right.period.interval.end))
        return left, replace(right, period=replace(right.period, interval=Interval(low, high)))
    if right.bare:
        year = left.period.interval.start.civil()[0]
        guess = dated(year, *right.bare, right.rule)
        if not guess.trouble and guess.period.interval.start < left.period.interval.start:
            guess = dated(year + 1, *right.bare, right.rule)
        return left, guess
    return left, right


def _short_range(scope: Scope, i: int) -> Reading | None:
    """`3 to 10 May 2024`, `May 3–10, 2024`, `2019-21`, `from 3 to 10 May`."""
    reader = scope.reader
    prefix = reader.get(i, Cat.FROM) or reader.get(i, Cat.IN)
    start = prefix[1] if prefix else i
    month = reader.get(start, Cat.MONTH)
    first: Found | None = reader.digits(month[1] if month else start)
    if first is None:
        return None
    mark = reader.get(first[1], Cat.ORDINAL_MARK)
    after = mark[1] if mark else first[1]
    joined, joint = reader.get(after, Cat.TO), _joint(scope, after)
    if joined is None:
        return None
    if not month and (year := year_number(scope, start)) and reader.word(joined[1] - 1) in ("-", "–", "—"):
        last = reader.digits(joined[1])
        if last and len(reader.word(joined[1])) == 2 and last[0] > year[0] % 100:
            end = year[0] // 100 * 100 + last[0]
            return Reading(last[1], "range", lower=("from", dated(year[0], 0, 0, "year")),
                           upper=("until", dated(end, 0, 0, "year")), weak=True)
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

