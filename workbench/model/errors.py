"""The error tree. Every message says what went wrong, where, and what to do next.

    WorkbenchError
    ├── UsageError            the caller asked for something impossible
    │   ├── TimeError         a time that cannot be read, or runs backwards
    │   ├── AmbiguousName     a name that fits several entities
    │   └── NotFound          an entity, relation, fact or episode that is not there
    ├── EpisodeError          one episode is bad; the others go on
    ├── SchemaError           the relations schema is invalid
    ├── ModelError            a language model gave no answer to one request; others may still be answered
    │   └── ModelRefused      it answers none: the key, the name of the model or the account is wrong
    ├── BudgetSpent           a budget of calls, tokens, money or time is used up; what is done is kept
    └── StoreError            the store cannot be opened, read or written
        ├── StoreLocked       another process holds the writer's lock
        ├── StoreReadOnly     a write on a store opened read-only
        ├── StoreCorrupt      files damaged or not a store of ours
        └── StoreVersion      made by another version of the format
"""

from __future__ import annotations

from collections.abc import Sequence


class WorkbenchError(Exception):
    """Base of every error that the workbench raises on purpose."""


class UsageError(WorkbenchError):
    """The request itself is wrong; the message says how to ask instead."""


class TimeError(UsageError, ValueError):
    """A time that cannot be read, or that would make knowledge time run backwards."""


class AmbiguousName(UsageError):
    """A name fits several entities.

    Attributes:
        candidates: the IRIs that fit, sorted.
    """

    def __init__(self, message: str, candidates: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.candidates: tuple[str, ...] = tuple(candidates)


class NotFound(UsageError, LookupError):
    """Nothing of that name or id is in the store."""


class EpisodeError(WorkbenchError):
    """One episode cannot be taken in; the message names it and the reason."""


class SchemaError(WorkbenchError):
    """The relations schema breaks its own rules."""


class ModelError(WorkbenchError):
    """A language model gave no answer to one request, for good: retries included. Other requests may succeed."""


class ModelRefused(ModelError):
    """No request will be answered until the setting is corrected: key, name of the model, account or address."""


class BudgetSpent(WorkbenchError):
    """A budget of calls, tokens, money or time is used up: stop here; what is done is kept."""


class StoreError(WorkbenchError):
    """The store cannot be opened, read or written."""


class StoreLocked(StoreError):
    """Another process writes to this store; the message names its pid."""


class StoreReadOnly(StoreError):
    """A write was asked of a store that was opened read-only."""


class StoreCorrupt(StoreError):
    """The files are damaged, or are not a store of this workbench."""


class StoreVersion(StoreError):
    """The store was written by another version of the format."""
