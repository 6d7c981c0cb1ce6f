"""What goes out comes back: every dialect and syntax, judged by sorted N-Quads."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.running import good, run
from workbench import Workbench
from workbench.evaluate.data import officeholders_path
from workbench.evaluate.officeholders import with_given_claims
from workbench.exchange import Content, export, export_patch, export_tables, import_store
from workbench.graph.exchange.dialects import Dialect, from_dialects, to_dialect
from workbench.graph.exchange.writing import Syntax, stored_lines
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.errors import UsageError
from workbench.model.time import Instant

NASTY = ('a "<<( b )>>" c', "line\nbreak", "\\ \t ' >> <<", "<urn:x> .", "日本語", 'ends with " .')


@pytest.fixture(scope="module")
def wb(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    bench = Workbench.open(tmp_path_factory.mktemp("stores") / "one")
    bench.ingest(with_given_claims(officeholders_path()))
    claims = tuple(Claim("Odd one", "alias", value=text, quote=text) for text in NASTY)
    bench.ingest([Episode(f"odd {text}"[:9], text=text, claims=claims) for text in NASTY[:1]])
    bench.ingest([Episode("twice", claims=claims[:2])])
    return bench


@pytest.mark.parametrize(("syntax", "dialect", "suffix"), [
    (Syntax.NQUADS, Dialect.RDF12, "nq"), (Syntax.TRIG, Dialect.RDF12, "trig"),
    (Syntax.NQUADS, Dialect.STAR, "nq"), (Syntax.NQUADS, Dialect.REIFICATION, "nq"),
    (Syntax.TRIG, Dialect.REIFICATION, "trig"), (Syntax.JSONLD, Dialect.REIFICATION, "jsonld"),
])
def test_round_trip(wb: Workbench, tmp_path: Path, syntax: Syntax, dialect: Dialect, suffix: str) -> None:
    file = tmp_path / f"store.{suffix}"
    with file.open("wb") as out:
        export(wb, out, Content.QUADS, syntax, dialect)
    report = import_store(file, tmp_path / "back")
    assert report["findings"] == [] and report["episodes"] == wb.graph.episodes
    with Workbench.open(tmp_path / "back", read_only=True) as back:
        assert back.graph.quads.lines() == wb.graph.quads.lines()
        assert back.believed().to_json() == wb.believed().to_json()


def test_tables_round_trip_and_say_what_they_hold(wb: Workbench, tmp_path: Path) -> None:
    export_tables(wb, tmp_path / "tables")
    facts = pl.read_parquet(tmp_path / "tables" / "facts" / "*.parquet")
    assert len(facts) == wb.graph.timeline.records.n and facts["known_from"].dtype == pl.Datetime("us", "UTC")
    episodes = pl.read_parquet(tmp_path / "tables" / "episodes" / "*.parquet")
    assert len(episodes) == wb.graph.episodes and "twice" in episodes["id"].to_list()
    page = (tmp_path / "tables" / "README.md").read_text()
    assert all(name in page for name in (*facts.columns[:3], *episodes.columns))
    assert import_store(tmp_path / "tables", tmp_path / "back")["findings"] == []
    with Workbench.open(tmp_path / "back", read_only=True) as back:
        assert back.graph.quads.lines() == wb.graph.quads.lines()
    with pytest.raises(UsageError, match="not empty"):
        export_tables(wb, tmp_path / "tables")


TERM = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)


@given(st.lists(st.tuples(TERM, st.sampled_from(["urn:g1", "urn:g2", ""])), max_size=8), st.sampled_from(list(Dialect)),
       st.randoms())
def test_any_text_survives_any_dialect_in_any_order(rows: list[tuple[str, str]], dialect: Dialect,
                                                     random: st.DataObject) -> None:
    reifies = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies")
    quads = []
    for number, (text, graph) in enumerate(rows):
        place = ox.NamedNode(graph) if graph else ox.DefaultGraph()
        triple = ox.Triple(ox.NamedNode("urn:s"), ox.NamedNode("urn:p"), ox.Literal(text))
        quads += [ox.Quad(ox.NamedNode(f"urn:f{number}"), reifies, triple, place),
                  ox.Quad(ox.NamedNode("urn:s"), ox.NamedNode("urn:p"), ox.Literal(text), place)]
    lines = [f"{quad} .\n" for quad in quads]
    said = list(to_dialect(lines, dialect))
    random.shuffle(said)  # type: ignore[attr-defined]
    assert sorted(from_dialects(said)) == sorted(lines)


def test_older_dialects_parse_without_triple_terms(wb: Workbench) -> None:
    lines = list(to_dialect(stored_lines(wb.graph.quads), Dialect.REIFICATION))
    assert not any(re.search(r"reifies> <<", line) for line in lines)
    assert sum(1 for _ in ox.parse("".join(lines).encode(), format=ox.RdfFormat.N_QUADS)) == len(lines)


def test_a_cut_file_is_refused_and_leaves_nothing(wb: Workbench, tmp_path: Path) -> None:
    lines = [line for line in to_dialect(stored_lines(wb.graph.quads), Dialect.REIFICATION)
             if "ns#object>" not in line]
    (tmp_path / "cut.nq").write_text("".join(lines), "utf-8")
    with pytest.raises(UsageError, match="only a part of their triple"):
        import_store(tmp_path / "cut.nq", tmp_path / "back")
    (tmp_path / "bad.nq").write_text("this is no quad\n", "utf-8")
    with pytest.raises(UsageError, match="not N-Quads"):
        import_store(tmp_path / "bad.nq", tmp_path / "back")
    (tmp_path / "none.nq").write_text("<urn:a> <urn:b> <urn:c> .\n", "utf-8")
    with pytest.raises(UsageError, match="no episode"):
        import_store(tmp_path / "none.nq", tmp_path / "back")
    assert not (tmp_path / "back").exists()


def test_what_a_syntax_cannot_say(wb: Workbench) -> None:
    for syntax, dialect in ((Syntax.TURTLE, Dialect.RDF12), (Syntax.JSONLD, Dialect.RDF12),
                            (Syntax.TRIG, Dialect.STAR)):
        with pytest.raises(UsageError):
            export(wb, io.BytesIO(), Content.QUADS, syntax, dialect)


def _said(wb: Workbench, content: Content, syntax: Syntax = Syntax.NQUADS, valid_at: Instant | None = None) -> str:
    out = io.BytesIO()
    export(wb, out, content, syntax, valid_at=valid_at)
    return out.getvalue().decode()


def test_a_view_is_plain_triples(wb: Workbench) -> None:
    turtle = _said(wb, Content.VIEW, Syntax.TURTLE, valid_at=Instant.of(2022, 6))
    assert "reifies" not in turtle and "presidentOf" in turtle
    assert sum(1 for _ in ox.parse(turtle.encode(), format=ox.RdfFormat.TURTLE)) > 20
    assert _said(wb, Content.VIEW, valid_at=Instant.of(1900)).count("presidentOf") == 0


def _rows(found: object) -> list[ox.QuerySolution]:
    assert isinstance(found, ox.QuerySolutions)
    return list(found)


def test_prov_and_owl_time_answer_the_questions_they_are_for(wb: Workbench) -> None:
    store = ox.Store()
    store.load(_said(wb, Content.PROV).encode(), format=ox.RdfFormat.N_QUADS)
    replaced = _rows(store.query("""PREFIX prov: <http://www.w3.org/ns/prov#> SELECT ?new ?old ?by {
        ?new prov:wasRevisionOf ?old . ?old prov:wasInvalidatedBy/prov:used ?by }"""))
    assert len(replaced) > 5
    store = ox.Store()
    store.load(_said(wb, Content.OWL_TIME).encode(), format=ox.RdfFormat.N_QUADS)
    held = _rows(store.query("""PREFIX time: <http://www.w3.org/2006/time#> PREFIX tcg: <urn:tcg:>
        PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> SELECT ?label {
        ?fact rdfs:label ?label ; tcg:validTime ?valid .
        ?valid time:hasBeginning/time:inXSDDateTimeStamp ?from ; time:hasEnd/time:inXSDDateTimeStamp ?to }"""))
    assert any("Barack Obama" in row["label"].value for row in held)


def _applied(lines: Iterator[str], patch: Iterator[str]) -> set[str]:
    found = {line.rstrip("\n") for line in lines}
    for row in patch:
        kind, _, rest = row.rstrip("\n").partition(" ")
        if kind == "A":
            found.add(rest)
        elif kind == "D":
            found.discard(rest)
        else:
            assert kind in ("H", "TX", "TC")
    return found


def test_a_patch_brings_an_earlier_state_to_a_later_one(wb: Workbench) -> None:
    recorded = sorted(entry[1].recorded for _, one in wb.graph.catalogue() if (entry := wb.graph.entry(one)))
    middle, last = recorded[len(recorded) // 2], recorded[-1]
    out, rest = io.BytesIO(), io.BytesIO()
    export_patch(wb, out, Instant(recorded[0] - 1), middle)
    export_patch(wb, rest, middle, last)
    state = _applied(iter([]), iter(out.getvalue().decode().splitlines()))
    assert 0 < len(state) < len(wb.graph.quads)
    whole = _applied(iter(state), iter(rest.getvalue().decode().splitlines()))
    assert sorted(whole) == wb.graph.quads.lines()
    with pytest.raises(UsageError):
        export_patch(wb, io.BytesIO(), last, middle)


def test_a_patch_of_views_has_both_directions(wb: Workbench) -> None:
    at, states = Instant.of(2022, 6), []
    recorded = sorted(entry[1].recorded for _, one in wb.graph.catalogue() if (entry := wb.graph.entry(one)))
    earlier, later = recorded[len(recorded) // 2], recorded[-1]
    for known in (earlier, later):
        out = io.BytesIO()
        export(wb, out, Content.VIEW, Syntax.NQUADS, valid_at=at, known_at=known)
        states.append(out.getvalue().decode().splitlines())
    patch = io.BytesIO()
    export_patch(wb, patch, earlier, later, Content.VIEW, at)
    rows = patch.getvalue().decode().splitlines()
    assert any(row.startswith("D ") for row in rows) and any(row.startswith("A ") for row in rows)
    assert _applied(iter(states[0]), iter(rows)) == set(states[1])
    with pytest.raises(UsageError, match="no patch of prov"):
        export_patch(wb, patch, earlier, later, Content.PROV)


def test_commands(wb: Workbench, tmp_path: Path) -> None:
    assert wb.home is not None
    store = wb.home.folder
    wb.graph.quads.flush()
    assert run("export", "--store", store, "--dialect", "reification", "--to", tmp_path / "x.nq").exit == 0
    assert good("import", tmp_path / "x.nq", "--store", tmp_path / "back")["findings"] == []
    assert "presidentOf" in run("export", "--store", store, "--syntax", "turtle", "--valid-at", "2022-01-01").text
    assert run("export", "--store", store, "--syntax", "jsonld").exit == 2
    assert run("export", "--store", store, "--syntax", "patch").exit == 2
    assert run("export", "--store", store, "--syntax", "parquet").exit == 2
    patch = run("export", "--store", store, "--syntax", "patch", "--between", "2021-01-01", "2021-04-01")
    assert patch.text.startswith("H")
    assert not list(tmp_path.glob("*.part"))
