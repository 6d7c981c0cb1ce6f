"""Language models by one setting, with every call recorded: `open_model`, `Limits`, and `calls.Calls`.

    setting ── open_model ──► dspy.LM ── RecordedEngine: record, limits, retries ──► hosted | local | scripted engine

Importing this package loads neither dspy nor a model.
"""

from workbench.lm.limits import Limits
from workbench.lm.setting import open_model

__all__ = ["Limits", "open_model"]
