"""Words of a language as data, and the reader that finds them in a text.

A `Language` is a table: category → value → surface forms separated by `|`. Forms may have several words. The grammar
only ever asks "is there a word of this category here, and with what value?", so a language is added by a table.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, auto
from functools import cached_property
from typing import Final

Found = tuple[int, int]  # (value, index of the next token)


class Cat(IntEnum):
    """Categories of words. The comment gives the meaning of the value."""

    NUMBER = auto()  # the number
    ONE = auto()  # 1: articles that count as one before a unit ("a week ago")
    VAGUE = auto()  # the number meant by "a couple of", "a few"
    HALF_NUMBER = auto()  # "half a" before a unit
    MULTIPLIER = auto()  # 100, 1000, 1000000 …
    HALF_MORE = auto()  # "and a half" after a number or unit
    ORDINAL = auto()  # the number
    ORDINAL_MARK = auto()  # "th", "." after digits
    MONTH = auto()  # 1–12
    WEEKDAY = auto()  # 0 Monday – 6 Sunday
    SEASON = auto()  # 21 spring – 24 winter (EDTF)
    UNIT = auto()  # a `Unit` value
    RELATIVE = auto()  # -2 … 2: last, this, next before the noun
    RELATIVE_POST = auto()  # the same after the noun ("pasado")
    FIXED_PERIOD = auto()  # unit * 10 + 5 + offset, one word for "last year" ("去年")
    TRAILING = auto()  # "past", "last" before a number ("the past three years")
    AGO_PRE = auto()
    AGO_POST = auto()
    HENCE_PRE = auto()
    HENCE_POST = auto()
    DAY_WORD = auto()  # offset in days: yesterday -1
    NOW = auto()
    HALF_DAY = auto()  # 0 am, 12 pm
    OCLOCK = auto()
    CLOCK_WORD = auto()  # hour: noon 12, midnight 0
    HALF_HOUR = auto()  # "半" after the hour
    DAY_PART = auto()  # 0 morning, 1 afternoon, 2 evening, 3 night
    PART = auto()  # 0 early, 1 mid, 2 late
    EDGE = auto()  # 0 beginning of, 1 end of, 2 middle of, 3 first half of, 4 second half of
    EDGE_POST = auto()  # the same after the period ("年初")
    APPROX = auto()
    APPROX_POST = auto()
    ERA_BEFORE = auto()  # BC after or before the year
    ERA = auto()  # AD
    REIGN = auto()  # before a year counted from it: the year before its first ("令和" 2018)
    YEAR_WORD = auto()  # 0 "year" before its number; 1 "años": a number below 100 is a decade
    QUARTER_PREFIX = auto()  # "Q" before a number
    HALF_PREFIX = auto()  # "H" before a number
    FISCAL = auto()
    WEEK_PREFIX = auto()  # "week", "KW" before a number
    DECADE_MARK = auto()  # "s", "er Jahre" after a number
    DECADE_WORD = auto()  # 90 for "nineties"
    CENTURY_PREFIX = auto()  # "siglo" before a number
    QUARTER_WORD = auto()  # 1–4: one word for a quarter
    HALF_WORD = auto()  # 1–2: one word for a half-year
    HOLIDAY = auto()  # month * 100 + day, 1000000 + days after Easter Sunday, or as `nth_holiday` gives it
    FILLER = auto()  # of, the, comma: may stand inside a date
    AT = auto()  # before a clock time or a day
    IN = auto()  # during, in, on
    SINCE = auto()
    AT_LEAST = auto()
    AFTER = auto()
    BEFORE = auto()
    BY = auto()
    UNTIL = auto()
    THROUGH = auto()
    FROM = auto()
    TO = auto()
    BETWEEN = auto()
    AND = auto()
    FOR = auto()  # before a duration
    THROUGHOUT = auto()  # from the first to the last instant of what follows
    ONWARD = auto()  # "on" in "from 2019 on"
    EARLIER = auto()  # 0 earlier, 1 later: "earlier this year"
    SINCE_POST = auto()
    AFTER_POST = auto()
    BEFORE_POST = auto()
    UNTIL_POST = auto()
    IN_POST = auto()
    DURING_POST = auto()
    YEAR_MARK = auto()  # 年
    MONTH_MARK = auto()  # 月
    DAY_MARK = auto()  # 日, 号


_CORE: Final = frozenset({
    Cat.MONTH, Cat.WEEKDAY, Cat.SEASON, Cat.UNIT, Cat.DAY_WORD, Cat.DECADE_WORD, Cat.HOLIDAY, Cat.CLOCK_WORD,
    Cat.DAY_PART, Cat.FIXED_PERIOD, Cat.QUARTER_WORD, Cat.HALF_WORD, Cat.CENTURY_PREFIX})
_NO_POINT: Final = frozenset({
    Cat.FILLER, Cat.AT, Cat.IN, Cat.SINCE, Cat.AT_LEAST, Cat.AFTER, Cat.BEFORE, Cat.BY, Cat.UNTIL, Cat.THROUGH,
    Cat.FROM, Cat.TO, Cat.BETWEEN, Cat.AND, Cat.FOR, Cat.THROUGHOUT, Cat.SINCE_POST, Cat.AFTER_POST, Cat.BEFORE_POST,
    Cat.UNTIL_POST, Cat.IN_POST, Cat.DURING_POST, Cat.ONWARD, Cat.ORDINAL_MARK, Cat.OCLOCK, Cat.YEAR_MARK,
    Cat.MONTH_MARK, Cat.DAY_MARK,
    Cat.APPROX_POST, Cat.EDGE_POST, Cat.HENCE_POST, Cat.AGO_POST, Cat.HALF_MORE, Cat.MULTIPLIER, Cat.DECADE_MARK,
    Cat.RELATIVE_POST, Cat.DAY_PART})
_NUMERIC: Final = frozenset({"iso", "dotted", "short", "slash", "clock", "num"})
_NEAR: Final = 9


class Unit:
    """Values of `Cat.UNIT`, from short to long."""

    SECOND, MINUTE, HOUR, DAY, WEEK, WEEKEND, FORTNIGHT, MONTH, QUARTER, HALF, YEAR, DECADE, CENTURY, MILLENNIUM = (
        range(14))


Table = Mapping[Cat, Mapping[int, str] | str]

_CJK: Final = "\u3007\u3040-\u30ff\u3400-\u9fff"
_TOKEN: Final = re.compile(
    r"(?P<iso>(?<![\w.+-])[+-]?\d{4,6}-(?:W\d\d(?:-[1-7])?|\d\d(?:-\d\d)?)"
    r"(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:\s?(?:Z|[+-]\d\d:?\d\d)\b)?)?(?![\w/-]))"
    r"|(?P<dotted>(?<![\w.])(?:\d{1,2}\.\s?\d{1,2}\.\s?\d{4}|\d{1,2}\.\d{1,2}\.\d{2}|\d{4}\.\d{1,2}\.\d{1,2})(?![\w]))"
    r"|(?P<short>(?<![\w.])\d{1,2}\.\d{1,2}\.(?!\d))"
    r"|(?P<slash>(?<![\w/])(?:\d{1,4}/\d{1,2}/\d{1,4}|\d{1,2}/\d{4})(?![\w/])"
    r"|(?<![\w.-])\d{1,2}-\d{1,2}-\d{4}(?![\w-]))"
    r"|(?P<clock>(?<![\w:])\d{1,2}[:：]\d{2}(?:[:：]\d{2})?(?![\d:]))"
    r"|(?P<num>\d{1,3}(?:[,.]\d{3})+(?![\d])|\d+\.\d{4,}|\d{1,3}[.,]\d{1,2}(?![\d.])|\d+)"
    rf"|(?P<cjk>[{_CJK}])"
    rf"|(?P<word>(?:[^\W\d_{_CJK}][\u0300-\u036f]*)+)"
    r"|(?P<other>\S)")

_NUMERAL: Final = re.compile("[ivxl]+(?:e|eme|er)?")
_YEARS: Final = re.compile(r"(\d{4})-(\d{2})")
_CJK_DIGITS: Final = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_CJK_TENS: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000, "萬": 10_000, "億": 100_000_000}


def fold(word: str) -> str:
    """The form in which words are compared: lower case, without diacritics and width variants."""
    lowered = word.lower()
    if lowered.isascii():
        return lowered
    return "".join(char for char in unicodedata.normalize("NFKD", lowered) if not unicodedata.combining(char))


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its kind (a group name of the token pattern), folded text and `[start, end)` offsets."""

    kind: str
    text: str
    start: int
    end: int


