from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve.running import Running, serving, small_store


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("serve")


@pytest.fixture(scope="session")
def store(folder: Path) -> Path:
    return small_store(folder / "store")


@pytest.fixture(scope="session")
def server(store: Path, folder: Path) -> Iterator[Running]:
    with serving(store, folder, "--open-scratch", "--workers", "2") as running:
        yield running
