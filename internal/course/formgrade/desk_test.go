//go:build browser

package formgrade_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"marginalia/internal/base/repo"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// A desk is a lecturer's: the marginalia command, and a course made by it with ps0.
type desk struct {
	t       *testing.T
	command string
	dir     string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t, filepath.Join(t.TempDir(), "marginalia"), filepath.Join(t.TempDir(), "course of 'two'")}
	build := exec.Command("go", "build", "-o", d.command, ".")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("MARGINALIA_ROOT", root)
	d.course("new", d.dir)
	d.course("release", "ps0")
	return d
}

// course runs a verb of the course command and returns what it prints.
func (d *desk) course(verb string, args ...string) string {
	d.t.Helper()
	cmd := exec.CommandContext(d.t.Context(), d.command, append([]string{"course", verb, "--course", d.dir}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("course %s %q: %v\n%s", verb, args, err, out)
	}
	return string(out)
}

// edit changes a notebook of the course.
func (d *desk) edit(change func(*nbformat.Notebook), path ...string) {
	d.t.Helper()
	file := filepath.Join(append([]string{d.dir}, path...)...)
	nb := labtest.Read(d.t, file)
	change(nb)
	if err := nb.WriteFile(file); err != nil {
		d.t.Fatal(err)
	}
}

// handIn puts a submission of ps0 into submitted: the release with these answers, by
// grade_id, and cells behind it.
func (d *desk) handIn(student string, minute int, answers map[string]string, cells ...*nbformat.Cell) {
	d.t.Helper()
	to := filepath.Join(d.dir, "submitted", student, "ps0")
	if err := os.MkdirAll(to, 0o755); err != nil {
		d.t.Fatal(err)
	}
	nb := labtest.Read(d.t, filepath.Join(d.dir, "release", "ps0", "ps0.ipynb"))
	for _, c := range nb.Cells {
		if m, _ := nbgrader.Read(c); answers[m.ID] != "" {
			c.Source = answers[m.ID]
		}
	}
	nb.Cells = append(nb.Cells, cells...)
	if err := nb.WriteFile(filepath.Join(to, "ps0.ipynb")); err != nil {
		d.t.Fatal(err)
	}
	stamp := fmt.Sprintf("2026-11-22 18:%02d:00 UTC", minute)
	if err := os.WriteFile(filepath.Join(to, "timestamp.txt"), []byte(stamp), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

// submissions are those of ps0 in the gradebook, by student.
func (d *desk) submissions() []gradebook.Submission {
	d.t.Helper()
	book, err := gradebook.Open(d.t.Context(), filepath.Join(d.dir, "gradebook.db"))
	if err != nil {
		d.t.Fatal(err)
	}
	defer book.Close()
	all, err := book.Submissions(d.t.Context(), "ps0")
	if err != nil {
		d.t.Fatal(err)
	}
	return all
}

// marks returns what the gradebook has of a student: the grader's mark, that by hand and the
// extra credit of each cell with points, whether it needs a hand, and the comment by hand.
func (d *desk) marks(student string) map[string]string {
	d.t.Helper()
	text := func(p *float64) string {
		if p == nil {
			return "-"
		}
		return fmt.Sprint(*p)
	}
	marks := map[string]string{}
	all := d.submissions()
	for _, m := range all[slices.IndexFunc(all, func(s gradebook.Submission) bool { return s.Student.ID == student })].Notebooks[0].Cells {
		marks[m.Cell] = fmt.Sprintf("%s %s %s %v %s", text(m.Auto), text(m.Manual), text(m.Extra), m.NeedsHand, m.HandComment)
	}
	return marks
}
