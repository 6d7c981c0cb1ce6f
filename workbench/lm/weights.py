"""The files of a model on disk, and the name that their digest gives it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from workbench.model.errors import UsageError

SHORT_DIGEST: Final = 12
HUB_FILES: Final = ("*.safetensors", "*.json", "*.model", "*.txt", "*.jinja")


def model_name(digest: str) -> str:
    """`local/` and the first 12 digits of the digest."""
    return f"local/{digest[:SHORT_DIGEST]}"


def model_files(path: Path) -> tuple[Path, ...]:
    """The files that make up a model, sorted by name.

    Raises:
        UsageError: neither a GGUF file nor a folder with weights.
    """
    if not path.exists():
        raise UsageError(f"there is no model at {path}: give local:PATH with a GGUF file or the folder of a model as "
                         "downloaded from a hub")
    if path.is_file():
        with path.open("rb") as file:
            if file.read(4) != b"GGUF":
                raise UsageError(f"{path} is no GGUF file: give one, or the folder of a model as downloaded from a hub")
        return (path,)
    ggufs = sorted(path.glob("*.gguf"))
    if len(ggufs) == 1:
        return (ggufs[0],)
    if len(ggufs) > 1:
        raise UsageError(f"{path} holds {len(ggufs)} GGUF files: name one of them")
    files = sorted({file for pattern in HUB_FILES for file in path.glob(pattern)})
    if not any(file.suffix == ".safetensors" for file in files):
        raise UsageError(f"{path} holds no weights (*.gguf or *.safetensors): give a GGUF file, or the folder of a "
                         "model as downloaded from a hub")
    return tuple(files)


def sha256(files: Sequence[Path]) -> str:
    """The digest of one file as any tool gives it; of several, that of their names and digests."""
    each = []
    for path in files:
        with path.open("rb") as file:
            each.append((path.name, hashlib.file_digest(file, "sha256").hexdigest()))
    if len(each) == 1:
        return each[0][1]
    return hashlib.sha256("".join(f"{digest}  {name}\n" for name, digest in each).encode()).hexdigest()
