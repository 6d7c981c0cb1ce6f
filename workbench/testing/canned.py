"""A canned language model: scripted replies through the same engine seam as a real one, for tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class CannedEngine:
    """An engine of DSPy's own contract (`complete(Request) -> Response`) that replies from a script.

    Attributes:
        replies: what is said, in turn; the last one again when they run out. A function gets the text of the request.
        seen: text of every request so far.
    """

    supports_response_schema = True
    supports_function_calling = False
    supported_params = frozenset({"temperature", "max_tokens", "response_format"})

    def __init__(self, *replies: str | Callable[[str], str]) -> None:
        self.replies = replies
        self.seen: list[str] = []

    def complete(self, request: Any) -> Any:
        """The next reply; tokens are counted as words."""
        from dspy.lm15 import Message, Response, TextPart, Usage

        text = "\n".join([str(request.system or ""), *(message.text for message in request.messages)])
        self.seen.append(text)
        reply = self.replies[min(len(self.seen), len(self.replies)) - 1]
        said = reply if isinstance(reply, str) else reply(text)
        return Response(id=None, model=request.model, message=Message.assistant([TextPart(said)]), finish_reason="stop",
                        usage=Usage(input_tokens=len(text.split()), output_tokens=len(said.split())))


def canned_lm(*replies: str | Callable[[str], str]) -> Any:
    """A `dspy.LM` over a `CannedEngine`, without cache or retries; its engine is `lm.engine`."""
    import dspy

    return dspy.LM("canned/script", engine=CannedEngine(*replies), num_retries=0, cache=False)
