package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/course"
	"marginalia/internal/course/formgrade"
	"marginalia/internal/course/release"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// dump prints what nbgrader's own interface finds in gradebooks of the assignment ps0, with a NUL
// behind each.
const dump = `
import json, sys
from nbgrader.api import Gradebook
for path in sys.argv[1:]:
    with Gradebook("sqlite:///" + path) as gb:
        for nb in gb.find_assignment("ps0").notebooks:
            print(nb.name, json.dumps(json.loads(nb.kernelspec), sort_keys=True), nb.max_score, nb.max_code_score, nb.max_written_score, nb.max_task_score)
            for c in nb.grade_cells: print("grade", c.name, c.max_score, c.cell_type)
            for c in nb.solution_cells: print("solution", c.name)
            for c in nb.task_cells: print("task", c.name, c.max_score, c.cell_type)
            for c in sorted(nb.source_cells, key=lambda c: c.name): print("source", c.name, c.cell_type, c.locked, c.checksum, repr(c.source))
    print(end="\0")
`

// withNbgrader returns a function that runs the Python that has nbgrader in a folder, and returns what it prints.
func withNbgrader(t *testing.T) func(dir string, args ...string) string {
	t.Helper()
	python := must.Get(formgrade.Nbgrader().Python(t.Context(), nil)).Or(t)
	return func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.Command(python, args...)
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(python)+":"+os.Getenv("PATH"), "JUPYTER_CONFIG_DIR="+t.TempDir(), "JUPYTER_DATA_DIR="+t.TempDir())
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return string(out)
	}
}

// The gradebook after course release is the one after nbgrader generate_assignment:
// nbgrader's interface reads the same cells, points, sources and checksums from both.
func TestReleaseAsNbgrader(t *testing.T) {
	tier.Peer(t)
	run := withNbgrader(t)
	ours, theirs := exampleCourse(t), exampleCourse(t)
	if status := statusOf(t.Context(), []string{"course", "release", "ps0", "--course", ours}); status != 0 {
		t.Fatalf("course release: status %d", status)
	}
	run(theirs, "-m", "nbgrader", "generate_assignment", "ps0", "--log-level", "ERROR")
	got, both, _ := strings.Cut(run(ours, "-c", dump, filepath.Join(ours, "gradebook.db"), filepath.Join(theirs, "gradebook.db")), "\x00")
	want, found := strings.CutSuffix(both, "\x00")
	if got != want || !found || len(want) < 1000 {
		t.Errorf("our gradebook has\n%s\nnbgrader's\n%s", got, want)
	}
	// nbgrader goes on with it: a release over ours changes nothing that students see.
	before := withoutTerms(t, ours)
	run(ours, "-m", "nbgrader", "generate_assignment", "ps0", "--force", "--log-level", "ERROR")
	if after := withoutTerms(t, ours); after != before {
		t.Errorf("nbgrader releases another file over ours:\n%s\nours:\n%s", after, before)
	}
}

// withoutTerms returns the release in a course's folder without what it says for course check, which
// nbgrader knows nothing of.
func withoutTerms(t *testing.T, dir string) string {
	t.Helper()
	nb := nbtest.Read(t, filepath.Join(dir, "release", "ps0", "ps0.ipynb"))
	delete(nb.Metadata, "marginalia") // the example says nothing else there
	data := must.Get(nb.Encode()).Or(t)
	return string(data)
}

// A gate that objects keeps the assignment from being released; one that does not is
// all that is said of the tests.
func TestReleaseGates(t *testing.T) {
	dir := exampleCourse(t)
	before := releaseGate
	t.Cleanup(func() { releaseGate = before })
	var verdict error
	releaseGate = func(_ context.Context, _ *course.Course, a *release.Handout) error {
		if a.Name != "ps0" || len(a.Notebooks) != 1 || a.Notebooks[0].Source == nil {
			t.Errorf("the gate sees %+v", a)
		}
		return verdict
	}
	for _, c := range []struct {
		verdict error
		status  int
	}{{errors.New("the stub passes TestMean"), statusFailed}, {nil, 0}} {
		verdict = c.verdict
		if status := statusOf(t.Context(), []string{"course", "release", "ps0", "--course", dir}); status != c.status {
			t.Errorf("%v: status %d, want %d", c.verdict, status, c.status)
		}
		for _, name := range []string{"release/ps0", "gradebook.db"} {
			if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != (c.status == 0) {
				t.Errorf("%v: %s: %v", c.verdict, name, err)
			}
		}
	}
}

// The table of a dry run has its points in one column, also where cells without points stand between.
func TestTable(t *testing.T) {
	cell := func(id string, grade bool, points float64) *nbformat.Cell {
		return &nbformat.Cell{Type: "code", Metadata: map[string]any{"nbgrader": map[string]any{"schema_version": 3.0, "grade_id": id, "grade": grade, "solution": !grade, "locked": grade, "task": false, "points": points}}}
	}
	var b strings.Builder
	table(&b, &nbformat.Notebook{Cells: []*nbformat.Cell{cell("mean", false, 0), cell("mean-test", true, 4), cell("signs", false, 0), cell("signs-test", true, 2.5)}})
	const want = "cell        kind    points\nmean        answer\nmean-test   tests   4\nsigns       answer\nsigns-test  tests   2.5\n"
	if b.String() != want {
		t.Errorf("the table is\n%swant\n%s", b.String(), want)
	}
}
