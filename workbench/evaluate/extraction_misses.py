"""Why a program missed what a text states, or claimed what it does not: the nearest thing that it did say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final

from workbench.evaluate.extraction import Measured
from workbench.evaluate.extraction_data import Contexts, Gold, Moment
from workbench.evaluate.extraction_scoring import Statement, Verdict, gold_statement, verdicts
from workbench.graph.relations import SchemaIndex
from workbench.model.names import name_key
from workbench.model.time import BEGINNING, Bound, Instant, Unparsed, local_time, zone_of

MISSED: Final = "missed"
MISDATED: Final = "misdated"
SURPLUS: Final = "surplus"


@dataclass(frozen=True, slots=True)
class Miss:
    """One thing that is not as it should be.

    Attributes:
        kind: `missed`, `misdated` or `surplus`.
        statement: what the text states, or what was claimed; as words.
        why: the nearest that was said, or what became of the draft.
    """

    kind: str
    statement: str
    why: str


def misses(measured: Measured, number: int) -> list[Miss]:
    """What went wrong with a case, those that the text states first.

    Args:
        measured: a program on cases.
        number: of the case, from 0.
    """
    case, index = measured.cases[number], Contexts().index
    said = verdicts(case, measured.claims[number], index)
    found = [miss for gold in case.gold if (miss := _of_gold(measured, number, gold, said, index)) is not None]
    stated = [gold_statement(gold, index) for gold in case.gold]
    return [*found, *(Miss(SURPLUS, told(row.statement), _nothing_like(row.statement, stated))
                      for row in said if not row.stated)]


def told(statement: Statement) -> str:
    """A statement as words."""
    polarity = "" if statement.polarity == "affirmed" else f" ({statement.polarity})"
    return f"{statement.subject} · {statement.relation} · {statement.object}{polarity}"


def _of_gold(measured: Measured, number: int, gold: Gold, said: Sequence[Verdict], index: SchemaIndex) -> Miss | None:
    wanted = gold_statement(gold, index)
    same = [row for row in said if row.statement == wanted]
    if any(row.start and row.end for row in same):
        return None
    if same:
        return Miss(MISDATED, told(wanted), _dates(gold, same[0], zone_of(measured.cases[number].episode.time_zone)))
    others = [row.statement for row in said if not row.stated]
    return Miss(MISSED, told(wanted), _nearest(measured, number, wanted, others, gold))


def _dates(gold: Gold, row: Verdict, zone: tzinfo) -> str:
    parts = []
    for what, right, stated, claimed, phrase in (
            ("start", row.start, gold.start, row.claim.start, row.claim.valid_from),
            ("end", row.end, gold.end, row.claim.end, row.claim.valid_to)):
        if not right:
            parts.append(f"{what}: the text says {_moment(stated, zone)}, the claim {_bound(claimed, phrase, zone)}")
    return "; ".join(parts)


def _moment(moment: Moment | None, zone: tzinfo) -> str:
    if moment is None:
        return "nothing"
    day = "never before" if moment.earliest == BEGINNING else _day(moment.earliest, zone)
    return day if moment.phrase is None else f"“{moment.phrase}” ({day})"


def _bound(bound: Bound | Unparsed | None, phrase: str | None, zone: tzinfo) -> str:
    if bound is None:
        return "nothing" if phrase is None else phrase
    if isinstance(bound, Unparsed):
        return f"“{phrase}”, which is not understood: {bound.reason}"
    day = _day(bound.best, zone)
    return day if phrase is None else f"“{phrase}” ({day})"


def _day(at: Instant, zone: tzinfo) -> str:
    return local_time(at, zone).iso().split("T")[0]


def _nearest(measured: Measured, number: int, wanted: Statement, said: Sequence[Statement], gold: Gold) -> str:
    case = measured.cases[number]
    if (reason := measured.failed.get(case.episode.id)) is not None:
        return f"the episode was given up: {reason}"
    names = [name_key(part) for part in (gold.subject, gold.object)]
    for dropped in measured.dropped[number]:
        if all(part in name_key(dropped) for part in names):
            return f"dropped: {dropped}"
    for other in said:
        if other[:3] == wanted[:3]:
            return f"taken as {other.polarity} instead of {wanted.polarity}"
        if {other.subject, other.object} == {wanted.subject, wanted.object}:
            return ("the ends are swapped" if other.relation == wanted.relation
                    else f"taken as {other.relation} instead of {wanted.relation}")
    for other in said:
        if (other.subject, other.relation) == (wanted.subject, wanted.relation):
            return f"taken to be {other.object} instead of {wanted.object}"
        if (other.relation, other.object) == (wanted.relation, wanted.object):
            return f"taken to be about {other.subject} instead of {wanted.subject}"
    near = [dropped for dropped in measured.dropped[number] if any(part in name_key(dropped) for part in names)]
    return f"dropped: {near[0]}" if near else "nothing was said about it"


def _nothing_like(claimed: Statement, stated: Sequence[Statement]) -> str:
    if not stated:
        return "the text states nothing"
    for gold in stated:
        if gold[:3] == claimed[:3]:
            return f"the text says {gold.polarity}"
        if {gold.subject, gold.object} == {claimed.subject, claimed.object}:
            return f"the text says {told(gold)}"
    return "the text does not state it"

