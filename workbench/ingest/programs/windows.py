"""Long texts in overlapping windows of whole sentences, and the claims of windows put together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from workbench.model.claim import Claim, claims_text
from workbench.model.sentences import sentence_spans

WINDOW: Final = 2_400
OVERLAP: Final = 300


def windows(text: str, size: int = WINDOW, overlap: int = OVERLAP) -> list[tuple[int, int]]:
    """`[start, end)` stretches of a text, each at most `size` characters, that begin and end with sentences.

    Each begins with the last sentences of the one before, up to `overlap` characters of them. Together they cover all
    that is not blank. A sentence that is too long by itself is cut between words.

    Raises:
        ValueError: the overlap is not smaller than half the size.
    """
    if not 0 <= overlap < size / 2:
        raise ValueError(f"an overlap of {overlap} does not fit a window of {size} characters")
    parts = [part for low, high in sentence_spans(text) for part in _cut(text, low, high, size - overlap)]
    found: list[tuple[int, int]] = []
    first = 0
    for number in range(len(parts)):
        last = number + 1 == len(parts)
        if last or parts[number + 1][1] - parts[first][0] > size:
            found.append((parts[first][0], parts[number][1]))
            following = number + 1
            while following > first + 1 and parts[number][1] - parts[following - 1][0] <= overlap and (
                    last or parts[number + 1][1] - parts[following - 1][0] <= size):
                following -= 1
            first = following
    return found


def _cut(text: str, low: int, high: int, size: int) -> Iterable[tuple[int, int]]:
    while high - low > size:
        at = max(text.rfind(" ", low + size // 2, low + size), text.rfind("\n", low + size // 2, low + size)) + 1
        at = at if at > low else low + size
        yield low, at
        low = at
    if text[low:high].strip():
        yield low, high


def merged(claims: Iterable[Claim]) -> list[Claim]:
    """Each claim once, in the order of the text.

    Two are one if they say the same of the same, whatever their quotes, or if their words overlap and one of them only
    leaves out the times of the other.
    """
    kept: dict[str, Claim] = {}
    for claim in sorted(claims, key=lambda claim: (claim.span or (0, 0), claims_text([claim]))):
        same = claims_text([_said(claim)])  # as text: 1 and True are equal as values
        if same not in kept or (kept[same].inferred and not claim.inferred):
            kept[same] = claim
    rows = list(kept.values())
    return sorted((claim for claim in rows if not any(_less(claim, other) for other in rows)),
                  key=lambda claim: claim.span or (0, 0))


def _said(claim: Claim) -> Claim:
    return replace(claim, quote=None, span=None, confidence=1.0, inferred=False)


def _less(claim: Claim, other: Claim) -> bool:
    """Whether the other says the same with the same words, and when."""
    if claim is other or claim.span is None or other.span is None:
        return False
    untimed = claim.start is None and claim.end is None and claim.valid_from is None and claim.valid_to is None
    timed = not (other.start is None and other.end is None)
    meets = claim.span[0] < other.span[1] and other.span[0] < claim.span[1]
    return untimed and timed and meets and _said(claim) == replace(
        _said(other), valid_from=None, valid_to=None, start=None, end=None)
