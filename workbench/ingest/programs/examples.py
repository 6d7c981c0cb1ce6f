"""The examples that every program starts with: the same texts, each in the form that a predictor answers in."""

from __future__ import annotations

from typing import Any, Final

_ONE: Final = "Mara joined Harbour Labs in May 2019 and left two weeks ago. She weighs 62 kg."
_TWO: Final = "I have never lived in Porto. Could you book a table?"
_AT: Final = "2021-03-09T10:00:00 (Tuesday)"

_STATED: Final[tuple[dict[str, Any], ...]] = (
    {"quote": "Mara joined Harbour Labs in May 2019", "subject": "Mara", "relation": "worksFor",
     "object": "Harbour Labs", "value": None, "polarity": "affirmed"},
    {"quote": "left two weeks ago", "subject": "Mara", "relation": "worksFor", "object": "Harbour Labs", "value": None,
     "polarity": "ended"},
    {"quote": "She weighs 62 kg", "subject": "Mara", "relation": "weight", "object": None, "value": "62 kg",
     "polarity": "affirmed"},
)
_DENIED: Final[dict[str, Any]] = {
    "quote": "I have never lived in Porto", "subject": "Joao", "relation": "livesIn", "object": "Porto", "value": None,
    "polarity": "denied"}
_TIMES: Final[tuple[list[dict[str, Any]], ...]] = (
    [{"phrase": "in May 2019", "role": "start"}], [{"phrase": "two weeks ago", "role": "end"}], [])
_DATES: Final = (("2019-05", None), (None, "2021-02-23"), (None, None))
_SAME: Final = "as in the last message"


def demos(kind: str) -> list[dict[str, Any]]:
    """The examples of a predictor: `claims`, `dated`, `mentions`, `facts`, `times` or `mend`."""
    shared = {"relations": _SAME, "entities": "", "earlier": ""}
    one = {**shared, "speaker": "", "observed_at": _AT, "text": _ONE}
    two = {**shared, "speaker": "Joao", "observed_at": _AT, "text": _TWO}
    if kind == "claims":
        return [{**one, "claims": [{**row, "times": times} for row, times in zip(_STATED, _TIMES, strict=True)]},
                {**two, "claims": [{**_DENIED, "times": []}]}]
    if kind == "dated":
        rows = [{**row, "valid_from": first, "valid_to": last}
                for row, (first, last) in zip(_STATED, _DATES, strict=True)]
        return [{**one, "claims": rows}, {**two, "claims": [{**_DENIED, "valid_from": None, "valid_to": None}]}]
    if kind == "mentions":
        return [{"entities": "", "speaker": "", "text": _ONE, "mentions": ["Mara", "Harbour Labs", "62 kg"]},
                {"entities": "", "speaker": "Joao", "text": _TWO, "mentions": ["Joao", "Porto"]}]
    if kind == "facts":
        return [{**_without(one), "mentions": "Mara\nHarbour Labs\n62 kg", "facts": [dict(row) for row in _STATED]},
                {**_without(two), "mentions": "Joao\nPorto", "facts": [dict(_DENIED)]}]
    if kind == "times":
        numbered = "\n".join(f"{number}. {said}" for number, said in enumerate((
            "Mara worksFor Harbour Labs", "ended: Mara worksFor Harbour Labs", "Mara weight 62 kg"), 1))
        return [{"statements": numbered, "phrases": "in May 2019\ntwo weeks ago", "text": _ONE, "times": [
            {"fact": 1, **_TIMES[0][0]}, {"fact": 2, **_TIMES[1][0]}]}]
    return []


def _without(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in ("entities", "observed_at")}
