"""Dates by code: time phrases in words, read at an anchor in the speaker's zone, never by a clock of the machine.

    resolve("three weeks ago", anchor, zone)  → TimeSpan | Unparsed
    find("Ann left on 1 March.", anchor, zone) → [TimeMention]

Policies: "next Friday" is the coming Friday after the anchor's day; "last Tuesday" the latest before it; "until May
2020" includes May, "until 5 May" ends as that day begins; years BC are astronomical (44 BC is -43); a date without a
year is the latest one that began by the anchor; weeks begin on Monday; seasons are those of the northern hemisphere.
What cannot be read is refused with a reason, not guessed.
"""

from workbench.ingest.dates.resolve import find, language_of, resolve
from workbench.ingest.dates.values import Role, TimeMention, TimeSpan

__all__ = ["Role", "TimeMention", "TimeSpan", "find", "language_of", "resolve"]
