# The course in two commands: `make lab` and `make test`. Nothing is needed beforehand but Python and make.

PYTHON ?= python3
ARGS ?=

BIN := .venv/bin
# Written when the installation is complete. It holds the place of the folder: programs in .venv do not
# survive a move, so an environment from elsewhere, or one whose Python is gone, is made anew.
DONE := .venv/installed-in
ifneq ($(shell $(BIN)/python -c pass 2>/dev/null && cat $(DONE) 2>/dev/null),$(CURDIR))
CLEAR := --clear
.PHONY: $(DONE)
endif

# nbgrader calls other programs of the environment by name
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: help lab test test-all build exercise site lint style proof diagnosis bench train record evaluate card readme browser pictures clean

help:
	@echo "make lab        open the course in JupyterLab      make lab ARGS=\"--no-browser --port 8899\""
	@echo "make test       run the tests                      make test ARGS=\"-k softmax\""
	@echo "make test-all   run what takes longer, too: all attacks, all units through nbgrader, browser, site, training"
	@echo "make build      derive the notebooks from solutions/*.py"
	@echo "make exercise   begin an exercise, say what is open     make exercise ARGS=\"02 log_sum_exp\""
	@echo "make site       build the book and the browser edition   make site ARGS=\"--output public\""
	@echo "make lint       look for mistakes in the code and in its types"
	@echo "make style      check the texts: lengths, phrases, and what room is left"
	@echo "make proof      print what is proved of the grading, exercise by exercise"
	@echo "make diagnosis  measure the diagnosis on the bank of learners' functions, and write it into docs/proof.md"
	@echo "make bench      time the checks, the translation model, and a class with nbgrader and with course grade"
	@echo "make train      train the models of the course anew make train ARGS=\"--output trained\""
	@echo "make record     record the runs that the units show make record ARGS=\"--only film\""
	@echo "make evaluate   print the figures of the model card make evaluate ARGS=\"--weights trained\""
	@echo "make card       write them into the model card"
	@echo "make readme     renew the tables of the README and of docs/proof.md"
	@echo "make browser    install what the tests in a browser need beside Chromium"
	@echo "make pictures   renew the pictures of the texts (needs Chromium), and show all of the notebooks on one page"
	@echo "make clean      remove the environment"
	@echo
	@echo "Each command makes the environment (.venv) when it needs it. Another Python: make lab PYTHON=python3.12"

lab: $(DONE)
	$(BIN)/course lab $(ARGS)

test: $(DONE)
	$(BIN)/python -m pytest $(ARGS)

test-all: $(DONE)
	$(BIN)/python -m pytest -m "" $(ARGS)

build: $(DONE)
	@echo "Estimating how long the units take ..."
	@$(BIN)/python -m tools.times
	@echo "Deriving the notebooks and hints from solutions/*.py ..."
	@$(BIN)/python -m autograder.authoring.build $(ARGS)

exercise: $(DONE)
	@$(BIN)/python -m tools.exercise $(ARGS)

# In an environment of its own, since JupyterLite's extension would turn up in JupyterLab, too
site: $(DONE)
	$(BIN)/python -m uv run --quiet --isolated --no-project --python $(BIN)/python --with-editable ".[site]" \
	  python -m tools.site.build $(ARGS)

lint: $(DONE)
	$(BIN)/ruff check . $(ARGS)
	$(BIN)/mypy

style: $(DONE)
	@$(BIN)/python -m tools.style

proof: $(DONE)
	$(BIN)/python -m tools.proof

diagnosis: $(DONE)
	$(BIN)/python -m tools.diagnosis $(ARGS)

bench: $(DONE)
	$(BIN)/python -m tools.benchmark_checks
	$(BIN)/python -m tools.benchmark_model
	$(BIN)/python -m tools.benchmark_grading $(ARGS)

train: $(DONE)
	$(BIN)/python -m transformer_kit.training $(ARGS)

record: $(DONE)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m transformer_kit.experiments.recorded $(ARGS)

evaluate: $(DONE)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m transformer_kit.experiments.whole_model.evaluation $(ARGS)

card: $(DONE)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tools.model_card

readme: $(DONE)
	$(BIN)/python -m tools.readme
	$(BIN)/python -m tests.support.grading_table

browser: $(DONE)
	$(BIN)/python -m uv pip install --quiet --python $(BIN)/python --editable ".[browser]"

pictures: browser site
	$(BIN)/python -m tools.pictures
	$(BIN)/python -m tools.gallery

clean:
	rm -rf .venv

$(DONE): pyproject.toml $(wildcard autograder/jupyter/*)
	@$(PYTHON) -c "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))" 2>/dev/null || { \
	  echo "The course needs Python 3.11 or newer with its modules venv and ensurepip."; \
	  echo "Found: $(PYTHON) = `command -v $(PYTHON) >/dev/null && $(PYTHON) --version 2>&1 || echo nothing`"; \
	  echo "Install Python (on Debian and Ubuntu also the package python3-venv), or name another one:"; \
	  echo "  make $(MAKECMDGOALS) PYTHON=python3.12"; \
	  exit 1; }
	@echo "Making the environment in .venv, which takes up to a minute ..."
	@$(PYTHON) -m venv $(CLEAR) .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv<1"
	@$(BIN)/python -m uv pip install --quiet --python $(BIN)/python --editable ".[dev]" || { \
	  echo "uv could not install the packages; trying again with pip, which reads pip's own settings ..."; \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"; }
	@echo "$(CURDIR)" > $(DONE)
