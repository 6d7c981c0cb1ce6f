"""Weights of a hub folder, or of a GGUF file, on transformers; xgrammar binds replies to a schema."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
import transformers

from workbench.lm.chat import pieces, without_template
from workbench.lm.local import CONTEXT, TRANSFORMERS, Asked, ContextTooLong, Said, runtime_name
from workbench.lm.schema import plain_schema
from workbench.model.errors import UsageError


class HubRuntime:
    """One model on transformers, on the processor."""

    def __init__(self, folder: Path, gguf: str | None) -> None:
        self.name = runtime_name(TRANSFORMERS)
        more: dict[str, Any] = {} if gguf is None else {"gguf_file": gguf}
        self._tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True, **more)
        self._model: Any = transformers.AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, **more)
        self._model.eval()
        self._context = min(CONTEXT, getattr(self._model.config, "max_position_embeddings", CONTEXT))
        self._compiler: Any = None

    def generate(self, asked: Asked) -> Said:
        """One reply; see `workbench.lm.local.Runtime`."""
        prompt = [token for text, mark in pieces(self._render, asked.turns) for token in self._tokenizer(
            text, add_special_tokens=False, split_special_tokens=not mark)["input_ids"]]
        begin = len(prompt)
        if begin >= self._context:
            raise ContextTooLong(f"the prompt of {begin} tokens is longer than the model's context of {self._context}")
        sampling: dict[str, Any] = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
        if asked.temperature:
            torch.manual_seed(asked.seed)
            sampling = {"do_sample": True, "temperature": asked.temperature, "top_p": 1.0, "top_k": 0}
        late = _Late(asked)
        with torch.inference_mode():
            output = self._model.generate(
                input_ids=torch.tensor([prompt]), attention_mask=torch.ones((1, begin), dtype=torch.long),
                max_new_tokens=min(asked.tokens, self._context - begin), **sampling,
                logits_processor=[] if asked.schema is None else [self._grammar(asked.schema)],
                stopping_criteria=[late], pad_token_id=self._tokenizer.eos_token_id)
        if late.stopped:
            raise TimeoutError
        said = output[0, begin:]
        ends = self._model.generation_config.eos_token_id
        whole = len(said) > 0 and int(said[-1]) in (ends if isinstance(ends, list) else [ends])
        return Said(self._tokenizer.decode(said, skip_special_tokens=True), whole, begin, len(said))

    def _render(self, messages: list[dict[str, Any]]) -> str:
        if self._tokenizer.chat_template is None:
            return without_template(messages)
        return str(self._tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False))

    def _grammar(self, schema: dict[str, Any]) -> Any:
        if find_spec("xgrammar") is None:
            raise UsageError("replies that follow a schema need the extra local: "
                             "pip install 'temporal-context-workbench[local]'")
        import xgrammar
        from xgrammar.contrib.hf import LogitsProcessor

        if self._compiler is None:
            size = getattr(self._model.config, "vocab_size", len(self._tokenizer))
            self._compiler = xgrammar.GrammarCompiler(
                xgrammar.TokenizerInfo.from_huggingface(self._tokenizer, vocab_size=size))
        try:
            return LogitsProcessor(self._compiler.compile_json_schema(json.dumps(plain_schema(schema))))
        except RuntimeError as error:
            raise ValueError(f"the schema cannot be made a grammar: {error}") from error


class _Late(transformers.StoppingCriteria):  # type: ignore[misc]
    """Stops when time is up, and says so."""

    def __init__(self, asked: Asked) -> None:
        self.stopped = False
        self._late = asked.late

    def __call__(self, input_ids: Any, scores: Any, **more: Any) -> Any:
        """One answer a sequence, as transformers wants it."""
        self.stopped = self.stopped or self._late()
        return torch.full((input_ids.shape[0],), self.stopped, dtype=torch.bool)
