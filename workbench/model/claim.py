"""Claims: what one episode says, as extracted, before anything is decided about it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from workbench.model.time import BEGINNING, FOREVER, Bound, Instant, Interval, Unparsed


class Polarity(StrEnum):
    """Whether the episode says that it is so, or that it is not so."""

    AFFIRMED = "affirmed"
    DENIED = "denied"


Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Correction:
    """The fact that a correcting claim names: by fact id, or by its parts (None = not given)."""

    fact: str | None = None
    subject: str | None = None
    relation: str | None = None
    object: str | None = None
    valid_from: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of one episode. Names are as the episode gives them: labels, aliases or IRIs.

    Attributes:
        subject, relation: names. An unknown relation becomes an undeclared one, whose values coexist.
        object: the name of an entity; None if the claim has a literal `value`.
        value: a literal; its source text lives in the quote.
        datatype: an XSD datatype (`xsd:date`, IRI) or a language tag (`@de`) of `value`; None = by its Python type.
        subject_type, object_type: names of types, or None.
        valid_from, valid_to: the time phrases as given (ISO, EDTF, or words), or None.
        start, end: those phrases resolved by code; None = not stated; `Unparsed` = kept, unresolved. Where None is
            given beside a phrase, the store resolves the phrase as ISO/EDTF in the episode's zone.
        polarity: affirmed or denied.
        corrects: the fact that this claim corrects, or None.
        confidence: 0–1, the extractor's.
        quote: the words of the episode that say it; None if inferred.
        span: `[start, end)` character offsets of the quote in the episode's text, or None.
        inferred: something of it is not in the quote's own sentence: who "I" or "she" is, a yes.
    """

    subject: str
    relation: str
    object: str | None = None
    value: Value | None = None
    datatype: str | None = None
    subject_type: str | None = None
    object_type: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    start: Bound | Unparsed | None = None
    end: Bound | Unparsed | None = None
    polarity: Polarity = Polarity.AFFIRMED
    corrects: Correction | None = None
    confidence: float = 1.0
    quote: str | None = None
    span: tuple[int, int] | None = None
    inferred: bool = False

    def to_json(self) -> dict[str, Any]:
        """A JSON object with only what is given; `claim_from_json` reads it back."""
        given = (self.subject, self.relation, self.object, self.value, self.datatype, self.subject_type,
                 self.object_type, self.valid_from, self.valid_to, self.quote)
        row: dict[str, Any] = {name: value for name, value in zip(_TEXTS, given, strict=True) if value is not None}
        if self.polarity is not Polarity.AFFIRMED:
            row["polarity"] = str(self.polarity)
        if self.confidence != 1.0:
            row["confidence"] = self.confidence
        if self.span is not None:
            row["span"] = list(self.span)
        if self.inferred:
            row["inferred"] = True
        if self.corrects is not None:
            row["corrects"] = {name: part for name in Correction.__slots__
                               if (part := getattr(self.corrects, name)) is not None}
        for name in ("start", "end"):
            if (bound := getattr(self, name)) is not None:
                row[name] = _bound_to_json(bound)
        return row


_TEXTS: Final = ("subject", "relation", "object", "value", "datatype", "subject_type", "object_type", "valid_from",
                 "valid_to", "quote")


def claims_text(claims: Iterable[Claim]) -> str:
    """Claims as canonical JSON: what is stored of them and goes into an episode's content hash."""
    return canonical_json([claim.to_json() for claim in claims])


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no blanks; what JSON does not know becomes its text."""
    return _ENCODER.encode(value)


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)


def claim_from_json(row: Mapping[str, Any]) -> Claim:
    """Read back what `Claim.to_json` wrote. No validation: see `ingest` for input from outside."""
    fields = dict(row)
    corrects = fields.pop("corrects", None)
    start, end = fields.pop("start", None), fields.pop("end", None)
    span = fields.pop("span", None)
    return Claim(
        **{**fields, "polarity": Polarity(fields.get("polarity", "affirmed"))},
        corrects=None if corrects is None else Correction(**corrects),
        start=None if start is None else _bound_from_json(start),
        end=None if end is None else _bound_from_json(end),
        span=None if span is None else (span[0], span[1]),
    )


def _instant_to_json(instant: Instant) -> str | None:
    return instant.iso() if instant.finite else None


def _bound_to_json(bound: Bound | Unparsed) -> dict[str, Any]:
    if isinstance(bound, Unparsed):
        return {"unparsed": bound.phrase, "reason": bound.reason}
    row: dict[str, Any] = {"best": _instant_to_json(bound.best)}
    if bound.earliest != bound.best:
        row["earliest"] = _instant_to_json(bound.earliest)
    if bound.latest != bound.best:
        row["latest"] = _instant_to_json(bound.latest)
    if bound.period is not None:
        row["period"] = [_instant_to_json(bound.period.start), _instant_to_json(bound.period.end)]
    if bound.phrase:
        row["phrase"] = bound.phrase
    return row


def _read(text: str | None, unbounded: Instant) -> Instant:
    return unbounded if text is None else Instant.parse(text)


def _bound_from_json(row: Mapping[str, Any]) -> Bound | Unparsed:
    if "unparsed" in row:
        return Unparsed(row["unparsed"], row["reason"])
    best = row["best"]
    at = _read(best, BEGINNING)
    period = row.get("period")
    return Bound(
        at, _read(row["earliest"], BEGINNING) if "earliest" in row else at,
        _read(row["latest"], FOREVER) if "latest" in row else at,
        None if period is None else Interval(_read(period[0], BEGINNING), _read(period[1], FOREVER)),
        row.get("phrase", ""),
    )
