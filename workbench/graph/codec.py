"""Changes of belief as quads, and catalogue entries back.

A term is kept as text: an IRI as it is, a literal as `"lexical"` followed by `^^datatype` or `@language`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import pyoxigraph as ox

from workbench.graph import vocabulary as v
from workbench.graph.change import Change, Entry, RecordRow, SupportRow
from workbench.graph.terms import Terms
from workbench.graph.timeline import COMPETING, STATED
from workbench.model.claim import Value, canonical_json, claim_from_json, claims_text
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.time import BEGINNING, EARLIEST, FOREVER, LATEST, Instant

Term = ox.NamedNode | ox.Literal


@lru_cache(maxsize=4096)
def node(iri: str) -> ox.NamedNode:
    """An IRI as a term; cached, since predicates recur."""
    return ox.NamedNode(iri)


@lru_cache(maxsize=65_536)
def term(text: str) -> Term:
    """A term from its text."""
    if not text.startswith('"'):
        return ox.NamedNode(text)
    end = text.rindex('"')
    lexical, suffix = text[1:end], text[end + 1:]
    if suffix.startswith("@"):
        return ox.Literal(lexical, language=suffix[1:])
    return ox.Literal(lexical, datatype=node(suffix[2:])) if suffix else ox.Literal(lexical)


def literal_text(value: Value, datatype: str | None = None) -> str:
    """The text of a literal term; numbers, booleans and instants in canonical form so that equals are equal.

    Args:
        value: the literal.
        datatype: an IRI, `@language`, or None for the natural one of the Python type.
    """
    if datatype and datatype.startswith("@"):
        return f'"{value}"{datatype.lower()}'
    if isinstance(value, bool):
        return f'"{str(value).lower()}"^^{v.XSD_BOOLEAN}'
    if isinstance(value, int) and datatype in (None, v.XSD_INTEGER):
        return f'"{value}"^^{v.XSD_INTEGER}'
    if isinstance(value, int | float) and datatype in (None, v.XSD_DECIMAL, v.XSD_DOUBLE, v.XSD_INTEGER):
        if float(value).is_integer():
            return f'"{int(value)}"^^{v.XSD_INTEGER}'
        return f'"{value:.12g}"^^{v.XSD_DECIMAL if abs(value) < 1e12 else v.XSD_DOUBLE}'
    if datatype in (None, v.XSD_STRING):
        return f'"{" ".join(str(value).split())}"'
    return f'"{value}"^^{datatype}'


def literal_value(text: str) -> tuple[Value, str | None]:
    """(Python value, datatype IRI or `@language` or None for a plain string) of a literal's text."""
    end = text.rindex('"')
    lexical, suffix = text[1:end], text[end + 1:]
    if not suffix or suffix.startswith("@"):
        return lexical, suffix or None
    datatype = suffix[2:]
    try:
        if datatype == v.XSD_INTEGER:
            return int(lexical), datatype
        if datatype in (v.XSD_DECIMAL, v.XSD_DOUBLE):
            return float(lexical), datatype
    except ValueError:
        return lexical, datatype
    return (lexical == "true", datatype) if datatype == v.XSD_BOOLEAN else (lexical, datatype)


@lru_cache(maxsize=65_536)
def moment(instant: int) -> ox.Literal:
    """An instant as xsd:dateTime in UTC; ±∞ as the last instant of the same sign within ±200,000 years."""
    return ox.Literal(_clamped(instant).iso(), datatype=node(v.XSD_DATE_TIME))


def _clamped(instant: int) -> Instant:
    return Instant(min(max(instant, EARLIEST), LATEST))


def text_of(value: ox.NamedNode | ox.Literal) -> str:
    """The text of a term."""
    if isinstance(value, ox.NamedNode):
        return value.value
    if value.language:
        return f'"{value.value}"@{value.language}'
    return f'"{value.value}"' + ("" if value.datatype.value == v.XSD_STRING else f"^^{value.datatype.value}")


# -- N-Quads ------------------------------------------------------------------------------------------------------
# Changes are written as N-Quads text, which the engine loads in one atomic step; it costs less than quad objects.
# Lines of one graph end in its `tail`: the graph's name, a full stop and a line feed.


def tail(graph: str) -> str:
    """The end of every line of a named graph."""
    return f" <{graph}> .\n"


def written(text: str) -> str:
    """A term, from its text, in N-Triples form.

    IRIs are checked where names become terms; the engine refuses a bad one whole.
    """
    return _literal(text) if text.startswith('"') else f"<{text}>"


