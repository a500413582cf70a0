package collect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
)

// A submission that was put into its folder by hand is found by what it holds, as collect finds it.
func TestFind(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
		why   string
	}{
		"its name":     {map[string]string{"ps1.ipynb": "", "ps1.ipynb.txt": right("x")}, "ps1.ipynb", ""},
		"Safari":       {map[string]string{"ps1.ipynb.txt": right("x"), "ps1.pdf": "%PDF"}, "ps1.ipynb.txt", ""},
		"no extension": {map[string]string{"ps1": right("x")}, "ps1", ""},
		"UTF-16":       {map[string]string{"ps1.json": "\xff\xfe{\x00}\x00"}, "ps1.json", ""},
		"capitals":     {map[string]string{"PS1.IPYNB": right("x"), "data.json": "{}"}, "PS1.IPYNB", ""},
		"second":       {map[string]string{"ps1 (1).ipynb": right("x")}, "ps1 (1).ipynb", ""},
		"two":          {map[string]string{"ps1 (1).ipynb": right("x"), "ps1.json": right("x")}, "", "several files could be ps1.ipynb"},
		"a PDF":        {map[string]string{"ps1.pdf": "%PDF"}, "", "ps1.pdf is a PDF: hand in the notebook itself, ps1.ipynb"},
		"a shortcut":   {map[string]string{"ps1.ipynb.lnk": "L\x00\x00\x00\x01\x14\x02\x00"}, "", "a shortcut of Windows"},
		"another":      {map[string]string{"ps2.ipynb": right("x")}, "", "it was not handed in"},
	} {
		dir := t.TempDir()
		write(t, dir, c.files)
		file, why := Find(dir, "ps1")
		if got, _ := filepath.Rel(dir, file); file != "" && got != c.want || (file == "") != (c.want == "") || !strings.Contains(why, c.why) {
			t.Errorf("%s: %q, %q, want %q, %q", name, file, why, c.want, c.why)
		}
	}
	if _, why := Find(filepath.Join(t.TempDir(), "none"), "ps1"); why != "it was not handed in" {
		t.Errorf("no folder: %q", why)
	}
}

// A slip in the assignment's name takes nothing in: it would lie where nobody grades it. A course without any
// assignment, which only collects, takes any.
func TestNoSuchAssignment(t *testing.T) {
	dir, in := newCourse(t), zipped(t, entry{"ada/ps1.ipynb", right("x")})
	_, err := Collect(t.Context(), Options{Course: open(t, dir), Assignment: "ps11", Inputs: []string{in}})
	if err == nil || !strings.Contains(err.Error(), "assignment ps11 has no notebook in source or release: there are ps1, ps2") {
		t.Errorf("for ps11 collect says %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "submitted")); err == nil {
		t.Error("files are taken in for ps11")
	}
	must.Do(t, os.RemoveAll(filepath.Join(dir, "release")))
	if in := collect(t, dir, Options{Inputs: []string{in}}); len(in.Taken) != 1 {
		t.Errorf("a course without assignments takes in %v", in.Taken)
	}
}

// A notebook in which a cell has printed the same line a million times is no bomb, and what only says that it is a notebook
// costs no more than a submission may have.
func TestRepetitive(t *testing.T) {
	line := `{"output_type":"stream","name":"stdout","text":"` + strings.Repeat("the same line", 11<<20/13) + `"}`
	honest := strings.Replace(right("x"), `"outputs": []`, `"outputs": [`+line+`]`, 1)
	course := newCourse(t)
	collect(t, course, Options{Inputs: []string{zipped(t, entry{moodle + "ps1.ipynb", honest}, entry{"Bob_2_assignsubmission_file_/ps1.ipynb", strings.Repeat("\x00", 11<<20)})}})
	if rec := record(t, course, "1"); rec.Notebooks["ps1"] == "" || rec.Notes != nil {
		t.Errorf("%+v", rec)
	}
	if f := record(t, course, "2").Fault("ps1"); f == nil || !strings.Contains(f.Reason, "zip bomb") {
		t.Errorf("%+v", f)
	}
}
