"""Counting tokens with real tokenizers, offline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Protocol

from workbench.model.errors import UsageError
from workbench.retrieve.encoder import default_model_path

BYTES: Final = "bytes"
WORDPIECE: Final = "wordpiece"
BPE: Final = ("o200k_base", "cl100k_base")


class TokenCounter(Protocol):
    """Counts the tokens of a text as one tokenizer sees them; special marks at its ends do not count."""

    @property
    def name(self) -> str:
        """Which tokenizer."""
        ...

    def count(self, text: str) -> int:
        """How many tokens a text has."""
        ...


@dataclass(frozen=True)
class Bytes:
    """UTF-8 bytes: no byte-level tokenizer makes more tokens of a text, so a budget kept in bytes is kept in any."""

    name: str = BYTES

    def count(self, text: str) -> int:
        """The length in UTF-8."""
        return len(text.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True)
class _Counted:
    name: str
    _count: Callable[[str], int]

    def count(self, text: str) -> int:
        return self._count(text)


@cache  # loading a vocabulary takes a second
def token_counter(name: str | None = None) -> TokenCounter:
    """The counter of that name.

    Args:
        name: `o200k_base` or `cl100k_base` (the package bpe-openai or tiktoken), `wordpiece` (the tokenizer of the
            default embedding model), `bytes` (an upper bound without any package), or the path of a `tokenizer.json`
            or of a model's folder; None = the first of these that is installed, in this order.

    Raises:
        UsageError: unknown, or its package or file is missing.
    """
    if name is None:
        if find_spec("bpe_openai") is not None or find_spec("tiktoken") is not None:
            return token_counter(BPE[0])
        return token_counter(WORDPIECE if default_model_path() is not None and find_spec("tokenizers") else BYTES)
    if name == BYTES:
        return Bytes()
    if name in BPE:
        return _Counted(name, _bpe(name))
    path = default_model_path() if name == WORDPIECE else Path(name)
    if path is not None and path.is_dir():
        path = path / "tokenizer.json"
    if path is None or not path.is_file():
        raise UsageError(f"no tokenizer {name!r}; there are {', '.join((*BPE, WORDPIECE, BYTES))} "
                         "and any path of a tokenizer.json")
    return _Counted(name, _from_file(path))


def _bpe(name: str) -> Callable[[str], int]:
    encoding: Any
    if find_spec("bpe_openai") is not None:
        import bpe_openai

        encoding = bpe_openai.get_encoding(name)
    elif find_spec("tiktoken") is not None:
        import tiktoken

        encoding = tiktoken.get_encoding(name)
    else:
        raise UsageError(f"counting {name} tokens needs the package bpe-openai; pip install bpe-openai")
    return lambda text: len(encoding.encode_ordinary(text))


def _from_file(path: Path) -> Callable[[str], int]:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise UsageError("reading a tokenizer.json needs the package tokenizers; pip install tokenizers") from error
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)
