"""Proposals for merging: names that look alike. Never a merge by itself; a person or a policy decides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from rapidfuzz import fuzz

from workbench.model.names import digits, name_key, scripts

_SMALL_BLOCK: Final = 40
_WINDOW: Final = 8
_SHORTENED: Final = 0.85
_CONTAINED: Final = 0.8


@dataclass(frozen=True, slots=True)
class Proposal:
    """Two names that may belong to one entity.

    Attributes:
        left, right: the names as given, `left` being the one whose key sorts first.
        score: 0–1, see `similar`.
        reason: what they have in common, in words.
    """

    left: str
    right: str
    score: float
    reason: str


def similar(a: str, b: str) -> float:
    """How alike two names are, 0–1; 1.0 exactly if their keys are equal.

    0.0 where their digits differ ("Group 2024", "Group 2025") or their scripts do. What differs must itself be alike:
    shared words do not lift "北京 University" to "上海 University", nor "Ann Lee" to "Bob Lee".
    """
    left, right = name_key(a), name_key(b)
    if left == right:
        return 1.0
    if digits(left) != digits(right) or scripts(left) != scripts(right):
        return 0.0
    return min(_score(left, right), 0.99)


def _score(left: str, right: str) -> float:
    words_left, words_right = left.split(), right.split()
    shared = set(words_left) & set(words_right)
    rest_left = [word for word in words_left if word not in shared]
    rest_right = [word for word in words_right if word not in shared]
    whole = fuzz.token_sort_ratio(left, right) / 100
    if not rest_left and not rest_right:
        return whole
    if not rest_left or not rest_right:
        return max(whole, _CONTAINED)
    if len(rest_left) == len(rest_right) and all(map(_shortens, rest_left, rest_right)):
        return max(whole, _SHORTENED)
    return min(whole, fuzz.ratio(" ".join(rest_left), " ".join(rest_right)) / 100)


def _shortens(a: str, b: str) -> bool:
    short, long = sorted((a.rstrip("."), b.rstrip(".")), key=len)
    return bool(short) and long.startswith(short)


def propose(names: Iterable[str], limit: int = 100, threshold: float = 0.8) -> list[Proposal]:
    """The pairs of names that score at least `threshold`, best first, at most `limit` of them.

    Only names that share a word's beginning (or two characters in a row, in scripts without spaces), or that are
    neighbours when sorted forwards or backwards, are compared: the work grows with n log n, not n².
    """
    by_key: dict[str, str] = {}
    for name in names:
        by_key.setdefault(name_key(name), name)
    by_key.pop("", None)
    found = (
        Proposal(by_key[left], by_key[right], score, _reason(left, right))
        for left, right in sorted(_candidates(sorted(by_key)))
        if (score := similar(left, right)) >= threshold
    )
    return sorted(found, key=lambda proposal: (-proposal.score, proposal.left, proposal.right))[:limit]


def _candidates(keys: Sequence[str]) -> set[tuple[str, str]]:
    blocks: defaultdict[str, list[str]] = defaultdict(list)
    for key in keys:
        for token in set(_tokens(key)):
            blocks[token].append(key)
    pairs: set[tuple[str, str]] = set()
    for block in blocks.values():
        pairs.update(combinations(block, 2) if len(block) <= _SMALL_BLOCK else _neighbours(block))
    backwards = sorted(keys, key=lambda key: key[::-1])
    for left, right in (*_neighbours(keys), *_neighbours(backwards)):
        pairs.add((left, right) if left < right else (right, left))
    return pairs


def _neighbours(keys: Sequence[str]) -> Iterator[tuple[str, str]]:
    for position, left in enumerate(keys):
        for right in keys[position + 1 : position + 1 + _WINDOW]:
            yield left, right


def _tokens(key: str) -> Iterator[str]:
    for word in key.split():
        if word.isascii():
            yield word[:4]
        else:
            yield from (word[start : start + 2] for start in range(max(1, len(word) - 1)))


def _reason(left: str, right: str) -> str:
    shared = sorted(set(left.split()) & set(right.split()))
    return f"share {', '.join(map(repr, shared))}" if shared else f"{left!r} and {right!r} are spelled alike"
