"""What a program hands back: drafts of claims, as the model words them. Nothing of it is believed yet.

A draft never fails to parse: what a model leaves out is empty, and code says later why such a draft is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel, Field, field_validator, model_validator

TimeRole = Literal["start", "end", "at", "duration", "order"]
DraftPolarity = Literal["affirmed", "denied", "ended"]

NAME_LIMIT: Final = 80
QUOTE_LIMIT: Final = 400
LITERAL_LIMIT: Final = 200
DRAFTS_LIMIT: Final = 64

_ROLES: Final[Mapping[str, TimeRole]] = {
    "start": "start", "from": "start", "since": "start", "begin": "start", "end": "end", "to": "end", "until": "end",
    "till": "end", "at": "at", "on": "at", "in": "at", "when": "at", "date": "at", "duration": "duration",
    "for": "duration", "order": "order", "before": "order", "after": "order"}
_POLARITIES: Final[Mapping[str, DraftPolarity]] = {
    "affirmed": "affirmed", "positive": "affirmed", "true": "affirmed", "denied": "denied", "negative": "denied",
    "negated": "denied", "false": "denied", "ended": "ended", "end": "ended", "stopped": "ended", "past": "ended"}
_OTHER_NAMES: Final = {"predicate": "relation", "property": "relation", "evidence": "quote", "source": "quote",
                       "time": "times", "time_phrases": "times"}


def _text(value: Any) -> str:
    """A model's value as text; half a surrogate pair cannot be stored and becomes a replacement character."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value if isinstance(value, str) else str(value)
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace").strip()


class TimePhrase(BaseModel):
    """Words of the text that say when, and what they say about the statement."""

    phrase: str = Field("", description="the words of the text that say when, copied", json_schema_extra={
        "maxLength": 80})
    role: TimeRole = Field("at", description="start: it began then; end: it ended then; at: it was so then; "
                           "duration: how long; order: before or after something without a date")

    @model_validator(mode="before")
    @classmethod
    def _tolerant(cls, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return {"phrase": _text(value)}
        phrase = next((value[name] for name in ("phrase", "text", "value") if value.get(name)), "")
        return {"phrase": _text(phrase), "role": _ROLES.get(_text(value.get("role")).lower(), "at")}


class Statement(BaseModel):
    """One thing that the text says, without its times."""

    quote: str = Field("", description="the words of the text that say it, copied exactly", json_schema_extra={
        "maxLength": QUOTE_LIMIT})
    subject: str = Field("", description="the name of what it is about, as in the text", json_schema_extra={
        "maxLength": NAME_LIMIT})
    relation: str = Field("", description="one of the relations, or a short verb phrase if none fits",
                          json_schema_extra={"maxLength": NAME_LIMIT})
    object: str | None = Field(None, description="the name of the other thing, as in the text; null for a value",
                               json_schema_extra={"maxLength": NAME_LIMIT})
    value: str | None = Field(None, description="a number, date or text, as in the text; null for a thing",
                              json_schema_extra={"maxLength": LITERAL_LIMIT})
    polarity: DraftPolarity = Field("affirmed", description="affirmed: it is, was or will be so; denied: it is not so; "
                                    "ended: it was so and has ended")

    @model_validator(mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        if isinstance(value, cls):
            return value
        if not isinstance(value, Mapping):
            return {"quote": _text(value)}
        row = {str(name).strip().lower(): part for name, part in value.items()}
        for other, name in _OTHER_NAMES.items():
            if other in row:
                row.setdefault(name, row[other])
        return row

    @field_validator("quote", "subject", "relation", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> str:
        return _text(value)

    @field_validator("object", "value", mode="before")
    @classmethod
    def _or_none(cls, value: Any) -> str | None:
        text = _text(value)
        return None if text.lower() in ("", "null", "none") else text

    @field_validator("polarity", mode="before")
    @classmethod
    def _polarity(cls, value: Any) -> str:
        return _POLARITIES.get(_text(value).lower(), "affirmed")


class Draft(Statement):
    """One thing that the text says, with the words that say when."""

    times: list[TimePhrase] = Field(default_factory=list, description="the words that say when, each with its role",
                                    json_schema_extra={"maxItems": 4})

    @field_validator("times", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> list[Any]:
        if value is None:
            return []
        if isinstance(value, Mapping) and "phrase" not in value:
            return [{"phrase": phrase, "role": role} for role, phrase in value.items() if phrase]
        return value if isinstance(value, list) else [value]


class DatedDraft(Statement):
    """One thing that the text says, with dates that the model has worked out itself."""

    valid_from: str | None = Field(None, description="when it began, as an ISO 8601 date, or null",
                                   json_schema_extra={"maxLength": 25})
    valid_to: str | None = Field(None, description="when it ended, as an ISO 8601 date, or null", json_schema_extra={
        "maxLength": 25})

    @field_validator("valid_from", "valid_to", mode="before")
    @classmethod
    def _dated(cls, value: Any) -> str | None:
        return cls._or_none(value)


class FactTime(TimePhrase):
    """A time phrase and the number of the statement that it belongs to."""

    fact: int = Field(0, description="number of the statement")

    @model_validator(mode="before")
    @classmethod
    def _tolerant(cls, value: Any) -> Any:
        row = value if isinstance(value, Mapping) else {}
        number = _text(row.get("fact", row.get("statement", row.get("number", 0)))).rstrip(".")
        phrase = next((row[name] for name in ("phrase", "text", "value") if row.get(name)), "")
        return {"fact": int(number) if number.isdecimal() and len(number) < 6 else 0, "phrase": _text(phrase),
                "role": _ROLES.get(_text(row.get("role")).lower(), "at")}
