"""Content negotiation: which of the offered media types or codings a client likes best (RFC 9110, 12.5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_QUALITY = re.compile(r"(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)")


@lru_cache(maxsize=512)
def parse_accept(header: str) -> tuple[tuple[str, float], ...]:
    """(range, quality) of each element, ranges in lower case without parameters; what cannot be read is left out.

    >>> parse_accept("text/turtle;q=0.5, */*;q=0")
    (('text/turtle', 0.5), ('*/*', 0.0))
    """
    found = []
    for element in header.split(","):
        kind, *parameters = (part.strip() for part in element.split(";"))
        quality = 1.0
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip().lower() == "q":
                quality = float(value) if _QUALITY.fullmatch(value.strip()) else -1.0
        if kind and quality >= 0:
            found.append((kind.lower(), quality))
    return tuple(found)


@lru_cache(maxsize=1024)
def choose(header: str | None, offers: Sequence[str]) -> str | None:
    """The offer with the highest quality, the first of equals, or None if none is acceptable.

    No header means anything goes; of several ranges that fit an offer, the most specific one counts.

    >>> choose("text/*;q=0.8, application/json", ("text/csv", "application/json"))
    'application/json'
    >>> choose("image/png", ("text/csv",)) is None
    True
    """
    if header is None or not header.strip():
        return offers[0]
    ranges = parse_accept(header)
    best, quality = None, 0.0
    for offer in offers:
        found = _quality(offer, ranges)
        if found > quality:
            best, quality = offer, found
    return best


def _quality(offer: str, ranges: tuple[tuple[str, float], ...]) -> float:
    main = offer.split("/")[0]
    for wanted in (offer, f"{main}/*", "*/*"):
        fitting = [quality for kind, quality in ranges if kind == wanted]
        if fitting:
            return max(fitting)
    return 0.0


def takes_gzip(header: str | None) -> bool:
    """Whether an Accept-Encoding header allows gzip; without one nothing is compressed."""
    codings = dict(parse_accept(header or ""))
    return codings.get("gzip", codings.get("x-gzip", codings.get("*", 0.0))) > 0
