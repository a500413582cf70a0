package export_test

import (
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/tier"
)

// A cell that needs a module which go.mod does not require says so by itself:
// what to run, and where. All others run. testify comes with modules that
// GoNB requires, uuid with none; the go command refuses the first with all
// that is asked for together with it, the second by itself.
func TestModulesThatAreNotRequired(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	file := notebook(t, t.TempDir(),
		"imports", "import (\n\t\"fmt\"\n\t\"strings\"\n\t\"github.com/stretchr/testify/assert\"\n)",
		"before", "%%\nfmt.Println(strings.ToUpper(\"before\"))",
		"check", "func check() bool { return assert.ObjectsAreEqual(1, 1) }",
		"calls", "%%\nfmt.Println(check())",
		"spew", "import \"github.com/davecgh/go-spew/spew\"\n%%\nfmt.Println(spew.Sdump(1))",
		"domain", "import \"example.invalid/nowhere\"\n%%\nnowhere.Go()",
		"own", "func check() bool { return true }\n%%\nfmt.Println(check())",
		"std", "import \"no/such\"\n%%\nsuch.Go()",
		"after", "%%\nfmt.Println(strings.ToUpper(\"after\"))")
	results := run(t, file)
	for id, want := range map[string]string{"before": "BEFORE\n", "own": "true\n", "after": "AFTER\n", "imports": ""} {
		if got := stdout(results[id]); got != want {
			t.Errorf("%s prints %q, want %q; %v", id, got, want, results[id].Failures)
		}
	}
	for id, want := range map[string]string{
		"check":  "it uses package github.com/stretchr/testify/assert, whose module go.mod does not require: run `go get github.com/stretchr/testify/assert` in " + root(t) + " ",
		"calls":  "it uses check of cell check, which could not be built",
		"spew":   "line 1: package github.com/davecgh/go-spew/spew, whose module go.mod does not require: run `go get github.com/davecgh/go-spew/spew` in " + root(t) + " ",
		"domain": "run `go get example.invalid/nowhere` in " + root(t) + " ",
		"std":    "package no/such is not in std", // no go get can help
	} {
		if f := results[id].Failures; len(f) == 0 || !strings.Contains(f[0], want) {
			t.Errorf("%s: %q, want a failure with %q", id, f, want)
		}
	}

	store(t, file, "before", "BEFORE\n")
	store(t, file, "after", "AFTER\n")
	// The exported package says the same, and builds.
	dir := filepath.Join(t.TempDir(), "out")
	if err := exported(t, file).Write(dir, root(t)); err != nil {
		t.Fatal(err)
	}
	text, err := goTest(dir, "-run", "TestNotebook/cells/(before|after|check)")
	if err == nil || strings.Contains(text, "FAIL: TestNotebook/cells/before") || strings.Contains(text, "FAIL: TestNotebook/cells/after") ||
		!strings.Contains(text, "run `go get github.com/stretchr/testify/assert` in "+root(t)) {
		t.Errorf("go test of the exported package: %v\n%s", err, text)
	}
}
