"""Suite `qa-structured`: the questions of other suites asked in their own words through `Workbench.ask`, no model.

Nothing is handed over but the words: no slot, no vantage, except that of an unstated present (the end of the data). The
program is rules for questions over a schema (`workbench.answer.question`); what it cannot read it does not answer.

`officeholders` runs on the claims that its notes should yield, so that understanding is measured apart from
extraction; `operations` are questions of our own over the same notes that need more than a slot (counts, order, before
and after, overlaps, paths). `congress-bitemporal` and `k8s-roles` name relations as the questions do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from workbench.evaluate import congress, kubernetes, officeholders, tempreason
from workbench.evaluate.data import need_files, officeholders_path, read_rows, schema_named
from workbench.evaluate.harness import Asked, Found, ask, build, limited, share_row
from workbench.evaluate.records import Row, Sample
from workbench.evaluate.suite import Outcome, Request
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.errors import UsageError
from workbench.model.fact import Answer
from workbench.model.names import name_key
from workbench.model.time import FOREVER, Instant
from workbench.retrieve.documents import episode_text

if TYPE_CHECKING:
    from workbench.api import Workbench

TERM: Final = "term"
HELD_BY: Final = "held by"
Line = Mapping[str, Any]
Part = tuple[list[Sample], list[Row], list[Path]]


def run(request: Request) -> Outcome:
    """Every data set that is there; our own always is."""
    samples: list[Sample] = []
    rows: list[Row] = []
    files: list[Path] = []
    notes: list[str] = []
    for part in (_officeholders, _congress, _kubernetes, _tempreason):
        try:
            more = part(request)
        except UsageError as error:
            notes.append(f"left out: {error}")
            continue
        samples += more[0]
        rows += [*more[1], *_summary(more[0])]
        files += more[2]
    return Outcome(samples, rows, list(dict.fromkeys(files)), notes)


def _summary(samples: Sequence[Sample]) -> Iterator[Row]:
    """False answers among all questions, and how many citations bear the answer out."""
    for dataset in dict.fromkeys(sample.dataset for sample in samples):
        mine = [sample for sample in samples if sample.dataset == dataset]
        wrong = sum(bool(sample.predicted) and not sample.correct for sample in mine)
        yield share_row(dataset, "false_answers_of_all", wrong, len(mine))
        answered = [sample for sample in mine if sample.predicted]
        yield share_row(dataset, "answers_with_evidence", sum(bool(sample.evidence) for sample in answered),
                        len(answered))


def _asked(dataset: str, line: Line, kind: str, now: Instant) -> Asked:
    return Asked(dataset, str(line["id"]), kind, line["question"], frozenset(map(name_key, map(str, line["answers"]))),
                 now, FOREVER, (), now)


def in_words(bench: Workbench, question: str, now: Instant, cited: list[bool] | None = None) -> Found:
    """What `ask` says, as a set of names; `cited` gets for each citation whether its episode says so."""
    answer = bench.ask(question, now=now, valid_at=now)
    if cited is not None:
        cited += _citations(bench, answer)
    return Found(frozenset(name_key(str(value)) for value in answer.values), answer.facts,
                 answer.abstained or answer.path)


def _citations(bench: Workbench, answer: Answer) -> Iterator[bool]:
    """For each episode of each fact that an answer rests on: whether its own text or claims name both ends of it."""
    for fact in answer.facts:
        ends = [name_key(str(end)) for end in (fact.subject, fact.value if fact.object is None else fact.object)]
        for episode in fact.episodes:
            entry = bench.graph.entry(episode)
            said = "" if entry is None else name_key(" ".join(
                [episode_text(entry[1]), *(f"{one.subject} {one.object} {one.value}" for one in entry[1].claims)]))
            yield all(end in said for end in ends)


def _each(bench: Workbench, questions: Sequence[Asked], request: Request, now: Instant, rows: list[Row],
          judge: Callable[[Sample], Sample] = lambda sample: sample) -> list[Sample]:
    samples = []
    cited: list[bool] = []
    for done, question in enumerate(questions, start=1):
        samples.append(judge(ask(question, partial(in_words, bench, question.text, now, cited))))
        request.progress(f"{question.dataset}: questions", done, len(questions))
    if questions:
        rows.append(share_row(questions[0].dataset, "citations_that_say_it", sum(cited), len(cited)))
    return samples


# -- our own ------------------------------------------------------------------------------------------------------


def _officeholders(request: Request) -> Part:
    folder = officeholders_path()
    bench, rows = build(officeholders.with_given_claims(folder), request, officeholders.DATASET)
    now = max(Instant.parse(row["known_from"]) for row in officeholders.read_truth(folder))
    samples: list[Sample] = []
    files = [folder / "questions.jsonl", folder / "operations.jsonl"]
    with bench:
        for path, dataset in zip(files, (officeholders.DATASET, "operations"), strict=True):
            questions = [_asked(dataset, _named(line), line["type"], now)
                         for line in limited(read_rows(path), request.limit)]
            samples += _each(bench, questions, request, now, rows, _in_days)
    return samples, rows, files


def _in_days(sample: Sample) -> Sample:
    """A duration is right if its days are: "31 days (about 1 month)"."""
    if sample.kind.startswith("duration/") and sample.gold and any(
            said == sample.gold[0] or said.startswith(f"{sample.gold[0]} (") for said in sample.predicted):
        return replace(sample, correct=True, error=None)
    return sample


def _named(line: Line) -> Line:
    """An office is named in words: "presidentOf France" is "president of France"."""
    if line.get("slot", {}).get("find") != "office" and not line["type"].startswith("offices/"):
        return line
    words = {"presidentOf": "president of", "primeMinisterOf": "prime minister of", "headOf": "head of",
             "chairOf": "chair of"}
    return {**line, "answers": [f"{words[answer.split()[0]]} {answer.split(' ', 1)[1]}" for answer in line["answers"]]}


# -- git histories ------------------------------------------------------------------------------------------------


def _congress(request: Request) -> Part:
    rows_files = need_files(request.data, congress.DATASET, "congress_terms*.json*")
    question_files = need_files(request.data, congress.DATASET, "*questions*.json*")
    lines = [row for path in rows_files for row in read_rows(path)]
    names = {row["person"]: row["name"] for row in lines if row["person"]}
    bench, rows = build(list(_named_terms(congress.episodes(lines), names)), request, congress.DATASET,
                        schema=schema_named("plain"))
    now = max(Instant.parse(row["recorded_from"]) for row in lines)
    asked = [_asked(congress.DATASET, {**line, "answers": [names.get(answer, answer) for answer in line["answers"]]},
                    line["type"], now)
             for line in limited((line for path in question_files for line in read_rows(path)), request.limit)]
    with bench:
        return _each(bench, asked, request, now, rows), rows, [*rows_files, *question_files]


def _named_terms(episodes: Iterator[Episode], names: Mapping[str, str]) -> Iterator[Episode]:
    """The episodes of the suite `githistory` with the words of the questions: a person has a term, a seat a holder."""
    for episode in episodes:
        claims: list[Claim] = []
        seats = {claim.subject: claim for claim in episode.claims or () if claim.relation == congress.FOR_SEAT}
        for claim in episode.claims or ():
            if claim.relation != congress.SERVED_BY:
                continue
            person = names.get(claim.object or "", claim.object or "")
            role = claim.subject.split(" ", 1)[0]
            claims.append(replace(claim, subject=person, relation=f"{role} {TERM}", object=claim.subject))
            seat = seats.get(claim.subject)
            if seat is not None and role == "rep":
                name = "U.S. House " + (seat.object or "").replace("seat ", "seat ", 1)
                claims.append(replace(claim, subject=name, relation=HELD_BY, object=person))
        if claims:
            yield replace(episode, claims=tuple(claims))


def _kubernetes(request: Request) -> Part:
    row_files = need_files(request.data, kubernetes.DATASET, "k8s_roles*.json*")
    question_files = need_files(request.data, kubernetes.DATASET, "*questions*.json*")
    lines = [row for path in row_files for row in read_rows(path)]
    # "emeritus lead" is what the questions call the role "emeritus"
    renamed = [{**row, "role": "emeritus lead" if row["role"] == "emeritus" else row["role"]} for row in lines]
    bench, rows = build(list(kubernetes.episodes(renamed)), request, kubernetes.DATASET, schema=schema_named("plain"))
    now = max(Instant.parse(row["recorded_from"]) for row in lines)
    asked = [_asked(kubernetes.DATASET, line, line["type"], now)
             for line in limited((line for path in question_files for line in read_rows(path)), request.limit)]
    with bench:
        return _each(bench, asked, request, now, rows), rows, [*row_files, *question_files]


# -- intervals ----------------------------------------------------------------------------------------------------


def _tempreason(request: Request) -> Part:
    files = need_files(request.data, tempreason.DATASET, "event-*.json*", ("timebench", "TimeBench"))
    lines = [(kind, line) for kind in ("event-time", "event-event")
             for line in limited((line for path in files if path.name.startswith(kind) for line in read_rows(path)),
                                 request.limit)]
    bench, rows = build(list(tempreason.episodes(tempreason.claims_of(line["fact_context"])[0] for _, line in lines)),
                        request, tempreason.DATASET, schema=schema_named("plain"))
    asked = [_asked(tempreason.DATASET, {**line, "id": f"{kind}-{number}", "answers": line["answer"]}, kind,
                    tempreason.OBSERVED) for number, (kind, line) in enumerate(lines, start=1)]
    with bench:
        return _each(bench, asked, request, tempreason.OBSERVED, rows, _contained), rows, list(files)


def _contained(sample: Sample) -> Sample:
    """In a month several may hold: right if all of the gold is among them (which holds then is the store's, measured by
    the suite `tempreason`)."""
    if sample.kind == "event-time" and set(sample.gold) <= set(sample.predicted):
        return replace(sample, correct=True, error=None)
    return sample
