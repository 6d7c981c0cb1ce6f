"""Text as index tokens, in any language: words (English ones stemmed), identifiers whole and in parts, bigrams of
scripts that write without spaces.

One function decides what a token is (`tokens`); texts and questions go through it alike. `VERSION` changes with it.
"""

from __future__ import annotations

import hashlib
import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, Protocol

from workbench.model.names import name_key

VERSION: Final = 1
LONGEST_TOKEN: Final = 64

STOP_WORDS: Final = frozenset(
    "a about above after again all also am an and any are as at be because been before being below between both but by "
    "can cant could did didnt do does doesnt doing dont down during each else ever few for from further get got had "
    "has have having he her here hers herself him himself his how however i id if ill im in into is isnt it its itself "
    "ive just let lets like me more most my myself no nor not now of off on once only or other our ours ourselves out "
    "over own please same she should so some such than that thats the their theirs them themselves then there theres "
    "these they theyre this those through to too under until up us very was wasnt we were what whats when where which "
    "while who whom whose why will with would you your youre yours yourself".split())

GENERIC: Final = frozenset(
    "anybody anyone anything everybody everyone everything somebody someone something thing nobody nothing "
    "discuss discussed fact happen happened hear heard kind know known mention mentioned note noted question record "
    "recorded remember said say show sort talk talked tell told".split())
"""Words that ask for what was said, whatever it was."""

# what may end or begin a chunk without being part of an identifier; `+` and `#` may (C++, C#), and so they stay
_EDGES: Final = "".join(chr(code) for code in range(33, 127) if not chr(code).isalnum() and chr(code) not in "+#") + (
    "¡¿«»‹›“”‘’„‚…·،؛؟।。、，．！？：；（）「」『』【】《》〈〉")
