"""Time phrases with what they state, for `make.py`. Standard library only; knows nothing of the workbench.

A `Stated` has the best instants of a phrase read as a start and as an end, on the speaker's wall clock: a day as an
end is exclusive, a longer period inclusive. Where the words are vague there is a stretch instead: any instant within.
"""

# ruff: noqa: DTZ001 - readings of the speaker's wall clock; make.py puts the zones on
from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

MONTHS: Mapping[str, list[str]] = {
    "en": "January February March April May June July August September October November December".split(),
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(),
}
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}
Moment = datetime
Stretch = tuple[Moment, Moment]


@dataclass(frozen=True)
class Stated:
    """A phrase, its class, and what it states at each end: an instant, a stretch, or nothing."""

    phrase: str
    kind: str
    start: Moment | Stretch | None = None
    end: Moment | Stretch | None = None


@dataclass(frozen=True)
class Period:
    """A calendar period `[first, after)`; a day is exclusive as an end."""

    first: Moment
    after: Moment

    def at(self, phrase: str, kind: str) -> Stated:
        """Said of a start or of an end."""
        day = self.after - self.first <= timedelta(days=1)
        return Stated(phrase, kind, self.first, self.first if day else self.after)

    def vague(self, phrase: str, kind: str) -> Stated:
        """Somewhere in it."""
        return Stated(phrase, kind, (self.first, self.after), (self.first, self.after))


def year(number: int) -> Period:
    """A calendar year."""
    return Period(datetime(number, 1, 1), datetime(number + 1, 1, 1))


