# Every target sets up what it needs; the second call finds it done.
# PYTHON picks the interpreter of the virtualenv: make run PYTHON=python3.12

DEMO := demo

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
ADAPTERS := .venv-adapters
NEWEST = $(shell for python in python3.13 python3.12 python3.11 python3; do \
	$$python -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)
PYTHON ?= $(NEWEST)

# Of each kind the datasets that nobody tunes on, or that hold what must never happen; the rest are
# other authors' words for the same, run by `make evals`.
GATES := companion_gate research_gate vessel_gate vessel_adversarial vessel_tempting \
	research_tempting vessel_eighth_blind research_eighth_blind promises speak_or_not timing \
	skill_wordings rated_strategies journal_search journal_extraction search_fields \
	agent_tasks_vessel agent_tasks_research agent_tasks_companion agent_tasks_office

# What must hold for anything to hold: the gate asks and runs on a yes alone, over HTTP, from the
# command line, in a replay; and the tree is in order.
SMOKE := tests/architecture/test_layout.py tests/architecture/test_files.py \
	tests/safety/test_attack.py tests/safety/test_second_lock.py \
	tests/tools/gate/ledger/test_deciding.py tests/tools/gate/ledger/test_executing.py \
	tests/graph/test_gate.py tests/foreign/test_contract.py tests/api/test_approvals.py \
	tests/cli/test_demo.py tests/evals/decision_log/test_replay.py

# Datasets at once: each process holds a pack as it was learnt, a gigabyte.
JOBS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN); echo $$((n < 8 ? n : 8)))

# What tests and evals write is thrown away, and in memory, where there is room for it, nobody waits
# for a disk. A folder that is named by TMPDIR is used.
thrown_away = room=$$(df -Pk /dev/shm 2>/dev/null | awk 'END { print $$4 }'); \
	place=$${TMPDIR:-/tmp}; \
	[ -n "$$TMPDIR" ] || [ "$${room:-0}" -lt 8000000 ] || [ ! -w /dev/shm ] || place=/dev/shm; \
	TMPDIR=$$(mktemp -d "$$place/prefrontal.XXXXXX") && export TMPDIR && \
	trap 'rm -rf "$$TMPDIR"' EXIT INT TERM && { $(1); }

# Tests and evals start dozens of processes, and each would compile us anew, for 3 seconds.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run demo smoke test check docs types test-adapters test-typescript bench ratios with-jax train train-attention evals gates datasets decisions replays torture diagram lock clean

help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(READY) ## Start the service; it prints its address, a key and calls to try
	$(BIN)/prefrontal serve

demo: $(READY) ## Play a story through the vessel pack on the terminal
	$(BIN)/prefrontal $(DEMO)

smoke: $(READY) ## Run the essential tests, in a minute: the gate, HTTP, the demo, a replay, the layout
	@$(call thrown_away,$(BIN)/pytest -q $(SMOKE))

test: $(READY) ## Run the whole test suite
	@$(call thrown_away,$(BIN)/pytest)

# Some frameworks want other versions than the server, so they have an environment without it; the
# service that these tests call runs in the other one.
test-adapters: $(READY) $(ADAPTERS)/.ready ## Test the adapters with every agent framework; ONLY="openai": some
	@$(call thrown_away,PYTHONPATH=sdk $(ADAPTERS)/bin/python -m pytest --confcutdir=tests/adapters \
		-o addopts=--import-mode=importlib $(if $(ONLY),-k "$(ONLY)") tests/adapters)

test-typescript: $(READY) ## Test the TypeScript client with the Vercel AI SDK; needs Node.js 20
	@npm ci --prefix sdk/typescript --no-audit --no-fund --silent
	@$(call thrown_away,$(BIN)/pytest -n 0 -q tests/adapters/test_typescript.py)

check: $(READY) ## Check format, lint, types, imports, langgraph.json, prose, and build the docs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	@LANGGRAPH_CLI_NO_ANALYTICS=1 $(BIN)/langgraph validate >/dev/null
	@LANGGRAPH_CLI_NO_ANALYTICS=1 $(BIN)/langgraph dockerfile $(VENV)/Dockerfile >/dev/null
	$(BIN)/python scripts/prose.py
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

docs: $(READY) ## Serve the docs on 127.0.0.1:8000, and build them again as they change
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

types: $(READY) ## Ask pyright for a second opinion on types (advice, not a gate)
	$(BIN)/pyright

bench: $(READY) ## Measure speed and print a table; ONLY="journal http": some of it
	$(BIN)/python -m evals.benchmarks $(if $(ONLY),--only $(ONLY))

ratios: $(READY) ## Compare the graph with empty nodes; fail if a ratio is a fifth above the kept one
	$(BIN)/python -m evals.benchmarks --ratios

