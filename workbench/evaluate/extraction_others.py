"""Text of others, as it is: how much of what they list a program finds in it.

* `tempreason-passages` (TempReason, CC BY-SA 3.0): an encyclopaedia passage against the list of its subject's facts
  with months. Lists come from a knowledge base and hold what the passage does not say; a passage says what the list
  does not hold. So only recall of values that the passage names is reported, with and without the right years.
* `locomo-observations` (LoCoMo, CC BY-NC 4.0): sentences that annotators wrote about turns of a chat. They have no
  relations, so what is reported is which turns yield claims: of the turns that somebody noted something about, the
  share with a claim (`turn_recall`), and of the turns with a claim, the share that somebody noted (`turn_precision`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from workbench.evaluate.data import find_files, read_rows
from workbench.evaluate.extraction_scoring import name
from workbench.evaluate.harness import limited, share_row
from workbench.evaluate.locomo import conversation, evidence_ids
from workbench.evaluate.records import Row
from workbench.evaluate.suite import Outcome, Request
from workbench.evaluate.tempreason import OBSERVED, claims_of
from workbench.graph.schema_json import default_schema
from workbench.ingest.seam import Context, Extractor
from workbench.model.claim import Claim
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.errors import EpisodeError
from workbench.model.time import Bound

PASSAGES: Final = "tempreason-passages"
OBSERVATIONS: Final = "locomo-observations"
_EARLIER: Final = 6


def run(request: Request, extractor: Extractor, system: str) -> Outcome:
    """Both sets, each if it is there."""
    passages = find_files(request.data, "tempreason", "event-time*.json*", ("timebench", "TimeBench"))
    chats = find_files(request.data, "locomo", "locomo*.json*")
    rows = [*_passages(limited(_distinct(passages), request.limit), extractor, system, request),
            *_observations(limited((row for path in chats for row in read_rows(path)), request.limit), extractor,
                           system, request)]
    return Outcome([], rows, [*passages, *chats], [f"{PASSAGES}, {OBSERVATIONS}: program {extractor.fingerprint}"])


def _distinct(files: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    """Each passage once; the set repeats it for every question."""
    seen: set[str] = set()
    for row in (row for path in files for row in read_rows(path)):
        if row["context"] not in seen:
            seen.add(row["context"])
            yield row


def _extract(extractor: Extractor, episode: Episode, context: Context) -> list[Claim]:
    try:
        return list(extractor.extract(episode, context))
    except EpisodeError:
        return []


def _passages(rows: Sequence[Mapping[str, Any]], extractor: Extractor, system: str, request: Request) -> list[Row]:
    context = Context(default_schema())
    found = dated = named = listed = claimed = 0
    for number, row in enumerate(rows, start=1):
        text = str(row["context"])
        claims = _extract(extractor, Episode(id=f"passage-{number}", kind=EpisodeKind.DOCUMENT, text=text,
                                             observed_at=OBSERVED), context)
        claimed += len(claims)
        gold, _ = claims_of(row["fact_context"])
        listed += len(gold)
        plain = name(text)
        for fact in gold:
            value = str(fact.object or fact.value)
            if name(value) not in plain:
                continue
            named += 1
            hits = [claim for claim in claims if _names(value, claim)]
            found += bool(hits)
            dated += any(_same_years(fact, claim) for claim in hits)
        request.progress(PASSAGES, number, len(rows))
    if not rows:
        return []
    return [share_row(PASSAGES, "values_found", found, named, system, unscored=listed - named),
            share_row(PASSAGES, "values_found_with_start_year", dated, named, system, unscored=listed - named),
            Row(PASSAGES, system, "claims_per_passage", claimed / len(rows), len(rows))]


def _names(value: str, claim: Claim) -> bool:
    keys = {name(claim.subject), name(str(claim.object if claim.object is not None else claim.value))}
    return name(value) in keys


def _same_years(gold: Claim, found: Claim) -> bool:
    """Whether the claim begins in the year in which the list says so."""
    return gold.valid_from is not None and isinstance(found.start, Bound) and (
        found.start.best.civil()[0] == int(gold.valid_from[:4]))


def _observations(rows: Sequence[Mapping[str, Any]], extractor: Extractor, system: str, request: Request) -> list[Row]:
    schema = default_schema()
    yielding = noted = both = turns = 0
    for number, row in enumerate(rows, start=1):
        chat = conversation(row, {}, Counter())
        cited = {f"{chat.id}/{one}" for one in _cited(row.get("observation") or {})}
        sessions: dict[str | None, list[Episode]] = {}
        for episode in chat.episodes:
            before = sessions.setdefault(episode.session, [])
            claims = _extract(extractor, episode, Context(schema, (), before[-_EARLIER:]))
            before.append(episode)
            turns += 1
            yielding += bool(claims)
            noted += episode.id in cited
            both += bool(claims) and episode.id in cited
        request.progress(OBSERVATIONS, number, len(rows))
    if not rows:
        return []
    return [share_row(OBSERVATIONS, "turn_recall", both, noted, system),
            share_row(OBSERVATIONS, "turn_precision", both, yielding, system),
            share_row(OBSERVATIONS, "turns_noted", noted, turns, system)]


def _cited(observation: Mapping[str, Any]) -> Iterator[str]:
    for session in observation.values():
        for notes in session.values():
            for _, where in notes:
                entries = where if isinstance(where, list) else [where]
                yield from evidence_ids(str(entry) for entry in entries)[0]
