package mlkit_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// Every fuzz test of mlkit, datasets and the tools passes on 100,000 new inputs, or on
// MARGINALIA_FUZZ of them. (Every go test runs the seeds.) Failing inputs are left in
// the package's testdata/fuzz, and go test runs them from then on.
//
// The limit is a number of inputs because a fuzz test stopped by the clock may fail for
// that reason (https://go.dev/issue/75804, in Go 1.26).
func TestFuzz(t *testing.T) {
	testkit.OneLevel(t)
	testkit.Long(t)
	inputs := 100_000 // half a minute to six minutes each, on two cores
	if s := os.Getenv("MARGINALIA_FUZZ"); s != "" {
		var err error
		if inputs, err = strconv.Atoi(s); err != nil || inputs <= 0 {
			t.Fatalf("MARGINALIA_FUZZ = %q, want a number of inputs such as 3000", s)
		}
	}
	tests := fuzzTests(t)
	if len(tests) < 29 { // the number when this test was written
		t.Errorf("%d fuzz tests are found, want at least 29", len(tests))
	}
	out := testkit.Try(exec.CommandContext(t.Context(), "go", "env", "GOCACHE").Output()).Or(t)
	corpora, programs := filepath.Join(strings.TrimSpace(string(out)), "fuzz"), t.TempDir()
	// "go test -fuzz" would link a package's program once for each of its tests. It
	// would also recompile all imports with coverage; that of this module's own
	// branches is enough guidance.
	args := []string{"test", "-c", "-vet=off", "-gcflags=marginalia/...=-d=libfuzzer", "-ldflags=-s -w", "-o", programs + string(filepath.Separator)}
	for _, f := range tests {
		if pkg := f.pkg(); !slices.Contains(args, pkg) {
			args = append(args, pkg)
		}
	}
	compile := exec.CommandContext(t.Context(), "go", args...)
	compile.Env = append([]string{"GOGC=400"}, compile.Environ()...) // less garbage collection: see internal/kernel/gocommand
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
	for _, f := range tests {
		t.Run(filepath.ToSlash(f.dir)+"."+f.name, func(t *testing.T) {
			// The flags that go test would pass, including where to keep new
			// interesting inputs.
			cmd := exec.CommandContext(t.Context(), filepath.Join(programs, path.Base(f.pkg())+".test"), "-test.paniconexit0",
				"-test.fuzzcachedir="+filepath.Join(corpora, filepath.FromSlash(f.pkg())),
				"-test.run=^$", "-test.fuzz=^"+f.name+"$", fmt.Sprintf("-test.fuzztime=%dx", inputs))
			cmd.Dir = f.dir
			out, err := cmd.CombinedOutput()
			if err == nil && !bytes.Contains(out, []byte("gathering baseline coverage")) {
				err = errors.New("it was not led by coverage")
			}
			if err != nil {
				t.Errorf("%v in %s: %v\n%s", cmd.Args, f.dir, err, out)
			}
		})
	}
}

// A fuzzTest is a Fuzz function of the package in dir.
type fuzzTest struct{ dir, name string }

func (f fuzzTest) pkg() string { return path.Join("marginalia/mlkit", filepath.ToSlash(f.dir)) }

// fuzzTests finds the fuzz tests of all packages.
func fuzzTests(t *testing.T) (all []fuzzTest) {
	for _, root := range []string{".", "../datasets", "../internal"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Fuzz") {
					all = append(all, fuzzTest{filepath.Dir(path), f.Name.Name})
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}
