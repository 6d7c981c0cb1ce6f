"""Runs the suites on their real data where it is at hand; it is never part of the project."""

import os
from pathlib import Path

import pytest

from workbench.evaluate.expectations import SuiteFile, misses, read_suite_file
from workbench.evaluate.suite import run_suite

FILES = [read_suite_file(path) for path in sorted((Path(__file__).parents[2] / "evals").glob("*.toml"))]
SLOW = ("retrieve",)
OUTSIDE = [found for found in FILES if found.data]


@pytest.mark.parametrize("expected", OUTSIDE, ids=[found.suite for found in OUTSIDE])
def test_suite_reaches_what_is_expected_of_it(expected: SuiteFile) -> None:
    data = os.environ.get("WORKBENCH_DATA")
    if not data or not all((Path(data) / name).is_dir() for name in expected.data):
        pytest.skip(f"needs {', '.join(expected.data)} below WORKBENCH_DATA (see the data set cards)")
    if expected.suite in SLOW and not os.environ.get("WORKBENCH_SLOW"):
        pytest.skip("embeds thousands of texts, which takes half an hour; set WORKBENCH_SLOW=1 to run it")
    assert not list(misses(run_suite(expected.suite, Path(data)), expected))
