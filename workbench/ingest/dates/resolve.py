"""The two entry points: resolve a whole phrase, or find the phrases of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, tzinfo
from typing import Final

from workbench.ingest.dates.fallback import read_point
from workbench.ingest.dates.languages import LANGUAGES
from workbench.ingest.dates.lexicon import Cat, Language, Reader, fold
from workbench.ingest.dates.meaning import span_of
from workbench.ingest.dates.point import Point, Scope
from workbench.ingest.dates.spans import Reading, reading_at
from workbench.ingest.dates.values import Role, TimeMention, TimeSpan
from workbench.model.time import Instant, Unparsed, in_zone, read_end, read_start

_CODED: Final = re.compile(r"(?:\.\.|Y?[+-]?\d[\dX]{3,8}(?:[-TW:.,+Z ][\dXWT:.,+Z-]*)?[?~%]?)"
                           r"(?:/(?:\.\.|Y?[+-]?\d[\dX]{3,8}(?:-[\dXW-]*)?[?~%]?)?)?")
_WORDS: Final = re.compile(r"[^\W\d_]+")
_ORDINAL_ALONE: Final = "at:day-of-month:bare"
_ENOUGH: Final = 2_000  # characters that tell a language
_LONGEST: Final = 300
_FIRST_ANCHOR: Final = Instant.of(-190_000)  # room to count from it in both directions
_LAST_ANCHOR: Final = Instant.of(190_000)
_HAN: Final = re.compile("[\u3400-\u9fff]")
_KANA: Final = re.compile("[\u3041-\u30fa]")
_BASIC: Final = re.compile(r"([12]\d{3})(\d\d)(\d\d)")
_TRAILING: Final = " \t\r\n.,;:!?。，；！？"


def resolve(phrase: str, anchor: Instant, zone: tzinfo = UTC, role: Role = Role.AT, language: str | None = None, *,
            future: bool = False) -> TimeSpan | Unparsed:
    """What a time phrase says, read at `anchor` in the speaker's `zone`.

    Args:
        phrase: words in a known language, or ISO 8601 / EDTF.
        anchor: when it was said (the episode's `observed_at`), UTC.
        zone: the speaker's; all calendar arithmetic happens on its wall clock.
        role: whether the phrase says when something held, began or ended. A plain date at role `AT` or `START` gives
            a start only; at `END` an end only.
        language: a code; None tries the grammar's languages. A language without a table goes to dateparser alone.
        future: dates without a year and bare weekdays are the coming ones instead of the latest ones.

    Returns:
        The span, half-open in UTC, or `Unparsed` with the reason. Never raises on any text.
    """
    text = phrase.strip()
    text = text if text.endswith("..") else text.rstrip(_TRAILING)
    if not text:
        return Unparsed(phrase, "empty")
    if len(text) > _LONGEST:
        return Unparsed(phrase, f"longer than {_LONGEST} characters; not a time phrase")
    if not _usable(anchor):
        return Unparsed(phrase, "the anchor is not within the years that can be counted from")
    if _CODED.fullmatch(text) and (coded := _coded(text, phrase, zone, role)) is not None:
        return coded
    refusal: Unparsed | None = None
    for table in _languages(text, language):
        scope = Scope(Reader(text, table), anchor, zone, future)
        reading = _whole(scope)
        if reading is None:
            continue
        value = span_of(_settled(reading, zone), role, phrase, table.code)
        if isinstance(value, TimeSpan) or not any(char.isalpha() for char in text):
            return value
        refusal = refusal or value
    return refusal or _fall_back(text, phrase, anchor, zone, role, language, future)


def find(text: str, anchor: Instant, zone: tzinfo = UTC, language: str | None = None, *,
         future: bool = False, loose: bool = False) -> list[TimeMention]:
    """The time phrases of a text in order, not overlapping, each read as by `resolve` at role `AT`.

    Vague words are left alone: a bare year or month counts only behind a preposition or inside a longer phrase, unless
    `loose` (for infobox lines and tables: "end time, 1991").
    A phrase that looks like a date and is none (`2024-02-30`) comes back with `Unparsed`.
    """
    if not _usable(anchor):
        return []
    table = LANGUAGES.get(language) if language else language_of(text)
    if table is None:
        return []
    scope = Scope(Reader(text, table), anchor, zone, future)
    found: list[TimeMention] = []
    for span, reading in _phrases(scope, loose):
        phrase = text[span[0]:span[1]]
        found.append(TimeMention(span, phrase, span_of(_settled(reading, zone), Role.AT, phrase, table.code)))
    return found


def language_of(text: str) -> Language:
    """The table language that a text is most likely written in, by script and function words; English if in doubt."""
    if _KANA.search(text):
        return LANGUAGES["ja"]
    if _HAN.search(text):
        return LANGUAGES["zh"]
    words = [fold(word) for word in _WORDS.findall(text[:_ENOUGH])]
    english = LANGUAGES["en"]
    scores = {code: sum((word in table.marks) + _telling(word, table, english) for word in words)
              for code, table in LANGUAGES.items() if not table.week_relative}
    best = max(scores, key=lambda code: (scores[code], code == "en"))
    return LANGUAGES[best] if scores[best] else english


def _telling(word: str, table: Language, english: Language) -> bool:
    """A time word of the language that is none in English."""
    return len(word) > 2 and word in table.index and word not in english.index


def _usable(anchor: Instant) -> bool:
    return _FIRST_ANCHOR < anchor < _LAST_ANCHOR


def _languages(text: str, language: str | None) -> list[Language]:
    if language is not None:
        return [LANGUAGES[language]] if language in LANGUAGES else []
    if _KANA.search(text):
        return [LANGUAGES["ja"]]
    if _HAN.search(text):
        return [LANGUAGES["zh"], LANGUAGES["ja"]]
    return [table for table in LANGUAGES.values() if not table.characters]


def _coded(text: str, phrase: str, zone: tzinfo, role: Role) -> TimeSpan | Unparsed | None:
    """ISO and EDTF by the model's reader; `2019-20`, `1939-45` and `2017.12.31` are left to the grammar."""
    if re.fullmatch(r"\d{4}-\d{4}|\d{4}\.\d{1,2}\.\d{1,2}", text):
        return None
    if re.fullmatch(r"\d{4}-(?:1[3-9]|[2-9]\d)", text) and (
            int(text[5:]) == (int(text[2:4]) + 1) % 100
            or (not 21 <= int(text[5:]) <= 41 and int(text[5:]) > int(text[2:4]))):
        return None
    if basic := _BASIC.fullmatch(text):
        text = "-".join(basic.groups())
    if "/" in text and role is Role.AT:
        left, _, right = text.partition("/")
        start, end = read_start(left, zone), read_end(right, zone)
        for bound in (start, end):
            if isinstance(bound, Unparsed):
                return Unparsed(phrase, bound.reason)
        assert not isinstance(start, Unparsed) and not isinstance(end, Unparsed)
        if start and end and end.best <= start.best:
            return Unparsed(phrase, f"it ends ({end.best}) before it starts ({start.best})")
        if start is None and end is None:
            return Unparsed(phrase, "open on both sides")
        start, end = (bound and replace(bound, phrase=phrase) for bound in (start, end))
        return TimeSpan(start, end, phrase, "edtf", "")
    bound = read_end(text, zone) if role is Role.END else read_start(text, zone)
    if bound is None or isinstance(bound, Unparsed):
        return None if bound is None else Unparsed(phrase, bound.reason)
    bound = replace(bound, phrase=phrase)
    start, end = (None, bound) if role is Role.END else (bound, None)
    return TimeSpan(start, end, phrase, "iso", "")


def _whole(scope: Scope) -> Reading | None:
    """A reading of all tokens; words that may stand around a phrase are skipped."""
    reader = scope.reader
    for start in dict.fromkeys((0, reader.skip(0, Cat.FILLER), reader.skip(0, Cat.FILLER, Cat.IN, Cat.AT))):
        reading = reading_at(scope, start)
        if reading is not None and reading.next == reader.size:
            return reading
    return None


def _settled(reading: Reading, zone: tzinfo) -> Reading:
    """The reading with its points in UTC."""
    def limit(pair: tuple[str, Point] | None) -> tuple[str, Point] | None:
        return None if pair is None else (pair[0], pair[1].settled(zone))

    duration = reading.duration
    if duration is not None:
        best, earliest, latest = (in_zone(at, zone) for at in (duration.best, duration.earliest, duration.latest))
        duration = replace(duration, best=best, earliest=min(earliest, best), latest=max(latest, best))
    return replace(reading, at=reading.at and reading.at.settled(zone), lower=limit(reading.lower),
                   upper=limit(reading.upper), duration=duration)


def _phrases(scope: Scope, loose: bool) -> Iterator[tuple[tuple[int, int], Reading]]:
    reader = scope.reader
    i = 0
    while i < reader.size:
        reading = reading_at(scope, i) if reader.starts(i) and reader.kind(i) != "other" else None
        if reading is None or (reading.weak and not (loose and reading.rule != _ORDINAL_ALONE)):
            i += 1
            continue
        yield (reader.tokens[i].start, reader.tokens[reading.next - 1].end), reading
        i = reading.next


def _fall_back(text: str, phrase: str, anchor: Instant, zone: tzinfo, role: Role, language: str | None,
               future: bool) -> TimeSpan | Unparsed:
    code = language or language_of(text).code
    table = LANGUAGES.get(code, LANGUAGES["en"])
    known = code in LANGUAGES
    point = read_point(Scope(Reader("", table), anchor, zone, future), text, code) if (
        not known or re.search(r"(?<!\d)[12]\d{3}(?!\d)", text)) else None
    if point is None:
        return Unparsed(phrase, "no known time expression")
    return span_of(_settled(Reading(0, point.rule, at=point), zone), role, phrase, code)
