"""Parts that have laws of their own: counting rows in bytes, choosing a media type, telling where USING goes."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.graph import sparql
from workbench.graph.scratch import with_using
from workbench.model.errors import UsageError
from workbench.serve.negotiation import choose, takes_gzip
from workbench.serve.output import Rows

TEXTS = st.text(st.sampled_from('ab"\\\n\r\t,;{}<>\'ü日 '), max_size=12).filter(lambda text: not text.endswith("}},{"))
RESULTS = {"application/sparql-results+json": ox.QueryResultsFormat.JSON, "text/csv": ox.QueryResultsFormat.CSV,
           "application/sparql-results+xml": ox.QueryResultsFormat.XML,
           "text/tab-separated-values": ox.QueryResultsFormat.TSV}


def counted(media: str, raw: bytes, size: int) -> int:
    rows = Rows(media)
    for at in range(0, len(raw), size):
        rows.add(raw[at:at + size])
    return rows.n


@pytest.mark.parametrize("media", RESULTS)
@given(texts=st.lists(TEXTS, min_size=1, max_size=8), size=st.integers(1, 40))
def test_rows_are_counted_in_their_bytes(media: str, texts: list[str], size: int) -> None:
    store = ox.Store()
    for number, text in enumerate(texts):
        store.add(ox.Quad(ox.NamedNode(f"urn:s{number}"), ox.NamedNode("urn:p"), ox.Literal(text)))
    found = store.query("SELECT ?s ?o { ?s ?p ?o }")
    assert isinstance(found, ox.QuerySolutions)
    raw = found.serialize(format=RESULTS[media])
    assert raw is not None
    assert counted(media, raw, size) == len(texts)


@pytest.mark.parametrize(("media", "form"), [("application/n-triples", ox.RdfFormat.N_TRIPLES)])
@given(texts=st.lists(TEXTS, unique=True, max_size=8), size=st.integers(1, 40))
def test_triples_are_counted(media: str, form: ox.RdfFormat, texts: list[str], size: int) -> None:
    raw = ox.serialize([ox.Triple(ox.NamedNode("urn:s"), ox.NamedNode("urn:p"), ox.Literal(text)) for text in texts],
                       format=form)
    assert raw is not None
    assert counted(media, raw, size) == len(texts)


@given(st.text())
def test_tokens_leave_nothing_out(text: str) -> None:
    assert "".join(token.group() for token in sparql.tokens(text)) == text


@given(st.text(st.characters(codec="latin-1")))
def test_any_accept_header_is_read(header: str) -> None:
    assert choose(header, ("text/csv", "text/turtle")) in ("text/csv", "text/turtle", None)
    assert takes_gzip(header) in (True, False)


@pytest.mark.parametrize(("header", "wanted"), [
    ("text/turtle;q=0.5, text/csv;q=0.50", "text/csv"), ("text/turtle;level=1;q=1, text/csv;q=0.9", "text/turtle"),
    ("*/*;q=0.1, text/csv;q=0", "text/turtle"), ("TEXT/CSV", "text/csv"), ("text/csv;q=2", None),
    ("text/csv;q=x", None), ("application/*", None), (None, "text/csv"), ("text/csv;q=0.001", "text/csv")])
def test_choices(header: str | None, wanted: str | None) -> None:
    assert choose(header, ("text/csv", "text/turtle")) == wanted


@pytest.mark.parametrize(("header", "takes"), [
    (None, False), ("", False), ("gzip", True), ("gzip;q=0", False), ("*", True), ("*;q=0", False),
    ("br, gzip;q=0.2", True), ("identity", False), ("gzip;q=0, *", False)])
def test_gzip(header: str | None, takes: bool) -> None:
    assert takes_gzip(header) is takes


def test_using_is_put_where_it_belongs() -> None:
    text = "DELETE { ?s ?p ?o } INSERT { } WHERE { ?s ?p 'WHERE {' } ; delete where { ?s ?p ?o }"
    done = with_using(text, ["urn:a"], ["urn:b"])
    assert done == ("DELETE { ?s ?p ?o } INSERT { } USING <urn:a> USING NAMED <urn:b> WHERE { ?s ?p 'WHERE {' } ; "
                    "delete { ?s ?p ?o } USING <urn:a> USING NAMED <urn:b> where { ?s ?p ?o }")
    data = "INSERT DATA { <urn:a> <urn:b> 'where' }"
    assert with_using(data, ["urn:a"], []) == data
    with pytest.raises(UsageError):
        with_using("WITH <urn:x> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", ["urn:a"], [])
    with pytest.raises(UsageError):
        with_using("DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", ["no iri"], [])