def months(number: int, month: int, count: int = 1) -> Period:
    """`count` calendar months from the first of `month`."""
    last = number * 12 + month - 1 + count
    return Period(datetime(number, month, 1), datetime(last // 12, last % 12 + 1, 1))


def day(at: Moment) -> Period:
    """The calendar day of a reading."""
    first = datetime(at.year, at.month, at.day)
    return Period(first, first + timedelta(days=1))


def back(at: Moment, count: int) -> Moment:
    """`count` months before, the day kept where it exists."""
    total = at.year * 12 + at.month - 1 - count
    number, month = total // 12, total % 12 + 1
    last = (months(number, month).after - timedelta(days=1)).day
    return at.replace(year=number, month=month, day=min(at.day, last))


def _past_day(now: Moment, draw: random.Random) -> Moment:
    return now - timedelta(days=draw.randint(40, 3000))


Maker = Callable[[Moment, random.Random], Stated]


def _month_bare(now: Moment, draw: random.Random) -> Stated:
    at = back(now, draw.randint(1, 11))
    return months(at.year, at.month).at(f"in {MONTHS['en'][at.month - 1]}", "month without year")


def _day_bare(now: Moment, draw: random.Random) -> Stated:
    at = now - timedelta(days=draw.randint(5, 340))
    at = at.replace(day=min(at.day, 28))
    return day(at).at(f"on {at.day} {MONTHS['en'][at.month - 1]}", "day without year")


def _weekday(now: Moment, draw: random.Random) -> Stated:
    at = now - timedelta(days=draw.randint(1, 7))
    return day(at).at(f"last {_DAYS[at.weekday()]}", "weekday")


def _last_week(now: Moment, draw: random.Random) -> Stated:
    monday = day(now).first - timedelta(days=now.weekday() + 7)
    return Period(monday, monday + timedelta(days=7)).at("last week", "relative")


def _last_month(now: Moment, draw: random.Random) -> Stated:
    at = back(now.replace(day=1), 1)
    return months(at.year, at.month).at("last month", "relative")


def _weeks_ago(now: Moment, draw: random.Random) -> Stated:
    count = draw.choice([2, 3, 4, 5, 6])
    there = day(now).first - timedelta(weeks=count)
    return Period(there - timedelta(days=4), there + timedelta(days=5)).vague(f"{_NUMBERS[count]} weeks ago", "ago")


def _months_ago(now: Moment, draw: random.Random) -> Stated:
    count = draw.choice([2, 3, 4, 6, 9])
    at = back(now, count)
    return months(at.year, at.month).vague(f"{_NUMBERS[count]} months ago", "ago")


def _years_ago(now: Moment, draw: random.Random) -> Stated:
    count = draw.choice([2, 3, 5, 7])
    return year(now.year - count).vague(f"{_NUMBERS[count]} years ago", "ago")


def _days_ago(now: Moment, draw: random.Random) -> Stated:
    count = draw.choice([2, 3, 4, 5])
    return day(now - timedelta(days=count)).at(f"{_NUMBERS[count]} days ago", "ago")


def _dated(prefix: str, now: Moment, draw: random.Random) -> Stated:
    at = _past_day(now, draw)
    name = MONTHS["en"][at.month - 1]
    form = draw.choice([f"{at.day} {name} {at.year}", f"{name} {at.day}, {at.year}", at.date().isoformat()])
    return day(at).at(f"{prefix}{form}", "day")


def _month(prefix: str, now: Moment, draw: random.Random) -> Stated:
    at = _past_day(now, draw)
    return months(at.year, at.month).at(f"{prefix}{MONTHS['en'][at.month - 1]} {at.year}", "month")


def _year(prefix: str, now: Moment, draw: random.Random) -> Stated:
    number = draw.randint(now.year - 15, now.year - 1)
    return year(number).at(f"{prefix}{number}", "year")


def _quarter(now: Moment, draw: random.Random) -> Stated:
    number, quarter = draw.randint(now.year - 6, now.year - 1), draw.randint(1, 4)
    form = draw.choice([f"in Q{quarter} {number}",
                        f"in the {('first', 'second', 'third', 'fourth')[quarter - 1]} quarter of {number}"])
    return months(number, quarter * 3 - 2, 3).at(form, "quarter")


def _season(now: Moment, draw: random.Random) -> Stated:
    number = draw.randint(now.year - 8, now.year - 1)
    name, month = draw.choice([("spring", 3), ("summer", 6), ("autumn", 9)])
    return months(number, month, 3).at(f"in the {name} of {number}", "season")


def _early(now: Moment, draw: random.Random) -> Stated:
    number = draw.randint(now.year - 8, now.year - 1)
    return Period(datetime(number, 1, 1), datetime(number, 6, 1)).vague(f"in early {number}", "part")


def _end_of(now: Moment, draw: random.Random) -> Stated:
    number = draw.randint(now.year - 8, now.year - 1)
    return Period(datetime(number, 10, 1), datetime(number + 1, 1, 1)).vague(f"at the end of {number}", "part")


_AT: list[Maker] = [
    lambda now, draw: _year("in ", now, draw), lambda now, draw: _month("in ", now, draw),
    lambda now, draw: _month("in ", now, draw), lambda now, draw: _dated("on ", now, draw),
    lambda now, draw: _dated("on ", now, draw), _month_bare, _day_bare, _weekday, _last_week, _last_month, _weeks_ago,
    _months_ago, _years_ago, _days_ago, _quarter, _season, _early, _end_of,
    lambda now, draw: day(now - timedelta(days=1)).at("yesterday", "relative"),
    lambda now, draw: year(now.year - 1).at("last year", "relative"),
]
_SINCE: list[Maker] = [
    lambda now, draw: _year("since ", now, draw), lambda now, draw: _month("since ", now, draw),
    lambda now, draw: _dated("since ", now, draw),
    lambda now, draw: year(now.year - 1).at("since last year", "relative"),
    lambda now, draw: day(now - timedelta(days=1)).at("since yesterday", "relative"),
]
_UNTIL: list[Maker] = [
    lambda now, draw: _year("until ", now, draw), lambda now, draw: _month("until ", now, draw),
    lambda now, draw: _dated("until ", now, draw), lambda now, draw: _year("until the end of ", now, draw),
    lambda now, draw: year(now.year - 1).at("until last year", "relative"),
]


def _range(now: Moment, draw: random.Random) -> Stated:
    low = draw.randint(now.year - 15, now.year - 5)
    high = draw.randint(low + 1, now.year - 2)
    one, other = draw.randint(1, 12), draw.randint(1, 12)
    names = MONTHS["en"]
    kind = draw.randrange(4)
    if kind == 0:
        form = draw.choice(["from {} to {}", "from {} until {}", "between {} and {}"]).format(low, high)
        return Stated(form, "range", year(low).first, year(high).after)
    if kind == 1:
        form = draw.choice(["from {} {} to {} {}", "from {} {} until {} {}"])
        return Stated(form.format(names[one - 1], low, names[other - 1], high), "range",
                      months(low, one).first, months(high, other).after)
    if kind == 2:
        start, end = datetime(low, one, draw.randint(1, 28)), datetime(high, other, draw.randint(1, 28))
        return Stated(f"from {start.day} {names[one - 1]} {low} to {end.day} {names[other - 1]} {high}", "range",
                      start, end)
    return Stated(f"from {low} through {high}", "range", year(low).first, year(high).after)


def _duration(now: Moment, draw: random.Random) -> Stated:
    count = draw.choice([2, 3, 4, 5, 6, 8, 10])
    unit = draw.choice(["years", "years", "months", "weeks"])
    if unit == "weeks":
        at, slack = now - timedelta(weeks=count), timedelta(days=4)
    else:
        at = back(now, count * (12 if unit == "years" else 1))
        slack = timedelta(days=184 if unit == "years" else 16)
    return Stated(f"{_NUMBERS[count]} {unit}", "duration", (at - slack, at + slack))


def _future_day(prefix: str, now: Moment, draw: random.Random) -> Stated:
    at = now + timedelta(days=draw.randint(20, 600))
    at = at.replace(day=min(at.day, 28))
    return day(at).at(f"{prefix}{at.day} {MONTHS['en'][at.month - 1]} {at.year}", "future")


def _future(now: Moment, draw: random.Random) -> Stated:
    kind = draw.randrange(4)
    if kind == 0:
        return year(now.year + 1).at("next year", "future")
    if kind == 1:
        at = back(now.replace(day=1), -1)
        return months(at.year, at.month).at("next month", "future")
    if kind == 2:
        at = now + timedelta(days=draw.randint(1, 7))
        return day(at).at(f"next {_DAYS[at.weekday()]}", "future")
    return _future_day("on ", now, draw)


_ENGLISH: Mapping[str, list[Maker]] = {
    "start": _AT, "end": _AT, "since": _SINCE, "until": _UNTIL, "range": [_range], "dur": [_duration],
    "fut": [_future], "futday": [lambda now, draw: _future_day("", now, draw)],
}

# language: (year, month, day, yesterday) of each slot, with {y}, {m} (name or number) and {d}
_FORMS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "de": {"at": ("im Jahr {y}", "im {m} {y}", "am {d}. {m} {y}", "gestern"),
           "since": ("seit {y}", "seit {m} {y}", "seit dem {d}. {m} {y}", "seit gestern"),
           "until": ("bis {y}", "bis {m} {y}", "bis zum {d}. {m} {y}", "bis gestern"),
           "range": ("von {y} bis {y2}", "von {m} {y} bis {m2} {y2}")},
    "es": {"at": ("en {y}", "en {m} de {y}", "el {d} de {m} de {y}", "ayer"),
           "since": ("desde {y}", "desde {m} de {y}", "desde el {d} de {m} de {y}", "desde ayer"),
           "until": ("hasta {y}", "hasta {m} de {y}", "hasta el {d} de {m} de {y}", "hasta ayer"),
           "range": ("de {y} a {y2}", "desde {m} de {y} hasta {m2} de {y2}")},
    "fr": {"at": ("en {y}", "en {m} {y}", "le {d} {m} {y}", "hier"),
           "since": ("depuis {y}", "depuis {m} {y}", "depuis le {d} {m} {y}", "depuis hier"),
           "until": ("jusqu'en {y}", "jusqu'en {m} {y}", "jusqu'au {d} {m} {y}", "jusqu'à hier"),
           "range": ("de {y} à {y2}", "de {m} {y} à {m2} {y2}")},
    "pt": {"at": ("em {y}", "em {m} de {y}", "em {d} de {m} de {y}", "ontem"),
           "since": ("desde {y}", "desde {m} de {y}", "desde {d} de {m} de {y}", "desde ontem"),
           "until": ("até {y}", "até {m} de {y}", "até {d} de {m} de {y}", "até ontem"),
           "range": ("de {y} a {y2}", "de {m} de {y} a {m2} de {y2}")},
    "zh": {"at": ("{y}年", "{y}年{m}月", "{y}年{m}月{d}日", "昨天"),
           "since": ("自{y}年起", "从{y}年{m}月起", "自{y}年{m}月{d}日起", "从昨天起"),
           "until": ("直到{y}年", "直到{y}年{m}月", "直到{y}年{m}月{d}日", "直到昨天"),
           "range": ("从{y}年到{y2}年", "从{y}年{m}月到{y2}年{m2}月")},
    "ja": {"at": ("{y}年", "{y}年{m}月", "{y}年{m}月{d}日", "昨日"),
           "since": ("{y}年から", "{y}年{m}月から", "{y}年{m}月{d}日から", "昨日から"),
           "until": ("{y}年まで", "{y}年{m}月まで", "{y}年{m}月{d}日まで", "昨日まで"),
           "range": ("{y}年から{y2}年まで", "{y}年{m}月から{y2}年{m2}月まで")},
}


def _foreign(slot: str, language: str, now: Moment, draw: random.Random) -> Stated:
    forms = _FORMS[language]["at" if slot in ("start", "end") else slot]
    at = _past_day(now, draw)
    names = MONTHS.get(language, [str(number) for number in range(1, 13)])
    size = draw.randrange(len(forms))
    if slot == "range":
        low, high = at.year - draw.randint(3, 8), at.year - 1
        other = draw.randint(1, 12)
        phrase = forms[size].format(y=low, y2=high, m=names[at.month - 1], m2=names[other - 1])
        if size == 0:
            return Stated(phrase, "range", year(low).first, year(high).after)
        return Stated(phrase, "range", months(low, at.month).first, months(high, other).after)
    phrase = forms[size].format(y=at.year, m=names[at.month - 1], d=at.day)
    period = (year(at.year), months(at.year, at.month), day(at), day(now - timedelta(days=1)))[size]
    return period.at(phrase, ("year", "month", "day", "relative")[size])


def stated(slot: str, language: str, now: Moment, draw: random.Random) -> Stated:
    """A phrase for a slot of a phrasing, said at `now` on the speaker's wall clock."""
    if language != "en":
        return _foreign(slot, language, now, draw)
    return draw.choice(_ENGLISH[slot])(now, draw)