@lru_cache(maxsize=65_536)
def _literal(text: str) -> str:
    return str(term(text))


def quoted(text: str) -> str:
    """A plain string in N-Triples form."""
    if not text.isprintable():
        return str(ox.Literal(text))
    if '"' in text or "\\" in text:
        text = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


@lru_cache(maxsize=65_536)
def at(instant: int) -> str:
    """An instant in N-Triples form."""
    return f'"{_clamped(instant).iso()}"^^<{v.XSD_DATE_TIME}>'


# -- catalogue ----------------------------------------------------------------------------------------------------


def catalogue(entry: Entry, home: str, sequence: int) -> str:
    """The episode's own quads, for the default graph, as N-Quads; `home` is its IRI."""
    episode = entry.episode
    subject = f"<{home}> <"
    lines = (f"{subject}{_EPISODE_TYPES[0]}{subject}{_EPISODE_TYPES[1]}"
             f"{subject}{v.TCG_OBSERVED_AT}> {at(entry.observed)} .\n"
             f"{subject}{v.TCG_RECORDED_AT}> {at(entry.recorded)} .\n"
             f'{subject}{v.TCG_SEQUENCE}> "{sequence}"^^<{v.XSD_INTEGER}> .\n'
             f'{subject}{v.TCG_KIND}> "{episode.kind}" .\n'
             f'{subject}{v.TCG_CONTENT_HASH}> "{entry.content_hash}" .\n')
    texts = [
        (v.TCG_TEXT, episode.text), (v.TCG_SOURCE, episode.source), (v.TCG_SESSION, episode.session),
        (v.TCG_SPEAKER, episode.speaker), (v.TCG_TIME_ZONE, episode.time_zone), (v.TCG_ACTION, episode.action),
        (v.TCG_RECORD, None if episode.record is None else canonical_json(episode.record)),
        (v.TCG_ARGUMENTS, canonical_json(episode.arguments) if episode.arguments else None),
        (v.TCG_CLAIMS, (entry.claims_text or claims_text(entry.claims)) if entry.claims else None),
        (v.TCG_PROGRAM, None if entry.program == "given" else entry.program),
        (v.TCG_FAILURE, canonical_json(list(entry.failures)) if entry.failures else None),
    ]
    lines += "".join([f"{subject}{predicate}> {quoted(text)} .\n" for predicate, text in texts if text is not None])
    if episode.trust != 1.0:
        lines += f"{subject}{v.TCG_TRUST}> {ox.Literal(episode.trust)} .\n"
    if episode.zone_assumed:
        lines += f"{subject}{v.TCG_ZONE_ASSUMED}> {ox.Literal(True)} .\n"
    return lines


_EPISODE_TYPES: Final = (f"{v.RDF_TYPE}> <{v.TCG_EPISODE}> .\n", f"{v.RDF_TYPE}> <{v.PROV_ENTITY}> .\n")


def entry_from(quads: list[ox.Quad], identifier: str) -> tuple[int, Entry]:
    """(sequence, entry) from an episode's catalogue quads."""
    got: dict[str, str] = {}
    for quad in quads:
        assert isinstance(quad.object, ox.NamedNode | ox.Literal)
        got[quad.predicate.value] = quad.object.value
    program = got.get(v.TCG_PROGRAM, "given")
    claims = tuple(claim_from_json(row) for row in json.loads(got.get(v.TCG_CLAIMS, "[]")))
    episode = Episode(
        id=identifier, kind=EpisodeKind(got[v.TCG_KIND]), text=got.get(v.TCG_TEXT),
        record=json.loads(got[v.TCG_RECORD]) if v.TCG_RECORD in got else None,
        source=got.get(v.TCG_SOURCE), session=got.get(v.TCG_SESSION), speaker=got.get(v.TCG_SPEAKER),
        observed_at=Instant.parse(got[v.TCG_OBSERVED_AT]), recorded_at=Instant.parse(got[v.TCG_RECORDED_AT]),
        time_zone=got.get(v.TCG_TIME_ZONE), zone_assumed=v.TCG_ZONE_ASSUMED in got,
        trust=float(got.get(v.TCG_TRUST, 1.0)), claims=claims if program == "given" else None,
        action=got.get(v.TCG_ACTION), arguments=json.loads(got.get(v.TCG_ARGUMENTS, "{}")),
    )
    failures = tuple(json.loads(got.get(v.TCG_FAILURE, "[]")))
    return int(got[v.TCG_SEQUENCE]), Entry(episode, claims, program, got[v.TCG_CONTENT_HASH], failures)


# -- belief -------------------------------------------------------------------------------------------------------


