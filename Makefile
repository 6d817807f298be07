# make solve        solve the sample problems, and yours: make solve P="Ann has 3 pears and buys 5 more. How many has she?"
# make serve        serve the solver and its page at http://127.0.0.1:8000
# make test         run the linters, the type checker and all tests
# make image-test   run the steps of deploy/Dockerfile in temporary environments, and a server and a Ray job in them;
#                   write results/image.txt
# make cluster-test run the tests on a Ray cluster of three local nodes and on replicas of the server
# make cluster-kills repeat the tests that kill processes of Ray or torchrun ROUNDS=20 times; write results/cluster-kills.txt
# make browser      install what the tests of the page need: Chromium and axe-core
# make screenshots  take the pictures of the page in docs/pictures/
# make fuzz         check generated inputs for MINUTES=10 with SEED=1, going on where the last run stopped
# make fuzz-table   print what make fuzz has checked so far, and write results/fuzzing.txt
# make bench        measure speed and write results/benchmarks.txt
# make report       write the paper's tables and figures to report/ and renew the tables of docs/results.md
# make figures      check and count every available corpus; write results/corpus-*.jsonl and docs/labels.md
# make lock         write requirements/serve.lock: what a server needs, with versions and hashes
# make licenses     check the licenses of all dependencies and write docs/licenses.md
# make sbom         write dist/sau-solver.cdx.json: every part of a release, with versions, hashes and licenses
# make clean        remove the virtual environment and all caches
#
# Every target first sets up a virtual environment in .venv. This needs Python 3.11 or newer.
#
# `make test` also drives the page in a real browser. If no Chromium is found, it installs Debian's package with apt-get
# (as root or with sudo) and downloads axe-core with npm. If that is not possible, the tests of the page are skipped.
# To install nothing and skip these tests, run: make test SAU_BROWSER=none
#
# The tests of s3:// URLs need a local S3 server, and those of replicas need nginx. `make test` and `make cluster-test`
# install moto with pip into .cache/object-store if it is missing, and `make cluster-test` installs Debian's package
# nginx-light with apt-get (as root or with sudo). If that is not possible, these tests are skipped. To install neither
# and skip them, run: make cluster-test SAU_NGINX=none SAU_OBJECT_STORE=none
#
# The rules of Prometheus are checked with promtool. If it is missing, `make test` downloads Debian's package prometheus
# and unpacks the program into .cache/promtool. To skip these tests, run: make test SAU_PROMTOOL=none
#
# A test of Parquet folders needs the library `datasets` (400 MB), which is installed only by
# `sh scripts/test_servers.sh datasets`, into .cache/datasets. Without it the test is skipped.

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

BENCHMARKS := solving number_mapping reading hostile_equations decoding solve_speed page serving_load

.PHONY: solve serve test lint types unit browser screenshots bench report figures lock licenses sbom clean image-test fuzz fuzz-table cluster-test cluster-kills

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
	@PYTHON=$(BIN)/python sh scripts/test_servers.sh object-store promtool
	$(BIN)/pytest -n 2 --dist loadgroup -m "not cluster"

cluster-test: $(STAMP)
	@PYTHON=$(BIN)/python sh scripts/test_servers.sh nginx object-store
	$(BIN)/pytest -m cluster tests/cluster --durations=10

ROUNDS ?= 20

cluster-kills: $(STAMP)
	$(call write,nice $(BIN)/python scripts/cluster_kills.py --rounds $(ROUNDS),results/cluster-kills.txt)
	@cat results/cluster-kills.txt

image-test: $(STAMP)
	@printf '%s\n' 'MB of /opt/sau in an image with these extras; the base image comes on top' > results/image.part
	SAU_IMAGE=results/image.part $(BIN)/pytest -m image -rP tests/deploy && \
	    mv results/image.part results/image.txt || { rm -f results/image.part; exit 1; }

browser:
	@sh scripts/browser.sh

screenshots: $(STAMP) browser
	$(BIN)/python scripts/screenshots.py

MINUTES ?= 10
SEED ?= 1
WORKERS ?= 2

fuzz: $(STAMP)
	nice $(BIN)/python -m fuzzing --minutes $(MINUTES) --seed $(SEED) --workers $(WORKERS)

fuzz-table: $(STAMP)
	$(call write,$(BIN)/python -m fuzzing --table,results/fuzzing.txt)
	@cat results/fuzzing.txt

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

# Locks hold for every platform and Python that the package supports, and keep the versions of constraints.txt. Nothing
# of the machine that writes them goes into them: neither the address of its package index nor its paths.
lock: $(STAMP)
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	    --extra serve --constraints constraints.txt pyproject.toml -o requirements/serve.lock

licenses: $(STAMP)
	$(BIN)/python scripts/licenses.py --write docs/licenses.md

sbom: $(STAMP)
	$(BIN)/python scripts/sbom.py dist/sau-solver.cdx.json

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .fuzzing

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is required, found " + sys.version.split()[0] + ". Try: make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	@echo "Installing SAU-Solver and its development tools into $(VENV) (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $(STAMP)
