# `make` alone lists what there is to do. Nothing here needs more than a Swift toolchain and a Debian-like system.

# What plays the scenarios: release takes longer to build and a fraction of the time to run.
CONFIGURATION ?= release
# A scenario id, or a pattern: `make conformance ONLY='redirect/*'`.
ONLY ?=
# How many schedules of each case `make explore` plays.
SEEDS ?= 100
# With how many combinations of bent answers.
HOSTILE ?= 20
# How long `make explore-long` goes on, and with which seed it begins: others every day.
MINUTES ?= 60
FIRST ?= $$(( $$(date +%s) / 86400 * 100000 + 1 ))
# Where `make install` puts the command; DESTDIR comes before it, for packages.
PREFIX ?= /usr/local
DESTDIR ?=
# The scenario that `make serve` plays, and where.
FILE ?= scenarios/first/hello.yaml
PORT ?= 0
# Tests one after another: some block their thread, and on two cores they would starve those that wait for a socket.
SWIFT_TEST = swift test --no-parallel
# Further words for `swift test`: `make test TESTFLAGS='--filter TidyTests'`.
TESTFLAGS ?=
# `make test SANITIZE=thread`: the tests under a sanitizer.
SANITIZE ?=
# `make test WHOLE=1`: from nothing, as CI does it: module by module, without what debuggers know, and in two processes.
# A quarter of the time less, but each change builds its whole module anew.
WHOLE ?=
SANITIZERS ?= thread address
# What they play, and how many sessions they make.
PLAYED ?= --world both
SESSIONS ?= 20000
# A part of the records or of the mutants: `make records SHARD=2/12`.
SHARD ?=
# How many mutants of each module, for a quick look; parts of mutants' names are given by ONLY.
SAMPLE ?=
# How often `make bench` measures each program; of times the least counts.
ROUNDS ?= 5
# What `make fuzz` tries, and for how long each.
TARGET ?= $(notdir $(wildcard Tests/Fuzz/Corpus/*))
SECONDS ?= 600

# The libraries whose reference `make documentation` makes.
DOCUMENTED = SessionNetworking ScriptedServer

# A Python with a validator for JSON Schema and a reader of YAML.
PYTHON = .build/python/bin/python

BUILD = swift build --configuration $(CONFIGURATION) --product understudy
UNDERSTUDY = .build/$(CONFIGURATION)/understudy
FORMATTED = Package.swift Sources Tests $(wildcard Benchmarks/Package.swift Benchmarks/Sources Examples Documentation/DocC)

.DEFAULT_GOAL := help
.PHONY: help setup conformance explore explore-long matrix records mutate mutate-sources test test-in-halves check schema \
    lint format serve command install uninstall documentation sanitize play-sanitized examples peers fuzz fuzzer bench \
    bench-check budget soak setup-bench golden certs clean

help: ## List the goals
	@echo "make <goal>:"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install what the build needs, or say what is missing
	@.ci/setup

conformance: setup ## Play every scenario in both worlds and all styles (ONLY=pattern for some)
	$(BUILD)
	$(UNDERSTUDY) run $(if $(ONLY),'$(ONLY)') --world both --strict --report report

explore: setup ## Cut, split and bend every answer, cancel every task everywhere, and play SEEDS schedules of every case (ONLY=pattern for some)
	$(BUILD)
	for what in every-cut every-split every-cancel seeds=$(SEEDS) hostile hostile=$(HOSTILE); do \
	    $(UNDERSTUDY) run $(if $(ONLY),'$(ONLY)') --explore $$what || exit; \
	done

explore-long: setup ## Play ever new schedules for MINUTES, for the night (FIRST=seed, ONLY=pattern)
	$(BUILD)
	first=$(FIRST); end=$$(( $$(date +%s) + $(MINUTES) * 60 )); \
	while [ $$(date +%s) -lt $$end ]; do \
	    last=$$(( first + $(SEEDS) - 1 )); \
	    echo "seeds $$first..$$last"; \
	    $(UNDERSTUDY) run $(if $(ONLY),'$(ONLY)') --explore seeds=$$first..$$last || exit; \
	    first=$$(( last + 1 )); \
	done

matrix: setup ## Play FoundationNetworking as well, hold it against the records, and write Documentation/MATRIX.md
	@.ci/setup ca-certificates
	$(BUILD)
	$(BUILD)-reference
	$(UNDERSTUDY) run --client ours,foundation --world sockets --report report
	$(UNDERSTUDY) matrix >.build/MATRIX.md
	mv .build/MATRIX.md Documentation/MATRIX.md

records: setup ## Play FoundationNetworking, and hold it against the records (SHARD=i/n for a part)
	@.ci/setup ca-certificates
	$(BUILD)
	$(BUILD)-reference
	$(UNDERSTUDY) run --client foundation --world sockets $(if $(SHARD),--shard $(SHARD))

mutate: setup ## Make every expectation wrong in every way: the judge must find it (SHARD=i/n for a part)
	$(BUILD)
	$(UNDERSTUDY) mutate $(if $(ONLY),'$(ONLY)') $(if $(SHARD),--shard $(SHARD))

mutate-sources: setup ## Plant mistakes in the sources: who notices? Takes hours (SAMPLE=n for n of each module)
	swift run --package-path Tests/Mutation --scratch-path .build/mutation/tool mutate-sources \
	    $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(ONLY),'$(ONLY)')

ifdef WHOLE
test: test-in-halves
else
test: setup ## Run the unit tests, the tidy test among them
	$(SWIFT_TEST) $(APART) $(TESTFLAGS)
endif

# A build beside the usual one. THREAD_SANITIZER: Sources/Locks says why. Lines are all that findings need of what
# debuggers know.
PLACE = .build/$(or $(SANITIZE),whole)
APART = $(if $(SANITIZE)$(WHOLE),--build-path $(PLACE) -debug-info-format none \
    -Xswiftc -gline-tables-only -Xcc -gline-tables-only) \
    $(if $(SANITIZE),--sanitize=$(SANITIZE)) $(if $(filter thread,$(SANITIZE)),-Xswiftc -DTHREAD_SANITIZER) \
    $(if $(WHOLE),--configuration release -Xswiftc -Onone -Xswiftc -enable-testing)

# Two processes share the tests, for two cores. These take about half of the time.
FIRST_HALF = ^(ScenarioFormat|Judge|Harness|understudy|Fuzz)Tests\.
HALF = $(SWIFT_TEST) $(APART) --skip-build --ignore-lock $(TESTFLAGS)
test-in-halves: setup
	swift build $(APART) --build-tests
	$(HALF) --filter '$(FIRST_HALF)' --xunit-output $(PLACE)/first.xml >$(PLACE)/first.log 2>&1 & first=$$!; \
	    trap 'kill $$first 2>/dev/null; cat $(PLACE)/first.log; exit 143' HUP INT TERM; \
	    $(HALF) --skip '$(FIRST_HALF)' --xunit-output $(PLACE)/second.xml; second=$$?; \
	    wait $$first; first=$$?; cat $(PLACE)/first.log; [ $$second = 0 ] && [ $$first = 0 ]

check: lint ## What to run before a commit: format, tidy, build, unit tests, simulated scenarios
	swift build --build-tests
	$(SWIFT_TEST) --skip-build --filter TidyTests
	$(SWIFT_TEST) --skip-build --skip TidyTests
	certs/check.sh
	swift build --product understudy
	.build/debug/understudy lint
	.build/debug/understudy run $(if $(ONLY),'$(ONLY)') --world simulated --strict

examples: setup ## Run the tests in other languages that use the server, with what is installed; is the image's folder whole?
	$(BUILD)
	Examples/Packaging/check.sh
	UNDERSTUDY=$(UNDERSTUDY) Examples/OtherLanguages/check.sh

peers: setup .build/httpbin/bin/python ## Try TLS, credentials, cookies, proxies, caches and the cookbook with OpenSSL, nginx, Apache, Kerberos, squid, httpbin and others that are installed
	$(BUILD)
	swift build --configuration release --product file-writer
	swift build --configuration release --product session-networking
	swift build --configuration release --package-path Examples --product sign-in
	swift build --configuration release --package-path Examples --product cached-reader
	failed=0; for peer in tls identity secret-service negotiate cache cookbook; do Tests/Peers/$$peer.sh || failed=1; done; exit $$failed

schema: setup $(PYTHON) ## Hold every scenario against the JSON Schema, and the OpenAPI document against its own, with PyPI's validators
	$(BUILD)
	$(UNDERSTUDY) schema >.build/scenario.schema.json
	$(PYTHON) Tests/Schema/check.py .build/scenario.schema.json scenarios \
	    Tests/ScenarioFormatTests/Good Tests/ScenarioFormatTests/Mistakes
	$(PYTHON) -c 'import openapi_spec_validator' 2>/dev/null || \
	    $(PYTHON) -m pip install --quiet --disable-pip-version-check openapi-spec-validator==0.9.0
	$(PYTHON) Tests/Schema/openapi.py Documentation/control.openapi.json Sources/Control/OpenAPI.swift

# What the cookbook is held against.
.build/httpbin/bin/python:
	@.ci/setup python3-venv
	rm -rf .build/httpbin .build/httpbin.new
	python3 -m venv .build/httpbin.new
	.build/httpbin.new/bin/pip install --quiet --disable-pip-version-check httpbin==0.10.4
	mv .build/httpbin.new .build/httpbin

# Only whole: what was interrupted is made anew.
$(PYTHON):
	@.ci/setup python3-venv
	rm -rf .build/python .build/python.new
	python3 -m venv .build/python.new
	.build/python.new/bin/pip install --quiet --disable-pip-version-check jsonschema==4.26.0 pyyaml==6.0.3
	mv .build/python.new .build/python

lint: ## Is everything formatted? Changes nothing
	swift format lint --strict --parallel --recursive $(FORMATTED)

format: ## Format everything
	swift format format --in-place --parallel --recursive $(FORMATTED)

# With DocC's plugin, which finds the symbol graph of a module and its catalog as every Swift package expects. It is a
# dependency of Documentation/DocC, a package of its own: one that uses Understudy does not resolve it.
documentation: $(DOCUMENTED:%=documentation-%) ## Make the reference of both libraries in .build/documentation; a warning is an error

documentation-%: setup
	mkdir -p .build/documentation
	swift package --package-path Documentation/DocC --scratch-path .build/docc \
	    --allow-writing-to-directory .build/documentation \
	    generate-documentation --product $* --warnings-as-errors --output-path .build/documentation/$*

serve: ## Play a scenario's server for any client (FILE=scenarios/a/b.yaml PORT=0)
	$(BUILD)
	$(UNDERSTUDY) serve $(FILE) --port $(PORT)

sanitize: $(SANITIZERS:%=sanitize-%) ## Tests and scenarios under the thread and the address sanitizer

sanitize-%: setup
	@$(MAKE) --no-print-directory test-in-halves SANITIZE=$*
	@$(MAKE) --no-print-directory play-sanitized SANITIZE=$*

# A worker with a finding dies, or it would be lost with the worker's output.
export TSAN_OPTIONS = halt_on_error=1
# XCTest and Swift's runtime keep what they have until the process ends.
export ASAN_OPTIONS = detect_leaks=0

# One worker a core: several would be too slow for what they wait for.
play-sanitized: setup
	swift build $(APART) --product understudy
	$(PLACE)/$(if $(WHOLE),release,debug)/understudy run $(PLAYED) --jobs $$(nproc) --report $(PLACE)/report
	swift build $(APART) --product soak
	$(PLACE)/$(if $(WHOLE),release,debug)/soak $(SESSIONS)

fuzz: $(TARGET:%=fuzz-%) ## Feed libFuzzer's inputs to all that reads foreign bytes (TARGET=name SECONDS=600; -j2)

# Optimised, but with the assertions and the bounds checks of a debug build.
fuzzer:
	swift build --configuration release --sanitize=fuzzer --build-path .build/fuzzer --product fuzz \
	    -Xswiftc -DFUZZER -Xswiftc -assert-config -Xswiftc Debug

fuzz-%: export FUZZ_TARGET = $*
# Swift's backtraces would come before the engine could save the input.
fuzz-%: export SWIFT_BACKTRACE = enable=no
# Each run has files: on a disk it would wait for that most of the time.
fuzz-session: export TMPDIR = /dev/shm
fuzz-scenario: INPUTS = scenarios Tests/ScenarioFormatTests/Good Tests/ScenarioFormatTests/Mistakes
fuzz-%: fuzzer
	mkdir -p .build/fuzz/$*
	.build/fuzzer/release/fuzz -max_total_time=$(SECONDS) -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
	    -artifact_prefix=.build/fuzz/$*- $(addprefix -dict=,$(wildcard Tests/Fuzz/Dictionaries/$*.dict)) \
	    -print_final_stats=1 .build/fuzz/$* Tests/Fuzz/Corpus/$* $(INPUTS)

BENCH = ONLY='$(ONLY)' ROUNDS=$(ROUNDS) Benchmarks/run.sh
REPORT = Benchmarks/.build/release/report

bench: setup-bench ## Measure client and server beside their peers (ONLY='conc-get server' ROUNDS=5)
	$(BENCH) Benchmarks/results.jsonl
	$(REPORT) plot Benchmarks/results.jsonl Documentation/benchmarks.svg

bench-check: setup-bench ## Measure, and hold the ratios against Benchmarks/thresholds (ONLY=work ROUNDS=5)
	rm -f Benchmarks/.build/check.jsonl
	$(BENCH) Benchmarks/.build/check.jsonl
	$(REPORT) check Benchmarks/.build/check.jsonl Benchmarks/thresholds

budget: setup ## Count what a request takes from the heap, and hold it against Benchmarks/budget
	Benchmarks/budget.sh

soak: override ONLY := soak-requests soak-connections soak-file soak-upload
soak: override ROUNDS := 1
soak: bench-check ## A million requests, 100,000 connections, 10 GiB in and out, a million sessions: nothing may grow; examples killed 200 times; a server under load and attack; stored answers, whose writers are killed 10,000 times, and run beside each other
	swift build --configuration release --product soak
	.build/release/soak 1000000
	Examples/soak.sh
	.ci/command
	python3 Tests/Load/load.py .build/static/release/understudy
	swift build --configuration release --product cache-writer
	Tests/CacheWriter/soak.sh .build/release/cache-writer

setup-bench:
	@.ci/setup nginx wrk libcurl4-openssl-dev

golden: ## Accept what the tests print now as right; read the diff before you commit it
	UNDERSTUDY_UPDATE_GOLDENS=1 $(SWIFT_TEST)

# For each shell, the folder in which it looks for what packages bring.
INSTALLED = $(DESTDIR)$(PREFIX)
COMMAND = $(INSTALLED)/bin/understudy
MANUAL = $(INSTALLED)/share/man/man1/understudy.1
BASH_COMPLETION = $(INSTALLED)/share/bash-completion/completions/understudy
ZSH_COMPLETION = $(INSTALLED)/share/zsh/site-functions/_understudy
FISH_COMPLETION = $(INSTALLED)/share/fish/vendor_completions.d/understudy.fish

command: setup ## Build the command as it is installed: .build/static/release/understudy
	.ci/command

# What the command prints is first written whole, then installed: an error leaves no half of a file.
install: override UNDERSTUDY = .build/static/release/understudy
install: command ## Install the command, its manual page and completions (PREFIX=/usr/local DESTDIR=)
	mkdir -p .build/install
	$(UNDERSTUDY) manual >.build/install/manual
	for shell in bash zsh fish; do \
	    $(UNDERSTUDY) --generate-completion-script $$shell >.build/install/$$shell || exit; \
	done
	install -D -s $(UNDERSTUDY) $(COMMAND)
	install -D -m 644 .build/install/manual $(MANUAL)
	install -D -m 644 .build/install/bash $(BASH_COMPLETION)
	install -D -m 644 .build/install/zsh $(ZSH_COMPLETION)
	install -D -m 644 .build/install/fish $(FISH_COMPLETION)

uninstall: ## Remove what `make install` installed, with the same PREFIX and DESTDIR
	rm -f $(COMMAND) $(MANUAL) $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION)

certs: setup ## Make the test certificates anew and check them
	certs/make.sh
	certs/check.sh

clean: ## Remove what was built
	rm -rf .build report Benchmarks/.build
