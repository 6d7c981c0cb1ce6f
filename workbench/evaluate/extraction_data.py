"""The labelled set `datasets/assertions`: episodes with what they state, and the context that an extractor gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from workbench.evaluate.data import own_folder, read_rows
from workbench.graph.relations import SchemaIndex
from workbench.graph.schema_json import default_schema
from workbench.graph.vocabulary import entity_iri
from workbench.ingest.seam import Context
from workbench.model.claim import Polarity
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.errors import UsageError
from workbench.model.fact import Entity
from workbench.model.time import BEGINNING, Instant

FILE: Final = "episodes.jsonl"
SPLITS: Final = ("train", "dev", "test")
_OPEN: Final = ".."


@dataclass(frozen=True, slots=True)
class Moment:
    """One end of a validity: any instant of `[earliest, latest]`, both included; `BEGINNING` = never before either.

    Attributes:
        phrase: the words of the text that say it, or None where nothing but the tense does.
        kind: class of the phrase ("month", "ago", "now", …).
    """

    earliest: Instant
    latest: Instant
    phrase: str | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Gold:
    """One thing that an episode states. `start`, `end`: None = not stated."""

    subject: str
    relation: str
    object: str
    polarity: Polarity = Polarity.AFFIRMED
    start: Moment | None = None
    end: Moment | None = None


@dataclass(frozen=True)
class Case:
    """An episode with its gold.

    Attributes:
        episode: what an extractor reads.
        earlier: turns before it, oldest first.
        entities: (name, type) of what it mentions, for programs that may know names.
        gold: what it states; empty if it states nothing.
        split: `train`, `dev` or `test`, by phrasing.
        kind: what the phrasing is about ("since", "plan", "nothing", …).
        language: ISO 639-1.
        phrasing: its number; episodes of one phrasing are alike.
    """

    episode: Episode
    earlier: Sequence[Episode]
    entities: Sequence[tuple[str, str]]
    gold: Sequence[Gold]
    split: str
    kind: str
    language: str
    phrasing: int


def assertions_path() -> Path:
    """The folder of the labelled set.

    Raises:
        UsageError: it is not there.
    """
    return own_folder("assertions", FILE)


def read_cases(folder: Path | None = None, *splits: str) -> list[Case]:
    """The episodes of these splits (all of them if none is named), in the order of the file.

    Args:
        folder: the set's folder, or a file like its `episodes.jsonl`; None = the project's own.
        splits: `train`, `dev`, `test`.

    Raises:
        UsageError: the file is damaged or holds something else.
    """
    place = folder or assertions_path()
    path = place if place.is_file() else place / FILE
    try:
        return [_case(row) for row in read_rows(path) if row["split"] in (splits or SPLITS)]
    except KeyError as error:
        raise UsageError(f"{path}: an episode without {error}; each line is to look as in datasets/assertions, "
                         "see its card") from error


def spread(cases: Sequence[Case], limit: int | None) -> list[Case]:
    """At most `limit` cases, evenly over the list, so that all languages and kinds are among them."""
    if limit is None or limit >= len(cases):
        return list(cases)
    return [cases[number * len(cases) // limit] for number in range(limit)]


def _case(row: Mapping[str, Any]) -> Case:
    at = Instant.parse(row["observed_at"])
    earlier = [Episode(id=f"{row['id']}/before-{number}", kind=EpisodeKind.MESSAGE, text=turn["text"],
                       speaker=turn["speaker"], session=row["id"], observed_at=at, time_zone=row["time_zone"])
               for number, turn in enumerate(row["earlier"], start=1)]
    episode = Episode(id=row["id"], kind=EpisodeKind.MESSAGE, text=row["text"], speaker=row["speaker"],
                      session=row["id"], observed_at=at, time_zone=row["time_zone"])
    return Case(episode, earlier, [(entity["name"], entity["type"]) for entity in row["entities"]],
                [_gold(claim) for claim in row["claims"]], row["split"], row["kind"], row["language"], row["phrasing"])


def _gold(row: Mapping[str, Any]) -> Gold:
    return Gold(row["subject"], row["relation"], str(row.get("object") or row.get("value")),
                Polarity(row["polarity"]), _moment(row, "valid_from"), _moment(row, "valid_to"))


def _moment(row: Mapping[str, Any], name: str) -> Moment | None:
    phrase, kind = row.get(f"{name}_phrase"), row.get(f"{name}_class", "")
    if row.get(f"{name}_within"):
        low, high = (Instant.parse(text) for text in row[f"{name}_within"])
        return Moment(low, high, phrase, kind)
    if row[name] is None:
        return None
    if row[name] == _OPEN:
        return Moment(BEGINNING, BEGINNING, phrase, "never")
    at = Instant.parse(row[name])
    return Moment(at, at, phrase, kind)


class Contexts:
    """Contexts over the default schema. `names`: the store already knows the names and their types."""

    def __init__(self, *, names: bool = True) -> None:
        self.index = SchemaIndex(default_schema())
        self._names = names

    def of(self, case: Case) -> Context:
        """What an extractor may look at besides the case's episode."""
        entities = [Entity(entity_iri(name), name, type=self.index.entity_type(kind).iri)
                    for name, kind in case.entities] if self._names else []
        return Context(self.index.schema, entities, case.earlier)
