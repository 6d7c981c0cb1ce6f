"""Proposed declarations: functional only where use says so, and always loadable."""

from workbench.graph.declare import declarations_turtle, propose_declarations
from workbench.graph.ontology import default_schema, load_schema
from workbench.graph.vocabulary import entity_iri, relation_iri
from workbench.model.fact import Fact
from workbench.model.time import Instant


def fact(subject: str, relation: str, value: str, start: int | None = None, end: int | None = None) -> Fact:
    return Fact(f"{subject}{relation}{value}{start}", subject, relation, entity_iri(subject), relation_iri(relation),
                value, entity_iri(value), valid_from=None if start is None else Instant.of(start),
                valid_to=None if end is None else Instant.of(end))


def test_successive_values_propose_functional() -> None:
    facts = [fact("a", "sits at", "x", 2020, 2021), fact("a", "sits at", "y", 2021, 2022),
             fact("b", "sits at", "x", 2020), fact("c", "sits at", "z")]
    (proposal,) = propose_declarations(facts, default_schema())
    assert (proposal.count, proposal.subjects, proposal.succeeding, proposal.functional) == (4, 3, 1, True)


def test_values_at_once_do_not() -> None:
    facts = [fact("a", "sings", "x", 2020, 2030), fact("a", "sings", "y", 2021, 2022), fact("a", "sings", "z", 2023),
             fact("b", "sings", "x"), fact("c", "sings", "x")]
    (proposal,) = propose_declarations(facts, default_schema())
    assert (proposal.coexisting, proposal.functional) == (1, False)


def test_a_long_value_overlaps_one_that_is_no_neighbour() -> None:
    facts = [fact("a", "sings", "x", 2000, 2030), fact("a", "sings", "x", 2001, 2002), fact("a", "sings", "y", 2010),
             fact("b", "sings", "x"), fact("c", "sings", "x")]
    assert propose_declarations(facts, default_schema())[0].coexisting == 1


def test_the_turtle_is_a_schema() -> None:
    facts = [fact("a", 'says "hi"\\', "x"), fact("a", "C++", "x"), fact("a", "memberOf", "x")]
    proposals = propose_declarations(facts, default_schema())
    assert load_schema(declarations_turtle(proposals)).relations.keys() == {each.iri for each in proposals}


def test_declared_relations_are_left_out() -> None:
    schema = default_schema()
    iri = next(iter(schema.relations))
    assert propose_declarations([Fact("1", "a", "b", entity_iri("a"), iri)], schema) == []