# In the same environment, as it needs what the product has; what it adds stays until the next sync.
with-jax: $(READY)
	@$(BIN)/python -c "import jax, optax" 2>/dev/null || \
		$(BIN)/pip install --quiet --no-deps --require-hashes -r requirements-train.lock

train: with-jax ## Train the reader and write its model card: an hour; TRAIN="--epochs 2"
	$(BIN)/python -m evals.training.reader_training $(TRAIN)

train-attention: with-jax ## Train the judge of events and write its model card: half an hour
	$(BIN)/python -m evals.training.attention_training $(TRAIN)

evals: $(READY) ## Run datasets against their gates, replay conversations, draw reports/evals.html
	@rm -rf reports
	@$(call thrown_away,failed=0; export EXECUTIVE_CACHE_DIR="$${EXECUTIVE_CACHE_DIR:-$$(mktemp -d)}"; \
		$(MAKE) --no-print-directory --keep-going datasets decisions replays || failed=1; \
		$(BIN)/prefrontal evals page reports/*.json --out reports/evals.html && exit $$failed)

gates: $(READY) ## Run the datasets that a change may not break, and the replays: four minutes
	@$(call thrown_away,failed=0; $(BIN)/prefrontal evals run $(GATES) --jobs $(JOBS) || failed=1; \
		$(MAKE) --no-print-directory replays || failed=1; exit $$failed)

datasets: $(READY)
	$(BIN)/prefrontal evals run --jobs $(JOBS) --report reports/datasets.json

decisions: $(READY)
	$(BIN)/prefrontal evals journal --report reports/decisions.json

replays: $(READY)
	$(BIN)/prefrontal evals replay --report reports/replays.json
	$(BIN)/prefrontal log replay evals/replays/*/golden.log.jsonl --policy policy.toml

torture: $(READY) ## Try to break it in bulk: kills, races, injections, faults; prints the counts
	$(BIN)/pytest -m torture

diagram: $(READY) ## Draw graph/diagram.mmd again
	$(BIN)/python -m graph.diagram

lock: $(READY) ## Write requirements.lock again from pyproject.toml; UPGRADE=1 moves all pins
	$(BIN)/uv pip compile pyproject.toml --output-file requirements.lock --quiet --no-header \
		--universal --generate-hashes --all-extras --no-emit-package prefrontal \
		--group dev --group encoder \
		$(if $(UPGRADE),--upgrade)
	$(BIN)/uv pip compile --group train --constraints requirements.lock --python-version 3.12 \
		--output-file requirements-train.lock --quiet --no-header --universal --generate-hashes \
		$(if $(UPGRADE),--upgrade)
	$(BIN)/uv pip compile sdk/pyproject.toml --output-file requirements-adapters.lock --quiet \
		--no-header --universal --generate-hashes --all-extras --group sdk/pyproject.toml:adapters \
		$(if $(UPGRADE),--upgrade)

clean: ## Remove the virtualenv and every cache
	rm -rf $(VENV) $(ADAPTERS) $(addprefix sdk/typescript/,node_modules dist build) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# pip installs uv, uv installs the other 160 packages in a fifth of pip's time. uv does not read
# pip's settings; where those are the only way to an index, pip does the whole work.
# Nothing is compiled here: of 10,000 files a start imports 1,500, and keeps what it compiles.
$(READY): requirements.lock pyproject.toml sdk/pyproject.toml
	@test -n "$(PYTHON)" || { echo "Prefrontal needs Python 3.11 or newer with venv;" \
		"install one, or name it: make PYTHON=/path/to/python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo \
		"$(PYTHON) is missing or older than Python 3.11; name another: make PYTHON=python3.12" >&2; exit 1; }
	@echo "Setting up $(VENV) with $(PYTHON); the first time takes about a minute."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@awk '/^[a-z0-9]/ {wanted = /^uv==/} wanted' requirements.lock > $(VENV)/uv.lock
	@$(BIN)/pip install --quiet --no-deps --require-hashes -r $(VENV)/uv.lock
	@$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes \
		requirements.lock || { echo "uv found no index; pip does it, in about two minutes."; \
		$(BIN)/pip install --quiet --no-deps --require-hashes -r requirements.lock; }
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pip install --quiet --no-deps --no-build-isolation -e sdk -e .
	@touch $@

$(ADAPTERS)/.ready: requirements-adapters.lock $(READY)
	@test -x $(ADAPTERS)/bin/python || $(BIN)/python -m venv $(ADAPTERS)
	@$(BIN)/uv pip sync --quiet --python $(ADAPTERS)/bin/python --require-hashes \
		requirements-adapters.lock || \
		$(ADAPTERS)/bin/pip install --quiet --no-deps --require-hashes -r requirements-adapters.lock
	@touch $@
