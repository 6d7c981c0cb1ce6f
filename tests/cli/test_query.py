"""`workbench query`: every format, and what must never reach the engine."""

from __future__ import annotations

import io
import json
from pathlib import Path

import polars as pl
import pytest

from tests.cli.running import good, lines, quads, run

SELECT = "SELECT ?who ?team { ?who r:memberOf ?team }"
WHEN = ("--valid-at", "2024-06-01T00:00:00Z")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("query")
    good(
        "ingest",
        lines(
            folder / "a.jsonl",
            {
                "id": "1",
                "observed_at": "2024-01-01T00:00:00Z",
                "text": "SERVICE and LOAD <x> are words",
                "claims": [{"subject": "Ann", "relation": "memberOf", "object": "SERVICE desk"}],
            },
        ),
        "--store",
        folder / "s",
    )
    return folder / "s"


def test_json_is_sparql_json(store: Path) -> None:
    found = json.loads(run("query", SELECT, "--store", store, *WHEN, "--format", "json").text)
    assert found["head"]["vars"] == ["who", "team"]
    assert found["results"]["bindings"] == [
        {
            "who": {"type": "uri", "value": "urn:tcg:entity:ann"},
            "team": {"type": "uri", "value": "urn:tcg:entity:service-desk"},
        }
    ]


@pytest.mark.parametrize(("form", "separator"), [("csv", ","), ("tsv", "\t")])
def test_csv_and_tsv(store: Path, form: str, separator: str) -> None:
    done = run("query", SELECT, "--store", store, *WHEN, "--format", form)
    assert done.exit == 0
    head, row = done.text.split("\n")[:2]
    assert [name.strip("?\r") for name in head.split(separator)] == ["who", "team"]
    assert len(row.split(separator)) == 2


def test_parquet_and_arrow(store: Path, tmp_path: Path) -> None:
    parquet = run("query", SELECT, "--store", store, *WHEN, "--format", "parquet")
    arrow = run("query", SELECT, "--store", store, *WHEN, "--format", "arrow")
    one, other = pl.read_parquet(io.BytesIO(parquet.raw)), pl.read_ipc_stream(io.BytesIO(arrow.raw))
    assert one.columns == other.columns == ["who", "team"]
    assert one.rows() == other.rows() == [("urn:tcg:entity:ann", "urn:tcg:entity:service-desk")]
    run("query", SELECT, "--store", store, *WHEN, "--format", "parquet", "--out", tmp_path / "a.parquet")
    assert pl.read_parquet(tmp_path / "a.parquet").equals(one)


@pytest.mark.parametrize("form", ["trig", "nquads"])
def test_graph_formats_are_for_construct(store: Path, form: str) -> None:
    done = run("query", "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }", "--store", store, *WHEN, "--format", form)
    assert done.exit == 0
    assert "ann" in done.text
    assert run("query", SELECT, "--store", store, "--format", form).exit == 2


def test_an_empty_result_is_good(store: Path) -> None:
    for form in ("json", "csv", "tsv", "parquet", "arrow", "table"):
        assert run("query", "SELECT ?x { ?x r:nothing ?y }", "--store", store, "--format", form).exit == 0
    assert (
        run(
            "query", "CONSTRUCT { ?s ?p ?o } { ?s r:nothing ?o . ?s ?p ?o }", "--store", store, "--format", "nquads"
        ).exit
        == 0
    )


