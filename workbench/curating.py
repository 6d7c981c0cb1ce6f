"""Curation steps, each an episode of its own: the part of `Workbench` that changes belief by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from workbench.graph.graph import Graph
from workbench.graph.schema_json import schema_to_json
from workbench.ingest.pipeline import Curated, Pipeline
from workbench.ingest.seam import Extractor
from workbench.model.claim import Claim, Value
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.errors import NotFound, UsageError
from workbench.model.schema import Schema
from workbench.model.time import Instant


class Curating:
    """Correct, retract, merge, split, trust, re-extract, change the schema; `dry_run` shows the effect only.

    Attributes:
        graph, pipeline: of the workbench.
    """

    graph: Graph
    pipeline: Pipeline

    def curate(self, action: str, *, identifier: str | None = None, dry_run: bool = False,
               claims: tuple[Claim, ...] | None = None, observed_at: Instant | None = None, program: str = "given",
               dropped: Sequence[str] = (), **arguments: Any) -> Curated:
        """Carry out a curation step as an episode of its own.

        Args:
            action: `correct`, `retract`, `merge`, `split`, `trust`, `schema`, `reextract`.
            identifier: the episode's id; default: the action and a number.
            dry_run: only tell the effect.
            claims: what the step says (a correction, a re-extraction).
            observed_at: when it was said; default: now.
            program: fingerprint of what made the claims.
            dropped: what that program drafted that does not count, with reasons.
            arguments: of the action: `episode`, `entities`, `entity` and `episodes`, `source` and `trust`, ….

        Raises:
            UsageError, NotFound, AmbiguousName: the arguments are wrong; nothing was written.
        """
        number = self.graph.episodes + 1
        while identifier is None:
            name = f"{action}-{number}"
            identifier, number = (name if self.graph.number_of(name) is None else None), number + 1
        given = {name: value for name, value in arguments.items() if value is not None}
        episode = Episode(identifier, EpisodeKind.CURATION, claims=claims, action=action, arguments=given,
                          observed_at=observed_at)
        return self.pipeline.curate(episode, program, dry_run=dry_run, dropped=dropped)

    def correct(self, fact: str, *, valid_from: str | None = None, valid_to: str | None = None,
                object: str | None = None, value: Value | None = None, identifier: str | None = None,
                dry_run: bool = False) -> Curated:
        """Say that a fact was recorded wrongly; what is not given stays as it was.

        Args:
            fact: a fact id.
            valid_from, valid_to: ISO 8601 or EDTF; `..` takes an end away.
            object: another entity; value: another literal.
            identifier, dry_run: as for `curate`.

        Raises:
            NotFound: no such fact; UsageError: nothing to correct was given.
        """
        return self.curate("correct", identifier=identifier, dry_run=dry_run, fact=fact, valid_from=valid_from,
                           valid_to=valid_to, object=object, value=value)

    def retract(self, episode: str, *, dry_run: bool = False) -> Curated:
        """From now on as if the episode had never been said; past belief stays. Undoes a curation episode."""
        return self.curate("retract", episode=episode, dry_run=dry_run)

    def unmerge(self, episode: str, *, dry_run: bool = False) -> Curated:
        """Undo a merge or a split, named by its episode; a UsageError if it is neither."""
        found = self.graph.entry(episode)
        if found is not None and found[1].episode.action not in ("merge", "split"):
            raise UsageError(f"episode {episode!r} is no merge; `retract` takes other episodes back")
        return self.retract(episode, dry_run=dry_run)

    def reextract(self, episode: str, extractor: Extractor, *, dry_run: bool = False) -> Curated:
        """Replace an episode's claims by what another program extracts from its text."""
        found = self.graph.entry(episode)
        if found is None:
            raise NotFound(f"no episode {episode!r} in the store")
        stored = found[1].episode
        if not (stored.text or "").strip():
            raise UsageError(f"episode {episode!r} has no text to extract from")
        made = self.pipeline.extracted(stored, extractor)
        done = self.curate("reextract", claims=made.claims, observed_at=stored.observed_at, replaces=[episode],
                           program=extractor.fingerprint, dropped=made.dropped, dry_run=dry_run)
        return replace(done, model_calls=made.model_calls, tokens=made.tokens)

    def set_schema(self, schema: Schema, *, resettle: bool = False, dry_run: bool = False) -> Curated | None:
        """Put another schema in force for later episodes, and with `resettle` for stored slots; None if it is the
        one in force already."""
        if schema.digest == self.pipeline.schema.schema.digest:
            return None
        return self.curate("schema", schema=schema_to_json(schema), resettle=resettle or None, dry_run=dry_run)
