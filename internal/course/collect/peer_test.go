package collect

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/course/formgrade"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// What nbgrader submit puts into an exchange, nbgrader collect and we bring into
// submitted/ alike: the same notebooks, data and timestamp.txt, for two attempts of a
// student.
func TestAsNbgraderCollects(t *testing.T) {
	tier.Peer(t)
	python := must.Get(formgrade.Nbgrader().Python(t.Context(), nil)).Or(t)
	ours, theirs, students, exchange := newCourse(t), newCourse(t), t.TempDir(), t.TempDir()
	config := "c = get_config()\nc.CourseDirectory.course_id = 'abc'\nc.Exchange.root = " + `"` + exchange + `"` + "\nc.Exchange.cache = " + `"` + t.TempDir() + `"` + "\nc.ExchangeCollect.check_owner = False\n"
	for _, dir := range []string{ours, theirs, students} {
		write(t, dir, map[string]string{"nbgrader_config.py": config})
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
	nbgrader(theirs, "release_assignment", "ps1")
	for _, text := range []string{"first", "second"} {
		write(t, students, map[string]string{"ps1/ps1.ipynb": right(text), "ps1/data/x.csv": text})
		nbgrader(students, "submit", "ps1", "--student=ada")
	}
	nbgrader(students, "submit", "ps1", "--student=bob")
	inbound := filepath.Join(exchange, "abc", "inbound")

	nbgrader(theirs, "collect", "ps1")
	res := collect(t, ours, Options{Inputs: []string{inbound}})
	want, got := tree(t, filepath.Join(theirs, "submitted")), tree(t, filepath.Join(ours, "submitted"))
	maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasSuffix(name, RecordFile) })
	if len(want) != 8 || !maps.Equal(got, want) || len(res.Refused) > 0 { // notebook, data, time and secret, of two students
		t.Errorf("submitted/ has %q, nbgrader's %q; refused %v", got, want, res.Refused)
	}
	// We take up what nbgrader collected: it is the same attempt.
	for _, taken := range collect(t, theirs, Options{Inputs: []string{inbound}}).Taken {
		if rec := record(t, theirs, taken.Student); !rec.Timestamp.Equal(record(t, ours, taken.Student).Timestamp) {
			t.Errorf("%s: %v, want %v", taken.Student, rec.Timestamp, record(t, ours, taken.Student).Timestamp)
		}
	}
}
