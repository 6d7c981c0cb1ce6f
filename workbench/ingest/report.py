"""What an ingest did, counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from workbench.ingest.pipeline import EpisodeResult, Status


@dataclass
class IngestReport:
    """What an ingest did.

    Attributes:
        episodes: taken in (new ones); `unchanged` were there already.
        claims: as extracted. `added`, `closed`, `supported`, `competing`: facts; `denied`: claims that deny or end.
        failures: rows of `episode`, `reason`, and `file`, `line` where known.
        notes: assumed zones, episodes with nothing to extract.
        model_calls, tokens: by extraction programs that use a model.
        seconds: wall time.
        stopped: why the rest was left for another run (a budget is spent, the model refuses), or None.
    """

    episodes: int = 0
    unchanged: int = 0
    claims: int = 0
    added: int = 0
    closed: int = 0
    supported: int = 0
    competing: int = 0
    denied: int = 0
    failures: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    model_calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    stopped: str | None = None

    def count(self, result: EpisodeResult) -> None:
        """Add what one episode did."""
        if result.status is Status.UNCHANGED:
            self.unchanged += 1
            return
        self.episodes += 1
        for name in ("claims", "added", "closed", "supported", "competing", "denied", "model_calls", "tokens"):
            setattr(self, name, getattr(self, name) + getattr(result, name))
        self.failures += [{"episode": result.id, "reason": reason} for reason in result.failures]
        self.notes += result.notes
