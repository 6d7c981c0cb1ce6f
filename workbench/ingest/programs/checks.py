"""What is wrong with a draft, in words that a model can act on."""

from __future__ import annotations

from datetime import UTC
from typing import Final

from workbench.graph.vocabulary import words_of
from workbench.ingest.programs.drafts import DatedDraft, Draft
from workbench.ingest.programs.grounding import FIRST_WORDS, Grounds
from workbench.ingest.programs.prompt import relation_names
from workbench.ingest.programs.times import TimesOf
from workbench.model.names import name_key
from workbench.model.time import Instant

_ANY: Final = Instant.of(2000)


def complaints(draft: Draft | DatedDraft, text: str, speaker: str = "", earlier: str = "", entities: str = "",
               schema: str = "") -> list[str]:
    """Why code would not take a draft as it is, or would lose some of it; empty if it is good.

    Args:
        draft: what the model said.
        text, speaker, earlier, entities, schema: as a program's `forward` gets them.
    """
    grounds = Grounds(text, speaker, earlier, entities)
    found = [f"no {name}" for name in ("subject", "relation") if not getattr(draft, name)]
    if draft.object is None and draft.value is None:
        found.append("neither object nor value")
    span = grounds.quote(draft.quote)
    if span is None:
        return [*found, "the quote does not stand in the text; copy it letter by letter"]
    for role, name in (("subject", draft.subject), ("object", draft.object)):
        forms = () if name is None or name.lower() in FIRST_WORDS else (name, grounds.shortened(name))
        if forms and not any(grounds.mentioned(form, grounds.sentence(span)) or grounds.implied(form, span)
                             for form in forms):
            found.append(f"the {role} {name!r} is not named in the text up to there")
    if schema and draft.relation and not _known(draft.relation, schema):
        found.append(f"{draft.relation!r} is none of the relations; use one of them if one fits")
    if isinstance(draft, Draft) and draft.times:
        times = TimesOf(grounds, _ANY, UTC)
        for time in draft.times:
            if grounds.quote(time.phrase) is None:
                found.append(f"the time phrase {time.phrase!r} does not stand in the text; copy it letter by letter")
            elif time.role != "order" and not times.resolvable(time.phrase, span):
                found.append(f"no date can be read from {time.phrase!r}; copy all the words that say when")
    return found


def _known(relation: str, schema: str) -> bool:
    wanted = name_key(words_of(relation))
    return any(name_key(words_of(name)) == wanted for line in schema.splitlines() for name in relation_names(line))
