"""A model that replies from a script, and one that fails on purpose: for tests, notebooks and rehearsals."""

from __future__ import annotations

import hashlib
import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.lm.calls import Identity
from workbench.model.errors import UsageError


@dataclass(frozen=True)
class Faults:
    """How often calls go wrong; which ones depends on the seed, the request and how often it was tried, on nothing
    else: not on threads, not on the order of calls.

    Attributes:
        p_fail: share of attempts that the server refuses for the moment, in [0, 1].
        p_timeout: share that time out.
        p_broken: share of answers that are cut in the middle, so that their JSON cannot be read.
        seed: another seed, other faults.
    """

    p_fail: float = 0.0
    p_timeout: float = 0.0
    p_broken: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if min(self.p_fail, self.p_timeout, self.p_broken) < 0 or self.p_fail + self.p_timeout + self.p_broken > 1:
            raise UsageError(f"shares of faults lie in [0, 1] and add up to at most 1: {self}")


@dataclass(frozen=True)
class Scripted:
    """A reply, and what the last message and the instructions must hold for it; nothing: it is given in turn."""

    reply: str | Callable[[str], str]
    contains: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


class ScriptedEngine:
    """An engine of DSPy's contract that replies from a script; tokens are counted as words.

    A reply whose words all stand in the request's last message comes first; else the replies without words come in
    turn, the last one again when they run out.

    Attributes:
        seen: text of every request so far.
        attempts: how many there were.
    """

    in_process = False
    supports_response_schema = True
    supports_function_calling = False
    supported_params = frozenset({"temperature", "max_tokens", "response_format"})

    def __init__(self, script: Sequence[Scripted], faults: Faults | None = None, digest: str = "") -> None:
        self.identity = Identity(f"canned/{digest[:12] or 'script'}", "canned", digest=digest)
        self.faults = faults or Faults()
        self.seen: list[str] = []
        self._keyed = [line for line in script if line.contains or line.told]
        self._turns = [line for line in script if not (line.contains or line.told)]
        self._turn = 0
        self._tried: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def attempts(self) -> int:
        """How many requests came, those that failed on purpose included."""
        return self._tried.total()

    def complete(self, request: Any) -> Any:
        """The reply that the script has for it, or a fault."""
        from dspy import lm15

        text = "\n".join([str(request.system or ""), *(message.text or "" for message in request.messages)])
        with self._lock:
            self.seen.append(text)
            self._tried[text] += 1
            draw = self._draw(text, self._tried[text])
        if draw < self.faults.p_fail:
            raise lm15.ServerError("refused on purpose", status=503)
        draw -= self.faults.p_fail
        if draw < self.faults.p_timeout:
            raise lm15.TimeoutError("timed out on purpose")
        said = self._reply(request.messages[-1].text or "", str(request.system or ""), text)
        if draw - self.faults.p_timeout < self.faults.p_broken:
            said = said[:len(said) // 2]
        return lm15.Response(
            id=None, model=request.model, message=lm15.Message.assistant([lm15.TextPart(said)]), finish_reason="stop",
            usage=lm15.Usage(input_tokens=len(text.split()), output_tokens=len(said.split())))

    def _draw(self, text: str, attempt: int) -> float:
        seed = hashlib.blake2b(f"{self.faults.seed}\0{attempt}\0{text}".encode("utf-8", "surrogatepass")).digest()
        return random.Random(seed).random()

    def _reply(self, last: str, told: str, text: str) -> str:
        from dspy import lm15

        line = next((line for line in self._keyed if all(words in last for words in line.contains)
                     and all(words in told for words in line.told)), None)
        if line is None:
            if not self._turns:
                raise lm15.InvalidRequestError(f"the script has no reply for: {last[-200:]}")
            with self._lock:
                line = self._turns[min(self._turn, len(self._turns) - 1)]
                self._turn += 1
        return line.reply if isinstance(line.reply, str) else line.reply(text)

    def cost(self, request: Any, response: Any) -> float:
        """Nothing."""
        return 0.0

    def stream(self, request: Any) -> Any:
        """The reply as events."""
        from dspy import lm15

        return lm15.response_to_events(self.complete(request))


def read_script(path: Path) -> ScriptedEngine:
    """Read a script: JSON Lines, each `{"reply": …, "contains": "words" or ["words", …], "told": the same}`.

    `reply` is a text, or any other JSON value, which is said as JSON; `contains` (what the last message must hold) and
    `told` (what the instructions must hold) may be missing; the first line that fits counts. A line
    `{"faults": {"p_fail": 0.2, "p_timeout": 0.05, "p_broken": 0.1, "seed": 1}}` makes the model fail on purpose.

    Raises:
        UsageError: the file or a line of it cannot be read.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"the script of a canned model cannot be read ({error}): give canned:FILE") from error
    script: list[Scripted] = []
    faults = None
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if "faults" in row:
                faults = Faults(**row["faults"])
                continue
            reply, contains, told = row["reply"], *(
                (words,) if isinstance(words, str) else tuple(words)
                for words in (row.get("contains", ()), row.get("told", ())))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise UsageError(f'{path}, line {number}: not an object with "reply" ({error!r})') from error
        script.append(Scripted(reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False),
                               contains, told))
    if not script:
        raise UsageError(f'{path} has no reply: give lines like {{"contains": "words", "reply": "…"}}')
    return ScriptedEngine(script, faults, hashlib.sha256(content).hexdigest())
