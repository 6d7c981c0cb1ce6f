"""Odd input: it is taken in or refused with file, line and reason; nothing crashes, nothing is half written."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import good, lines, quads, run

ROOT = Path(__file__).parents[2]
FIRST = {
    "id": "ok",
    "observed_at": "2024-01-01T00:00:00Z",
    "claims": [{"subject": "Ann", "relation": "knows", "object": "Bo"}],
}
LAST = {**FIRST, "id": "last"}
WHEN = ("--valid-at", "2024-06-01T00:00:00Z")


def line(**fields: Any) -> bytes:
    return json.dumps({"observed_at": "2024-01-01T00:00:00Z", **fields}).encode()


def claim(**fields: Any) -> bytes:
    return line(claims=[{"subject": "S", "relation": "likes", "object": "O", **fields}])


def value(given: Any, datatype: str | None = None) -> bytes:
    said = {"subject": "S", "relation": "measure", "value": given}
    return line(claims=[said if datatype is None else {**said, "datatype": datatype}])


def curation(**fields: Any) -> bytes:
    return line(kind="curation", **fields)


TAKEN = {
    "NUL in a text": line(text="a\0b"),
    "NUL in a name": claim(subject="a\0b", object="\0"),
    "NUL in a relation": claim(relation="r\0q"),
    "NUL in a value": value("x\0y"),
    "right to left": claim(subject="\u202eevil", object="أحمد"),
    "emoji": claim(subject="👩‍👩‍👧", object="🏳️‍🌈"),
    "quotes": claim(subject='"Ann"', object='"Bo"@en', relation='"r"'),
    "brackets": claim(subject="<a>", object="a\\b", relation="<r>"),
    "signs only": claim(subject="!!!", relation="???"),
    "invisible": claim(subject="\u200b", relation="\u200b"),
    "number as id": line(id=7, text="a"),
    "claims null": line(text="Ann lives in Rome.", claims=None),
    "no claims": line(claims=[]),
    "object is subject": claim(object="S"),
    "spouse of oneself": claim(relation="spouse", object="S"),
    "long line": line(text="Nothing much happened. " * 10_000),
    "long word": line(text="x" * 1_000_000),
    "deep record": line(record={"a": json.loads("[" * 200 + "]" * 200)}),
    "blank text": line(text=" \r\n\t "),
    "foreign relation": claim(relation="http://schema.org/knows"),
    "foreign names": claim(subject="http://example.org/a", object="https://example.org/b?c=d#e"),
    "not quite an IRI": claim(subject="http://e.org/<x>", relation="http://e.org/a b"),
    "episode as entity": claim(subject="urn:tcg:episode:ok"),
    "far observation": line(text="Ann moved to Rome yesterday.", observed_at="199999-01-01T00:00:00Z"),
    "old observation": line(text="Bo moved to Rome yesterday.", observed_at="-5000-01-01T00:00:00Z"),
    "year 12024": line(text="Cy moved to Rome yesterday.", observed_at="12024-01-01T00:00:00+05:00"),
    "big integer": value(10**60),
    "small number": value(1e-300),
    "big number": value(1.7e308),
    "minus zero": value(-0.0),
    "open times": claim(valid_from="/", valid_to="../"),
    "empty times": claim(valid_from="", valid_to=" "),
    "inverted interval": claim(valid_from="2024/2023"),
    "span outside": claim(span=[5, 2]),
}
REFUSED_LINE = {
    "raw NUL": b'{"id":"x","text":"a\x00b"}',
    "invalid UTF-8": b'{"id":"x","text":"\xff\xfe"}',
    "too deep": b'{"id":"x","record":' + b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"}",
    "key twice": b'{"id":"x","text":"a","id":"y"}',
    "NaN": b'{"id":"x","claims":[{"subject":"a","relation":"r","value":NaN}]}',
    "Infinity": b'{"id":"x","record":{"a":-Infinity}}',
    "a list": b"[1]",
    "a text": b'"text"',
    "null": b"null",
    "half JSON": b'{"id":"x","text":"a',
    "two objects": b'{"id":"x","text":"a"}{"id":"y","text":"b"}',
    "boolean as id": line(id=True, text="a"),
    "list as id": line(id=["a"], text="a"),
    "fraction as id": line(id=1.5, text="a"),
    "negative trust": line(text="a", trust=-0.1),
    "trust as text": line(text="a", trust="1"),
    "trust true": line(text="a", trust=True),
    "claims no list": line(claims={"subject": "a"}),
    "claim null": line(claims=[None]),
    "nothing in it": line(),
    "record no object": line(record=[1]),
    "unknown kind": line(text="a", kind="poem"),
    "kind a list": line(text="a", kind=[]),
    "unknown field": line(text="a", txt="b"),
    "unknown zone": line(text="a", observed_at="2024-01-01T00:00", time_zone="Mars/X"),
    "zone a path": line(text="a", observed_at="2024-01-01T00:00", time_zone="../../etc/passwd"),
    "zone a folder": line(text="a", time_zone="Europe"),
    "number as time": line(text="a", observed_at=1704067200),
    "surrogate in a text": line(text="a\ud800"),
    "surrogate in a name": claim(subject="a\ud800"),
    "surrogate in a value": value("a\udfff"),
    "surrogate in a quote": claim(quote="\ud800"),
    "surrogate in a record": line(record={"\ud800": 1}),
    "surrogate in the source": line(text="a", source="\ud800"),
    "surrogate in the id": line(id="\ud800", text="a"),
    "polarity": claim(polarity="maybe"),
    "corrects a list": claim(corrects=["x"]),
    "object and value": claim(value=1),
    "blank subject": claim(subject="  "),
    "confidence": claim(confidence=2),
    "no action": curation(),
    "unknown action": curation(action="explode"),
    "unknown action with claims": curation(action="explode", claims=[{"subject": "a", "relation": "r", "object": "b"}]),
    "retraction with claims": curation(
        action="retract", episode="ok", claims=[{"subject": "a", "relation": "r", "object": "b"}]
    ),
    "merge of one": curation(action="merge", entities=["Ann"]),
    "merge of a text": curation(action="merge", entities="Ann"),
    "merge of a number": curation(action="merge", entities=5),
    "merge with itself": curation(action="merge", entities=["Ann", "ann"]),
    "merge of nobody": curation(action="merge", entities=["Ann", "Nobody"]),
    "retraction of nothing": curation(action="retract", episode="none"),
    "retraction without": curation(action="retract"),
    "split of nothing": curation(action="split", entity="Ann", episodes=["none"]),
    "split of nobody": curation(action="split", entity="No", episodes=["ok"]),
    "schema a number": curation(action="schema", schema=5),
    "schema of another kind": curation(action="schema", schema={"x": 1}),
    "schema not there": curation(action="schema", schema="/none.ttl"),
    "trust in words": curation(action="trust", episode="ok", trust="much"),
    "trust in nothing": curation(action="trust", trust=0.5),
    "correction of half a fact": curation(action="correct", fact={"subject": "Ann"}, valid_to="2020"),
    "correction of a list": curation(action="correct", fact=["x"], valid_to="2020"),
    "correction of nothing": curation(action="correct", fact="none", valid_to="2020"),
    "empty correction": curation(action="correct", fact="none"),
    "re-extraction without a program": curation(action="reextract", replaces=["ok"]),
    "arguments a list": curation(action="retract", arguments=[1]),
}
REFUSED_CLAIM = {
    "infinite": b'{"claims":[{"subject":"a","relation":"r","value":1e999}]}',
    "nan text": value("nan", "xsd:double"),
    "no integer": value("twelve", "xsd:integer"),
    "no short": value("zz", "xsd:short"),
    "half an integer": value(1.5, "xsd:integer"),
    "no date": value(5, "xsd:date"),
    "no tag": value("x", "@not a tag"),
    "empty tag": value("x", "@"),
    "long tag": value("x", "@abcdefghijk"),
    "no datatype": value("x", "not an iri"),
    "datatype with a blank": value("x", "http://e.org/a b"),
    "long name": claim(subject="x" * 5000),
    "long value": value("x" * 9000),
    "corrects nothing": claim(corrects="none"),
    "own vocabulary": claim(relation="urn:tcg:validFrom"),
    "own reifier": claim(relation="rdf:reifies"),
    "label": claim(relation="rdfs:label"),
    "ends before": claim(valid_from="2022", valid_to="2020"),
}


def around(folder: Path, data: bytes) -> Path:
    """A good line, the odd one, a good line."""
    path = folder / "odd.jsonl"
    path.write_bytes(b"\n".join((json.dumps(FIRST).encode(), data, json.dumps(LAST).encode())) + b"\n")
    return path


def sound(store: Path, all_faces: bool = False) -> None:
    assert good("store", "verify", "--deep", "--store", store) == {"ok": True, "findings": []}
    for args in (
        ()
        if not all_faces
        else (
            ("facts", "--reading", "possible"),
            ("store", "failed"),
            ("store", "info"),
            ("query", "SELECT * { ?s ?p ?o }", *WHEN),
            ("query", "SELECT * { GRAPH ?g { ?s ?p ?o } }"),
            ("schema",),
        )
    ):
        good(*args, "--store", store)
        assert run(*args, "--store", store).exit == 0


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One store that all the odd lines go to."""
    folder = tmp_path_factory.mktemp("odd")
    good("ingest", lines(folder / "ok.jsonl", FIRST, LAST), "--store", folder / "s")
    return folder / "s"


