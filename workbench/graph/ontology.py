"""Reading a schema from Turtle (RDFS, OWL, SKOS, SHACL). Slow to import; whoever only asks uses `schema_json`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rdflib import Graph, Literal, URIRef
from rdflib.compare import to_canonical_graph
from rdflib.term import Node

from workbench.graph import vocabulary as v
from workbench.graph.relations import is_datatype
from workbench.graph.schema_json import default_schema
from workbench.graph.validation import declaration_problems, parse_turtle, validate_view
from workbench.model.errors import SchemaError
from workbench.model.schema import EntityType, Relation, Schema

__all__ = ["default_schema", "load_schema", "validate_schema", "validate_view"]

_PROPERTY_CLASSES = (v.RDF_PROPERTY, v.OWL_OBJECT_PROPERTY, v.OWL_DATATYPE_PROPERTY, v.OWL_FUNCTIONAL,
                     v.OWL_INVERSE_FUNCTIONAL, v.OWL_SYMMETRIC, v.TCG_STATE, v.TCG_EVENT)


def load_schema(source: str | Path, *, check: bool = True) -> Schema:
    """Read relations and types from a Turtle file, or from Turtle text.

    A relation is whatever is typed as a property (RDF, OWL, `tcg:State`, `tcg:Event`), has an `owl:inverseOf`, or is
    the path of a SHACL property shape; `sh:maxCount 1` there counts as functional (inverse functional for an inverse
    path), `sh:class` or `sh:datatype` as range, the shape's `sh:targetClass` as domain. Of two relations that are each
    other's inverse, claims are stored under the one that does not state it (if both do, under the smaller IRI).

    Args:
        source: a path, or text (anything with a line break, or that starts with `<` or `@`).
        check: also run the SHACL shapes over the declarations (about a second).

    Raises:
        SchemaError: not Turtle, or a declaration that contradicts itself; the message names the relation.
    """
    text, name = _text(source)
    schema, problems = _read(text, name, check)
    if problems:
        raise SchemaError(f"{name}: " + "; ".join(problems))
    return schema


def validate_schema(source: str | Path) -> list[str]:
    """What is wrong with the declarations of a Turtle file or text, each naming the relation; empty if all is well.

    Raises:
        SchemaError: it cannot be read, or is not Turtle.
    """
    return _read(*_text(source), check=True)[1]


def _read(text: str, name: str, check: bool) -> tuple[Schema, list[str]]:
    graph = parse_turtle(text, name)
    relations = _with_shapes(graph, {iri: _relation(graph, URIRef(iri)) for iri in sorted(set(_relation_iris(graph)))})
    relations = _with_inverses(relations)
    types = {iri: _entity_type(graph, URIRef(iri)) for iri in sorted(set(_type_iris(graph)))}
    problems = _problems(relations, types)
    if check:
        problems += [problem for problem in declaration_problems(graph) if problem not in problems]
    return Schema(relations, types, _digest(graph), text), problems


def _text(source: str | Path) -> tuple[str, str]:
    if isinstance(source, str) and ("\n" in source or not source.strip() or source.lstrip().startswith(("<", "@"))):
        return source, "schema"
    path = Path(source)
    try:
        return path.read_text("utf-8"), str(path)
    except (OSError, UnicodeDecodeError) as error:
        raise SchemaError(f"{path}: cannot read the schema: {error}; give a Turtle file in UTF-8") from error


def _digest(graph: Graph) -> str:
    lines = sorted(to_canonical_graph(graph).serialize(format="nt").splitlines())
    return hashlib.sha256("\n".join(line for line in lines if line).encode()).hexdigest()


def _relation_iris(graph: Graph) -> Iterator[str]:
    for kind in _PROPERTY_CLASSES:
        yield from map(str, _iris(graph.subjects(URIRef(v.RDF_TYPE), URIRef(kind))))
    inverse = URIRef(v.OWL_INVERSE_OF)
    for first, second in graph.subject_objects(inverse):
        yield from map(str, _iris(iter((first, second))))
    for path in graph.objects(None, URIRef(v.SH_PATH)):
        turned = graph.value(path, URIRef(v.SH_INVERSE_PATH))
        yield from (str(term) for term in (path, turned) if isinstance(term, URIRef) and str(term) != v.RDF_TYPE)


def _type_iris(graph: Graph) -> Iterator[str]:
    for kind in (v.OWL_CLASS, v.RDFS_CLASS):
        yield from map(str, _iris(graph.subjects(URIRef(v.RDF_TYPE), URIRef(kind))))
    for first, second in graph.subject_objects(URIRef(v.RDFS_SUBCLASS_OF)):
        yield from map(str, _iris(iter((first, second))))


def _iris(terms: Iterator[Node]) -> Iterator[URIRef]:
    return (term for term in terms if isinstance(term, URIRef))


def _one_iri(graph: Graph, subject: Node, predicate: str) -> str | None:
    return min(map(str, _iris(graph.objects(subject, URIRef(predicate)))), default=None)


def _pairs(graph: Graph, subject: URIRef, *predicates: str) -> tuple[tuple[str, str], ...]:
    found: dict[tuple[str, str], None] = {}
    for predicate in predicates:
        literals = (term for term in graph.objects(subject, URIRef(predicate)) if isinstance(term, Literal))
        # English first, then labels without a language: they are what most callers show.
        pairs = sorted(((str(term), term.language or "") for term in literals),
                       key=lambda pair: (("en", "").index(pair[1]) if pair[1] in ("en", "") else 2, pair[1], pair[0]))
        found.update(dict.fromkeys(pairs))
    return tuple(found)


def _relation(graph: Graph, iri: URIRef) -> Relation:
    kinds = {str(kind) for kind in graph.objects(iri, URIRef(v.RDF_TYPE))}
    stated_range = _one_iri(graph, iri, v.RDFS_RANGE)
    comment = graph.value(iri, URIRef(v.RDFS_COMMENT)) or graph.value(iri, URIRef(v.SKOS_DEFINITION))
    inverse = _one_iri(graph, iri, v.OWL_INVERSE_OF)
    symmetric = v.OWL_SYMMETRIC in kinds or inverse == str(iri)
    return Relation(
        str(iri),
        labels=_pairs(graph, iri, v.SKOS_PREF_LABEL, v.RDFS_LABEL),
        alt_labels=_pairs(graph, iri, v.SKOS_ALT_LABEL),
        functional=v.OWL_FUNCTIONAL in kinds or (symmetric and v.OWL_INVERSE_FUNCTIONAL in kinds),
        inverse_functional=v.OWL_INVERSE_FUNCTIONAL in kinds,
        symmetric=symmetric,
        inverse_of=None if inverse == str(iri) else inverse,
        event=v.TCG_EVENT in kinds,
        domain=_one_iri(graph, iri, v.RDFS_DOMAIN),
        range=stated_range or (v.RDFS_LITERAL if v.OWL_DATATYPE_PROPERTY in kinds else None),
        description=" ".join(str(comment).split()) if comment is not None else "",
    )


def _entity_type(graph: Graph, iri: URIRef) -> EntityType:
    parent = _one_iri(graph, iri, v.RDFS_SUBCLASS_OF)
    return EntityType(str(iri), _pairs(graph, iri, v.SKOS_PREF_LABEL, v.RDFS_LABEL), parent)


def _with_shapes(graph: Graph, relations: dict[str, Relation]) -> dict[str, Relation]:
    result = dict(relations)
    for shape, path in sorted(graph.subject_objects(URIRef(v.SH_PATH))):
        turned = graph.value(path, URIRef(v.SH_INVERSE_PATH))
        iri = str(turned if turned is not None else path)
        if iri not in result:
            continue
        owner = graph.value(None, URIRef(v.SH_PROPERTY), shape)
        own_type = None if owner is None else _one_iri(graph, owner, v.SH_TARGET_CLASS)
        other_type = _one_iri(graph, shape, v.SH_CLASS) or _one_iri(graph, shape, v.SH_DATATYPE)
        limit = graph.value(shape, URIRef(v.SH_MAX_COUNT))
        one = limit is not None and str(limit) == "1"
        old = result[iri]
        ends = (other_type, own_type) if turned is not None else (own_type, other_type)
        result[iri] = replace(
            old, functional=old.functional or (one and turned is None),
            inverse_functional=old.inverse_functional or (one and turned is not None),
            domain=old.domain or ends[0], range=old.range or ends[1])
    return result


def _with_inverses(relations: dict[str, Relation]) -> dict[str, Relation]:
    """Give each pair one canonical relation, and both ends what is said of either."""
    result = dict(relations)
    for iri, relation in relations.items():
        other = None if relation.inverse_of is None else relations.get(relation.inverse_of)
        if other is None:
            continue
        if other.inverse_of == iri and iri < other.iri:
            result[iri] = replace(result[iri], inverse_of=None)
    for iri, relation in list(result.items()):
        if relation.inverse_of is None or relation.inverse_of not in result:
            continue
        canonical = result[relation.inverse_of]
        shared = replace(
            canonical,
            functional=canonical.functional or relation.inverse_functional,
            inverse_functional=canonical.inverse_functional or relation.functional,
            domain=canonical.domain or relation.range, range=canonical.range or relation.domain,
            event=canonical.event or relation.event)
        result[canonical.iri] = shared
        result[iri] = replace(relation, functional=shared.inverse_functional, inverse_functional=shared.functional,
                              domain=shared.range, range=shared.domain, event=shared.event)
    return result


def _problems(relations: dict[str, Relation], types: dict[str, EntityType]) -> list[str]:
    problems: list[str] = []
    for iri, relation in relations.items():
        target = None if relation.inverse_of is None else relations.get(relation.inverse_of)
        if target is not None and target.inverse_of is not None:
            problems.append(f"<{iri}> is the inverse of <{target.iri}>, which is an inverse itself; "
                            f"declare it against <{target.inverse_of}>")
        if relation.inverse_of is not None and relation.domain is not None and is_datatype(relation.domain):
            problems.append(f"<{iri}> is the inverse of a relation to literals, which have no relations of their own")
        if relation.inverse_of is not None and relation.symmetric:
            problems.append(f"<{iri}> is symmetric, so it is its own inverse; drop owl:inverseOf")
        if relation.symmetric and relation.range is not None and is_datatype(relation.range):
            problems.append(f"<{iri}> is symmetric, but its range is a datatype; literals are no subjects")
        if relation.event and relation.exclusive:
            problems.append(f"<{iri}> is an event, which closes nothing, so it cannot be (inverse) functional")
    return problems + [f"<{iri}>: its broader types go in a circle" for iri in types if _circular(iri, types)]


def _circular(iri: str, types: dict[str, EntityType]) -> bool:
    current, steps = types[iri].parent, 0
    while current is not None and current != iri and steps <= len(types):
        current, steps = (types[current].parent if current in types else None), steps + 1
    return current is not None
