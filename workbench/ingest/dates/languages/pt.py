"""Portuguese time words. Accents need no second spelling: words are compared without diacritics."""

from __future__ import annotations

from typing import Final

from workbench.ingest.dates.lexicon import Cat, Language, Unit

_WORDS: Final = ("zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis "
                 "dezessete dezoito dezenove").split()
_TENS: Final = "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa".split()
_NUMBERS: Final = {n: word for n, word in enumerate(_WORDS) if n > 2} | {
    1: "um|uma", 2: "dois|duas", 14: "catorze|quatorze", 16: "dezesseis|dezasseis", 17: "dezessete|dezassete",
    19: "dezenove|dezanove"} | {
    20 + 10 * ten + one: (f"{word} e {_WORDS[one]}" + (f"|{word} e duas" if one == 2 else "") if one else word)
    for ten, word in enumerate(_TENS) for one in range(10)}


def _feira(name: str) -> str:
    return f"{name}-feira|{name} feira|{name}"


LANGUAGE: Final = Language(
    code="pt",
    marks=frozenset("não é em um uma da dos das pelo pela ele ela são foi seu sua mais até ao desde também nos na "
                    "trabalha".split()),
    decade_words_alone=False,
    table={
        Cat.NUMBER: _NUMBERS,
        Cat.ORDINAL: {1: "primeiro|primeira", 2: "segundo|segunda", 3: "terceiro|terceira", 4: "quarto|quarta",
                      5: "quinto|quinta", 6: "sexto|sexta", 7: "sétimo|sétima", 8: "oitavo|oitava", 9: "nono|nona",
                      10: "décimo|décima"},
        Cat.ONE: {1: "um|uma"},
        Cat.VAGUE: {2: "um par de|uns dois|umas duas", 3: "alguns|algumas|uns|umas|vários|várias|poucos|poucas"},
        Cat.HALF_NUMBER: "meio|meia",
        Cat.MULTIPLIER: {100: "cem|cento|centos", 1000: "mil", 10**6: "milhão|milhões|milhão de|milhões de"},
        Cat.HALF_MORE: "e meio|e meia",
        Cat.ORDINAL_MARK: "º|o|a",
        Cat.MONTH: {1: "janeiro|jan.|jan", 2: "fevereiro|fev.|fev", 3: "março|mar.|mar", 4: "abril|abr.|abr",
                    5: "maio|mai.|mai", 6: "junho|jun.|jun", 7: "julho|jul.|jul", 8: "agosto|ago.|ago",
                    9: "setembro|set.|set", 10: "outubro|out.|out", 11: "novembro|nov.|nov", 12: "dezembro|dez."},
        Cat.WEEKDAY: {0: _feira("segunda"), 1: _feira("terça"), 2: _feira("quarta"), 3: _feira("quinta"),
                      4: _feira("sexta"), 5: "sábado", 6: "domingo"},
        Cat.SEASON: {21: "primavera", 22: "verão", 23: "outono", 24: "inverno"},
        Cat.UNIT: {Unit.SECOND: "segundo|segundos", Unit.MINUTE: "minuto|minutos", Unit.HOUR: "hora|horas",
                   Unit.DAY: "dia|dias", Unit.WEEK: "semana|semanas", Unit.WEEKEND: "fim de semana|fins de semana",
                   Unit.FORTNIGHT: "quinzena", Unit.MONTH: "mês|meses", Unit.QUARTER: "trimestre|trimestres",
                   Unit.HALF: "semestre|semestres", Unit.YEAR: "ano|anos", Unit.DECADE: "década|décadas",
                   Unit.CENTURY: "século|séculos", Unit.MILLENNIUM: "milênio|milênios|milénio|milénios"},
        Cat.RELATIVE: {-1: "passado|passada|último|última|o último|a última|o passado|a passada",
                       0: "este|esta|neste|nesta|o presente|o atual|deste|desta",
                       1: "próximo|próxima|o próximo|a próxima"},
        Cat.RELATIVE_POST: {-2: "retrasado|retrasada", -1: "passado|passada|anterior",
                            0: "atual|corrente|em curso", 1: "que vem|próximo|próxima|seguinte"},
        Cat.TRAILING: "últimos|últimas|os últimos|as últimas|passados|passadas",
        Cat.AGO_PRE: "há|faz|já há|há uns|há já",
        Cat.AGO_POST: "atrás",
        Cat.HENCE_PRE: "em|daqui a|dentro de",
        Cat.HENCE_POST: "mais tarde|depois",
        Cat.DAY_WORD: {-2: "anteontem|antes de ontem", -1: "ontem", 0: "hoje", 1: "amanhã", 2: "depois de amanhã"},
        Cat.NOW: "agora|agora mesmo|atualmente|no momento|neste momento|o presente",
        Cat.HALF_DAY: {0: "da manhã|da madrugada", 12: "da tarde|da noite"},
        Cat.OCLOCK: "h|horas|em ponto|hs",
        Cat.CLOCK_WORD: {12: "meio-dia|meio dia|ao meio-dia", 0: "meia-noite|meia noite|à meia-noite"},
        Cat.DAY_PART: {0: "de manhã|pela manhã|manhã|da manhã", 1: "à tarde|de tarde|tarde|da tarde",
                       2: "ao anoitecer|ao fim da tarde", 3: "à noite|de noite|noite|da noite"},
        Cat.EDGE: {0: "início de|o início de|no início de|início do|o início do|no início do|início da|o início da|"
                      "no início da|início dos|o início dos|no início dos|começo de|o começo de|no começo de|"
                      "começo do|no começo do|no começo dos|princípio de|o princípio de|no princípio de|"
                      "princípios de|em princípios de|inícios de",
                   1: "fim de|o fim de|no fim de|fim do|o fim do|no fim do|fim da|o fim da|no fim da|fim dos|o fim dos|"
                      "no fim dos|final de|o final de|no final de|final do|o final do|no final do|final da|"
                      "o final da|no final da|final dos|o final dos|no final dos|finais de|em finais de|fins de|"
                      "em fins de|finais dos|em finais dos|nos finais dos",
                   2: "meados de|em meados de|meados do|em meados do|meados da|em meados da|meados dos|em meados dos|"
                      "a meio de|o meio de|no meio de",
                   3: "primeira metade de|a primeira metade de|primeira metade do|a primeira metade do|"
                      "primeira metade dos|na primeira metade de|na primeira metade do|na primeira metade dos",
                   4: "segunda metade de|a segunda metade de|segunda metade do|a segunda metade do|"
                      "segunda metade dos|na segunda metade de|na segunda metade do|na segunda metade dos"},
        Cat.APPROX: "cerca de|por volta de|aproximadamente|em torno de|ao redor de|circa|ca.|por volta do",
        Cat.APPROX_POST: "aproximadamente|mais ou menos",
        Cat.ERA_BEFORE: "a. c.|a.c.|a. c|a.c|ac|antes de cristo|a.e.c.|a.e.c|antes da era comum",
        Cat.ERA: "d. c.|d.c.|d. c|d.c|dc|depois de cristo|e.c.|da era comum",
        Cat.YEAR_WORD: {0: "ano|o ano|ano de|o ano de", 1: "anos|os anos"},
        Cat.QUARTER_PREFIX: "t|q",
        Cat.HALF_PREFIX: "s|h",
        Cat.FISCAL: "ano fiscal|exercício|exercício fiscal|o ano fiscal",
        Cat.WEEK_PREFIX: "semana|a semana",
        Cat.DECADE_MARK: "s",
        Cat.DECADE_WORD: {20: "vinte", 30: "trinta", 40: "quarenta", 50: "cinquenta", 60: "sessenta", 70: "setenta",
                          80: "oitenta", 90: "noventa"},
        Cat.CENTURY_PREFIX: "século|o século|séc.|séc",
        Cat.HOLIDAY: {1225: "natal|o natal|dia de natal", 1224: "véspera de natal", 101: "ano novo|o ano novo",
                      1231: "réveillon|véspera de ano novo|passagem de ano", 1_000_000: "páscoa|domingo de páscoa",
                      999_998: "sexta-feira santa", 999_953: "carnaval"},
        Cat.FILLER: "de|do|da|dos|das|o|a|os|as|,|em|no|na|ao",
        Cat.AT: "às|à|,|pelas|por volta das",
        Cat.IN: "em|no|na|nos|nas|no dia|dia|o dia|durante|durante o|durante a|ao longo de|ao longo do|a|o|os|as|à|ao|"
                "para|no mês de|em data de|no decorrer de",
        Cat.SINCE: "desde|desde o|desde a|desde os|a partir de|a partir do|a partir da|com efeito a partir de|"
                   "a contar de|desde o dia|a partir do dia",
        Cat.AT_LEAST: "pelo menos|ao menos|no mínimo",
        Cat.AFTER: "depois de|depois do|depois da|após|após o|posteriormente a",
        Cat.BEFORE: "antes de|antes do|antes da|anteriormente a",
        Cat.BY: "o mais tardar|no mais tardar|o mais tardar em|não mais tarde que",
        Cat.UNTIL: "até|até o|até ao|até à|até a|até os|até aos|até o dia|até ao dia",
        Cat.THROUGH: "até inclusive",
        Cat.FROM: "de|do|da|dos|desde|desde o",
        Cat.TO: "a|até|ao|à|aos|até o|até ao|-|–|—",
        Cat.BETWEEN: "entre|entre o|entre os",
        Cat.AND: "e|e o|e os|&",
        Cat.FOR: "durante|por",
        Cat.THROUGHOUT: "durante todo o ano de|durante todo o|todo o ano de|o ano inteiro de|ao longo de todo o ano de",
        Cat.SINCE_POST: "em diante|até hoje|até agora|até o presente",
        Cat.BEFORE_POST: "ou antes",
        Cat.UNTIL_POST: "inclusive",
    })
