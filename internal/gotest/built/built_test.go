package built

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/gotest/layout"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

func TestBuildsWhatHasChanged(t *testing.T) {
	tier.Long(t)
	exports := filepath.Join(owncache.Use(t), "export")
	root := repotest.Root(t)

	// build builds a notebook, and returns how many are in the cache then, what
	// the cell prints, and when its binary was made.
	build := func(file string) (kept int, prints string, made time.Time) {
		t.Helper()
		b := must.Get(Notebook(t.Context(), file, root)).Or(t)
		defer b.Close()
		for _, o := range b.Run(t.Context(), "norm").Outputs {
			prints += o.Text
		}
		info := must.Get(os.Stat(b.Packages[0].Binary)).Or(t)
		all, _ := filepath.Glob(filepath.Join(exports, "*", "*", "package", "testdata", "part1", layout.ProgramFile))
		return len(all), prints, info.ModTime()
	}

	one := filepath.Join(t.TempDir(), "one.ipynb")
	testfile.Write(t, one, small("3", ""))
	_, prints, first := build(one)
	if prints != "5\n" { // √(3² + 4²)
		t.Errorf("first: %q", prints)
	}
	testfile.Write(t, one, small("3", "another output"))
	if _, _, made := build(one); made != first {
		t.Error("a change of an output alone built the programs again")
	}
	testfile.Write(t, one, small("0", ""))
	if _, prints, made := build(one); prints != "4\n" || made == first {
		t.Errorf("after a change of the code: %q", prints)
	}

	// What was built for a notebook that is gone goes with the next build.
	two := filepath.Join(t.TempDir(), "two.ipynb")
	testfile.Write(t, two, small("3", ""))
	if kept, _, _ := build(two); kept != 2 {
		t.Errorf("two notebooks: %d kept", kept)
	}
	must.Do(t, os.Remove(two))
	testfile.Write(t, one, small("6", ""))
	if kept, _, _ := build(one); kept != 1 {
		t.Errorf("one of two notebooks was removed: %d kept", kept)
	}
}

// TestResultsAreNotStale copies the repository, less the lectures, and changes
// one thing at a time: `go test` of a lecture may say (cached) only when nothing
// has changed. The go command sees what a test reads, and Notebook reads all that counts.
func TestResultsAreNotStale(t *testing.T) {
	tier.Long(t)
	repo := t.TempDir()
	files, err := exec.Command("git", "-C", "../../..", "ls-files", "-z", "-co", "--exclude-standard", "--", "go.mod", "go.sum", "mlkit", "plotting", "datasets", "timing", "internal").Output()
	if err != nil {
		t.Fatalf("no git, or no clone: %v", err)
	}
	for _, name := range strings.Split(strings.Trim(string(files), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join("../../..", name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		testfile.Write(t, filepath.Join(repo, name), string(data))
	}
	for from, to := range map[string]string{"celltests.go": "celltests.go", "00-index/lecture_test.go": "small/lecture_test.go"} {
		test := testfile.Read(t, filepath.Join("../../..", "notebooks", "celltests", from))
		testfile.Write(t, filepath.Join(repo, "notebooks", "celltests", to), test)
	}
	testfile.Write(t, filepath.Join(repo, "notebooks", "figures.sum"), "")
	notebook := filepath.Join(repo, "notebooks", "small.ipynb")
	testfile.Write(t, notebook, small("3", "5\\n"))

	run := func() string {
		t.Helper()
		// The go command trusts no file that is younger than two seconds.
		time.Sleep(2100 * time.Millisecond)
		cmd := exec.Command("go", "test", "./notebooks/celltests/small")
		cmd.Dir = repo
		out, err := cmd.CombinedOutput()
		if err != nil && !strings.Contains(string(out), "FAIL: TestLecture/cells/norm") {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	if out := run(); !strings.Contains(out, "ok") {
		t.Fatalf("first run:\n%s", out)
	}
	if out := run(); !strings.Contains(out, "(cached)") {
		t.Errorf("nothing has changed, and the test ran again: what follows proves nothing\n%s", out)
	}
	bench := filepath.Join(repo, "internal", "bench", "main.go")
	other := testfile.Read(t, bench)
	testfile.Write(t, bench, other+"\n// edited\n")
	if out := run(); !strings.Contains(out, "(cached)") {
		t.Errorf("after an edit of internal/bench, which no notebook is built from:\n%s", out)
	}
	testfile.Write(t, notebook, small("6", "5\\n"))
	if out := run(); !strings.Contains(out, "FAIL: TestLecture/cells/norm") {
		t.Errorf("after a change of a cell:\n%s", out)
	}
	testfile.Write(t, notebook, small("3", "5\\n"))
	run()
	hyperplane := filepath.Join(repo, "mlkit", "hyperplane.go")
	code := testfile.Read(t, hyperplane)
	testfile.Write(t, hyperplane, code+"\nfunc init() { println(\"changed\") }\n")
	if out := run(); !strings.Contains(out, "FAIL: TestLecture/cells/norm") || !strings.Contains(out, "changed") {
		t.Errorf("after a change in mlkit:\n%s", out)
	}
}

// small is a notebook whose cell prints the norm of (first, 4).
func small(first, output string) string {
	return `{"cells": [{"cell_type": "code", "execution_count": 1, "id": "norm", "metadata": {}, "outputs": [
{"name": "stdout", "output_type": "stream", "text": "` + output + `"}],
"source": "%%\nfmt.Println(mlkit.Hyperplane{W: []float64{` + first + `, 4}}.Norm())"}],
"metadata": {"kernelspec": {"display_name": "Go (gonb)", "language": "go", "name": "gonb"}}, "nbformat": 4, "nbformat_minor": 5}`
}
