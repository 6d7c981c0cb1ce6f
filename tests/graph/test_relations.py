"""Finding relations and types by name."""

import subprocess
import sys

import pytest

from workbench.graph import vocabulary as v
from workbench.graph.relations import SchemaIndex, display_label
from workbench.graph.schema_json import default_schema
from workbench.model.schema import Relation

INDEX = SchemaIndex(default_schema())


@pytest.mark.parametrize(
    "name",
    ["memberOf", "member of", "Member_Of", "MEMBER OF", "is a member of", "Mitglied von", "miembro de", "成员", "加入",
     "r:memberOf", v.RELATION + "memberOf"],
)
def test_one_relation_by_many_names(name: str) -> None:
    assert INDEX.relation(name).iri == v.RELATION + "memberOf"


def test_every_declared_name_finds_its_relation() -> None:
    for relation in INDEX.schema.relations.values():
        for name in (relation.iri, v.local_name(relation.iri), *(text for text, _ in relation.labels)):
            assert relation in INDEX.candidates(name), name
        assert INDEX.relation(v.local_name(relation.iri)) == relation
    for form in INDEX.surface_forms():
        if not form.preferred:
            assert INDEX.candidates(form.text), form


@pytest.mark.parametrize("name", ["was repainted by", "testedby", "note: x", "http://example.org/foo", "관계"])
def test_unknown_names_coexist(name: str) -> None:
    relation = INDEX.relation(name)
    assert not relation.declared
    assert not relation.exclusive
    assert INDEX.relation(relation.iri).iri == relation.iri


def test_spelling_of_unknown_names_does_not_matter() -> None:
    assert len({INDEX.relation(name).iri for name in ("repaintedBy", "repainted_by", "repainted by")}) == 1


def test_types_decide_between_surface_forms() -> None:
    def found(name: str, kind: str) -> str:
        return v.local_name(INDEX.relation(name, v.TYPE + "Person", v.TYPE + kind).iri)

    assert found("moved to", "City") == "livesIn"
    assert found("moved to", "Team") == "memberOf"
    assert found("joined", "Team") == "memberOf"
    assert found("joined", "Company") == "worksFor"


def test_surface_forms_that_fit_no_type_are_unknown() -> None:
    assert not INDEX.relation("is married to", v.TYPE + "Product", v.TYPE + "City").declared
    assert INDEX.relation("spouse", v.TYPE + "Product", v.TYPE + "City").declared


def test_inverses_turn() -> None:
    canonical, turned = INDEX.canonical(INDEX.relation("owned by"))
    assert (canonical.iri, turned) == (v.RELATION + "owns", True)
    assert INDEX.canonical(canonical) == (canonical, False)
    assert [v.local_name(relation.iri) for relation in INDEX.inverses(canonical)] == ["ownedBy"]


def test_types() -> None:
    team, organization = INDEX.entity_type("Team").iri, INDEX.entity_type("组织").iri
    assert INDEX.is_subtype(team, organization)
    assert not INDEX.is_subtype(organization, team)
    assert INDEX.compatible(organization, team)
    assert INDEX.compatible(None, team)
    assert not INDEX.compatible(team, INDEX.entity_type("person").iri)
    assert not INDEX.compatible(team, v.XSD_DATE)
    assert INDEX.compatible(v.RDFS_LITERAL, v.XSD_DATE)
    assert INDEX.entity_type("Space Station").iri == v.TYPE + "space-station"


def test_labels() -> None:
    relation = INDEX.relation("livesIn")
    assert [display_label(relation, tag) for tag in ("en", "de", "fr")] == ["lives in", "wohnt in", "lives in"]
    assert display_label(Relation("urn:x:fooBar")) == "fooBar"


def test_no_parser_is_loaded() -> None:
    code = ("import sys, workbench.graph.relations, workbench.graph.schema_json as s; s.default_schema();"
            "sys.exit(any(m in sys.modules for m in ('rdflib', 'pyshacl', 'pyoxigraph', 'rapidfuzz')))")
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
