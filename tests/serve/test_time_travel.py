"""The past over HTTP: views from a vantage, Memento, things by their names, and what is written while one reads."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pyoxigraph as ox
import pytest

from tests.serve.running import Running, serving, small_store
from workbench.api import Workbench
from workbench.care import erase
from workbench.model.claim import Claim
from workbench.model.episode import Episode

MEMBER = "SELECT ?t { e:alice r:memberOf ?t }"
EARLY, LATE = "Thu, 01 Feb 2024 00:00:00 GMT", "Tue, 01 Oct 2024 00:00:00 GMT"


@pytest.fixture(scope="module")
def client(server: Running) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


def values(response: httpx.Response, name: str = "t") -> list[str]:
    assert response.status_code == 200, response.text
    return sorted(row[name]["value"].rsplit(":", 1)[-1] for row in response.json()["results"]["bindings"])


def triples(response: httpx.Response) -> set[str]:
    assert response.status_code == 200, response.text
    form = ox.RdfFormat.from_media_type(response.headers["content-type"].split(";")[0])
    return {str(quad.triple) for quad in ox.parse(input=response.content, format=form)}


# -- views --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("valid", "known", "team"), [
    ("2023-06-01", None, ["billing"]), ("2024-04-01", None, ["platform"]), (None, "2024-05-01", ["billing"]),
    ("2024-04-01", "2024-05-01", ["billing"]), ("2024-04-01", "2024-06-03T11:00:00+02:00", ["platform"]),
    ("2022-01-01", None, []), (None, "2023-01-01", [])])
@pytest.mark.parametrize("way", ["get", "form", "direct"])
def test_a_query_from_a_vantage(client: httpx.Client, way: str, valid: str | None, known: str | None,
                                team: list[str]) -> None:
    at = {name: value for name, value in (("valid-at", valid), ("known-at", known)) if value is not None}
    match way:
        case "get":
            response = client.get("/query", params={"query": MEMBER, **at})
        case "form":
            response = client.post("/query", data={"query": MEMBER, **at})
        case _:
            response = client.post("/query", params=at, content=MEMBER, headers={
                "content-type": "application/sparql-query"})
    assert values(response) == team


def test_without_a_vantage_the_annotated_quads(client: httpx.Client) -> None:
    assert values(client.get("/query", params={"query": MEMBER})) == []
    everywhere = "SELECT DISTINCT ?t { GRAPH ?g { e:alice r:memberOf ?t } }"
    assert values(client.get("/query", params={"query": everywhere})) == ["billing", "platform"]


def test_named_graphs_stay_the_episodes(client: httpx.Client) -> None:
    query = "SELECT ?t { GRAPH ?t { e:alice r:memberOf ?x } }"
    assert values(client.get("/query", params={"query": query, "valid-at": "2024-04-01"})) == ["mail-3"]


def test_a_graph_from_a_vantage(client: httpx.Client) -> None:
    now = triples(client.get("/graphs", params={"graph": "urn:tcg:episode:mail-3", "valid-at": "2024-04-01"}))
    assert now == {"<urn:tcg:entity:alice> <urn:tcg:relation:memberOf> <urn:tcg:entity:platform>",
                   "<urn:tcg:entity:platform> <urn:tcg:relation:hasMember> <urn:tcg:entity:alice>"}
    everything = triples(client.get("/graphs?default", params={"known-at": "2024-01-20"}))
    assert {triple for triple in everything if "memberOf" in triple} == {
        "<urn:tcg:entity:alice> <urn:tcg:relation:memberOf> <urn:tcg:entity:billing>"}
    assert client.get("/graphs/mail-3", params={"known-at": "2024-01-20"}).status_code == 404


def test_a_view_of_the_present_has_no_tag(client: httpx.Client) -> None:
    assert "etag" in client.get("/query", params={"query": MEMBER, "valid-at": "2024-04-01"}).headers
    assert "etag" not in client.get("/query", params={"query": MEMBER, "known-at": "2024-04-01"}).headers


# -- things -------------------------------------------------------------------------------------------------------


def test_an_episode(client: httpx.Client) -> None:
    found = triples(client.get("/episode/mail-1"))
    assert any("joined Billing in January" in triple for triple in found)
    assert any("memberOf" in triple for triple in found)
    assert triples(client.get("/episode/hr%202%2Fb"))
    assert client.get("/episode/none").status_code == 404
    assert client.get("/episode/mail-3", params={"known-at": "2024-05-01"}).status_code == 404


def test_an_entity(client: httpx.Client) -> None:
    found = triples(client.get("/entity/alice", headers={"accept": "application/n-triples"}))
    assert "<urn:tcg:entity:alice> <urn:tcg:relation:memberOf> <urn:tcg:entity:billing>" in found
    assert any("knownTo" in triple for triple in found) and any("reifies" in triple for triple in found)
    past = triples(client.get("/entity/alice", params={"valid-at": "2024-04-01"}))
    assert "<urn:tcg:entity:alice> <urn:tcg:relation:memberOf> <urn:tcg:entity:platform>" in past
    assert not any("billing" in triple for triple in past)
    named = client.get("/entity/Alice?valid-at=2024-04-01")
    assert named.status_code == 303
    assert named.headers["location"].endswith("/entity/alice?valid-at=2024-04-01")
    assert client.get("/entity/nobody").status_code == 404


def test_a_fact(client: httpx.Client) -> None:
    query = "SELECT ?f { GRAPH ?g { ?f tcg:knownTo ?t } }"
    fact = client.get("/query", params={"query": query}).json()["results"]["bindings"][0]["f"]["value"].rsplit(":")[-1]
    now = triples(client.get(f"/fact/{fact}"))
    assert any("knownTo" in triple for triple in now) and any("reifies" in triple for triple in now)
    past = triples(client.get(f"/fact/{fact}", params={"known-at": "2024-05-01"}))
    assert past < now and not any("knownTo" in triple for triple in past)
    assert client.get(f"/fact/{fact}", params={"known-at": "2023-05-01"}).status_code == 404


def test_the_vocabulary(client: httpx.Client) -> None:
    assert any("validFrom" in triple for triple in triples(client.get("/vocabulary")))
    assert client.get("/vocabulary", headers={"accept": "application/rdf+xml"}).text.startswith("<?xml")


# -- Memento ------------------------------------------------------------------------------------------------------


def links(response: httpx.Response) -> dict[str, str]:
    """rel → URI of a Link header or a link-format document."""
    text = response.headers.get("link", "") if response.content[:1] != b"<" else response.text
    return {rel: uri for uri, rels in re.findall(r'<([^>]*)>; rel="([^"]*)"', text) for rel in rels.split()}


RESOURCES = ["/entity/alice", "/graphs/mail-1", f"/query?query={quote(MEMBER)}", "/graphs?default"]


@pytest.mark.parametrize("resource", RESOURCES)
def test_negotiation_in_time(client: httpx.Client, server: Running, resource: str) -> None:
    chosen = client.get(resource, headers={"accept-datetime": EARLY})
    assert chosen.status_code == 302
    assert "accept-datetime" in chosen.headers["vary"]
    assert links(chosen)["original"] == server.url + resource
    memento = client.get(chosen.headers["location"])
    assert memento.status_code == 200, memento.text
    assert memento.headers["memento-datetime"] in ("Wed, 10 Jan 2024 09:00:00 GMT", "Thu, 01 Feb 2024 09:00:00 GMT")
    found = links(memento)
    assert found["original"] == server.url + resource
    gate = client.get(found["timegate"], headers={"accept-datetime": EARLY})
    assert (gate.status_code, gate.headers["location"]) == (302, chosen.headers["location"])
    timemap = client.get(found["timemap"])
    assert timemap.headers["content-type"] == "application/link-format"
    assert chosen.headers["location"] in timemap.text
    assert {"original", "timegate", "self", "first", "last"} <= set(links(timemap))


def test_the_memento_tells_the_past(client: httpx.Client) -> None:
    def team(date: str) -> set[str]:
        place = client.get("/entity/alice", headers={"accept-datetime": date}).headers["location"]
        return {triple.rsplit(":")[-1][:-1] for triple in triples(client.get(place)) if "memberOf" in triple}

    assert (team(EARLY), team(LATE)) == ({"billing"}, {"platform"})
    direct = client.post("/query", data={"query": MEMBER}, headers={"accept-datetime": EARLY})
    assert values(direct) == ["billing"] and "memento-datetime" in direct.headers


def test_the_gate_without_a_wish(client: httpx.Client) -> None:
    assert "2024-06-03" in client.get("/timegate/entity/alice").headers["location"]
    before_all = client.get("/timegate/entity/alice", headers={"accept-datetime": "Mon, 01 Jan 2001 00:00:00 GMT"})
    assert "2024-01-10" in before_all.headers["location"]
    assert client.get("/timegate/entity/nobody").status_code == 404
    assert client.get("/timegate/health").status_code == 404
    assert client.get("/entity/alice", headers={"accept-datetime": "soon"}).status_code == 400


def test_a_future_is_no_memento(client: httpx.Client) -> None:
    response = client.get("/query", params={"query": MEMBER, "known-at": "2999-01-01", "valid-at": "2024-04-01"})
    assert values(response) == ["platform"] and "memento-datetime" not in response.headers


# -- while someone writes -----------------------------------------------------------------------------------------


def count(client: httpx.Client, **params: Any) -> int:
    query = "SELECT (COUNT(*) AS ?t) { ?e a tcg:Episode }"
    return int(values(client.get("/query", params={"query": query, **params}))[0])


def test_fresh_reads_see_every_write(tmp_path: Path) -> None:
    store = small_store(tmp_path / "store")
    with serving(store, tmp_path, "--refresh", "3600", "--workers", "2") as server, server.client() as client:
        assert count(client) == 3
        tag = client.get("/query", params={"query": "ASK {}"}).headers["etag"]
        for number in range(4):
            with Workbench.open(store) as wb:
                wb.ingest([Episode(f"new-{number}", claims=(Claim("Cy", "likes", f"Tea {number}"),))])
            assert count(client, fresh="1") == 4 + number
        assert client.get("/query", params={"query": "ASK {}", "fresh": "1"}).headers["etag"] != tag


def test_answers_follow_the_store(tmp_path: Path) -> None:
    store = small_store(tmp_path / "store")
    with serving(store, tmp_path, "--refresh", "0.1", "--workers", "1") as server, server.client() as client:
        with Workbench.open(store) as wb:  # still open for writing while others read
            wb.ingest([Episode("new", claims=(Claim("Cy", "likes", "Oolong"),))])
            for _ in range(200):
                if count(client) == 4:
                    break
                time.sleep(0.05)
            else:
                raise AssertionError("the new episode never shows")
        with Workbench.open(store) as wb:
            erase(wb, ["new"])
        assert count(client, fresh="1") == 3
        assert "Oolong" not in client.get("/graphs", params={"fresh": "1"}).text