@pytest.mark.parametrize("name", TAKEN)
def test_taken(busy: Path, tmp_path: Path, name: str) -> None:
    report = good("ingest", around(tmp_path, TAKEN[name]), "--store", busy)
    assert (report["episodes"], report["unchanged"]) == (1, 2)
    sound(busy)


@pytest.mark.parametrize("name", REFUSED_LINE)
def test_refused_line(busy: Path, tmp_path: Path, name: str) -> None:
    before, path = quads(busy), around(tmp_path, REFUSED_LINE[name])
    done = run("ingest", path, "--store", busy, "--json")
    assert done.exit == 1
    (failure,) = done.json["failures"]
    assert (failure["file"], failure["line"]) == (str(path), 2) and failure["reason"]
    assert quads(busy) == before
    assert {"file": str(path), "line": 2, "reason": failure["reason"]} in good("store", "failed", "--store", busy)


@pytest.mark.parametrize("name", REFUSED_CLAIM)
def test_refused_claim(busy: Path, tmp_path: Path, name: str) -> None:
    facts = good("facts", "--store", busy, "--reading", "possible", *WHEN)
    done = run("ingest", around(tmp_path, REFUSED_CLAIM[name]), "--store", busy, "--json")
    assert done.exit == 1
    assert done.json["episodes"] == 1
    (failure,) = done.json["failures"]
    assert failure["line"] == 2 and failure["reason"].startswith("claim 1 ")
    now = good("facts", "--store", busy, "--reading", "possible", *WHEN)
    assert [row["fact"] for row in now if row["episodes"] == [failure["episode"]]] == [] and len(now) <= len(facts)
    assert failure["reason"] in [row["reason"] for row in good("store", "failed", "--store", busy)]
    sound(busy)


