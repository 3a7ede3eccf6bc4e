# Two commands: `make run` and `make test`. Each does all the set-up that it needs, once.
#
#   PYTHON=python3.12     the interpreter to build with (3.11 or newer)
#   VENV=.venv            where its virtual environment is
#   PYTEST_ARGS='-k fold' more arguments for pytest
#   AGENTS='opencode codex' the real agents that `make test-agents` drives

PYTHON ?= python3
VENV ?= .venv
PYTEST_ARGS ?=
AGENTS ?= opencode

PYTHON_VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed-$(PYTHON_VERSION)
CONSTRAINTS := packaging/constraints.txt
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(CONSTRAINTS)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help run test test-agents check lint format types imports pytest kill-campaign bench translations wheel constraints clean system

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(INSTALLED) ## set up, then play the demo: a shell is fired into and an agent woken; in a window where there is a screen
	$(BIN)/python -m kavor demo

test: check pytest ## set up, then every check and every test

check: lint types imports ## style, types, and who may import whom

lint: $(INSTALLED) ## ruff, rules and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: $(INSTALLED) ## let ruff put the code in order
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: $(INSTALLED) ## mypy --strict
	$(BIN)/mypy

imports: $(INSTALLED) ## the import contracts
	$(BIN)/lint-imports --no-cache

pytest: $(INSTALLED) ## the tests alone, one worker for each core
	$(BIN)/python -m pytest -n logical --dist loadgroup $(PYTEST_ARGS)

test-agents: $(INSTALLED) ## real agents, got by npm into the user's cache, against a model of the suite's own
	$(BIN)/python packaging/real_agents.py $(AGENTS)
	KAVOR_TEST_AGENTS="$(AGENTS)" $(BIN)/python -m pytest -n logical --dist loadgroup tests/agents $(PYTEST_ARGS)

kill-campaign: $(INSTALLED) ## kill the runtime 200 times around claims and deliveries, then check the ledger
	$(BIN)/python tests/kill/campaign.py 200

bench: $(INSTALLED) ## the benchmarks, one after the other
	@set -e; for benchmark in benchmarks/*.py; do echo "== $$benchmark"; $(BIN)/python $$benchmark; done

translations: $(INSTALLED) ## find every text of the canvas, and build what is translated
	$(BIN)/pyside6-lupdate $$(find kavor/canvas -name '*.py' | sort) -ts resources/translations/kavor_ja.ts \
	  -no-obsolete -locations none -source-language en -target-language ja_JP
	$(BIN)/pyside6-lrelease resources/translations/kavor_ja.ts

wheel: $(INSTALLED) ## build dist/kavor-*.whl
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

constraints: | system ## take the newest version of everything that pyproject.toml allows, and write it down
	$(PYTHON) -m venv --clear build/constraints
	build/constraints/bin/python -m pip install --quiet '.[canvas,dev]'
	{ echo '# Every package of ".[canvas,dev]", written by "make constraints".'; \
	  build/constraints/bin/python -m pip freeze --exclude kavor; } > $(CONSTRAINTS)

clean: ## remove what was built and installed here
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# What the tests need of the system is a little more than what running needs.
test pytest: PURPOSE := test

system:
	@$(PYTHON) packaging/system_packages.py $(or $(PURPOSE),run)

# A virtual environment that is broken, or of another Python, is made anew.
$(INSTALLED): pyproject.toml $(CONSTRAINTS) | system
	$(BIN)/python$(PYTHON_VERSION) -m pip --version > /dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	$(PIP_INSTALL) hatchling
	$(PIP_INSTALL) --no-build-isolation --editable '.[canvas,dev]'
	@touch $@
