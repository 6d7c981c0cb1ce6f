"""Files as episodes: JSON Lines, plain text, Markdown, mail, and tables through a mapping."""

from __future__ import annotations

import csv
import email
import email.policy
import json
import mailbox
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Final

from workbench.ingest.reader import episode_from_line, episode_from_row
from workbench.model.episode import Episode
from workbench.model.errors import EpisodeError, UsageError

JSON_LINES: Final = (".jsonl", ".ndjson", ".json")
TEXTS: Final = (".txt", ".md", ".markdown")


@dataclass(frozen=True)
class Item:
    """One input of a file: an episode, or why there is none.

    Attributes:
        file, line: where it stands; lines count from 1 (for mail: messages).
    """

    file: str
    line: int
    episode: Episode | None
    reason: str = ""


def read_file(path: Path, mapping: Mapping[str, Any] | None = None) -> Iterator[Item]:
    """All inputs of a file, by its suffix; a bad one becomes an `Item` with its reason and stops nothing.

    Args:
        path: `.jsonl` `.ndjson` `.json` `.txt` `.md` `.eml` `.mbox` `.csv` `.tsv`; anything else is read as JSON Lines.
        mapping: how a row of a table (or the `record` of an episode) becomes an episode, see `map_record`.

    Raises:
        UsageError: the file cannot be read, or a table comes without a mapping.
    """
    suffix = path.suffix.lower()
    try:
        if suffix in TEXTS:
            row = {"id": path.name, "kind": "document", "text": _text(path), "source": path.name}
            yield from _attempt(path, [(1, row)])
        elif suffix == ".eml":
            message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            yield from _attempt(path, [(1, mail_row(message))])
        elif suffix == ".mbox":
            yield from _attempt(path, _mailbox(path))
        elif suffix in (".csv", ".tsv"):
            if mapping is None:
                raise UsageError(f"{path}: a table needs --mapping FILE, which says how a row becomes an episode")
            with path.open(encoding="utf-8-sig", newline="") as source:
                rows = csv.DictReader(source, delimiter="\t" if suffix == ".tsv" else ",")
                yield from _attempt(path, ((n, _table_row(row, mapping)) for n, row in enumerate(rows, 2)))
        else:
            yield from _json_lines(path, mapping)
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text ({error.reason} at byte {error.start}); "
                         f"convert it first") from error
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from error


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def _json_lines(path: Path, mapping: Mapping[str, Any] | None) -> Iterator[Item]:
    with path.open("rb") as source:
        for number, raw in enumerate(source, 1):
            if not raw.removeprefix(BOM_UTF8).strip():
                continue
            try:
                episode = episode_from_line(raw.decode("utf-8-sig"))
                if mapping is not None and episode.record is not None and episode.claims is None:
                    given = json.loads(raw.decode("utf-8-sig"))
                    episode = episode_from_row({**given, **_mapped_claims(episode.record, mapping)})
                yield Item(str(path), number, episode)
            except EpisodeError as error:
                yield Item(str(path), number, None, str(error))
            except UnicodeDecodeError as error:
                yield Item(str(path), number, None, f"not UTF-8: {error.reason} at byte {error.start}")


def _attempt(path: Path, rows: Iterable[tuple[int, Mapping[str, Any] | EpisodeError]]) -> Iterator[Item]:
    for number, row in rows:
        try:
            if isinstance(row, EpisodeError):
                raise row
            yield Item(str(path), number, episode_from_row(row))
        except EpisodeError as error:
            yield Item(str(path), number, None, str(error))


# -- mail ---------------------------------------------------------------------------------------------------------


def _mailbox(path: Path) -> Iterator[tuple[int, Mapping[str, Any] | EpisodeError]]:
    box = mailbox.mbox(str(path), create=False)
    try:
        for number, message in enumerate(box, 1):
            parsed = email.message_from_bytes(message.as_bytes(), policy=email.policy.default)
            yield number, mail_row(parsed)
    finally:
        box.close()


