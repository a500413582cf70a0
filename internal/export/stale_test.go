package export_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestResultsAreNotStale copies the repository, less the lectures, and changes
// one thing at a time: `go test ./notebooks` may say (cached) only when nothing
// has changed. The go command sees what a test reads, and Build reads all that counts.
func TestResultsAreNotStale(t *testing.T) {
	if testing.Short() {
		t.Skip("copies and builds the repository")
	}
	repo := t.TempDir()
	files, err := exec.Command("git", "-C", root(t), "ls-files", "-z", "--", "go.mod", "go.sum", "mlkit", "plotting", "datasets", "internal").Output()
	if err != nil {
		t.Skipf("no git, or no clone: %v", err)
	}
	for _, name := range strings.Split(strings.Trim(string(files), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root(t), name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(repo, name), string(data))
	}
	test, err := os.ReadFile(filepath.Join(root(t), "notebooks", "notebooks_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(repo, "notebooks", "notebooks_test.go"), string(test))
	notebook := filepath.Join(repo, "notebooks", "small.ipynb")
	write(t, notebook, small("3", "5\\n"))

	run := func() string {
		t.Helper()
		// The go command trusts no file that is younger than two seconds.
		time.Sleep(2100 * time.Millisecond)
		cmd := exec.Command("go", "test", "./notebooks")
		cmd.Dir = repo
		out, err := cmd.CombinedOutput()
		if err != nil && !strings.Contains(string(out), "FAIL: TestNotebooks/small/cells/norm") {
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
	write(t, notebook, small("6", "5\\n"))
	if out := run(); !strings.Contains(out, "FAIL: TestNotebooks/small/cells/norm") {
		t.Errorf("after a change of a cell:\n%s", out)
	}
	write(t, notebook, small("3", "5\\n"))
	run()
	hyperplane := filepath.Join(repo, "mlkit", "linear", "hyperplane.go")
	code, err := os.ReadFile(hyperplane)
	if err != nil {
		t.Fatal(err)
	}
	write(t, hyperplane, string(code)+"\nfunc init() { println(\"changed\") }\n")
	if out := run(); !strings.Contains(out, "FAIL: TestNotebooks/small/cells/norm") || !strings.Contains(out, "changed") {
		t.Errorf("after a change in mlkit:\n%s", out)
	}
}

// small is a notebook whose cell prints the norm of (first, 4).
func small(first, output string) string {
	return `{"cells": [{"cell_type": "code", "execution_count": 1, "id": "norm", "metadata": {}, "outputs": [
{"name": "stdout", "output_type": "stream", "text": "` + output + `"}],
"source": "%%\nfmt.Println(linear.Hyperplane{W: []float64{` + first + `, 4}}.Norm())"}],
"metadata": {"kernelspec": {"display_name": "Go (gonb)", "language": "go", "name": "gonb"}}, "nbformat": 4, "nbformat_minor": 5}`
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
