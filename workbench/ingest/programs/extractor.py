"""Programs as extractors: an episode's text in, claims out that code vouches for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import dspy

from workbench.graph.relations import SchemaIndex
from workbench.ingest.programs.calling import why_unreadable
from workbench.ingest.programs.claiming import Claiming
from workbench.ingest.programs.grounding import Grounds
from workbench.ingest.programs.modules import MODULES
from workbench.ingest.programs.prompt import RELATIONS, inputs_of
from workbench.ingest.programs.windows import OVERLAP, WINDOW, merged, windows
from workbench.ingest.seam import Context, Extraction, ExtractionFailed
from workbench.lm.calls import purpose
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.errors import BudgetSpent, EpisodeError, ModelError, ModelRefused, TimeError, UsageError
from workbench.model.schema import Schema
from workbench.model.time import zone_of

CODE: Final = "1"  # of what turns drafts into claims; raise it when the same replies give other claims


class ProgramExtractor:
    """An `Extractor` over a DSPy program; safe to share between threads.

    Attributes:
        name: of the program.
        lm: the `dspy.LM` that it asks.
        module: the program, perhaps optimised.
        window, overlap: longest stretch of text asked about at once, and how much of the one before it repeats, in
            characters.
        relations: how many relations of the schema are told at most.
        judge: decides what becomes of older values of undeclared relations; None = they stand.
    """

    def __init__(self, name: str, lm: Any, module: Any = None, *, window: int = WINDOW, overlap: int = OVERLAP,
                 relations: int = RELATIONS, judge: Any = None) -> None:
        if module is None and name not in MODULES:
            raise UsageError(f"no program is called {name!r}; use one of {', '.join(MODULES)}")
        self.name, self.lm = name, lm
        self.module = MODULES[name]() if module is None else module
        self.window, self.overlap, self.relations, self.judge = window, overlap, relations, judge
        self._index: SchemaIndex | None = None
        self._fingerprint = self._named()

    @property
    def fingerprint(self) -> str:
        """Program and version, hash of its state and settings, and the model: `staged-1.1/3f2a…/provider/model`."""
        return self._fingerprint

    def _named(self) -> str:
        state = json.dumps(
            [self.module.dump_state(), self.window, self.overlap, self.relations,
             None if self.judge is None else self.judge.module.dump_state()], sort_keys=True, default=str)
        digest = hashlib.sha256(state.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        judged = "+judge" if self.judge is not None else ""
        return f"{self.name}{judged}-{getattr(self.module, 'version', '0')}.{CODE}/{digest}/{self.lm.model}"

    def extract(self, episode: Episode, context: Context) -> Extraction:
        """The claims of the episode's text that it bears out, each with quote and span, and what was dropped.

        Raises:
            EpisodeError: the model's reply could not be read at the second try either, or the model gave no answer.
            BudgetSpent, ModelRefused: no further episode will fare better.
        """
        if not episode.text or not episode.text.strip():
            return Extraction()
        token = purpose.set(episode.id)
        try:
            with dspy.context(lm=self.lm, trace=None), dspy.track_usage() as usage:
                claims, dropped = self._extract(episode, context)
        except (BudgetSpent, ModelRefused, ExtractionFailed):
            raise
        except dspy.AdapterParseError as error:
            raise ExtractionFailed(
                f"episode {episode.id!r}: the reply of {self.lm.model} could not be read, twice: "
                f"{why_unreadable(error)}; `reextract` it, perhaps with another program or model", _spent(usage)
            ) from error
        except (ModelError, dspy.LMError) as error:
            raise ExtractionFailed(f"episode {episode.id!r}: {self.lm.model} gave no answer: {_line(error)}; "
                                   f"`reextract` it later", _spent(usage)) from error
        finally:
            purpose.reset(token)
        return replace(_spent(usage), claims=tuple(claims), dropped=tuple(dropped))

    def _extract(self, episode: Episode, context: Context) -> tuple[Sequence[Claim], Sequence[str]]:
        text = episode.text or ""
        whole = inputs_of(episode, context, 0, 0, relations=0)
        try:
            zone = zone_of(episode.time_zone)
        except TimeError as error:
            raise EpisodeError(f"episode {episode.id!r}: {error}") from error
        grounds = Grounds(text, whole["speaker"], whole["earlier"], whole["entities"])
        claiming = Claiming(self._compiled(context.schema), grounds, episode.observed_at, zone,
                            _listener(episode, context.earlier), tuple(context.entities))
        found: list[Claim] = []
        for low, high in windows(text, self.window, self.overlap):
            inputs = inputs_of(episode, context, low, high, self.relations)
            found += claiming.claims(self._drafts(episode, inputs), low, high)
        claims = merged(found)
        if self.judge is not None and context.believed is not None:
            claims = merged([*claims, *self.judge.ends(claims, context, episode, claiming.index)])
        return claims, claiming.dropped

    def _drafts(self, episode: Episode, inputs: dict[str, str]) -> list[Any]:
        try:
            return list(self.module(**inputs).claims)
        except (BudgetSpent, ModelError, dspy.AdapterParseError, dspy.LMError):
            raise
        except Exception as error:  # a program is users' code: one episode that breaks it does not stop the others
            raise ExtractionFailed(f"episode {episode.id!r}: the program {self.name!r} broke: {type(error).__name__}: "
                                   f"{_line(error)}", Extraction()) from error

    def _compiled(self, schema: Schema) -> SchemaIndex:
        index = self._index
        if index is None or index.schema is not schema:
            index = self._index = SchemaIndex(schema)
        return index


def load_program(name: str, lm: Any, state: Path | None = None, *, judge: bool = False, **settings: Any
                 ) -> ProgramExtractor:
    """The extraction program of that name: `onepass`, `onepass-model-dates`, `staged` or `checked`.

    Args:
        name: of the program.
        lm: a `dspy.LM`.
        state: JSON that `module.save` wrote, as of an optimised program.
        judge: let the model judge what becomes of older values of undeclared relations.
        settings: further arguments of `ProgramExtractor`.

    Raises:
        UsageError: no such program, or the file is no state of it.
    """
    if name not in MODULES:
        raise UsageError(f"no program is called {name!r}; use one of {', '.join(MODULES)}")
    module = MODULES[name]()
    if state is not None:
        if state.suffix != ".json":
            raise UsageError(f"{state}: the state of a program is read from JSON only; a pickle could run code")
        try:
            module.load_state(json.loads(state.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise UsageError(f"{state} is no state of the program {name!r} ({_line(error)}); "
                             f"make one with `workbench optimize {name}`") from error
    from workbench.ingest.programs.judging import Judge

    return ProgramExtractor(name, lm, module, judge=Judge() if judge else None, **settings)


def _listener(episode: Episode, earlier: Sequence[Episode]) -> str | None:
    others = {turn.speaker for turn in earlier if turn.speaker and turn.speaker != episode.speaker}
    return others.pop() if len(others) == 1 else None


def _spent(usage: Any) -> Extraction:
    """Calls that were answered, and their tokens; a call that failed is in the record of calls only."""
    calls = [one for entries in usage.usage_data.values() for one in entries]
    return Extraction(model_calls=len(calls), tokens=sum(
        int(one.get("prompt_tokens") or 0) + int(one.get("completion_tokens") or 0) for one in calls))


def _line(error: BaseException) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 300 else text[:297] + "…"
