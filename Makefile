# make solve   sets everything up and solves the sample equations
# make test    sets everything up and runs lint, types and the whole test suite
# make bench   the speed figures, as ratios in one run
# make check   reads and solves every corpus at hand; writes results/

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# Corpora: the user's cache folder unless SAU_DATA names another; a checkout beside shared data uses that.
ifeq ($(SAU_DATA),)
ifneq ($(wildcard ../shared/data),)
export SAU_DATA := $(abspath ../shared/data)
endif
endif

.PHONY: solve test lint types unit bench clean

solve: $(STAMP)
	@$(BIN)/python examples/equations.py

test: lint types unit

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

unit: $(STAMP)
	$(BIN)/pytest -n 2

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(STAMP)
