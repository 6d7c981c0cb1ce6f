"""What went wrong, as RFC 9457 problem details."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

PROBLEM_JSON = "application/problem+json"


class Problem(Exception):
    """An answer that is an error.

    Attributes:
        status: of HTTP.
        detail: what, where and what to do.
        headers: to send along.
        more: further members, such as `line` and `column`.
    """

    def __init__(self, status: int, detail: str, *, headers: Mapping[str, str] | None = None, **more: Any) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail
        self.headers = dict(headers or {})
        self.more = {name: value for name, value in more.items() if value is not None}

    def body(self) -> bytes:
        """The problem object; its type is `about:blank`, so the title is the status' own phrase."""
        row = {"type": "about:blank", "title": phrase(self.status), "status": self.status, "detail": self.detail,
               **self.more}
        return json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")


def phrase(status: int) -> str:
    """What a status is called."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"
