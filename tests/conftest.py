"""What all tests share: Hypothesis profiles and the way to data that is not shipped."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The gate must say the same of the same code each time; the nightly run looks for new examples.
settings.register_profile("default", max_examples=200, deadline=None, derandomize=True)
settings.register_profile("nightly", max_examples=2000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with public datasets that the project does not ship (environment variable WORKBENCH_DATA)."""
    folder = os.environ.get("WORKBENCH_DATA")
    if not folder:
        pytest.skip("WORKBENCH_DATA is not set: it names the folder with downloaded datasets")
    if not Path(folder).is_dir():
        pytest.skip(f"WORKBENCH_DATA names {folder!r}, which is no folder")
    return Path(folder)