def test_from_a_file(store: Path, tmp_path: Path) -> None:
    (tmp_path / "q.rq").write_text(SELECT)
    assert len(good("query", f"@{tmp_path / 'q.rq'}", "--store", store, *WHEN)["results"]["bindings"]) == 1
    assert run("query", f"@{tmp_path / 'none.rq'}", "--store", store).exit == 2


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { SERVICE <http://example.org/> { ?s ?p ?o } }",
        "SELECT * { service SILENT <http://example.org/> { ?s ?p ?o } }",
        "SELECT * { SeRvIcE<http://example.org/>{ ?s ?p ?o } }",
        "SELECT * { SERVICE ?where { ?s ?p ?o } }",
        "SELECT * { # hidden\nSERVICE <http://example.org/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p 'a' . SERVICE <http://example.org/> { ?s ?p \"b\" } }",
        "SELECT * { ?s ?p '''it's''' SERVICE <http://example.org/> { ?s ?p ?o } }",
        "SELECT * { \\u0053ERVICE <http://example.org/> { ?s ?p ?o } }",
        "SELECT * { S\\u0045RVICE <http://example.org/> { ?s ?p ?o } }",
        "SELECT * { { SELECT * { SERVICE <http://example.org/> { ?s ?p ?o } } } }",
        "SELECT * { FILTER(?a<?b) SERVICE <http://example.org/> { ?s ?p ?o } FILTER(?c>?d) }",
        "LOAD <http://example.org/a.ttl>",
        "load silent <file:///etc/passwd> INTO GRAPH <urn:g>",
        "PREFIX a: <urn:a:> LOAD <http://example.org/>",
        "SELECT * { ?s ?p ?o } ; LOAD <http://example.org/>",
        "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
        "insert{<urn:a> <urn:b> <urn:c>}where{}",
        "PREFIX x: <urn:x:>\n# c\nINSERT DATA { x:a x:b x:c }",
        "DELETE WHERE { ?s ?p ?o }",
        "CLEAR ALL",
        "DROP GRAPH <urn:g>",
        "CREATE GRAPH <urn:g>",
        "COPY <urn:a> TO <urn:b>",
        "MOVE <urn:a> TO <urn:b>",
        "ADD <urn:a> TO <urn:b>",
        "WITH <urn:g> DELETE { ?s ?p ?o } INSERT { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "BASE <urn:x> INSERT DATA { <a> <b> <c> }",
    ],
)
def test_refused(store: Path, text: str) -> None:
    before = quads(store)
    for vantage in ((), WHEN):
        done = run("query", text, "--store", store, *vantage, "--json")
        assert done.exit == 2, done.text
        assert "Traceback" not in done.error
    assert quads(store) == before


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?service { ?service ?p ?load }",
        "SELECT $SERVICE { $SERVICE ?LOAD ?INSERT }",
        "SELECT * { ?s ?p 'SERVICE <http://example.org/> { }' }",
        'SELECT * { ?s ?p "LOAD <x>" }',
        "SELECT * { ?s ?p '''a 'quoted' SERVICE''' }",
        'SELECT * { ?s ?p """an "INSERT" here""" }',
        "SELECT * { ?s ?p 'it\\'s SERVICE' }",
        "SELECT * { ?s <urn:SERVICE> ?o }",
        "SELECT * { <http://e.org/LOAD> ?p ?o }",
        "# SERVICE and LOAD and INSERT\nSELECT * { ?s ?p ?o } LIMIT 1",
        "SELECT * { ?s ?p ?o } LIMIT 1 # LOAD <x>",
        "PREFIX SERVICE: <urn:s:> SELECT * { ?s SERVICE:LOAD ?o }",
        "PREFIX a: <urn:s:> SELECT * { a:service ?p a:INSERT }",
        "SELECT * { ?s ?p 'x'@service }",
        "SELECT ?add ?move { ?add ?move ?copy } LIMIT 1",
        "SELECT * { ?s ?p ?o FILTER(CONTAINS(STR(?o), 'LOAD')) }",
        "SELECT * { ?s ?p ?o FILTER(?s<?o && ?o>?p) }",
    ],
)
def test_harmless_words_pass(store: Path, text: str) -> None:
    for vantage in ((), WHEN):
        done = run("query", text, "--store", store, *vantage, "--json")
        assert done.exit == 0, done.error


@pytest.mark.parametrize("text", ["", "SELECT", "SELECT * { ?s ?p }", "not sparql", "SELECT ?x { ?x r:memberOf \x00 }"])
def test_no_sparql(store: Path, text: str) -> None:
    done = run("query", text, "--store", store)
    assert done.exit == 2
    assert "Traceback" not in done.error
