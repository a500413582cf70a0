package built

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// What is edited between the look at the sources and the end of the build is no build of either state.
func TestEditedWhileItIsBuilt(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	root := repotest.Root(t)
	one := filepath.Join(t.TempDir(), "one.ipynb")
	testfile.Write(t, one, small("3", ""))
	of := &target{file: one}
	place(t.Context(), []*target{of}, root)
	must.Do(t, os.MkdirAll(filepath.Dir(of.dir), 0o755))
	testfile.Write(t, one, small("0", ""))
	build(t.Context(), []*target{of}, root, says)
	if of.err == nil || !strings.Contains(of.err.Error(), "edited while it was built") || complete(of.dir) {
		t.Errorf("%v, and it is complete: %v", of.err, complete(of.dir))
	}
	b := must.Get(Notebook(t.Context(), one, root)).Or(t)
	defer b.Close()
	if got := b.Run(t.Context(), "norm").Outputs; len(got) != 1 || got[0].Text != "4\n" {
		t.Errorf("the edited notebook prints %v", got)
	}
	if !b.Same(t.Context(), root) {
		t.Error("without an edit it is said to be another")
	}
}

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
	testfile.Write(t, notebook, norms("3", ""))

	run := func() string {
		t.Helper()
		// The go command trusts no file that is younger than two seconds.
		time.Sleep(2100 * time.Millisecond)
		cmd := exec.Command("go", "test", "./notebooks/celltests/small")
		cmd.Dir, cmd.Env = repo, append(os.Environ(), "CI=") // with it all cells would run
		out, err := cmd.CombinedOutput()
		if err != nil && !strings.Contains(string(out), "FAIL: TestLecture/cells/") {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	if out := run(); !strings.HasPrefix(out, "ok") {
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
	// What cells showed is kept, and a cell runs again if an edit reaches it.
	reaches := func(edit string, cells ...string) {
		t.Helper()
		out := run()
		for _, id := range []string{"norm", "flower"} {
			if failed := strings.Contains(out, "FAIL: TestLecture/cells/"+id); failed != slices.Contains(cells, id) {
				t.Errorf("after an edit of %s it is %v that cell %s fails:\n%s", edit, failed, id, out)
			}
		}
	}
	testfile.Write(t, notebook, norms("3", "// a comment"))
	reaches("a comment")
	testfile.Write(t, notebook, norms("6", ""))
	reaches("a cell above", "norm")
	testfile.Write(t, notebook, norms("3", "first++"))
	reaches("a cell", "norm")
	testfile.Write(t, notebook, norms("3", ""))
	reaches("nothing")
	edit := func(name string, change func(text string) string) (undo func()) {
		t.Helper()
		file := filepath.Join(repo, filepath.FromSlash(name))
		text := testfile.Read(t, file)
		changed := change(text)
		if changed == text {
			t.Fatalf("%s has not what is to be changed", name)
		}
		testfile.Write(t, file, changed)
		return func() { testfile.Write(t, file, text) }
	}
	undo := edit("mlkit/hyperplane.go", func(text string) string { return text + "\nfunc unused() {}\n" })
	reaches("what no cell uses")
	undo()
	undo = edit("mlkit/hyperplane.go", func(text string) string { return strings.Replace(text, "math.Sqrt(", "1 + math.Sqrt(", 1) })
	reaches("mlkit", "norm")
	undo()
	undo = edit("datasets/data/iris.csv.gz", func(text string) string {
		r := must.Get(gzip.NewReader(strings.NewReader(text))).Or(t)
		lines := must.Get(io.ReadAll(r)).Or(t)
		var b strings.Builder
		w := gzip.NewWriter(&b)
		_, err := w.Write(lines[:bytes.LastIndexByte(bytes.TrimSpace(lines), '\n')+1]) // one flower less
		must.Do(t, errors.Join(err, w.Close()))
		return b.String()
	})
	reaches("the data", "flower")
	undo()
	edit("mlkit/hyperplane.go", func(text string) string { return text + "\nfunc init() { println(\"changed\") }\n" })
	reaches("a start", "norm", "flower")
}

// norms is a notebook with a cell that prints the norm of (first, 4), which a cell above declares, and one
// that counts flowers.
func norms(first, line string) string {
	return fmt.Sprintf(`{"cells": [
{"cell_type": "code", "execution_count": 1, "id": "first", "metadata": {}, "outputs": [], "source": "var first = %s.0"},
{"cell_type": "code", "execution_count": 2, "id": "norm", "metadata": {}, "outputs": [
{"name": "stdout", "output_type": "stream", "text": "5\n"}],
"source": "%%%%\n%s\nfmt.Println(mlkit.Hyperplane{W: []float64{first, 4}}.Norm())"},
{"cell_type": "code", "execution_count": 3, "id": "flower", "metadata": {}, "outputs": [
{"name": "stdout", "output_type": "stream", "text": "150\n"}],
"source": "%%%%\nfmt.Println(len(datasets.Iris().Y))"}],
"metadata": {"kernelspec": {"display_name": "Go (gonb)", "language": "go", "name": "gonb"}}, "nbformat": 4, "nbformat_minor": 5}`, first, line)
}

// small is a notebook whose cell prints the norm of (first, 4).
func small(first, output string) string {
	return `{"cells": [{"cell_type": "code", "execution_count": 1, "id": "norm", "metadata": {}, "outputs": [
{"name": "stdout", "output_type": "stream", "text": "` + output + `"}],
"source": "%%\nfmt.Println(mlkit.Hyperplane{W: []float64{` + first + `, 4}}.Norm())"}],
"metadata": {"kernelspec": {"display_name": "Go (gonb)", "language": "go", "name": "gonb"}}, "nbformat": 4, "nbformat_minor": 5}`
}
