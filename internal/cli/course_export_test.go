package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marginalia/internal/gradebook"
)

// Marks come out in each format, with the penalties that course.toml asks for now: ada's 4
// points come a day late.
func TestCourseExport(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "marks.csv")
	export := func(args ...string) (status int, text string) {
		t.Helper()
		os.Remove(file)
		status = execute(t.Context(), append([]string{"course", "export", "--course", dir, "-o", file}, args...))
		data, _ := os.ReadFile(file)
		return status, string(data)
	}
	settings := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "course.toml"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	settings("")
	if status, _ := export(); status != statusFailed {
		t.Errorf("status %d without a gradebook, want %d", status, statusFailed)
	}

	b, err := gradebook.Create(t.Context(), filepath.Join(dir, "gradebook.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	due := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	a := gradebook.Assignment{Name: "ps1", Due: due, Notebooks: []gradebook.Notebook{{Name: "ps1", Cells: []gradebook.Cell{{ID: "q", Type: "code", Grade: true, Max: 5}}}}}
	if err := b.SetAssignment(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	points := 4.0
	_, err = b.Save(t.Context(), gradebook.Scores{Assignment: "ps1", Student: "ada", Submitted: due.Add(24 * time.Hour), Notebooks: []gradebook.NotebookScores{{Notebook: "ps1", Cells: []gradebook.Score{{Cell: "q", Auto: &points}}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}

	for _, c := range []struct{ toml, format, want string }{
		{"", "csv", "ps1,2026-11-01 12:00:00,2026-11-02 12:00:00,ada,,,,4.0,0.0,4.0,5.0\n"},
		{"[late]\npolicy = \"25% per day\"", "csv", ",4.0,1.0,3.0,5.0\n"},
		{"[late]\npolicy = \"25% per day\"", "moodle", "ada,,,,,3\n"},
		{"[late]\npolicy = \"zero\"", "canvas", "ada,,,ada,,0\n"},
		{"[late]\npolicy = \"zero\"\ngrace = \"1d\"", "canvas", "ada,,,ada,,4\n"},
	} {
		settings(c.toml)
		if status, text := export("ps1", "--format", c.format); status != 0 || !strings.HasSuffix(text, c.want) {
			t.Errorf("%s, %s: status %d\n%s\nwant an end of %s", c.toml, c.format, status, text, c.want)
		}
	}
	if status, text := export("ps2"); status != statusFailed || text != "" {
		t.Errorf("status %d of an assignment that is not there, and %q", status, text)
	}
	if status, _ := export("--format", "excel"); status != statusUsage {
		t.Errorf("status %d of a format that is not there, want %d", status, statusUsage)
	}
}
