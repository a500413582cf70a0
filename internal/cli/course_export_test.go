package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/course/grade"
	"marginalia/internal/testkit/testfile"
)

// Marks come out in each format, with the penalties that course.toml asks for now: ada's 4
// points come a day late.
func TestCourseExport(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "marks.csv")
	export := func(args ...string) (status int, text string) {
		t.Helper()
		os.Remove(file)
		status = statusOf(t.Context(), append([]string{"course", "export", "--course", dir, "-o", file}, args...))
		data, _ := os.ReadFile(file)
		return status, string(data)
	}
	settings := func(text string) {
		t.Helper()
		testfile.Write(t, filepath.Join(dir, "course.toml"), text)
	}
	settings("")
	if status, _ := export(); status != statusFailed {
		t.Errorf("status %d without a gradebook, want %d", status, statusFailed)
	}

	lateBook(t, dir, "ada")
	for _, c := range []struct{ toml, format, want string }{
		{"", "csv", "ps1,2026-11-01 12:00:00,2026-11-02 12:00:00,ada,,,,4.0,0.0,4.0,5.0\n"},
		{"[late]\npolicy = \"25% per day\"", "csv", ",4.0,1.0,3.0,5.0\n"},
		{"[late]\npolicy = \"25% per day\"", "moodle", "ada,(unknown),,,(unknown),3\n"},
		{"[late]\npolicy = \"zero\"", "canvas", "ada,,,ada,,0\n"},
		{"[late]\npolicy = \"zero\"\ngrace = \"1d\"", "canvas", "ada,,,ada,,4\n"},
	} {
		settings(c.toml + "\n" + dueOfLateBook)
		if status, text := export("ps1", "--format", c.format); status != 0 || !strings.HasSuffix(text, c.want) {
			t.Errorf("%s, %s: status %d\n%s\nwant an end of %s", c.toml, c.format, status, text, c.want)
		}
	}
	// Moodle's number of a file name is no user name: nothing is known of that student.
	lateBook(t, dir, "10001")
	writeBelow(t, dir, "submitted/10001/ps1/collected.json", `{"source": "moodle", "lms_user_id": "10001", "lms_name": "Anna Arndt"}`)
	if status, text := export("ps1", "--format", "moodle"); status != 0 || strings.Contains(text, "10001") || !strings.Contains(text, "\nada,") {
		t.Errorf("status %d\n%s\nwant ada alone", status, text)
	}
	if status, text := export("ps2"); status != statusFailed || text != "" {
		t.Errorf("status %d of an assignment that is not there, and %q", status, text)
	}
	if status, _ := export("--format", "excel"); status != statusUsage {
		t.Errorf("status %d of a format that is not there, want %d", status, statusUsage)
	}
}

// results.json of one submission, from what course grade left in autograded.
func TestExportOfOneSubmission(t *testing.T) {
	dir := exampleCourse(t)
	graded := filepath.Join(dir, "autograded", "ada", "ps0")
	if err := os.MkdirAll(graded, 0o755); err != nil {
		t.Fatal(err)
	}
	record := `{"Notebooks": [{"Notebook": "ps0", "Tests": [{"ID": "mean-test", "Max": 4, "Score": 3, "Checks": [{"Name": "TestMean", "Words": "Mean of two", "Messages": ["1, want 2"]}]}]}, {"Notebook": "more"}], "Faults": [{"Notebook": "more", "Reason": "it was not handed in"}]}`
	testfile.Write(t, filepath.Join(graded, grade.VerdictFile), record)
	out := filepath.Join(t.TempDir(), "results.json")
	for format, want := range map[string][]string{
		"gradescope":   {`"score":3`, `"max_score":4`, "Mean of two: 1, want 2", "it was not handed in"},
		"prairielearn": {`"score":0.75`, "Mean of two: 1, want 2", "it was not handed in"},
	} {
		if status := statusOf(t.Context(), []string{"course", "export", "ps0", "--format", format, "--student", "ada", "-o", out, "--course", dir}); status != 0 {
			t.Errorf("%s: status %d", format, status)
		}
		data, err := os.ReadFile(out)
		var text bytes.Buffer
		if err == nil {
			err = json.Compact(&text, data)
		}
		for _, w := range want {
			if err != nil || !strings.Contains(text.String(), w) {
				t.Errorf("%s: %v: no %s in\n%s", format, err, w, data)
			}
		}
	}
	for status, all := range map[int][][]string{
		statusFailed: {{"ps0", "--format", "gradescope", "--student", "ben"}},
		statusUsage:  {{"--format", "gradescope", "--student", "ada"}, {"ps0", "--format", "gradescope"}, {"ps0", "--student", "ada"}, {"ps0", "--format", "xml"}},
	} {
		for _, args := range all {
			if got := statusOf(t.Context(), append([]string{"course", "export", "--course", dir}, args...)); got != status {
				t.Errorf("%q: status %d, want %d", args, got, status)
			}
		}
	}
}
