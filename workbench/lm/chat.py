"""Turns of a conversation as a model's chat template lays them out, with what was said kept apart from its marks.

A template's marks (`<|im_start|>` and the like) are tokens of their own. Where they stand in a text they are only text:
an episode that holds them cannot open a turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

_PLACE = re.compile("\ue000(\\d+)\ue001")


def pieces(render: Callable[[list[dict[str, Any]]], str], turns: Sequence[tuple[str, str]]) -> list[tuple[str, bool]]:
    """The prompt in pieces, each with whether it belongs to the template.

    Args:
        render: the template: messages in, prompt out, ready for the model's reply.
        turns: (role, text) in order. A template that knows no system role gets its text in the first user turn.

    Raises:
        ValueError: the template refuses the turns or leaves one out.
    """
    try:
        return _laid_out(render, turns)
    except Exception as error:
        if len(turns) < 2 or turns[0][0] != "system":
            raise ValueError(f"the model's chat template cannot lay out the request: {error}") from error
        (_, system), (role, text), *rest = turns
        return pieces(render, [(role, f"{system}\n\n{text}"), *rest])


def _laid_out(render: Callable[[list[dict[str, Any]]], str],
              turns: Sequence[tuple[str, str]]) -> list[tuple[str, bool]]:
    prompt = render([{"role": role, "content": f"\ue000{number}\ue001"} for number, (role, _) in enumerate(turns)])
    parts = _PLACE.split(prompt)
    if [int(place) for place in parts[1::2]] != list(range(len(turns))):
        raise ValueError("it leaves out a turn, or changes their order")
    laid = [(turns[int(part)][1], False) if number % 2 else (part, True) for number, part in enumerate(parts)]
    return [(text, mark) for text, mark in laid if text]


def without_template(messages: list[dict[str, Any]]) -> str:
    """The layout for a model that brings no template."""
    return "".join(f"{message['role']}: {message['content']}\n\n" for message in messages) + "assistant: "
