"""GGUF weights on llama.cpp (llama-cpp-python)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import llama_cpp
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from workbench.lm.chat import pieces, without_template
from workbench.lm.local import LLAMA, Asked, ContextTooLong, Said, runtime_name
from workbench.lm.schema import plain_schema


class LlamaRuntime:
    """One model on llama.cpp; replies that must follow a schema are bound to its grammar.

    It takes half of the processor's threads, or as many as `OMP_NUM_THREADS` says: with more than are free, each waits
    for the others. What a prompt has in common with the one before, from the beginning on, is not computed again.
    """

    def __init__(self, path: Path, context: int) -> None:
        self.name = runtime_name(LLAMA)
        self._context = context
        threads = os.environ.get("OMP_NUM_THREADS", "")
        self._model: Any = llama_cpp.Llama(model_path=str(path), n_ctx=context, n_batch=512, verbose=False,
                                           n_threads=int(threads) if threads.isdigit() and int(threads) else None)
        template = self._model.metadata.get("tokenizer.chat_template")
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

    def _render(self, messages: list[dict[str, Any]]) -> str:
        if self._formatter is None:
            return without_template(messages)
        return str(self._formatter(messages=messages).prompt)


def _grammar(schema: dict[str, Any] | None) -> Any:
    if schema is None:
        return None
    try:
        return llama_cpp.LlamaGrammar.from_json_schema(json.dumps(plain_schema(schema)), verbose=False)
    except (KeyError, TypeError, AttributeError, NotImplementedError) as error:
        raise ValueError(f"the schema cannot be made a grammar: {error!r}") from error
