"""Terms of the United States Congress as a public repository recorded them (CC0).

One commit is one episode, observed and recorded at the commit's time. A term is an entity of its own, named by who,
as what and from when; `served by` gives its person and `for seat` its seat, both over the term's stated dates:

* a later commit that states the term anew corrects its end (same start, both ends stated);
* a changed seat names the fact that it corrects;
* a row that was removed is denied from its start on;
* a person who leaves the file of current members before the stated end no longer serves: an end at the commit;
* an end that is not after its start cannot be an interval; what the file says is kept as the literal `listed end`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from workbench.evaluate.baselines import Statement
from workbench.evaluate.data import need_files, read_rows, schema_named
from workbench.evaluate.harness import Asked, Found, ask, ask_baselines, build, limited
from workbench.evaluate.suite import Outcome, Request
from workbench.model.claim import Claim, Correction, Polarity
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.time import DAY, FOREVER, Instant

if TYPE_CHECKING:
    from workbench.api import Workbench

DATASET: Final = "congress-bitemporal"
SERVED_BY: Final = "served by"
FOR_SEAT: Final = "for seat"
LISTED_END: Final = "listed end"
_NOON: Final = DAY // 2

Line = Mapping[str, Any]


def run(request: Request) -> Outcome:
    """Every row becomes a claim; every question is asked at its vantage."""
    rows_files = need_files(request.data, DATASET, "congress_terms*.json*")
    question_files = need_files(request.data, DATASET, "*questions*.json*")
    rows = [row for path in rows_files for row in read_rows(path)]
    questions = limited((line for path in question_files for line in read_rows(path)), request.limit)
    bench, measured = build(list(episodes(rows)), request, DATASET, schema=schema_named("plain"))
    statements, now = _statements(rows), max(Instant.parse(row["recorded_from"]) for row in rows)
    samples = []
    with bench:
        for done, line in enumerate(questions, start=1):
            question = _asked(line, statements, now)
            samples += [ask(question, partial(_answer, bench, line)), *ask_baselines(question)]
            request.progress(f"{DATASET}: questions", done, len(questions))
    return Outcome(samples, measured, _unique([*rows_files, *question_files]))


def episodes(rows: Sequence[Line]) -> Iterator[Episode]:
    """One episode a commit that changed anything, in order of time."""
    opened, closed, before = defaultdict(list), defaultdict(list), {}
    commits = {}
    for row in rows:
        opened[row["recorded_from"]].append(row)
        commits[row["recorded_from"]] = row.get("commit_from")
        if row["recorded_to"]:
            closed[row["recorded_to"]].append(row)
            commits[row["recorded_to"]] = row.get("commit_to")
            before[_key(row), row["recorded_to"]] = row
    for time in sorted(commits):
        claims = [claim for row in closed[time] for claim in _closing(row, time)]
        claims += [claim for row in opened[time] for claim in _opening(row, before.get((_key(row), time)))]
        at = Instant.parse(time)
        yield Episode(id=f"commit {commits[time] or time} {time}", kind=EpisodeKind.RECORD, source=DATASET,
                      observed_at=at, recorded_at=at, claims=tuple(claims))


def _key(row: Line) -> tuple[str, str, str]:
    return (_person(row), row["role"], row["valid_from"])


def _person(row: Line) -> str:
    return row["person"] or f"unlisted {row['name']}"


def _term(person: str, role: str, valid_from: str) -> str:
    return f"{role} term of {person} from {valid_from}"


def _seat(row: Line) -> str:
    if row.get("district") is None:
        return f"{row['role']} seat {row['state']}"
    return f"seat {row['state']}-{row['district']}"


def _is_interval(row: Line) -> bool:
    return row["valid_to"] is None or row["valid_to"] > row["valid_from"]


def _opening(row: Line, before: Line | None) -> Iterator[Claim]:
    term, start, end = _term(*_key(row)), row["valid_from"], row["valid_to"]
    if not _is_interval(row):
        yield Claim(term, LISTED_END, value=end)
        return
    if before is not None and not _is_interval(before):
        yield Claim(term, LISTED_END, value=before["valid_to"], polarity=Polarity.DENIED)
    if before is not None and before["valid_to"] is None and end is not None:
        start = None  # the open record is there; what is new is its end
    yield Claim(term, SERVED_BY, object=_person(row), valid_from=start, valid_to=end)
    if row.get("state"):
        moved = before is not None and _is_interval(before) and _seat(before) != _seat(row)
        corrects = Correction(subject=term, relation=FOR_SEAT, object=_seat(before), valid_from=before["valid_from"]) \
            if before is not None and moved else None
        yield Claim(term, FOR_SEAT, object=_seat(row), valid_from=start, valid_to=end, corrects=corrects)


def _closing(row: Line, time: str) -> Iterator[Claim]:
    term = _term(*_key(row))
    what = [(SERVED_BY, _person(row))] + ([(FOR_SEAT, _seat(row))] if row.get("state") else [])
    if not _is_interval(row):
        return
    if row["closed_by"] == "removed":
        for relation, value in what:
            yield Claim(term, relation, object=value, valid_from=row["valid_from"], polarity=Polarity.DENIED)
    elif row["closed_by"] == "left_current_file" and row["valid_to"] is not None and row["valid_to"] > time:
        for relation, value in what:
            yield Claim(term, relation, object=value, valid_to=time)


def _statements(rows: Sequence[Line]) -> Mapping[tuple[str, ...], list[Statement]]:
    """By (person, role, start): the ends as stated. By (state, district): who held the seat."""
    found: dict[tuple[str, ...], list[Statement]] = defaultdict(list)
    last = {_key(row): row["recorded_from"] for row in sorted(rows, key=lambda row: str(row["recorded_from"]))}
    for row in rows:
        standing = row["closed_by"] in ("open", "left_current_file") and last[_key(row)] == row["recorded_from"]
        known_from = Instant.parse(row["recorded_from"])
        known_to = FOREVER if standing else Instant.parse(row["recorded_to"])
        if row["valid_to"]:
            found[_key(row)].append(Statement("end", row["valid_to"], known_from=known_from, known_to=known_to))
        if row["role"] == "rep":
            start = Instant.parse(row["valid_from"])
            end = Instant.parse(row["valid_to"]) if row["valid_to"] else FOREVER
            found[row["state"], str(row["district"])].append(
                Statement("seat", _person(row), start, end, known_from, known_to))
    return found


def _asked(line: Line, statements: Mapping[tuple[str, ...], list[Statement]], now: Instant) -> Asked:
    known_at = Instant.parse(line["known_at"])
    seat = "state" in line
    slot = (line["state"], str(line["district"])) if seat else (line["person"], line["role"], line["valid_from"])
    valid_at = Instant.parse(line["valid_at"]).plus(_NOON) if seat else known_at
    return Asked(DATASET, line["id"], line["type"], line["question"], frozenset(line["answers"]), valid_at, known_at,
                 statements.get(slot, []), now)


def _answer(bench: Workbench, line: Line) -> Found:
    known_at = Instant.parse(line["known_at"])
    if "state" not in line:
        return _stated_end(bench, _term(line["person"], line["role"], line["valid_from"]), known_at)
    # A day is asked at its noon: a commit of that morning counts, a term that ends on that day does not.
    valid_at = Instant.parse(line["valid_at"]).plus(_NOON)
    terms = bench.facts(relation=FOR_SEAT, object=_seat({**line, "role": "rep"}), valid_at=valid_at, known_at=known_at)
    held = [fact for term in terms
            for fact in bench.facts(term.subject, SERVED_BY, valid_at=valid_at, known_at=known_at)]
    return Found(frozenset(fact.object for fact in held if fact.object), (*terms, *held))


def _stated_end(bench: Workbench, term: str, known_at: Instant) -> Found:
    facts = tuple(bench.history(term, SERVED_BY, known_at=known_at))
    ends = frozenset(fact.valid_to.iso()[:10] for fact in facts if fact.valid_to is not None)
    if facts:
        return Found(ends, facts)
    listed = tuple(bench.history(term, LISTED_END, known_at=known_at))
    return Found(frozenset(str(fact.value) for fact in listed), listed, "end not after the start: as listed")


def _unique(paths: Sequence[Path]) -> list[Path]:
    return list(dict.fromkeys(paths))
