package mlkit_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"marginalia/internal/tier"
)

// Every fuzz test of mlkit, of datasets and of the tools finds nothing new in a minute, or in MARGINALIA_FUZZTIME. Their
// seeds run with every go test. What one finds it leaves in its package's testdata/fuzz,
// for go test to run from then on.
func TestFuzz(t *testing.T) {
	tier.Long(t)
	each := time.Minute
	if s := os.Getenv("MARGINALIA_FUZZTIME"); s != "" {
		var err error
		if each, err = time.ParseDuration(s); err != nil || each <= 0 {
			t.Fatalf("MARGINALIA_FUZZTIME = %q, want a duration such as 10s", s)
		}
	}
	tests := fuzzTests(t)
	if len(tests) < 29 { // as many as there were when this was written
		t.Errorf("%d fuzz tests are found, want at least 29", len(tests))
	}
	if deadline, ok := t.Deadline(); ok {
		if need := time.Duration(len(tests)) * each; time.Until(deadline) < need {
			t.Fatalf("%d fuzz tests of %v each don't end in time, want a -timeout of more than %v", len(tests), each, need)
		}
	}
	for _, f := range tests {
		t.Run(filepath.ToSlash(f.dir)+"."+f.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "go", "test", "./"+f.dir, "-vet=off", "-run", "^$", "-fuzz", "^"+f.name+"$", "-fuzztime", each.String())
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %v\n%s", cmd.Args, err, out)
			}
		})
	}
}

// A fuzzTest is a Fuzz function of the package in a folder.
type fuzzTest struct{ dir, name string }

// fuzzTests finds the fuzz tests of all packages.
func fuzzTests(t *testing.T) (all []fuzzTest) {
	for _, root := range []string{".", "../datasets", "../internal"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, f := range fuzzFunc.FindAllSubmatch(text, -1) {
				all = append(all, fuzzTest{filepath.Dir(path), string(f[1])})
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

var fuzzFunc = regexp.MustCompile(`(?m)^func (Fuzz\w*)\(`)
