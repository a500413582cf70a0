package assignment_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// mutated are the cells that TestSameEachTime makes submissions of: answers with helpers, types, constants and variables that use
// each other.
var mutated = []part{
	{"given", "imports", "import (\n\t\"errors\"\n\t\"math\"\n\t\"testing\"\n)\n\nvar ErrEmpty = errors.New(\"empty\")\n\nfunc near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }"},
	{"answer", "mean", "func Mean(x []float64) (float64, error) {\n\tif len(x) == 0 {\n\t\treturn 0, ErrEmpty\n\t}\n\treturn total(x) / float64(len(x)), nil\n}\n\nfunc total(x []float64) (s float64) {\n\tfor _, v := range x {\n\t\ts += v\n\t}\n\treturn s\n}"},
	{"tests", "mean-test", "%test\nfunc TestMean(t *testing.T) {\n\tif m, err := Mean([]float64{1, 2}); err != nil || !near(m, 1.5) {\n\t\tt.Error(m)\n\t}\n}\n\nfunc average(x []float64) float64 { return x[0] }"},
	{"answer", "variance", "func Variance(x []float64) float64 {\n\tm, _ := Mean(x)\n\treturn total(squares(x, m)) / n(x)\n}\n\nfunc squares(x []float64, m float64) (y []float64) {\n\tfor _, v := range x {\n\t\ty = append(y, (v-m)*(v-m))\n\t}\n\treturn y\n}\n\nfunc n(x []float64) float64 { return float64(len(x)) }"},
	{"tests", "variance-test", "%test\nfunc TestVariance(t *testing.T) {\n\tif v := Variance([]float64{1, 3}); !near(v, 1) {\n\t\tt.Error(v)\n\t}\n}"},
	{"answer", "stack", "type Stack struct{ all []float64 }\n\nfunc (s *Stack) Push(x float64) { s.all = append(s.all, x) }\n\nfunc (s *Stack) Len() int { return len(s.all) + first - 1 }\n\nconst (\n\tfirst = iota + 1\n\tsecond\n)\n\nvar sizes, names = []int{first, second}, map[string]int{\"a\": second}"},
	{"tests", "stack-test", "%test\nfunc TestStack(t *testing.T) {\n\tvar s Stack\n\ts.Push(1)\n\tif s.Len() != 1 {\n\t\tt.Error(s.Len())\n\t}\n}"},
	{"answer", "limits", "const Limit = 6\n\nvar Order = []string{\"a\", \"b\"}\n\nfunc Within(x float64) bool { return x < Limit && len(Order) == 2 }"},
	{"tests", "limits-test", "%test\nfunc TestLimits(t *testing.T) {\n\tif Limit != 6 || Order[0] != \"a\" || !Within(3) {\n\t\tt.Error(Limit)\n\t}\n}"},
}

