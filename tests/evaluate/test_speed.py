from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path

import pytest

from workbench.api import Workbench
from workbench.evaluate.data import ReplayClock, schema_named
from workbench.evaluate.floors import PolarsFloor, SqliteFloor, as_of_text, labels_of, raw_query, records_frame
from workbench.evaluate.speed import shown_relation
from workbench.evaluate.suite import run_suite
from workbench.evaluate.workload import HUB, PER_EPISODE, Workload
from workbench.graph.facts import Facts


def test_the_workload_is_the_same_for_the_same_seed_and_has_its_hub() -> None:
    workload = Workload(4000)
    episodes = list(workload.episodes())
    assert episodes == list(Workload(4000).episodes()) != list(Workload(4000, seed=1).episodes())
    claims = [claim for episode in episodes for claim in episode.claims or ()]
    assert len(claims) == 4000 and len(episodes) == 4000 // PER_EPISODE
    assert 0.012 < sum(claim.subject == HUB for claim in claims) / 4000 < 0.03
    assert workload.questions(5) == Workload(4000).questions(5)


def test_the_floors_give_the_same_answers_as_the_store(tmp_path: Path) -> None:
    workload = Workload(600)
    with Workbench.open(None, schema=schema_named("speed"), clock=ReplayClock(workload.end)) as bench:
        bench.ingest(workload.episodes())
        frame = records_frame(bench)
        labels = labels_of(bench, frame)
        ids = {label: term for term, label in labels.items()}
        sqlite, polars = SqliteFloor(tmp_path / "floor.sqlite", frame, labels), PolarsFloor(frame, ids)
        for question in workload.questions(40):
            at = {"valid_at": question.valid_at, "known_at": question.known_at}
            asked: Callable[..., Facts] = partial(bench.facts, **at)  # type: ignore[arg-type]
            facts, relation = asked(question.subject, question.relation), shown_relation(bench, question.relation)
            assert sorted(row[0] for row in sqlite.slot(question, relation)) == sorted(str(f.object) for f in facts)
            assert len(sqlite.entity(question)) == len(asked(question.subject))
            assert len(sqlite.reverse(question)) == len(asked(None, None, question.subject))
            everything = len(asked())
            assert len(sqlite.time_slice(**at)) == polars.time_slice(**at).height == everything
            assert polars.hub(question).height == len(sqlite.hub(question)) == len(asked(HUB))
            for fact in islice(facts, 1):
                text = as_of_text(fact.subject_iri, fact.relation_iri, question)
                assert len(bench.query(text)) == len(raw_query(bench, text)) == len(facts)
        sqlite.close()


@pytest.mark.timeout(120)
def test_the_suite_reports_every_operation_beside_its_floor() -> None:
    run = run_suite("speed", size=300)
    metrics = {(row.system, row.metric) for row in run.rows}
    for operation in ("slot_as_of", "entity_as_of", "two_hops_as_of", "reverse_as_of", "hub_as_of", "time_slice"):
        assert {("workbench", f"{operation}_p50_ms"), ("workbench", f"{operation}_p95_ms"),
                ("sqlite", f"{operation}_p50_ratio")} <= metrics
    assert {("workbench", "disk_bytes_per_fact"), ("workbench", "open_seconds"), ("workbench", "resident_mebibytes"),
            ("oxigraph", "ingest_bulk_share_of_floor"), ("workbench", "view_build_p50_ms")} <= metrics
    assert next(row.value for row in run.rows if row.metric == "ingest_failures") == 0
