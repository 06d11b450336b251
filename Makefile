# All commands of the project. Requires only python3 (3.11 to 3.13) with venv and pip; everything is installed into .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check
# Python compiles the modules that it imports, a small part of the installed ones; skipping the rest saves half a minute.
INSTALL := $(PIP) install -q --no-compile
CORE   := $(VENV)/.installed-core
STAMP  := $(VENV)/.installed
DOCS   := $(VENV)/.installed-docs
RELEASE := $(VENV)/.installed-release
# Two worker processes share the suite, and an idle one steals tests from the other. A hundred tests start Python: its bytecode is
# stored even if the environment disables that.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 2 --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help setup test quick portable bounds lint format demo bench docs gallery measures verdicts kernels fuzz licences types release clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP)  ## create .venv and install Gaitwright with everything the other targets need

# Dependencies of users, without those of tests, checkers and benchmarks. Repeated only when pyproject.toml changes. Old stamps are
# deleted first, so that a failed installation does not count as complete.
$(CORE): pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(None if (3, 11) <= v < (3, 14) else f"Gaitwright needs Python 3.11 to 3.13, but $(PYTHON) is {v[0]}.{v[1]}; try: make setup PYTHON=python3.11")'
	@rm -f $(CORE) $(STAMP) $(DOCS) $(RELEASE)
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV)
	@echo "installing into $(VENV), half a minute the first time"
	@$(INSTALL) -e .
# Bytecode is stored even if the environment disables that: compiling the imports again costs each command 5 s of processor time.
	@PYTHONDONTWRITEBYTECODE= $(BIN)/gaitwright check examples/four_bar.yaml --out $(VENV)/first-check > /dev/null
	@touch $(CORE)

$(STAMP): $(CORE)
	@echo "installing what tests and benchmarks need, about a minute the first time"
	@$(INSTALL) -e '.[test,dev,bench]'
	@touch $(STAMP)

# pyright keeps one core busy for half a minute: it runs in parallel with the tests, and its output follows theirs.
test: setup  ## ruff, pyright and all tests
	$(BIN)/ruff check src tests release
	$(BIN)/ruff format --check src tests release
	@echo "$(BIN)/pyright &"; $(BIN)/pyright > $(VENV)/pyright.log & checker=$$!; \
	echo "$(PYTEST)"; $(PYTEST); tested=$$?; \
	wait $$checker; typed=$$?; cat $(VENV)/pyright.log; exit $$((tested | typed))

quick: setup  ## ruff and the tests that are neither slow nor peers nor fuzz: under two minutes
	$(BIN)/ruff check src tests release
	$(BIN)/ruff format --check src tests release
	$(PYTEST) -m "not slow and not peer and not fuzz"

portable: setup  ## all tests as other processors run them: code for generic, haswell and this one, other linear algebra
	$(BIN)/python tests/portable.py generic haswell native

bounds: setup  ## all tests with every index into an array checked
	$(BIN)/python tests/portable.py bounds

lint: setup  ## only the checkers: ruff and pyright
	$(BIN)/ruff check src tests release
	$(BIN)/ruff format --check src tests release
	$(BIN)/pyright

format: setup  ## let ruff repair and format src, tests and release
	$(BIN)/ruff check --fix src tests release
	$(BIN)/ruff format src tests release

demo: $(CORE)  ## run the demonstration into demo-output/
	$(BIN)/gaitwright demo --out demo-output

FUZZ ?= 200
fuzz: setup  ## mutated inputs for hours, other ones each time; failures stay in fuzz-output/
	GAITWRIGHT_FUZZ=$(FUZZ) $(PYTEST) tests/fuzz

bench: setup  ## time Gaitwright against its peers into bench-output/
	$(BIN)/gaitwright bench --out bench-output

$(DOCS): $(STAMP)
	@$(INSTALL) -e '.[docs]'
	@touch $(DOCS)

docs: $(DOCS)  ## build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --site-dir site

verdicts: setup  ## run the papers' experiments again and write docs/verdicts.md
	$(BIN)/python -m gaitwright_apps.reproductions.verdicts docs/verdicts.md

measures: setup  ## write docs/measures.md from the registries of measures
	$(BIN)/python -m gaitwright_apps.measures_page docs/measures.md

gallery: setup  ## draw the pictures of the gallery again and write its page
	$(BIN)/python -m gaitwright_apps.gallery docs

$(RELEASE): $(STAMP)
	@$(INSTALL) -e '.[release]'
	@touch $(RELEASE)

types: setup  ## check that all public names of gaitwright have types (pyright --verifytypes)
	$(BIN)/python -m release.public_types $(BIN)

licences: $(RELEASE)  ## write docs/licences.md from the metadata of what is installed
	$(BIN)/python -m release.licences docs/licences.md

# Other interpreters beside that of .venv: make release PYTHONS="python3.12 python3.13"
PYTHONS ?=
release: $(RELEASE)  ## build wheel and sdist into dist/ and check them: empty environment, demo without network, extras, types, licences
	$(BIN)/python -m release.check $(foreach python,$(PYTHONS),--python $(python))

kernels: setup  ## print the kernels again from the expressions in physics/
	$(BIN)/python -m gaitwright.derive

clean:  ## remove .venv and everything that was built
	rm -rf $(VENV) site demo-output bench-output fuzz-output build dist .pytest_cache .ruff_cache .hypothesis .portable
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
