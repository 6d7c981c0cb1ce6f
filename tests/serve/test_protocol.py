"""The SPARQL 1.1 Protocol as its recommendation has it: every way to ask, and every way to ask wrongly."""

from __future__ import annotations

import gzip
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.serve.running import Running

FORM = "application/x-www-form-urlencoded"
QUERY = "application/sparql-query"
UPDATE = "application/sparql-update"
JSON = "application/sparql-results+json"
DATA = "http://example.org/data/"
ASK = "ASK {}"


@pytest.fixture(scope="module")
def client(server: Running) -> Iterator[httpx.Client]:
    with server.client() as client:
        for number in (1, 2, 3):
            body = f"<urn:s{number}> <urn:p> {number} ."
            done = client.put("/scratch/graphs", params={"graph": f"{DATA}{number}"}, content=body,
                              headers={"content-type": "text/turtle"})
            assert done.status_code in (201, 204), done.text
        yield client


def answer(response: httpx.Response) -> Any:
    assert response.status_code == 200, response.text
    return response.json()


# -- the ways to ask ----------------------------------------------------------------------------------------------

WAYS = ("get", "form", "direct", "QUERY", "QUERY form")


def ask(client: httpx.Client, way: str, query: str, path: str = "/scratch/query", accept: str = JSON,
        params: dict[str, Any] | None = None) -> httpx.Response:
    headers, params = {"accept": accept}, params or {}
    match way:
        case "get":
            return client.get(path, params={"query": query, **params}, headers=headers)
        case "form":
            return client.post(path, data={"query": query, **params}, headers=headers)
        case "direct":
            return client.post(path, content=query, params=params, headers={**headers, "content-type": QUERY})
        case "QUERY":
            return client.request("QUERY", path, content=query, params=params,
                                  headers={**headers, "content-type": QUERY})
        case _:
            return client.request("QUERY", path, data={"query": query, **params}, headers=headers)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("path", ["/query", "/scratch/query"])
def test_every_way_to_ask(client: httpx.Client, way: str, path: str) -> None:
    response = ask(client, way, ASK, path)
    assert answer(response) == {"head": {}, "boolean": True}
    assert response.headers["content-type"] == JSON


@pytest.mark.parametrize("way", WAYS)
def test_default_graph(client: httpx.Client, way: str) -> None:
    query = "ASK { <urn:s1> ?p ?o FILTER NOT EXISTS { <urn:s2> ?q ?r } FILTER NOT EXISTS { GRAPH ?g { ?a ?b ?c } } }"
    assert answer(ask(client, way, query, params={"default-graph-uri": DATA + "1"}))["boolean"]


@pytest.mark.parametrize("way", WAYS)
def test_several_default_graphs(client: httpx.Client, way: str) -> None:
    query = "ASK { <urn:s1> ?p ?o . <urn:s2> ?q ?r FILTER NOT EXISTS { <urn:s3> ?b ?c } }"
    assert answer(ask(client, way, query, params={"default-graph-uri": [DATA + "1", DATA + "2"]}))["boolean"]


@pytest.mark.parametrize("way", WAYS)
def test_named_graphs(client: httpx.Client, way: str) -> None:
    query = ("ASK { GRAPH ?g { <urn:s1> ?p ?o } GRAPH ?h { <urn:s2> ?q ?r } FILTER NOT EXISTS { ?a ?b ?c } "
             "FILTER NOT EXISTS { GRAPH ?i { <urn:s3> ?d ?e } } }")
    assert answer(ask(client, way, query, params={"named-graph-uri": [DATA + "1", DATA + "2"]}))["boolean"]


@pytest.mark.parametrize("way", WAYS)
def test_default_and_named_graphs(client: httpx.Client, way: str) -> None:
    query = "SELECT ?g ?o { ?x ?y ?o GRAPH ?g { ?s ?p ?z } }"
    found = answer(ask(client, way, query, params={"default-graph-uri": DATA + "3", "named-graph-uri": [
        DATA + "1", DATA + "2"]}))
    assert sorted((row["g"]["value"][-1], row["o"]["value"]) for row in found["results"]["bindings"]) == [
        ("1", "3"), ("2", "3")]


