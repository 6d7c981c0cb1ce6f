"""Who may do what: tokens, scopes by source, web pages, addresses."""

from __future__ import annotations

import hashlib
import json
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.cli.running import run
from tests.serve.running import Running, serving

READER, WRITER, MAIL, HR, NOBODY = (f"{name}-token-0123456789" for name in ("reader", "writer", "mail", "hr", "none"))
SECRETS = ("31337", "secret", "hr%202", "hr 2/b", "urn:tcg:entity:bo", "earns", "knows", '"hr"')


@pytest.fixture(scope="module")
def guarded(store: Path, folder: Path) -> Iterator[Running]:
    tokens = folder / "tokens.json"
    tokens.write_text(json.dumps([
        {"token": READER, "name": "reader"}, {"token": WRITER, "name": "writer", "scopes": ["read", "write"]},
        {"sha256": hashlib.sha256(MAIL.encode()).hexdigest(), "name": "mail", "sources": ["mail"]},
        {"token": HR, "name": "hr", "sources": ["hr"]}, {"token": NOBODY, "name": "none", "sources": ["other"]}]))
    with serving(store, folder, "--token-file", str(tokens), "--writable", "--workers", "1", "--allow-origin",
                 "https://example.org") as running:
        yield running


def everything(client: httpx.Client, **params: str) -> str:
    """All that a principal can get at, by every way that names graphs."""
    mine, theirs = "urn:tcg:episode:mail-1", "urn:tcg:episode:hr%202%2Fb"
    union = "SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }"
    got = []
    for query in (
            union, f"SELECT * FROM <{theirs}> {{ ?s ?p ?o }}",
            f"SELECT * FROM NAMED <{theirs}> {{ GRAPH ?g {{ ?s ?p ?o }} }}",
            f"SELECT * FROM <{mine}> FROM <{theirs}> {{ ?s ?p ?o }}", f"SELECT * {{ GRAPH <{theirs}> {{ ?s ?p ?o }} }}",
            f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH <{theirs}> {{ ?s ?p ?o }} }}", f"DESCRIBE <{theirs}>",
            "DESCRIBE e:bo", "SELECT * { ?s (!<urn:x>|^!<urn:x>)* ?o }", "SELECT * { GRAPH ?g {} }",
            "SELECT * { ?s ?p ?o . LATERAL { GRAPH ?g { ?a ?b ?c } } }",
            "SELECT * { GRAPH ?g { ?s ?p ?o } FILTER EXISTS { GRAPH ?h { ?x ?y ?z } } }"):
        for dataset in ({}, {"default-graph-uri": theirs}, {"named-graph-uri": [mine, theirs]}):
            text = client.post("/query", data={"query": query, **dataset, **params}).text
            asked = dataset or theirs in query  # then an answer may repeat the name, as of any graph there is not
            got.append(text.replace(theirs, "").replace(mine, "") if asked else text)
    for path in ("/graphs", "/graphs?default", f"/graphs?graph={theirs}", "/graphs/hr%202%2Fb", "/graphs/mail-3",
                 "/episode/hr%202%2Fb", "/episode/mail-3", "/entity/bo", "/entity/Bo", "/entity/alice", "/void",
                 "/state", "/timemap/entity/bo", "/timemap/entity/alice", "/timegate/entity/bo",
                 "/timemap/episode/hr%202%2Fb"):
        text = client.get(path, params=params or None).text if "?" not in path else client.get(path).text
        got.append("" if '"status": 404' in text else text)  # it names what was asked for
    return "\n".join(got)


def test_nothing_without_a_token(guarded: Running) -> None:
    with guarded.client() as client:
        for path in ("/query?query=ASK{}", "/graphs", "/episode/mail-1", "/metrics", "/void", "/scratch/query",
                     "/state", "/timemap/entity/alice"):
            response = client.get(path)
            assert response.status_code == 401, path
            assert response.headers["www-authenticate"].startswith("Bearer")
        assert client.get("/health").status_code == 200
    for token in ("wrong-token-0123456789", READER[:-1], READER + "x", "é"):
        with guarded.client() as client:
            header = [(b"authorization", f"Bearer {token}".encode())]
            assert client.get("/query", params={"query": "ASK {}"}, headers=header).status_code == 401
    with guarded.client() as client:
        assert client.get(f"/query?query=ASK{{}}&access_token={READER}").status_code == 401
        assert client.get("/query?query=ASK{}", headers={"authorization": f"Basic {READER}"}).status_code == 401


def test_reading_and_writing(guarded: Running) -> None:
    update = {"update": "INSERT DATA { <urn:a> <urn:b> 1 }"}
    with guarded.client(token=READER) as client:
        assert client.get("/query", params={"query": "ASK {}"}).status_code == 200
        assert client.post("/scratch/update", data=update).status_code == 403
        assert client.put("/scratch/graphs?default", content="", headers={"content-type": "text/turtle"}
                          ).status_code == 403
    with guarded.client(token=WRITER) as client:
        assert client.post("/scratch/update", data=update).status_code == 204
        assert client.get("/scratch/query", params={"query": "ASK { <urn:a> <urn:b> 1 }"}).json()["boolean"]
        assert client.delete("/graphs/mail-1").status_code == 409


