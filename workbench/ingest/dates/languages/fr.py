"""French time words. Accents need no second spelling: words are compared without diacritics."""

from __future__ import annotations

from typing import Final

from workbench.ingest.dates.lexicon import Cat, Language, Unit, both_apostrophes

_WORDS: Final = ("zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize "
                 "dix-sept dix-huit dix-neuf vingt").split()
_TENS: Final = {20: "vingt", 30: "trente", 40: "quarante", 50: "cinquante", 60: "soixante"}


def _number(n: int) -> str:
    if n <= 20:
        return _WORDS[n]
    if n >= 80:
        return "quatre-vingts|quatre-vingt" if n == 80 else f"quatre-vingt-{_WORDS[n - 80]}"
    ten = 60 if n >= 60 else n // 10 * 10
    one = n - ten
    if not one:
        return _TENS[ten]
    joint = " et " if one in (1, 11) else "-"
    return f"{_TENS[ten]}{joint}{_WORDS[one]}"


_NUMBERS: Final = {n: _number(n) for n in range(2, 100)} | {1: "un|une"}
_STEMS: Final = ("deux trois quatr cinqu six sept huit neuv dix onz douz treiz quatorz quinz seiz dix-sept dix-huit "
                 "dix-neuv vingt").split()

LANGUAGE: Final = Language(
    code="fr",
    marks=frozenset("le les des du et est dans pour qui que il elle nous vous ne pas sur avec sont au aux une par "
                    "depuis ses chez".split()),
    decade_words_alone=False,
    table=both_apostrophes({
        Cat.NUMBER: _NUMBERS,
        Cat.ORDINAL: {n: f"{stem}ième" for n, stem in enumerate(_STEMS, 2)} | {
            1: "premier|première", 2: "deuxième|second|seconde"},
        Cat.ONE: {1: "un|une"},
        Cat.VAGUE: {2: "une paire de", 3: "quelques|plusieurs"},
        Cat.HALF_NUMBER: "un demi|une demi|une demie|demi|demie",
        Cat.MULTIPLIER: {100: "cent|cents", 1000: "mille", 10**6: "million|millions|millions d'|million d'",
                         10**9: "milliard|milliards|milliards d'"},
        Cat.HALF_MORE: "et demi|et demie",
        Cat.ORDINAL_MARK: "er|e|eme|ème|nd",
        Cat.MONTH: {1: "janvier|janv.|janv", 2: "février|févr.|fév.|fév", 3: "mars", 4: "avril|avr.|avr", 5: "mai",
                    6: "juin", 7: "juillet|juil.|juil", 8: "août", 9: "septembre|sept.|sept", 10: "octobre|oct.|oct",
                    11: "novembre|nov.|nov", 12: "décembre|déc.|déc"},
        Cat.WEEKDAY: {0: "lundi", 1: "mardi", 2: "mercredi", 3: "jeudi", 4: "vendredi", 5: "samedi", 6: "dimanche"},
        Cat.SEASON: {21: "printemps", 22: "été", 23: "automne", 24: "hiver"},
        Cat.UNIT: {Unit.SECOND: "seconde|secondes", Unit.MINUTE: "minute|minutes", Unit.HOUR: "heure|heures",
                   Unit.DAY: "jour|jours|journée", Unit.WEEK: "semaine|semaines|semaine-ci",
                   Unit.WEEKEND: "week-end|weekend|fin de semaine", Unit.FORTNIGHT: "quinzaine",
                   Unit.MONTH: "mois|mois-ci", Unit.QUARTER: "trimestre|trimestres",
                   Unit.HALF: "semestre|semestres", Unit.YEAR: "an|ans|année|années|année-ci",
                   Unit.DECADE: "décennie|décennies", Unit.CENTURY: "siècle|siècles",
                   Unit.MILLENNIUM: "millénaire|millénaires"},
        Cat.RELATIVE: {0: "ce|cet|cette", 1: "prochain|prochaine|le prochain|la prochaine",
                       -1: "dernier|dernière|le dernier|la dernière"},
        Cat.RELATIVE_POST: {-1: "dernier|dernière|passé|passée|précédent|précédente",
                            0: "en cours|courant|actuel|actuelle", 1: "prochain|prochaine|qui vient|suivant|suivante"},
        Cat.TRAILING: "derniers|dernières|les derniers|les dernières|ces derniers|ces dernières",
        Cat.AGO_PRE: "il y a|voici|voilà|ça fait|il y a déjà|y a",
        Cat.AGO_POST: "plus tôt|auparavant",
        Cat.HENCE_PRE: "dans|d'ici|sous",
        Cat.HENCE_POST: "plus tard",
        Cat.DAY_WORD: {-2: "avant-hier|avant hier", -1: "hier|la veille", 0: "aujourd'hui|aujourd hui", 1: "demain",
                       2: "après-demain|après demain"},
        Cat.NOW: "maintenant|actuellement|en ce moment|à présent|à ce jour|ce jour",
        Cat.HALF_DAY: {0: "du matin", 12: "de l'après-midi|du soir"},
        Cat.OCLOCK: "h|heures|heure",
        Cat.CLOCK_WORD: {12: "midi", 0: "minuit"},
        Cat.DAY_PART: {0: "matin|au matin|dans la matinée|matinée", 1: "après-midi|dans l'après-midi",
                       2: "soir|au soir|dans la soirée|soirée", 3: "nuit|dans la nuit"},
        Cat.PART: {1: "mi|mi-|la mi"},
        Cat.EDGE: {0: "début|au début|le début|début de|au début de|le début de|au début d'|début d'|au début du|"
                      "le début du|début du|au début des|le début des|début des|au commencement de",
                   1: "fin|la fin|à la fin|fin de|la fin de|à la fin de|fin d'|à la fin d'|la fin d'|fin du|la fin du|"
                      "à la fin du|fin des|la fin des|à la fin des",
                   2: "milieu de|le milieu de|au milieu de|milieu du|au milieu du|au milieu des|milieu des",
                   3: "la première moitié de|la première moitié du|première moitié de|la première moitié des",
                   4: "la seconde moitié de|la seconde moitié du|la deuxième moitié de|la seconde moitié des"},
        Cat.APPROX: "vers|environ|autour de|autour du|aux environs de|aux alentours de|approximativement|circa|ca.|"
                    "env.",
        Cat.APPROX_POST: "environ|à peu près",
        Cat.ERA_BEFORE: "av. j.-c.|av. j.-c|av. j. c.|av. jc|avant j.-c.|avant j.-c|avant jésus-christ|avant notre ère|"
                        "av. n. è.",
        Cat.ERA: "apr. j.-c.|apr. j.-c|ap. j.-c.|ap. j.-c|après j.-c.|après j.-c|après jésus-christ|de notre ère",
        Cat.YEAR_WORD: {0: "an|l'an|année|l'année", 1: "années|les années|des années"},
        Cat.QUARTER_PREFIX: "t|q",
        Cat.HALF_PREFIX: "s|h",
        Cat.FISCAL: "exercice|l'exercice|exercice fiscal",
        Cat.WEEK_PREFIX: "semaine|la semaine",
        Cat.DECADE_WORD: {20: "vingt", 30: "trente", 40: "quarante", 50: "cinquante", 60: "soixante",
                          70: "soixante-dix", 80: "quatre-vingt|quatre-vingts", 90: "quatre-vingt-dix"},
        Cat.HOLIDAY: {1225: "noël|le jour de noël", 1224: "veille de noël|la veille de noël|réveillon de noël",
                      101: "jour de l'an|le jour de l'an|nouvel an|le nouvel an",
                      1231: "saint-sylvestre|la saint-sylvestre|réveillon du nouvel an", 1101: "toussaint|la toussaint",
                      815: "assomption|l'assomption", 1_000_000: "pâques|dimanche de pâques",
                      1_000_001: "lundi de pâques", 999_998: "vendredi saint", 1_000_049: "pentecôte|la pentecôte",
                      1_000_039: "ascension|l'ascension"},
        Cat.FILLER: "le|la|les|l'|de|du|des|d'|,|en|au|à la|à l'",
        Cat.AT: "à|vers|,|aux alentours de",
        Cat.IN: "en|dans|dans les|au|aux|à|à la|à l'|le|la|les|l'|pendant|durant|lors de|au cours de|au cours du|"
                "courant|au mois de|au mois d'|le mois de|au courant de|dès|en date du|dans le courant de|cours de",
        Cat.SINCE: "depuis|depuis le|depuis la|depuis l'|depuis les|à partir de|à partir du|à partir d'|dès|dès le|"
                   "à compter de|à compter du|avec effet au",
        Cat.AT_LEAST: "au moins|au plus tard",
        Cat.AFTER: "après|après le|postérieurement à",
        Cat.BEFORE: "avant|avant le|avant la|antérieurement à",
        Cat.BY: "d'ici|d'ici à|d'ici le|d'ici au|au plus tard|au plus tard en|au plus tard le",
        Cat.UNTIL: "jusqu'à|jusqu'au|jusqu'en|jusqu'aux|jusqu'à la|jusqu'à l'|jusque|jusque dans les|jusqu'",
        Cat.THROUGH: "jusqu'au bout de|jusqu'à et y compris|jusqu'en et y compris",
        Cat.FROM: "de|du|d'|depuis|depuis le|dès|à partir de",
        Cat.TO: "à|au|aux|en|jusqu'à|jusqu'au|jusqu'en|-|–|—|et jusqu'en|et jusqu'à",
        Cat.BETWEEN: "entre|entre le",
        Cat.AND: "et|et le|&",
        Cat.FOR: "pendant|durant|pour",
        Cat.THROUGHOUT: "tout au long de|tout au long du|pendant toute l'année|durant toute l'année|toute l'année|"
                        "pendant tout|tout",
        Cat.SINCE_POST: "et après|et au-delà|à aujourd'hui",
        Cat.BEFORE_POST: "ou avant",
        Cat.UNTIL_POST: "inclus|inclusivement",
    }))
