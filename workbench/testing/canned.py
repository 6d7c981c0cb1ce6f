"""A canned language model: scripted replies through the same engine seam as a real one, for tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from workbench.lm.scripted import Faults, Scripted, ScriptedEngine

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.lm.limits import Limits

__all__ = ["CannedEngine", "Faults", "canned_lm", "faulty_lm"]


class CannedEngine(ScriptedEngine):
    """Replies in turn; the last one again when they run out. A function gets the text of the request.

    Attributes:
        replies: what is said.
        seen: text of every request so far.
    """

    def __init__(self, *replies: str | Callable[[str], str], faults: Faults | None = None) -> None:
        super().__init__([Scripted(reply) for reply in replies], faults)
        self.replies = replies


def canned_lm(*replies: str | Callable[[str], str]) -> Any:
    """A `dspy.LM` over a `CannedEngine`, without record, cache or retries; its engine is `lm.engine`."""
    import dspy

    return dspy.LM("canned/script", engine=CannedEngine(*replies), num_retries=0, cache=False)


def faulty_lm(*replies: str | Callable[[str], str], p_fail: float = 0.0, p_timeout: float = 0.0,
              p_broken: float = 0.0, seed: int = 0, calls: Path | None = None, replay: bool = False,
              limits: Limits | None = None) -> Any:
    """A `dspy.LM` that goes wrong on purpose, with record, limits and retries as `open_model` gives them, in no time.

    Args:
        replies: what is said in turn; a function gets the text of the request.
        p_fail: share of attempts that the server refuses for the moment.
        p_timeout: share that time out.
        p_broken: share of answers that are cut in the middle.
        seed: of the faults; the same request meets the same faults, whatever the order.
        calls: the record, a file.
        replay: answer from the record only.
        limits: bounds; waits are counted, not waited.

    Returns:
        The model; `lm.engine.backend` is the `CannedEngine`, `lm.engine.meter` counts attempts.
    """
    from workbench.lm.limits import Limits
    from workbench.lm.setting import over_engine

    engine = CannedEngine(*replies, faults=Faults(p_fail, p_timeout, p_broken, seed))
    elapsed = [0.0]

    def sleep(seconds: float) -> None:
        elapsed[0] += seconds

    return over_engine(engine, calls=calls, replay=replay, limits=limits or Limits(), sleep=sleep,
                       now=lambda: elapsed[0])
