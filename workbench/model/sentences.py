"""Where sentences begin and end in a text, with exact offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

_ENDS: Final = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s|$)|[。！？]+|\n\s*\n|\n(?=[-*•]|\S)")
_ABBREVIATIONS: Final = frozenset(
    "mr mrs ms dr prof st sr jr vs etc inc ltd co corp gen sen rep gov capt lt col no vol fig approx dept est "
    "e.g i.e a.m p.m u.s u.k jan feb mar apr jun jul aug sep sept oct nov dec chr".split())


def sentence_spans(text: str, whole: Sequence[tuple[int, int]] = ()) -> Iterator[tuple[int, int]]:
    """`[start, end)` offsets of the sentences; together they cover the text but for blank stretches.

    Cut at full stops, question marks, exclamation marks and line breaks; not after abbreviations, and not within the
    stretches that are to stay whole (time phrases such as "5 p.m.").

    Args:
        text: any text.
        whole: `[start, end)` offsets in order, not overlapping.

    >>> text = "Dr. Ann left. Bob stayed!"
    >>> [text[low:high].strip() for low, high in sentence_spans(text)]
    ['Dr. Ann left.', 'Bob stayed!']
    """
    start, k = 0, 0
    for match in _ENDS.finditer(text):
        low, high = match.span()
        while k < len(whole) and whole[k][1] - 1 <= low:
            k += 1
        if (k < len(whole) and whole[k][0] < high) or (match.group() == "." and _abbreviated(text, start, low)):
            continue
        if text[start:high].strip():
            yield start, high
        start = high
    if text[start:].strip():
        yield start, len(text)


def _abbreviated(text: str, start: int, dot: int) -> bool:
    before = re.search(r"[\w.]+$", text[start:dot])
    if before is None:
        return False
    word = before.group().lower()
    return word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha() and text[dot + 1:dot + 2] == " ")