// changesOf a cell's source. Each is a fault that students make, or a harmless oddity.
var changesOf = []func(r *rand.Rand, source string) string{
	func(r *rand.Rand, s string) string { return strings.ReplaceAll(s, "total", "sum") },
	func(r *rand.Rand, s string) string {
		return strings.Replace(s, "return ", "return undefined + ", 1+r.IntN(2))
	},
	func(r *rand.Rand, s string) string { return strings.ReplaceAll(s, "\n}\n\nfunc ", "\n}; func ") }, // two on a line
	func(r *rand.Rand, s string) string { return strings.ReplaceAll(s, "\n\n", ";") },
	func(r *rand.Rand, s string) string { return s + "\n\nfunc n(x, y []int) string { return \"\" }" },
	func(r *rand.Rand, s string) string { return s + "\n\nvar total, unused = fail(), 1" },
	func(r *rand.Rand, s string) string {
		return s + "\n\ntype box[K comparable] struct{ k K }\n\nfunc (b box[A]) get() A { return b.k }\n\nfunc (b box[B]) get() B { panic(1) }"
	},
	func(r *rand.Rand, s string) string {
		return s + "\n\nconst (\n\tone = iota\n\ttwo = \"a\" + 1\n\tthree\n)\n\nconst Limit = three"
	},
	func(r *rand.Rand, s string) string {
		return "import (\n\t\"os/exec\"\n\t\"net/http\"\n\tm \"math\"\n\tq \"math\"\n)\n\n" + s
	},
	func(r *rand.Rand, s string) string { return strings.Replace(s, "float64", "int", 1+r.IntN(3)) },
	func(r *rand.Rand, s string) string {
		return strings.Replace(s, "const Limit = 6", "var Limit = 2 * 3", 1)
	},
	func(r *rand.Rand, s string) string { return s[:len(s)*r.IntN(5)/5] },
	func(r *rand.Rand, s string) string {
		return s + "\n\nfunc average(x []float64) float64 { return x[0] }\n\nfunc near() {}\n\nfunc init() {}"
	},
	func(r *rand.Rand, s string) string {
		return s + "\n\nvar a = b\n\nvar b = c\n\nvar c = a\n\ntype T struct{ u U }; type U struct{ t T }"
	},
	func(r *rand.Rand, s string) string {
		return s + "\n\nfunc (s *Stack) Len() int { return 1 }\n\nfunc (s Stack) Push() {}\n\nfunc Mean() {}"
	},
}

// submissions are n notebooks with changes of the lecturer's cells, cells of the student's own and cells that are missing.
func submissions(t *testing.T, parts []part, n int) (all []*nbformat.Notebook) {
	r := rand.New(rand.NewPCG(43, 1))
	for range n {
		own := append([]part(nil), parts...)
		for range 1 + r.IntN(4) {
			switch i := r.IntN(len(own)); {
			case own[i].kind == "answer" && r.IntN(8) == 0:
				own = append(own[:i], own[i+1:]...)
			case own[i].kind == "answer":
				own[i].source = changesOf[r.IntN(len(changesOf))](r, own[i].source)
			case r.IntN(2) == 0: // an answer moves or is copied
				own = append(own, part{"extra", "", changesOf[r.IntN(len(changesOf))](r, parts[1+2*r.IntN(4)].source)})
			}
		}
		all = append(all, notebook(t, own...))
	}
	return all
}

// A submission becomes the same program each time, with the same notes, over whatever solutions, whatever was assembled
// before it.
func TestSameEachTime(t *testing.T) {
	times := tier.Size(t, 3, 10) // forwards and backwards
	all := submissions(t, mutated, tier.Size(t, 24, 300))
	references := [][]string{{"mean"}, {"variance", "stack"}, {"mean", "variance", "limits"}}
	var want [][]string
	for time := range times {
		a := read(t, mutated)
		a.MayImport = func(path string) bool { return path == "net/http" }
		if want == nil {
			want = make([][]string, len(all))
		}
		for i := range all {
			if time%2 == 1 {
				i = len(all) - 1 - i
			}
			for j, reference := range [][]string{nil, references[i%len(references)]} {
				got := assembled(t, a, all[i], reference)
				if time == 0 {
					want[i] = append(want[i], got)
				} else if got != want[i][j] {
					text, _ := all[i].Encode()
					t.Fatalf("submission %d over %v:\n%s\nand before it was\n%s\nof\n%s", i, reference, got, want[i][j], text)
				}
			}
		}
	}
}

// assembled is all that is known of a guest.
func assembled(t *testing.T, a *assignment.Assignment, nb *nbformat.Notebook, reference []string) string {
	t.Helper()
	g, err := a.Assemble(t.Context(), nb, reference, nil)
	if err != nil {
		return err.Error()
	}
	files := map[string]string{}
	for name, text := range g.Files {
		files[name] = string(text)
	}
	all := must.Get(json.Marshal([]any{g.Notes, g.Missing, files})).Or(t)
	return strings.ReplaceAll(string(all), "\\n", "\n")
}
