"""Who leads which group of the Kubernetes project, and for which company, by commit (Apache-2.0).

One commit is one episode, observed and recorded at the commit's time. The file says who is there now, so a person
who appears holds the role from the commit on, and one who disappears held it until the commit (an end without a
start). Handles and companies are compared without case, as the store's names are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from workbench.evaluate.baselines import Statement
from workbench.evaluate.data import need_files, read_rows, schema_named
from workbench.evaluate.harness import Asked, Found, ask, ask_baselines, build, limited
from workbench.evaluate.suite import Outcome, Request
from workbench.model.claim import Claim
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.names import name_key
from workbench.model.time import FOREVER, Instant

if TYPE_CHECKING:
    from workbench.api import Workbench

DATASET: Final = "k8s-roles"
LISTED_WITH: Final = "listed with"

Line = Mapping[str, Any]
_Held = tuple[str, str, str]


def run(request: Request) -> Outcome:
    """Every row becomes a start and an end; every question is asked at its commit-time vantage."""
    row_files = need_files(request.data, DATASET, "k8s_roles*.json*")
    question_files = need_files(request.data, DATASET, "*questions*.json*")
    rows = [row for path in row_files for row in read_rows(path)]
    questions = limited((line for path in question_files for line in read_rows(path)), request.limit)
    bench, measured = build(list(episodes(rows)), request, DATASET, schema=schema_named("plain"))
    statements, now = _statements(rows), max(Instant.parse(row["recorded_from"]) for row in rows)
    samples = []
    with bench:
        for done, line in enumerate(questions, start=1):
            question = _asked(line, statements, now)
            samples += [ask(question, partial(_answer, bench, line)), *ask_baselines(question)]
            request.progress(f"{DATASET}: questions", done, len(questions))
    return Outcome(samples, measured, list(dict.fromkeys([*row_files, *question_files])))


def episodes(rows: Sequence[Line]) -> Iterator[Episode]:
    """One episode a commit that changed who is listed, in order of time."""
    opened: dict[str, list[_Held]] = defaultdict(list)
    closed: dict[str, list[_Held]] = defaultdict(list)
    for row in rows:
        for held in _held(row):
            opened[row["recorded_from"]].append(held)
            if row["recorded_to"]:
                closed[row["recorded_to"]].append(held)
    standing: dict[_Held, int] = defaultdict(int)
    for time in sorted({*opened, *closed}):
        claims = _changes(standing, opened[time], closed[time], time)
        if claims:
            at = Instant.parse(time)
            yield Episode(id=f"commit {time}", kind=EpisodeKind.RECORD, source=DATASET, observed_at=at, recorded_at=at,
                          claims=tuple(claims))


def _held(row: Line) -> list[_Held]:
    held = [(row["group"], row["role"], row["person"])]
    return [*held, (row["person"], LISTED_WITH, row["company"])] if row["company"] else held


def _changes(standing: dict[_Held, int], opened: Sequence[_Held], closed: Sequence[_Held], time: str) -> list[Claim]:
    """Claims for what is listed now and was not, and the reverse; rows that only moved are no change."""
    names = {_keys(held): held for held in (*closed, *opened)}
    before = {key for key in names if standing[key]}
    for sign, rows in ((1, opened), (-1, closed)):
        for held in rows:
            standing[_keys(held)] += sign
    claims = []
    for key, (subject, relation, value) in names.items():
        if standing[key] and key not in before:
            claims.append(Claim(subject, relation, object=value, valid_from=time))
        elif key in before and not standing[key]:
            claims.append(Claim(subject, relation, object=value, valid_to=time))
    return claims


def _keys(held: _Held) -> _Held:
    return (name_key(held[0]), held[1], name_key(held[2]))


def _statements(rows: Sequence[Line]) -> Mapping[tuple[str, str], list[Statement]]:
    found: dict[tuple[str, str], list[Statement]] = defaultdict(list)
    for row in rows:
        start = Instant.parse(row["recorded_from"])
        end = Instant.parse(row["recorded_to"]) if row["recorded_to"] else FOREVER
        for subject, relation, value in _held(row):
            slot = (name_key(subject), relation)
            found[slot].append(Statement(slot, name_key(value), start, end, start))
    return found


def _slot(line: Line) -> tuple[str, str]:
    return (line["group"], line["role"]) if "group" in line else (line["person"], LISTED_WITH)


def _asked(line: Line, statements: Mapping[tuple[str, str], list[Statement]], now: Instant) -> Asked:
    at = Instant.parse(line["as_of"])
    subject, relation = _slot(line)
    return Asked(DATASET, line["id"], line["type"], line["question"], frozenset(map(name_key, line["answers"])), at, at,
                 statements.get((name_key(subject), relation), []), now)


def _answer(bench: Workbench, line: Line) -> Found:
    at = Instant.parse(line["as_of"])
    subject, relation = _slot(line)
    facts = tuple(bench.facts(subject, relation, valid_at=at, known_at=at))
    return Found(frozenset(name_key(fact.object) for fact in facts if fact.object), facts)
