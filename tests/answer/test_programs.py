"""The program over a context: its citations are checked by code. A canned model stands in for a real one."""

from __future__ import annotations

import json

import pytest

from workbench import Workbench
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.time import Instant, Vantage
from workbench.retrieve.pack import Line, Pack
from workbench.retrieve.seam import Kind
from workbench.testing.clock import FixedClock

pytest.importorskip("dspy", reason="the extra `lm` is not installed")
from workbench.answer.programs import answer_from_context
from workbench.testing.canned import canned_lm

AT = Instant.of(2024, 2)
VANTAGE = Vantage(AT, AT)
PACK = Pack((
    Line("“Alice moved to Platform.” (e1, said by bob, on 2024-01-01)", Kind.EPISODE, "e1",
         quotes=("Alice moved to Platform.",)),
    Line("Alice member of Platform [2024-01-01 – …) (e1, said by bob, on 2024-01-01)", Kind.FACT, "e1", "urn:x"),
), 40, 100, "bytes")


def _reply(answer: str | None, *citations: int) -> str:
    return json.dumps({"reply": {"answer": answer, "citations": list(citations)}})


@pytest.mark.parametrize(("said", "values", "reason"), [
    (_reply("Platform", 1), ("Platform",), None),
    (_reply("Platform", 2, 2, 1), ("Platform",), None),
    ("<think>hm</think>" + _reply("Platform", 1), ("Platform",), None),
    (_reply(None), (), "nothing found"),
    (_reply("  ", 1), (), "nothing found"),
    (_reply("Billing", 1), (), "not supported"),
    (_reply("Platform"), (), "not supported"),
    (_reply("Platform", 7, 0, -1), (), "not supported"),
    ("no idea", (), "not understood"),
    ('{"reply": {"answer": ["Platform"]}}', (), "not understood"),
])
def test_only_what_the_cited_lines_bear_out(said: str, values: tuple[str, ...], reason: str | None) -> None:
    lm = canned_lm(said)
    answer = answer_from_context("Where is Alice?", PACK, VANTAGE, lm)
    assert answer.values == values
    assert (answer.abstained is None) if reason is None else (answer.abstained or "").startswith(reason)
    assert answer.cost.model_calls == 1 and answer.cost.tokens > 0
    if values:
        assert [one.episode for one in answer.evidence] == ["e1"]
    assert "<<<" in lm.engine.seen[0] and "2024-02-01" in lm.engine.seen[0]


def test_an_empty_context_costs_no_call() -> None:
    lm = canned_lm(_reply("Platform", 1))
    answer = answer_from_context("Where is Alice?", Pack((), 0, 100, "bytes"), VANTAGE, lm)
    assert answer.abstained == "nothing found" and lm.engine.seen == []


def test_ask_goes_to_the_model_only_with_what_is_left_open() -> None:
    wb = Workbench.open(clock=FixedClock(AT))
    wb.ingest([Episode("e1", text="The party was lovely, said Bo.", observed_at=Instant.of(2024), claims=(
        Claim("Ann", "livesIn", "Rome", valid_from="2020"),))])
    lm = canned_lm(_reply("lovely", 1))
    assert wb.ask("Where does Ann live?", lm=lm).values == ("Rome",) and lm.engine.seen == []
    open_answer = wb.ask("How was the party?", lm=lm)
    assert open_answer.values == ("lovely",) and open_answer.cost.model_calls == 1
    assert open_answer.to_json()["episodes"] == [{"episode": "e1", "quote": "The party was lovely, said Bo."}]
