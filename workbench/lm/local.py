"""A model run in this process: the weights of a GGUF file, or of a hub folder, on llama.cpp or transformers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Any, Final, Protocol

from workbench.lm.calls import Identity
from workbench.lm.weights import model_files, model_name, sha256
from workbench.model.errors import UsageError

TIMEOUT: Final = 600.0
CONTEXT: Final = 8192
LLAMA: Final = "llama.cpp"
TRANSFORMERS: Final = "transformers"


class ContextTooLong(ValueError):
    """The prompt and the longest reply do not fit into the model's context."""


@dataclass(frozen=True)
class Asked:
    """What a runtime generates from.

    Attributes:
        turns: (role, text) in order, `system` first if there is one.
        schema: JSON schema that the reply must follow; None: free text.
        tokens: longest reply.
        temperature: 0 = the likeliest token each time.
        seed: of sampling.
        late: whether time is up; looked at between tokens.
    """

    turns: Sequence[tuple[str, str]]
    schema: dict[str, Any] | None
    tokens: int
    temperature: float
    seed: int
    late: Callable[[], bool]


@dataclass(frozen=True)
class Said:
    """What a runtime generated.

    Attributes:
        text: the reply.
        whole: it ended by itself, not at the bound.
        tokens_in, tokens_out: of prompt and reply.
    """

    text: str
    whole: bool
    tokens_in: int
    tokens_out: int


class Runtime(Protocol):
    """Runs one model.

    Attributes:
        name: software, version and what of its setting changes replies.
    """

    name: str

    def generate(self, asked: Asked) -> Said:
        """One reply.

        Raises:
            TimeoutError: `late` said so.
            ContextTooLong: the prompt does not fit.
            ValueError: the schema cannot be made a grammar.
        """
        ...


class LocalEngine:
    """One model in process, asked one request at a time; the weights are loaded at the first.

    Attributes:
        identity: `local/` with the first 12 digits of the weights' SHA-256; no path is part of it.
    """

    in_process = True
    supports_response_schema = True
    supports_function_calling = False
    supported_params = frozenset({"temperature", "max_tokens", "response_format"})

    def __init__(self, path: Path, *, seed: int = 0, timeout: float | None = None, runtime: str | None = None) -> None:
        self._path = path
        self._files = model_files(path)
        self._kind = runtime or pick_runtime(path)
        self._seed, self._timeout = seed, timeout or TIMEOUT
        self._lock = threading.Lock()
        self._runtime: Runtime | None = None
        whole = sha256(self._files)
        self.identity = Identity(model_name(whole), f"{runtime_name(self._kind)}, context {CONTEXT}, "
                                 f"seed {seed}", digest=whole)

    def complete(self, request: Any) -> Any:
        """The reply of the model, bounded in tokens and time."""
        from dspy import lm15

        with self._lock:
            if self._runtime is None:
                self._runtime = load(self._kind, self._path, self._files)
            until = monotonic() + self._timeout
            asked = Asked(turns_of(request), schema_of(request), request.config.max_tokens or 1024,
                          request.config.temperature or 0.0,
                          self._seed if request.config.seed is None else request.config.seed,
                          lambda: monotonic() > until)
            try:
                said = self._runtime.generate(asked)
            except TimeoutError as error:
                raise lm15.TimeoutError(f"no reply within {self._timeout:g} s") from error
            except ContextTooLong as error:
                raise lm15.ContextLengthError(str(error)) from error
            except ValueError as error:
                raise lm15.InvalidRequestError(str(error)) from error
        return lm15.Response(
            id=None, model=request.model, message=lm15.Message.assistant([lm15.TextPart(said.text)]),
            finish_reason="stop" if said.whole else "length",
            usage=lm15.Usage(input_tokens=said.tokens_in, output_tokens=said.tokens_out))

    def cost(self, request: Any, response: Any) -> float:
        """Nothing."""
        return 0.0


def pick_runtime(path: Path) -> str:
    """llama.cpp for GGUF weights where it is installed, else transformers.

    Raises:
        UsageError: neither is installed.
    """
    gguf = path.is_file() or any(path.glob("*.gguf"))
    if gguf and find_spec("llama_cpp") is not None:
        return LLAMA
    if all(find_spec(name) is not None for name in ("torch", "transformers", *(("gguf",) if gguf else ()))):
        return TRANSFORMERS
    raise UsageError("a model in process needs the extra local: pip install 'temporal-context-workbench[local]'"
                     + (", or llama-cpp-python, which is lighter" if gguf else ""))


def runtime_name(kind: str) -> str:
    """The software's name with its version."""
    from importlib.metadata import version

    return f"{kind} {version('llama-cpp-python' if kind == LLAMA else 'transformers')}"


def load(kind: str, path: Path, files: Sequence[Path]) -> Runtime:
    """Load the weights."""
    if kind == LLAMA:
        from workbench.lm.llamacpp import LlamaRuntime

        return LlamaRuntime(files[0], CONTEXT)
    from workbench.lm.hub import HubRuntime

    return HubRuntime(path if path.is_dir() else path.parent, files[0].name if files[0].suffix == ".gguf" else None)


def turns_of(request: Any) -> list[tuple[str, str]]:
    """Roles and texts of a request, the system text first."""
    system = [("system", str(request.system))] if request.system else []
    return [*system, *((message.role, message.text or "") for message in request.messages)]


def schema_of(request: Any) -> dict[str, Any] | None:
    """The schema that a request wants its reply to follow; any JSON object: a bare object schema."""
    wanted = request.config.response_format
    if wanted is None:
        return None
    return dict(wanted["schema"]) if wanted["type"] == "json_schema" else {"type": "object"}
