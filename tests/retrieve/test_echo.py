"""Fault 42: what was recalled and comes back as an episode gives no new facts."""

from __future__ import annotations

import pytest

from workbench import Workbench
from workbench.ingest.rules import RuleExtractor
from workbench.model.episode import Episode
from workbench.model.recall import without_recalled
from workbench.model.time import Instant
from workbench.testing.clock import FixedClock

TEXTS = {"a": "Ann joined Billing yesterday.", "b": "Bo lives in Rome. He likes tea!",
         "c": "Cy works at Acme since 2019."}
QUESTIONS = ("Which team is Ann on?", "Tell me about Ann, Bo and Cy", "Where does Bo live?")


def _world() -> Workbench:
    wb = Workbench.open(clock=FixedClock(Instant.of(2024, 8)), extractor=RuleExtractor())
    wb.ingest(Episode(name, text=text, speaker="bo", observed_at=Instant.of(2024)) for name, text in TEXTS.items())
    return wb


@pytest.mark.parametrize("lead", ["", "- ", "1. "])
@pytest.mark.parametrize("question", QUESTIONS)
def test_an_echoed_context_changes_no_belief(question: str, lead: str) -> None:
    wb = _world()
    before = wb.believed().to_json()
    pack = wb.retrieve(question, arms=("keyword", "graph"), history=True).pack
    assert pack.lines
    text = "\r\n".join(f"{lead}{line.text}" for line in pack.lines)
    report = wb.ingest([Episode("echo", text=text, observed_at=Instant.of(2024, 5))])
    assert report.claims == 0 and wb.believed().to_json() == before
    entry = wb.graph.entry("echo")
    assert entry is not None and entry[1].episode.text == text  # kept byte for byte


def test_what_is_new_beside_an_echo_is_read_at_its_place() -> None:
    wb = _world()
    echo = wb.retrieve("Where does Bo live?").pack.text
    text = f"I remember:\n{echo}\nDi lives in Oslo."
    wb.ingest([Episode("e", text=text, observed_at=Instant.of(2024, 5))])
    entry = wb.graph.entry("e")
    assert entry is not None
    assert [(claim.subject, claim.object) for claim in entry[1].claims] == [("Di", "Oslo")]
    assert all(claim.span is None or text[slice(*claim.span)] == claim.quote for claim in entry[1].claims)


@pytest.mark.parametrize("text", [
    "“I am leaving” (she said so, on Monday)", "Ann moved [see note – old] (really)", "“Hello.”", "Ann (b. 2020-01-01)",
    "A [1 – 2] (x, on 2020-01-01)",
])
def test_ordinary_brackets_and_quotes_stay(text: str) -> None:
    assert without_recalled(text) == text
