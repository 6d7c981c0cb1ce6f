"""Names as identity: two names are the same exactly if their keys are equal. No fuzz here.

The key follows Unicode's caseless matching (UAX #31, NFKC_Casefold) and goes further in three places: diacritics of
Latin and Greek letters do not count, nor does any space between two characters of a script that writes without
spaces or where spacing varies, nor the width of a run of blanks.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

SLUG_LENGTH: Final = 80
_HASH_LENGTH: Final = 12
_HASH: Final = re.compile(f"[0-9a-f]{{{_HASH_LENGTH}}}")

# Invisible characters (Unicode's Default_Ignorable_Code_Point); visible format characters such as the Arabic number
# sign are not among them.
_IGNORABLE: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_INVISIBLE: Final = re.compile(f"[{_IGNORABLE}]")

_LATIN_OR_GREEK: Final = (
    "A-Za-z\u00aa\u00ba\u00c0-\u024f\u0250-\u02af\u1d00-\u1dbf\u1e00-\u1eff\u2c60-\u2c7f\ua722-\ua7ff\uab30-\uab6f"
    "\u0370-\u037d\u0386-\u03ff\u1f00-\u1fff"
)
_MARKS: Final = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\ufe20-\ufe2f"
_DIACRITICS: Final = re.compile(f"(?<=[{_LATIN_OR_GREEK}])[{_MARKS}]+")

# Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer, Myanmar: letters and their marks, not their digits, because
# "1 1" and "11" are two names in every script.
_SPACELESS: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\U0001aff0-\U0001b16f"
    "\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecf\u0edc-\u0edf"
    "\u1780-\u17d3\u17d7\u17dc\u17dd\u1000-\u103f\u104a-\u108f\u109a-\u109f\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f"
)
_INNER_SPACE: Final = re.compile(f"(?<=[{_SPACELESS}]) (?=[{_SPACELESS}])")


def name_key(text: str) -> str:
    """The identity of a name: equal keys, same name. Idempotent; empty only for blank input.

    >>> name_key("  Zoë   MÜLLER ") == name_key("zoe muller")
    True
    >>> name_key("스코프 랩스") == name_key("스코프랩스"), name_key("김민수") == name_key("김민석")
    (True, False)
    >>> name_key("Group 2024") == name_key("Group 2025")
    False
    """
    if text.isascii():
        return " ".join(text.lower().split())
    key = _fold(text)
    # One pass can bring forth characters that fold again (a ligature's letters, a mark bared by a lost joiner).
    for _ in range(4):
        if (again := _fold(key)) == key:
            break
        key = again
    return key or text.strip()


def _fold(text: str) -> str:
    visible = _INVISIBLE.sub("", text)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())
    bare = _DIACRITICS.sub("", unicodedata.normalize("NFD", folded))
    spaced = " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFC", bare)).split())
    return _INNER_SPACE.sub("", spaced)


def slug(text: str) -> str:
    """A local name for an IRI, made from the key alone: the same name gives the same slug on every machine.

    Letters, marks and digits of any script are kept, a space becomes `-`. Where anything else is lost, or the name is
    longer than `SLUG_LENGTH` characters, `_` and a hash of the key (12 hex digits of SHA-256) follow, so that two
    keys never share a slug. Blank text gives a slug of its own (`_` and the hash of nothing).

    >>> slug("Alice"), slug("São Paulo"), slug("北京 University")
    ('alice', 'sao-paulo', '北京-university')
    >>> slug("C++") != slug("C") and slug("C++").startswith("c_")
    True
    """
    key = name_key(text)
    kept = "".join("-" if char == " " else char for char in key if char == " " or _is_plain(char))
    if kept and len(kept) == len(key) <= SLUG_LENGTH:
        return kept
    return f"{kept[:SLUG_LENGTH].strip('-')}_{_short_hash(key)}"


def has_hash(text: str) -> bool:
    """Whether the text is a slug that carries a hash.

    >>> has_hash(slug("C++")), has_hash(slug("C")), has_hash("works_with")
    (True, False, False)
    """
    head, separator, tail = text.rpartition("_")
    plain = all(char == "-" or _is_plain(char) for char in head)
    return bool(separator) and plain and _HASH.fullmatch(tail) is not None


def _is_plain(char: str) -> bool:
    return unicodedata.category(char)[0] in "LMN" and not _INVISIBLE.match(char)


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]


def digits(text: str) -> tuple[str, ...]:
    """The runs of digits in a name, in order, as they stand in its key.

    >>> digits("Room 12, floor 3")
    ('12', '3')
    """
    return tuple(re.findall(r"\d+", name_key(text)))


def scripts(text: str) -> frozenset[str]:
    """The scripts of a name's letters, by the first word of their Unicode names ("LATIN", "CJK", "HANGUL").

    >>> sorted(scripts("北京 University 2024"))
    ['CJK', 'LATIN']
    """
    letters = (char for char in name_key(text) if char.isalpha())
    return frozenset(unicodedata.name(char, "UNKNOWN").split()[0].split("-")[0] for char in letters)
