"""A model that is only remembered: what a replay asks, so that neither weights, server nor key need be there."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.lm.calls import Calls, Identity
from workbench.lm.weights import model_files, sha256
from workbench.model.errors import UsageError

if TYPE_CHECKING:
    from workbench.lm.engine import Backend


class Remembered:
    """The identity of a recorded model, with what its engine told DSPy's adapters; it is never asked.

    Attributes:
        identity: as recorded.
    """

    in_process = True

    def __init__(self, identity: Identity, supports_response_schema: bool = True,
                 supports_function_calling: bool = False,
                 supported_params: Iterable[str] = ("temperature", "max_tokens", "response_format")) -> None:
        self.identity = identity
        self.supports_response_schema = supports_response_schema
        self.supports_function_calling = supports_function_calling
        self.supported_params = frozenset(supported_params)

    def complete(self, request: Any) -> Any:
        """Never called in a replay."""
        raise UsageError(f"{self.identity.model} is only remembered: run without replay")

    def cost(self, request: Any, response: Any) -> float:
        """Nothing."""
        return 0.0


def remembered(calls: Calls, kind: str, rest: str) -> Remembered:
    """The model in process that a record knows.

    Args:
        calls: the record.
        kind: `local` or `canned`.
        rest: the path; where nothing lies there any more: first digits of the digest, or anything if the record knows
            only one such model.

    Raises:
        UsageError: the record knows no such model, or several.
    """
    known = [identity for identity in calls.identities() if identity.model.startswith(f"{kind}/")]
    path = Path(rest).expanduser()
    wanted = rest.rpartition("/")[2]
    if path.exists():
        wanted = sha256(model_files(path) if kind == "local" else [path])
    found = [identity for identity in known if wanted and identity.digest.startswith(wanted)]
    if not found and not path.exists() and len({identity.digest for identity in known}) == 1:
        found = known
    if not found:
        models = ", ".join(sorted({identity.model for identity in known})) or "none"
        raise UsageError(f"{calls.path} holds no calls of {kind}:{rest}; of this kind it knows {models}: name one of "
                         "them or run without replay")
    return Remembered(found[0])


def as_recorded(calls: Calls, backend: Backend) -> Remembered:
    """A hosted model under the identity that the record knows: the same name and address, whatever the engine."""
    here = backend.identity
    same = [known for known in calls.identities() if (known.model, known.endpoint) == (here.model, here.endpoint)]
    return Remembered(same[0] if same else here, backend.supports_response_schema, backend.supports_function_calling,
                      backend.supported_params)