@pytest.mark.parametrize("way", WAYS)
def test_the_protocol_dataset_beats_that_of_the_query(client: httpx.Client, way: str) -> None:
    query = f"SELECT ?o FROM <{DATA}1> {{ ?s ?p ?o }}"
    found = answer(ask(client, way, query, params={"default-graph-uri": DATA + "2"}))
    assert [row["o"]["value"] for row in found["results"]["bindings"]] == ["2"]


def test_a_graph_that_is_not_there_is_empty(client: httpx.Client) -> None:
    assert not answer(ask(client, "get", "ASK { ?s ?p ?o }", params={"default-graph-uri": DATA + "none"}))["boolean"]


# -- what comes back ----------------------------------------------------------------------------------------------

RESULTS = ("application/sparql-results+json", "application/sparql-results+xml", "text/csv", "text/tab-separated-values",
           "application/json", "application/xml", "text/xml")
GRAPHS = ("text/turtle", "application/n-triples", "application/rdf+xml", "application/ld+json", "application/trig",
          "application/n-quads", "text/n3")


@pytest.mark.parametrize("accept", RESULTS)
@pytest.mark.parametrize("query", ["SELECT * { ?s ?p ?o } LIMIT 1", ASK])
def test_solutions_in_each_syntax(client: httpx.Client, accept: str, query: str) -> None:
    response = ask(client, "get", query, "/query", accept)
    assert response.status_code == 200
    assert response.headers["content-type"].split(";")[0] == accept
    if "json" in accept:
        assert "head" in response.json()
    elif "xml" in accept:
        assert ET.fromstring(response.text).tag.endswith("sparql")
    else:
        assert response.text


@pytest.mark.parametrize("accept", GRAPHS)
@pytest.mark.parametrize("query", ["CONSTRUCT WHERE { <urn:tcg:episode:mail-1> ?p ?o }",
                                   "DESCRIBE <urn:tcg:episode:mail-1>"])
def test_graphs_in_each_syntax(client: httpx.Client, accept: str, query: str) -> None:
    response = ask(client, "get", query, "/query", accept)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].split(";")[0] == accept
    assert "joined Billing" in response.text


