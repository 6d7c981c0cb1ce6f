"""The one place that every call to a language model passes, hosted or local: record, limits, retries.

`RecordedEngine` is an engine of DSPy's own contract (`complete(Request) -> Response`) around another one, so that it
covers every kind of model and every adapter, optimiser and thread.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from time import perf_counter
from typing import Any, Final, Protocol, TypeVar

from dspy import lm15

# the bundled library's canonical form has no public name in DSPy 3.4, to which the extra is pinned
from dspy._vendor.lm15.serde import request_to_dict, response_from_dict, response_to_dict

from workbench.lm.calls import Call, Calls, Identity, again, hashed, purpose, without_secrets
from workbench.lm.errors import CallFailed, CallRefused, CallUnpaid
from workbench.lm.limits import Meter
from workbench.model.clock import Clock
from workbench.model.errors import BudgetSpent

PASSING: Final = (lm15.RateLimitError, lm15.TimeoutError, lm15.ServerError, lm15.TransportError)
EVERYWHERE: Final = (lm15.AuthError, lm15.BillingError, lm15.UnsupportedModelError, lm15.ConfigurationError)
ADVICE: Final = {
    lm15.AuthError: "check the key in the provider's environment variable",
    lm15.BillingError: "check the account with the provider",
    lm15.UnsupportedModelError: "check the model's name",
    lm15.ConfigurationError: "check the model's name and the key in the provider's environment variable",
    lm15.RateLimitError: "lower Limits.per_minute or Limits.parallel, then run again",
    lm15.TimeoutError: "raise Limits.timeout or shorten the text, then run again",
    lm15.ContextLengthError: "shorten the text, or take a model with a longer context",
}
_Engine = TypeVar("_Engine")


class Backend(Protocol):
    """What answers: one attempt, no retries, errors of `dspy.lm15`.

    Attributes:
        identity: what the record knows it by.
        in_process: it runs here: a failure would be the same again, and sampling follows `config.seed`.
        supports_response_schema, supports_function_calling, supported_params: hints for DSPy's adapters.
    """

    identity: Identity
    in_process: bool
    supports_response_schema: bool
    supports_function_calling: bool
    supported_params: frozenset[str]

    def complete(self, request: Any) -> Any:
        """A `dspy.lm15.Response` to a `dspy.lm15.Request`."""
        ...

    def cost(self, request: Any, response: Any) -> float | None:
        """US dollars; None: not known."""
        ...


class RecordedEngine:
    """Answers from the record where it can, asks the backend within limits where it must, and records what it says.

    A request at temperature 0 has one answer, the latest. Sampling asks for another each time: the n-th ask since
    opening gets the n-th answer recorded, so that a run that was cut off goes on where it stopped, and a replay goes
    through the same answers again. A response from the record carries the usage that it had; it costs nothing anew.

    Attributes:
        backend: what answers.
        calls: the record, if any.
        meter: what was asked so far.
        reused: answers taken from the record so far.
    """

    def __init__(self, backend: Backend, calls: Calls | None, replay: bool, meter: Meter, clock: Clock,
                 now: Callable[[], float] = perf_counter, seed: int = 0) -> None:
        self.backend, self.calls, self.replay, self.meter, self.reused = backend, calls, replay, meter, 0
        self.supports_response_schema = backend.supports_response_schema
        self.supports_function_calling = backend.supports_function_calling
        self.supported_params = backend.supported_params
        self._clock, self._now, self._seed = clock, now, seed
        self._lock = threading.Lock()
        self._asked: dict[str, int] = {}

    def complete(self, request: Any) -> Any:
        """The response to a request.

        Raises:
            ModelError: no answer after all tries, or, in replay, none in the record.
            BudgetSpent: a budget is used up.
        """
        body = request_to_dict(request)
        key = self.backend.identity.key(body)
        number = None if request.config.temperature == 0 else self._number(key)
        if self.calls is not None and (self.replay or not again.get()):
            recorded = self.calls.answer(key, number)
            if recorded is not None and recorded.output is not None:
                with self._lock:
                    self.reused += 1
                return response_from_dict(json.loads(recorded.output))
        if self.replay:
            raise self._absent(key)
        if number is not None and self.backend.in_process:
            request = replace(request, config=replace(request.config, seed=self._seed + number))
        return self._ask(request, body, key)

    def _number(self, key: str) -> int:
        with self._lock:
            number = self._asked.get(key, 0)
            self._asked[key] = number + 1
        return number % max(self.calls.count(key), 1) if self.calls is not None and self.replay else number

    def _absent(self, key: str) -> CallFailed:
        failed = None if self.calls is None else self.calls.failure(key)
        if failed is not None:
            return CallFailed(f"the recorded call failed: {failed.error}")
        where = "" if self.calls is None else f" in {self.calls.path}"
        return CallFailed(f"no recorded answer{where} to this request of {self.backend.identity.model}: the text, the "
                          "program, the model or its setting differs from the recorded run; run without replay")

    def _ask(self, request: Any, body: dict[str, Any], key: str) -> Any:
        begin, tries = self._now(), 0
        while True:
            tries += 1
            try:
                with self.meter.attempt():
                    asked = self._now()
                    response = self.backend.complete(request)
                    seconds = self._now() - asked
                break
            except BudgetSpent as error:
                raise CallUnpaid(str(error)) from error
            except lm15.LM15Error as error:
                passing = isinstance(error, PASSING) and not self.backend.in_process
                if not passing or tries >= self.meter.limits.tries:
                    reason = self._reason(error, tries)
                    self._record(key, body, None, reason, self._now() - begin, None, tries)
                    raise (CallRefused if isinstance(error, EVERYWHERE) else CallFailed)(reason) from error
                self.meter.pause(tries, getattr(error, "retry_after", None))
        response = replace(response, provider_data=None)
        cost = self.backend.cost(request, response)
        usage = response.usage
        self.meter.spend((usage.input_tokens or 0) + (usage.output_tokens or 0), cost)
        self._record(key, body, response, None, seconds, cost, tries)
        return response

    def _reason(self, error: Any, tries: int) -> str:
        said = without_secrets(str(getattr(error, "message", "") or error)).partition("\n\n")[0]
        advice = next((text for kind, text in ADVICE.items() if isinstance(error, kind)),
                      "see what it says, then run again")
        at = f" at {self.backend.identity.endpoint}" if self.backend.identity.endpoint else ""
        times = "" if tries == 1 else f" after {tries} tries"
        return f"{self.backend.identity.model}{at} gave no answer{times}: {type(error).__name__}: {said}; {advice}"

    def _record(self, key: str, body: dict[str, Any], response: Any, error: str | None, seconds: float,
                cost: float | None, tries: int) -> None:
        if self.calls is None:
            return
        prompt = hashed({name: body.get(name) for name in ("system", "messages", "tools")})
        output = None if response is None else json.dumps(response_to_dict(response), ensure_ascii=False)
        usage = None if response is None else response.usage
        of = self.backend.identity
        self.calls.add(Call(
            key=key, model=of.model, engine=of.engine, endpoint=of.endpoint, digest=of.digest, prompt=prompt,
            parameters=json.dumps(body.get("config", {}), sort_keys=True), output=output, error=error,
            tokens_in=usage and usage.input_tokens, tokens_out=usage and usage.output_tokens, seconds=seconds,
            cost=cost, tries=tries, purpose=purpose.get(), at=self._clock.now().iso()))

    def stream(self, request: Any) -> Iterator[Any]:
        """The response as events, once it is whole."""
        return iter(lm15.response_to_events(self.complete(request)))

    def close(self) -> None:
        """Close the record and the backend's connections."""
        if self.calls is not None:
            self.calls.close()
        with suppress(AttributeError):
            self.backend.close()  # type: ignore[attr-defined]

    def __deepcopy__(self: _Engine, memo: object) -> _Engine:
        """Copies of a program share the model, its record and its limits."""
        return self


class RecordedAsyncEngine:
    """The same for DSPy's asynchronous calls: each waits in a thread."""

    def __init__(self, engine: RecordedEngine) -> None:
        self.engine = engine

    async def complete(self, request: Any) -> Any:
        """As `RecordedEngine.complete`."""
        return await asyncio.to_thread(self.engine.complete, request)

    async def stream(self, request: Any) -> AsyncIterator[Any]:
        """As `RecordedEngine.stream`."""
        for event in self.engine.stream(await asyncio.to_thread(lambda: request)):
            yield event

    async def aclose(self) -> None:
        """Nothing: the engine is shared."""

    def __deepcopy__(self: _Engine, memo: object) -> _Engine:
        return self
