# make solve        solve the sample problems, and yours: make solve P="Ann has 3 pears and buys 5 more. How many has she?"
# make serve        serve the solver and its page at http://127.0.0.1:8000
# make test         run the linters, the type checker and all tests
# make cluster-test run the tests on a Ray cluster of three local nodes and on replicas of the server
# make browser      install what the tests of the page need: Chromium and axe-core
# make screenshots  take the pictures of the page in docs/pictures/
# make bench        measure speed and write results/benchmarks.txt
# make report       write the paper's tables and figures to report/ and renew the tables of docs/results.md
# make figures      check and count every available corpus; write results/corpus-*.jsonl and docs/labels.md
# make clean        remove the virtual environment and all caches
#
# Every target first sets up a virtual environment in .venv. This needs Python 3.11 or newer.
#
# `make test` also drives the page in a real browser. If no Chromium is found, it installs Debian's package with apt-get
# (as root or with sudo) and downloads axe-core with npm. If that is not possible, the tests of the page are skipped.
# To install nothing and skip these tests, run: make test SAU_BROWSER=none

SHELL := bash
.SHELLFLAGS := -o pipefail -c

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# SAU_DATA is the folder with the corpora. Without it, use ../shared/data if that exists, else the user's cache folder.
ifeq ($(SAU_DATA),)
ifneq ($(wildcard ../shared/data),)
export SAU_DATA := $(abspath ../shared/data)
endif
endif

export P

# Write the output of a command to a file. If the command fails, keep the old file and fail.
write = $(1) > $(2).part && mv $(2).part $(2) || { rm -f $(2).part; exit 1; }

BENCHMARKS := solving number_mapping reading hostile_equations decoding page serving_load

.PHONY: solve serve test lint types unit cluster-test browser screenshots bench report figures clean

solve: $(STAMP)
	@printf '\n$$ sau solve --input examples/problems.jsonl\n'; $(BIN)/sau solve --input examples/problems.jsonl
ifneq ($(P),)
	@printf '\n$$ sau solve "%s"\n' "$$P"; $(BIN)/sau solve "$$P" || test $$? -eq 3
endif

serve: $(STAMP)
	$(BIN)/sau serve

test: lint types unit

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

unit: $(STAMP) browser
	$(BIN)/pytest -n 2 --dist loadgroup -m "not cluster"

cluster-test: $(STAMP)
	$(BIN)/pytest -m cluster tests/cluster --durations=10

browser:
	@sh scripts/browser.sh

screenshots: $(STAMP) browser
	$(BIN)/python scripts/screenshots.py

bench: $(STAMP) browser
	@{ for part in $(BENCHMARKS); do \
	    printf '\n$$ python benchmarks/%s.py\n' $$part; $(BIN)/python benchmarks/$$part.py || exit 1; \
	done; } | tee results/benchmarks.part && mv results/benchmarks.part results/benchmarks.txt || \
	{ rm -f results/benchmarks.part; exit 1; }

report: $(STAMP)
	$(BIN)/sau report --output report --docs docs/results.md

figures: $(STAMP)
	$(call write,$(BIN)/sau data stats --json,results/corpus-statistics.jsonl)
	$(call write,$(BIN)/sau data check --json --report docs/labels.md,results/corpus-check.jsonl)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is required, found " + sys.version.split()[0] + ". Try: make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	@echo "Installing SAU-Solver and its development tools into $(VENV) (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $(STAMP)
