"""Who may do what: bearer tokens with scopes, from a file."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.model.errors import UsageError


@dataclass(frozen=True)
class Principal:
    """Someone who asks.

    Attributes:
        name: for the log.
        read, write: what they may do.
        sources: the sources whose episodes they may see; None = all.
    """

    name: str
    read: bool = True
    write: bool = False
    sources: tuple[str, ...] | None = None


class Tokens:
    """The tokens of a file: a JSON list of objects.

        {"token": "…" (or "sha256": "hex of it"), "name": "ann", "scopes": ["read", "write"], "sources": ["mail"]}

    `scopes` is `["read"]` if it is left out; without `sources` all episodes are visible.
    """

    def __init__(self, entries: list[tuple[bytes, Principal]]) -> None:
        self._entries = entries

    @classmethod
    def read(cls, path: Path) -> Tokens:
        """Read a file.

        Raises:
            UsageError: it cannot be read, or an entry is wrong; the message never holds a token.
        """
        try:
            rows = json.loads(path.read_text("utf-8"))
            return cls([_entry(number, row) for number, row in enumerate(rows, 1)])
        except OSError as error:
            raise UsageError(f"cannot read the tokens in {path}: {error.strerror or error}") from error
        except (ValueError, TypeError, AttributeError) as error:
            raise UsageError(f"{path} is no list of tokens: {type(error).__name__}; see `workbench serve --help`"
                             ) from None

    def find(self, token: str) -> Principal | None:
        """Whose token it is, or None; takes as long for a wrong one as for a right one."""
        given = hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
        found = None
        for digest, principal in self._entries:
            if hmac.compare_digest(digest, given):
                found = principal
        return found


def _entry(number: int, row: dict[str, Any]) -> tuple[bytes, Principal]:
    known = {"token", "sha256", "name", "scopes", "sources"}
    scopes = row.get("scopes", ["read"])
    if set(row) - known or ("token" in row) == ("sha256" in row) or set(scopes) - {"read", "write"}:
        raise UsageError(f"token {number}: there are token or sha256, name, scopes (read, write) and sources")
    if "token" in row and len(row["token"]) < 16:
        raise UsageError(f"token {number} is shorter than 16 characters; make a longer one at random")
    digest = bytes.fromhex(row["sha256"]) if "sha256" in row else hashlib.sha256(row["token"].encode()).digest()
    sources = row.get("sources")
    return digest, Principal(str(row.get("name", f"token-{number}")), "read" in scopes, "write" in scopes,
                             None if sources is None else tuple(sorted(map(str, sources))))
