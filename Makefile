# gojm: `make` lists what there is. See README.md.

GO      ?= go
BIN     := dist/gojm
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X main.version=$(VERSION)
ASSET   := htmlreport/assets/echarts/echarts.min.js.gz
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

.PHONY: help build assets sample test test-needs check bench conformance-live fuzz readme cross clean FORCE

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: $(BIN) ## build dist/gojm, one static binary with the dashboard's charts inside

$(BIN): FORCE $(ASSET)
	@command -v $(GO) >/dev/null || { echo "make: go is missing: install Go 1.26 or newer" >&2; exit 1; }
	@mkdir -p dist
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $@ ./cmd/gojm

assets: $(ASSET) ## fetch the chart library that the dashboard is built with

$(ASSET): htmlreport/assets/package-lock.json htmlreport/assets/build.sh
	@command -v npm >/dev/null || { echo "make: npm is missing: install Node.js with npm (it brings the chart library)" >&2; exit 1; }
	sh htmlreport/assets/build.sh

sample: build ## build, run a sample plan against a server of our own, leave a dashboard
	sh testdata/plans/sample.sh $(BIN) dist/sample

test: test-needs $(ASSET) ## install what the tests need and run them all
	$(GO) vet ./... ./testdata/target/...
	$(GO) test -timeout 30m ./... ./testdata/target/...

test-needs:
	@sh testdata/needs.sh

check: ## gofmt, vet, staticcheck, the race detector
	test -z "$$(gofmt -l cmd engine htmlreport jmx jtl testdata)"
	$(GO) vet ./... ./testdata/target/...
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 -checks inherit,-ST1005 ./... # texts of errors are Java's
	$(GO) test -race -timeout 40m ./...

bench: build ## benchmarks: allocations, memory, rows a second, and a run beside JMeter
	sh testdata/bench/run.sh $(BIN)

conformance-live: $(ASSET) ## run real JMeter 5.6.3 and gojm on every case and on the journey
	sh testdata/conformance/install-jmeter.sh
	GOJM_LIVE=1 $(GO) test -count=1 -timeout 4h ./cmd/gojm -run 'TestConformance|TestJourney'

fuzz: ## each fuzz target for half a minute
	@for p in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$p | grep ^Fuzz); do \
	    $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime 30s $$p || exit 1; done; done

readme: build ## write the generated parts of README.md
	$(BIN) elements --readme README.md

cross: $(ASSET) ## build for every platform
	@for p in $(PLATFORMS); do \
	  echo "build $$p"; \
	  GOOS=$${p%/*} GOARCH=$${p#*/} CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' \
	    -o dist/gojm-$${p%/*}-$${p#*/} ./cmd/gojm || exit 1; done

clean: ## remove what was built
	rm -rf dist
