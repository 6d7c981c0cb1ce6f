"""The start and end of one claim, gathered phrase by phrase."""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.model.time import Bound, Unparsed


@dataclass(frozen=True, slots=True)
class Times:
    """Start and end of a claim, with the phrases that say them.

    Attributes:
        valid_from, valid_to: phrases as they stand in the text, or None.
        start, end: what they mean; `Unparsed` where that cannot be said.
        notes: phrases that could not be used, with reasons.
    """

    valid_from: str | None = None
    valid_to: str | None = None
    start: Bound | Unparsed | None = None
    end: Bound | Unparsed | None = None
    notes: tuple[str, ...] = ()


@dataclass
class Stated:
    """What has been read so far; the first of two starts or ends counts, a readable one before an unreadable one."""

    quote: str
    valid_from: str | None = None
    valid_to: str | None = None
    start: Bound | Unparsed | None = None
    end: Bound | Unparsed | None = None
    notes: list[str] = field(default_factory=list)

    def set_start(self, phrase: str, bound: Bound) -> None:
        """Take a start, unless there is a readable one."""
        if isinstance(self.start, Bound):
            if phrase != self.valid_from:
                self.notes.append(f"time phrase {phrase!r} is a second start")
            return
        self._note(self.start)
        self.valid_from, self.start = phrase, bound

    def set_end(self, phrase: str, bound: Bound) -> None:
        """Take an end, unless there is a readable one."""
        if isinstance(self.end, Bound):
            if phrase != self.valid_to:
                self.notes.append(f"time phrase {phrase!r} is a second end")
            return
        self._note(self.end)
        self.valid_to, self.end = phrase, bound

    def keep(self, phrase: str, unparsed: Unparsed, *, end: bool) -> None:
        """Keep an unreadable phrase where there is room for it."""
        if end and self.end is None:
            self.valid_to, self.end = phrase, unparsed
        elif self.start is None:
            self.valid_from, self.start = phrase, unparsed
        elif self.end is None:
            self.valid_to, self.end = phrase, unparsed
        else:
            self._note(unparsed)

    def _note(self, replaced: Bound | Unparsed | None) -> None:
        if isinstance(replaced, Unparsed):
            self.notes.append(f"time phrase {replaced.phrase!r} could not be read ({replaced.reason})")
