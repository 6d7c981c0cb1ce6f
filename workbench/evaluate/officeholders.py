"""Suite `officeholders`: the project's own data, notes about public offices with a second clock.

Two systems of ours run side by side: `workbench` reads the text-only third of the notes with the rule extractor;
`workbench (given claims)` gets the claims that those notes should yield, so that the difference is the extractor's.
Gold answers come from `truth.csv` through a script of the data set that imports nothing from here.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from workbench.evaluate.baselines import Statement
from workbench.evaluate.data import officeholders_path, read_rows
from workbench.evaluate.harness import SYSTEM, Asked, Found, ask, ask_baselines, build, limited, share_row
from workbench.evaluate.records import Row, Sample
from workbench.evaluate.suite import Outcome, Request
from workbench.ingest.reader import claim_from_row, episode_from_row
from workbench.ingest.rules.extractor import RuleExtractor
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.fact import Fact
from workbench.model.names import name_key
from workbench.model.time import FOREVER, Instant

if TYPE_CHECKING:
    from workbench.api import Workbench

DATASET: Final = "officeholders"
GIVEN: Final = "workbench (given claims)"
OFFICES: Final = ("presidentOf", "primeMinisterOf", "headOf", "chairOf")

Line = Mapping[str, Any]


def run(request: Request) -> Outcome:
    """Every question to both systems and to the baselines."""
    folder = officeholders_path()
    questions, truth = limited(read_rows(folder / "questions.jsonl"), request.limit), read_truth(folder)
    now = max(Instant.parse(row["known_from"]) for row in truth)
    samples: list[Sample] = []
    rows: list[Row] = []
    for system, episodes in ((SYSTEM, read_episodes(folder)), (GIVEN, with_given_claims(folder))):
        bench, measured = build(episodes, request, DATASET, extractor=RuleExtractor())
        rows += [row if system == SYSTEM else replace(row, system=system) for row in measured]
        with bench:
            rows += _extraction(bench, folder) if system == SYSTEM else []
            for done, line in enumerate(questions, start=1):
                question = _asked(line, truth, now)
                samples.append(replace(ask(question, partial(answer, bench, line)), system=system))
                samples += ask_baselines(question) if system == SYSTEM else []
                request.progress(f"{DATASET}: questions", done, len(questions))
    files = [folder / name for name in ("episodes.jsonl", "text_claims.jsonl", "questions.jsonl", "truth.csv")]
    return Outcome(samples, rows, files)


def read_episodes(folder: Path) -> list[Episode]:
    """The notes, in the order in which they were recorded."""
    return [episode_from_row(row) for row in read_rows(folder / "episodes.jsonl")]


def given_claims(folder: Path) -> dict[str, tuple[Claim, ...]]:
    """By episode id: the claims that a text-only note should yield."""
    return {row["id"]: tuple(claim_from_row(claim, number) for number, claim in enumerate(row["claims"], start=1))
            for row in read_rows(folder / "text_claims.jsonl")}


def with_given_claims(folder: Path) -> list[Episode]:
    """The notes, those of text only with the claims that they should yield."""
    given = given_claims(folder)
    return [replace(episode, claims=given.get(episode.id, episode.claims)) for episode in read_episodes(folder)]


def read_truth(folder: Path) -> list[dict[str, str]]:
    """The versions of every term, see the data set's card."""
    with (folder / "truth.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _asked(line: Line, truth: Sequence[Mapping[str, str]], now: Instant) -> Asked:
    slot, valid_at = line["slot"], _instant(line["valid_at"])
    known_at = _instant(line["known_at"]) or FOREVER
    statements = list(_statements(slot, truth))
    return Asked(DATASET, line["id"], line["type"], line["question"], frozenset(map(name_key, line["answers"])),
                 known_at if valid_at is None else valid_at, known_at, statements, now)


def _statements(slot: Mapping[str, str], truth: Sequence[Mapping[str, str]]) -> Iterator[Statement]:
    fixed = [name for name in ("subject", "relation", "object", "valid_from") if name in slot]
    for row in truth:
        if any(row[name] != slot[name] for name in fixed):
            continue
        start, end = Instant.parse(row["valid_from"]), _instant(row["valid_to"]) or FOREVER
        known = (Instant.parse(row["known_from"]), _instant(row["known_to"]) or FOREVER)
        if slot["find"] == "valid_to":
            if row["valid_to"]:
                yield Statement("", row["valid_to"], known_from=known[0], known_to=known[1])
        else:
            value = f"{row['relation']} {row['object']}" if slot["find"] == "office" else row[slot["find"]]
            yield Statement("", name_key(value), start, end, *known)


def _instant(text: str | None) -> Instant | None:
    return Instant.parse(text) if text else None


def answer(bench: Workbench, line: Line) -> Found:
    """One question by its slot, from its vantage."""
    slot, valid_at, known_at = line["slot"], _instant(line["valid_at"]), _instant(line["known_at"])
    if slot["find"] == "valid_to":
        facts = [fact for fact in bench.history(slot["subject"], slot["relation"], known_at=known_at)
                 if fact.object and name_key(fact.object) == name_key(slot["object"])
                 and fact.valid_from == Instant.parse(slot["valid_from"])
                 and (known_at is not None or fact.known_to is None)]
        return Found(frozenset(fact.valid_to.iso()[:10] for fact in facts if fact.valid_to), tuple(facts))
    if slot["find"] == "subject":
        facts = list(bench.facts(None, slot["relation"], slot["object"], valid_at=valid_at, known_at=known_at))
        return Found(frozenset(name_key(fact.subject) for fact in facts), tuple(facts))
    facts = [fact for fact in bench.facts(slot["subject"], valid_at=valid_at, known_at=known_at)
             if fact.relation in OFFICES]
    return Found(frozenset(name_key(f"{fact.relation} {fact.object}") for fact in facts), tuple(facts))


def _extraction(bench: Workbench, folder: Path) -> list[Row]:
    """How many of the text-only notes gave the fact that they state: who, which office, and the stated dates."""
    believed: dict[str, list[Fact]] = {}
    wanted = given_claims(folder)
    for subject in {claim.subject for claims in wanted.values() for claim in claims}:
        try:
            facts = list(bench.history(subject))
        except LookupError:
            continue
        for fact in facts:
            for episode in fact.episodes:
                believed.setdefault(episode, []).append(fact)
    hits = sum(all(any(_same(claim, fact) for fact in believed.get(episode, ())) for claim in claims)
               for episode, claims in wanted.items())
    return [share_row(DATASET, "notes_understood", hits, len(wanted))]


def _same(claim: Claim, fact: Fact) -> bool:
    return (name_key(fact.subject) == name_key(claim.subject) and fact.relation == claim.relation
            and name_key(fact.object or "") == name_key(claim.object or ""))


def texts(folder: Path) -> dict[str, str]:
    """By episode id: the words of the note."""
    lines = (folder / "episodes.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row.get("text", "") for row in map(json.loads, lines)}
