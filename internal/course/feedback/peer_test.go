package feedback

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/course"
	"marginalia/internal/course/collect"
	"marginalia/internal/course/formgrade"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// nbgrader's exchange hands out our pages: a student who fetched and submitted with nbgrader fetches,
// after nbgrader release_feedback, the page that we wrote.
func TestExchange(t *testing.T) {
	tier.Peer(t)
	python := must.Get(formgrade.Nbgrader().Python(t.Context(), nil)).Or(t)
	m := newCourse(t)
	must.Do(t, m.a.Write(m.Course))
	student, exchange, cache := t.TempDir(), t.TempDir(), t.TempDir()
	config := "c = get_config()\nc.CourseDirectory.course_id = 'ml101'\nc.Exchange.root = '" + exchange + "'\nc.Exchange.cache = '" + cache + "'\n"
	for _, dir := range []string{m.Dir, student} {
		must.Do(t, os.WriteFile(filepath.Join(dir, "nbgrader_config.py"), []byte(config), 0o666))
	}
	nbgrader := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), python, append([]string{"-m", "nbgrader"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(python)+":"+os.Getenv("PATH"), "JUPYTER_CONFIG_DIR="+t.TempDir(), "JUPYTER_DATA_DIR="+t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("nbgrader %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	nbgrader(m.Dir, "release_assignment", "ps1")
	nbgrader(student, "fetch_assignment", "ps1")
	nbgrader(student, "submit", "ps1")
	if _, err := collect.Collect(t.Context(), collect.Options{Course: m.Course, Assignment: "ps1", Inputs: []string{filepath.Join(exchange, "ml101", "inbound")}}); err != nil {
		t.Fatal(err)
	}
	ids, err := m.Students(course.Submitted)
	if err != nil || len(ids) != 1 {
		t.Fatalf("students %q, %v", ids, err)
	}
	id := ids[0] // whoever runs this test
	m.graded(id, due, judged(), handedIn)
	want, _ := m.pages(m.submission(id))
	nbgrader(m.Dir, "release_feedback", "ps1")
	nbgrader(student, "fetch_feedback", "ps1")
	got, err := filepath.Glob(filepath.Join(student, "ps1", "feedback", "*", "ps1.html"))
	if err != nil || len(got) != 1 {
		t.Fatalf("the student has %q, %v", got, err)
	}
	if page, err := os.ReadFile(got[0]); err != nil || string(page) != want {
		t.Errorf("%v\nthe student reads %.2000q", err, page)
	}
}
