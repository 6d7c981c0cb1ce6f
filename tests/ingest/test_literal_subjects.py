"""A value cannot stand where a relation is kept the other way round: the claim is refused, the rest goes in."""

from __future__ import annotations

import pytest

from workbench import Workbench
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.time import Instant


@pytest.mark.parametrize("bulk", [False, True])
@pytest.mark.parametrize("relation", ["spouse", "friend", "hasMember", "headedBy"])
def test_symmetric_and_inverse_relations_take_entities(relation: str, bulk: bool) -> None:
    wb = Workbench.open()
    claims = (Claim("Ann", relation, value="zed", valid_from="2020"), Claim("Ann", "weight", value=60))
    report = wb.ingest([Episode("a", observed_at=Instant.of(2024), claims=claims)], bulk=bulk)
    assert [fact.value for fact in wb.believed()] == [60]
    assert any("which a value cannot be" in reason for _, reasons in wb.graph.failures() for reason in [reasons])
    assert len(report.failures) == 1
