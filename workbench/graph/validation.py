"""SHACL: does a schema contradict itself, and does a view keep to its schema? pyshacl is imported on first use."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.resources import files

from rdflib import BNode, Graph, Literal, URIRef
from rdflib.collection import Collection
from rdflib.term import Node

from workbench.graph import vocabulary as v
from workbench.graph.relations import SchemaIndex, is_datatype
from workbench.model.errors import SchemaError, TimeError
from workbench.model.schema import Relation, Schema
from workbench.model.time import Instant


def parse_turtle(text: str, name: str = "schema") -> Graph:
    """Parse Turtle with rdflib.

    Raises:
        SchemaError: it is not Turtle; the message has the line.
    """
    try:
        return Graph().parse(data=text, format="turtle")
    except Exception as error:  # rdflib's parser raises whatever it trips over
        raise SchemaError(f"{name}: not valid Turtle: {' '.join(str(error).split())[:300]}") from error


def declaration_problems(graph: Graph) -> list[str]:
    """What `shapes.ttl` finds wrong with the declarations in a parsed schema; each line names the term."""
    return _run(graph, _static_shapes(), graph)


def validate_view(turtle: str, schema: Schema) -> list[str]:
    """What is wrong with plain RDF measured by a schema: the view of one instant, or a flattened export of facts.

    Checks that instants are in order (`tcg:validFrom` before `tcg:validTo` and so on), that ends have types compatible
    with domain and range (an end without a type fits everything), and that functional relations have one value (a
    competing set is reported too: it is several).

    Args:
        turtle: Turtle or N-Triples text without triple terms.
        schema: what to measure by.

    Returns:
        One line per finding, sorted; empty if all is well.

    Raises:
        SchemaError: the text is not Turtle.
    """
    with _quiet_dates():
        data = parse_turtle(turtle, "view")
    problems = _countable_instants(data)
    shapes = _static_shapes() + _schema_shapes(schema)
    return sorted({*problems, *_run(data, shapes, None)})


def _static_shapes() -> Graph:
    return parse_turtle(files("workbench.graph").joinpath("shapes.ttl").read_text("utf-8"), "shapes.ttl")


def _run(data: Graph, shapes: Graph, ontology: Graph | None) -> list[str]:
    import pyshacl

    _, report, text = pyshacl.validate(data, shacl_graph=shapes, ont_graph=ontology, inference="none", advanced=False)
    if not isinstance(report, Graph):
        raise SchemaError(f"the shapes could not be applied: {text}")
    results = report.subjects(URIRef(v.SH_RESULT_MESSAGE))
    return sorted({f"<{report.value(result, URIRef(v.SH_FOCUS_NODE))}> "
                   f"{report.value(result, URIRef(v.SH_RESULT_MESSAGE))}" for result in results})


@contextmanager
def _quiet_dates() -> Iterator[None]:
    """Keep rdflib from logging a traceback for each year before 1 or after 9999, which `Instant` reads."""
    logger = logging.getLogger("rdflib.term")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def _countable_instants(data: Graph) -> list[str]:
    """Put microseconds in the place of date-times: rdflib compares only years 1 to 9999."""
    problems = []
    for subject, predicate, term in list(data):
        if not (isinstance(term, Literal) and str(term.datatype) == v.XSD_DATE_TIME):
            continue
        try:
            count = Literal(int(Instant.parse(str(term))))
        except TimeError as error:
            problems.append(f"<{subject}> has a wrong {v.local_name(str(predicate))}: {error}")
            continue
        if str(predicate).startswith(v.TCG):
            data.remove((subject, predicate, term))
            data.add((subject, predicate, count))
    return problems


def _schema_shapes(schema: Schema) -> Graph:
    shapes, index = Graph(), SchemaIndex(schema)
    for iri, relation in sorted(schema.relations.items()):
        path, name = URIRef(iri), v.local_name(iri)
        if relation.functional:
            _property_shape(shapes, f"{name}:one-value", v.SH_TARGET_SUBJECTS_OF, path, path, v.SH_MAX_COUNT,
                            Literal(1), f"has more than one {name} at a time")
        if relation.inverse_functional:
            inverse = BNode()
            shapes.add((inverse, URIRef(v.SH_INVERSE_PATH), path))
            _property_shape(shapes, f"{name}:one-subject", v.SH_TARGET_OBJECTS_OF, path, inverse, v.SH_MAX_COUNT,
                            Literal(1), f"is the {name} of more than one subject at a time")
        for end, kind in (("domain", relation.domain), ("range", relation.range)):
            if kind is not None:
                _end_shape(shapes, index, relation, end, kind)
    return shapes


def _end_shape(shapes: Graph, index: SchemaIndex, relation: Relation, end: str, kind: str) -> None:
    target = v.SH_TARGET_SUBJECTS_OF if end == "domain" else v.SH_TARGET_OBJECTS_OF
    path, name = URIRef(relation.iri), v.local_name(relation.iri)
    if is_datatype(kind):
        shape = _node_shape(shapes, f"{name}:{end}", target, path, f"is the value of {name}, which takes literals only")
        shapes.add((shape, URIRef(v.SH_NODE_KIND), URIRef(v.SH_LITERAL)))
        return
    strangers = [URIRef(other) for other in sorted(index.schema.types) if not index.compatible(other, kind)]
    if strangers:
        listed, stranger = BNode(), BNode()
        Collection(shapes, listed, list(strangers))
        shapes.add((stranger, URIRef(v.SH_IN), listed))
        message = f"has a type that does not fit the {end} of {name}, {v.local_name(kind)}"
        _property_shape(shapes, f"{name}:{end}", target, path, URIRef(v.RDF_TYPE), v.SH_NOT, stranger, message)


def _node_shape(shapes: Graph, local: str, target: str, of: URIRef, message: str) -> URIRef:
    shape = URIRef(v.SHAPE + local)
    shapes.add((shape, URIRef(v.RDF_TYPE), URIRef(v.SH_NODE_SHAPE)))
    shapes.add((shape, URIRef(target), of))
    shapes.add((shape, URIRef(v.SH_MESSAGE), Literal(message)))
    return shape


def _property_shape(shapes: Graph, local: str, target: str, of: URIRef, path: Node, constraint: str, value: Node,
                    message: str) -> None:
    shape, inner = _node_shape(shapes, local, target, of, message), BNode()
    rows: Iterable[tuple[str, Node]] = ((v.SH_PATH, path), (constraint, value), (v.SH_MESSAGE, Literal(message)))
    shapes.add((shape, URIRef(v.SH_PROPERTY), inner))
    for predicate, term in rows:
        shapes.add((inner, URIRef(predicate), term))