def tokenise(text: str) -> list[Token]:
    """Cut a text into tokens; each CJK character is one."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        token = Token(match.lastgroup or "other", fold(match.group()), *match.span())
        tokens += _two_years(token) if token.kind == "iso" else (token,)
    return tokens


def _two_years(token: Token) -> tuple[Token, ...]:
    """`1939-45` as the two years that it means; `2019-20` and `2023-05` stay one token."""
    pair = _YEARS.fullmatch(token.text)
    if pair is None or not int(pair[1]) % 100 + 1 < int(pair[2]) or int(pair[2]) <= 12:
        return (token,)
    cut = token.start + 4
    return (Token("num", pair[1], token.start, cut), Token("other", "-", cut, cut + 1),
            Token("num", pair[2], cut + 1, token.end))


def nth_holiday(month: int, weekday: int, number: int) -> int:
    """The value of a holiday on the `number`th weekday (0 Monday) of a month; 9 = the last."""
    return 2_000_000 + month * 1000 + weekday * 10 + number


def both_apostrophes(table: Table) -> Table:
    """A table whose forms with a straight apostrophe also stand with the curly one."""
    def wide(forms: str) -> str:
        return "|".join(spelt for form in forms.split("|") for spelt in dict.fromkeys((form, form.replace("'", "’"))))

    return {cat: wide(forms) if isinstance(forms, str) else {value: wide(text) for value, text in forms.items()}
            for cat, forms in table.items()}


@dataclass(frozen=True)
class Language:
    """The time words of one language.

    Attributes:
        code: ISO 639-1.
        table: category → value → forms (`|` between them); a plain string stands for the value 0.
        marks: frequent function words that tell the language of a sentence.
        day_first: how `4/5/2024` is read: True, False, or None where writers differ (then it is refused).
        week_relative: "last Tuesday" means Tuesday of last week.
        decade_words_alone: "nineties" names a decade; where it is the number, "años" or such must stand before it.
    """

    code: str
    table: Table
    marks: frozenset[str] = frozenset()
    day_first: bool | None = True
    week_relative: bool = False
    decade_words_alone: bool = True

    @property
    def characters(self) -> bool:
        """Written in characters without spaces, numbers before their marks ("年")."""
        return Cat.YEAR_MARK in self.table

    @cached_property
    def index(self) -> Mapping[str, tuple[tuple[tuple[str, ...], Cat, int], ...]]:
        """First word → (all words, category, value), longest first."""
        entries: dict[str, list[tuple[tuple[str, ...], Cat, int]]] = {}
        for cat, forms in self.table.items():
            for value, text in ({0: forms} if isinstance(forms, str) else forms).items():
                for form in text.split("|"):
                    words = tuple(token.text for token in tokenise(form))
                    entries.setdefault(words[0], []).append((words, cat, value))
        return {first: tuple(sorted(found, key=lambda entry: -len(entry[0]))) for first, found in entries.items()}


class Reader:
    """The tokens of a text with the words of one language marked on them."""

    def __init__(self, text: str, language: Language) -> None:
        """Tokenise and mark `text`."""
        self.text = text
        self.language = language
        self.tokens = tokenise(text)
        self.size = len(self.tokens)
        self._marks = [self._mark(i) for i in range(self.size)]
        self.memo: dict[object, object] = {}
        self._core = [i for i in range(self.size) if self._tells_time(i)]

    def _mark(self, i: int) -> dict[Cat, Found] | None:
        entries = self.language.index.get(self.tokens[i].text)
        if entries is None:
            return None
        marks: dict[Cat, Found] = {}
        for words, cat, value in entries:
            end = i + len(words)
            if cat not in marks and end <= self.size and all(
                    self.tokens[i + k].text == word for k, word in enumerate(words)):
                marks[cat] = (value, end)
        return marks

    def _tells_time(self, i: int) -> bool:
        marks = self._marks[i]
        token = self.tokens[i]
        return token.kind in _NUMERIC or token.text in _CJK_DIGITS or token.text in _CJK_TENS or (
            marks is not None and not _CORE.isdisjoint(marks)) or self._is_numeral(i)

    def _is_numeral(self, i: int) -> bool:
        """Whether token `i` is a Roman numeral before a century ("XIXe siècle")."""
        return _NUMERAL.fullmatch(self.tokens[i].text) is not None and i + 1 < self.size and any(
            cat is Cat.UNIT and value == Unit.CENTURY
            for words, cat, value in self.language.index.get(self.tokens[i + 1].text, ()))

    def may_name(self, i: int) -> bool:
        """Whether a point could begin at token `i`: not at a mere preposition or mark."""
        marks = self._marks[i]
        token = self.tokens[i]
        return (marks is not None and not _NO_POINT.issuperset(marks)) or token.kind in _NUMERIC or (
            token.text in _CJK_DIGITS or token.text in _CJK_TENS or token.text in ("'", "’")) or self._is_numeral(i)

    def starts(self, i: int) -> bool:
        """Whether a time phrase could begin at token `i`: it is no mark, and something of time stands nearby."""
        if self._marks[i] is None and not self._tells_time(i):
            return False
        k = bisect_left(self._core, i)
        return k < len(self._core) and self._core[k] - i <= _NEAR

    def get(self, i: int, cat: Cat) -> Found | None:
        """The value of a word of this category at `i` and the index after it."""
        if i >= self.size or (marks := self._marks[i]) is None:
            return None
        return marks.get(cat)

    def skip(self, i: int, *cats: Cat) -> int:
        """The index after any run of words of these categories."""
        moved = True
        while moved:
            moved = False
            for cat in cats:
                if found := self.get(i, cat):
                    i, moved = found[1], True
        return i

    def kind(self, i: int) -> str:
        """The kind of token `i`, "" after the last."""
        return self.tokens[i].kind if i < self.size else ""

    def word(self, i: int) -> str:
        """The folded text of token `i`, "" after the last."""
        return self.tokens[i].text if i < self.size else ""

    def raw(self, i: int) -> str:
        """Token `i` as written, "" after the last."""
        return self.text[self.tokens[i].start:self.tokens[i].end] if i < self.size else ""

    def glued(self, i: int) -> bool:
        """Whether token `i` follows the one before without a space."""
        return 0 < i < self.size and self.tokens[i - 1].end == self.tokens[i].start

    def digits(self, i: int) -> Found | None:
        """A whole number written in digits without separators, or in CJK numerals."""
        if self.kind(i) == "num" and self.word(i).isdecimal() and len(self.word(i)) <= 18:
            return int(self.word(i)), i + 1
        return self._cjk(i)

    def number(self, i: int) -> tuple[float, int] | None:
        """A number in digits or words, with its multipliers ("65 million")."""
        value: float
        if self.kind(i) == "num" and len(self.word(i)) <= 18:
            word = self.word(i)
            grouped = re.fullmatch(r"\d{1,3}(?:[,.]\d{3})+", word)
            value = float(re.sub("[,.]", "", word) if grouped else word.replace(",", "."))
            i += 1
        elif (half := self.get(i, Cat.HALF_NUMBER)) is not None and (
                half[1] > (self.get(i, Cat.NUMBER) or (0, 0))[1]):
            return 0.5, half[1]
        elif (found := self._cjk(i) or self.get(i, Cat.NUMBER)) is not None:
            value, i = float(found[0]), found[1]
        else:
            return None
        while (times := self.get(i, Cat.MULTIPLIER)) is not None and value < 1e12:
            value, i = value * times[0], times[1]
        return value, i

    def _cjk(self, i: int) -> Found | None:
        start, chars = i, []
        while self.word(i) in _CJK_DIGITS or self.word(i) in _CJK_TENS:
            chars.append(self.word(i))
            i += 1
        if not chars or len(chars) > 12:
            return None
        if len(chars) > 1 and all(char in _CJK_DIGITS for char in chars):
            return int("".join(str(_CJK_DIGITS[char]) for char in chars)), i
        total = section = digit = 0
        for char in chars:
            if char in _CJK_DIGITS:
                digit = _CJK_DIGITS[char]
            elif (size := _CJK_TENS[char]) >= 10_000:
                total, section, digit = total + (section + digit or 1) * size, 0, 0
            else:
                section, digit = section + (digit or 1) * size, 0
        return (total + section + digit, i) if i > start else None