@pytest.mark.parametrize("query", ["CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "DESCRIBE <urn:tcg:episode:mail-1>"])
@pytest.mark.parametrize("headers", [{"accept": "*/*"}, {}])
def test_graphs_without_a_wish_are_graphs(client: httpx.Client, query: str, headers: dict[str, str]) -> None:
    request = client.build_request("GET", "/query", params={"query": query}, headers=headers)
    if not headers:
        del request.headers["accept"]
    assert client.send(request).headers["content-type"] == "text/turtle; charset=utf-8"


def test_columns(client: httpx.Client) -> None:
    import io

    import polars as pl

    query = "SELECT ?id ?n { ?id tcg:sequence ?n } ORDER BY ?n"
    arrow = ask(client, "get", query, "/query", "application/vnd.apache.arrow.file")
    parquet = ask(client, "get", query, "/query", "application/vnd.apache.parquet")
    frames = [pl.read_ipc(io.BytesIO(arrow.content)), pl.read_parquet(io.BytesIO(parquet.content))]
    for frame in frames:
        assert frame["n"].to_list() == [1, 2, 3]


@pytest.mark.parametrize(("accept", "media"), [
    ("text/csv;q=0.3, application/sparql-results+xml;q=0.9", "application/sparql-results+xml"),
    ("text/csv;q=0.9, application/sparql-results+xml;q=0.3", "text/csv; charset=utf-8"),
    ("text/*;q=0.5, */*;q=0.1", "text/csv; charset=utf-8"),
    ("application/sparql-results+json;q=0, */*", "application/sparql-results+xml"),
    ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", "application/xml"),
    ("", "application/sparql-results+json"),
])
def test_quality(client: httpx.Client, accept: str, media: str) -> None:
    assert ask(client, "get", ASK, "/query", accept).headers["content-type"] == media


def test_triple_terms_reach_the_client(client: httpx.Client) -> None:
    query = "SELECT * { GRAPH ?g { ?s r:memberOf ?o ~ ?f {| tcg:validFrom ?from |} } }"
    rows = answer(ask(client, "direct", query, "/query"))["results"]["bindings"]
    assert {row["o"]["value"] for row in rows} == {"urn:tcg:entity:billing", "urn:tcg:entity:platform"}
    query = "SELECT ?t { GRAPH ?g { ?f rdf:reifies ?t } } LIMIT 1"
    assert answer(ask(client, "direct", query, "/query"))["results"]["bindings"][0]["t"]["type"] == "triple"


def test_what_a_syntax_cannot_say(client: httpx.Client) -> None:
    query = "CONSTRUCT { ?f rdf:reifies ?t } WHERE { GRAPH ?g { ?f rdf:reifies ?t } }"
    response = ask(client, "get", query, "/query", "application/ld+json")
    assert response.status_code == 406
    assert "triple terms" in response.json()["detail"]


# -- the ways to ask wrongly --------------------------------------------------------------------------------------


def refused(response: httpx.Response, *statuses: int) -> dict[str, Any]:
    assert response.status_code in statuses, response.text
    assert response.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = response.json()
    assert problem["status"] == response.status_code
    assert problem["title"] and problem["detail"] and problem["type"]
    return problem


def test_two_queries(client: httpx.Client) -> None:
    refused(client.get("/query?query=ASK%20%7B%7D&query=ASK%20%7B%7D"), 400)
    refused(client.post("/query", content="query=ASK%20%7B%7D&query=ASK%20%7B%7D", headers={"content-type": FORM}), 400)
    refused(client.post("/query?query=ASK%20%7B%7D", content=ASK, headers={"content-type": QUERY}), 400)
    refused(client.post("/query?query=ASK%20%7B%7D", data={"query": ASK}), 400)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_wrong_method(client: httpx.Client, method: str) -> None:
    response = client.request(method, "/query", params={"query": ASK})
    refused(response, 405)
    assert "GET" in response.headers["allow"]


@pytest.mark.parametrize("media", [None, "text/plain", "application/json", "multipart/form-data; boundary=x"])
@pytest.mark.parametrize("path", ["/query", "/scratch/query"])
def test_wrong_media_type(client: httpx.Client, media: str | None, path: str) -> None:
    headers = {} if media is None else {"content-type": media}
    refused(client.post(path, content=ASK, headers=headers), 415)


@pytest.mark.parametrize("path", ["/query", "/scratch/query"])
def test_an_update_is_no_query(client: httpx.Client, path: str) -> None:
    update = "INSERT DATA { <urn:a> <urn:b> <urn:c> }"
    refused(client.get(path, params={"query": update}), 400)
    refused(client.get(path, params={"update": update}), 400)
    refused(client.post(path, data={"update": update}), 400)
    refused(client.post(path, data={"query": ASK, "update": update}), 400)
    refused(client.post(path, content=update, headers={"content-type": UPDATE}), 415)


@pytest.mark.parametrize(("content", "media"), [
    ("ASK { ?s ?p 'ü' }".encode("utf-16"), QUERY + "; charset=utf-16"),
    ("ASK { ?s ?p 'ü' }".encode("latin-1"), QUERY),
    (b"query=ASK%20%7B%20%3Fs%20%3Fp%20%27%FC%27%20%7D", FORM),
    ("query=ASK{}".encode("utf-16"), FORM + "; charset=utf-16"),
    (b"ASK { ?s ?p '\x00' }", QUERY),
])
def test_not_utf8(client: httpx.Client, content: bytes, media: str) -> None:
    refused(client.post("/query", content=content, headers={"content-type": media}), 400)


def test_bad_percent_encoding_in_the_url(client: httpx.Client) -> None:
    refused(client.get("/query?query=ASK%20%7B%20%3Fs%20%3Fp%20%27%FC%27%20%7D"), 400)


def test_where_the_syntax_is_wrong(client: httpx.Client) -> None:
    problem = refused(ask(client, "direct", "ASK {\n  ?s ?p }", "/query"), 400)
    assert (problem["line"], problem["column"]) == (2, 10)


def test_no_query_in_a_form(client: httpx.Client) -> None:
    refused(client.post("/query", data={"other": "1"}), 400)


def test_nothing_acceptable(client: httpx.Client) -> None:
    problem = refused(ask(client, "get", ASK, "/query", "image/png"), 406)
    assert JSON in problem["offers"]
    refused(ask(client, "get", ASK, "/query", "text/turtle"), 406)
    refused(ask(client, "get", "CONSTRUCT WHERE { ?s ?p ?o }", "/query", JSON), 406)


def test_bad_graph_name(client: httpx.Client) -> None:
    refused(ask(client, "get", ASK, "/query", params={"default-graph-uri": "no iri"}), 400)


@pytest.mark.parametrize(("name", "value"), [
    ("valid-at", "yesterday"), ("known-at", "2024-13-01"), ("timeout", "soon"), ("timeout", "-1"), ("timeout", "nan"),
    ("fresh", "maybe")])
def test_bad_parameters(client: httpx.Client, name: str, value: str) -> None:
    refused(ask(client, "get", ASK, "/query", params={name: value}), 400)


def test_nothing_there(client: httpx.Client) -> None:
    refused(client.get("/nothing"), 404)


# -- HTTP ---------------------------------------------------------------------------------------------------------


def test_head(client: httpx.Client) -> None:
    head = client.head("/query", params={"query": ASK}, headers={"accept-encoding": "identity"})
    get = client.get("/query", params={"query": ASK}, headers={"accept-encoding": "identity"})
    assert head.status_code == 200 and head.content == b""
    for name in ("content-type", "content-length", "etag"):
        assert head.headers[name] == get.headers[name]


def test_options(client: httpx.Client) -> None:
    response = client.options("/query")
    assert response.status_code == 204
    assert {"GET", "HEAD", "POST", "QUERY", "OPTIONS"} <= {
        part.strip() for part in response.headers["allow"].split(",")}


def test_etag(client: httpx.Client) -> None:
    query = {"query": "SELECT * { ?s ?p ?o }"}
    first = client.get("/query", params=query)
    again = client.get("/query", params=query, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get("/query", params=query, headers={"if-none-match": first.headers["etag"], "accept": "text/csv"})
    assert other.status_code == 200 and other.headers["etag"] != first.headers["etag"]
    assert "etag" not in client.get("/query", params={"query": "SELECT (NOW() AS ?n) {}"}).headers
    assert "Accept" in first.headers["vary"]


def test_gzip(client: httpx.Client) -> None:
    query = {"query": "SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }"}
    plain = client.get("/query", params=query, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    with client.stream("GET", "/query", params=query, headers={"accept-encoding": "gzip"}) as packed:
        assert packed.headers["content-encoding"] == "gzip"
        raw = b"".join(packed.iter_raw())
    rows = [sorted(json.dumps(row, sort_keys=True) for row in json.loads(body)["results"]["bindings"])
            for body in (gzip.decompress(raw), plain.content)]
    assert rows[0] == rows[1] and len(raw) < len(plain.content)


def test_the_answer_says_what_it_answers_from(client: httpx.Client) -> None:
    headers = ask(client, "get", ASK, "/query").headers
    assert headers["workbench-commit"].endswith("/3")
    assert headers["workbench-known"] == "2024-06-03T09:00:00Z"
    assert float(headers["workbench-lag"]) > 0


def test_no_cors_unless_asked_for(client: httpx.Client) -> None:
    response = client.get("/query", params={"query": ASK}, headers={"origin": "https://example.org"})
    assert not any(name.startswith("access-control") for name in response.headers)


# -- update -------------------------------------------------------------------------------------------------------


def update(client: httpx.Client, way: str, text: str, **params: Any) -> httpx.Response:
    if way == "form":
        return client.post("/scratch/update", data={"update": text, **params})
    return client.post("/scratch/update", content=text, params=params, headers={"content-type": UPDATE})


def objects(client: httpx.Client, graph: str) -> list[str]:
    found = answer(ask(client, "get", f"SELECT ?o {{ GRAPH <{graph}> {{ ?s ?p ?o }} }}"))["results"]["bindings"]
    return sorted(row["o"]["value"] for row in found)


@pytest.fixture
def target(client: httpx.Client) -> str:
    graph = "http://example.org/target"
    assert client.delete("/scratch/graphs", params={"graph": graph}).status_code in (204, 404)
    return graph


@pytest.mark.parametrize("way", ["form", "direct"])
def test_update(client: httpx.Client, target: str, way: str) -> None:
    done = update(client, way, f"INSERT DATA {{ GRAPH <{target}> {{ <urn:a> <urn:b> 1 }} }}")
    assert done.status_code in (200, 204), done.text
    assert objects(client, target) == ["1"]


@pytest.mark.parametrize("way", ["form", "direct"])
def test_update_using(client: httpx.Client, target: str, way: str) -> None:
    text = f"INSERT {{ GRAPH <{target}> {{ ?s ?p ?o }} }} WHERE {{ ?s ?p ?o }}"
    assert update(client, way, text, **{"using-graph-uri": DATA + "1"}).status_code == 204
    assert objects(client, target) == ["1"]
    assert update(client, way, text, **{"using-graph-uri": [DATA + "2", DATA + "3"]}).status_code == 204
    assert objects(client, target) == ["1", "2", "3"]


@pytest.mark.parametrize("way", ["form", "direct"])
def test_update_using_named(client: httpx.Client, target: str, way: str) -> None:
    text = f"INSERT {{ GRAPH <{target}> {{ ?s ?p ?o }} }} WHERE {{ GRAPH ?g {{ ?s ?p ?o }} }}"
    assert update(client, way, text, **{"using-named-graph-uri": [DATA + "1", DATA + "2"]}).status_code == 204
    assert objects(client, target) == ["1", "2"]


def test_update_using_both(client: httpx.Client, target: str) -> None:
    text = f"INSERT {{ GRAPH <{target}> {{ ?s ?p ?o . ?x ?y ?z }} }} WHERE {{ ?x ?y ?z GRAPH ?g {{ ?s ?p ?o }} }}"
    assert update(client, "form", text, **{"using-graph-uri": DATA + "3", "using-named-graph-uri": DATA + "1"}
                  ).status_code == 204
    assert objects(client, target) == ["1", "3"]


def test_using_in_several_operations(client: httpx.Client, target: str) -> None:
    text = f"""# INSERT {{ }} WHERE {{ }}
        INSERT DATA {{ GRAPH <{target}> {{ <urn:w> <urn:p> "where {{" }} }} ;
        DELETE {{ ?x ?y ?z }} INSERT {{ GRAPH <{target}> {{ ?s ?p ?o }} }} WHERE {{
            ?s ?p ?o {{ SELECT * WHERE {{}} }} }} ;
        DELETE WHERE {{ GRAPH <{target}> {{ <urn:none> ?p 'x}}' }} }}"""
    done = update(client, "direct", text, **{"using-graph-uri": DATA + "2"})
    assert done.status_code == 204, done.text
    assert objects(client, target) == ["2", "where {"]


@pytest.mark.parametrize("text", [
    "WITH <http://example.org/target> INSERT { ?s ?p ?o } WHERE { ?s ?p ?o }",
    "INSERT { ?s ?p ?o } USING <http://example.org/target> WHERE { ?s ?p ?o }",
    "INSERT { ?s ?p ?o } using named <http://example.org/target> WHERE { GRAPH ?g { ?s ?p ?o } }"])
@pytest.mark.parametrize("name", ["using-graph-uri", "using-named-graph-uri"])
def test_update_names_graphs_twice(client: httpx.Client, text: str, name: str) -> None:
    refused(update(client, "form", text, **{name: DATA + "1"}), 400)


def test_update_resolves_against_the_endpoint(client: httpx.Client, server: Running, target: str) -> None:
    assert update(client, "form", f"INSERT DATA {{ GRAPH <{target}> {{ <urn:a> <urn:b> <test> }} }}").status_code == 204
    assert objects(client, target) == [f"{server.url}/scratch/test"]


def test_wrong_updates(client: httpx.Client) -> None:
    text = "CLEAR GRAPH <http://example.org/none>"
    refused(client.get("/scratch/update", params={"update": text}), 400, 405)
    refused(client.post("/scratch/update", content="update=CLEAR%20ALL&update=CLEAR%20ALL",
                        headers={"content-type": FORM}), 400)
    refused(client.post("/scratch/update", content=text, headers={"content-type": "text/plain"}), 415)
    refused(client.post("/scratch/update", content=text), 415)
    refused(client.post("/scratch/update", content=text.encode("utf-16"),
                        headers={"content-type": UPDATE + "; charset=utf-16"}), 400)
    refused(client.post("/scratch/update", data={"query": ASK}), 400)
    refused(client.post("/scratch/update", content=ASK, headers={"content-type": QUERY}), 415)
    refused(update(client, "form", ASK), 400)
    refused(client.put("/scratch/update", content=text, headers={"content-type": UPDATE}), 405)
    problem = refused(update(client, "direct", "INSERT DATA {\n <urn:a> }"), 400)
    assert problem["line"] == 2


def test_update_is_one_step(client: httpx.Client, target: str) -> None:
    text = f"INSERT DATA {{ GRAPH <{target}> {{ <urn:a> <urn:b> 1 }} }} ; CREATE GRAPH <{DATA}1>"
    assert update(client, "form", text).status_code == 400
    assert objects(client, target) == []


def test_one_url_for_both(client: httpx.Client, target: str) -> None:
    text = f"INSERT DATA {{ GRAPH <{target}> {{ <urn:a> <urn:b> %d }} }}"
    assert client.post("/scratch/sparql", data={"update": text % 1}).status_code == 204
    assert client.post("/scratch/sparql", content=text % 2, headers={"content-type": UPDATE}).status_code == 204
    assert objects(client, target) == ["1", "2"]
    for way in WAYS:
        assert answer(ask(client, way, f"ASK {{ GRAPH <{target}> {{ ?s ?p 2 }} }}", "/scratch/sparql"))["boolean"]
    refused(client.get("/scratch/sparql", params={"update": text % 3}), 400)
    refused(client.post("/scratch/sparql", data={"update": text % 3, "query": ASK}), 400)


def test_the_past_cannot_be_written(client: httpx.Client) -> None:
    refused(update(client, "direct", "CLEAR GRAPH <urn:none>", **{"known-at": "2024-01-01"}), 400)
    refused(client.put("/scratch/graphs?graph=urn:x&valid-at=2024-01-01", content="",
                       headers={"content-type": "text/turtle"}), 400)
    refused(client.put("/graphs?graph=urn:tcg:episode:mail-1&known-at=2024-01-01", content=""), 400, 403)


def test_the_store_takes_no_updates(client: httpx.Client) -> None:
    refused(client.post("/update", data={"update": "CLEAR ALL"}), 403)


# -- service description ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/query", "/scratch/query", "/scratch/update"])
def test_service_description(client: httpx.Client, server: Running, path: str) -> None:
    import rdflib

    response = client.get(path, headers={"accept": "text/turtle"})
    assert response.status_code == 200
    graph = rdflib.Graph().parse(data=response.text, format="turtle")
    sd = rdflib.Namespace("http://www.w3.org/ns/sparql-service-description#")
    service = graph.value(predicate=sd.endpoint, object=rdflib.URIRef(server.url + path))
    assert service is not None
    assert (service, rdflib.RDF.type, sd.Service) in graph
    languages = set(graph.objects(service, sd.supportedLanguage))
    assert languages == ({sd.SPARQL11Update} if path.endswith("update") else {sd.SPARQL10Query, sd.SPARQL11Query})
    dataset = graph.value(service, sd.defaultDataset)
    assert (dataset, rdflib.RDF.type, sd.Dataset) in graph
    assert (graph.value(dataset, sd.defaultGraph), rdflib.RDF.type, sd.Graph) in graph
    assert "turtle" in client.get(path).headers["content-type"]
    assert client.get(path, headers={"accept": "application/rdf+xml"}).text.startswith("<?xml")


def test_void(client: httpx.Client, server: Running) -> None:
    import rdflib

    for path in ("/void", "/.well-known/void"):
        graph = rdflib.Graph().parse(data=client.get(path).text, format="turtle")
        void = rdflib.Namespace("http://rdfs.org/ns/void#")
        assert graph.value(predicate=void.sparqlEndpoint, object=rdflib.URIRef(server.url + "/query")) is not None
        documents = graph.value(rdflib.URIRef(f"{server.url}{path}#dataset"), void.documents)
        assert str(documents) == "3"
