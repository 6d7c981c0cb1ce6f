"""A stand-in for a sentence encoder: hashed words, no model, the same on every machine."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.retrieve.text import tokens


class HashedWords:
    """Each word pushes a text's vector in a direction of its own; texts that share words are alike.

    Attributes:
        name, dimension: as of any encoder.
        texts: how many it has encoded.
    """

    name = "hashed-words"

    def __init__(self, dimension: int = 64) -> None:
        self.dimension = dimension
        self.texts = 0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (texts, dimension), each of length 1; a text without words gets the first direction."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for token in tokens(text):
                seed = hashlib.blake2b(token.encode("utf-8", "surrogatepass"), digest_size=8).digest()
                row += np.random.default_rng(int.from_bytes(seed, "little")).standard_normal(self.dimension)
            if not row.any():
                row[0] = 1
            row /= np.linalg.norm(row)
        self.texts += len(texts)
        return vectors
