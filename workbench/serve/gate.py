"""The gate: who may come in, by which name, from which web page."""

from __future__ import annotations

import ipaddress
import re
from typing import Final

from workbench.model.errors import UsageError
from workbench.serve.call import Call
from workbench.serve.options import Options
from workbench.serve.problem import Problem
from workbench.serve.tokens import Principal, Tokens

_HOST: Final = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?")
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
_ALLOWED: Final = "Accept, Accept-Datetime, Authorization, Content-Type, If-None-Match"
_EXPOSED: Final = ("ETag, Link, Location, Memento-Datetime, Retry-After, WWW-Authenticate, Workbench-Commit, "
                   "Workbench-Known, Workbench-Lag")
_METHODS: Final = "GET, HEAD, POST, PUT, DELETE, QUERY, OPTIONS"


class Gate:
    """Checks that hold for every request.

    Raises:
        UsageError: the options would let anyone in from outside, or the tokens cannot be read.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._tokens = None if options.token_file is None else Tokens.read(options.token_file)
        self._loopback = is_loopback(options.host)
        if self._tokens is None and not self._loopback:
            raise UsageError(f"{options.host} can be reached from outside: give --token-file, or bind 127.0.0.1")
        if options.writable and self._tokens is None and not options.open_scratch:
            raise UsageError("--writable needs --token-file with a token of scope write (or --open-scratch, for "
                             "programs on this machine only)")
        if options.open_scratch and not self._loopback:
            raise UsageError("--open-scratch is for a server that only this machine can reach")

    def admit(self, call: Call) -> None:
        """Check names and paths, and set the headers of CORS.

        Raises:
            Problem: 400, 414, 421 or 431.
        """
        refuse = call.scope.get("state", {}).get("refuse")
        if refuse == 414:
            raise Problem(414, "the URL is too long; send the query by POST")
        if refuse == 431:
            raise Problem(431, f"the request line and headers have more than {self._options.headers:,} bytes")
        host = call.headers.get("host", "")
        if call.scope.get("http_version") != "1.0" and not host:
            raise Problem(400, "the header host is missing")
        if host and _HOST.fullmatch(host) is None:
            raise Problem(400, "the header host is no host")
        name = host.rsplit(":", 1)[0] if host.count(":") == 1 or "]:" in host else host
        if self._tokens is None and host and name.lower() not in _LOCAL | {self._options.host}:
            # a web page may point a name of its own at this machine
            raise Problem(421, "without tokens this server answers to localhost only")
        if any(ord(sign) < 32 or ord(sign) == 127 for sign in call.path) or "\\" in call.path:
            raise Problem(400, "the path holds a sign that no path has")
        origin = call.headers.get("origin")
        if origin is not None and self._options.origins:
            if "*" in self._options.origins:
                call.extra += [("access-control-allow-origin", "*"), ("access-control-expose-headers", _EXPOSED)]
            elif origin in self._options.origins:
                call.extra += [("access-control-allow-origin", origin), ("vary", "Origin"),
                               ("access-control-expose-headers", _EXPOSED)]

    async def preflight(self, call: Call) -> bool:
        """Answer a browser that asks whether a page may call; False if it is no such request."""
        if call.method != "OPTIONS" or "access-control-request-method" not in call.headers or not call.extra:
            return False
        await call.respond(204, headers=[
            ("access-control-allow-methods", _METHODS), ("access-control-allow-headers", _ALLOWED),
            ("access-control-max-age", "600")])
        return True

    def authorise(self, call: Call, *, write: bool) -> None:
        """Find out who asks, and whether they may.

        Raises:
            Problem: 401 or 403.
        """
        if self._tokens is None:
            if write and "origin" in call.headers and not call.extra:
                raise Problem(403, "web pages may not write here")
            call.principal = Principal("local", write=self._options.open_scratch)
        else:
            call.principal = self._bearer(call)
        if write and not call.principal.write:
            raise Problem(403, "this token may not write")
        if not write and not call.principal.read:
            raise Problem(403, "this token may not read")

    def _bearer(self, call: Call) -> Principal:
        assert self._tokens is not None
        scheme, _, token = call.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise Problem(401, "a bearer token is needed", headers={"www-authenticate": 'Bearer realm="workbench"'})
        found = self._tokens.find(token.strip())
        if found is None:
            raise Problem(401, "the bearer token is not known",
                          headers={"www-authenticate": 'Bearer realm="workbench", error="invalid_token"'})
        return found


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
