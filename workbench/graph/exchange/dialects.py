"""Three ways to write that a fact stands for a triple, line by line, and back.

    rdf-1.2      <f> rdf:reifies <<( <s> <p> <o> )>> <g> .       as the store keeps it
    rdf-star     <f> rdf:reifies << <s> <p> <o> >> <g> .         N-Quads-star, for stores of before RDF 1.2
    reification  <f> rdf:subject <s> <g> . (predicate, object)   RDF 1.0, for every store

All three say the same and lose nothing: sorted N-Quads come back equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

from workbench.graph import vocabulary as v
from workbench.model.errors import UsageError

_REIFIES: Final = f" <{v.RDF_REIFIES}> "
_PARTS: Final = {f" <{iri}> ": place for place, iri in enumerate((v.RDF_SUBJECT, v.RDF_PREDICATE, v.RDF_OBJECT))}
# subject and predicate are IRIs, which hold no blanks; what follows up to the closing mark is the object
_TRIPLE: Final = re.compile(r"(<[^<> ]*>) (<[^<> ]*>) (.*)", re.DOTALL)
_LINE: Final = re.compile(r"(<[^<> ]*>)( <[^<> ]*> )(.*?)( <[^<> ]*>)? \.\s*$", re.DOTALL)


class Dialect(StrEnum):
    """How triple terms are written."""

    RDF12 = "rdf-1.2"
    STAR = "rdf-star"
    REIFICATION = "reification"


def to_dialect(lines: Iterable[str], dialect: Dialect) -> Iterator[str]:
    """N-Quads lines as the store keeps them, in another dialect; each ends with a line break."""
    for line in lines:
        if dialect is Dialect.RDF12 or _REIFIES not in line:
            yield line
            continue
        fact, rest = line.split(_REIFIES, 1)
        if not rest.startswith("<<( "):
            yield line  # the words stand in a literal
            continue
        triple, _, graph = rest[4:].rpartition(" )>>")
        if dialect is Dialect.STAR:
            yield f"{fact}{_REIFIES}<< {triple} >>{graph}"
            continue
        found = _TRIPLE.fullmatch(triple)
        assert found is not None, line
        for part, term in zip(_PARTS, found.groups(), strict=True):
            yield f"{fact}{part}{term}{graph}"


def from_dialects(lines: Iterable[str]) -> Iterator[str]:
    """N-Quads lines of any dialect as the store keeps them.

    Raises:
        UsageError: a fact has a part of its triple only.
    """
    waiting: dict[tuple[str, str], list[str | None]] = {}
    for line in lines:
        if _REIFIES in line:
            fact, rest = line.split(_REIFIES, 1)
            if rest.startswith("<< "):
                triple, _, graph = rest[3:].rpartition(" >>")
                yield f"{fact}{_REIFIES}<<( {triple} )>>{graph}"
                continue
        part = next((part for part in _PARTS if part in line), None)
        found = None if part is None else _LINE.match(line)
        if found is None or found[2] not in _PARTS:
            yield line
            continue
        key = found[1], found[4] or ""
        terms = waiting.setdefault(key, [None, None, None])
        terms[_PARTS[found[2]]] = found[3]
        if None not in terms:
            del waiting[key]
            yield f"{key[0]}{_REIFIES}<<( {' '.join(term for term in terms if term)} )>>{key[1]} .\n"
    if waiting:
        (fact, graph), terms = next(iter(waiting.items()))
        raise UsageError(f"{len(waiting)} facts have only a part of their triple, for example {fact} in "
                         f"{graph.strip() or 'the default graph'}: {[term for term in terms if term]}; "
                         "the file is cut or mixed")
