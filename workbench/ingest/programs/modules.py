"""The extraction programs: small DSPy modules that optimisers can work on, predictor by predictor.

Each takes the texts that `prompt.inputs_of` makes and predicts `claims`. What comes from outside goes between marks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC
from typing import Any, Final

import dspy

from workbench.ingest.programs.calling import asked, fenced
from workbench.ingest.programs.checks import complaints
from workbench.ingest.programs.drafts import DRAFTS_LIMIT, Draft, Statement
from workbench.ingest.programs.examples import demos
from workbench.ingest.programs.signatures import (
    FindFacts,
    FindMentions,
    FindTimes,
    MendClaims,
    ReadClaims,
    ReadDatedClaims,
)
from workbench.ingest.rules.times import TimeReader


class OnePass(dspy.Module):  # type: ignore[misc]
    """One call: drafts with the words that say when."""

    version = "1"

    def __init__(self) -> None:
        super().__init__()
        self.read = _predictor(ReadClaims, "claims")

    def forward(self, text: str, observed_at: str = "", speaker: str = "", earlier: str = "", entities: str = "",
                schema: str = "") -> Any:
        """A prediction whose `claims` are `Draft`s."""
        return dspy.Prediction(claims=_read(self.read, text, observed_at, speaker, earlier, entities, schema))


class OnePassModelDates(dspy.Module):  # type: ignore[misc]
    """The baseline: one call, and the model works the dates out itself. Frozen; do not improve it."""

    version = "1"

    def __init__(self) -> None:
        super().__init__()
        self.read = _predictor(ReadDatedClaims, "dated")

    def forward(self, text: str, observed_at: str = "", speaker: str = "", earlier: str = "", entities: str = "",
                schema: str = "") -> Any:
        """A prediction whose `claims` are `DatedDraft`s."""
        return dspy.Prediction(claims=_read(self.read, text, observed_at, speaker, earlier, entities, schema))


class Staged(dspy.Module):  # type: ignore[misc]
    """Three calls: what is mentioned, what is stated about it, which words say when."""

    version = "1"

    def __init__(self) -> None:
        super().__init__()
        self.mentions = _predictor(FindMentions, "mentions")
        self.facts = _predictor(FindFacts, "facts")
        self.times = _predictor(FindTimes, "times")

    def forward(self, text: str, observed_at: str = "", speaker: str = "", earlier: str = "", entities: str = "",
                schema: str = "") -> Any:
        """A prediction whose `claims` are `Draft`s; `mentions` beside them. Where a stage finds nothing it is the
        last."""
        body, said, known, who = fenced(text, earlier, entities, speaker)
        mentions = [str(one) for one in asked(self.mentions, entities=known, speaker=who, text=body).mentions]
        mentions = list(dict.fromkeys(" ".join(one.split()) for one in mentions if one.strip()))[:DRAFTS_LIMIT]
        if not mentions:
            return dspy.Prediction(claims=[], mentions=[])
        body, said, named, who = fenced(text, earlier, "\n".join(mentions), speaker)
        facts: Sequence[Statement] = asked(
            self.facts, relations=schema, earlier=said, speaker=who, mentions=named, text=body).facts[:DRAFTS_LIMIT]
        claims = [Draft(**fact.model_dump()) for fact in facts]
        if claims:
            self._date(claims, text)
        return dspy.Prediction(claims=claims, mentions=mentions)

    def _date(self, claims: list[Draft], text: str) -> None:
        seen = "\n".join(dict.fromkeys(mention.phrase for mention in TimeReader(None, UTC).mentions(text)))
        body, numbered, phrases = fenced(text, "\n".join(
            f"{number}. {_words(claim)}" for number, claim in enumerate(claims, 1)), seen)
        for time in asked(self.times, statements=numbered, phrases=phrases, text=body).times:
            if 0 < time.fact <= len(claims) and time.phrase:
                claims[time.fact - 1].times.append(time)


class Checked(dspy.Module):  # type: ignore[misc]
    """A draft, then code looks at it; what fails goes back once, each with what is wrong, and nothing else does."""

    version = "1"

    def __init__(self) -> None:
        super().__init__()
        self.read = _predictor(ReadClaims, "claims")
        self.mend = _predictor(MendClaims, "mend")

    def forward(self, text: str, observed_at: str = "", speaker: str = "", earlier: str = "", entities: str = "",
                schema: str = "") -> Any:
        """A prediction whose `claims` are `Draft`s, the mended ones last."""
        claims = _read(self.read, text, observed_at, speaker, earlier, entities, schema)
        wrong = [complaints(claim, text, speaker, earlier, entities, schema) for claim in claims]
        failed = [(claim, said) for claim, said in zip(claims, wrong, strict=True) if said]
        if not failed:
            return dspy.Prediction(claims=claims)
        rows = "\n".join(f"{number}. {json.dumps(claim.model_dump(), ensure_ascii=False)}\n   wrong: {'; '.join(said)}"
                         for number, (claim, said) in enumerate(failed, 1))
        body, drafts, who = fenced(text, rows, speaker)
        mended = asked(self.mend, relations=schema, speaker=who, drafts=drafts, text=body).claims
        kept = [claim for claim, said in zip(claims, wrong, strict=True) if not said]
        return dspy.Prediction(claims=[*kept, *mended[:DRAFTS_LIMIT]])


MODULES: Final[dict[str, Callable[[], Any]]] = {
    "onepass": OnePass, "onepass-model-dates": OnePassModelDates, "staged": Staged, "checked": Checked}


def _predictor(signature: Any, examples: str) -> Any:
    predictor = dspy.Predict(signature)
    predictor.demos = demos(examples)
    return predictor


def _read(predictor: Any, text: str, observed_at: str, speaker: str, earlier: str, entities: str, schema: str
          ) -> list[Any]:
    body, said, known, who = fenced(text, earlier, entities, speaker)
    claims: list[Any] = asked(predictor, relations=schema, entities=known, earlier=said, speaker=who,
                              observed_at=observed_at, text=body).claims
    return claims


def _words(claim: Draft) -> str:
    told = {"affirmed": "", "denied": "not: ", "ended": "ended: "}[claim.polarity]
    return f"{told}{claim.subject} {claim.relation} {claim.object or claim.value or ''} (“{claim.quote}”)"
