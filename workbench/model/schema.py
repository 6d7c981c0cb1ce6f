"""Relations and types, as declared. Reading them from Turtle is `workbench.graph.ontology`'s work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation between a subject and an object or literal.

    Attributes:
        iri: its IRI; the local name is what follows the last `:`, `/` or `#`.
        labels: (text, language tag or "") pairs, preferred labels first.
        alt_labels: surface forms (`skos:altLabel`), as (text, language tag or "") pairs.
        functional: a subject has one value at an instant.
        inverse_functional: an object has one subject at an instant.
        symmetric: a r b says b r a; stored once, with the smaller IRI as subject.
        inverse_of: IRI of the relation that this one is the inverse of; claims are stored under that one, turned.
        event: an occurrence; holds only over its stated span, never persists, closes nothing.
        domain, range: IRIs of types; `range` may be an XSD datatype.
        declared: False for a relation that the schema does not know; its values coexist.
        description: one sentence, or "".
    """

    iri: str
    labels: tuple[tuple[str, str], ...] = ()
    alt_labels: tuple[tuple[str, str], ...] = ()
    functional: bool = False
    inverse_functional: bool = False
    symmetric: bool = False
    inverse_of: str | None = None
    event: bool = False
    domain: str | None = None
    range: str | None = None
    declared: bool = True
    description: str = ""

    @property
    def exclusive(self) -> bool:
        """Whether two values of this relation can exclude each other."""
        return self.functional or self.inverse_functional


@dataclass(frozen=True, slots=True)
class EntityType:
    """A type of entity.

    Attributes:
        iri: its IRI.
        labels: (text, language tag or "") pairs.
        parent: IRI of the broader type (`rdfs:subClassOf`), or None.
    """

    iri: str
    labels: tuple[tuple[str, str], ...] = ()
    parent: str | None = None


@dataclass(frozen=True)
class Schema:
    """All declared relations and types, by IRI.

    Attributes:
        digest: SHA-256 (hex) of the schema's canonical triples; names this version.
        source: the Turtle text that it was read from.
    """

    relations: Mapping[str, Relation] = field(default_factory=dict)
    types: Mapping[str, EntityType] = field(default_factory=dict)
    digest: str = ""
    source: str = ""
