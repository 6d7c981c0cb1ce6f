"""Extraction with a scripted model, in one line: for tests of programs and of what code makes of their replies."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from workbench.graph.schema_json import default_schema
from workbench.ingest.seam import Context, Extraction
from workbench.model.episode import Episode
from workbench.model.fact import Entity
from workbench.model.schema import Schema
from workbench.model.time import Instant

SAID_AT: Final = Instant.of(2024, 6, 3, 12)


def reply(*drafts: dict[str, Any]) -> str:
    """The drafts as a model that keeps to the format would say them."""
    return json.dumps({"claims": list(drafts)}, ensure_ascii=False)


def extract(text: str, *replies: str | Callable[[str], str], program: str = "onepass", speaker: str | None = None,
            earlier: Sequence[Episode] = (), entities: Sequence[Entity] = (), schema: Schema | None = None,
            observed_at: Instant | None = SAID_AT, time_zone: str | None = None, **settings: Any) -> Extraction:
    """What a program extracts from a text if the model says the replies, in turn.

    Args:
        text: of the episode.
        replies: of the model; the last one again when they run out.
        program: name of the program.
        speaker, observed_at, time_zone: of the episode.
        earlier, entities, schema: of the context; default: nothing, and the default schema.
        settings: of `ProgramExtractor`.

    Raises:
        EpisodeError: the program gave the episode up.
    """
    from workbench.ingest.programs.extractor import ProgramExtractor
    from workbench.testing.canned import canned_lm

    extractor = ProgramExtractor(program, canned_lm(*replies), **settings)
    episode = Episode("e1", text=text, speaker=speaker, observed_at=observed_at, time_zone=time_zone)
    return extractor.extract(episode, Context(schema or default_schema(), entities, earlier))