def test_every_face_of_it(busy: Path) -> None:
    sound(busy, all_faces=True)


@pytest.mark.parametrize("data", [b"", b"\n \n\t\n", b"\xef\xbb\xbf"])
def test_empty_files(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "e.jsonl").write_bytes(data)
    assert good("ingest", tmp_path / "e.jsonl", "--store", tmp_path / "s")["episodes"] == 0
    sound(tmp_path / "s")


def test_line_ends_and_byte_order_marks(tmp_path: Path) -> None:
    one, other = (json.dumps(row).encode() for row in (FIRST, LAST))
    (tmp_path / "a.jsonl").write_bytes(b"\xef\xbb\xbf" + one + b"\r\n\r\n" + b"\xef\xbb\xbf" + other)
    assert good("ingest", tmp_path / "a.jsonl", "--store", tmp_path / "s")["episodes"] == 2
    sound(tmp_path / "s")


def test_ten_thousand_claims_in_an_episode(tmp_path: Path) -> None:
    claims = [{"subject": f"S{n % 2500}", "relation": "livesIn", "object": f"O{n % 7}"} for n in range(10_000)]
    report = good("ingest", lines(tmp_path / "a.jsonl", {**FIRST, "claims": claims}), "--store", tmp_path / "s")
    assert (report["episodes"], report["claims"]) == (1, 10_000)
    assert good("store", "verify", "--deep", "--store", tmp_path / "s")["ok"]


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a.eml"])
def test_files_that_are_not_utf8(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"a,b\n\xff\xfe,\xff\n")
    (tmp_path / "m.json").write_text('{"text": "{a}"}')
    done = run("ingest", tmp_path / name, "--mapping", tmp_path / "m.json", "--store", tmp_path / "s")
    assert done.exit in (0, 1, 2) and "Traceback" not in done.error
    if (tmp_path / "s").exists():
        sound(tmp_path / "s")


