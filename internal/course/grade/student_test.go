package grade_test

import (
	"fmt"
	"strings"
	"testing"

	"marginalia/internal/course/grade"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/tier"
)

// individual puts a cell with the student's id before the others.
func individual(nb *nbformat.Notebook, id string) *nbformat.Notebook {
	nb.Cells = append([]*nbformat.Cell{{ID: "student", Type: "code", Source: fmt.Sprintf("var student = %q", id),
		Metadata: map[string]any{"marginalia": map[string]any{"student": true}}}}, nb.Cells...)
	return nb
}

// Given cells make the numbers of each student from their id. The grader knows it, whatever the
// notebook says, on both sides.
func TestNumbersOfEachStudent(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	made := func(id string, answers map[string]string) *nbformat.Notebook {
		sources := map[string]string{
			"given":      "import \"testing\"\n\nvar number = len(student)\n\nfunc Given(x int) int { return x + 1 }",
			"three":      "func Three() int { return 2 * number }",
			"three-test": "%test\nfunc TestThree(t *testing.T) {\n\tif x := Three(); x != 2*number {\n\t\tt.Errorf(\"%d, want twice %d\", x, number)\n\t}\n}",
		}
		for cell, source := range answers {
			sources[cell] = source
		}
		return individual(notebook(t, sources), id)
	}
	b := &grade.Builder{Root: root(t)}
	g := must.Get(b.Grader(t.Context(), made("your id", nil), grade.Settings{TimeFactor: 20, Memory: 64 << 20})).Or(t)
	t.Cleanup(g.Judge.Close)
	adas := map[string]string{"three": "func Three() int { return 6 }"} // 3 letters
	for _, c := range []struct {
		name, student, says string
		answers             map[string]string
		mark                float64
		note                string
	}{
		{"right", "ada", "ada", nil, 2, ""},
		{"her numbers", "ada", "ada", adas, 2, ""},
		{"another's numbers", "benedict", "benedict", adas, 0, ""},
		{"another's id", "benedict", "ada", adas, 0, `the notebook says that it is "ada"'s: it was judged as benedict's`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := must.Get(g.Grade(t.Context(), c.student, made(c.says, c.answers))).Or(t)
			if got := v.Tests[2].Score; got != c.mark {
				t.Errorf("%g points, want %g: %+v", got, c.mark, v.Tests[2])
			}
			if notes := fmt.Sprint(v.Notes); c.note == "" && len(v.Notes) > 0 || !strings.Contains(notes, c.note) {
				t.Errorf("notes %s, want %q", notes, c.note)
			}
		})
	}
}

// A test that compares floats exactly judges all students alike: the lecturer's own line computes in the guest what it computes
// in the test, whatever the numbers are.
func TestExactComparisons(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	sources := map[string]string{
		"given": `import ("hash/fnv"; "math"; "math/rand/v2"; "testing"; "gonum.org/v1/gonum/floats")

func mine(n int) []float64 {
	h := fnv.New64a()
	h.Write([]byte(student))
	r := rand.New(rand.NewPCG(h.Sum64(), 0))
	x := make([]float64, n)
	for i := range x {
		x[i] = 3 * r.NormFloat64()
	}
	return x
}

func Given(x int) int { return x + 1 }`,
		"two": "func Two(x int) int { return Given(x) + 1 }\n\nfunc Dot(x, y []float64) float64 { return floats.Dot(x, y) }",
		"two-test": `%test
func TestTwo(t *testing.T) {
	if got := Dot([]float64{0.1, -0.6, 0.3, 0.2}, []float64{1, 1, 1, 1}); Two(1) != 3 || got != floats.Dot([]float64{0.1, -0.6, 0.3, 0.2}, []float64{1, 1, 1, 1}) {
		t.Errorf("%g", got)
	}
	for n := range 40 {
		if x := mine(n); Dot(x, x) != floats.Dot(x, x) {
			t.Errorf("%d numbers: %g", n, Dot(x, x))
		}
	}
}`,
		"three": "func Three() string { return \"three\" }\n\nfunc Sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }",
		"three-test": `%test
func TestThree(t *testing.T) {
	if Three() != "three" {
		t.Error("three")
	}
	for _, x := range mine(40) {
		if got, want := Sigmoid(x), 1/(1+math.Exp(-x)); got != want {
			t.Errorf("%g: %v, want %v", x, got, want)
		}
	}
}`,
	}
	nb := individual(notebook(t, sources), "your id")
	b := &grade.Builder{Root: root(t)}
	g := must.Get(b.Grader(t.Context(), nb, grade.Settings{TimeFactor: 20, Memory: 64 << 20})).Or(t)
	t.Cleanup(g.Close)
	var notes []string
	stub := individual(notebook(t, sources), "your id")
	for _, c := range stub.Cells {
		for _, body := range []string{"return floats.Dot(x, y)", "return 1 / (1 + math.Exp(-x))", `return "three"`, "return Given(x) + 1", "return Given(x)"} {
			if m, _ := nbgrader.Read(c); m.Solution {
				c.Source = strings.Replace(c.Source, body, `panic("not implemented")`, 1)
			}
		}
	}
	if err := b.Gate(t.Context(), nb, stub, grade.Settings{TimeFactor: 20, Memory: 64 << 20, Note: func(text string) {
		notes = append(notes, text)
	}}, nil); err != nil {
		t.Error(err)
	}
	for i, want := range []string{"cell two-test, line 3: != compares floats exactly", "cell two-test, line 7: != compares", "cell three-test, line 7: != compares"} {
		if len(notes) != 3 || !strings.HasPrefix(notes[i], want) {
			t.Errorf("release notes %q, want %s", notes, want)
			break
		}
	}
	for i := range 12 {
		student := fmt.Sprintf("s%02d", i+1)
		v := must.Get(g.Grade(t.Context(), student, individual(notebook(t, sources), student))).Or(t)
		for _, test := range v.Tests {
			if test.Score != test.Max {
				t.Errorf("%s: %g of %g: %+v", student, test.Score, test.Max, test)
			}
		}
	}
}
