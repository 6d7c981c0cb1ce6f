"""Rules of the house that no linter knows, checked on the syntax trees of every module."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import workbench

ROOT = Path(workbench.__file__).parent
MODULES = sorted(path for path in ROOT.rglob("*.py"))
NAMES = [path.relative_to(ROOT).as_posix() for path in MODULES]
BANNED = {"created_at", "expired_at", "timestamp"}
CLOCK_CALLS = {("datetime", "now"), ("datetime", "utcnow"), ("datetime", "today"), ("date", "today"), ("time", "time"),
               ("time", "time_ns"), ("time", "localtime"), ("time", "gmtime"), ("time", "ctime")}
IRI_SIGNS = ("urn:tcg:", "www.w3.org/", "purl.org/")
LONGEST = 400


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def identifiers(module: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(module):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name, node.lineno
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node.lineno
            case ast.keyword(arg=str(name)):
                yield name, node.lineno


def imports(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(name)):
                yield name


def docstrings(module: ast.Module) -> set[int]:
    """Ids of the string expressions that stand alone: docstrings of modules, classes, functions and attributes."""
    return {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}


def last_name(value: ast.expr) -> str:
    return value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else ""


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_no_banned_words(path: Path) -> None:
    assert [(name, line) for name, line in identifiers(tree(path)) if name in BANNED] == []


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_only_the_clock_reads_the_clock(path: Path) -> None:
    if path == ROOT / "model" / "clock.py":
        return
    module = tree(path)
    read = [node.lineno for node in ast.walk(module)
            if isinstance(node, ast.Attribute) and (last_name(node.value), node.attr) in CLOCK_CALLS]
    named = [node.lineno for node in ast.walk(module) if isinstance(node, ast.ImportFrom) and node.module == "time"
             and {alias.name for alias in node.names} & {"time", "time_ns", "localtime", "gmtime", "ctime"}]
    assert read + named == []


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_rdf_engines_stay_in_graph(path: Path) -> None:
    if path.relative_to(ROOT).parts[0] == "graph":
        return
    assert {name.split(".")[0] for name in imports(tree(path))} & {"pyoxigraph", "rdflib", "pyshacl"} == set()


@pytest.mark.parametrize("path", sorted((ROOT / "model").glob("*.py")), ids=lambda path: path.name)
def test_model_is_standard_library_only(path: Path) -> None:
    outside = {name for name in imports(tree(path)) if name.split(".")[0] not in sys.stdlib_module_names}
    assert {name for name in outside if not name.startswith("workbench.model")} == set()


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_iris_stand_in_the_vocabulary(path: Path) -> None:
    if path == ROOT / "graph" / "vocabulary.py":
        return
    module = tree(path)
    prose = docstrings(module)
    found = [(node.lineno, node.value) for node in ast.walk(module)
             if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
             and any(sign in node.value for sign in IRI_SIGNS)]
    assert found == []


def test_modules_stay_short() -> None:
    long = {name for path, name in zip(MODULES, NAMES, strict=True)
            if len(path.read_text("utf-8").splitlines()) > LONGEST}
    assert long == set()
