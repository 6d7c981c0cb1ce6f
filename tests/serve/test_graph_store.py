"""The SPARQL 1.1 Graph Store HTTP Protocol: whole graphs, named in the URL or by it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pyoxigraph as ox
import pytest

from tests.serve.running import Running

TURTLE = {"content-type": "text/turtle"}
SOME = "http://example.org/person/1"
ONE = "<urn:a> <urn:name> 'Ann' ."
TWO = '<urn:b> <urn:name> "Bob" .'


@pytest.fixture(scope="module")
def client(server: Running) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


def where(server: Running, direct: bool) -> tuple[str, dict[str, str]]:
    """(path, parameters) of a graph, named by the URL itself or in it."""
    return ("/scratch/graphs/person/1.ttl", {}) if direct else ("/scratch/graphs", {"graph": SOME})


def triples(response: httpx.Response) -> set[str]:
    assert response.status_code == 200, response.text
    form = ox.RdfFormat.from_media_type(response.headers["content-type"].split(";")[0])
    return {str(quad.triple) for quad in ox.parse(input=response.content, format=form)}


def refused(response: httpx.Response, *statuses: int) -> None:
    assert response.status_code in statuses, response.text
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("direct", [True, False])
def test_the_life_of_a_graph(server: Running, client: httpx.Client, direct: bool) -> None:
    path, params = where(server, direct)
    client.delete(path, params=params)
    refused(client.get(path, params=params), 404)
    assert client.head(path, params=params).status_code == 404
    refused(client.delete(path, params=params), 404)

    made = client.put(path, params=params, content=ONE, headers=TURTLE)
    assert made.status_code == 201
    assert made.headers["location"] == (server.url + path if direct else SOME)
    assert triples(client.get(path, params=params)) == {'<urn:a> <urn:name> "Ann"'}
    head = client.head(path, params=params)
    assert (head.status_code, head.content) == (200, b"") and int(head.headers["content-length"]) > 0

    assert client.put(path, params=params, content=TWO, headers=TURTLE).status_code in (200, 204)
    assert triples(client.get(path, params=params)) == {'<urn:b> <urn:name> "Bob"'}
    assert client.post(path, params=params, content=ONE, headers=TURTLE).status_code in (200, 204)
    assert len(triples(client.get(path, params=params))) == 2
    assert client.post(path, params=params, content="", headers=TURTLE).status_code in (200, 204)
    assert len(triples(client.get(path, params=params))) == 2

    assert client.put(path, params=params, content="", headers=TURTLE).status_code in (200, 201, 204)
    assert triples(client.get(path, params=params)) == set()
    assert client.delete(path, params=params).status_code in (200, 204)
    refused(client.get(path, params=params), 404)


def test_the_default_graph(client: httpx.Client) -> None:
    assert client.put("/scratch/graphs?default", content=ONE, headers=TURTLE).status_code in (200, 201, 204)
    assert triples(client.get("/scratch/graphs?default")) == {'<urn:a> <urn:name> "Ann"'}
    assert client.get("/scratch/query", params={"query": "ASK { ?s ?p 'Ann' }"}).json()["boolean"]
    assert client.delete("/scratch/graphs?default").status_code in (200, 204)
    assert triples(client.get("/scratch/graphs?default")) == set()


def test_post_makes_a_graph(server: Running, client: httpx.Client) -> None:
    made = client.post("/scratch/graphs", content="<> <urn:name> 'Ann' .", headers=TURTLE)
    assert made.status_code == 201
    place = made.headers["location"]
    assert place.startswith(server.url + "/scratch/graphs/")
    assert triples(client.get(place)) == {f'<{place}> <urn:name> "Ann"'}
    assert triples(client.get("/scratch/graphs", params={"graph": place})) == triples(client.get(place))
    assert client.delete(place).status_code == 204


def test_multipart(client: httpx.Client) -> None:
    graph = {"graph": "http://example.org/multipart"}
    files = [("one", ("a.ttl", ONE, "text/turtle; charset=utf-8")), ("two", ("b.nt", TWO, "application/n-triples"))]
    assert client.post("/scratch/graphs", params=graph, files=files).status_code == 201
    assert len(triples(client.get("/scratch/graphs", params=graph))) == 2
    half = [files[0], ("two", ("b.nt", "no triple", "application/n-triples"))]
    refused(client.put("/scratch/graphs", params=graph, files=half), 400)
    wrong = [("one", ("a.exe", ONE, "application/octet-stream"))]
    refused(client.post("/scratch/graphs", params=graph, files=wrong), 415)
    refused(client.post("/scratch/graphs", params=graph, content=b"--x\r\n", headers={
        "content-type": "multipart/form-data; boundary=x"}), 400)
    assert len(triples(client.get("/scratch/graphs", params=graph))) == 2


@pytest.mark.parametrize(("media", "body"), [
    ("application/n-triples", '<urn:a> <urn:p> "x" .'),
    ("application/rdf+xml", '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:n="urn:">'
     '<rdf:Description rdf:about="urn:a"><n:p>x</n:p></rdf:Description></rdf:RDF>'),
    ("application/ld+json", '{"@id": "urn:a", "urn:p": "x"}'),
    ("text/turtle", "<urn:a> <urn:p> 'x' ."),
])
def test_each_syntax_comes_in(client: httpx.Client, media: str, body: str) -> None:
    graph = {"graph": "http://example.org/syntax"}
    done = client.put("/scratch/graphs", params=graph, content=body, headers={"content-type": media})
    assert done.status_code in (201, 204), done.text
    assert triples(client.get("/scratch/graphs", params=graph)) == {'<urn:a> <urn:p> "x"'}


def test_odd_terms_survive(client: httpx.Client) -> None:
    body = ('<urn:a> <urn:p> "a\\"b\\\\c\\n\\t\\u0001", "日本"@ja, "x"@ar--rtl, 1.50, _:b . '
            '_:b <urn:q> <<( <urn:a> <urn:p> "} GRAPH <urn:evil> {" )>> .')
    graph = {"graph": "http://example.org/odd"}
    assert client.put("/scratch/graphs", params=graph, content=body, headers=TURTLE).status_code in (201, 204)
    found = client.get("/scratch/graphs", params=graph, headers={"accept": "application/n-triples"}).text
    assert '"a\\"b\\\\c\\n\\t\\u0001"' in found and '"日本"@ja' in found and '"x"@ar--rtl' in found
    assert '<<( <urn:a> <urn:p> "} GRAPH <urn:evil> {" )>>' in found
    refused(client.get("/scratch/graphs", params={"graph": "urn:evil"}), 404)


def test_wrong_requests(client: httpx.Client) -> None:
    graph = {"graph": "http://example.org/wrong"}
    refused(client.put("/scratch/graphs", params=graph, content="<urn:a> <urn:b>", headers=TURTLE), 400)
    refused(client.put("/scratch/graphs", params=graph, content=ONE, headers={
        "content-type": "application/rdf+xml"}), 400)
    broken = client.put("/scratch/graphs", params=graph, content=f"{ONE}\n<urn:a> .", headers=TURTLE)
    refused(broken, 400)
    assert broken.json()["line"] == 2
    refused(client.put("/scratch/graphs", params=graph, content=ONE, headers={"content-type": "text/html"}), 415)
    refused(client.put("/scratch/graphs", params=graph, content=ONE), 415)
    refused(client.put("/scratch/graphs", params=graph, content=ONE.encode("utf-16"),
                       headers={"content-type": "text/turtle; charset=utf-16"}), 400)
    refused(client.get("/scratch/graphs", params=graph), 404)
    refused(client.get("/scratch/graphs?graph=relative"), 400)
    refused(client.get("/scratch/graphs?graph=urn:a&default"), 400)
    refused(client.get("/scratch/graphs?graph=urn:a&graph=urn:b"), 400)
    refused(client.put("/scratch/graphs", content=ONE, headers=TURTLE), 400)
    refused(client.delete("/scratch/graphs"), 400)
    refused(client.request("PATCH", "/scratch/graphs?graph=urn:a"), 405)


# -- the store ----------------------------------------------------------------------------------------------------


def test_an_episode_has_its_graph(client: httpx.Client) -> None:
    by_name = client.get("/graphs", params={"graph": "urn:tcg:episode:mail-1"})
    assert any("memberOf" in triple for triple in triples(by_name))
    assert triples(client.get("/graphs/mail-1")) == triples(by_name)
    assert triples(client.get("/graphs/hr%202%2Fb"))
    assert any("mail-1" in triple for triple in triples(client.get("/graphs?default")))
    refused(client.get("/graphs/none"), 404)
    assert client.head("/graphs/mail-1").status_code == 200
    assert client.head("/graphs/none").status_code == 404


def test_all_of_the_store(client: httpx.Client) -> None:
    response = client.get("/graphs", headers={"accept": "application/n-quads"})
    assert response.headers["content-type"] == "application/n-quads"
    assert len({line.rsplit(" ", 2)[1] for line in response.text.splitlines()}) > 3
    refused(client.get("/graphs", headers={"accept": "text/turtle"}), 406)


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE"])
@pytest.mark.parametrize("path", ["/graphs/mail-1", "/graphs?graph=urn:tcg:episode:mail-1", "/graphs?default"])
def test_episodes_never_change(client: httpx.Client, method: str, path: str) -> None:
    before = client.get("/graphs", headers={"accept": "application/n-quads"}).text
    body: dict[str, Any] = {} if method == "DELETE" else {"content": ONE, "headers": TURTLE}
    refused(client.request(method, path, **body), 409)
    assert client.get("/graphs", headers={"accept": "application/n-quads"}).text == before