_BREAK: Final = re.compile(r"[\s\u2013\u2014\u2026\u3000-\u3002]+")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_APOSTROPHE: Final = re.compile(r"(?<=\w)['’ʼ](?=\w)")
_POSSESSIVE: Final = re.compile(r"(?<=\w)['’ʼ]s(?!\w)", re.I)
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ASCII_WORD: Final = re.compile(r"[a-z0-9]+")
_HAN: Final = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_SPACELESS: Final = (
    _HAN + "\u3041-\u309f\u30a1-\u30ff\u31f0-\u31ff\uac00-\ud7af\u1100-\u11ff"
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\ua9e0-\ua9ff\uaa60-\uaa7f")
_RUN: Final = re.compile(f"[{_SPACELESS}]+")
_IDEOGRAPH: Final = re.compile(f"[{_HAN}]")
_PLAIN: Final = re.compile(r"(?!z[yz])[a-z0-9]+")


def tokens(text: str) -> list[str]:
    r"""The tokens of a text, in order, repeated as often as they occur. Any text is fine; odd text has few.

    >>> tokens("Ann's moves")
    ['ann', 'move']
    >>> tokens("ERR-1234/5 in C++, user_id")
    ['err-1234/5', 'err', '1234', '5', 'in', 'c++', 'c', 'user_id', 'user', 'id']
    >>> tokens("memberOf"), tokens("北京大"), tokens("/ \\ | ( ) %")
    (['memberof', 'member', 'of'], ['北', '京', '大', '北京', '京大'], [])
    """
    found: list[str] = []
    for chunk in _BREAK.split(text):
        found.extend(_of_chunk(chunk))
    return found


def content_tokens(text: str) -> list[str]:
    """As `question_tokens`, without words that only say that something was said or is asked for.

    >>> content_tokens("Was there something about Ann's kiln?"), content_tokens("What was noted?")
    (['ann', 'kiln'], [])
    """
    return [token for token in question_tokens(text) if token not in _stop_tokens() | _generic_tokens()]


def question_tokens(text: str) -> list[str]:
    """The distinct tokens of a question, in order; without stop words, unless nothing else is left.

    >>> question_tokens("Where does Ann live?"), question_tokens("to be or not to be")
    (['ann', 'live'], ['to', 'be', 'or', 'not'])
    """
    found = list(dict.fromkeys(tokens(text)))
    return [token for token in found if token not in _stop_tokens()] or found


@cache
def _stop_tokens() -> frozenset[str]:
    """Stop words as they come out of `tokens`."""
    return STOP_WORDS | {stem(word) for word in STOP_WORDS}


@cache
def _generic_tokens() -> frozenset[str]:
    return GENERIC | {stem(word) for word in GENERIC}


@lru_cache(maxsize=65_536)
def _of_chunk(chunk: str) -> tuple[str, ...]:
    """The tokens of a run of text without blanks; chunks recur, so they are remembered."""
    core = _POSSESSIVE.sub("", chunk).strip(_EDGES)
    if not core:
        return ()
    core = _THOUSANDS.sub("", _APOSTROPHE.sub("", core))
    if core.isascii() and core.isalnum() and not _CAMEL.search(core):
        return (stem(core.lower()),)
    parts = [part for piece in _CAMEL.split(core) for part in _words(name_key(piece))]
    whole = name_key(core)
    identifier = len(parts) > 1 and not _RUN.search(whole) and len(whole) <= 4 * LONGEST_TOKEN
    if (identifier or whole[-1:] in ("+", "#")) and whole not in parts:
        return (whole, *parts)
    return tuple(parts)


def _words(text: str) -> Iterator[str]:
    """Folded text as words; a run of a script without spaces as bigrams, ideographs also one by one."""
    if text.isascii():
        for word in _ASCII_WORD.findall(text):
            yield stem(word)
        return
    for word in _word_pattern().findall(text):
        end = 0
        for run in _RUN.finditer(word):
            if run.start() > end:
                yield word[end:run.start()]
            yield from _grams(run[0])
            end = run.end()
        if end < len(word):
            yield stem(word[end:])


def _grams(run: str) -> Iterator[str]:
    yield from _IDEOGRAPH.findall(run)
    if len(run) == 1:
        if not _IDEOGRAPH.match(run):
            yield run
        return
    for at in range(len(run) - 1):
        yield run[at:at + 2]


@cache
def _word_pattern() -> re.Pattern[str]:
    r"""Letters and digits with the marks that belong to them, which Python's `\w` leaves out."""
    ranges: list[list[int]] = []
    for code in range(0x300, 0x1F000):
        if unicodedata.category(chr(code)) in ("Mn", "Mc", "Me"):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    marks = "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)
    return re.compile(f"(?:[^\\W_]|[{marks}])+")


# -- stems ------------------------------------------------------------------------------------------------------


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


_stemming = threading.Lock()


@cache
def _stemmer() -> _Stemmer:
    import snowballstemmer  # loaded when text is first analysed

    found: _Stemmer = snowballstemmer.stemmer("english")
    return found


@lru_cache(maxsize=262_144)
def stem(word: str) -> str:
    """The English stem (Snowball, M. F. Porter 2001) of a folded ASCII word; any other word as it is.

    >>> stem("moving"), stem("北京"), stem("v2")
    ('move', '北京', 'v2')
    """
    if not (word.isascii() and word.isalpha()) or len(word) > LONGEST_TOKEN:
        return word
    with _stemming:  # the library keeps the word that it works on in itself
        return _stemmer().stemWord(word)


# -- storing ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=262_144)
def stored(token: str) -> str:
    """A token as the index holds it: ASCII letters and digits only, so that no tokenizer can take it apart; distinct
    tokens stay distinct (a very long one is told by its hash).

    >>> stored("ann"), stored("c++"), stored("zz")
    ('ann', 'zz632b2b', 'zz7a7a')
    """
    if len(token) > LONGEST_TOKEN:
        return "zy" + hashlib.blake2b(token.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    if _PLAIN.fullmatch(token):
        return token
    return "zz" + token.encode("utf-8", "surrogatepass").hex()
