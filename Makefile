# make solve   sets everything up and solves the sample problems, then yours: make solve P="鸡兔同笼，…鸡有多少只？"
# make serve   sets everything up and serves the solver and its page at http://127.0.0.1:8000
# make test    sets everything up and runs lint, types and the whole test suite
# make browser Chromium and axe-core for the tests of the page, where they are missing and can be had
# make screenshots  the pictures of the page in docs/pictures/
# make bench   the speed figures, as ratios in one run; writes results/benchmarks.txt
# make report  the paper's tables and figures from results/, into report/, and the README's table
# make figures reads, counts and solves every corpus at hand; writes results/ and docs/labels.md

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

export P

# What a command prints as a file, which stays as it was where the command fails.
whole = $(1) > $(2).part && mv $(2).part $(2) || { rm -f $(2).part; exit 1; }

.PHONY: solve serve test lint types unit browser screenshots bench report figures clean

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
	$(BIN)/pytest -n 2 --dist loadgroup

browser:
	@sh scripts/browser.sh

screenshots: $(STAMP) browser
	$(BIN)/python scripts/screenshots.py

bench: $(STAMP) browser
	@rm -f results/benchmarks.done
	@{ for part in solving number_mapping reading hostile decoding page serving_load; do \
	  printf '\n$$ python benchmarks/%s.py\n' $$part; $(BIN)/python benchmarks/$$part.py || exit 1; \
	  done; touch results/benchmarks.done; } | tee results/benchmarks.part  # whose exit code is that of tee
	@test -e results/benchmarks.done || { rm -f results/benchmarks.part; exit 1; }
	@rm results/benchmarks.done; mv results/benchmarks.part results/benchmarks.txt

report: $(STAMP)
	$(BIN)/sau report --output report --readme README.md

figures: $(STAMP)
	$(call whole,$(BIN)/sau data stats --json,results/corpus-statistics.jsonl)
	$(call whole,$(BIN)/sau data check --json --report docs/labels.md,results/corpus-check.jsonl)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	@echo "Setting up $(VENV) (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $(STAMP)
