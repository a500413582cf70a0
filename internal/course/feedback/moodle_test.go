package feedback

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/course"
	"marginalia/internal/testkit/must"
)

// Each page has the participant number of its own student in the place where Moodle looks
// for it; those without one are named.
func TestMoodleZip(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"source/ps1/ps1.ipynb":             "",
		"submitted/ada/ps1/collected.json": `{"source": "moodle", "lms_name": "Ada_7 Love/lace", "lms_user_id": "10001", "lms_sort": "participant"}`,
		"feedback/ada/ps1/ps1.html":        "ada's", "feedback/ada/ps1/ps1.md": "", "feedback/ada/ps1/.ps1.html.tmp": "",
		"submitted/10002/ps1/collected.json": `{"source": "moodle", "lms_name": "", "lms_user_id": "10002"}`, // of a version before this one
		"feedback/10002/ps1/ps1.html":        "of 10002",
		"submitted/bob/ps1/collected.json":   `{"source": "moodle", "team": "Team Red", "team_number": "10001"}`,
		"feedback/bob/ps1/ps1.html":          "bob's",
		"submitted/cy/ps1/collected.json":    `{"source": "canvas", "lms_user_id": "7", "lms_sort": "canvas"}`,
		"feedback/cy/ps1/ps1.html":           "cy's",
		"feedback/dan/ps1/ps1.html":          "dan's",
		"submitted/eve/ps1/collected.json":   `{"source": "moodle", "lms_name": "Eve", "lms_user_id": "10001", "lms_sort": "participant"}`,
		"feedback/eve/ps1/ps1.html":          "eve's",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
	}
	c := must.Get(course.Open(dir)).Or(t)
	var b bytes.Buffer
	left := must.Get(MoodleZip(&b, c, "ps1", []string{"10002", "ada", "bob", "cy", "dan", "eve"})).Or(t)
	var ids []string
	for _, l := range left {
		ids = append(ids, l.Student)
	}
	if want := []string{"bob", "cy", "dan", "eve"}; !slices.Equal(ids, want) {
		t.Errorf("left out %+v, want %q", left, want)
	}
	z := must.Get(zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))).Or(t)
	want := map[string]string{"10001": "ada's", "10002": "of 10002"}
	for _, f := range z.File {
		info := strings.SplitN(f.Name, "_", 5) // as Moodle reads it
		r := must.Get(f.Open()).Or(t)
		text, _ := io.ReadAll(r)
		if len(info) != 5 || want[info[1]] != string(text) || info[2] != "assignsubmission" || info[3] != "file" || info[4] != "ps1.html" {
			t.Errorf("%s has %s", f.Name, text)
		}
		if f.Modified.Year() < 2026 { // when the pages were written, a moment ago
			t.Errorf("%s is of %v", f.Name, f.Modified)
		}
		delete(want, info[1])
	}
	if len(want) > 0 {
		t.Errorf("missing: %q", want)
	}
}
