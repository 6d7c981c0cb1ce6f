"""Models behind an address: DSPy's own client where it can express the request, LiteLLM where it cannot."""

from __future__ import annotations

import os
import threading
from importlib.metadata import version
from typing import Any, Final
from urllib.parse import urlsplit

import dspy
from dspy import lm15
from dspy.clients.backend_selection import select_backend
from dspy.clients.capabilities import capabilities
from dspy.clients.costs import estimate_cost
from dspy.clients.engines import LiteLLMEngine, LM15Engine
from dspy.clients.engines.lm15_engine import timeouts_for
from dspy.utils.exceptions import LMError

from workbench.lm.calls import Identity
from workbench.model.errors import UsageError

TIMEOUT: Final = 120.0
#: What any OpenAI-compatible server is taken to understand; one that does not says so.
COMPATIBLE: Final = frozenset({"temperature", "max_tokens", "response_format", "top_p", "stop", "seed"})


class HostedEngine:
    """One attempt at a provider or an OpenAI-compatible server.

    Attributes:
        identity: the model's name and where it is asked; the key is no part of it.
    """

    in_process = False

    def __init__(self, name: str, url: str | None, timeout: float | None) -> None:
        clients: dict[str, Any] = {"timeout": timeout or TIMEOUT}
        if url is not None:
            clients |= {"api_base": checked_url(url), "api_key": os.environ.get("OPENAI_API_KEY") or "none"}
        try:
            # a model that is never called: what DSPy would choose for it
            reference = dspy.LM(name, cache=False, **clients)
            selection = select_backend(reference)
            able = capabilities(reference)
        except (ValueError, LMError, lm15.LM15Error) as error:
            raise UsageError(f"{name!r} names no model ({error}): give provider/model as LiteLLM names it, any name "
                             "with an address, or local:PATH") from error
        self._priced = url is None
        self._provider = selection.resolution.provider if selection.resolution is not None else None
        self._options = dict(selection.clients)
        self._native = self._client(name) if selection.native else None
        self._fallback: LiteLLMEngine | None = None
        self._lock = threading.Lock()
        self.supports_response_schema = able.response_schema or url is not None
        self.supports_function_calling = able.function_calling
        self.supported_params = frozenset(able.params) | (COMPATIBLE if url is not None else frozenset())
        prefix = name.partition("/")[0].upper()
        set_aside = next((os.environ[variable] for variable in (f"{prefix}_API_BASE", f"{prefix}_BASE_URL")
                          if os.environ.get(variable)), "")
        self.identity = Identity(name, f"dspy {version('dspy')}", clients.get("api_base") or bare(set_aside))

    def _client(self, name: str) -> LM15Engine:
        keys = {self._provider: self._options["api_key"]} if "api_key" in self._options else None
        address = self._options.get("api_base")
        return LM15Engine(lm15.RouterConfig(
            api_keys=keys, base_urls={self._provider: address} if address else None,
            timeouts=timeouts_for(self._options.get("timeout"))))

    def complete(self, request: Any) -> Any:
        """One attempt."""
        if self._native is not None:
            try:
                self._native.plan(request)
            except lm15.UnsupportedFeatureError:
                return self._litellm().complete(request)
            return self._native.complete(request)
        return self._litellm().complete(request)

    def _litellm(self) -> LiteLLMEngine:
        with self._lock:
            if self._fallback is None:
                self._fallback = LiteLLMEngine(**self._options)
            return self._fallback

    def cost(self, request: Any, response: Any) -> float | None:
        """By the price list that DSPy ships; None: not in it, or the server's own business."""
        if not self._priced:
            return None
        model = request.model.partition("/")[2] or request.model
        provider = self._provider or request.model.partition("/")[0]
        amount, _ = estimate_cost(response, provider=provider, requested_model=model, request=request)
        return None if amount is None else float(amount)

    def close(self) -> None:
        """Close the connections."""
        if self._native is not None:
            self._native.close()


def checked_url(url: str) -> str:
    """The address without a slash at its end.

    Raises:
        UsageError: it is no http address, or it carries a user, password or query, which would be recorded.
    """
    try:
        parts = urlsplit(url)
        wrong = parts.scheme not in ("http", "https") or not parts.hostname
    except ValueError:
        raise UsageError("the address of the model cannot be read: give http(s)://host:port/v1") from None
    if parts.username or parts.password or parts.query:
        raise UsageError("the address of a model must not carry a user, password or query: put the key into the "
                         "environment variable OPENAI_API_KEY")
    if wrong:
        raise UsageError(f"{url!r} is no address of a model: give http(s)://host:port/v1")
    return url.rstrip("/")


def bare(url: str) -> str:
    """The address without user, password and query."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl().rstrip("/")
