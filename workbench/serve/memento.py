"""Time travel by HTTP's own means (RFC 7089): the past of a resource is what was believed then (knowledge time)."""

from __future__ import annotations

from collections.abc import Iterator
from email.utils import format_datetime, parsedate_to_datetime
from typing import Any, Final
from urllib.parse import quote

from workbench.model.errors import TimeError
from workbench.model.time import SECOND, Instant
from workbench.serve.call import Call
from workbench.serve.problem import Problem
from workbench.serve.protocol import Vantage

LINK_FORMAT: Final = "application/link-format"


def accept_datetime(call: Call) -> int | None:
    """The instant of Accept-Datetime, in microseconds, or None.

    Raises:
        Problem: 400, not an HTTP date.
    """
    text = call.headers.get("accept-datetime")
    if text is None:
        return None
    try:
        return int(Instant.from_datetime(parsedate_to_datetime(text)))
    except (ValueError, TypeError, IndexError, TimeError):
        raise Problem(400, f"Accept-Datetime must be an HTTP date such as Tue, 05 Mar 2024 12:00:00 GMT, not {text!r}"
                      ) from None


def http_date(micros: int) -> str | None:
    """An instant as an HTTP date, cut to the second; None outside years 1–9999."""
    moment = Instant(micros // SECOND * SECOND).to_datetime()
    return None if moment is None else format_datetime(moment, usegmt=True)


def memento_headers(call: Call, vantage: Vantage, last: int | None) -> list[tuple[str, str]]:
    """Links to TimeGate and TimeMap; Memento-Datetime if the answer is a past state that cannot change any more."""
    links = [f'<{call.origin}/timegate{call.raw_path}{others(call)}>; rel="timegate"',
             f'<{call.origin}/timemap{call.raw_path}{others(call)}>; rel="timemap"; type="{LINK_FORMAT}"']
    known = vantage.known
    date = None if known is None or last is None or known > last else http_date(known)
    if date is None:
        return [("link", ", ".join(links))] if call.method in ("GET", "HEAD") else []
    links.insert(0, f'<{call.base}{others(call)}>; rel="original"')
    return [("link", ", ".join(links)), ("memento-datetime", date)]


def others(call: Call, **more: str) -> str:
    """The query of the URL without `known-at`, and with what is given instead."""
    given = call.scope["query_string"].decode("ascii", "replace").split("&")
    parts = [part for part in given if part and part.split("=")[0] != "known-at"]
    parts += [f"{name}={quote(value, safe=':')}" for name, value in more.items()]
    return f"?{'&'.join(parts)}" if parts else ""


def gate(call: Call, original: str, told: dict[str, Any]) -> list[tuple[str, str]]:
    """Headers of a TimeGate's redirection to the chosen past state of a resource."""
    return [("location", original + others(call, **{"known-at": Instant(told["chosen"]).iso()})),
            ("vary", "accept-datetime"), ("cache-control", "no-cache"),
            ("link", ", ".join(_links(call, original, told)))]


def _links(call: Call, original: str, told: dict[str, Any]) -> Iterator[str]:
    path = original.removeprefix(call.origin)
    yield f'<{original}{others(call)}>; rel="original"'
    yield f'<{call.origin}/timemap{path}{others(call)}>; rel="timemap"; type="{LINK_FORMAT}"'
    names: dict[int, list[str]] = {}
    for name, key in (("first", "first"), ("prev", "previous"), ("next", "next"), ("last", "last")):
        if told.get(key) is not None:
            names.setdefault(told[key], []).append(name)
    names.setdefault(told["chosen"], [])
    for time in sorted(names):
        link = _memento(call, original, time, " ".join([*names[time], "memento"]))
        if link is not None:
            yield link


def _memento(call: Call, original: str, time: int, rel: str) -> str | None:
    date = http_date(time)
    if date is None:
        return None
    return f'<{original}{others(call, **{"known-at": Instant(time).iso()})}>; rel="{rel}"; datetime="{date}"'


def timemap(call: Call, original: str, told: dict[str, Any]) -> str:
    """All past states of a resource, in the link format of RFC 6690."""
    path = original.removeprefix(call.origin)
    lines = [f'<{original}{others(call)}>; rel="original"',
             f'<{call.origin}/timegate{path}{others(call)}>; rel="timegate"',
             f'<{call.origin}/timemap{path}{others(call)}>; rel="self"; type="{LINK_FORMAT}"']
    times = told["times"]
    for time in times:
        rel = " ".join([*(["first"] if time == told["first"] else []), *(["last"] if time == told["last"] else []),
                        "memento"])
        link = _memento(call, original, time, rel)
        if link is not None:
            lines.append(link)
    return ",\n".join(lines) + "\n"
