package grade_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/course/grade"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/tier"
)

// countJudges returns how many judges are started from now on, of those that are in the cache.
func countJudges(t *testing.T) func() int {
	t.Helper()
	cache := must.Get(os.UserCacheDir()).Or(t)
	programs, _ := filepath.Glob(filepath.Join(cache, "marginalia/judge-*/judge"))
	if len(programs) == 0 {
		t.Fatal("there is no judge")
	}
	log := filepath.Join(t.TempDir(), "log")
	for _, program := range programs {
		must.Do(t, os.Rename(program, program+"-itself"))
		if err := os.WriteFile(program, fmt.Appendf(nil, "#!/bin/sh\necho started >>'%s'\nexec '%s-itself'\n", log, program), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return func() int {
		text, _ := os.ReadFile(log)
		os.Remove(log)
		return strings.Count(string(text), "started")
	}
}

// A question that is left unanswered is judged once, though it uses one that is wrong: over the solution of that it
// would be as unanswered. One that has an answer is judged once more.
func TestUnanswered(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	if _, err := run(t.Context(), folder(t, nil), root(t)); err != nil { // builds the judge
		t.Fatal(err)
	}
	count := countJudges(t)
	for two, judges := range map[string]int{"panic(\"not implemented\")": 1, "_ = One(x)\n\tpanic(\"not implemented\")": 2, "return One(One(x))": 2} {
		all, err := run(t.Context(), folder(t, map[string]map[string]string{"ada": {"one": "func One(x int) int { return x*x + 1 }", "two": "func Two(x int) int {\n\t" + two + "\n}"}}), root(t))
		must.Do(t, err)
		want := 3.0 // of One's subtests one, and Three
		if strings.HasPrefix(two, "return") {
			want = 5
		}
		if n := count(); n != judges || all["ada"].Score != want {
			t.Errorf("Two is %q: %d judges and %g points, want %d and %g", two, n, all["ada"].Score, judges, want)
		}
	}
}

// The same program is judged once, whoever hands it in, with their own notes; another one is judged.
func TestSameProgram(t *testing.T) {
	tier.Long(t)
	cache := owncache.Use(t)
	if _, err := run(t.Context(), folder(t, nil), root(t)); err != nil { // builds the judge
		t.Fatal(err)
	}
	count := countJudges(t)
	half := "func One(x int) int { return x*x + 1 } // "
	dir := folder(t, map[string]map[string]string{
		"ada": {"one": half + "mine"},
		"ben": {"one": half + "mine too", "given": "package no"},
		"cid": {"one": half, "two": "\n\nfunc Two(x int) int { return x + 2 }"},
		"dan": nil,
	})
	one := func(o *grade.Options) { o.Jobs = 1 }
	all := must.Get(run(t.Context(), dir, root(t), one)).Or(t)
	// Ben's cell is changed, which he is told; a line that is elsewhere makes another program, since messages name lines.
	for id, want := range map[string]struct {
		score float64
		notes int
	}{"ada": {5, 0}, "ben": {5, 1}, "cid": {5, 0}, "dan": {6, 0}} {
		rec, err := grade.ReadRecord(filepath.Join(dir, "autograded", id, "ps1"))
		if err != nil || all[id].Score != want.score || len(rec.Notebooks[0].Notes) != want.notes {
			t.Errorf("%s: %+v, %v, want %+v", id, all[id], err, want)
		}
	}
	// Ada's, the same over the solution of One since Two fails too, Cid's and Dan's.
	if n := count(); n != 4 {
		t.Errorf("%d judges were started for four programs", n)
	}
	// A judge that ends, as on a machine without memory, says nothing of a program.
	programs, _ := filepath.Glob(filepath.Join(cache, "judge-*/judge"))
	script := must.Get(os.ReadFile(programs[0])).Or(t)
	lines := strings.SplitAfter(string(script), "\n")
	if err := os.WriteFile(programs[0], []byte(strings.Join(slices.Concat(lines[:2], []string{"exit 1\n"}), "")), 0o755); err != nil {
		t.Fatal(err)
	}
	same := folder(t, map[string]map[string]string{"eva": nil, "fay": nil})
	must.Get(run(t.Context(), same, root(t), one)).Or(t)
	// One for each of three tests, and one for Two over the solution of One, of two students.
	if n := count(); n != 2*(3+1) {
		t.Errorf("%d judges that end at once were started, want 8", n)
	}
}