FROM = (v.TCG_VALID_FROM, v.TCG_VALID_FROM_EARLIEST, v.TCG_VALID_FROM_LATEST)
TO = (v.TCG_VALID_TO, v.TCG_VALID_TO_EARLIEST, v.TCG_VALID_TO_LATEST)


def limits(predicates: tuple[str, str, str], best: int, earliest: int, latest: int) -> list[tuple[str, str]]:
    """Pairs for a start or end: the best value if bounded, and bounds where they differ from it."""
    main, low, high = predicates
    pairs = [(main, at(best))] if BEGINNING < best < FOREVER else []
    if earliest != best:
        pairs.append((low, at(earliest)))
    if latest != best:
        pairs.append((high, at(latest)))
    return pairs


def record(row: RecordRow, triple: tuple[str, str, str], fact: str, revises: str | None, known: str, tail: str) -> str:
    """A record: the asserted triple, its reifier and what is known of it. An unknown start has no `validFrom`, only
    the latest instant at which it had begun.

    Args:
        row: the record.
        triple: the texts of its terms.
        fact, revises: the IRIs of the record and of the one it replaces.
        known: the instant from which it is known, in N-Triples form.
        tail: see `tail`.
    """
    said = f"{written(triple[0])} {written(triple[1])} {written(triple[2])}"
    pairs = limits(FROM, row.vf, row.fe, row.fl) if row.flags & STATED else [(FROM[2], at(row.fl))]
    pairs += limits(TO, row.vt, row.te, row.tl)
    if row.flags & COMPETING:
        pairs.append((v.TCG_STATUS, f"<{v.TCG_COMPETING}>"))
    if row.confidence != 1.0:
        pairs.append((v.TCG_CONFIDENCE, f'"{row.confidence:.6g}"^^<{v.XSD_DECIMAL}>'))
    if row.quote is not None:
        pairs.append((v.TCG_QUOTE, quoted(row.quote)))
    if revises is not None:
        pairs.append((v.PROV_WAS_REVISION_OF, f"<{revises}>"))
    return (f"{said}{tail}<{fact}> <{v.RDF_REIFIES}> <<( {said} )>>{tail}<{fact}> <{v.TCG_KNOWN_FROM}> {known}{tail}"
            f"{_lines(fact, pairs, tail)}")


def closing(fact: str, reason: str, known: str, graph: str, tail: str) -> str:
    """The end of a belief, in the graph of the episode that ended it."""
    return (f"<{fact}> <{v.TCG_KNOWN_TO}> {known}{tail}<{fact}> <{v.TCG_CLOSED_BY}> <{graph}>{tail}"
            f"<{fact}> <{v.TCG_REASON}> {quoted(reason)}{tail}")


def support(fact: str, by: str, tail: str) -> str:
    """Support of a fact by an episode."""
    return f"<{fact}> <{v.TCG_SUPPORTED_BY}> <{by}>{tail}"


def later_support(fact: str, by: str, row: SupportRow, known: int, tail: str) -> str:
    """Support that came after the fact, with since when it is known and what it attests."""
    name = hashlib.blake2b(f"{fact} {by} {known} {row.af} {row.at}".encode(), digest_size=10).hexdigest()
    pairs = [(v.RDF_REIFIES, f"<<( <{fact}> <{v.TCG_SUPPORTED_BY}> <{by}> )>>"), (v.TCG_KNOWN_FROM, at(known))]
    if row.af < row.at:
        pairs += [(v.TCG_ATTESTED_FROM, at(row.af)), (v.TCG_ATTESTED_TO, at(row.at))]
    return support(fact, by, tail) + _lines(v.support_iri(name), pairs, tail)


def labels(change: Change, texts: Terms, tail: str) -> str:
    """A label for every entity that the episode mentions, types given to it, and entities that now count as another."""
    lines = [f"<{texts[entity]}> <{v.RDFS_LABEL}> {quoted(texts[label])}{tail}" for entity, label in change.mentions]
    lines += [f"<{texts[t.entity]}> <{v.RDF_TYPE}> <{texts[t.type]}>{tail}" for t in change.types]
    for m in change.mapped:
        predicate = v.TCG_MERGED_INTO if m.episode < 0 else v.TCG_SPLIT_FROM
        lines.append(f"<{texts[m.entity]}> <{predicate}> <{texts[m.to]}>{tail}")
    return "".join(lines)


def _lines(subject: str, pairs: Iterable[tuple[str, str]], tail: str) -> str:
    return "".join([f"<{subject}> <{predicate}> {value}{tail}" for predicate, value in pairs])