@pytest.mark.parametrize(
    "mapping",
    [
        "",
        "[]",
        "{",
        '{"claims": 5}',
        '{"claims": [5]}',
        '{"id": 5}',
        '{"observed_at": "{a}"}',
        '{"claims": [{"subject": "{a}", "relation": "r", "object": "{nosuch}"}]}',
    ],
)
def test_odd_mappings(tmp_path: Path, mapping: str) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n3\n4,5,6\n")
    (tmp_path / "m.json").write_text(mapping)
    done = run("ingest", tmp_path / "a.csv", "--mapping", tmp_path / "m.json", "--store", tmp_path / "s")
    assert done.exit in (0, 1, 2) and "Traceback" not in done.error
    if (tmp_path / "s").exists():
        sound(tmp_path / "s")


@pytest.mark.parametrize("schema", ["", "not turtle", "@prefix r: <urn:r:> .", '<urn:a> a <urn:b>, "x" .', "\x00"])
@pytest.mark.parametrize("command", ["ingest", "schema"])
def test_odd_schemas(tmp_path: Path, schema: str, command: str) -> None:
    good("ingest", lines(tmp_path / "a.jsonl", FIRST), "--store", tmp_path / "s")
    before = quads(tmp_path / "s")
    (tmp_path / "s.ttl").write_text(schema)
    args = (tmp_path / "a.jsonl", "--schema", tmp_path / "s.ttl") if command == "ingest" else (tmp_path / "s.ttl",)
    done = run(command, *args, "--store", tmp_path / "s")
    assert done.exit in (0, 2), done.error
    assert done.exit == 0 or quads(tmp_path / "s") == before
    sound(tmp_path / "s")


