"""Words of a question: tokens, stems, and which words say nothing of their own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

import snowballstemmer

from workbench.ingest.rules.words import IRREGULAR

_WORD: Final = re.compile(r"[^\W_]+", re.UNICODE)
# scripts written without spaces: a character is a word
_SPACELESS: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_STEMMER: Final = snowballstemmer.stemmer("english")

# beside the irregular verbs of the rule extractor: nouns of verbs, and verbs that mean the same in a question
_BASES: Final = {word: base for base, words in {
    "marry": "married marries", "study": "studied studies", "child": "children", "person": "people", "wife": "wives",
    "member": "members membership belong belongs belonged", "locate": "location locations located", "die": "death",
    "educate": "education educated", "employ": "employment", "own": "ownership", "bear": "birth",
    "reside": "residence resident", "nationality": "nationalities", "become": "became becomes",
}.items() for word in words.split()} | {
    form: base for third, (base, past, participle) in IRREGULAR.items() for form in (third, past, participle)}

FILLERS: Final = frozenset("""
a an the of to in into on onto at for by with from as per about is was were be been being are am isn wasn weren aren
has have had having do does did don didn doesn will would can could shall should may might must that which who whom
whose what when where why how and or nor not if but it its he she they them his her hers their theirs him this these
those there here then than so also ever yet still already just please tell me us we you i our my your let s t d ll re
ve us whether while during within over under out off up any some every each all both either no none very really
exactly actually again right away along together around time times point moment same which
der die das den dem des ein eine einen einem einer eines und oder wer wen wem wessen was wann wo wohin woher welche
welcher welches welchen welchem wie ist war waren sind hat hatte haben wird wurde im in am an auf bei von vom zu zum zur
mit für aus nach seit bis als es er sie damals
el la los las un una unos unas y o quién quien quiénes qué que cuál cual cuáles cuándo cuando dónde donde cómo es era
fue son eran está estaba ha había en de del al a por para con desde hasta como se su sus
的 是 了 在 谁 什 么 哪 里 个 吗 呢 有 过 时 候 到 从 和 与 那 这 年 月 日 当 被 几 多 少 何
""".split())

GENERIC: Final = frozenset("""
hold serve term tenure stint period spell mandate stay occupy record list name call say state file store database show
happen exist there currently current now today presently nowadays present moment former formerly previous previously
prior earlier later latest recent recently most first last next initial original final finally begin start end stop
finish cease long many much number count old new value fact date year month week day
answer information detail know believe think consider accord stand back always once used use date only else other
another different various distinct everyone everybody anyone anybody total altogether overall life history order
chronological ever since until before after between
derzeit aktuell heute jetzt früher zuletzt zuerst erste letzte lange viele actual actualmente ahora hoy primero último
""".split())

KINDS: Final = frozenset("""
person people man woman individual someone colleague employee user customer team company employer organisation
organization institution firm business club group squad party school university college academy city town village
country state nation place location region department division agency committee board council project product service
policy incident document event thing item value option political sports football soccer academic educational
""".split())
"""Nouns that may stand behind "which" beside a relation: "which employer did she work for". They limit nothing."""

ORGANISATIONAL: Final = frozenset("office position post job role title seat".split())


TURNING: Final = frozenset("""
not isn aren wasn weren don doesn didn hasn haven hadn won cannot no neither nor never without except besides apart
should might must could would may shall ought only solely alone else other another same than rather instead
nicht kein keine keinen keiner nur allein gleiche gleichen selbe selben außer sollte könnte würde müsste dürfte
nunca solo sólo mismo misma salvo excepto debería podría 不 没 只
""".split())
"""Words that turn a question into another one, which nothing here answers: "who is not on it", "who should be"."""
TURNED: Final = frozenset("time day date moment period year month week".split())
"""What may follow "same" all the same: "on the same day"."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question.

    Attributes:
        text: as it stands there.
        start, end: `[start, end)` character offsets.
        stem: what is compared.
    """

    text: str
    start: int
    end: int
    stem: str


def words(text: str) -> list[Word]:
    """The words of a text in order; in scripts without spaces each character is one."""
    found = []
    for match in _WORD.finditer(text):
        cut = match.start()
        for at in range(match.start(), match.end()):
            if _SPACELESS.match(text[at]):
                if cut < at:
                    found.append(_word(text, cut, at))
                found.append(_word(text, at, at + 1))
                cut = at + 1
        if cut < match.end():
            found.append(_word(text, cut, match.end()))
    return found


def _word(text: str, start: int, end: int) -> Word:
    return Word(text[start:end], start, end, stem(text[start:end]))


@cache
def stem(word: str) -> str:
    """What a word is compared by: its base where it is irregular, else its stem without the ending of who does it.

    >>> stem("led") == stem("leader") == stem("leads"), stem("employer") == stem("employs")
    (True, True)
    """
    low = word.casefold()
    base = str(_STEMMER.stemWord(_BASES.get(low, low)))
    if len(base) >= 5 and base.endswith(("er", "or")) and base[:-2] not in FILLERS:
        base = base[:-2]
    return base


@cache
def _stems(group: frozenset[str]) -> frozenset[str]:
    return frozenset(map(stem, group))


def is_filler(word: Word) -> bool:
    """Whether a word only holds a question together."""
    return word.text.casefold() in FILLERS


def is_generic(word: Word) -> bool:
    """Whether a word may stay unexplained: it speaks of questions, times and records in general."""
    return word.text.casefold() in GENERIC or word.stem in _stems(GENERIC)
