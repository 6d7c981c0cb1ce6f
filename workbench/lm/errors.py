"""Errors of a call that DSPy lets through as they are: it keeps its own family and would wrap any other."""

from __future__ import annotations

from dspy.utils.exceptions import LMError

from workbench.model.errors import BudgetSpent, ModelError, ModelRefused


class CallFailed(ModelError, LMError):  # type: ignore[misc]
    """A `ModelError` that passes through DSPy."""


class CallRefused(ModelRefused, LMError):  # type: ignore[misc]
    """A `ModelRefused` that passes through DSPy."""


class CallUnpaid(BudgetSpent, LMError):  # type: ignore[misc]
    """A `BudgetSpent` that passes through DSPy."""
