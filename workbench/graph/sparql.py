"""Running SPARQL: what may be asked, with the time functions, read to the end in one thread."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import pyoxigraph as ox

from workbench.graph.functions import functions
from workbench.graph.result import Solutions, Triples, read
from workbench.graph.vocabulary import PREFIXES
from workbench.model.errors import UsageError

_TOKENS: Final = re.compile(
    r"""(?P<skip>\s+|\#[^\n]*|<[^<>"{}|^`\\\x00-\x20]*>|'''(?:[^'\\]|\\.|'(?!''))*'''|\"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\"
    |'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[?$]\w+|@[A-Za-z-]+|[\w.%\\-]*:[\w.:%\\-]*)|(?P<word>[A-Za-z_]\w*)|.""",
    re.VERBOSE | re.DOTALL)
_REFUSED: Final = {
    "SERVICE": "queries to other servers", "LOAD": "loading from elsewhere", "INSERT": "updates", "DELETE": "updates",
    "CLEAR": "updates", "DROP": "updates", "CREATE": "updates", "COPY": "updates", "MOVE": "updates", "ADD": "updates"}
_SUSPECT: Final = re.compile("|".join(_REFUSED), re.IGNORECASE)


def tokens(text: str) -> Iterator[re.Match[str]]:
    """The tokens of SPARQL, one after the other, nothing left out; keywords and bare words are in the group `word`."""
    return _TOKENS.finditer(text)


@lru_cache(maxsize=256)
def check(query: str) -> None:
    """Refuse what must never reach the engine: SERVICE and LOAD in any spelling, and updates.

    Raises:
        UsageError: the query holds such a keyword, outside strings, IRIs, names and comments.
    """
    if _SUSPECT.search(query) is None:  # most queries: none of these letters, so no need for tokens
        return
    for token in tokens(query):
        word = (token["word"] or "").upper()
        if word in ("SERVICE", "LOAD") or (word in _REFUSED and _opens_update(query, token.start())):
            raise UsageError(f"{word} is refused: {_REFUSED[word]} are not allowed in a query; remove it")


def _opens_update(query: str, at: int) -> bool:
    """Whether a keyword stands where an operation begins: at the start, after the prologue or after `;`."""
    before = re.sub(r"(?i)\b(prefix\s+[^\s:]*:\s*<[^>]*>|base\s*<[^>]*>|#[^\n]*)", " ", query[:at]).strip()
    return before == "" or before.endswith(";")


def run(store: ox.Store, query: str, *, extra_default: bool = False) -> Solutions | Triples:
    """Run a query to its end.

    Args:
        store: where.
        query: SPARQL 1.1 or 1.2; the project's prefixes are declared already.
        extra_default: let the default graph hold the catalogue and all episode graphs together.

    Raises:
        UsageError: refused, or not SPARQL; the message has line and column where the parser gives them.
    """
    check(query)
    try:
        return read(store.query(query, prefixes=PREFIXES, use_default_graph_as_union=extra_default,
                                custom_functions=functions()))
    except SyntaxError as error:
        raise UsageError(f"not SPARQL: {error.msg}") from error
    except ValueError as error:
        raise UsageError(f"the query cannot be run: {error}") from error