@pytest.mark.parametrize("params", [{}, {"valid-at": "2024-04-01"}, {"known-at": "2024-05-01"}], ids=str)
def test_other_sources_are_not_there(guarded: Running, params: dict[str, str]) -> None:
    with guarded.client(token=MAIL) as client:
        got = everything(client, **params)
        assert "memberOf" in got
        assert [secret for secret in SECRETS if secret in got] == []
    with guarded.client(token=HR) as client:
        got = everything(client, **params)
        assert "31337" in got
        assert [word for word in ("memberOf", "Billing", "mail-1", "mail-3", "platform") if word in got] == []
    with guarded.client(token=NOBODY) as client:
        got = client.post("/query", data={"query": "SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }",
                                          **params}).json()
        assert got["results"]["bindings"] == []


def test_a_reader_without_sources_sees_all(guarded: Running) -> None:
    with guarded.client(token=READER) as client:
        got = everything(client)
        assert "31337" in got and "memberOf" in got


def test_tags_differ_between_scopes(guarded: Running) -> None:
    tags = []
    for token in (READER, MAIL, HR):
        with guarded.client(token=token) as client:
            tags.append(client.get("/query", params={"query": "SELECT * { ?s ?p ?o }"}).headers["etag"])
    assert len(set(tags)) == 3


def test_web_pages(guarded: Running) -> None:
    ask = {"access-control-request-method": "POST", "access-control-request-headers": "authorization, content-type"}
    with guarded.client() as client:
        allowed = client.options("/query", headers={"origin": "https://example.org", **ask})
        assert allowed.status_code == 204
        assert allowed.headers["access-control-allow-origin"] == "https://example.org"
        assert {"Authorization", "Content-Type", "Accept"} <= {
            part.strip() for part in allowed.headers["access-control-allow-headers"].split(",")}
        assert "QUERY" in allowed.headers["access-control-allow-methods"]
        assert "access-control-allow-credentials" not in allowed.headers
        other = client.options("/query", headers={"origin": "https://evil.example", **ask})
        assert not any(name.startswith("access-control") for name in other.headers)
        refused = client.get("/query?query=ASK{}", headers={"origin": "https://example.org"})
        assert refused.status_code == 401 and "access-control-allow-origin" in refused.headers


def test_a_web_page_cannot_write_without_a_token(server: Running) -> None:
    with server.client() as client:
        done = client.post("/scratch/update", data={"update": "CLEAR ALL"}, headers={"origin": "https://evil.example"})
        assert done.status_code == 403


def test_tokens_stay_out_of_the_log(guarded: Running) -> None:
    log = guarded.log.read_text()
    assert not any(token in log for token in (READER, WRITER, MAIL, HR))
    assert '"principal": "reader"' in log


def test_what_cannot_be_started(store: Path, tmp_path: Path) -> None:
    outside = run("serve", "--store", store, "--bind", "0.0.0.0:0")
    assert outside.exit == 2 and "--token-file" in outside.error
    writable = run("serve", "--store", store, "--writable")
    assert writable.exit == 2 and "--token-file" in writable.error
    tokens = tmp_path / "tokens.json"
    for text in ("no json", '{"token": "x"}', '[{"token": "short"}]',
                 '[{"token": "0123456789abcdef", "scope": "read"}]',
                 '[{"name": "x"}]', '[{"token": "0123456789abcdef", "scopes": ["all"]}]'):
        tokens.write_text(text)
        done = run("serve", "--store", store, "--token-file", tokens)
        assert done.exit == 2 and "0123456789abcdef" not in done.error, text
    assert run("serve", "--store", tmp_path / "none").exit == 2
    assert run("serve", "--store", store, "--bind", "nonsense").exit == 2


def test_it_stops_when_told(store: Path, tmp_path: Path) -> None:
    with serving(store, tmp_path, "--open-scratch") as server:
        workers = server.workers()
        assert workers
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(20) in (0, -signal.SIGTERM)
        assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


def test_workers_die_with_the_server(store: Path, tmp_path: Path) -> None:
    import time

    with serving(store, tmp_path) as server:
        workers = server.workers()
        server.process.kill()
        server.process.wait()
        for _ in range(100):
            if not any(Path(f"/proc/{worker}").exists() for worker in workers):
                break
            time.sleep(0.1)
        else:
            raise AssertionError("workers outlive the server")


def test_health_and_metrics(guarded: Running) -> None:
    with guarded.client(token=READER) as client:
        assert client.get("/health").json()["status"] == "ok"
        text = client.get("/metrics").text
        names = {line.split("{")[0].split(" ")[0] for line in text.splitlines() if not line.startswith("#")}
        assert {"workbench_requests_total", "workbench_request_seconds_bucket", "workbench_workers_busy",
                "workbench_resident_bytes", "workbench_episodes"} <= names
