"""Ids given by users: one validator for all of them, and one way to put them into an IRI and get them out again."""

from __future__ import annotations

import unicodedata
from typing import Final
from urllib.parse import quote, unquote

from workbench.model.errors import UsageError

MAX_ID_LENGTH: Final = 512


def check_id(text: str) -> str:
    r"""Return the id unchanged if it may serve as one: 1 to 512 characters, not only blanks, no control characters.

    Everything that passes can be written to a store and read back, "a b" and "c/d" included.

    Raises:
        UsageError: it may not; the message says why.

    >>> check_id("mail/2024-05 #7")
    'mail/2024-05 #7'
    >>> check_id("a\nb")
    Traceback (most recent call last):
    workbench.model.errors.UsageError: id 'a\nb' has a control character (U+000A) at position 1; remove it
    """
    if not text.strip():
        raise UsageError(f"id {text!r} is {'only blanks' if text else 'empty'}; give at least one visible character")
    if len(text) > MAX_ID_LENGTH:
        raise UsageError(f"id {text[:40]!r}… has {len(text)} characters; the limit is {MAX_ID_LENGTH}, shorten it")
    for position, char in enumerate(text):
        category = unicodedata.category(char)
        if category in ("Cc", "Cs", "Zl", "Zp"):
            kind = "half of a surrogate pair" if category == "Cs" else "control character"
            raise UsageError(f"id {text!r} has a {kind} (U+{ord(char):04X}) at position {position}; remove it")
    return text


def quote_id(text: str) -> str:
    """Percent-encode an id for the last part of an IRI; ASCII letters, digits and `-._~:@` stay as they are.

    >>> quote_id("a b"), quote_id("c/d"), quote_id("#?%")
    ('a%20b', 'c%2Fd', '%23%3F%25')
    """
    return quote(text, safe=":@")


def unquote_id(text: str) -> str:
    """Undo `quote_id`.

    Raises:
        UsageError: the text is not percent-encoded UTF-8.
    """
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError as error:
        raise UsageError(f"{text!r} is not a percent-encoded id; ids are encoded as UTF-8") from error
