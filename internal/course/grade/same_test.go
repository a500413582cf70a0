package grade_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/course"
	"marginalia/internal/course/grade"
	"marginalia/internal/course/grade/gradetest"
	"marginalia/internal/course/release"
	"marginalia/internal/course/shard"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/tier"
)

// generated is how many submissions TestSame generates. Three hundred take half an hour of the processor:
//
//	MARGINALIA_TEST=long go test ./internal/course/grade -run 'TestSame$' -generated 300 -timeout 2h
var generated = flag.Int("generated", 10, "how many submissions TestSame generates")

// A mark depends on the submission, the assignment and course.toml. Generated submissions are graded in turn by a judge that was
// just built, four at a time in another order by another one, and in two shards: records, graded notebooks and marks are the same,
// bit for bit.
func TestSame(t *testing.T) {
	tier.Long(t)
	solution := gradetest.Lecturers(t, "testdata/same.txtar")
	made := released(t, solution)
	const seed = 43
	n := *generated
	submissions, did := map[string]*nbformat.Notebook{}, map[string]string{}
	for i := range n {
		nb, names := generate(solution, made, seed, uint64(i))
		id := fmt.Sprintf("s%03d", i)
		submissions[id], did[id] = nb, strings.Join(names, ", ")
	}
	order := func(r *rand.Rand) func(*grade.Options) {
		return func(o *grade.Options) {
			r.Shuffle(len(o.Students), func(i, j int) { o.Students[i], o.Students[j] = o.Students[j], o.Students[i] })
		}
	}
	owncache.Use(t)
	one := graded(t, solution, submissions, func(o *grade.Options) { o.Jobs = 1 })
	owncache.Use(t)
	four := graded(t, solution, submissions, func(o *grade.Options) { o.Jobs = 4 }, order(rand.New(rand.NewPCG(seed, 1))))
	results := t.TempDir()
	shards := map[string]string{}
	for part := range 2 {
		some := map[string]*nbformat.Notebook{}
		for id, nb := range submissions {
			if int(id[3])%2 == part {
				some[id] = nb
			}
		}
		for id, text := range graded(t, solution, some, func(o *grade.Options) { o.Book, o.Results = nil, results }, order(rand.New(rand.NewPCG(seed, 2)))) {
			shards[id] = text
		}
	}
	marks := map[string]int{}
	for id := range submissions {
		for how, other := range map[string]string{"four at a time": four[id], "in shards": shards[id]} {
			if other != one[id] {
				t.Errorf("%s (%s), %s: %s", id, did[id], how, difference(one[id], other))
			}
		}
		r := must.Get(shard.Read(filepath.Join(results, "ps1", id+".json"))).Or(t)
		got := ""
		for _, c := range r.Scores.Notebooks[0].Cells {
			if c.Auto != nil {
				got += fmt.Sprint(" ", *c.Auto)
			}
		}
		marks[got]++
	}
	// The marks show that the submissions try what they are meant to try. These questions allow few: 300 submissions get 52.
	if len(marks) < min(n/4, 40) {
		t.Errorf("the submissions get only %d different marks", len(marks))
	}
	if t.Failed() || testing.Verbose() {
		t.Log(len(marks), "different marks")
	}
}

// released returns what students get.
func released(t *testing.T, solution *nbformat.Notebook) *nbformat.Notebook {
	t.Helper()
	c := must.Get(course.Open(courseOf(t, solution, nil))).Or(t)
	a := must.Get(release.Make(c, "ps1")).Or(t)
	return a.Notebooks[0].Release
}

// courseOf makes a course with an assignment ps1 and submissions.
func courseOf(t *testing.T, solution *nbformat.Notebook, submissions map[string]*nbformat.Notebook) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write := func(nb *nbformat.Notebook, at ...string) {
		file := filepath.Join(append([]string{dir}, at...)...)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
		must.Do(t, nb.WriteFile(file))
	}
	write(solution, "source", "ps1", "ps1.ipynb")
	for id, nb := range submissions {
		write(nb, "submitted", id, "ps1", "ps1.ipynb")
	}
	return dir
}

// graded grades submissions in a course of their own, and returns what is stored of each: its record, whose file has no times, and
// the graded notebook.
func graded(t *testing.T, solution *nbformat.Notebook, submissions map[string]*nbformat.Notebook, set ...func(*grade.Options)) map[string]string {
	t.Helper()
	dir := courseOf(t, solution, submissions)
	all := must.Get(run(t.Context(), dir, root(t), set...)).Or(t)
	stored := map[string]string{}
	for id, g := range all {
		if g.Err != nil || g.NotRun != nil {
			t.Errorf("%s: %v %v", id, g.Err, g.NotRun)
			continue
		}
		at := filepath.Join(dir, "autograded", id, "ps1")
		text := must.Get(os.ReadFile(filepath.Join(at, grade.VerdictFile))).Or(t)
		nb := must.Get(os.ReadFile(filepath.Join(at, "ps1.ipynb"))).Or(t)
		stored[id] = string(text) + "\n" + string(nb)
	}
	return stored
}

// difference says where two texts part.
func difference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			return fmt.Sprintf("line %d\n%s\n---\n%s", i+1, strings.Join(x[i:min(i+3, len(x))], "\n"), strings.Join(y[min(i, len(y)):min(i+3, len(y))], "\n"))
		}
	}
	return fmt.Sprint(len(y)-len(x), " lines more: ", slices.Clone(y[len(x):]))
}