def mail_row(message: EmailMessage) -> dict[str, Any]:
    """A mail as an episode's JSON object: subject and plain text, sender as speaker, its date as `observed_at`."""
    body = message.get_body(preferencelist=("plain", "html"))
    content = body.get_content() if body is not None else ""
    subject = str(message.get("subject", "") or "")
    text = f"{subject}\n\n{content}" if subject else content
    row: dict[str, Any] = {"kind": "message", "text": text, "source": "mail"}
    if message.get("message-id"):
        row["id"] = str(message["message-id"]).strip("<> ")
    if message.get("from"):
        row["speaker"] = str(message["from"])
    if message.get("date"):
        try:
            sent = parsedate_to_datetime(str(message["date"]))
            row["observed_at"] = sent.isoformat() if sent.tzinfo else f"{sent.isoformat()}Z"
        except ValueError:
            pass
    thread = message.get("references") or message.get("in-reply-to") or message.get("message-id")
    if thread:
        row["session"] = str(thread).split()[0].strip("<>")
    return row


# -- tables and records -------------------------------------------------------------------------------------------


def load_mapping(path: Path) -> dict[str, Any]:
    """A mapping from a JSON file: an episode's object whose texts may hold `{column}`; see `map_record`.

    Raises:
        UsageError: not readable, or not a JSON object.
    """
    try:
        mapping = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read mapping {path}: {error}") from error
    if not isinstance(mapping, dict):
        raise UsageError(f"mapping {path} must be a JSON object, like an episode with {{column}} in its texts")
    claims = mapping.get("claims", [])
    if not isinstance(claims, list) or not all(isinstance(claim, dict) for claim in claims):
        raise UsageError(f"mapping {path}: claims must be a list of objects")
    return mapping


def map_record(record: Mapping[str, Any], mapping: Mapping[str, Any]) -> dict[str, Any]:
    """A row as an episode's JSON object. `{column}` in any text of the mapping becomes the row's value; what comes
    out empty is left out, and a claim without subject or value with it.

    >>> map_record({"name": "Ann", "team": "Ops", "since": ""},
    ...            {"id": "hr-{name}", "claims": [{"subject": "{name}", "relation": "memberOf", "object": "{team}",
    ...                                            "valid_from": "{since}"}]})["claims"]
    [{'subject': 'Ann', 'relation': 'memberOf', 'object': 'Ops'}]
    """
    filled = _fill(mapping, {key: value for key, value in record.items() if key is not None})
    row = {"kind": "record", "record": dict(record), **filled}
    row["claims"] = [claim for claim in row.get("claims", []) if _is_whole(claim)]
    return row


def _table_row(row: Mapping[str | None, Any], mapping: Mapping[str, Any]) -> dict[str, Any] | EpisodeError:
    if None in row:  # where the reader puts what has no column
        return EpisodeError(f"the row has {len(row[None])} cells more than the table has columns; mend its separators "
                            f"or quotes")
    return map_record({str(name): value for name, value in row.items()}, mapping)


def _mapped_claims(record: Mapping[str, Any], mapping: Mapping[str, Any]) -> dict[str, Any]:
    filled = map_record(record, mapping)
    return {"claims": filled["claims"]}


def _is_whole(claim: Mapping[str, Any]) -> bool:
    return bool(claim.get("subject")) and ("object" in claim or "value" in claim)


def _fill(template: Any, record: Mapping[str, Any]) -> Any:
    if isinstance(template, str):
        only = template[1:-1] if template.startswith("{") and template.endswith("}") else None
        if only is not None and only in record:
            return record[only]
        for name, value in record.items():
            template = template.replace("{" + name + "}", "" if value is None else str(value))
        return template
    if isinstance(template, Mapping):
        return {key: value for key, part in template.items() if (value := _fill(part, record)) not in ("", None)}
    if isinstance(template, list):
        return [_fill(part, record) for part in template]
    return template
