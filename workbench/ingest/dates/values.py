"""What resolving a time phrase gives."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workbench.model.time import Bound, Unparsed


class Role(StrEnum):
    """What a time phrase says about a claim."""

    AT = "at"
    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """The validity that a time phrase states, `[start, end)` in UTC.

    Attributes:
        start: where it begins, or None if the phrase does not say.
        end: where it ends, or None if the phrase does not say.
        phrase: the words as given.
        rule: id of the grammar rule that read it, for reports ("until:end-of", "at:weekday", "fallback").
        language: code of the language it was read in ("" for ISO and EDTF).
    """

    start: Bound | None
    end: Bound | None
    phrase: str
    rule: str
    language: str


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time phrase found in a text.

    Attributes:
        span: `[start, end)` character offsets in the text.
        phrase: exactly `text[span[0]:span[1]]`.
        value: what it means, or why that cannot be said.
    """

    span: tuple[int, int]
    phrase: str
    value: TimeSpan | Unparsed
