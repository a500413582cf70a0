package cli

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marginalia/internal/course"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/course/shard"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// Results come into the gradebook, with the extension and the policy of course.toml; one of
// another version and one that is torn are refused by name, also the second time.
func TestCourseMerge(t *testing.T) {
	dir := exampleCourse(t)
	settings := "[late]\npolicy = \"zero\"\n[assignment.ps0]\ndue = 2026-11-01T12:00:00Z\nextensions = { \"ada\" = \"2d\" }\n"
	testfile.Write(t, filepath.Join(dir, "course.toml"), settings)
	c := must.Get(course.Open(dir)).Or(t)
	version := must.Get(shard.Version(c, "ps0")).Or(t)
	b := must.Get(gradebook.Create(t.Context(), c.Gradebook())).Or(t)
	defer b.Close()
	due := c.Settings("ps0").Due
	err := b.SetAssignment(t.Context(), gradebook.Assignment{Name: "ps0", Due: due, Notebooks: []gradebook.Notebook{{Name: "ps0", Cells: []gradebook.Cell{{ID: "q", Type: "code", Grade: true, Max: 5}}}}})
	if err != nil {
		t.Fatal(err)
	}
	results := t.TempDir()
	write := func(version, student string, points float64) string {
		t.Helper()
		file, err := shard.Write(results, shard.Result{Version: version, Scores: gradebook.Scores{Assignment: "ps0", Student: student, Submitted: due.Add(24 * time.Hour),
			Notebooks: []gradebook.NotebookScores{{Notebook: "ps0", Cells: []gradebook.Score{{Cell: "q", Auto: &points}}}}}})
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	write(version, "ada", 4)
	write(version, "ben", 3)
	write("another", "eve", 5)
	testfile.Write(t, filepath.Join(results, "torn.json"), `{"marginalia_result": 1, "sh`)
	for range 2 {
		if status := statusOf(t.Context(), []string{"course", "merge", "--course", dir, results}); status != statusFailed {
			t.Errorf("status %d, want %d: two files are to be refused", status, statusFailed)
		}
		all, err := b.Submissions(t.Context(), "ps0")
		if err != nil || len(all) != 2 || all[0].Student.ID != "ada" || all[0].Final() != 4 || all[1].Final() != 0 {
			t.Errorf("the book has %+v, %v; want 4 points of ada, who had two days more, and 0 of ben", all, err)
		}
	}
	if status := statusOf(t.Context(), []string{"course", "merge", "--course", dir, filepath.Join(results, "ps0", "ada.json")}); status != 0 {
		t.Errorf("status %d of one good file", status)
	}
	if status := statusOf(t.Context(), []string{"course", "merge", "--course", dir, "none"}); status != statusFailed {
		t.Errorf("status %d of a folder that is not there", status)
	}
	if status := statusOf(t.Context(), []string{"course", "merge"}); status != statusUsage {
		t.Errorf("status %d without files, want %d", status, statusUsage)
	}
}

// What changed is said in a line, and each reason in one.
func TestPrintChange(t *testing.T) {
	var text strings.Builder
	two, four, three := 2.0, 4.25, 3.0
	printChange(&text, gradebook.Change{Student: "ada", Notebook: "ps1", Cell: "rule", Before: &two, After: &four, Manual: &three}, "it is another submission", "now passed: \x1b[2J")
	printChange(&text, gradebook.Change{Student: "ben", Notebook: "ps1", Cell: "words", Before: &two})
	want := "ada, ps1/rule: 4.25 points, before 2; 3 given by hand still count: review them\n    it is another submission\n    \"now passed: \\x1b[2J\"\nben, ps1/words: none points, before 2\n"
	if text.String() != want {
		t.Errorf("%q, want %q", text.String(), want)
	}
}
