"""Suite `tempreason`: as-of and before/after questions over stated intervals (TempReason L2 and L3, CC BY-SA 3.0).

The fact lists become claims: months as EDTF months, whose ends are inclusive. A fact list is one episode. Relations
that the list states from the office holder's side (head coach, chair, head of government) are turned, so that every
slot is the one that the questions ask about.

* Event-time: the facts of the slot in the middle of the month asked about. The gold lists one or all of the values
  that hold then, so a question counts as right if all of its gold is among them; `exact_set` is the stricter share.
* Event-event: of the facts of the slot that start after (before) the one named, the first (last); where several
  start in that month, the one that lasts longest. Facts with equal dates have no order, and the few questions that
  hang on one are the ones that fail.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from workbench.evaluate.baselines import Statement, valid_time_only
from workbench.evaluate.data import need_files, read_rows, schema_named
from workbench.evaluate.harness import (
    SYSTEM,
    Asked,
    Found,
    ask,
    ask_baselines,
    build,
    limited,
    share_row,
)
from workbench.evaluate.records import Row, Sample
from workbench.evaluate.suite import Outcome, Request
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.fact import Fact
from workbench.model.names import name_key
from workbench.model.time import BEGINNING, DAY, FOREVER, Instant, read_end, read_start

if TYPE_CHECKING:
    from workbench.api import Workbench

DATASET: Final = "tempreason"
OBSERVED: Final = Instant.of(2023, 6, 1)
"""The lists were compiled after all they tell of; their last month is December 2022."""

_MONTHS: Final = {name: number for number, name in enumerate(
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"], start=1)}
_FACT: Final = re.compile(r"(?P<what>.+) from (?P<m1>\w{3}), (?P<y1>\d{1,4}) to (?P<m2>\w{3}), (?P<y2>\d{1,4})\.?")


@dataclass(frozen=True, slots=True)
class Form:
    """How one relation is stated and asked for. `turned`: the list names the value first."""

    relation: str
    stated: str
    asked: str
    turned: bool = False


FORMS: Final = (
    Form("holds position", " holds the position of ", r"Which position did (?P<s>.+?) hold (?P<rest>.+)"),
    Form("plays for", " plays for ", r"Which team did (?P<s>.+?) play for (?P<rest>.+)"),
    Form("works for", " works for ", r"Which employer did (?P<s>.+?) work for (?P<rest>.+)"),
    Form("member of party", " is a member of the ", r"Which political party did (?P<s>.+?) belong to (?P<rest>.+)"),
    Form("educated at", " attended ", r"Where was (?P<s>.+?) educated (?P<rest>.+)"),
    Form("owned by", " is owned by ", r"Who was the owner of (?P<s>.+?) (?P<rest>(?:in|after|before) .+)"),
    Form("head coach", " is the head coach of ", r"Who was the head coach of the team (?P<s>.+?) "
         r"(?P<rest>(?:in|after|before) .+)", turned=True),
    Form("chair", " is the chair of ",
         r"Who was the chair of (?P<s>.+?) (?P<rest>(?:in|after|before) .+)", turned=True),
    Form("head of government", " is the head of the government of ",
         r"Who was the head of (?P<s>.+?) (?P<rest>(?:in|after|before) .+)", turned=True),
)


@dataclass(frozen=True, slots=True)
class Slot:
    """What a question asks: subject, relation, and either a month or a neighbour (`after`/`before` what)."""

    subject: str
    relation: str
    month: str | None = None
    side: str | None = None
    anchor: str = ""


def run(request: Request) -> Outcome:
    """Both question types over one store."""
    files = need_files(request.data, DATASET, "event-*.json*", ("timebench", "TimeBench"))
    lines = [(kind, line) for kind in ("event-time", "event-event")
             for line in limited((line for path in files if path.name.startswith(kind) for line in read_rows(path)),
                                 request.limit)]
    stated = [claims_of(line["fact_context"]) for _, line in lines]
    bench, rows = build(list(episodes(claims for claims, _ in stated)), request, DATASET, schema=schema_named("plain"))
    statements = _statements(claim for claims, _ in stated for claim in claims)
    samples: list[Sample] = []
    unscored = 0
    with bench:
        for number, (kind, line) in enumerate(lines, start=1):
            slot = parse_question(line["question"], statements)
            if slot is None:
                unscored += 1
                samples.append(_not_understood(kind, number, line))
                continue
            question = _asked(kind, number, line, slot, statements)
            sample = ask(question, partial(answer, bench, slot))
            samples.append(_contained(sample, question) if kind == "event-time" else sample)
            if kind == "event-time":
                samples += [_contained(other, question) for other in ask_baselines(question)]
            request.progress(f"{DATASET}: questions", number, len(lines))
    parsed, left = sum(len(claims) for claims, _ in stated), sum(len(lines) for _, lines in stated)
    rows += _more_rows(samples, left, parsed, unscored)
    return Outcome(samples, rows, files)


def claims_of(fact_context: str) -> tuple[list[Claim], list[str]]:
    """The claims of a fact list, and the lines that fit no form."""
    claims, left = [], []
    for raw in fact_context.split("\n"):
        if not (line := raw.strip()):
            continue
        match = _FACT.fullmatch(line)
        form = next((form for form in FORMS if match and form.stated in match["what"]), None)
        if match is None or form is None or match["m1"] not in _MONTHS or match["m2"] not in _MONTHS:
            left.append(line)
            continue
        first, second = match["what"].split(form.stated, 1)
        subject, value = (second, first) if form.turned else (first, second)
        claims.append(Claim(subject, form.relation, object=value, valid_from=_month(match["y1"], match["m1"]),
                            valid_to=_month(match["y2"], match["m2"]), quote=line))
    return claims, left


def _month(year: str, month: str) -> str:
    return f"{int(year):04d}-{_MONTHS[month]:02d}"


def episodes(lists: Iterator[list[Claim]]) -> Iterator[Episode]:
    """One episode a distinct fact list."""
    distinct = {tuple(sorted(claims, key=lambda claim: str(claim.quote))): None for claims in lists}
    for number, claims in enumerate(distinct, start=1):
        yield Episode(id=f"list {number}", source=DATASET, text="\n".join(str(claim.quote) for claim in claims),
                      observed_at=OBSERVED, recorded_at=OBSERVED, claims=claims)


_Slots = Mapping[tuple[str, str], Sequence[Statement]]


def _statements(claims: Iterator[Claim]) -> _Slots:
    found: dict[tuple[str, str], dict[Statement, None]] = defaultdict(dict)
    for claim in claims:
        start, end = read_start(claim.valid_from or ""), read_end(claim.valid_to or "")
        statement = Statement("", name_key(claim.object or ""), getattr(start, "best", BEGINNING),
                              getattr(end, "best", FOREVER), OBSERVED)
        found[name_key(claim.subject), claim.relation][statement] = None
    return {slot: list(items) for slot, items in found.items()}


def parse_question(text: str, slots: _Slots) -> Slot | None:
    """The slot of a question, or None if it fits no form. `slots` decides between possible splits."""
    for form in FORMS:
        match = re.fullmatch(form.asked, text.strip().rstrip("?"))
        while match is not None:
            slot = _slot(match["s"], form.relation, match["rest"])
            if slot is not None and (name_key(slot.subject), slot.relation) in slots:
                return slot
            # A subject may itself contain "hold", "in" or "before": try the next longer one.
            longer = form.asked.replace("(?P<s>.+?)", f"(?P<s>.{{{len(match['s']) + 1},}}?)")
            match = re.fullmatch(longer, text.strip().rstrip("?"))
    return None


def _slot(subject: str, relation: str, rest: str) -> Slot | None:
    if month := re.fullmatch(r"in (\w{3}),? (\d{1,4})", rest):
        return Slot(subject, relation, _month(month[2], month[1])) if month[1] in _MONTHS else None
    side, _, anchor = rest.partition(" ")
    return Slot(subject, relation, None, side, anchor) if side in ("after", "before") and anchor else None


def _asked(kind: str, number: int, line: Mapping[str, Any], slot: Slot, slots: _Slots) -> Asked:
    statements = slots[name_key(slot.subject), slot.relation]
    return Asked(DATASET, f"{kind}-{number}", kind, line["question"], frozenset(map(name_key, line["answer"])),
                 _middle(slot.month) if slot.month else OBSERVED, FOREVER, statements, OBSERVED)


def _middle(month: str) -> Instant:
    return Instant.parse(month).plus(14 * DAY)


def answer(bench: Workbench, slot: Slot) -> Found:
    """Ask the store: the slot as of the month, or all of the slot's facts and the neighbour among them."""
    if slot.month is not None:
        facts = tuple(bench.facts(slot.subject, slot.relation, valid_at=_middle(slot.month)))
        return Found(_values(facts), facts)
    facts = tuple(fact for fact in bench.history(slot.subject, slot.relation) if fact.known_to is None)
    anchor = next((fact for fact in facts if name_key(fact.object or "") == name_key(slot.anchor)), None)
    if anchor is None:
        return Found(frozenset(), note=f"{slot.anchor} is not among the facts of {slot.subject}")
    if slot.side == "after":
        beside = min((_start(fact) for fact in facts if _start(fact) > _start(anchor)), default=None)
    else:
        beside = max((_start(fact) for fact in facts if _start(fact) < _start(anchor)), default=None)
    nearest = max((fact for fact in facts if _start(fact) == beside), key=_end, default=None)
    if nearest is None:
        return Found(frozenset(), note=f"nothing {slot.side} {slot.anchor}")
    return Found(_values([nearest]), (anchor, nearest))


