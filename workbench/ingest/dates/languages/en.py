"""English time words."""

from __future__ import annotations

from typing import Final

from workbench.ingest.dates.lexicon import Cat, Language, Unit, nth_holiday

_ONES: Final = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
                "seventeen eighteen nineteen").split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NUMBERS: Final = {n: word for n, word in enumerate(_ONES) if n} | {
    20 + 10 * ten + one: (word if not one else f"{word}-{_ONES[one]}|{word} {_ONES[one]}")
    for ten, word in enumerate(_TENS) for one in range(10)}
_ORDINAL_WORDS: Final = ("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
                         "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth").split()
_ORDINALS: Final = {n: word for n, word in enumerate(_ORDINAL_WORDS, 1)} | {
    20 + n: f"twenty-{_ORDINAL_WORDS[n - 1]}|twenty {_ORDINAL_WORDS[n - 1]}" for n in range(1, 10)} | {
    30: "thirtieth", 31: "thirty-first|thirty first"}

LANGUAGE: Final = Language(
    code="en",
    marks=frozenset("i a not you my it that his her are were the of and is was "
                    "in to at on has had with she he they since by from".split()),
    day_first=None,
    table={
        Cat.NUMBER: _NUMBERS,
        Cat.ORDINAL: _ORDINALS,
        Cat.ONE: {1: "a|an|one"},
        Cat.VAGUE: {2: "a couple of|couple of|a couple|a pair of", 3: "a few|few|several|some"},
        Cat.HALF_NUMBER: "half a|half an|half",
        Cat.MULTIPLIER: {100: "hundred", 1000: "thousand", 10**6: "million", 10**9: "billion"},
        Cat.HALF_MORE: "and a half",
        Cat.ORDINAL_MARK: "st|nd|rd|th",
        Cat.MONTH: {1: "january|jan|jan.", 2: "february|feb|feb.", 3: "march|mar|mar.", 4: "april|apr|apr.", 5: "may",
                    6: "june|jun|jun.", 7: "july|jul|jul.", 8: "august|aug|aug.", 9: "september|sep|sept|sep.|sept.",
                    10: "october|oct|oct.", 11: "november|nov|nov.", 12: "december|dec|dec."},
        Cat.WEEKDAY: {0: "monday|mon|mondays", 1: "tuesday|tue|tues|tuesdays", 2: "wednesday|wed|wednesdays",
                      3: "thursday|thu|thur|thurs|thursdays", 4: "friday|fri|fridays", 5: "saturday|sat|saturdays",
                      6: "sunday|sun|sundays"},
        Cat.SEASON: {21: "spring", 22: "summer", 23: "autumn|fall", 24: "winter"},
        Cat.UNIT: {Unit.SECOND: "second|seconds|sec|secs", Unit.MINUTE: "minute|minutes|min|mins",
                   Unit.HOUR: "hour|hours|hr|hrs", Unit.DAY: "day|days", Unit.WEEK: "week|weeks|wk|wks",
                   Unit.WEEKEND: "weekend|weekends", Unit.FORTNIGHT: "fortnight|fortnights",
                   Unit.MONTH: "month|months|mo|mos", Unit.QUARTER: "quarter|quarters",
                   Unit.YEAR: "year|years|yr|yrs|calendar year", Unit.DECADE: "decade|decades",
                   Unit.CENTURY: "century|centuries", Unit.MILLENNIUM: "millennium|millennia"},
        Cat.RELATIVE: {-1: "last|previous|past|this past|the past|the last",
                       0: "this|the current|current", 1: "next|the coming|coming|upcoming"},
        Cat.RELATIVE_POST: {-2: "before last", 2: "after next"},
        Cat.TRAILING: "last|past|previous|preceding",
        Cat.AGO_POST: "ago|back|earlier|before now",
        Cat.HENCE_PRE: "in",
        Cat.HENCE_POST: "from now|from today|hence|'s time|’s time|' time|’ time",
        Cat.DAY_WORD: {-2: "the day before yesterday|day before yesterday", -1: "yesterday",
                       0: "today|tonight|this day",
                       1: "tomorrow|tmrw", 2: "the day after tomorrow|day after tomorrow"},
        Cat.NOW: "now|right now|just now|at present|at the moment|currently|present|the present|the present day",
        Cat.HALF_DAY: {0: "am|a.m.|a.m", 12: "pm|p.m.|p.m"},
        Cat.OCLOCK: "o'clock|o’clock|oclock|h",
        Cat.CLOCK_WORD: {12: "noon|midday", 0: "midnight"},
        Cat.DAY_PART: {0: "morning", 1: "afternoon", 2: "evening", 3: "night"},
        Cat.PART: {0: "early|early in|the early", 1: "mid|mid-|the mid", 2: "late|late in|the late"},
        Cat.EDGE: {0: "the beginning of|beginning of|the start of|start of|beginning|the turn of|turn of",
                   1: "the end of|end of|the close of|eo", 2: "the middle of|middle of|halfway through",
                   3: "the first half of|first half of|the 1st half of",
                   4: "the second half of|second half of|the latter half of|the 2nd half of"},
        Cat.THROUGHOUT: "throughout|all through|all of|the whole of|the entirety of|all throughout|the entire year",
        Cat.APPROX: "about|around|circa|ca.|ca|c.|approximately|roughly|some time in|sometime in|probably|presumably|"
                    "or so|~",
        Cat.APPROX_POST: "or so|or thereabouts|-ish|ish",
        Cat.ERA_BEFORE: "bc|b.c.|bce|b.c.e.|b.c|b.c.e",
        Cat.ERA: "ad|a.d.|ce|c.e.|a.d",
        Cat.YEAR_WORD: "year|the year|the year of",
        Cat.QUARTER_PREFIX: "q|quarter",
        Cat.HALF_PREFIX: "h",
        Cat.HALF_WORD: {1: "first half|1st half", 2: "second half|2nd half"},
        Cat.FISCAL: "fy|fiscal year|fiscal|financial year|the fiscal year",
        Cat.WEEK_PREFIX: "week|calendar week|week no.|cw",
        Cat.DECADE_MARK: "s|'s|’s",
        Cat.DECADE_WORD: {20: "twenties", 30: "thirties", 40: "forties", 50: "fifties", 60: "sixties",
                          70: "seventies", 80: "eighties", 90: "nineties"},
        Cat.HOLIDAY: {1225: "christmas|christmas day|xmas", 1224: "christmas eve",
                      101: "new year's day|new year’s day|new year's|new year|the new year",
                      1231: "new year's eve|new year’s eve", 1031: "halloween", 214: "valentine's day|valentine’s day",
                      1226: "boxing day", 317: "st patrick's day|st. patrick's day", 619: "juneteenth",
                      1111: "veterans day|armistice day|remembrance day",
                      1_000_000: "easter|easter sunday", 1_000_001: "easter monday", 999_998: "good friday",
                      999_993: "palm sunday", 999_954: "ash wednesday",
                      1_000_039: "ascension day", 1_000_049: "pentecost|whit sunday|whitsun",
                      nth_holiday(1, 0, 3): "martin luther king day|mlk day",
                      nth_holiday(2, 0, 3): "presidents' day|presidents day", nth_holiday(5, 0, 9): "memorial day",
                      nth_holiday(9, 0, 1): "labor day", nth_holiday(11, 3, 4): "thanksgiving|thanksgiving day",
                      nth_holiday(5, 6, 2): "mother's day|mother’s day",
                      nth_holiday(6, 6, 3): "father's day|father’s day"},
        Cat.FILLER: "the|of|,|in|'|’",
        Cat.AT: "at|@|,|around|about|by",
        Cat.IN: "in|on|at|during|within|in the course of|over|dated|for|back in|way back in|back on|the month of|"
                "in the month of",
        Cat.SINCE: "since|ever since|as of|as from|not before|no earlier than|not earlier than|"
                   "starting|starting in|starting on|starting from|"
                   "beginning in|beginning on|effective|effective from|with effect from|from",
        Cat.AT_LEAST: "at least|at the latest",
        Cat.AFTER: "after|later than|following|past",
        Cat.BEFORE: "before|prior to|earlier than|ahead of",
        Cat.BY: "by|no later than|not later than|by the time of|at the latest|at the latest in|at the latest by",
        Cat.UNTIL: "until|till|til|'til|up to|up until|ending|ending in|ending on|til the|upto",
        Cat.THROUGH: "through|thru|up to and including|until and including|up through|to the end of",
        Cat.FROM: "from|since|starting|starting in|beginning in",
        Cat.TO: "to|until|till|through|-|–|—|up to|thru",
        Cat.BETWEEN: "between",
        Cat.AND: "and|&",
        Cat.FOR: "for|over",
        Cat.ONWARD: "on|forward",
        Cat.EARLIER: {0: "earlier|earlier in", 1: "later|later in"},
        Cat.SINCE_POST: "onwards|onward|and later|or later|to the present|to present|to date|and after",
        Cat.BEFORE_POST: "or earlier|and earlier|or before",
        Cat.DURING_POST: "now|already|to date|so far",
    })
