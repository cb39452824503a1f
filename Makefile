# Two commands do all the set-up: `make serve` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8001

.PHONY: serve test fit check lint bench evaluate lock clean
# A build replaces its file only when it is whole.
.PRECIOUS: whist.db unaided.db
.DELETE_ON_ERROR:
COMPILE = $(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --no-strip-extras --no-header \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links
# Each of the processes that the tests start would otherwise compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

# What a knowledge base is made of, and a list of it, which is written anew when a file was added or deleted.
MADE_OF := $(sort $(shell find corpus extract kb -type f -not -name '*.pyc'))
$(shell echo '$(MADE_OF)' | cmp -s - whist.db.files || echo '$(MADE_OF)' > whist.db.files)

serve: whist.db
	$(BIN)/whist serve --db whist.db --port $(PORT) --reload

whist.db: $(VENV)/.ready whist.db.files $(MADE_OF)
	$(BIN)/whist build --db whist.db

unaided.db: $(VENV)/.ready whist.db.files $(MADE_OF)
	$(BIN)/whist build --unaided --db unaided.db

test: $(VENV)/.dev lint
	$(BIN)/pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# After a change of questions or paraphrases; half a minute. The build copies the file.
fit: $(VENV)/.dev
	$(BIN)/whist fit --corpus corpus

check: whist.db
	$(BIN)/whist check --db whist.db

evaluate: whist.db unaided.db
	$(BIN)/whist evaluate --db whist.db
	$(BIN)/whist evaluate --db unaided.db

bench: $(VENV)/.dev
	$(BIN)/pytest tests/bench --benchmark-only --benchmark-enable -p no:cacheprovider

$(VENV)/.ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	PYTHONWARNINGS="ignore:Editable installation" \
		$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.ready
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	touch $@

# What serving needs, and what tests and fitting need besides.
lock:
	$(BIN)/pip install --quiet pip-tools
	$(COMPILE) -o requirements.lock pyproject.toml
	$(COMPILE) --extra dev --constraint requirements.lock -o requirements-dev.lock pyproject.toml

clean:
	rm -rf $(VENV) whist.db whist.db.files unaided.db .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info
