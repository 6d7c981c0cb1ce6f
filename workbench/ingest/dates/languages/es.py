"""Spanish time words. Accents need no second spelling: words are compared without diacritics."""

from __future__ import annotations

from typing import Final

from workbench.ingest.dates.lexicon import Cat, Language, Unit

_WORDS: Final = ("cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis "
                 "diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco "
                 "veintiséis veintisiete veintiocho veintinueve").split()
_TENS: Final = "treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
_NUMBERS: Final = {n: word for n, word in enumerate(_WORDS) if n > 1} | {1: "uno|un|una"} | {
    30 + 10 * ten + one: (f"{word} y {_WORDS[one]}" if one else word)
    for ten, word in enumerate(_TENS) for one in range(10)}

LANGUAGE: Final = Language(
    code="es",
    marks=frozenset("el la los las y es en de del que con por una desde hasta fue se ella su al trabaja".split()),
    decade_words_alone=False,
    table={
        Cat.NUMBER: _NUMBERS,
        Cat.ORDINAL: {1: "primer|primero|primera", 2: "segundo|segunda", 3: "tercer|tercero|tercera",
                      4: "cuarto|cuarta", 5: "quinto", 6: "sexto", 7: "séptimo", 8: "octavo", 9: "noveno",
                      10: "décimo"},
        Cat.ONE: {1: "un|una"},
        Cat.VAGUE: {2: "un par de", 3: "unos|unas|unos pocos|unas pocas|varios|varias|algunos|algunas|pocos"},
        Cat.HALF_NUMBER: "medio|media",
        Cat.MULTIPLIER: {100: "cien|cientos", 1000: "mil", 10**6: "millón|millones|millón de|millones de"},
        Cat.HALF_MORE: "y medio|y media",
        Cat.ORDINAL_MARK: "o|.o|a|er",
        Cat.MONTH: {1: "enero|ene|ene.", 2: "febrero|feb|feb.", 3: "marzo|mar|mar.", 4: "abril|abr|abr.", 5: "mayo|may",
                    6: "junio|jun|jun.", 7: "julio|jul|jul.", 8: "agosto|ago|ago.",
                    9: "septiembre|setiembre|sept|sep|sep.", 10: "octubre|oct|oct.", 11: "noviembre|nov|nov.",
                    12: "diciembre|dic|dic."},
        Cat.WEEKDAY: {0: "lunes", 1: "martes", 2: "miércoles", 3: "jueves", 4: "viernes", 5: "sábado", 6: "domingo"},
        Cat.SEASON: {21: "primavera", 22: "verano", 23: "otoño", 24: "invierno"},
        Cat.UNIT: {Unit.SECOND: "segundo|segundos", Unit.MINUTE: "minuto|minutos", Unit.HOUR: "hora|horas",
                   Unit.DAY: "día|días", Unit.WEEK: "semana|semanas", Unit.WEEKEND: "fin de semana|fines de semana",
                   Unit.FORTNIGHT: "quincena", Unit.MONTH: "mes|meses", Unit.QUARTER: "trimestre|trimestres",
                   Unit.HALF: "semestre|semestres", Unit.YEAR: "año|años", Unit.DECADE: "década|décadas|decenio",
                   Unit.CENTURY: "siglo|siglos", Unit.MILLENNIUM: "milenio|milenios"},
        Cat.RELATIVE: {-1: "pasado|pasada|último|última|el pasado|la pasada|el último|la última",
                       0: "este|esta|el presente|el actual", 1: "próximo|próxima|el próximo|la próxima"},
        Cat.RELATIVE_POST: {-2: "antepasado|antepasada", -1: "pasado|pasada|anterior|último|última",
                            0: "actual|en curso",
                            1: "que viene|próximo|próxima|entrante|siguiente"},
        Cat.TRAILING: "últimos|últimas|pasados|pasadas|los últimos|las últimas|los pasados",
        Cat.AGO_PRE: "hace|hace ya|hace unos|hace como",
        Cat.AGO_POST: "atrás",
        Cat.HENCE_PRE: "en|dentro de",
        Cat.HENCE_POST: "más tarde",
        Cat.DAY_WORD: {-2: "anteayer|antier|antes de ayer", -1: "ayer|anoche", 0: "hoy", 1: "mañana",
                       2: "pasado mañana"},
        Cat.NOW: "ahora|ahora mismo|actualmente|en este momento",
        Cat.HALF_DAY: {0: "de la mañana|a. m.|a.m.|am|de la madrugada",
                       12: "de la tarde|de la noche|p. m.|p.m.|pm"},
        Cat.OCLOCK: "h|horas|en punto",
        Cat.CLOCK_WORD: {12: "mediodía|el mediodía|al mediodía", 0: "medianoche|a medianoche"},
        Cat.DAY_PART: {0: "por la mañana|en la mañana", 1: "por la tarde|en la tarde", 2: "al anochecer",
                       3: "por la noche|en la noche|noche"},
        Cat.PART: {0: "inicios de|temprano en", 1: "mediados de", 2: "finales de|tarde en"},
        Cat.EDGE: {0: "principios de|a principios de|comienzos de|a comienzos de|el comienzo de|el inicio de|inicio de|"
                      "principio de|el principio de|principios del|a principios del|comienzo del|inicio del|"
                      "el inicio del|el comienzo del|inicios del|a inicios de|inicios de",
                   1: "finales de|a finales de|fines de|a fines de|el final de|final de|fin de|el fin de|finales del|"
                      "a finales del|el final del|final del|fin del|el fin del|fines del",
                   2: "mediados de|a mediados de|mediados del|a mediados del|la mitad de",
                   3: "la primera mitad de|primera mitad de|la primera mitad del",
                   4: "la segunda mitad de|segunda mitad de|la segunda mitad del"},
        Cat.THROUGHOUT: "durante todo|durante todo el año|todo el año|a lo largo de todo|todo",
        Cat.APPROX: "alrededor de|hacia|aproximadamente|cerca de|sobre|en torno a|circa|ca.|c.",
        Cat.APPROX_POST: "aproximadamente|más o menos",
        Cat.ERA_BEFORE: "a. c.|a.c.|a. c|a.c|ac|antes de cristo|a. de c.|a. n. e.|a. e. c.",
        Cat.ERA: "d. c.|d.c.|d. c|dc|después de cristo|e. c.",
        Cat.YEAR_WORD: {0: "año|el año|del año|año de", 1: "los años|años"},
        Cat.QUARTER_PREFIX: "q|t",
        Cat.HALF_PREFIX: "h|s",
        Cat.FISCAL: "año fiscal|ejercicio|ejercicio fiscal|el año fiscal",
        Cat.WEEK_PREFIX: "semana|la semana",
        Cat.DECADE_MARK: "s|'s",
        Cat.DECADE_WORD: {20: "veinte", 30: "treinta", 40: "cuarenta", 50: "cincuenta", 60: "sesenta", 70: "setenta",
                          80: "ochenta", 90: "noventa"},
        Cat.CENTURY_PREFIX: "siglo|el siglo",
        Cat.HOLIDAY: {1225: "navidad|navidades|el día de navidad", 1224: "nochebuena", 101: "año nuevo|el año nuevo",
                      1231: "nochevieja", 106: "el día de reyes|reyes", 1_000_000: "pascua|domingo de pascua",
                      999_998: "viernes santo"},
        Cat.FILLER: "de|del|la|el|los|las|,|en|al|lo",
        Cat.AT: "a las|a la|,|sobre las|hacia las|a eso de las",
        Cat.IN: "en|durante|en el|en la|en los|el|la|a lo largo de|al|a|dentro de|para",
        Cat.SINCE: "desde|a partir de|a partir del|desde el|con efecto desde|a contar de|del",
        Cat.AT_LEAST: "al menos|por lo menos|como mínimo",
        Cat.AFTER: "después de|después del|tras|luego de|posterior a|con posterioridad a",
        Cat.BEFORE: "antes de|antes del|previo a|con anterioridad a",
        Cat.BY: "para|para el|a más tardar|a más tardar en|a más tardar el|no más tarde de",
        Cat.UNTIL: "hasta|hasta el|hasta la",
        Cat.THROUGH: "hasta el final de|hasta inclusive|hasta e incluyendo|hasta e inclusive|"
                     "hasta finales de|hasta fines de|hasta el fin de",
        Cat.FROM: "de|desde|del|desde el|entre",
        Cat.TO: "a|hasta|al|-|–|—|hasta el|hasta la",
        Cat.BETWEEN: "entre|entre el",
        Cat.AND: "y|y el|&|e",
        Cat.FOR: "durante|por",
        Cat.SINCE_POST: "en adelante|hasta hoy|hasta la fecha|hasta ahora",
        Cat.BEFORE_POST: "o antes",
        Cat.UNTIL_POST: "inclusive",
    })
