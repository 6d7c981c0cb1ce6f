"""Dates by code: time phrases in words, read at an anchor in the speaker's zone, never by a clock of the machine.

    resolve("three weeks ago", anchor, zone)  → TimeSpan | Unparsed
    find("Ann left on 1 March.", anchor, zone) → [TimeMention]

Languages: English, German, Spanish, French, Portuguese, Chinese and Japanese, each a table in `languages`; any other
through dateparser, whole phrases only.

Policies: "next Friday" is the coming Friday after the anchor's day; "last Tuesday" the latest before it; "until May
2020" includes May, "until 5 May" ends as that day begins; years BC are astronomical (44 BC is -43); a date without a
year is the latest one that began by the anchor, "this April" that of the anchor's year; "throughout 2019" states both
ends; "a week from Friday" counts from the coming one, "two weeks before Christmas" from the latest; weeks begin on
Monday; seasons are those of the northern hemisphere.
What cannot be read is refused with a reason, not guessed.
"""

from workbench.ingest.dates.resolve import find, language_of, resolve
from workbench.ingest.dates.values import Role, TimeMention, TimeSpan

__all__ = ["Role", "TimeMention", "TimeSpan", "find", "language_of", "resolve"]
