import json
import subprocess
import sys
from itertools import pairwise

import pytest

from workbench.evaluate.data import officeholders_path, read_rows
from workbench.evaluate.expectations import misses, read_suite_file
from workbench.evaluate.officeholders import GIVEN, given_claims, read_episodes, read_truth
from workbench.evaluate.records import Run
from workbench.evaluate.suite import run_suite

FOLDER = officeholders_path()


def test_gold_is_what_the_script_makes_of_the_truth() -> None:
    assert subprocess.run([sys.executable, str(FOLDER / "gold.py"), "--check"], check=False).returncode == 0


def test_episodes_are_as_the_card_says() -> None:
    episodes = read_episodes(FOLDER)
    assert len(episodes) == 178
    assert len({episode.id for episode in episodes}) == len(episodes)
    assert all(first.recorded_at is not None and second.recorded_at is not None
               and first.recorded_at <= second.recorded_at for first, second in pairwise(episodes))
    assert all(episode.observed_at is not None and episode.recorded_at is not None
               and episode.observed_at <= episode.recorded_at for episode in episodes)
    text_only = {episode.id for episode in episodes if episode.claims is None and episode.action is None}
    assert text_only == set(given_claims(FOLDER))
    assert len(text_only) == 54


def test_questions_are_as_the_card_says() -> None:
    questions = list(read_rows(FOLDER / "questions.jsonl"))
    assert len(questions) == 164
    assert sum(question["unanswerable"] for question in questions) == 24


def test_truth_has_one_holder_an_office_and_instant() -> None:
    rows = read_truth(FOLDER)
    for row in rows:
        assert not row["valid_to"] or row["valid_from"] < row["valid_to"], row
        assert not row["known_to"] or row["known_from"] < row["known_to"], row
    for one in rows:
        for other in rows:
            if one is not other and (one["relation"], one["object"]) == (other["relation"], other["object"]):
                assert not (_overlap(one, other, "valid_from", "valid_to")
                            and _overlap(one, other, "known_from", "known_to")), (one, other)


def _overlap(one: dict[str, str], other: dict[str, str], start: str, end: str) -> bool:
    return one[start] < (other[end] or "~") and other[start] < (one[end] or "~")


@pytest.fixture(scope="module")
def run() -> Run:
    return run_suite("officeholders")


def test_the_suite_reaches_what_is_expected_of_it(run: Run) -> None:
    path = FOLDER.parent.parent / "evals" / "officeholders.toml"
    wrong = [f"{sample.id} {sample.question} {sample.gold} {sample.predicted}" for sample in run.samples
             if sample.system == GIVEN and sample.correct is False]
    assert not list(misses(run, read_suite_file(path))), wrong


def test_every_note_was_taken_in(run: Run) -> None:
    failures = [row for row in run.rows if row.metric == "ingest_failures"]
    assert failures and all(row.value == 0 for row in failures)
    json.dumps(run.to_json())
