"""What `Workbench.retrieve` gives back: the context, and how it was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import polars as pl

from workbench.model.time import Vantage
from workbench.retrieve.pack import Pack
from workbench.retrieve.route import Route
from workbench.retrieve.seam import Found, Ranking


@dataclass(frozen=True)
class Item:
    """An item of the ranking as people see it.

    Attributes:
        id: of the episode or the fact.
        text: what it says.
        found: its place, with each arm's rank.
    """

    id: str
    text: str
    found: Found


@dataclass(frozen=True)
class Retrieved:
    """A question's context.

    Attributes:
        question: as asked.
        vantage: from where.
        route: which way it took, and why.
        items: the ranking, best first.
        rankings: what each arm said, with its note and time.
        pack: the lines that fit the budget.
        sessions: names of the sessions of the ranking, best first.
        entities: labels of the entities that the ranked facts speak of, best first.
        seconds: wall time of all of it.
    """

    question: str
    vantage: Vantage
    route: Route
    items: Sequence[Item]
    rankings: Sequence[Ranking]
    pack: Pack
    seconds: float
    sessions: Sequence[str] = ()
    entities: Sequence[str] = ()

    @property
    def episodes(self) -> list[str]:
        """Ids of the episodes of the ranking, best first."""
        return [item.id for item in self.items if item.found.hit.kind == "episode"]

    def explain(self) -> pl.DataFrame:
        """A row per item: rank, kind, id, score; for each arm its rank there (null where it did not find it) and its
        share of the score."""
        arms = [ranking.arm for ranking in self.rankings]
        rows = [{"rank": number, "kind": str(item.found.hit.kind), "id": item.id, "score": item.found.hit.score,
                 **{f"{arm}_rank": item.found.ranks.get(arm) for arm in arms},
                 **{f"{name}_share": share for name, share in item.found.scores.items()}, "text": item.text}
                for number, item in enumerate(self.items, 1)]
        return pl.DataFrame(rows, infer_schema_length=None)

    def to_json(self) -> dict[str, Any]:
        """A JSON object: pack, items, route, arms with their notes, cost."""
        return {
            "question": self.question, "valid_at": self.vantage.valid_at.iso(), "known_at": self.vantage.known_at.iso(),
            "path": str(self.route.way), "reason": self.route.reason, "pack": self.pack.to_json(),
            "items": [{"rank": number, "kind": str(item.found.hit.kind), "id": item.id,
                       "score": round(item.found.hit.score, 6), "ranks": dict(item.found.ranks),
                       "shares": {name: round(share, 6) for name, share in item.found.scores.items()},
                       "text": item.text} for number, item in enumerate(self.items, 1)],
            "sessions": list(self.sessions), "entities": list(self.entities),
            "arms": [{"arm": ranking.arm, "found": len(ranking.hits), "note": ranking.note,
                      "seconds": round(ranking.seconds, 6)} for ranking in self.rankings],
            "cost": {"seconds": round(self.seconds, 6), "tokens": self.pack.tokens},
        }

    def _repr_html_(self) -> str:
        arms = "; ".join(f"{ranking.arm}: {len(ranking.hits)}{f' ({ranking.note})' if ranking.note else ''}"
                         for ranking in self.rankings)
        head = (f"<p><b>{escape(self.question)}</b><br>{escape(str(self.route.way))} – {escape(self.route.reason)}"
                f"{f'<br>{escape(arms)}' if arms else ''}<br>{self.seconds * 1e3:.1f} ms</p>")
        return head + self.pack._repr_html_()
