"""Every IRI that the project knows; no other module spells one out. `vocabulary.ttl` explains the `tcg:` terms."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from workbench.model.ids import quote_id, unquote_id
from workbench.model.names import has_hash, slug
from workbench.model.time import Allen

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
OWL: Final = "http://www.w3.org/2002/07/owl#"
SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
PROV: Final = "http://www.w3.org/ns/prov#"
TIME: Final = "http://www.w3.org/2006/time#"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"
SH: Final = "http://www.w3.org/ns/shacl#"
DCTERMS: Final = "http://purl.org/dc/terms/"
SD: Final = "http://www.w3.org/ns/sparql-service-description#"
VOID: Final = "http://rdfs.org/ns/void#"
FORMATS: Final = "http://www.w3.org/ns/formats/"
FOAF_PRIMARY_TOPIC: Final = "http://xmlns.com/foaf/0.1/primaryTopic"
ENTAILMENT: Final = "http://www.w3.org/ns/entailment/"
TCG: Final = "urn:tcg:"

ENTITY: Final = TCG + "entity:"
RELATION: Final = TCG + "relation:"
FACT: Final = TCG + "fact:"
EPISODE: Final = TCG + "episode:"
TYPE: Final = TCG + "type:"
SUPPORT: Final = TCG + "support:"
CLAIMS: Final = TCG + "claims:"
PROGRAM: Final = TCG + "program:"
SCHEMA: Final = TCG + "schema:"
TOMBSTONE: Final = TCG + "tombstone:"

PREFIXES: Final = {
    "tcg": TCG, "e": ENTITY, "r": RELATION, "f": FACT, "ep": EPISODE, "t": TYPE,
    "rdf": RDF, "rdfs": RDFS, "owl": OWL, "skos": SKOS, "prov": PROV, "xsd": XSD,
}
"""Prefix → namespace, as declared for every query and used in every export."""

RDF_TYPE: Final = RDF + "type"
RDF_REIFIES: Final = RDF + "reifies"
RDF_STATEMENT: Final = RDF + "Statement"
RDF_SUBJECT: Final = RDF + "subject"
RDF_PREDICATE: Final = RDF + "predicate"
RDF_OBJECT: Final = RDF + "object"
RDF_PROPERTY: Final = RDF + "Property"
RDF_LANG_STRING: Final = RDF + "langString"

RDFS_LABEL: Final = RDFS + "label"
RDFS_COMMENT: Final = RDFS + "comment"
RDFS_CLASS: Final = RDFS + "Class"
RDFS_SUBCLASS_OF: Final = RDFS + "subClassOf"
RDFS_SUBPROPERTY_OF: Final = RDFS + "subPropertyOf"
RDFS_DOMAIN: Final = RDFS + "domain"
RDFS_RANGE: Final = RDFS + "range"
RDFS_LITERAL: Final = RDFS + "Literal"

OWL_CLASS: Final = OWL + "Class"
OWL_THING: Final = OWL + "Thing"
OWL_ONTOLOGY: Final = OWL + "Ontology"
OWL_OBJECT_PROPERTY: Final = OWL + "ObjectProperty"
OWL_DATATYPE_PROPERTY: Final = OWL + "DatatypeProperty"
OWL_FUNCTIONAL: Final = OWL + "FunctionalProperty"
OWL_INVERSE_FUNCTIONAL: Final = OWL + "InverseFunctionalProperty"
OWL_SYMMETRIC: Final = OWL + "SymmetricProperty"
OWL_INVERSE_OF: Final = OWL + "inverseOf"

SKOS_PREF_LABEL: Final = SKOS + "prefLabel"
SKOS_ALT_LABEL: Final = SKOS + "altLabel"
SKOS_DEFINITION: Final = SKOS + "definition"

SH_PATH: Final = SH + "path"
SH_INVERSE_PATH: Final = SH + "inversePath"
SH_PROPERTY: Final = SH + "property"
SH_TARGET_CLASS: Final = SH + "targetClass"
SH_TARGET_SUBJECTS_OF: Final = SH + "targetSubjectsOf"
SH_TARGET_OBJECTS_OF: Final = SH + "targetObjectsOf"
SH_CLASS: Final = SH + "class"
SH_DATATYPE: Final = SH + "datatype"
SH_NODE_KIND: Final = SH + "nodeKind"
SH_LITERAL: Final = SH + "Literal"
SH_IRI: Final = SH + "IRI"
SH_MAX_COUNT: Final = SH + "maxCount"
SH_NOT: Final = SH + "not"
SH_IN: Final = SH + "in"
SH_MESSAGE: Final = SH + "message"
SH_RESULT: Final = SH + "result"
SH_RESULT_MESSAGE: Final = SH + "resultMessage"
SH_FOCUS_NODE: Final = SH + "focusNode"
SH_NODE_SHAPE: Final = SH + "NodeShape"
SHAPE: Final = TCG + "shape:"

PROV_ENTITY: Final = PROV + "Entity"
PROV_ACTIVITY: Final = PROV + "Activity"
PROV_WAS_REVISION_OF: Final = PROV + "wasRevisionOf"
PROV_WAS_DERIVED_FROM: Final = PROV + "wasDerivedFrom"
PROV_AGENT: Final = PROV + "Agent"
PROV_USED: Final = PROV + "used"
PROV_WAS_GENERATED_BY: Final = PROV + "wasGeneratedBy"
PROV_WAS_INVALIDATED_BY: Final = PROV + "wasInvalidatedBy"
PROV_WAS_ATTRIBUTED_TO: Final = PROV + "wasAttributedTo"
PROV_GENERATED_AT_TIME: Final = PROV + "generatedAtTime"
PROV_INVALIDATED_AT_TIME: Final = PROV + "invalidatedAtTime"
PROV_ENDED_AT_TIME: Final = PROV + "endedAtTime"

TIME_PROPER_INTERVAL: Final = TIME + "ProperInterval"
TIME_INSTANT: Final = TIME + "Instant"
TIME_HAS_BEGINNING: Final = TIME + "hasBeginning"
TIME_HAS_END: Final = TIME + "hasEnd"
TIME_IN_XSD_DATE_TIME_STAMP: Final = TIME + "inXSDDateTimeStamp"

XSD_STRING: Final = XSD + "string"
XSD_BOOLEAN: Final = XSD + "boolean"
XSD_INTEGER: Final = XSD + "integer"
XSD_DECIMAL: Final = XSD + "decimal"
XSD_DOUBLE: Final = XSD + "double"
XSD_DATE: Final = XSD + "date"
XSD_DATE_TIME: Final = XSD + "dateTime"
XSD_DATE_TIME_STAMP: Final = XSD + "dateTimeStamp"
XSD_ANY_URI: Final = XSD + "anyURI"

# What an episode is, in the catalogue.
TCG_EPISODE: Final = TCG + "Episode"
TCG_OBSERVED_AT: Final = TCG + "observedAt"
TCG_RECORDED_AT: Final = TCG + "recordedAt"
TCG_TEXT: Final = TCG + "text"
TCG_RECORD: Final = TCG + "record"
TCG_SOURCE: Final = TCG + "source"
TCG_SESSION: Final = TCG + "session"
TCG_SPEAKER: Final = TCG + "speaker"
TCG_KIND: Final = TCG + "kind"
TCG_ACTION: Final = TCG + "action"
TCG_ARGUMENTS: Final = TCG + "arguments"
TCG_TRUST: Final = TCG + "trust"
TCG_TIME_ZONE: Final = TCG + "timeZone"
TCG_ZONE_ASSUMED: Final = TCG + "zoneAssumed"
TCG_SEQUENCE: Final = TCG + "sequence"
TCG_CONTENT_HASH: Final = TCG + "contentHash"
TCG_CLAIMS: Final = TCG + "claims"
TCG_PROGRAM: Final = TCG + "program"
TCG_FAILURE: Final = TCG + "failure"
TCG_RETRACTS: Final = TCG + "retracts"
TCG_SUPERSEDES: Final = TCG + "supersedes"
TCG_TOMBSTONE: Final = TCG + "Tombstone"
TCG_ERASED_AT: Final = TCG + "erasedAt"
TCG_SEAL: Final = TCG + "seal"

# What a fact and its supports carry, in an episode's graph.
TCG_VALID_TIME: Final = TCG + "validTime"
TCG_KNOWLEDGE_TIME: Final = TCG + "knowledgeTime"
TCG_VALID_FROM: Final = TCG + "validFrom"
TCG_VALID_TO: Final = TCG + "validTo"
TCG_VALID_FROM_EARLIEST: Final = TCG + "validFromEarliest"
TCG_VALID_FROM_LATEST: Final = TCG + "validFromLatest"
TCG_VALID_TO_EARLIEST: Final = TCG + "validToEarliest"
TCG_VALID_TO_LATEST: Final = TCG + "validToLatest"
TCG_KNOWN_FROM: Final = TCG + "knownFrom"
TCG_KNOWN_TO: Final = TCG + "knownTo"
TCG_CLOSED_BY: Final = TCG + "closedBy"
TCG_SUPPORTED_BY: Final = TCG + "supportedBy"
TCG_SUPPORT: Final = TCG + "Support"
TCG_FROM_EPISODE: Final = TCG + "fromEpisode"
TCG_ATTESTED_FROM: Final = TCG + "attestedFrom"
TCG_ATTESTED_TO: Final = TCG + "attestedTo"
TCG_CONFIDENCE: Final = TCG + "confidence"
TCG_QUOTE: Final = TCG + "quote"
TCG_REASON: Final = TCG + "reason"
TCG_STATUS: Final = TCG + "status"
TCG_SETTLED: Final = TCG + "settled"
TCG_COMPETING: Final = TCG + "competing"

# How relations are declared, and entities joined and parted.
TCG_STATE: Final = TCG + "State"
TCG_EVENT: Final = TCG + "Event"
TCG_MERGED_INTO: Final = TCG + "mergedInto"
TCG_SPLIT_FROM: Final = TCG + "splitFrom"

# SPARQL functions. The Allen relations carry OWL-Time's names.
TCG_VALID_AT: Final = TCG + "validAt"
TCG_KNOWN_AT: Final = TCG + "knownAt"
TCG_OVERLAP: Final = TCG + "overlap"
ALLEN_FUNCTIONS: Final = {TCG + relation.value: relation for relation in Allen}
"""IRI of a SPARQL function → the Allen relation that it tests."""

_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`\x00-\x20]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def is_iri(text: str) -> bool:
    """Whether the text is an absolute IRI of a known shape: `urn:…`, `scheme://…` or `mailto:…`.

    >>> is_iri("urn:tcg:entity:alice"), is_iri("note:to self"), is_iri("r:memberOf"), is_iri("http://localhost:3000'")
    (True, False, False, False)
    """
    scheme, _, rest = text.partition(":")
    known = scheme.lower() in ("urn", "mailto", "tag", "did") or rest.startswith("//")
    return known and _IRI.fullmatch(text) is not None and _is_valid(text)


@lru_cache(maxsize=4_096)
def _is_valid(iri: str) -> bool:
    """Whether the engine takes it: ports are digits, `%` is followed by two of them, and so on."""
    import pyoxigraph as ox  # only a text with a scheme needs it

    try:
        ox.NamedNode(iri)
    except ValueError:
        return False
    return True


def expand(text: str) -> str | None:
    """The IRI that an IRI or a prefixed name with one of `PREFIXES` stands for, or None.

    >>> expand("r:memberOf"), expand("member of")
    ('urn:tcg:relation:memberOf', None)
    """
    if is_iri(text):
        return text
    prefix, colon, local = text.partition(":")
    namespace = PREFIXES.get(prefix)
    fits = colon and namespace and local and not re.search(r"[\s/:]", local)
    return namespace + local if namespace and fits and _is_valid(namespace + local) else None


def local_name(iri: str) -> str:
    """What follows the last `#`, `/` or `:` of an IRI.

    >>> local_name("urn:tcg:relation:memberOf"), local_name(RDFS_LABEL)
    ('memberOf', 'label')
    """
    return re.split(r"[#/:]", iri.rstrip("#/:"))[-1]


def unquoted_local_name(iri: str) -> str:
    """The local name of an IRI as people read it; what a thing is called that has no label.

    >>> unquoted_local_name("urn:tcg:entity:mail%207")
    'mail 7'
    """
    try:
        return unquote_id(local_name(iri))
    except ValueError:
        return local_name(iri)


def words_of(name: str) -> str:
    """A relation's or type's name as words: camelCase, underscores and hyphens opened.

    >>> words_of("memberOf"), words_of("works_with"), words_of("on-call")
    ('member Of', 'works with', 'on call')
    """
    return " ".join(re.sub(r"[\s_-]+", " ", _CAMEL.sub(" ", name)).split()) or name


def entity_iri(name: str, distinct: str = "") -> str:
    """The IRI of the entity of that name; `distinct` tells apart entities that share the name.

    >>> entity_iri("Alice"), entity_iri("John Smith", "2")
    ('urn:tcg:entity:alice', 'urn:tcg:entity:john-smith.2')
    """
    return f"{ENTITY}{slug(name)}" + (f".{quote_id(distinct)}" if distinct else "")


def relation_iri(name: str) -> str:
    """The IRI of an undeclared relation; `works_with`, `worksWith` and `works with` are one.

    >>> relation_iri("works_with") == relation_iri("worksWith") == relation_iri("works with")
    True
    """
    return RELATION + _local(name)


def type_iri(name: str) -> str:
    """The IRI of an undeclared type.

    >>> type_iri("Space Station")
    'urn:tcg:type:space-station'
    """
    return TYPE + _local(name)


def _local(name: str) -> str:
    # A local name that carries a hash is read back as it is; opened into words it would lose the separator.
    return name if has_hash(name) else slug(words_of(name))


def fact_iri(digest: str) -> str:
    """The IRI of the record with that hash."""
    return FACT + (digest if digest.isascii() and digest.isalnum() else quote_id(digest))


def support_iri(digest: str) -> str:
    """The IRI of the support with that hash."""
    return SUPPORT + quote_id(digest)


def agent_iri(name: str) -> str:
    """The IRI of who said something, in exports."""
    return f"{TCG}agent:{slug(name)}"


def tombstone_iri(token: str) -> str:
    """The IRI of the tombstone with that random id."""
    return TOMBSTONE + quote_id(token)


def episode_iri(episode: str) -> str:
    """The IRI of an episode, and of its graph; `episode_id` reads the id back.

    >>> episode_iri("mail 7/b"), episode_id(episode_iri("mail 7/b"))
    ('urn:tcg:episode:mail%207%2Fb', 'mail 7/b')
    """
    return EPISODE + quote_id(episode)


def episode_id(iri: str) -> str:
    """The id of the episode with that IRI.

    Raises:
        ValueError: it is no episode's IRI.
    """
    return unquote_id(local_part(iri, EPISODE))


def local_part(iri: str, namespace: str) -> str:
    """What follows the namespace in an IRI of it, as it stands there (percent-encoded).

    Raises:
        ValueError: the IRI is not in that namespace.
    """
    if not iri.startswith(namespace) or iri == namespace:
        raise ValueError(f"{iri!r} is not in {namespace!r}")
    return iri[len(namespace) :]


def compact(iri: str) -> str:
    """A prefixed name where one of `PREFIXES` fits, else the text unchanged; the longest namespace wins.

    >>> compact("urn:tcg:entity:alice"), compact("some text")
    ('e:alice', 'some text')
    """
    fitting = [(len(namespace), prefix, namespace) for prefix, namespace in PREFIXES.items()
               if iri.startswith(namespace) and len(iri) > len(namespace)]
    if not fitting:
        return iri
    _, prefix, namespace = max(fitting)
    return f"{prefix}:{iri[len(namespace):]}"
