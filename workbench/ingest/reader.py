"""Episodes from JSON: one object, checked field by field. Other formats end here too, see `formats`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC
from enum import StrEnum
from typing import Any, Final, TypeVar

from workbench.model.claim import Claim, Correction, Polarity
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.errors import EpisodeError, TimeError, WorkbenchError
from workbench.model.ids import check_id
from workbench.model.time import Instant, has_offset, zone_of

_E = TypeVar("_E", bound=StrEnum)
_OFFSET: Final = re.compile(r"[+-]\d\d(?::?\d\d)?$")
_TEXTS: Final = ("source", "session", "speaker", "time_zone", "action")
_KNOWN: Final = frozenset({"id", "kind", "text", "record", "observed_at", "recorded_at", "trust", "claims",
                           "arguments", *_TEXTS})
_CLAIM_TEXTS: Final = ("subject", "relation", "object", "datatype", "subject_type", "object_type", "valid_from",
                       "valid_to", "quote")
_CLAIM_KNOWN: Final = frozenset({*_CLAIM_TEXTS, "value", "polarity", "corrects", "confidence", "span"})
_CURATION: Final = frozenset({"episode", "episodes", "entity", "entities", "fact", "schema", "resettle", "object",
                              "value", "valid_from", "valid_to", "subject", "relation", "program", "replaces"})
_ARGUMENT_TEXTS: Final = frozenset({"episode", "entity", "object", "valid_from", "valid_to", "subject", "relation",
                                    "program", "source"})
_ARGUMENT_LISTS: Final = frozenset({"episodes", "entities", "replaces"})
_KINDS: Final = {str: "text", dict: "an object", bool: "true or false"}


def episode_from_line(line: str) -> Episode:
    """One JSON object as an episode, see the table of fields in the README.

    Raises:
        EpisodeError: not JSON, or a field is wrong; the message names it.
    """
    try:
        row = json.loads(line, object_pairs_hook=_object, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise EpisodeError(f"not JSON: {error}; write one object a line") from error
    if not isinstance(row, dict):
        raise EpisodeError(f"a JSON {type(row).__name__}, not an object; write one object a line")
    return episode_from_row(row)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} occurs twice")
    return found


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def episode_from_row(row: Mapping[str, Any]) -> Episode:
    """A JSON object, as parsed, as an episode.

    Raises:
        EpisodeError: a field is wrong; the message names it.
    """
    try:
        return _episode(row)
    except EpisodeError:
        raise
    except WorkbenchError as error:
        raise EpisodeError(str(error)) from error


def _episode(row: Mapping[str, Any]) -> Episode:
    kind = _one_of(row, "kind", EpisodeKind, EpisodeKind.RECORD if "record" in row else EpisodeKind.TEXT)
    extra = row.keys() - _KNOWN
    if kind is EpisodeKind.CURATION:
        extra -= _CURATION
    if extra:
        raise EpisodeError(f"unknown field {', '.join(sorted(map(repr, extra)))}; "
                           f"known are {', '.join(sorted(_KNOWN))}")
    zone = _text(row, "time_zone")
    observed, assumed, zone = _observed(row, zone)
    record = row.get("record")
    if record is not None and not isinstance(record, dict):
        raise EpisodeError("record must be a JSON object")
    claims = row.get("claims")
    if claims is not None and not isinstance(claims, list):
        raise EpisodeError("claims must be a list of objects")
    episode = Episode(
        id="?", kind=kind, text=_text(row, "text"), record=record, source=_text(row, "source"),
        session=_text(row, "session"), speaker=_text(row, "speaker"), observed_at=observed, time_zone=zone,
        zone_assumed=assumed, recorded_at=_instant(row, "recorded_at"), trust=_fraction(row, "trust"),
        claims=None if claims is None else tuple(claim_from_row(claim, n) for n, claim in enumerate(claims, 1)),
        action=_text(row, "action"), arguments=_arguments(row) if kind is EpisodeKind.CURATION else {})
    if kind is not EpisodeKind.CURATION and not any((episode.text is not None, record, claims is not None)):
        raise EpisodeError("it has neither text nor record nor claims; give one of them")
    given = row.get("id")
    if given is not None and (isinstance(given, bool) or not isinstance(given, str | int)):
        raise EpisodeError(f"id must be text, not {type(given).__name__}")
    return replace(episode, id=check_id(str(given)) if given is not None else episode.content_hash()[:24])


def _arguments(row: Mapping[str, Any]) -> dict[str, Any]:
    given = row.get("arguments", {})
    if not isinstance(given, dict):
        raise EpisodeError("arguments must be a JSON object")
    found = {**{name: row[name] for name in _CURATION if row.get(name) is not None}, **given}
    if row.get("action") == "trust":  # here these two say what is trusted how much, not what the episode itself is
        found |= {name: row[name] for name in ("source", "trust") if name in row}
        _fraction(found, "trust")
    for name in _ARGUMENT_TEXTS & found.keys():
        if (value := _text(found, name)) is not None:
            found[name] = value
    for name in _ARGUMENT_LISTS & found.keys():
        found[name] = _texts(found[name], name)
    if row.get("action") == "retract" and "episode" not in found and len(found.get("episodes", ())) == 1:
        found["episode"] = found.pop("episodes")[0]
    for name, kinds in (("fact", (str, dict)), ("schema", (str, dict)), ("resettle", (bool,))):
        if name in found and not isinstance(found[name], kinds):
            raise EpisodeError(f"{name} must be {' or '.join(_KINDS[kind] for kind in kinds)}")
    if isinstance(found.get("fact"), dict):
        _corrected_parts(found["fact"])
    return found


def _texts(given: Any, name: str) -> list[str]:
    """A list of texts; a lone text is a list of one."""
    items = given if isinstance(given, list) else [given]
    if not items or not all(isinstance(item, str) for item in items):
        raise EpisodeError(f"{name} must be a list of texts")
    return items


def _corrected_parts(fact: Mapping[str, Any]) -> None:
    needed = ("subject", "relation", "object")
    if not set(fact) <= {*needed, "valid_from"} or not all(isinstance(part, str) for part in fact.values()) or not all(
            fact.get(name) for name in needed):
        raise EpisodeError("fact must be a fact id, or an object with the texts subject, relation, object and perhaps "
                           "valid_from")


def claim_from_row(row: Any, number: int) -> Claim:
    """One claim as given in an episode.

    Raises:
        EpisodeError: a field is wrong; the message names it and the claim's number (from 1).
    """
    where = f"claim {number}: "
    if not isinstance(row, dict):
        raise EpisodeError(f"{where}not a JSON object")
    if extra := row.keys() - _CLAIM_KNOWN:
        raise EpisodeError(f"{where}unknown field {', '.join(sorted(map(repr, extra)))}; "
                           f"known are {', '.join(sorted(_CLAIM_KNOWN))}")
    texts = {name: _text(row, name, where) for name in _CLAIM_TEXTS}
    subject, relation = texts.pop("subject"), texts.pop("relation")
    if not (subject and subject.strip()) or not (relation and relation.strip()):
        raise EpisodeError(f"{where}subject and relation are needed")
    value = row.get("value")
    if value is not None and not isinstance(value, str | int | float | bool):
        raise EpisodeError(f"{where}value must be text, a number or a boolean")
    if (value is None) == (texts["object"] is None):
        raise EpisodeError(f"{where}give either object (an entity) or value (a literal)")
    span = row.get("span")
    if span is not None and not (isinstance(span, list) and len(span) == 2 and all(isinstance(n, int) for n in span)):
        raise EpisodeError(f"{where}span must be [start, end) in characters")
    return Claim(
        subject, relation, texts["object"], value, texts["datatype"], texts["subject_type"], texts["object_type"],
        texts["valid_from"], texts["valid_to"], quote=texts["quote"],
        polarity=_one_of(row, "polarity", Polarity, Polarity.AFFIRMED, where),
        corrects=_corrects(row.get("corrects"), where), confidence=_fraction(row, "confidence", where),
        span=None if span is None else (span[0], span[1]))


def _corrects(given: Any, where: str) -> Correction | None:
    if given is None:
        return None
    if isinstance(given, str):
        return Correction(fact=given)
    if isinstance(given, dict) and (given := dict(given)).keys() <= set(Correction.__slots__) | {"value"}:
        if "value" in given:
            given["object"] = str(given.pop("value"))
        return Correction(**{name: str(part) for name, part in given.items() if part is not None})
    raise EpisodeError(f"{where}corrects must be a fact id, or an object with {', '.join(Correction.__slots__)}")


def _text(row: Mapping[str, Any], name: str, where: str = "") -> str | None:
    value = row.get(name)
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise EpisodeError(f"{where}{name} must be text, not {type(value).__name__}")


def _one_of(row: Mapping[str, Any], name: str, kinds: type[_E], default: _E, where: str = "") -> _E:
    value = row.get(name)
    if value is None:
        return default
    try:
        return kinds(value)
    except ValueError as error:
        raise EpisodeError(f"{where}{name} {value!r} is not one of {', '.join(kinds)}") from error


def _fraction(row: Mapping[str, Any], name: str, where: str = "") -> float:
    value = row.get(name, 1.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise EpisodeError(f"{where}{name} must be a number from 0 to 1, not {value!r}")
    return float(value)


def _instant(row: Mapping[str, Any], name: str) -> Instant | None:
    value = _text(row, name)
    if value is None:
        return None
    try:
        return Instant.parse(value, UTC)
    except TimeError as error:
        raise EpisodeError(f"{name}: {error}") from error


def _observed(row: Mapping[str, Any], zone: str | None) -> tuple[Instant | None, bool, str | None]:
    """(observed_at, whether its zone was assumed, zone): without a named zone, the speaker's is that of the offset."""
    text = _text(row, "observed_at")
    where = zone_of(zone)
    if text is None:
        return None, False, zone
    try:
        found = Instant.parse(text, where)
    except TimeError as error:
        raise EpisodeError(f"observed_at: {error}") from error
    offset = _OFFSET.search(text.strip())
    if zone is None and offset is not None and has_offset(text) and offset[0].strip("+-0:"):
        hours, minutes = offset[0][:3], offset[0][-2:] if len(offset[0]) > 3 else "00"
        zone = f"{hours}:{minutes}"
    return found, zone is None and not has_offset(text), zone
