"""Plain rankers to measure beside: BM25 and vectors over the bare texts, as anybody would write them first.

They share nothing with `workbench.retrieve` but the encoder's weights, so that a mistake there shows.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

K1: Final = 1.2
B: Final = 0.75
STOP_WORDS: Final = frozenset(
    "a an the and or but if of to in on at for with by from is are was were be been being do does did has have had "
    "this that these those it its i you he she we they what which who whom whose when where why how".split())
_WORD: Final = re.compile(r"[a-z0-9]+")


def words(text: str) -> list[str]:
    """Lower-case runs of letters a to z and digits, without 50 stop words; no stemming.

    >>> words("When did Ann's move happen?")
    ['ann', 's', 'move', 'happen']
    """
    return [word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]


class Bm25:
    """Okapi BM25 with k1 1.2 and b 0.75 (Robertson and Zaragoza 2009, https://doi.org/10.1561/1500000019), idf
    ln(1 + (N - n + 0.5) / (n + 0.5)), over whole texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counts = [Counter(words(text)) for text in texts]
        lengths = np.array([sum(count.values()) for count in self._counts], dtype=float)
        self._norms = K1 * (1 - B + B * lengths / max(lengths.mean() if len(lengths) else 0.0, 1e-9))
        self._frequency = Counter(word for count in self._counts for word in count)

    def scores(self, question: str) -> NDArray[np.float64]:
        """The score of every text."""
        found = np.zeros(len(self._counts))
        for word in dict.fromkeys(words(question)):
            known = self._frequency[word]
            idf = math.log(1 + (len(self._counts) - known + 0.5) / (known + 0.5))
            tf = np.array([count[word] for count in self._counts], dtype=float)
            found += idf * tf * (K1 + 1) / (tf + self._norms)
        return found


class Vectors:
    """Cosine of the question's vector with each text's."""

    def __init__(self, texts: Sequence[str], encode: Callable[[Sequence[str]], NDArray[np.float32]]) -> None:
        self._encode = encode
        self._rows = encode(texts)

    def scores(self, question: str) -> NDArray[np.float64]:
        """The score of every text."""
        found: NDArray[np.float64] = (self._rows @ self._encode([question])[0]).astype(np.float64)
        return found


def ranked(scores: NDArray[np.float64], ids: Sequence[str], most: int) -> list[str]:
    """Ids by score, ties in the order of the texts."""
    order = np.lexsort((np.arange(len(ids)), -scores))[:most]
    return [ids[place] for place in order.tolist()]
