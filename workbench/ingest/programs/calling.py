"""Asking a predictor: data between marks, replies read tolerantly, one second try that is told what was wrong."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any, Final, get_origin

import dspy
import json_repair
from dspy.adapters.baml_adapter import BAMLAdapter

PROBLEM_LIMIT: Final = 300
_THINKING: Final = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FENCED: Final = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
_SCHEMA_WORDS: Final = frozenset(("properties", "$defs", "$schema", "definitions"))


def fenced(*parts: str) -> list[str]:
    """Each text between marks that occur in none of them; the same texts get the same marks.

    >>> fenced("Hi.")[0].splitlines()[1]
    'Hi.'
    """
    everything = "\x00".join(parts)
    number = 0
    while True:
        digest = hashlib.sha256(f"{number}\x00{everything}".encode("utf-8", "surrogatepass")).hexdigest()[:10]
        if digest not in everything:
            return [f"<data {digest}>\n{part}\n</data {digest}>" if part else "" for part in parts]
        number += 1


class TolerantAdapter(BAMLAdapter):  # type: ignore[misc]
    """Asks for JSON with a short form of the types, and reads it out of what models wrap around it.

    Thinking aloud and code fences are cut away, broken JSON is mended, and a bare list is the one list that was asked
    for. A reply without the fields asked for, or with the schema instead of data, is a parse error; so is one that is
    cut off, unless `lenient`: then what is complete of it counts.
    """

    def __init__(self, *, lenient: bool = False) -> None:
        super().__init__()
        self.lenient = lenient

    def parse(self, signature: Any, completion: str) -> dict[str, Any]:
        """The output fields.

        Raises:
            AdapterParseError: the reply does not have them.
        """
        text = _THINKING.sub("", completion)
        text = text.rpartition("</think>")[2]
        if found := _FENCED.search(text):
            text = found[1]
        lists = [name for name, field in signature.output_fields.items() if get_origin(field.annotation) is list]
        value = json_repair.loads(text[_first(text):])
        cut = text.rstrip()[-1:] not in ("}", "]") and not _is_json(text[_first(text):])
        if cut and not self.lenient:
            raise self._refused(signature, completion, "it is cut off in the middle")
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict) and (
                value[0].keys() & signature.output_fields.keys()):
            value = value[0]
        if len(lists) == 1:
            value = self._listed(signature, lists[0], value, completion)
        if not isinstance(value, dict) or not value.keys() & signature.output_fields.keys():
            raise self._refused(signature, completion, "it is not a JSON object with the fields asked for")
        if cut and lists and not any(isinstance(value.get(name), list) and len(value[name]) > 1 for name in lists):
            raise self._refused(signature, completion, "it is cut off before anything is complete")
        fields: dict[str, Any] = super().parse(signature, json.dumps(value, ensure_ascii=False))
        return fields

    def _listed(self, signature: Any, name: str, value: Any, completion: str) -> Any:
        if isinstance(value, dict) and _SCHEMA_WORDS & value.keys():
            raise self._refused(signature, completion, "it repeats the schema instead of filling it in")
        if isinstance(value, list) and (value or "[" in completion):
            return {name: value}
        if isinstance(value, dict) and isinstance(value.get(name), dict):
            inner = value[name]
            if _SCHEMA_WORDS & inner.keys() or inner.get("type") == "array":
                raise self._refused(signature, completion, "it repeats the schema instead of filling it in")
            return {**value, name: [inner]}
        if isinstance(value, dict) and value.get(name, 0) is None:
            return {**value, name: []}
        return value

    def _refused(self, signature: Any, completion: str, reason: str) -> Exception:
        error: Exception = dspy.AdapterParseError("TolerantAdapter", signature, completion[:PROBLEM_LIMIT], reason)
        return error


def _first(text: str) -> int:
    places = [place for place in (text.find("{"), text.find("[")) if place >= 0]
    return min(places, default=0)


def _is_json(text: str) -> bool:
    """Whether a JSON object or list begins the text, and ends in it."""
    try:
        return isinstance(json.JSONDecoder().raw_decode(text)[0], dict | list)
    except (ValueError, RecursionError):
        return False


def why_unreadable(error: Exception) -> str:
    """The first words of a parse error, on one line."""
    return " ".join(str(error).split("Adapter TolerantAdapter")[0].split())[:PROBLEM_LIMIT] or "it could not be read"


def asked(predictor: Any, **inputs: str) -> Any:
    """What a predictor says; if its reply cannot be read it is asked once more and told why.

    Raises:
        AdapterParseError: the second reply cannot be read either.
    """
    try:
        with dspy.context(adapter=TolerantAdapter()):
            return predictor(**inputs)
    except dspy.AdapterParseError as error:
        signature = predictor.signature.append("problem", dspy.InputField(
            desc="why the reply before this one could not be used"), str)
        with dspy.context(adapter=TolerantAdapter(lenient=True)):
            return predictor(signature=signature, problem=why_unreadable(error), **inputs)
