"""SHACL on data: order of instants, ends, one value."""

import pytest

from workbench.graph.ontology import validate_view
from workbench.graph.schema_json import default_schema

HEAD = """@prefix e: <urn:tcg:entity:> . @prefix r: <urn:tcg:relation:> . @prefix t: <urn:tcg:type:> .
@prefix f: <urn:tcg:fact:> . @prefix tcg: <urn:tcg:> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


def at(name: str, instant: str) -> str:
    return f'tcg:{name} "{instant}"^^xsd:dateTime'


def problems(turtle: str) -> list[str]:
    return validate_view(HEAD + turtle, default_schema())


@pytest.mark.parametrize(
    "turtle",
    [
        "",
        "e:ann r:livesIn e:rome . e:ann r:likes e:tea, e:jazz . e:ann r:testedWith e:a, e:b .",
        "e:ann a t:Person . e:ann r:memberOf e:x . e:x a t:Organization .",
        "e:ann a <urn:x:Alien> ; r:livesIn e:rome .",
        f"f:1 {at('validFrom', '-0043-03-15T00:00:00Z')} ; {at('validTo', '12000-01-01T00:00:00Z')} .",
        'e:ann r:birthDate "1990-01-01"^^xsd:date .',
    ],
)
def test_good_views(turtle: str) -> None:
    assert problems(turtle) == []


@pytest.mark.parametrize(
    ("turtle", "why"),
    [
        ("e:ann r:livesIn e:rome, e:oslo .", "more than one livesIn"),
        ("e:ann r:headOf e:x . e:bo r:headOf e:x .", "headOf of more than one subject"),
        ("e:acme a t:Company ; r:livesIn e:rome .", "domain of livesIn"),
        ("e:ann r:livesIn e:bo . e:bo a t:Person .", "range of livesIn"),
        ("e:ann r:price e:much .", "takes literals only"),
        (f"f:1 {at('validFrom', '2024-01-01T00:00:00Z')} ; {at('validTo', '2023-01-01T00:00:00Z')} .", "lie before"),
        (f"f:1 {at('validFrom', '2024-01-01T00:00:00Z')} ; {at('validTo', '2024-01-01T00:00:00Z')} .", "lie before"),
        (f"f:1 {at('validFrom', '-0043-01-01T00:00:00Z')} ; {at('validTo', '-0050-01-01T00:00:00Z')} .", "before"),
        (f"f:1 {at('validFrom', '2024-13-01T00:00:00Z')} .", "wrong validFrom"),
        (f"f:1 {at('knownFrom', '2024-02-01T00:00:00Z')} ; {at('knownTo', '2024-01-01T00:00:00Z')} .", "tcg:knownTo"),
    ],
)
def test_bad_views(turtle: str, why: str) -> None:
    found = problems(turtle)
    assert len(found) >= 1
    assert any(why in problem for problem in found), found
