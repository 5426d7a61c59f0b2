# Every command of this repository; the work is in .ci/bootstrap.py. `make` alone lists them.
PYTHON ?= python3
WORKERS ?= 3
# one more than there are cores in CI: a worker waits now and then for a browser, a server or a database
ARGS ?=
BOOT := $(PYTHON) .ci/bootstrap.py
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal
UNIT := not (postgres or browser or slow or long)

export OMP_NUM_THREADS ?= 1
unexport PYTHONDONTWRITEBYTECODE
# hundreds of processes start in the tests: each would compile all that it imports

.DEFAULT_GOAL := help
.PHONY: help setup setup-bench run up test test-fast collect lint format frontend-check bench-peers bench-http crowd chaos simulate mutants lock clean

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup: ## install everything that running and checking need; does only what changed
	@$(BOOT) setup dev

run: ## start Graphwright on this machine (options: ARGS="--port 9000")
	@$(BOOT) run $(ARGS)

up: ## start PostgreSQL, two web processes and two workers (options: ARGS="--workers 4")
	@$(BOOT) up $(ARGS)

test: setup ## check everything: style, types, front end, then all Python tests
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target lint frontend-check collect
	@$(PYTEST) $(ARGS)

test-fast: setup ## only the tests that need no server and no browser
	@$(PYTEST) -m "$(UNIT)" $(ARGS)

collect: setup # each test file is compiled once here, not once by each worker at the same time
	@said=$$($(BIN)/python -m pytest --collect-only -qq 2>&1) || { echo "$$said" | tail -40; exit 1; }

lint: setup ## style, types and import contracts of the Python code
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet || { echo "  not formatted; cure: make format"; exit 1; }
	@$(BIN)/mypy $(if $(CI),--cache-dir /dev/null)
	@$(BIN)/lint-imports --no-logo

format: setup ## rewrite Python and front end in the project's style
	@$(BIN)/ruff check --fix --quiet || true
	@$(BIN)/ruff format
	@$(BOOT) npm run --silent format

frontend-check: setup ## types, style and tests of the front end
	@$(BOOT) npm run typecheck
	@$(BOOT) npm run lint || { echo "  where it says \`Code style issues\`: make format"; exit 1; }
	@$(BOOT) npm test

setup-bench:
	@$(BOOT) setup bench

bench-peers: setup-bench ## measure the engine beside its peers; writes docs/performance.md
	@$(BIN)/python -m tests.benchmarks $(ARGS)

chaos: setup ## break a real server while it works, and judge (ARGS="--kills 100 --seed 7")
	@$(BIN)/python -m tests.chaos $(ARGS)

simulate: setup ## the long forms: crashes at every await and commit point, anything as input
	@FUZZ_EFFORT=25 $(PYTEST) -o faulthandler_timeout=3600 tests/fuzz tests/builder/api/test_at_random.py $(ARGS)
	@SIM_EVERY=1 $(PYTEST) -o faulthandler_timeout=3600 -m "long or not long" tests/simulation $(ARGS)
	@$(PYTEST) -o faulthandler_timeout=3600 -m long --ignore tests/simulation $(ARGS) || [ $$? -eq 5 ]

bench-http: setup ## measure what requests cost the server in CPU
	@$(BIN)/python -m tests.benchmarks.web $(ARGS)

crowd: setup ## 500 sockets on 50 runs, dropped every few seconds, for a minute
	@$(BIN)/python -m tests.e2e.crowd $(ARGS)

mutants: setup ## seed mistakes one at a time and see that the tests notice (ARGS="ledger")
	@$(BIN)/python -m tests.mutants $(ARGS)

lock: ## write the requirement locks anew after a change of requirements*.in
	@$(BOOT) lock

clean: ## remove what setup and tests made; data in var/ stays
	@$(BOOT) clean