def test_a_schema_applies_from_here_on_or_to_all(tmp_path: Path) -> None:
    store = tmp_path / "s"
    (tmp_path / "s.ttl").write_text(
        "@prefix r: <urn:tcg:relation:> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "r:desk a owl:ObjectProperty, owl:FunctionalProperty .\n"
    )

    def desks(number: int) -> Path:
        return lines(
            tmp_path / f"{number}.jsonl",
            *(
                {
                    "id": f"{who}{number}",
                    "observed_at": f"2024-0{number}-01T00:00:00Z",
                    "claims": [{"subject": who, "relation": "desk", "object": f"D{number}"}],
                }
                for who in ("Ann", "Bo")[: 3 - number // 3]
            ),
        )

    def of(who: str) -> list[str]:
        return sorted(row["object"] for row in good("facts", "--store", store, "--subject", who, *WHEN))

    good("ingest", desks(1), "--store", store)
    good("ingest", desks(2), "--store", store)
    assert of("Ann") == of("Bo") == ["D1", "D2"]
    good("schema", tmp_path / "s.ttl", "--store", store)
    assert of("Ann") == of("Bo") == ["D1", "D2"]
    sound(store)
    good("ingest", desks(3), "--store", store)
    assert of("Ann") == ["D3"]
    assert of("Bo") == ["D1", "D2"] or of("Bo") == ["D3"]
    sound(store)


def test_resettle(tmp_path: Path) -> None:
    store = tmp_path / "s"
    (tmp_path / "s.ttl").write_text(
        "@prefix r: <urn:tcg:relation:> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "r:desk a owl:ObjectProperty, owl:FunctionalProperty .\n"
    )
    good(
        "ingest",
        lines(
            tmp_path / "a.jsonl",
            *(
                {
                    "id": f"e{n}",
                    "observed_at": f"2024-0{n}-01T00:00:00Z",
                    "claims": [{"subject": "Ann", "relation": "desk", "object": f"D{n}"}],
                }
                for n in (1, 2)
            ),
        ),
        "--store",
        store,
    )
    shown = good("schema", tmp_path / "s.ttl", "--resettle", "--dry-run", "--store", store)
    assert shown["closes"] and shown["dry_run"]
    assert len(good("facts", "--store", store, *WHEN)) == 2
    good("schema", tmp_path / "s.ttl", "--resettle", "--store", store)
    assert [row["object"] for row in good("facts", "--store", store, *WHEN)] == ["D2"]
    sound(store)


def test_two_ingests_at_once_lose_nothing(tmp_path: Path) -> None:
    store, count = tmp_path / "s", 400
    files = [
        lines(
            tmp_path / f"{name}.jsonl",
            *(
                {**FIRST, "id": f"{name}{n}", "claims": [{"subject": f"P{n}", "relation": "knows", "object": name}]}
                for n in range(count)
            ),
        )
        for name in "ab"
    ]
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from workbench.cli.main import main; main()"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, "ingest", str(file), "--store", str(store), "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for file in files
    ]
    ended = [(process.communicate(timeout=120), process.returncode) for process in running]
    for (_, error), code_ in ended:
        assert code_ == 0 or (code_ == 1 and "process" in error and "Traceback" not in error)
    assert any(code_ == 0 for _, code_ in ended)
    for file in files:
        good("ingest", file, "--store", store)
    assert good("store", "info", "--store", store)["episodes"] == 2 * count
    sound(store)


def test_a_store_that_is_a_file_or_full_of_other_things(tmp_path: Path) -> None:
    path = lines(tmp_path / "a.jsonl", FIRST)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("mine")
    assert run("ingest", path, "--store", path).exit == 2
    done = run("ingest", path, "--store", tmp_path / "other")
    assert done.exit in (1, 2) and "Traceback" not in done.error
    assert [one.name for one in (tmp_path / "other").iterdir() if one.name != "LOCK"] == ["thesis.txt"]


def test_correcting_a_version_that_was_closed_long_ago(tmp_path: Path) -> None:
    rows = [
        {
            "id": str(n),
            "observed_at": f"2024-0{n}-01T00:00:00Z",
            "claims": [{"subject": "Ann", "relation": "livesIn", "object": town}],
        }
        for n, town in ((1, "Rome"), (2, "Oslo"))
    ]
    store = tmp_path / "s"
    good("ingest", lines(tmp_path / "a.jsonl", *rows), "--store", store)
    closed = next(row for row in good("history", "Ann", "--store", store) if row["closed_by"])
    done = run("correct", closed["fact"], "--valid-from", "2023-01-01", "--store", store, "--json")
    assert done.exit in (0, 2) and "Traceback" not in done.error
    if done.exit == 0:
        (row,) = good("facts", "--store", store, "--valid-at", "2023-06-01T00:00:00Z")
        assert (row["object"], row["valid_to"]) == ("Rome", "2024-02-01T00:00:00Z")
    sound(store)
