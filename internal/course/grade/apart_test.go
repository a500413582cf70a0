package grade_test

import (
	"maps"
	"testing"

	"marginalia/internal/course/grade"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/tier"
)

// What one submission does to the lecturer's variables, and what it declares, is gone when the next
// one is judged: otherwise a student could take marks from others, or get theirs.
func TestSubmissionsApart(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	lecturer := map[string]string{
		"given":      "import \"testing\"\n\nvar primes = []int{2, 3, 5}\n\nfunc Given(x int) int { return x + 1 }",
		"two":        "const Two = 7",
		"two-test":   "%test\nfunc TestTwo(t *testing.T) {\n\tif Two != 7 {\n\t\tt.Error(Two)\n\t}\n}",
		"three":      "func Three(p []int) int { return p[0] }",
		"three-test": "%test\nfunc TestThree(t *testing.T) {\n\tif p := Three(primes); p != 2 {\n\t\tt.Error(p)\n\t}\n}",
	}
	b := &grade.Builder{Root: root(t)}
	g, err := b.Grader(t.Context(), renamed(notebook(t, lecturer)), grade.Settings{TimeFactor: 20, Memory: 64 << 20})
	must.Do(t, err)
	t.Cleanup(g.Close)
	for _, c := range []struct {
		name     string
		own      map[string]string
		twoThree [2]float64
	}{
		{"changes what is given", map[string]string{"three": "func Three(p []int) int { p[0] = 99; return 2 }"}, [2]float64{2, 2}},
		{"right", nil, [2]float64{2, 2}},
		{"has no constant", map[string]string{"two": "// nothing yet"}, [2]float64{0, 2}},
		{"right again", nil, [2]float64{2, 2}},
		{"has nothing", map[string]string{"one": "", "two": "", "three": ""}, [2]float64{0, 0}},
	} {
		own := maps.Clone(lecturer)
		maps.Copy(own, c.own)
		v := must.Get(g.Grade(t.Context(), "ada", renamed(notebook(t, own)))).Or(t)
		if got := [2]float64{v.Tests[1].Score, v.Tests[2].Score}; got != c.twoThree {
			t.Errorf("%s: %v, want %v; %+v", c.name, got, c.twoThree, v.Tests)
		}
	}
}
