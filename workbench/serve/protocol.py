"""The SPARQL 1.1 Protocol: what a request asks for, read strictly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from workbench.model.errors import TimeError
from workbench.model.time import Instant
from workbench.serve.call import Call, decode_form, only
from workbench.serve.problem import Problem

FORM: Final = "application/x-www-form-urlencoded"
QUERY: Final = "application/sparql-query"
UPDATE: Final = "application/sparql-update"
QUERY_METHODS: Final = ("GET", "HEAD", "POST", "QUERY")
Pairs = list[tuple[str, str]]


@dataclass(frozen=True)
class Vantage:
    """From where to look; None = now. `given` if either was."""

    valid: int | None = None
    known: int | None = None

    @property
    def given(self) -> bool:
        """Whether a view is asked for."""
        return self.valid is not None or self.known is not None


@dataclass(frozen=True)
class Asked:
    """A query or an update.

    Attributes:
        text: SPARQL.
        default, named: graphs of the dataset (of USING for an update).
        vantage: from where to look.
        timeout: seconds that the client allows, or None.
        fresh: must see all that was committed before.
        update: whether it is an update.
    """

    text: str
    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    vantage: Vantage = Vantage()
    timeout: float | None = None
    fresh: bool = False
    update: bool = False


async def read_query(call: Call) -> Asked | None:
    """The query of a request, or None if it has none and asks for the service description.

    Raises:
        Problem: 400, 413, 414 or 415.
    """
    if call.method in ("GET", "HEAD"):
        pairs = call.params
        if only(pairs, "update") is not None:
            raise Problem(400, "an update goes by POST only")
        text = only(pairs, "query")
        if text is None and not any(key in ("default-graph-uri", "named-graph-uri") for key, _ in pairs):
            return None
        return _asked(call, text, pairs)
    return await _posted(call, "query", QUERY, ("default-graph-uri", "named-graph-uri"))


async def read_update(call: Call) -> Asked:
    """The update of a request.

    Raises:
        Problem: 400, 413 or 415.
    """
    return await _posted(call, "update", UPDATE, ("using-graph-uri", "using-named-graph-uri"))


async def _posted(call: Call, what: str, direct: str, graphs: tuple[str, str]) -> Asked:
    media = call.media
    if media not in (FORM, direct):
        given = f"not {media}" if media else "and the request has none"
        raise Problem(415, f"the Content-Type must be {FORM} or {direct}, {given}", headers={
            "accept-post": f"{FORM}, {direct}"})
    if call.charset != "utf-8":
        raise Problem(400, f"the body must be UTF-8, not {call.charset}")
    raw = await call.body()
    if media == FORM:
        body = decode_form(raw)
        other = "query" if what == "update" else "update"
        if only(call.params, what) is not None or only(call.params, other) is not None:
            raise Problem(400, f"with a form, {what} belongs into the body")
        if only(body, other) is not None:
            raise Problem(400, f"this is the endpoint for {what}, not for {other}")
        return _asked(call, only(body, what), body + call.params, graphs, what)
    if any(key in ("query", "update") for key, _ in call.params):
        raise Problem(400, f"the {what} stands in the body, so the URL must have none")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Problem(400, f"the body is not UTF-8: byte {error.start}") from None
    return _asked(call, text, call.params, graphs, what)


def _asked(call: Call, text: str | None, pairs: Pairs,
           graphs: tuple[str, str] = ("default-graph-uri", "named-graph-uri"), what: str = "query") -> Asked:
    if text is None:
        raise Problem(400, f"there is no {what}")
    if len(text) > call.options.query:
        raise Problem(413, f"the {what} has {len(text):,} characters, {call.options.query:,} are read")
    if "\x00" in text:
        raise Problem(400, f"the {what} holds a null character")
    default, named = (tuple(value for key, value in pairs if key == name) for name in graphs)
    return Asked(text, default, named, vantage(pairs), timeout(pairs), flag(pairs, "fresh"), what == "update")


def vantage(pairs: Pairs) -> Vantage:
    """`valid-at` and `known-at`.

    Raises:
        Problem: not ISO 8601, or given twice.
    """
    return Vantage(_instant(pairs, "valid-at"), _instant(pairs, "known-at"))


def _instant(pairs: Pairs, name: str) -> int | None:
    text = only(pairs, name)
    if text is None:
        return None
    try:
        # an offset's plus that was not percent-encoded arrives as a space
        return int(Instant.parse(text.strip().replace(" ", "+") if "T" in text else text))
    except TimeError as error:
        raise Problem(400, f"{name}: {error}") from None


def timeout(pairs: Pairs) -> float | None:
    """`timeout` in seconds.

    Raises:
        Problem: no positive number.
    """
    text = only(pairs, "timeout")
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise Problem(400, f"timeout must be a number of seconds above 0, not {text!r}")
    return seconds


def flag(pairs: Pairs, name: str) -> bool:
    """A parameter that is 1 or true, or 0, false or absent.

    Raises:
        Problem: something else.
    """
    text = only(pairs, name)
    if text not in (None, "0", "1", "true", "false"):
        raise Problem(400, f"{name} must be 1 or 0, not {text!r}")
    return text in ("1", "true")
