"""How long: "for three years", and where such a stretch ends that began at a known date."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Final

from workbench.ingest.dates.calendar import shift
from workbench.ingest.dates.clock import tolerance
from workbench.ingest.dates.languages import LANGUAGES
from workbench.ingest.dates.lexicon import Reader
from workbench.ingest.dates.point import Scope
from workbench.ingest.dates.relative import counted
from workbench.model.time import Bound, Instant, in_zone, local_time

_MOST: Final = 100_000  # units; as the grammar of dates has it
_LONGEST: Final = 100  # characters

@dataclass(frozen=True, slots=True)
class Duration:
    """A count of calendar units; `vague` doubles the doubt ("about three years")."""

    count: float
    unit: int
    vague: bool

    def after(self, start: Bound, zone: tzinfo, phrase: str, *, back: bool = False) -> Bound:
        """The bound that lies this long after another one, or before it if `back`; counted on the wall clock of `zone`,
        half a unit exact."""
        sign = -1 if back else 1
        best, earliest, latest = (
            in_zone(shift(local_time(at, zone), self.unit, sign * self.count), zone) if at.finite else at
            for at in (start.best, start.earliest, start.latest))
        slack = tolerance(self.unit) * (2 if self.vague else 1)
        earliest, latest = (at.plus(by) if at.finite else at for at, by in ((earliest, -slack), (latest, slack)))
        return Bound(best, min(earliest, best), max(latest, best), None, phrase)


def duration_of(phrase: str, language: str | None = None) -> Duration | None:
    """The duration that a phrase states, or None; words before it ("for", "seit") do not count.

    >>> found = duration_of("for about three years")
    >>> found.count, found.vague
    (3.0, True)
    """
    if len(phrase) > _LONGEST:
        return None
    tables = [table for code, table in LANGUAGES.items() if language in (None, code)]
    for table in tables:
        scope = Scope(Reader(phrase, table), Instant.of(2000), UTC)
        for start in range(min(scope.reader.size, 4)):
            found = counted(scope, start)
            if found is not None and found[3] == scope.reader.size and abs(found[0]) <= _MOST:
                return Duration(found[0], found[1], found[2])
    return None
