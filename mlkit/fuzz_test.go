package mlkit_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"marginalia/internal/tier"
)

// Every fuzz test of mlkit finds nothing new in a minute, or in MARGINALIA_FUZZTIME. They
// are listed by the go command, so that none is forgotten; their seeds run with every
// go test. What one finds it leaves in its package's testdata/fuzz, for go test to run from
// then on.
func TestFuzz(t *testing.T) {
	tier.Long(t)
	each := time.Minute
	if s := os.Getenv("MARGINALIA_FUZZTIME"); s != "" {
		var err error
		if each, err = time.ParseDuration(s); err != nil || each <= 0 {
			t.Fatalf("MARGINALIA_FUZZTIME = %q, want a duration such as 10s", s)
		}
	}
	readTree(t)
	tests := fuzzTests(t)
	if len(tests) < 12 { // as many as there were when this was written
		t.Errorf("%d fuzz tests are listed, want at least 12", len(tests))
	}
	if deadline, ok := t.Deadline(); ok {
		if need := time.Duration(len(tests)) * each; time.Until(deadline) < need {
			t.Fatalf("%d fuzz tests of %v each don't end in time, want a -timeout of more than %v", len(tests), each, need)
		}
	}
	for _, f := range tests {
		t.Run(strings.TrimPrefix(f.pkg, "marginalia/mlkit/")+"."+f.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "go", "test", f.pkg, "-run", "^$", "-fuzz", "^"+f.name+"$", "-fuzztime", each.String())
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %v\n%s", cmd.Args, err, out)
			}
		})
	}
}

// A fuzzTest is a Fuzz function of a package.
type fuzzTest struct{ pkg, name string }

// fuzzTests lists the fuzz tests of all packages below mlkit. The go command prints the
// names of a package's tests, and then its result, as "ok", the package and the time.
func fuzzTests(t *testing.T) (all []fuzzTest) {
	cmd := exec.Command("go", "test", "-vet=off", "-list", "^Fuzz", "marginalia/mlkit/...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		switch fields := strings.Fields(line); {
		case len(fields) == 1 && strings.HasPrefix(fields[0], "Fuzz"):
			names = append(names, fields[0])
		case len(fields) > 1 && fields[0] == "ok":
			for _, name := range names {
				all = append(all, fuzzTest{fields[1], name})
			}
			names = nil
		}
	}
	if names != nil {
		t.Errorf("the package of %v is not said", names)
	}
	return all
}
