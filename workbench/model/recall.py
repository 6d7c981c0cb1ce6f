"""Lines of a context that was recalled from a store, as they look when they come back in a text."""

from __future__ import annotations

import re
from typing import Final

# a fact "… [from – to) (episode, …, on DATE)" or quotes "“…” (episode, …, on DATE)", perhaps numbered or bulleted
_LINE: Final = re.compile(
    r"^[ \t]*(?:\d+[.)][ \t]+|[-*•][ \t]+)?(?:[^\n]* \[[^\]\n]* – [^\]\n]*\)|“[^\n]*”)"
    r" \([^\n]*, on -?\d{4,}-\d\d-\d\d(?:, competing)?\)[ \t]*\r?$", re.MULTILINE)


def without_recalled(text: str) -> str:
    r"""The text with every recalled line blanked, all other characters at their places.

    What an agent was told from memory and repeats is no new evidence: read again, "yesterday" in it would be another
    day.

    >>> without_recalled("Hi.\n“Ann left yesterday.” (mail-1, said by bo, on 2024-01-01)\nBye.").split()
    ['Hi.', 'Bye.']
    """
    return _LINE.sub(lambda match: " " * len(match[0]), text)
