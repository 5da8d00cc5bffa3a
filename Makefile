# Every target does its own set-up, in .venv, and is quick the second time.
PYTHON ?= python3
RUN := .venv/bin
# Tests start hundreds of interpreters, each of which would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test chromium axe check-all bench bench-strict costs coverage docs test-hashes wordings separation reference screenshots prove lint clean

setup: .venv/ready-test
	@echo "ready: run .venv/bin/quandary, or activate it with: . .venv/bin/activate"

demo: .venv/ready
	@$(RUN)/quandary demo

test: .venv/ready-test lint
	@$(RUN)/pytest -n 2 --dist worksteal

lint: .venv/ready-test
	@$(RUN)/ruff check .
	@$(RUN)/ruff format --check .
	@$(RUN)/mypy
	@problems=$$($(RUN)/lint-imports --no-cache) || { echo "$$problems"; exit 1; }

# For tests in a real browser, where it can be installed.
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
	  || { timeout 120 apt-get update -qq && DEBIAN_FRONTEND=noninteractive timeout 300 apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1 \
	  || echo "chromium is not here and could not be installed, so tests in a browser are skipped; to run them: apt-get install chromium"

# What tests the pages for readers with disabilities.
axe: .venv/ready-check
	@test -d .venv/npm/node_modules/axe-core \
	  || timeout 120 npm install --silent --no-save --no-package-lock --prefix .venv/npm axe-core >/dev/null 2>&1 \
	  || echo "axe-core is not here and could not be installed, so its test is skipped; it needs npm"

check-all: .venv/ready-check chromium axe test
	@$(RUN)/quandary check --matrix
	@$(RUN)/quandary models pull smollm2
	@$(RUN)/pytest -n 2 --dist worksteal -rs --durations=200 -m heavy

bench: .venv/ready-bench
	@$(RUN)/python -m benchmarks

# Exits with 1 if all of five rounds exceed a limit of speed or memory by 15 %.
bench-strict: .venv/ready-bench
	@$(RUN)/python -m benchmarks.strict

costs: .venv/ready-test
	@$(RUN)/python -m benchmarks.costs

# How often intervals cover the true value, by simulation: some minutes.
coverage: .venv/ready-test
	@$(RUN)/python -m benchmarks.coverage

test-hashes: .venv/ready-test
	@test -n "$(DATA)" || { echo "name the folder of the published problems: make test-hashes DATA=FOLDER"; exit 1; }
	@$(RUN)/python tools/renew_test_hashes.py $(DATA)

wordings: .venv/ready-test
	@test -n "$(DATA)" || { echo "name the folder of the published problems: make wordings DATA=FOLDER"; exit 1; }
	@$(RUN)/python tools/renew_wordings.py $(DATA)

docs: .venv/ready-test
	@$(RUN)/pytest tests/test_golden.py tests/test_digests.py -n 2 --update -m "heavy or not heavy"

separation: .venv/ready
	@$(RUN)/python tools/separation.py

# The pictures in the README and in docs, of a report, of matches and of the site.
screenshots: .venv/ready-check chromium
	@PYTHONPATH=tests $(RUN)/python -m tools.screenshots

# What known players score on every suite: hours, resumable; it writes docs/reference-results.md.
reference: .venv/ready-check
	@$(RUN)/quandary models pull smollm2
	@$(RUN)/python -m tools.reference_results

# The longest checks: hours, resumable; their results are part of the project.
prove: .venv/ready-test
	@$(RUN)/python -m proofs.splits
	@$(RUN)/python -m proofs.blind_rules
	@$(RUN)/python -m proofs.states
	@$(RUN)/python -m proofs.workings

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "quandary needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/ready: .venv/made pyproject.toml constraints.txt
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[image,report,terminal]'
	@touch $@

.venv/ready-test: .venv/made pyproject.toml constraints.txt
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	@touch $@ .venv/ready

.venv/ready-check: .venv/ready-test
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[check]'
	@touch $@

.venv/ready-bench: .venv/ready-test
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	@touch $@

clean:
	rm -rf .venv
