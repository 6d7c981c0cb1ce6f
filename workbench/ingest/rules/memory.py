"""What pronouns and left-out subjects can stand for: the names and claims of the text so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.ingest.rules.words import FEMALE, FIRST_PERSON, HE, MALE, SECOND_PERSON, SHE
from workbench.model.claim import Claim

_KEPT = 200


@dataclass
class Memory:
    """Names in the order of mention, subjects apart, and the claims made of them.

    Attributes:
        speaker: who "I" is, or None.
        listener: who "you" is, or None.
    """

    speaker: str | None = None
    listener: str | None = None
    subjects: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    _genders: dict[str, str] = field(default_factory=dict)

    def mention(self, name: str, *, subject: bool) -> None:
        """Note a name; the latest is the first that a pronoun stands for."""
        if subject:
            self.subjects.append(name)
            del self.subjects[:-_KEPT]
        self.names.append(name)
        del self.names[:-_KEPT]

    def note(self, claim: Claim) -> None:
        """Note a claim, for "… and left"."""
        self.claims.append(claim)
        del self.claims[:-_KEPT]

    def stands_for(self, pronoun: str, besides: str | None = None) -> str | None:
        """The name that a pronoun stands for, or None; `besides` is excluded (the subject, for an object pronoun)."""
        if pronoun in FIRST_PERSON:
            return self.speaker
        if pronoun in SECOND_PERSON:
            return self.listener
        if pronoun in ("we", "us"):
            return None
        wanted = "m" if pronoun in HE or pronoun == "his" else "f" if pronoun in SHE else ""
        for pool in (self.names, ) if besides else (self.subjects, self.names):
            for name in reversed(pool):
                if name != besides and self._fits(name, wanted):
                    if wanted:
                        self._genders.setdefault(name, wanted)
                    return name
        return None

    def _fits(self, name: str, wanted: str) -> bool:
        if name in (self.speaker, self.listener):
            return False
        known = self._genders.get(name) or _gender(name)
        if not wanted:
            return True
        return known == wanted or (not known and name[:1].isupper())

    def object_of(self, subject: str, relations: tuple[str, ...]) -> Claim | None:
        """The last claim about the subject in one of the relations."""
        return next((claim for claim in reversed(self.claims)
                     if claim.subject == subject and claim.relation in relations), None)


def _gender(name: str) -> str:
    first = name.split()[0].lower() if name.split() else ""
    return "m" if first in MALE else "f" if first in FEMALE else ""
