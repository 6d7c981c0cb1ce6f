"""Episodes: one raw input each, kept verbatim and immutable."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from workbench.model.claim import Claim, canonical_json, claims_text
from workbench.model.time import Instant


class EpisodeKind(StrEnum):
    """What sort of input an episode is."""

    MESSAGE = "message"
    TEXT = "text"
    RECORD = "record"
    EVENT = "event"
    DOCUMENT = "document"
    CURATION = "curation"


@dataclass(frozen=True, slots=True)
class Episode:
    """One raw input: a turn, mail, row, event, document, or a curation step made by a person or program.

    Attributes:
        id: any non-empty text without control characters; unique in a store.
        kind: what sort of input it is.
        text: verbatim text, byte for byte, or None.
        record: a JSON object (row, log event), or None.
        source, session, speaker: free strings.
        observed_at: when it was said or happened; None means "when the store took it in".
        time_zone: IANA name of the speaker's zone, in which zoneless dates of this episode are read.
        zone_assumed: `observed_at` came without offset or zone and was read as UTC.
        recorded_at: knowledge time for backfills; None means the store's clock.
        trust: 0–1; below the policy's threshold its claims never cut more trusted ones.
        claims: ready claims; if not None no extractor runs.
        action, arguments: only for `kind="curation"`.
    """

    id: str
    kind: EpisodeKind = EpisodeKind.TEXT
    text: str | None = None
    record: Mapping[str, Any] | None = None
    source: str | None = None
    session: str | None = None
    speaker: str | None = None
    observed_at: Instant | None = None
    time_zone: str | None = None
    zone_assumed: bool = False
    recorded_at: Instant | None = None
    trust: float = 1.0
    claims: tuple[Claim, ...] | None = None
    action: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def content_hash(self, said: str | None = None) -> str:
        """SHA-256 (hex) over everything given except `recorded_at`; equal content has an equal hash.

        Args:
            said: the claims as `claims_text` gives them, where they are at hand.
        """
        given = {
            "kind": str(self.kind), "text": self.text, "record": self.record, "source": self.source,
            "session": self.session, "speaker": self.speaker,
            "observed_at": None if self.observed_at is None else self.observed_at.iso(),
            "time_zone": self.time_zone, "trust": self.trust,
            "action": self.action, "arguments": dict(self.arguments),
        }
        parts = {key: canonical_json(value) for key, value in given.items() if value not in (None, {})}
        if self.claims is not None:
            parts["claims"] = claims_text(self.claims) if said is None else said
        text = ",".join([f'"{key}":{parts[key]}' for key in sorted(parts)])
        return hashlib.sha256(f"{{{text}}}".encode("utf-8", "surrogatepass")).hexdigest()
