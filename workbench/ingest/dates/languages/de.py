"""German time words. Umlauts need no second spelling: words are compared without diacritics."""

from __future__ import annotations

from typing import Final

from workbench.ingest.dates.lexicon import Cat, Language, Unit

_ONES: Final = ("null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "
                "sechzehn siebzehn achtzehn neunzehn").split()
_TENS: Final = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
_NUMBERS: Final = {n: word for n, word in enumerate(_ONES) if n > 1} | {
    1: "eins|ein|einem|einer|einen|eine|eines"} | {
    20 + 10 * ten + one: (f"{_ONES[one]}und{word}" if one else word)
    for ten, word in enumerate(_TENS) for one in range(10)}
_STEMS: Final = ("erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft dreizehnt vierzehnt fünfzehnt "
                 "sechzehnt siebzehnt achtzehnt neunzehnt zwanzigst einundzwanzigst").split()


def _inflect(stem: str, endings: str = "e en er es em") -> str:
    return "|".join(stem + ending for ending in endings.split())


def _decade(name: str) -> str:
    return f"{name} jahre|{name} jahren|{name}|{name}n"


LANGUAGE: Final = Language(
    code="de",
    marks=frozenset("in der die das und ist war im seit bis von bei mit nicht hat sie er vom zum als wurde".split()),
    table={
        Cat.NUMBER: _NUMBERS,
        Cat.ORDINAL: {n: _inflect(stem) for n, stem in enumerate(_STEMS, 1)},
        Cat.ONE: {1: "ein|eine|einem|einer|einen"},
        Cat.VAGUE: {2: "zwei, drei", 3: "ein paar|einigen|einige|mehreren|mehrere|wenigen|wenige"},
        Cat.HALF_NUMBER: "einem halben|ein halbes|einer halben|halben|halbes",
        Cat.MULTIPLIER: {100: "hundert", 1000: "tausend", 10**6: "million|millionen|mio.|mio",
                         10**9: "milliarde|milliarden"},
        Cat.HALF_MORE: "einhalb",
        Cat.ORDINAL_MARK: ".|ten|te|er",
        Cat.MONTH: {1: "januar|jänner|jan|jan.", 2: "februar|feber|feb|feb.", 3: "märz|maerz|mär|mrz|mrz.",
                    4: "april|apr|apr.", 5: "mai", 6: "juni|jun|jun.", 7: "juli|jul|jul.", 8: "august|aug|aug.",
                    9: "september|sept|sep|sept.|sep.", 10: "oktober|okt|okt.", 11: "november|nov|nov.",
                    12: "dezember|dez|dez."},
        Cat.WEEKDAY: {0: "montag|mo.|montags", 1: "dienstag|di.", 2: "mittwoch|mi.", 3: "donnerstag|do.",
                      4: "freitag|fr.", 5: "samstag|sonnabend|sa.", 6: "sonntag|so."},
        Cat.SEASON: {21: "frühling|frühjahr", 22: "sommer", 23: "herbst", 24: "winter"},
        Cat.UNIT: {Unit.SECOND: "sekunde|sekunden", Unit.MINUTE: "minute|minuten", Unit.HOUR: "stunde|stunden",
                   Unit.DAY: "tag|tage|tagen|tages", Unit.WEEK: "woche|wochen", Unit.WEEKEND: "wochenende|wochenendes",
                   Unit.MONTH: "monat|monate|monaten|monats", Unit.QUARTER: "quartal|quartals|quartale|quartalen",
                   Unit.HALF: "halbjahr|halbjahres", Unit.YEAR: "jahr|jahre|jahren|jahres",
                   Unit.DECADE: "jahrzehnt|jahrzehnte|jahrzehnten|dekade|dekaden",
                   Unit.CENTURY: "jahrhundert|jahrhunderts|jahrhunderte|jahrhunderten|jh.|jh",
                   Unit.MILLENNIUM: "jahrtausend|jahrtausends|jahrtausenden"},
        Cat.RELATIVE: {-2: _inflect("vorletzt"), 2: _inflect("übernächst"),
                       -1: "|".join(_inflect(stem) for stem in ("letzt", "vorig", "vergangen", "vorherig")),
                       0: "|".join(_inflect(stem) for stem in ("dies", "aktuell", "laufend")),
                       1: "|".join(_inflect(stem) for stem in ("nächst", "kommend"))
                          + "|am nächsten|am kommenden"},
        Cat.TRAILING: "letzten|vergangenen|die letzten",
        Cat.AGO_PRE: "vor",
        Cat.HENCE_PRE: "in",
        Cat.DAY_WORD: {-3: "vorvorgestern", -2: "vorgestern", -1: "gestern", 0: "heute", 1: "morgen", 2: "übermorgen"},
        Cat.NOW: "jetzt|nun|derzeit|momentan|zurzeit|sofort",
        Cat.OCLOCK: "uhr",
        Cat.CLOCK_WORD: {12: "mittag", 0: "mitternacht"},
        Cat.DAY_PART: {0: "morgen|früh|vormittag|am morgen|morgens", 1: "nachmittag|am nachmittag|nachmittags",
                       2: "abend|am abend|abends", 3: "nacht|in der nacht|nachts"},
        Cat.PART: {0: "frühen|frühe|den frühen|die frühen|der frühen", 1: "mittleren|der mittleren|den mittleren",
                   2: "späten|späte|den späten|die späten|der späten"},
        Cat.EDGE: {0: "anfang|anfang der|anfang des|beginn|beginn des|beginn der|zu beginn|zu beginn des|"
                      "dem beginn des",
                   1: "ende|ende der|ende des|zum ende|zum ende des|zum ende der",
                   2: "mitte|mitte der|mitte des",
                   3: "der ersten hälfte des|der ersten hälfte der|die erste hälfte des|die erste hälfte der",
                   4: "der zweiten hälfte des|der zweiten hälfte der|die zweite hälfte des|die zweite hälfte der"},
        Cat.THROUGHOUT: "das ganze jahr|ganz|im ganzen jahr|während des ganzen jahres",
        Cat.APPROX: "etwa|ungefähr|circa|ca.|ca|um|gegen|rund|um das jahr|etwa um",
        Cat.ERA_BEFORE: "v. chr.|v.chr.|v. chr|v.chr|vor christus|v. u. z.|vor unserer zeitrechnung",
        Cat.ERA: "n. chr.|n.chr.|n. chr|n.chr|nach christus|n. u. z.|unserer zeitrechnung",
        Cat.YEAR_WORD: "jahr|das jahr|dem jahr|jahre|dem jahre|jahres|des jahres",
        Cat.QUARTER_PREFIX: "q",
        Cat.HALF_PREFIX: "h",
        Cat.FISCAL: "geschäftsjahr|gj|fiskaljahr|geschäftsjahres",
        Cat.WEEK_PREFIX: "kw|kalenderwoche|woche",
        Cat.DECADE_MARK: "er jahre|er jahren|er-jahre|er-jahren|er",
        Cat.DECADE_WORD: {20: _decade("zwanziger"), 30: _decade("dreißiger"), 40: _decade("vierziger"),
                          50: _decade("fünfziger"), 60: _decade("sechziger"), 70: _decade("siebziger"),
                          80: _decade("achtziger"), 90: _decade("neunziger")},
        Cat.HOLIDAY: {1225: "weihnachten|1. weihnachtstag", 1224: "heiligabend|heiliger abend|heiligen abend",
                      101: "neujahr|neujahrstag", 1231: "silvester", 1_000_000: "ostern|ostersonntag",
                      1_000_001: "ostermontag", 999_998: "karfreitag", 1_000_049: "pfingsten|pfingstsonntag",
                      1003: "tag der deutschen einheit"},
        Cat.FILLER: "der|die|das|des|den|dem|im|in|,|vom|von|am|zum",
        Cat.AT: "um|gegen|,|ab",
        Cat.IN: "im|in|am|an|während|während des|während der|zu|innerhalb|bei|im laufe des|im laufe der|im jahr|"
                "im jahre|in den|zum",
        Cat.SINCE: "seit|seit dem|ab|ab dem|beginnend|beginnend mit|mit wirkung vom|mit wirkung zum|seit den",
        Cat.AT_LEAST: "mindestens|spätestens",
        Cat.AFTER: "nach|nach dem|später als",
        Cat.BEFORE: "vor|vor dem|früher als",
        Cat.BY: "spätestens|bis spätestens|spätestens bis|spätestens am|bis spätestens am",
        Cat.UNTIL: "bis|bis zum|bis zu|bis in|bis in die|bis zur|bis an",
        Cat.THROUGH: "bis einschließlich|bis inklusive|bis einschließlich zum|bis zum ablauf des|bis einschl.",
        Cat.FROM: "von|vom|ab|seit|von der|von den",
        Cat.TO: "bis|bis zum|bis zu|-|–|—|bis einschließlich|bis in",
        Cat.BETWEEN: "zwischen|zwischen dem",
        Cat.AND: "und|und dem|&",
        Cat.FOR: "für|über",
        Cat.ONWARD: "an",
        Cat.EARLIER: {0: "früher", 1: "später"},
        Cat.SINCE_POST: "aufwärts|bis heute",
        Cat.DURING_POST: "lang",
    })
