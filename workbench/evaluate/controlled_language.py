"""Rules for a controlled language: one-sentence statements of fact in a fixed set of templates. No model.

FactConsolidation writes each fact in the wording that its knowledge editor used ("The univeristy where X was
educated is Y", misspelt upstream). Each template below is one relation. All of them are functional: the set asks for
the latest statement about a subject and a relation, whatever the world allows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from workbench.ingest.seam import Context
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.errors import EpisodeError

_INFIX: Final = (
    ("continent", "is located in the continent of"),
    ("place of death", "died in the city of"),
    ("spouse", "is married to"),
    ("religion", "is affiliated with the religion of"),
    ("language spoken", "speaks the language of"),
    ("place of birth", "was born in the city of"),
    ("citizenship", "is a citizen of"),
    ("employer", "is employed by"),
    ("founder", "was founded by"),
    ("sport", "is associated with the sport of"),
    ("creator", "was created by"),
    ("performer", "was performed by"),
    ("occupation", "works in the field of"),
    ("language of work", "was written in the language of"),
    ("position played", "plays the position of"),
    ("country of origin", "was created in the country of"),
    ("place of formation", "was founded in the city of"),
    ("notable work", "is famous for"),
    ("work location", "worked in the city of"),
    ("developer", "was developed by"),
    ("child", "'s child is"),
)
_PREFIX: Final = (
    ("headquarters", r"The headquarters? of {x} is located in the city of {y}"),
    ("head of state", r"The name of the current head of state in {x} is {y}"),
    ("head of government", r"The name of the current head of the {x} government is {y}"),
    ("educated at", r"The univ\w+ where {x} was educated is {y}"),
    ("manufacturer", r"The company that produced {x} is {y}"),
    ("music genre", r"The type of music that {x} plays is {y}"),
    ("original broadcaster", r"The orig\w+ broadcaster of {x} is {y}"),
    ("language of work", r"The orig\w+ language of {x} is {y}"),
    ("official language", r"The official language of {x} is {y}"),
    ("capital", r"The capital of {x} is {y}"),
    ("author", r"The author of {x} is {y}"),
    ("head coach", r"The head coach of {x} is {y}"),
    ("chairperson", r"The chairperson of {x} is {y}"),
    ("director", r"The director of {x} is {y}"),
    ("chief executive officer", r"The chief executive officer of {x} is {y}"),
    ("place of formation", r"{x} was founded in {y}"),
)
_OFFICE: Final = re.compile(r"The (?P<x>[A-Z].*?) is (?P<y>.+)")
OFFICE_HOLDER: Final = "office holder"
_FORMS: Final = (
    *((relation, re.compile(rf"(?P<x>.+?)\s*{re.escape(words)} (?P<y>.+)")) for relation, words in _INFIX),
    *((relation, re.compile(form.format(x="(?P<x>.+)", y="(?P<y>.+)"))) for relation, form in _PREFIX),
)
RELATIONS: Final = tuple(sorted({relation for relation, _ in _FORMS} | {OFFICE_HOLDER}))


@dataclass(frozen=True, slots=True)
class Stated:
    """One statement, read."""

    subject: str
    relation: str
    value: str


def read_statement(text: str) -> Stated | None:
    """Read one sentence, or None if it fits no template. Only the full stop of the sentence is dropped.

    >>> read_statement("Walter Chrysler's child is Walter Percy Chrysler Jr..")
    Stated(subject='Walter Chrysler', relation='child', value='Walter Percy Chrysler Jr.')
    """
    sentence = text.strip()
    sentence = sentence[:-1] if sentence.endswith(".") else sentence
    for relation, form in _FORMS:
        if match := form.fullmatch(sentence):
            return Stated(match["x"].strip(), relation, match["y"].strip())
    if match := _OFFICE.fullmatch(sentence):
        return Stated(match["x"], OFFICE_HOLDER, match["y"])
    return None


class ControlledLanguageRules:
    """An extractor that knows the templates above and nothing else."""

    fingerprint: Final = "rules-for-a-controlled-language/1"

    def extract(self, episode: Episode, context: Context) -> Sequence[Claim]:
        """One claim for each line of the text.

        Raises:
            EpisodeError: a line fits no template.
        """
        return list(self._claims(episode))

    def _claims(self, episode: Episode) -> Iterator[Claim]:
        text, offset = episode.text or "", 0
        for line in text.split("\n"):
            if line.strip():
                stated = read_statement(line)
                if stated is None:
                    raise EpisodeError(f"episode {episode.id}: {line!r} fits no template of the controlled language; "
                                       "add one to controlled_language.py")
                yield Claim(stated.subject, stated.relation, object=stated.value, quote=line,
                            span=(offset, offset + len(line)))
            offset += len(line) + 1