def _start(fact: Fact) -> Instant:
    return BEGINNING if fact.valid_from is None else fact.valid_from


def _end(fact: Fact) -> Instant:
    return FOREVER if fact.valid_to is None else fact.valid_to


def _values(facts: Sequence[Fact]) -> frozenset[str]:
    return frozenset(name_key(fact.object) for fact in facts if fact.object)


def _contained(sample: Sample, question: Asked) -> Sample:
    """Right too if all of the gold is there and nothing that does not hold at that time."""
    holding = valid_time_only(question.statements, question.valid_at, question.now)
    if sample.correct or not set(sample.gold) <= set(sample.predicted) <= holding:
        return sample
    return replace(sample, correct=True, error=None, note="gold contained")


def _not_understood(kind: str, number: int, line: Mapping[str, Any]) -> Sample:
    return Sample(DATASET, SYSTEM, f"{kind}-{number}", kind, line["question"], tuple(map(name_key, line["answer"])), (),
                  None, note="the question fits no known form")


def _more_rows(samples: Sequence[Sample], left: int, parsed: int, unscored: int) -> list[Row]:
    ours = [sample for sample in samples if sample.system == SYSTEM and sample.correct is not None]
    timed = [sample for sample in ours if sample.kind == "event-time"]
    exact = sum(sample.gold == sample.predicted for sample in timed)
    return [
        share_row(DATASET, "exact_set[event-time]", exact, len(timed)),
        share_row(DATASET, "facts_parsed", parsed, parsed + left),
        share_row(DATASET, "questions_parsed", len(ours), len(ours) + unscored),
    ]
