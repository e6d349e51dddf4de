# Thin on purpose: every recipe is one command that can be typed by hand.
.DEFAULT_GOAL := help
.PHONY: help deps build run test quick test-full docs bench counters fuzz sanitize stage install uninstall deb test-deb bundle bundle-tests release test-bundle test-fresh test-debian13 lint clean

# Real clips for the tests that want them; without a folder they skip those.
export BENCH360_MEDIA ?= $(abspath $(wildcard ../shared/media))
# A crash shows where; where the backtracer itself would crash it must not hide the message.
export SWIFT_BACKTRACE ?= enable=no
# The prefix of 'make install'; with DESTDIR, below that folder.
PREFIX ?= /usr/local
DESTDIR ?=

c_headers := $(wildcard Sources/C/*/*.h Sources/C/*/include/*.h Sources/C/*/module.modulemap)

help: ## show this
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

deps: ## install missing packages (Debian)
	@Scripts/setup

build: .build/headers.stamp ## build the release binary, .build/release/bench360
	Scripts/swift-build --product bench360

run: deps build ## measure the built-in clip
	.build/release/bench360 run

test: deps lint .build/headers.stamp ## lint, then the tests that CI runs
	@Scripts/test test

quick: deps lint .build/headers.stamp ## pure logic and small pictures, within a minute
	@Scripts/test quick

test-full: deps lint .build/headers.stamp ## all tests, for an hour; SHARD=0/4 is the first quarter
	@Scripts/test full $(if $(SHARD),--shard $(SHARD))

docs: build ## the libraries' documentation, in .build/docs
	@Scripts/docs

bench: deps build ## shares of this machine's limits, FFmpeg and mpv beside it; half an hour
	Benchmarks/run

counters: deps build ## the cost of a frame, counted: allocations, copied bytes, Vulkan calls
	Benchmarks/counters/run

fuzz: deps ## inputs made by libFuzzer for each reader of untrusted bytes: an hour, or FUZZ_SECONDS
	Scripts/fuzz

sanitize: deps ## tests under ThreadSanitizer and AddressSanitizer
	Scripts/sanitize

stage: .build/stage.stamp ## lay out the built files for 'make install'

install: .build/stage.stamp ## install the built program: PREFIX=/usr/local DESTDIR=
	@Scripts/install --prefix '$(PREFIX)' --destdir '$(DESTDIR)'

uninstall: ## remove the installed files
	@Scripts/install --remove --prefix '$(PREFIX)' --destdir '$(DESTDIR)'

deb: deps build ## a Debian package, in bundle/
	Scripts/deb

test-deb: ## install and use it in a bare Debian root; needs root
	Scripts/test-deb

bundle: deps ## an archive that runs on other machines, in bundle/
	Scripts/bundle

bundle-tests: deps ## tests of a device for machines that cannot build them, over the bundle
	Scripts/bundle-tests

release: deps ## archive, Debian package, source, checksums and bill of materials, built twice; half an hour
	Packaging/release --twice

test-bundle: ## run it in bare Debian roots; needs root
	Scripts/test-bundle

test-fresh: ## 'make run' and 'make test' in a bare Debian root, timed; needs root
	Scripts/test-fresh

test-debian13: ## the same in a root of Debian 13, with clips; needs root
	Scripts/test-debian13 $(if $(BENCH360_MEDIA),--media '$(BENCH360_MEDIA)')

lint: ## the formatter's check
	swift format lint --strict -r Package.swift Sources Tests

clean: ## remove the build
	swift package clean

# Linked anew, never compiled: 'sudo make install' builds nothing but this where 'make stage' did not.
.build/stage.stamp: .build/release/bench360 $(wildcard Packaging/* Scripts/stage Scripts/packaging/* results/*.json) README.md CHANGELOG.md
	@command -v swiftc >/dev/null || \
	  { echo "Cannot link the program: 'swiftc' is not on PATH, which sudo sets anew. Run 'make stage' without sudo first." >&2; exit 1; }
	@Scripts/stage && touch $@

.build/release/bench360:
	@echo "There is no program to install: run 'make build' first." >&2; exit 1

# SwiftPM does not notice changed headers of system modules: targets built against them are built again.
.build/headers.stamp: $(c_headers)
	@mkdir -p .build && rm -rf .build/*/release/ModuleCache && grep -rlE 'import C[A-Z]' Sources Tests --include='*.swift' | xargs touch && touch $@
