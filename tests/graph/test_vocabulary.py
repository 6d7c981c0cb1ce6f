"""The constants and their documentation say the same; IRIs can be read back."""

from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Graph, URIRef
from rdflib.namespace import RDFS

from workbench import Workbench
from workbench.graph import vocabulary as v
from workbench.graph.vocabulary import expand
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.names import name_key

DOCUMENTED = Graph().parse(data=files("workbench.graph").joinpath("vocabulary.ttl").read_text("utf-8"), format="turtle")


def test_constants_and_documentation_agree() -> None:
    constants = {value for name, value in vars(v).items() if name.startswith("TCG_") and isinstance(value, str)}
    constants |= set(v.ALLEN_FUNCTIONS)
    assert {str(term) for term in DOCUMENTED.subjects(unique=True)} - {v.TCG} == constants


def test_every_term_is_explained() -> None:
    for term in set(DOCUMENTED.subjects()) - {URIRef(v.TCG)}:
        assert DOCUMENTED.value(term, RDFS.label), term
        assert DOCUMENTED.value(term, RDFS.comment), term


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_episode_ids_are_read_back(text: str) -> None:
    assert v.episode_id(v.episode_iri(text)) == text


@given(st.text(min_size=1), st.text(min_size=1))
def test_entities_of_different_names_differ(a: str, b: str) -> None:
    assert (v.entity_iri(a) == v.entity_iri(b)) == (name_key(a) == name_key(b))
    assert v.entity_iri(a) != v.entity_iri(b, "2")


@given(st.text(min_size=1))
def test_local_names_of_undeclared_relations_name_them_again(text: str) -> None:
    iri = v.relation_iri(text)
    assert v.relation_iri(v.local_name(iri)) == iri


def test_foreign_iris_are_refused() -> None:
    with pytest.raises(ValueError, match="not in"):
        v.episode_id(v.ENTITY + "alice")


@pytest.mark.parametrize("name", ["http://localhost:3000'", "http://a:x/", "http://exa%zz/", "http://[::1", "urn:a%4",
                                  "r:a%zz", "http://a/#x#y"])
def test_what_looks_like_an_iri_and_is_none_is_a_name(name: str) -> None:
    """A text that mentions such a thing is taken in like any other."""
    assert expand(name) is None
    wb = Workbench.open()
    report = wb.ingest([Episode("a", claims=(Claim(name, "uses", name, valid_from="2020"),))])
    assert not report.failures and [fact.subject for fact in wb.believed()] == [name]
