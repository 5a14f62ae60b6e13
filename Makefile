# Two commands are enough on a fresh machine: `make walk` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: env walk test lint docs clean

env: $(STAMP)

# uv is installed by pip into the environment it then fills, so that nothing but Python is needed.
$(STAMP): requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv>=0.9"
	$(BIN)/uv pip sync --quiet --compile-bytecode --python $(BIN)/python --only-binary :all: --require-hashes requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	touch $@

walk: env
	$(BIN)/footwork walk

# Kernels are compiled first, two parts side by side, and then only read by the test processes.
test: env
	$(BIN)/footwork warm-up --part planning --quiet & \
	$(BIN)/footwork warm-up --part stack --quiet; $(BIN)/footwork warm-up --part walking --quiet; wait
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist loadfile

lint: env
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: env
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html

lock: env
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --group dev pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) docs/_build
