"""What must not hurt: queries without end, answers without end, slow and lying clients, ways out and ways around."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.serve.running import Running, serving

LIMIT = 1.5
"""Seconds that a query may take on this server; each test leaves it a second more, and some for a busy machine."""
ENOUGH = LIMIT + 1 + 6
EVERYTHING = "{ ?s{n} ?p{n} ?o{n} } UNION { GRAPH ?g{n} { ?s{n} ?p{n} ?o{n} } }"


def product(n: int) -> str:
    return " ".join("{ " + EVERYTHING.replace("{n}", str(number)) + " }" for number in range(n))


NEVER = "FILTER(CONCAT(STR(?o0), STR(?o5)) = 'nothing')"
NEVER_COUNTED = f"SELECT (COUNT(*) AS ?n) {{ {product(6)} {NEVER} }}"
ANY = "(!<urn:x>|^!<urn:x>)*"
ENDLESS = {
    "order by over a product": f"SELECT * {{ {product(6)} }} ORDER BY ?o0 ?o5",
    "count over a product": f"SELECT (COUNT(*) AS ?n) {{ {product(6)} }}",
    "distinct over a product": f"SELECT DISTINCT ?o0 ?o1 ?o2 {{ {product(6)} {NEVER} }}",
    "path without ends": f"SELECT (COUNT(*) AS ?n) {{ ?a {ANY} ?b . ?c {ANY} ?d . {product(4)} }}",
    "sub-selects": f"SELECT * {{ {{ SELECT (COUNT(*) AS ?n) {{ {product(6)} }} }} }}",
    "regular expressions": f"SELECT * {{ {product(5)} FILTER(REGEX(CONCAT(STR(?o0), STR(?o4)), '(a|aa)+0x$')) }}",
    "construct": f"CONSTRUCT {{ ?s0 ?p0 ?o5 }} WHERE {{ {product(6)} {NEVER} }}",
}
LARGE = f"SELECT * {{ {product(4)} }}"


@pytest.fixture(scope="module")
def hostile(store: Path, folder: Path) -> Iterator[Running]:
    options = ("--timeout", str(LIMIT), "--memory", "700", "--rows", "200000", "--size", "40", "--workers", "2",
               "--queue", "8", "--body", "1", "--open-scratch", "--slow-client", "2")
    with serving(store, folder, *options) as running:
        yield running


def works(server: Running) -> None:
    """The next query is answered; a new worker may still be on its way."""
    with server.client() as client:
        for _ in range(100):
            response = client.get("/query", params={"query": "ASK { ?s a tcg:Episode }"})
            if response.status_code == 200:
                assert response.json()["boolean"]
                return
            assert response.status_code == 503, response.text
            time.sleep(0.1)
    raise AssertionError("no worker came back")


@pytest.mark.parametrize("query", ENDLESS.values(), ids=ENDLESS.keys())
def test_a_query_without_end_is_ended(hostile: Running, query: str) -> None:
    before = set(hostile.workers())
    with hostile.client(ENOUGH) as client:
        response = client.post("/query", data={"query": query})
    assert response.status_code in (503, 504), response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["kill"] in ("time", "memory", "rows", "bytes")
    works(hostile)
    for _ in range(50):  # the killed process is gone, not only forgotten
        if len(set(hostile.workers()) & before) < len(before) or response.json()["kill"] in ("rows", "bytes"):
            break
        time.sleep(0.1)
    else:
        raise AssertionError("the worker still lives")


def test_the_client_may_allow_less_but_not_more(hostile: Running) -> None:
    with hostile.client(ENOUGH) as client:
        query = ENDLESS["count over a product"]
        fewer = client.get("/query", params={"query": query, "timeout": "0.2"})
        assert fewer.status_code == 504 and "0.2 s" in fewer.json()["detail"]
        more = client.get("/query", params={"query": query, "timeout": "3600"})
        assert more.status_code == 504 and f"{LIMIT:g} s" in more.json()["detail"]
    works(hostile)


@pytest.mark.parametrize("accept", ["application/sparql-results+json", "application/sparql-results+xml", "text/csv",
                                    "text/tab-separated-values"])
@pytest.mark.parametrize("packed", ["gzip", "identity"])
def test_a_large_answer_never_looks_complete(hostile: Running, accept: str, packed: str) -> None:
    with hostile.client(ENOUGH) as client, pytest.raises(httpx.TransportError):
        size = 0
        with client.stream("GET", "/query", params={"query": LARGE}, headers={
                "accept": accept, "accept-encoding": packed}) as response:
            assert response.status_code == 200
            for part in response.iter_raw():
                size += len(part)
        raise AssertionError(f"{size} bytes came to an end")
    works(hostile)


def test_columns_beyond_the_rows(hostile: Running) -> None:
    with hostile.client(ENOUGH) as client:
        response = client.get("/query", params={"query": LARGE}, headers={"accept": "application/vnd.apache.parquet"})
    assert response.status_code in (503, 504)
    works(hostile)


def raw(server: Running, request: bytes, wait: float = 10.0) -> bytes:
    """What the server sends to a request written by hand, until it closes or falls silent."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=wait) as sock:
        sock.sendall(request)
        got = b""
        try:
            while part := sock.recv(65_536):
                got += part
                if b"\r\n\r\n" in got and (b"content-length: 0" in got or got.rstrip().endswith((b"}", b"."))):
                    break
        except (TimeoutError, ConnectionResetError):
            pass
        return got


