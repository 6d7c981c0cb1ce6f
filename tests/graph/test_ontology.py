"""Reading schemas: what is taken in, what is refused, and the default one."""

from pathlib import Path

import pytest

import workbench.graph
from workbench.graph import vocabulary as v
from workbench.graph.ontology import default_schema, load_schema, validate_schema
from workbench.graph.regenerate import default_json
from workbench.graph.schema_json import schema_from_json, schema_to_json
from workbench.model.errors import SchemaError
from workbench.model.schema import Relation

HEAD = """
@prefix ex: <http://example.org/> . @prefix tcg: <urn:tcg:> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
"""
EX = "http://example.org/"
FOLDER = Path(workbench.graph.__file__).parent


def one(declaration: str, name: str) -> Relation:
    return load_schema(HEAD + declaration).relations[EX + name]


def test_the_default_schema_equals_its_turtle() -> None:
    """After editing default.ttl run `python -m workbench.graph.regenerate`."""
    assert (FOLDER / "default.json").read_text("utf-8") == default_json(FOLDER)
    assert default_schema() == load_schema(FOLDER / "default.ttl")


def test_json_round_trip() -> None:
    schema = default_schema()
    assert schema_from_json(schema_to_json(schema)) == schema
    with pytest.raises(SchemaError, match="format"):
        schema_from_json({**schema_to_json(schema), "format": 99})


@pytest.mark.parametrize("name", ["memberOf", "livesIn", "assignedTo", "onCall", "reportsTo", "spouse", "capital"])
def test_functional_by_default(name: str) -> None:
    assert default_schema().relations[v.RELATION + name].functional


@pytest.mark.parametrize("name", ["worksFor", "holdsRole", "likes", "drinks", "testedWith", "owns", "locatedIn"])
def test_coexisting_by_default(name: str) -> None:
    assert not default_schema().relations[v.RELATION + name].exclusive


def test_default_labels_name_one_relation_each() -> None:
    labels = [(text.casefold(), tag) for relation in default_schema().relations.values()
              for text, tag in relation.labels]
    assert len(labels) == len(set(labels))


def test_what_is_read() -> None:
    relation = one("""ex:a a owl:ObjectProperty, owl:FunctionalProperty ; rdfs:domain ex:T ;
        rdfs:label "a"@en, "ah"@de ; skos:prefLabel "A" ;
        skos:altLabel "does a" ; rdfs:comment "What  it is." . ex:T a owl:Class .""", "a")
    assert relation == Relation(EX + "a", (("A", ""), ("a", "en"), ("ah", "de")), (("does a", ""),), functional=True,
                                domain=EX + "T", description="What it is.")


@pytest.mark.parametrize("also", ["", ", tcg:State", ", rdf:Property", ", owl:ObjectProperty"])
def test_any_property_class_declares(also: str) -> None:
    assert one(f"ex:a a owl:FunctionalProperty {also} .", "a").functional


def test_datatype_properties_take_literals() -> None:
    assert one("ex:a a owl:DatatypeProperty .", "a").range == v.RDFS_LITERAL
    assert one("ex:a a owl:DatatypeProperty ; rdfs:range xsd:date .", "a").range == v.XSD_DATE


def test_shacl_declares_too() -> None:
    shapes = """ex:S a sh:NodeShape ; sh:targetClass ex:T ;
        sh:property [ sh:path ex:a ; sh:maxCount 1 ; sh:class ex:U ] ,
            [ sh:path [ sh:inversePath ex:b ] ; sh:maxCount 1 ] ."""
    assert one(shapes, "a") == Relation(EX + "a", functional=True, domain=EX + "T", range=EX + "U")
    assert one(shapes, "b") == Relation(EX + "b", inverse_functional=True, range=EX + "T")


def test_inverses_share_what_is_said_of_either() -> None:
    schema = load_schema(HEAD + """ex:owns a owl:ObjectProperty ; rdfs:domain ex:T .
        ex:ownedBy a owl:FunctionalProperty ; owl:inverseOf ex:owns .""")
    owns, owned_by = schema.relations[EX + "owns"], schema.relations[EX + "ownedBy"]
    assert owns.inverse_of is None and owns.inverse_functional and not owns.functional
    assert owned_by.inverse_of == owns.iri and owned_by.functional and owned_by.range == EX + "T"


def test_symmetric_relations_have_one_kind_of_exclusiveness() -> None:
    assert one("ex:a a owl:SymmetricProperty, owl:InverseFunctionalProperty .", "a").functional


def test_mutual_inverses_have_one_canonical_side() -> None:
    schema = load_schema(HEAD + "ex:b owl:inverseOf ex:a . ex:a owl:inverseOf ex:b .")
    assert schema.relations[EX + "a"].inverse_of is None
    assert schema.relations[EX + "b"].inverse_of == EX + "a"


def test_the_digest_names_the_triples_not_the_text() -> None:
    a = load_schema(HEAD + "ex:a a owl:ObjectProperty ; rdfs:comment 'x' . # one way")
    b = load_schema(HEAD + "ex:a rdfs:comment 'x' . ex:a a owl:ObjectProperty .")
    c = load_schema(HEAD + "ex:a rdfs:comment 'y' . ex:a a owl:ObjectProperty .")
    assert a.digest == b.digest != c.digest


@pytest.mark.parametrize(
    ("declaration", "why"),
    [
        ("ex:a a owl:ObjectProperty, tcg:Event, tcg:State .", "both tcg:State and tcg:Event"),
        ("ex:a a owl:FunctionalProperty, tcg:Event .", "closes nothing"),
        ("ex:a a owl:ObjectProperty, owl:DatatypeProperty .", "literals"),
        ("ex:a a owl:SymmetricProperty ; rdfs:range xsd:date .", "symmetric"),
        ("ex:a a owl:SymmetricProperty ; owl:inverseOf ex:b .", "symmetric"),
        ("ex:a owl:inverseOf ex:b . ex:b owl:inverseOf ex:c .", "inverse"),
        ("ex:a a owl:ObjectProperty ; rdfs:range ex:T, ex:U .", "one range"),
        ("ex:a a owl:ObjectProperty ; rdfs:domain ex:T, ex:U .", "one domain"),
        ("ex:a a owl:ObjectProperty ; rdfs:label 'a'@en, 'b'@en .", "two labels"),
        ("ex:a a owl:ObjectProperty ; skos:altLabel ex:b .", "text"),
    ],
)
def test_contradictions_are_refused_and_named(declaration: str, why: str) -> None:
    with pytest.raises(SchemaError, match=why) as caught:
        load_schema(HEAD + declaration)
    assert EX + "a" in str(caught.value)
    assert validate_schema(HEAD + declaration)


def test_circular_types_are_refused() -> None:
    with pytest.raises(SchemaError, match="circle"):
        load_schema(HEAD + "ex:T rdfs:subClassOf ex:U . ex:U rdfs:subClassOf ex:T .")


def test_no_turtle_and_no_file(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="not valid Turtle"):
        load_schema("@prefix ex: <x> . ex:a ex:b")
    with pytest.raises(SchemaError, match="cannot read"):
        load_schema(tmp_path / "missing.ttl")


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.ttl"
    path.write_text(HEAD + "ex:a a owl:ObjectProperty .", "utf-8")
    assert load_schema(path) == load_schema(str(path))
    assert load_schema("<urn:x:a> a <http://www.w3.org/2002/07/owl#ObjectProperty> .").relations.keys() == {"urn:x:a"}
