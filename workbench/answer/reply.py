"""Answers with a face for notebooks: the answer, an interval bar, the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from html import escape
from typing import Final

from workbench.model.fact import Answer, Fact
from workbench.model.time import Instant

WIDTH: Final = 420
ROW: Final = 22
SHOWN: Final = 12


@dataclass(frozen=True, slots=True)
class Reply(Answer):
    """An answer that a notebook shows as more than text."""

    @classmethod
    def of(cls, answer: Answer) -> Reply:
        """The same answer."""
        return cls(**{field.name: getattr(answer, field.name) for field in fields(Answer)})

    def _repr_html_(self) -> str:
        said = ", ".join(map(str, self.values)) if self.abstained is None else f"no answer: {self.abstained}"
        cited = "".join(f"<tr><td style='text-align:left'>{escape(one.episode)}</td>"
                        f"<td style='text-align:left'>{f'“{escape(one.quote)}”' if one.quote else ''}</td></tr>"
                        for one in self.evidence[:SHOWN])
        more = len(self.evidence) - SHOWN
        bars = _bars(self.facts, self.vantage.valid_at)
        return (f"<div><p>{escape(self.question)}<br><b>{escape(said)}</b></p>{bars}"
                f"<p>{escape(self.path)}; valid at {self.vantage.valid_at.iso()}, known at "
                f"{self.vantage.known_at.iso()}; {self.cost.seconds * 1e3:.1f} ms</p>"
                + (f"<table><thead><tr><th>episode</th><th>words</th></tr></thead><tbody>{cited}</tbody></table>"
                   if cited else "") + (f"<p>and {more} more</p>" if more > 0 else "") + "</div>")


def _bars(facts: Sequence[Fact], at: Instant) -> str:
    """Validity of facts as bars over one axis; an open end runs to the edge, the vantage is a line."""
    shown = facts[:SHOWN]
    instants = [int(i) for fact in shown for i in (fact.valid_from or fact.valid_from_latest, fact.valid_to) if i]
    if not instants:
        return ""
    low, high = min(*instants, int(at)), max(*instants, int(at))
    pad = max((high - low) // 12, 1)
    low, high = low - pad, high + pad

    def place(instant: Instant | None, otherwise: int) -> int:
        return otherwise if instant is None else round((int(instant) - low) / (high - low) * WIDTH)

    parts = []
    for number, fact in enumerate(shown):
        x = place(fact.valid_from or fact.valid_from_latest, 0)
        width = max(2, place(fact.valid_to, WIDTH) - x)
        value = fact.object if fact.object is not None else fact.value
        label = escape(f"{fact.subject} {fact.relation_label or fact.relation} {value}")
        span = f"{_day(fact.valid_from) or '?'} – {_day(fact.valid_to) or '…'}"
        y = number * ROW
        parts.append(f"<g><title>{label}: {span}</title><rect x='{x}' y='{y + 4}' width='{width}' height='{ROW - 8}' "
                     f"rx='3' fill='#4c78a8' fill-opacity='0.75'/><text x='{WIDTH + 8}' y='{y + 15}' font-size='12' "
                     f"fill='currentColor'>{label} [{span})</text></g>")
    line, height = place(at, 0), len(shown) * ROW
    parts.append(f"<line x1='{line}' x2='{line}' y1='0' y2='{height}' stroke='#e45756' stroke-dasharray='3 2'>"
                 f"<title>valid at {at.iso()}</title></line>")
    return (f"<svg role='img' aria-label='when the facts hold' width='{WIDTH * 2 + 60}' height='{height}' "
            f"style='max-width:100%'>{''.join(parts)}</svg>")


def _day(instant: Instant | None) -> str:
    return "" if instant is None else instant.iso().split("T")[0]
