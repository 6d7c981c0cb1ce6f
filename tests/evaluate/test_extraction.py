"""The suite `extract`: its data, its scores on made-up claims, and the rule extractor's numbers."""

import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.evaluate.expectations import misses, read_suite_file
from workbench.evaluate.extraction import measure, rows_of
from workbench.evaluate.extraction_data import Case, Contexts, Gold, assertions_path, read_cases, spread
from workbench.evaluate.extraction_scoring import Counts, f1, f1_difference, judge, name
from workbench.evaluate.suite import run_suite
from workbench.graph.relations import SchemaIndex
from workbench.graph.schema_json import default_schema
from workbench.ingest.seam import Context
from workbench.model.claim import Claim, Polarity
from workbench.model.episode import Episode
from workbench.model.errors import EpisodeError, UsageError
from workbench.model.time import Bound, Instant

INDEX = SchemaIndex(default_schema())
CASES = read_cases()
COUNTS = st.lists(st.builds(Counts, st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=30)


def _case(text: str) -> Case:
    return next(case for case in CASES if case.language == "en" and case.kind == text)


def _told(gold: Gold, **changes: object) -> Claim:
    def bound(end: object) -> Bound | None:
        return None if end is None else Bound.exact(end.earliest)  # type: ignore[attr-defined]

    claim = Claim(gold.subject, gold.relation, object=gold.object, polarity=gold.polarity, start=bound(gold.start),
                  end=bound(gold.end))
    return replace(claim, **changes)  # type: ignore[arg-type]


@dataclass
class Oracle:
    """Says exactly what is stated."""

    fingerprint: str = "oracle"

    def extract(self, episode: Episode, context: Context) -> Sequence[Claim]:
        return [_told(gold) for case in CASES if case.episode.id == episode.id for gold in case.gold]


@dataclass
class Broken:
    """Gives up."""

    fingerprint: str = "broken"

    def extract(self, episode: Episode, context: Context) -> Sequence[Claim]:
        raise EpisodeError("no")


def _maker() -> ModuleType:
    folder = assertions_path()
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location("assertions_make", folder / "make.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["assertions_make"] = module
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module


def test_the_file_is_what_the_generator_writes() -> None:
    assert _maker().text() == (assertions_path() / "episodes.jsonl").read_text(encoding="utf-8")


def test_the_parts_share_no_phrasing_and_are_large_enough() -> None:
    parts = {split: [case for case in CASES if case.split == split] for split in ("train", "dev", "test")}
    phrasings = [{case.phrasing for case in part} for part in parts.values()]
    assert len(CASES) >= 300
    assert len(parts["test"]) >= 150
    assert sum(map(len, phrasings)) == len(set.union(*phrasings))


def test_every_stated_name_stands_in_its_text_or_before_it() -> None:
    for case in CASES:
        said = " ".join([case.episode.text or "", *(turn.text or "" for turn in case.earlier),
                         case.episode.speaker or ""]).casefold()
        for gold in case.gold:
            assert gold.subject.casefold() in said, case.episode.text
            assert gold.object.casefold() in said, case.episode.text
            for moment in (gold.start, gold.end):
                assert moment is None or moment.phrase is None or moment.phrase.casefold() in said


def test_relations_of_the_gold_are_declared() -> None:
    assert all(INDEX.relation(gold.relation).declared for case in CASES for gold in case.gold)


def test_who_says_exactly_what_is_stated_scores_one() -> None:
    rows = {row.metric: row.value for row in rows_of(measure("oracle", Oracle(), CASES))}
    for metric in ("triple_f1", "triple_time_f1", "mention_f1", "pair_f1", "relation_accuracy", "polarity_accuracy",
                   "date_accuracy", "interval_iou", "nothing_said_nothing_claimed"):
        assert rows[metric] == 1.0, metric


def test_a_program_that_gives_up_found_nothing() -> None:
    measured = measure("broken", Broken(), CASES[:5])
    assert len(measured.failed) == 5
    assert all(one.triple.right == one.triple.wrong == 0 for one in measured.judged)


def test_a_wrong_date_a_wrong_relation_and_a_wrong_polarity_are_told_apart() -> None:
    case = _case("range")
    (gold,) = case.gold
    late = judge(case, [_told(gold, start=Bound.exact(Instant.of(1990)))], INDEX)
    assert (late.triple.right, late.timed.right) == (1, 0)
    assert 0 < late.overlaps[0] < 1
    other = judge(case, [_told(gold, relation="knows")], INDEX)
    assert (other.triple.right, other.pairs.right, other.relations) == (0, 1, (0, 1))
    denied = judge(case, [_told(gold, polarity=Polarity.DENIED)], INDEX)
    assert (denied.triple.right, denied.polarity) == (0, (0, 1))


def test_a_date_that_nobody_stated_is_wrong() -> None:
    case = _case("state")
    (gold,) = case.gold
    assert judge(case, [_told(gold)], INDEX).timed.right == 1
    assert judge(case, [_told(gold, start=Bound.exact(Instant.of(2020)))], INDEX).timed.right == 0
    assert judge(case, [_told(gold, valid_from="whenever")], INDEX).timed.right == 0


def test_a_start_and_an_end_may_come_as_two_claims() -> None:
    case = _case("range")
    (gold,) = case.gold
    halves = [_told(gold, end=None), _told(gold, start=None)]
    assert judge(case, halves, INDEX).timed == Counts(1, 0, 0)


def test_direction_symmetry_and_articles_do_not_count() -> None:
    case = _case("state")
    stated = replace(case, gold=[Gold("Ann", "headOf", "the Night Desk"), Gold("Bo", "spouse", "Cy")])
    claims = [Claim("Night Desk", "headedBy", object="ann"), Claim("Cy", "is married to", object="Bo")]
    assert judge(stated, claims, INDEX).triple == Counts(2, 0, 0)
    assert name("A") == "a"


@pytest.mark.parametrize(("value", "right"), [(220, 1), ("€220.00", 1), ("220 euros", 1), (22, 0), (2200, 0)])
def test_numbers_are_compared_as_numbers(value: str | int, right: int) -> None:
    case = replace(_case("state"), gold=[Gold("Atlas", "price", "220")])
    assert judge(case, [Claim("Atlas", "price", value=value)], INDEX).triple.right == right


@given(COUNTS)
def test_a_score_lies_in_its_interval_and_beats_itself_by_nothing(counts: list[Counts]) -> None:
    _, _, score = f1(counts)
    if score.value is not None and score.low is not None and score.high is not None:
        assert score.low - 1e-9 <= score.value <= score.high + 1e-9 or len(counts) < 5
        assert 0 <= score.low <= score.high <= 1
    difference = f1_difference(counts, counts)
    assert difference.value in (0.0, None)
    assert difference.low in (0.0, None)


def test_a_clear_difference_has_an_interval_above_nothing() -> None:
    worse, better = [Counts(0, 1, 1)] * 20 + [Counts(1, 0, 0)] * 20, [Counts(1, 0, 0)] * 40
    found = f1_difference(worse, better)
    assert found.low is not None
    assert found.low > 0
    with pytest.raises(ValueError, match="paired"):
        f1_difference(worse, better[:3])


def test_a_limited_part_is_spread_over_the_whole() -> None:
    some = spread(CASES, 30)
    assert len(some) == 30
    assert len({case.language for case in some}) > 2
    assert spread(CASES, None) == CASES


def test_names_are_told_or_not() -> None:
    assert Contexts().of(CASES[0]).entities
    assert not Contexts(names=False).of(CASES[0]).entities


def test_the_rules_reach_what_is_expected_of_them() -> None:
    run = run_suite("extract")
    assert not list(misses(run, read_suite_file(Path(__file__).parents[2] / "evals" / "extract.toml")))
    assert any("rules-" in note for note in run.record["notes"])


def test_a_program_without_a_model_is_refused() -> None:
    with pytest.raises(UsageError, match="--lm"):
        run_suite("extract", limit=1, programs=["onepass"])


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "episodes.jsonl").write_text('{"id": 1, "split": "test"}\n')
    with pytest.raises(UsageError, match="without"):
        read_cases(tmp_path)
