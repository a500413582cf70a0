package grade_test

import (
	"fmt"
	"strings"
	"testing"

	"marginalia/internal/course/grade"
	"marginalia/internal/nbformat"
	"marginalia/internal/owncache"
	"marginalia/internal/tier"
)

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
		nb := notebook(t, sources)
		nb.Cells = append([]*nbformat.Cell{{ID: "student", Type: "code", Source: fmt.Sprintf("var student = %q", id),
			Metadata: map[string]any{"marginalia": map[string]any{"student": true}}}}, nb.Cells...)
		return nb
	}
	b := &grade.Builder{Root: root(t)}
	g, err := b.Grader(t.Context(), made("your id", nil), grade.Settings{TimeFactor: 20, Memory: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
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
			v, err := g.Grade(t.Context(), c.student, made(c.says, c.answers))
			if err != nil {
				t.Fatal(err)
			}
			if got := v.Tests[2].Score; got != c.mark {
				t.Errorf("%g points, want %g: %+v", got, c.mark, v.Tests[2])
			}
			if notes := fmt.Sprint(v.Notes); c.note == "" && len(v.Notes) > 0 || !strings.Contains(notes, c.note) {
				t.Errorf("notes %s, want %q", notes, c.note)
			}
		})
	}
}
