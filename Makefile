# pbem: `make` lists the targets. Another interpreter: PYTHON=python3.12 make test
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
PY     := $(BIN)/python
# Further arguments for the tool behind a target: make test ARGS="-k orders -x"
ARGS   ?=
GAMES  ?= 2000

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help venv servers test lint format golden pictures cover bench soak demo lock clean check-python FORCE

help: ## list the targets (this text)
	@echo "pbem: make TARGET, where TARGET is one of"
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  %-8s %s\n", $$1, $$2 }' Makefile
	@echo "Variables: PYTHON=python3.11 (interpreter for a new .venv), ARGS=\"...\" (passed on), GAMES=2000 (soak), BEFORE=HEAD~10 (bench)."
	@echo "Start with: make test"

# Two checks that would otherwise fail with something hard to read.
check-python:
	@command -v $(PYTHON) >/dev/null 2>&1 || { \
	  echo "error: '$(PYTHON)' was not found. Install Python 3.11 or newer (Debian: apt install python3 python3-venv)," >&2; \
	  echo "       or name one: PYTHON=/path/to/python3.11 make test" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "error: pbem needs Python 3.11 or newer, and '$(PYTHON)' is `$(PYTHON) --version 2>&1`." >&2; \
	  echo "       Name a newer one: PYTHON=python3.11 make test" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "error: '$(PYTHON) -m venv' does not work here: the venv module is not installed." >&2; \
	  echo "       On Debian or Ubuntu: apt install python3-venv" >&2; exit 1; }

venv: $(STAMP) ## create or refresh .venv from requirements.lock
	@echo "==> venv: $(VENV) is up to date (`$(PY) --version`); activate it with: . $(BIN)/activate"

# The stamp is older than its sources, or the interpreter behind .venv is gone: install (again).
ifneq ($(shell test -x $(PY) && echo yes),yes)
$(STAMP): FORCE
endif
$(STAMP): requirements.lock pyproject.toml
	@$(MAKE) --no-print-directory check-python
	@echo "==> venv: installing the pinned requirements into $(VENV) (the first time takes a minute)"
	@rm -f $@
	@$(PY) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@$(PY) -m pip install -qq --require-hashes -r requirements.lock
	@$(PY) -m pip install -qq --no-deps --no-build-isolation -e .
	@touch $@

# Never fails: where they cannot be installed, the tests do with less and say so.
servers: ## install the mail server and the browser the tests use (Dovecot, Chromium; as root, on Debian)
	@-deploy/test-servers.sh

test: $(STAMP) servers ## run the tests on all cores (without the soak)
	@echo "==> test: pytest over tests/ with `$(PY) --version`"
	@$(PY) -m pytest -n auto -m "not soak" $(ARGS) tests
	@echo "==> test: all passed. Next: 'make demo' plays a small war, 'make lint' checks the style and the types."

lint: $(STAMP) ## check style (ruff), types (mypy) and what imports what (import-linter), changing nothing
	@echo "==> lint: ruff check, ruff format --check, mypy engine pbem tools, lint-imports"
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy engine pbem tools
	@$(BIN)/lint-imports

format: $(STAMP) ## rewrite the code in the project's style
	@echo "==> format: ruff check --fix, ruff format"
	@$(PY) -m ruff check --fix-only .
	@$(PY) -m ruff format .

golden: $(STAMP) ## write the golden reports and pictures of the tests anew (look at the difference)
	@echo "==> golden: python -m tests.golden_reports, python -m tests.gallery"
	@$(PY) -m tests.golden_reports
	@$(PY) -m tests.gallery

pictures: $(STAMP) ## write docs/pictures anew (needs Chromium)
	@echo "==> pictures: python -m tools.screenshots docs/pictures"
	@$(PY) -m tools.screenshots docs/pictures

cover: $(STAMP) servers ## run the tests and say which lines they never reach (fails below the floor in pyproject.toml)
	@echo "==> cover: pytest --cov over tests/; lines that were not reached: htmlcov/index.html"
	@$(PY) -m pytest -n auto -m "not soak" --cov --cov-report=term:skip-covered --cov-report=html $(ARGS) tests

bench: $(STAMP) ## measure the speed; BEFORE=COMMIT compares with that of an earlier commit
ifdef BEFORE
	@echo "==> bench: python -m tools.bench_before $(BEFORE), both alternately (takes ten minutes; ARGS=\"--goes 6\" on a busy machine)"
	@$(PY) -m tools.bench_before $(BEFORE) $(ARGS)
else
	@echo "==> bench: python -m tools.bench"
	@$(PY) -m tools.bench $(ARGS)
endif

soak: $(STAMP) ## play 2000 random games (failures: soak-failures/), kill the referee, damage letters, look for leaks
	@echo "==> soak: $(GAMES) random games (fewer: make soak GAMES=50)"
	@$(PY) -m tools.soak --games $(GAMES) $(ARGS)
	@echo "==> soak: the referee killed 2000 times while mail flows, and 20000 damaged letters"
	@$(PY) -m pytest -n auto -m soak tests
	@echo "==> soak: 20000 pairs of positions that one side cannot tell apart, and all mail to it"
	@$(PY) -m tests.leaks --pairs 20000

demo: $(STAMP) ## play a small war on this machine, without any mail server
	@echo "==> demo: pbem demo"
	@$(BIN)/pbem demo $(ARGS)
	@echo "==> demo: done. Next: look into demo-war/, then '$(BIN)/pbem --help' shows how to run a war of your own."

# Keeps the pins that still fit; `make lock UPGRADE=1` takes the newest of everything.
# uv goes into a throw-away environment and asks the package index pip and uv are set up for.
lock: check-python ## write requirements.lock anew from pyproject.toml (UPGRADE=1: newest versions)
	@echo "==> lock: resolving pyproject.toml (runtime and dev) into requirements.lock, with hashes"
	@$(PYTHON) -m venv --clear build/lock-venv
	@build/lock-venv/bin/python -m pip install -qq uv
	@build/lock-venv/bin/uv pip compile --quiet --universal --python-version 3.11 --extra dev \
	  --generate-hashes --no-header --no-annotate \
	  $(if $(UPGRADE),--upgrade) --output-file requirements.lock pyproject.toml
	@rm -rf build/lock-venv; rmdir build 2>/dev/null || true
	@if grep -nE '://|^-' requirements.lock; then \
	  echo "error: requirements.lock names a place to download from (above); it must only pin versions." >&2; exit 1; fi
	@echo "==> lock: `grep -c == requirements.lock` packages pinned. Next: make test lint, then commit requirements.lock."

clean: ## remove .venv, caches, build output and demo-war/ (soak-failures/ stays)
	@echo "==> clean: removing $(VENV), caches, build output and demo-war/"
	@rm -rf $(VENV) build dist demo-war .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov
	@find . -name .git -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +
