package export_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/tier"
)

// A %test cell is built as a test, as by GoNB, which runs the same cell in
// testdata/truth/process.ipynb.
func TestATestCellIsATest(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	results := run(t, notebook(t, t.TempDir(),
		"imports", "import (\n\t\"flag\"\n\t\"fmt\"\n\t\"testing\"\n)",
		"test", "%test\nvar flags = flag.Lookup(\"test.v\") != nil\nfunc TestWhere(t *testing.T) {\n\tfmt.Println(testing.Testing(), flags)\n}"))
	if got := stdout(results["test"]); !strings.Contains(got, "true false\n") {
		t.Errorf("%q, want it to know that it is a test, and its flags to come after its variables", got)
	}
}

// The program of a notebook without %test cells links no package testing, and
// is one for every system that Go has: a site and a grader run it as
// WebAssembly.
func TestProgramIsPortable(t *testing.T) {
	tier.Long(t)
	dir := filepath.Join(t.TempDir(), "out")
	e := exported(t, notebook(t, t.TempDir(), "greet", "func greet(who string) {\n\tfmt.Println(\"hello\", who)\n}", "use", "%%\ngreet(\"guest\")"))
	if err := e.Write(dir, root(t)); err != nil {
		t.Fatal(err)
	}
	commands := []string{"go list -deps ."}
	if tier.IsLong(t) {
		commands = append(commands, "go build -o guest.wasm .")
	}
	for _, command := range commands {
		words := strings.Fields(command)
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir = filepath.Join(dir, "testdata", "part1")
		cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		for dep := range strings.Lines(string(out)) {
			if dep = strings.TrimSpace(dep); dep == "testing" || strings.HasPrefix(dep, "marginalia/internal/gotest/celltest") {
				t.Errorf("%s: the program links %s", command, dep)
			}
		}
	}
}
