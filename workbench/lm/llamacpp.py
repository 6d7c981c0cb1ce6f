"""GGUF weights on llama.cpp (llama-cpp-python)."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import llama_cpp
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from workbench.lm.chat import pieces, without_template
from workbench.lm.local import LLAMA, Asked, ContextTooLong, Said, runtime_name
from workbench.lm.schema import plain_schema

KEPT: Final = 4  # states of other prompts' beginnings; some 50 MB each for a model of half a billion weights
_WORTH: Final = 256  # tokens; fewer are computed as fast as a state is fetched


@dataclass(frozen=True)
class _State:
    tokens: Sequence[int]
    memory: Any


class LlamaRuntime:
    """One model on llama.cpp; replies that must follow a schema are bound to its grammar.

    It takes half of the processor's threads, or as many as `OMP_NUM_THREADS` says: with more than are free, each waits
    for the others. What a prompt has in common with one of the last few, from the beginning on, is not computed again:
    programs that ask several predictors in turn keep the long part of each.
    """

    def __init__(self, path: Path, context: int) -> None:
        self.name = runtime_name(LLAMA)
        self._context = context
        threads = os.environ.get("OMP_NUM_THREADS", "")
        self._model: Any = llama_cpp.Llama(model_path=str(path), n_ctx=context, n_batch=512, verbose=False,
                                           n_threads=int(threads) if threads.isdigit() and int(threads) else None)
        template = self._model.metadata.get("tokenizer.chat_template")
        self._kept: list[_State] = []
        end, begin = self._spelled(self._model.token_eos()), self._spelled(self._model.token_bos())
        self._formatter = None if template is None else Jinja2ChatFormatter(template, eos_token=end, bos_token=begin)

    def _spelled(self, token: int) -> str:
        return "" if token < 0 else str(self._model.detokenize([token], special=True).decode("utf-8", "replace"))

    def generate(self, asked: Asked) -> Said:
        """One reply; see `workbench.lm.local.Runtime`."""
        prompt = [token for text, mark in pieces(self._render, asked.turns)
                  for token in self._model.tokenize(text.encode("utf-8", "replace"), add_bos=False, special=mark)]
        if len(prompt) >= self._context:
            raise ContextTooLong(f"the prompt of {len(prompt)} tokens is longer than the model's context of "
                                 f"{self._context}")
        self._recall(prompt)
        late = False

        def stop(tokens: object, scores: object) -> bool:
            nonlocal late
            late = late or asked.late()
            return late

        reply = self._model.create_completion(
            prompt, max_tokens=min(asked.tokens, self._context - len(prompt)), grammar=_grammar(asked.schema),
            temperature=asked.temperature, seed=asked.seed, repeat_penalty=1.0, top_k=0, top_p=1.0, min_p=0.0,
            stopping_criteria=llama_cpp.StoppingCriteriaList([stop]))
        if late:
            raise TimeoutError
        choice, usage = reply["choices"][0], reply["usage"]
        return Said(choice["text"], choice["finish_reason"] != "length", usage["prompt_tokens"],
                    usage["completion_tokens"])

    def _recall(self, prompt: Sequence[int]) -> None:
        """Fetch the state that shares the longest beginning with a prompt; the one it takes the place of is kept."""
        now = self._model.input_ids[:self._model.n_tokens].tolist()
        shared = _alike(now, prompt)
        if len(now) - shared > _WORTH and shared < len(now) // 2:
            self._keep(now)
        best = max(self._kept, key=lambda state: _alike(state.tokens, prompt), default=None)
        if best is None or _alike(best.tokens, prompt) < shared + _WORTH:
            return
        if llama_cpp.llama_state_set_data(self._model.ctx, best.memory, len(best.memory)) == len(best.memory):
            self._model.input_ids[:len(best.tokens)] = best.tokens
            self._model.n_tokens = len(best.tokens)
        else:
            self._model.reset()

    def _keep(self, tokens: Sequence[int]) -> None:
        size = llama_cpp.llama_state_get_size(self._model.ctx)
        memory = (ctypes.c_uint8 * size)()
        size = llama_cpp.llama_state_get_data(self._model.ctx, memory, size)
        memory = (ctypes.c_uint8 * size).from_buffer_copy(bytes(memory)[:size])
        others = [state for state in self._kept if _alike(state.tokens, tokens) < len(tokens) // 2]
        self._kept = [*others[-KEPT + 1:], _State(tokens, memory)]

    def _render(self, messages: list[dict[str, Any]]) -> str:
        if self._formatter is None:
            return without_template(messages)
        return str(self._formatter(messages=messages).prompt)


def _alike(first: Sequence[int], second: Sequence[int]) -> int:
    """How many tokens two sequences have in common, from the beginning on."""
    return next((number for number, (one, other) in enumerate(zip(first, second, strict=False)) if one != other),
                min(len(first), len(second)))


def _grammar(schema: dict[str, Any] | None) -> Any:
    if schema is None:
        return None
    try:
        return llama_cpp.LlamaGrammar.from_json_schema(json.dumps(plain_schema(schema)), verbose=False)
    except (KeyError, TypeError, AttributeError, NotImplementedError) as error:
        raise ValueError(f"the schema cannot be made a grammar: {error!r}") from error
