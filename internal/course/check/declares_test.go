package check_test

import (
	"testing"

	"marginalia/internal/base/repo"
	"marginalia/internal/course/check"
	"marginalia/internal/course/grade"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// An answer may be a constant, a variable or a type with methods: a right one passes, one that is left out does
// not, and the release tells nothing of them.
func TestAnswersThatDeclare(t *testing.T) {
	tier.Long(t)
	root := must.Get(repo.Root()).Or(t)
	solutions := map[string]string{
		"choice": `const Choice = "b"`,
		"limits": "var Limits = []float64{low, 2}\n\nconst low = 1",
		"stack":  "type Stack struct{ all []int }\n\nfunc (s *Stack) Push(v int) { s.all = append(s.all, v) }\n\nfunc (s *Stack) Len() int { return len(s.all) }",
	}
	made := func(answers map[string]string) *nbformat.Notebook {
		nb := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{"kernelspec": map[string]any{"name": "gonb", "language": "go", "display_name": "Go (gonb)"}}}
		cell := func(m nbgrader.Meta, source string) {
			c := &nbformat.Cell{ID: m.ID, Type: "code", Source: source, Metadata: map[string]any{}}
			nbgrader.Write(c, m)
			nb.Cells = append(nb.Cells, c)
		}
		cell(nbgrader.Meta{ID: "imports", Locked: true}, "import \"testing\"")
		for _, q := range [][2]string{
			{"choice", "func TestChoice(t *testing.T) {\n\tif Choice != \"b\" {\n\t\tt.Error(Choice)\n\t}\n}"},
			{"limits", "func TestLimits(t *testing.T) {\n\tif len(Limits) != 2 || Limits[0] != 1 {\n\t\tt.Error(Limits)\n\t}\n}"},
			{"stack", "func TestStack(t *testing.T) {\n\tvar s Stack\n\ts.Push(3)\n\tif s.Len() != 1 {\n\t\tt.Error(s.Len())\n\t}\n}"},
		} {
			cell(nbgrader.Meta{ID: q[0], Solution: true}, answers[q[0]])
			cell(nbgrader.Meta{ID: q[0] + "-test", Grade: true, Locked: true, Points: 1}, "%test\n"+q[1])
		}
		return nb
	}
	const nothing = "// YOUR CODE HERE"
	stub := made(map[string]string{"choice": nothing, "limits": nothing, "stack": nothing})
	b := &grade.Builder{Root: root}
	must.Do(t, b.Gate(t.Context(), made(solutions), stub, grade.Settings{TimeFactor: 20, Memory: 64 << 20}, nil))
	for _, c := range []struct {
		choice, extra string
		passed        int
	}{{solutions["choice"], "", 3}, {`const Choice = "c"`, "", 2}, {nothing, "", 2}, {nothing, solutions["choice"], 3}, {nothing, solutions["choice"] + "\nconst Limits = 1", 3}} {
		student := made(map[string]string{"choice": c.choice, "limits": solutions["limits"], "stack": solutions["stack"]})
		student.Metadata = stub.Metadata
		if c.extra != "" {
			student.Cells = append(student.Cells, &nbformat.Cell{ID: "extra", Type: "code", Source: c.extra, Metadata: map[string]any{}})
		}
		s := must.Get(check.Read(student, t.TempDir())).Or(t)
		r := must.Get(s.Run(t.Context(), b)).Or(t)
		passed := 0
		for _, test := range r.Tests {
			if test.Score == test.Max {
				passed++
			}
		}
		if passed != c.passed || r.Passed() != (c.passed == 3) {
			t.Errorf("%s: %d pass, want %d: %+v, %v", c.choice, passed, c.passed, r.Tests, r.Warnings)
		}
	}
}
