"""Year numbers and day numbers: the parts that dates are made of."""

from __future__ import annotations

import re

from workbench.ingest.dates.lexicon import Cat, Found, Unit
from workbench.ingest.dates.point import Scope, remembered


def two_digits(scope: Scope, number: int) -> int:
    """The year of two digits that lies within 80 years before and 20 after the anchor."""
    base = (scope.year + 20) // 100 * 100 + number
    return base if base <= scope.year + 20 else base - 100


def era(scope: Scope, i: int) -> tuple[int, int] | None:
    """-1 for BC, 1 for AD at `i`, and the index after it."""
    if found := scope.reader.get(i, Cat.ERA_BEFORE):
        return -1, found[1]
    if found := scope.reader.get(i, Cat.ERA):
        return 1, found[1]
    return None


@remembered
def year_number(scope: Scope, i: int) -> Found | None:
    """A year with its era, astronomical: `2023`, `44 BC` (-43), `AD 79`, `year 12000`, `2023年`, `'23`."""
    reader = scope.reader
    any_size = False
    worded = reader.get(i, Cat.YEAR_WORD)
    if worded is not None and worded[0] == 0:
        i, any_size = worded[1], True
    before = era(scope, i)
    if before:
        i, any_size = before[1], True
    if reign := reader.get(i, Cat.REIGN):
        count = (1, reign[1] + 1) if reader.word(reign[1]) == "元" else reader.digits(reign[1])
        mark = count and reader.get(count[1], Cat.YEAR_MARK)
        return (reign[0] + count[0], mark[1]) if count and mark else None
    if reader.word(i) in ("'", "’") and reader.kind(i + 1) == "num" and len(reader.word(i + 1)) == 2:
        return (two_digits(scope, int(reader.word(i + 1))), i + 2) if reader.word(i + 1).isdecimal() else None
    number = reader.digits(i) or _grouped(scope, i, any_size)
    if number is None:
        return None
    value, j = number
    sign = before[0] if before else 0
    marked = reader.get(j, Cat.YEAR_MARK)
    if marked:
        j, any_size = marked[1], True
        value = two_digits(scope, value) if value < 100 and not sign else value
    if not sign and (after := era(scope, j)) is not None:
        sign, j = after
    if sign < 0:
        return 1 - value, j
    if sign > 0 or any_size or (1000 <= value <= 2999 and len(reader.word(i)) == 4):
        return value, j
    return None


def _grouped(scope: Scope, i: int, any_size: bool) -> Found | None:
    word = scope.reader.word(i)
    if any_size and scope.reader.kind(i) == "num" and re.fullmatch(r"\d{1,3}(?:[,.]\d{3})+", word):
        return int(re.sub("[,.]", "", word)), i + 1
    return None


@remembered
def relative_year(scope: Scope, i: int) -> Found | None:
    """A year told by the anchor: `last year`, `el año pasado`, `去年`, `two years ago` is left to its own rule."""
    reader = scope.reader
    if (fixed := reader.get(i, Cat.FIXED_PERIOD)) and fixed[0] // 10 == Unit.YEAR:
        return scope.year + fixed[0] % 10 - 5, fixed[1]
    if (turn := reader.get(i, Cat.RELATIVE)) and (unit := reader.get(turn[1], Cat.UNIT)) and unit[0] == Unit.YEAR:
        return scope.year + turn[0], unit[1]
    if (unit := reader.get(i, Cat.UNIT)) and unit[0] == Unit.YEAR and (
            turn := reader.get(unit[1], Cat.RELATIVE_POST)):
        return scope.year + turn[0], turn[1]
    return None


def year_after(scope: Scope, i: int) -> Found | None:
    """The year that completes a date ending before `i`: an explicit or a relative one, after fillers."""
    reader = scope.reader
    j = i
    while True:
        if found := year_number(scope, j) or relative_year(scope, j):
            return found
        if (filler := reader.get(j, Cat.FILLER)) is None:
            break
        j = filler[1]
    if reader.word(i) == "-" and reader.glued(i) and (found := year_number(scope, i + 1)):
        return found
    return None


@remembered
def day_number(scope: Scope, i: int) -> Found | None:
    """A number of one or two digits, or an ordinal word, that may be a day; with its ordinal mark."""
    reader = scope.reader
    if (ordinal := reader.get(i, Cat.ORDINAL)) and ordinal[0] <= 31:
        return ordinal
    number = reader.digits(i)
    if number is None or number[0] > 99 or (reader.kind(i) == "num" and len(reader.word(i)) > 2):
        return None
    value, j = number
    mark = reader.get(j, Cat.ORDINAL_MARK)
    return (value, mark[1]) if mark and reader.glued(j) else (value, j)
