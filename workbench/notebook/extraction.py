"""Extraction runs as a notebook shows them: scores by stage, and texts with what was and was not read out of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any, Final

import polars as pl

from workbench.evaluate.extraction import Measured
from workbench.evaluate.extraction_data import Contexts
from workbench.evaluate.extraction_misses import Miss, misses, told
from workbench.evaluate.extraction_scoring import Counts, Verdict, f1, verdicts

_RIGHT: Final = "background:#2e7d3233;border-bottom:2px solid #2e7d32"
_WRONG: Final = "background:#c6282833;border-bottom:2px dashed #c62828"
_CELL: Final = "style='text-align:left;vertical-align:top'"


def stages(*measured: Measured) -> pl.DataFrame:
    """Scores of programs by stage: one row a program and stage, with precision, recall, F1 and n.

    Names and statements are compared as sets; of relation, polarity and dates `recall` is the share that is right among
    what the stage before found, and precision is null.
    """
    rows: list[dict[str, Any]] = []
    for one in measured:
        for stage, counts in (("names", [judged.mentions for judged in one.judged]),
                              ("pairs of names", [judged.pairs for judged in one.judged])):
            rows.append(_set_row(one, stage, counts))
        rows.append(_share_row(one, "relation, given the pair", [judged.relations for judged in one.judged]))
        rows.append(_share_row(one, "polarity, given the relation", [judged.polarity for judged in one.judged]))
        rows.append(_share_row(one, "dates, given the statement",
                               [share for judged in one.judged for share in judged.dates.values()]))
        rows.append(_set_row(one, "statements", [judged.triple for judged in one.judged]))
        rows.append(_set_row(one, "statements with both dates", one.timed))
    return pl.DataFrame(rows, schema={"program": pl.String, "stage": pl.String, "precision": pl.Float64,
                                      "recall": pl.Float64, "f1": pl.Float64, "n": pl.Int64})


def _set_row(measured: Measured, stage: str, counts: Sequence[Counts]) -> dict[str, Any]:
    precision, recall, both = f1(counts)
    return {"program": measured.system, "stage": stage, "precision": precision.value, "recall": recall.value,
            "f1": both.value, "n": sum(one.right + one.missed for one in counts)}


def _share_row(measured: Measured, stage: str, shares: Sequence[tuple[int, int]]) -> dict[str, Any]:
    right, n = sum(share[0] for share in shares), sum(share[1] for share in shares)
    return {"program": measured.system, "stage": stage, "recall": right / n if n else None, "n": n}


@dataclass(frozen=True)
class Reading:
    """What a program read out of one text, shown against what the text states.

    Attributes:
        measured: a program on cases.
        number: of the case, from 0.
    """

    measured: Measured
    number: int

    @property
    def verdicts(self) -> list[Verdict]:
        """Its claims, each with what it is worth."""
        return verdicts(self.measured.cases[self.number], self.measured.claims[self.number], Contexts().index)

    @property
    def misses(self) -> list[Miss]:
        """What is wrong, and why."""
        return misses(self.measured, self.number)

    def __repr__(self) -> str:
        case = self.measured.cases[self.number]
        lines = [f"{case.episode.text}"]
        lines += [f"  {'right' if _good(row) else 'wrong'}: {told(row.statement)}" for row in self.verdicts]
        return "\n".join([*lines, *(f"  {miss.kind}: {miss.statement} – {miss.why}" for miss in self.misses)])

    def _repr_html_(self) -> str:
        case, rows = self.measured.cases[self.number], self.verdicts
        said = "".join(
            f"<tr><td {_CELL}>{number}</td><td {_CELL}>{'✓ right' if _good(row) else '✗ wrong'}</td>"
            f"<td {_CELL}>{escape(told(row.statement))}</td><td {_CELL}>{escape(_when(row))}</td></tr>"
            for number, row in enumerate(rows, 1))
        wrong = "".join(f"<li><b>{miss.kind}</b>: {escape(miss.statement)} – {escape(miss.why)}</li>"
                        for miss in self.misses)
        who = f"{escape(case.episode.speaker)}: " if case.episode.speaker else ""
        at = "" if case.episode.observed_at is None else case.episode.observed_at.iso()
        table = (f"<table><thead><tr><th {_CELL}>#</th><th {_CELL}>claim</th><th {_CELL}>what</th><th {_CELL}>when</th>"
                 f"</tr></thead><tbody>{said}</tbody></table>" if rows else "<p>Nothing was claimed.</p>")
        return (f"<div><p><b>{escape(self.measured.system)}</b>, {escape(case.episode.id)}, said {at}</p>"
                f"<p>{who}{''.join(_marked(case.episode.text or '', rows))}</p>{table}"
                + (f"<ul>{wrong}</ul>" if wrong else "") + "</div>")


def readings(measured: Measured, *, wrong: bool = True) -> list[Reading]:
    """The cases of a run, those with the most mistakes first.

    Args:
        measured: a program on cases.
        wrong: only those with a mistake.
    """
    every = [Reading(measured, number) for number in range(len(measured.cases))]
    faults = {one.number: len(one.misses) for one in every}
    return sorted((one for one in every if faults[one.number] or not wrong),
                  key=lambda one: (-faults[one.number], one.number))


def _good(row: Verdict) -> bool:
    return row.stated and row.start and row.end


def _when(row: Verdict) -> str:
    ends = [phrase or (bound.best.iso().split("T")[0] if bound is not None and hasattr(bound, "best") else "")
            for phrase, bound in ((row.claim.valid_from, row.claim.start), (row.claim.valid_to, row.claim.end))]
    return "" if not any(ends) else f"{ends[0] or '…'} – {ends[1] or '…'}"


def _marked(text: str, rows: Sequence[Verdict]) -> Iterator[str]:
    """The text with the words of each claim marked; the number behind them is the claim's in the table."""
    spans = [(row.claim.span, number, _good(row)) for number, row in enumerate(rows, 1) if row.claim.span is not None]
    cuts = sorted({0, len(text), *(at for span, _, _ in spans for at in span)})
    for low, high in pairwise(cuts):
        over = [(span, number, good) for span, number, good in spans if span[0] <= low and high <= span[1]]
        piece = escape(text[low:high])
        if not over:
            yield piece
            continue
        ending = ",".join(str(number) for span, number, _ in over if span[1] == high)
        style = _RIGHT if all(good for *_, good in over) else _WRONG
        yield f"<mark style='color:inherit;{style}'>{piece}</mark>" + (f"<sup>{ending}</sup>" if ending else "")