def test_without_chunks_no_large_answer(hostile: Running) -> None:
    got = raw(hostile, f"GET /query?query={quote(LARGE)} HTTP/1.0\r\nAccept: text/csv\r\n\r\n".encode())
    assert got.split(b"\r\n")[0].split()[1] in (b"503", b"504", b"505"), got[:200]
    works(hostile)


def test_a_client_that_does_not_read(hostile: Running) -> None:
    with socket.create_connection(("127.0.0.1", hostile.port), timeout=ENOUGH) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line = f"GET /query?query={quote(LARGE)} HTTP/1.1"
        sock.sendall(f"{line}\r\nHost: localhost\r\nAccept: text/csv\r\n\r\n".encode())
        time.sleep(LIMIT + 1)
        works(hostile)
        with hostile.client() as client:
            for _ in range(50):
                if "workbench_workers_busy 0" in client.get("/metrics").text:
                    break
                time.sleep(0.1)
            else:
                raise AssertionError("a worker is still busy")


def test_a_client_that_goes_away(hostile: Running) -> None:
    query = ENDLESS["count over a product"]
    with socket.create_connection(("127.0.0.1", hostile.port)) as sock:
        sock.sendall(f"GET /query?query={quote(query)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        time.sleep(0.3)
    works(hostile)


def test_two_hundred_at_once(hostile: Running) -> None:
    query = ENDLESS["count over a product"]

    def one(number: int) -> int:
        with hostile.client(60) as client:
            text = "ASK { ?s a tcg:Episode }" if number % 4 else query
            response = client.post("/query", data={"query": text})
            assert response.status_code in (200, 503, 504), response.text
            if response.status_code == 503 and "kill" not in response.json():
                assert int(response.headers["retry-after"]) > 0
            return response.status_code

    with ThreadPoolExecutor(200) as pool:
        statuses = list(pool.map(one, range(200)))
    assert 503 in statuses
    works(hostile)


def test_a_worker_killed_in_the_middle(hostile: Running) -> None:
    statuses: list[Any] = []

    def ask() -> None:
        with hostile.client(ENOUGH) as client:
            response = client.post("/query", data={"query": ENDLESS["count over a product"], "timeout": "1.4"})
            statuses.append((response.status_code, response.json().get("kill")))

    works(hostile)
    thread = threading.Thread(target=ask)
    thread.start()
    time.sleep(0.4)
    for worker in hostile.workers():
        os.kill(worker, signal.SIGKILL)
    thread.join(ENOUGH)
    assert statuses == [(503, "died")]
    works(hostile)


def test_idle_workers_killed(hostile: Running) -> None:
    works(hostile)
    for worker in hostile.workers():
        os.kill(worker, signal.SIGKILL)
    works(hostile)


@pytest.mark.parametrize("begin", [
    b"", b"GET /query", b"GET /query HTTP/1.1\r\nHost: localhost\r\n",
    b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /",
    b"POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/sparql-query\r\n"
    b"Content-Length: 9\r\n\r\nASK"])
def test_a_client_that_does_not_finish(hostile: Running, begin: bytes) -> None:
    with socket.create_connection(("127.0.0.1", hostile.port), timeout=30) as sock:
        sock.sendall(begin)
        got = b""
        try:
            while part := sock.recv(65_536):
                got += part
        except ConnectionResetError:
            pass
    assert got == b"" or b" 408 " in got or got.count(b"HTTP/1.1 200") == 1
    works(hostile)


def test_memory_is_bounded(store: Path, folder: Path) -> None:
    with serving(store, folder, "--timeout", "60", "--memory", "300", "--workers", "1") as server, \
            server.client(60) as client:
        response = client.post("/query", data={"query": ENDLESS["order by over a product"]})
        assert (response.status_code, response.json()["kill"]) == (503, "memory")
        works(server)
        assert 'workbench_broken_answers_total{reason="memory"} 1' in client.get("/metrics").text


def test_an_update_without_end(hostile: Running) -> None:
    with hostile.client(ENOUGH) as client:
        data = "INSERT DATA { GRAPH <urn:many> { " + " ".join(f"<urn:s> <urn:p> {n} ." for n in range(400)) + " } }"
        assert client.post("/scratch/update", data={"update": data}).status_code == 204
        many = " ".join(f"GRAPH <urn:many> {{ ?a{n} ?b{n} ?c{n} }}" for n in range(5))
        endless = f"INSERT {{ <urn:x> <urn:y> ?c0 }} WHERE {{ {many} FILTER(?c0 + ?c4 = -1) }}"
        response = client.post("/scratch/update", data={"update": endless})
        assert response.status_code in (503, 504)
        for _ in range(100):  # what was acknowledged before is still there
            count = "SELECT (COUNT(*) AS ?n) { GRAPH <urn:many> { ?s ?p ?o } }"
            found = client.get("/scratch/query", params={"query": count})
            if found.status_code == 200:
                assert found.json()["results"]["bindings"][0]["n"]["value"] == "400"
                break
            time.sleep(0.1)
        else:
            raise AssertionError("the scratch dataset does not come back")
    works(hostile)


# -- too large ----------------------------------------------------------------------------------------------------


def test_a_body_too_large(hostile: Running) -> None:
    big = b"ASK { } #" + b"x" * (2 << 20)
    with hostile.client() as client:
        for path, media in (("/query", "application/sparql-query"), ("/scratch/update", "application/sparql-update"),
                            ("/scratch/graphs?default", "text/turtle")):
            try:
                response = client.post(path, content=big, headers={"content-type": media})
                assert response.status_code == 413
            except httpx.TransportError:
                pass  # refused while it was still being sent

            def parts() -> Iterator[bytes]:
                yield from (big[at:at + 65_536] for at in range(0, len(big), 65_536))

            try:
                response = client.post(path, content=parts(), headers={"content-type": media})
                assert response.status_code == 413
            except httpx.TransportError:
                pass
    works(hostile)


def test_a_long_query_goes_by_post(hostile: Running) -> None:
    query = "ASK { ?s a tcg:Episode } #" + "x" * 100_000
    with hostile.client() as client:
        assert client.post("/query", data={"query": query}).json()["boolean"]
        longer = query + "x" * 200_000
        for text, status in ((query[:50_000], b"200"), (query, b"414"), (longer, b"414")):
            line = f"GET /query?query={quote(text)} HTTP/1.1\r\nHost: localhost\r\n\r\n"
            assert raw(hostile, line.encode()).split()[1] == status
        assert client.post("/query", data={"query": longer}).status_code == 413
    works(hostile)


@pytest.mark.parametrize("name", [b"X-Long", b"Accept", b"Authorization"])
def test_headers_too_large(hostile: Running, name: bytes) -> None:
    got = raw(hostile, b"GET /query HTTP/1.1\r\nHost: localhost\r\n" + name + b": " + b"x" * 400_000 + b"\r\n\r\n")
    assert got == b"" or got.startswith(b"HTTP/1.1 431"), got[:100]
    works(hostile)


def test_deep_queries(hostile: Running) -> None:
    with hostile.client(ENOUGH) as client:
        for query in ("ASK " + "{" * 60_000 + "}" * 60_000, "ASK { FILTER(" + "(" * 60_000 + "1" + ")" * 60_000 + ") }",
                      "ASK { ?s " + "(" * 60_000 + "<urn:p>" + ")*" * 60_000 + " ?o }"):
            response = client.post("/query", data={"query": query})
            assert response.status_code in (400, 413, 503, 504), response.status_code
            works(hostile)


# -- lies ---------------------------------------------------------------------------------------------------------

GET = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
LIES = {
    "length and chunks": b"POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n"
                         b"Transfer-Encoding: chunked\r\nContent-Type: application/sparql-query\r\n\r\n0\r\n\r\n"
                         + GET + b"\r\n",
    "two lengths": b"POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 44\r\n\r\nASK{}",
    "odd coding": b"POST /query HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "space before the colon": b"GET /query HTTP/1.1\r\nHost: localhost\r\nContent-Length : 4\r\n\r\nASK{}",
    "folded": b"GET /query HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n",
    "bare line feeds": b"GET /query HTTP/1.1\nHost: localhost\n\n",
    "two hosts": b"GET /query HTTP/1.1\r\nHost: localhost\r\nHost: example.org\r\n\r\n",
    "no host": b"GET /query HTTP/1.1\r\n\r\n",
    "another host": b"GET /query HTTP/1.1\r\nHost: example.org\r\n\r\n",
    "a host with a path": b"GET /query HTTP/1.1\r\nHost: localhost/evil\r\n\r\n",
    "two types": b"POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/sparql-query\r\n"
                 b"Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nASK{}",
    "null in a header": GET + b"X: a\x00b\r\n\r\n",
    "null in the path": b"GET /query%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "line break in the path": b"GET /graphs/a%0d%0aSet-Cookie:x HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a packed body": b"POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/sparql-query\r\n"
                     b"Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nASK{}",
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01",
    "upward": b"GET /static/../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "upward, encoded": b"GET /graphs/..%2f..%2fetc%2fpasswd HTTP/1.1\r\nHost: localhost\r\n\r\n",
}


@pytest.mark.parametrize("request_", LIES.values(), ids=LIES.keys())
def test_lies(hostile: Running, request_: bytes) -> None:
    got = raw(hostile, request_, 3.0)
    assert got == b"" or got.split(b" ")[1][:1] == b"4", got[:200]
    assert got.count(b"HTTP/1.1 ") <= 1
    assert b"Set-Cookie" not in got.split(b"\r\n\r\n")[0] and b"root:" not in got
    works(hostile)


# -- ways out -----------------------------------------------------------------------------------------------------

OUT = [
    "SELECT * { SERVICE <http://127.0.0.1:{port}/> { ?s ?p ?o } }",
    "select * { service <http://127.0.0.1:{port}/> { ?s ?p ?o } }",
    "SELECT * { SERVICE SILENT <http://127.0.0.1:{port}/> { ?s ?p ?o } }",
    "PREFIX x: <http://127.0.0.1:{port}/> SELECT * { SERVICE x:a { ?s ?p ?o } }",
    "SELECT * { #\nSERVICE#\n<http://127.0.0.1:{port}/>{ ?s ?p ?o } }",
    "SELECT * { { { SERVICE<http://127.0.0.1:{port}/>{} } } }",
    "SELECT * { VALUES ?u { <http://127.0.0.1:{port}/> } SERVICE ?u { ?s ?p ?o } }",
    "ASK { FILTER EXISTS { SERVICE <http://127.0.0.1:{port}/> { ?s ?p ?o } } }",
    "SELECT * { OPTIONAL { SeRvIcE <http://127.0.0.1:{port}/> { ?s ?p ?o } } }",
    "SELECT * { { SELECT * { SERVICE <http://127.0.0.1:{port}/> { ?s ?p ?o } } } }",
    "SELECT * { ?s ?p '''\\''' . SERVICE <http://127.0.0.1:{port}/> { } #'''} }",
    "SELECT * { ?s ?p ''' SERVICE ''' . SERVICE <http://127.0.0.1:{port}/> { } }",
    "SELECT * { ?s ?p \"\\\\\" . SERVICE <http://127.0.0.1:{port}/> { } }",
    "SELECT * { ?s <urn:a#b> ?o . SERVICE <http://127.0.0.1:{port}/> { } }",
    "SELECT * { FILTER(1<2) SERVICE <http://127.0.0.1:{port}/> { } FILTER(3>2) }",
    "SELECT * { \\u0053ERVICE <http://127.0.0.1:{port}/> { ?s ?p ?o } }",
    "SELECT * FROM <http://127.0.0.1:{port}/> { ?s ?p ?o }",
    "LOAD <http://127.0.0.1:{port}/>",
    "load silent <http://127.0.0.1:{port}/> into graph <urn:g>",
    "INSERT DATA { <urn:a> <urn:b> 1 } ; LOAD <http://127.0.0.1:{port}/>",
    "INSERT { ?s ?p ?o } WHERE { SERVICE <http://127.0.0.1:{port}/> { ?s ?p ?o } }",
    "LOAD <file:///etc/passwd>",
]


@pytest.mark.parametrize("query", OUT)
def test_no_way_out(hostile: Running, query: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as trap:
        trap.settimeout(0.3)
        text = query.replace("{port}", str(trap.getsockname()[1]))
        with hostile.client(ENOUGH) as client:
            for response in (client.post("/query", data={"query": text}),
                             client.post("/scratch/query", data={"query": text}),
                             client.post("/scratch/update", data={"update": text})):
                assert response.status_code == 400 or (
                    "FROM <http" in text and response.json()["results"]["bindings"] == []), response.text
            if "FROM <http" not in text:
                assert client.get("/query", params={"query": "ASK {}", "default-graph-uri": text}).status_code == 400
            iri = f"http://127.0.0.1:{trap.getsockname()[1]}/x"
            found = client.get("/query", params={"query": "SELECT * { ?s ?p ?o }", "default-graph-uri": iri})
            assert found.json()["results"]["bindings"] == []
        with pytest.raises(TimeoutError):
            trap.accept()


@pytest.mark.parametrize("text", [
    "INSERT DATA { <urn:a> <urn:b> 1 }", "DELETE WHERE { ?s ?p ?o }", "CLEAR ALL", "DROP ALL", "CREATE GRAPH <urn:g>",
    "PREFIX x: <urn:x> #\nINSERT DATA { x:a x:b 1 }", "BASE <urn:x> delete where { ?s ?p ?o }",
    "ASK {} ; DROP ALL", "SELECT * { ?s ?p ?o } ; CLEAR ALL", "COPY DEFAULT TO <urn:g>", "MOVE DEFAULT TO <urn:g>",
    "ADD DEFAULT TO <urn:g>", "WITH <urn:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }"])
def test_no_update_in_a_query(hostile: Running, text: str) -> None:
    with hostile.client() as client:
        before = client.get("/graphs", headers={"accept": "application/n-quads"}).text
        for response in (client.get("/query", params={"query": text}), client.post("/query", data={"query": text}),
                         client.post("/query", content=text, headers={"content-type": "application/sparql-query"})):
            assert response.status_code == 400
        assert client.get("/graphs", headers={"accept": "application/n-quads"}).text == before


def test_the_log_tells_no_literals(hostile: Running) -> None:
    works(hostile)
    with hostile.client(ENOUGH) as client:
        client.get("/query", params={"query": "ASK { ?s ?p 'S3CRET-A' }"})
        client.get("/query", params={"query": "ASK { ?s ?p 'S3CRET-B'"})
        endless = client.post("/query", data={"query": NEVER_COUNTED.replace("nothing", "S3CRET-C")})
        assert endless.status_code in (503, 504)
        client.get("/entity/S3CRET-D")
        client.put("/scratch/graphs?graph=urn:S3CRET-E", content="<urn:a> <urn:b> 'S3CRET-F", headers={
            "content-type": "text/turtle"})
    raw(hostile, b"GET /query?query=S3CRET-G HTTP/1.1\r\nHost : localhost\r\n\r\n", 1.0)
    works(hostile)
    log = hostile.log.read_text()
    assert "S3CRET" not in log
    rows = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert any(row.get("kill") in ("time", "memory") and row["status"] in (503, 504) for row in rows)
    assert all(len(row["query"]) == 16 for row in rows if "query" in row)


ENTITIES = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 20}">' for n in range(1, 10))
LAUGHS = f"""<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY a0 "ha">{ENTITIES}]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:n="urn:"><rdf:Description rdf:about="urn:a">
<n:p>&a9;</n:p></rdf:Description></rdf:RDF>"""
OUTSIDE = """<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:n="urn:"><rdf:Description rdf:about="urn:a">
<n:p>&x;</n:p></rdf:Description></rdf:RDF>"""


@pytest.mark.parametrize("body", [LAUGHS, OUTSIDE], ids=["many laughs", "from outside"])
def test_entities_are_not_followed(hostile: Running, body: str) -> None:
    graph = {"graph": "urn:entities"}
    with hostile.client(ENOUGH) as client:
        done = client.put("/scratch/graphs", params=graph, content=body, headers={
            "content-type": "application/rdf+xml"})
        assert done.status_code in (201, 204, 400, 503, 504)
        for _ in range(100):
            found = client.get("/scratch/graphs", params=graph)
            if found.status_code != 503:
                break
            time.sleep(0.1)
        assert "root:" not in found.text and len(found.text) < 100_000
        client.delete("/scratch/graphs", params=graph)
    works(hostile)


def test_contexts_are_not_fetched(hostile: Running) -> None:
    with socket.create_server(("127.0.0.1", 0)) as trap:
        trap.settimeout(0.3)
        context = f"http://127.0.0.1:{trap.getsockname()[1]}/context"
        with hostile.client(ENOUGH) as client:
            done = client.put("/scratch/graphs?graph=urn:context", content=json.dumps({"@context": context, "a": "b"}),
                              headers={"content-type": "application/ld+json"})
            assert done.status_code == 400
        with pytest.raises(TimeoutError):
            trap.accept()
