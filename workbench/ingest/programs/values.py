"""Literals of drafts: what the schema wants, as far as the words of the text bear it out."""

from __future__ import annotations

import re
from typing import Final

from workbench.graph.relations import is_datatype
from workbench.graph.vocabulary import local_name
from workbench.ingest.dates import TimeSpan
from workbench.ingest.programs.drafts import LITERAL_LIMIT
from workbench.ingest.programs.grounding import Grounds
from workbench.ingest.programs.times import TimesOf
from workbench.model.claim import Value
from workbench.model.schema import Relation
from workbench.model.time import Bound, local_time

_NUMBER: Final = re.compile(r"[-+−]?\d[\d,.\u00a0\u202f' ]*\d|[-+−]?\d")
_PLAIN: Final = re.compile(r"[-+]?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?")
_NUMERIC: Final = frozenset("integer decimal double float int long short byte nonNegativeInteger positiveInteger "
                            "negativeInteger nonPositiveInteger unsignedInt unsignedLong".split())
_WHOLE: Final = _NUMERIC - {"decimal", "double", "float"}
_TRUTH: Final = {"true": True, "yes": True, "ja": True, "sí": True, "oui": True, "false": False, "no": False,
                 "nein": False, "non": False}


class Refused(ValueError):
    """A draft's value that does not count; the message says why."""


def literal(text: str, relation: Relation, grounds: Grounds, times: TimesOf, span: tuple[int, int]
            ) -> tuple[Value, bool]:
    """The value that a draft's text stands for, and whether it is inferred rather than read.

    Args:
        text: as the model gave it.
        relation: whose range, where it is a datatype, says what is wanted.
        grounds, times: of the episode.
        span: of the draft's quote; the value is looked for in its sentence.

    Raises:
        Refused: it is too long, of the wrong type, or does not stand there.
    """
    if len(text) > LITERAL_LIMIT:
        raise Refused(f"the value has {len(text)} characters (limit {LITERAL_LIMIT})")
    said = grounds.text[slice(*grounds.sentence(span))]
    wanted = local_name(relation.range) if relation.range is not None and is_datatype(relation.range) else ""
    if wanted == "boolean":
        if text.strip().lower() not in _TRUTH:
            raise Refused(f"{text!r} is neither true nor false")
        return _TRUTH[text.strip().lower()], True
    if wanted in ("date", "dateTime"):
        return _date(text, times, span, day=wanted == "date"), False
    if wanted in _NUMERIC:
        return _number(text, said, whole=wanted in _WHOLE), False
    if wanted == "" and _PLAIN.fullmatch(text.strip()):
        return _number(text, said, whole=False), False
    low, high = grounds.sentence(span)
    at = grounds.quote(text, low, high)
    if at is None:
        raise Refused(f"the value {text!r} does not stand in the sentence")
    return grounds.text[at[0]:at[1]], False


def _number(text: str, said: str, *, whole: bool) -> int | float:
    found = _NUMBER.search(text)
    if found is None:
        raise Refused(f"{text!r} is no number")
    value = _read(found[0])
    if value is None or value not in {_read(other[0]) for other in _NUMBER.finditer(said)}:
        raise Refused(f"the number {found[0]!r} does not stand in the sentence")
    if value == int(value):
        return int(value)
    if whole:
        raise Refused(f"{text!r} is no whole number")
    return value


def _read(digits: str) -> float | None:
    """A number with blanks, commas or points between its digits: the last one parts the fraction off, unless it stands
    before three digits and is a comma, a blank, or not the only one."""
    text = re.sub(r"[\u00a0\u202f' ]", "", digits.replace("−", "-"))
    marks = re.findall(r"[,.]", text)
    if marks:
        head, _, tail = text.rpartition(marks[-1])
        thousands = len(tail) == 3 and (marks[-1] == "," or len(marks) > 1) and len(set(marks)) == 1
        text = re.sub(r"[,.]", "", head) + ("" if thousands else ".") + tail
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e15 else None


def _date(text: str, times: TimesOf, span: tuple[int, int], *, day: bool) -> str:
    """A date of the text, as code reads it: one that the value names, or that it is in ISO 8601."""
    low, high = times.grounds.sentence(span)
    at = times.grounds.quote(text, low, high)
    for mention in times.mentions:
        if not (low <= mention.span[0] and mention.span[1] <= high) or not isinstance(mention.value, TimeSpan):
            continue
        start = mention.value.start
        if not isinstance(start, Bound):
            continue
        local = local_time(start.best, times.zone).iso()
        iso = local[:-len("T00:00:00Z")] if day else start.best.iso()
        named = at is not None and at[0] < mention.span[1] and mention.span[0] < at[1]
        exact = start.earliest == start.best == start.latest
        if exact and (named or text.strip() in (iso, iso.rstrip("Z"), local.rstrip("Z"))):
            if day and not local.endswith("T00:00:00Z"):
                return local[:local.index("T")]
            return iso
    raise Refused(f"no day that {text!r} names stands in the sentence")
