"""One setting opens any model: a provider's, a server's, one from a file in this process, or a script."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, Final

from workbench.lm.calls import Calls
from workbench.lm.limits import Limits, Meter
from workbench.lm.replaying import as_recorded, remembered
from workbench.model.clock import Clock, SystemClock
from workbench.model.errors import UsageError

if TYPE_CHECKING:
    from workbench.lm.engine import Backend

#: Read by DSPy, LiteLLM and the hub's client before they would fetch price lists, look for updates or send counts.
QUIET: Final = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True", "HF_HUB_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1",
}
#: Prefixes that say how a server of one's own speaks; a name without one is asked as OpenAI's models are.
DIALECTS: Final = ("openai/", "hosted_vllm/", "ollama/", "ollama_chat/")
OFFLINE: Final = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}


def open_model(setting: str, *, url: str | None = None, calls: Path | None = None, replay: bool = False,
               limits: Limits = Limits(), seed: int = 0, clock: Clock | None = None) -> Any:  # noqa: B008
    """Open a language model; nobody but the model itself is ever called.

    Args:
        setting: `provider/model` as LiteLLM names it, its key in the provider's environment variable; any name, with
            `url`; `local:PATH`, a GGUF file or the folder of a hub model, run in this process; `canned:FILE`, a script
            (`workbench.lm.scripted.read_script`).
        url: an OpenAI-compatible server; its key, if it wants one, in `OPENAI_API_KEY`.
        calls: the file that records every call (`workbench.lm.calls.Calls`); a recorded call is not repeated.
        replay: answer from the record and never call.
        limits: concurrency, retries, rate and budgets.
        seed: of sampling in process and of the pauses between tries.
        clock: what the record takes the time from; default: the machine's.

    Returns:
        A `dspy.LM` at temperature 0 without DSPy's cache, for `dspy.context(lm=…)`; `lm.engine` is a
        `workbench.lm.engine.RecordedEngine` with counts. Its calls raise `ModelError` and `BudgetSpent`.

    Raises:
        UsageError: no such model, file or address; an extra is not installed; replay without a record.
    """
    if replay and (calls is None or not calls.is_file()):
        raise UsageError("a replay needs the record of a run: name an existing file of calls"
                         if calls is None else f"a replay needs the record of a run, and there is none at {calls}")
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    if not setting.strip():
        raise UsageError("no model is named: give provider/model, local:PATH or canned:FILE")
    _require_dspy()
    kind, _, rest = setting.partition(":")
    if kind in ("local", "canned") and url is not None:
        raise UsageError(f"{setting!r} runs in this process and takes no address: leave out one of the two")
    for name, value in (OFFLINE if kind == "local" else {}).items():
        os.environ[name] = value
    record = None if calls is None else Calls(calls)
    backend = _hosted(setting, url, limits) if kind not in ("local", "canned") else None
    if replay and record is not None:
        backend = remembered(record, kind, rest) if backend is None else as_recorded(record, backend)
    elif backend is None:
        backend = _in_process(kind, Path(rest).expanduser(), limits, seed)
    return over_engine(backend, calls=record, replay=replay, limits=limits, seed=seed, clock=clock)


def _hosted(setting: str, url: str | None, limits: Limits) -> Backend:
    from workbench.lm.hosted import HostedEngine

    if url is not None and limits.cost is not None:
        raise UsageError("a budget of money needs a model whose price is known: for a server of one's own give a "
                         "budget of tokens or seconds")
    plain = url is not None and not setting.startswith(DIALECTS)
    return HostedEngine(f"openai/{setting}" if plain else setting, url, limits.timeout)


def _in_process(kind: str, path: Path, limits: Limits, seed: int) -> Backend:
    if kind == "canned":
        from workbench.lm.scripted import read_script

        return read_script(path)
    from workbench.lm.local import LocalEngine

    return LocalEngine(path, seed=seed, timeout=limits.timeout)


def over_engine(backend: Backend, *, calls: Path | Calls | None = None, replay: bool = False,
                limits: Limits = Limits(), seed: int = 0, clock: Clock | None = None,  # noqa: B008
                sleep: Callable[[float], object] = sleep, now: Callable[[], float] = perf_counter) -> Any:
    """As `open_model`, over an engine of one's own.

    Args:
        backend: what answers.
        calls, replay, limits, seed, clock: as in `open_model`.
        sleep: waits a number of seconds.
        now: seconds since some moment.
    """
    _require_dspy()
    import dspy
    from dspy.utils.exceptions import LMConfigurationError

    from workbench.lm.engine import RecordedAsyncEngine, RecordedEngine

    engine = RecordedEngine(backend, Calls(calls) if isinstance(calls, Path) else calls, replay,
                            Meter(limits, seed, now, sleep), clock or SystemClock(), now, seed)
    pair = {"engine": engine, "async_engine": RecordedAsyncEngine(engine), "num_retries": 0, "cache": False}
    try:
        return dspy.LM(backend.identity.model, temperature=0.0, max_tokens=limits.reply, **pair)
    except LMConfigurationError:
        # OpenAI's reasoning models take neither a temperature nor a short bound
        return dspy.LM(backend.identity.model, **pair)


def _require_dspy() -> None:
    from importlib.util import find_spec

    if find_spec("dspy") is None:
        raise UsageError("language models need the extra lm: pip install 'temporal-context-workbench[lm]'")
