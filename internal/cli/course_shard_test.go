package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"marginalia/internal/course/gradebook"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// Two machines judge a part each, in copies of the course, and the results are merged in a
// third: the gradebook has what an ordinary course grade of all has, mark by mark, with comments
// and penalties. So it has after the merge is repeated, after a part was judged again on
// a fresh machine, and after an ordinary course grade over all of it.
func TestCourseShards(t *testing.T) {
	tier.Long(t)
	work := t.TempDir()
	in := func(parts ...string) string { return filepath.Join(append([]string{work}, parts...)...) }
	do := func(args ...string) {
		t.Helper()
		if status := statusOf(t.Context(), append([]string{"course"}, args...)); status != 0 {
			t.Fatalf("course %q: status %d", args, status)
		}
	}
	write := func(text string, at ...string) {
		t.Helper()
		testfile.Write(t, in(at...), text)
	}
	do("new", in("whole"))
	write("zone = \"UTC\"\n[late]\npolicy = \"25% per day\"\n[assignment.ps0]\ndue = 2026-11-01T12:00:00\nextensions = { \"cid\" = \"2d\" }\n", "whole", "course.toml")
	do("release", "ps0", "--course", in("whole"))
	// The tests of ps0 are of several numbers, of no numbers, and of what is left of the argument:
	// a point each.
	answers := map[string]string{
		"ada": "if len(x) == 0 { return 0, errors.New(\"none\") }; s := 0.0; for _, v := range x { s += v }; return s / float64(len(x)), nil",
		"ben": "s := 0.0; for _, v := range x { s += v }; return s / float64(len(x)), nil",
		"cid": "clear(x); return 0, errors.New(\"none\")",
		"eva": "return 0,",
	}
	want := map[string]float64{"ada": 3, "ben": 2 * 0.75, "cid": 1, "eva": 0} // ben and cid are a day late, cid may
	for id, answer := range answers {
		nb := nbtest.Read(t, in("whole", "release", "ps0", "ps0.ipynb"))
		for _, c := range nb.Cells {
			if strings.Contains(c.Source, "YOUR CODE HERE") {
				c.Source = "func Mean(x []float64) (float64, error) {\n" + answer + "\n}"
			}
		}
		must.Do(t, os.MkdirAll(in("whole", "submitted", id, "ps0"), 0o777))
		nbtest.Write(t, nb, in("whole", "submitted", id, "ps0", "ps0.ipynb"))
		write(map[bool]string{false: "2026-11-01", true: "2026-11-02"}[id == "ben" || id == "cid"]+" 12:00:00 UTC", "whole", "submitted", id, "ps0", "timestamp.txt")
	}
	for _, name := range []string{"head", "machine0", "machine1", "fresh"} {
		must.Do(t, os.CopyFS(in(name), os.DirFS(in("whole"))))
	}
	do("grade", "ps0", "--course", in("whole"))
	whole := submissionsOf(t, in("whole"))
	got := map[string]float64{}
	for _, s := range whole {
		got[s.Student.ID] = s.Final()
	}
	if !maps.Equal(got, want) {
		t.Errorf("one machine gives %v, want %v", got, want)
	}

	part := func(machine string, i int) {
		t.Helper()
		do("grade", "ps0", "--course", in(machine), "--shard", fmt.Sprintf("%d/2", i), "--results", in("results", machine))
		if all := submissionsOf(t, in(machine)); len(all) > 0 {
			t.Errorf("a shard wrote %d submissions into its gradebook", len(all))
		}
	}
	merged := func(when string) {
		t.Helper()
		do("merge", "--course", in("head"), in("results"))
		if got := submissionsOf(t, in("head")); !reflect.DeepEqual(got, whole) {
			text, err := json.Marshal([2][]gradebook.Submission{got, whole}) // what pointers point to, too
			t.Errorf("%s: what the gradebook has, and what it should have: %s %v", when, text, err)
		}
	}
	part("machine0", 0)
	part("machine1", 1)
	for _, machine := range []string{"machine0", "machine1"} { // both have something to do
		if files, _ := filepath.Glob(in("results", machine, "ps0", "*.json")); len(files) == 0 || len(files) == len(answers) {
			t.Errorf("%s has judged %q", machine, files)
		}
	}
	merged("merged")
	merged("merged twice")
	part("fresh", 0)
	merged("a part judged again")
	do("grade", "ps0", "--course", in("head"))
	merged("graded on one machine")
}

// submissionsOf returns what the gradebook of a course has of ps0.
func submissionsOf(t *testing.T, dir string) []gradebook.Submission {
	t.Helper()
	b := must.Get(gradebook.Open(t.Context(), filepath.Join(dir, "gradebook.db"))).Or(t)
	defer b.Close()
	all := must.Get(b.Submissions(t.Context(), "ps0")).Or(t)
	return all
}
