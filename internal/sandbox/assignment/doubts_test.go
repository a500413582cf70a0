package assignment_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/testkit/must"
)

// A test that compares rounded floats exactly is named with its line; what is exact by nature is not.
func TestDoubts(t *testing.T) {
	const given = "import (\n\"math\"\n\"reflect\"\n\"slices\"\n\"testing\"\n\"gonum.org/v1/gonum/floats\"\n\"gonum.org/v1/gonum/mat\"\n)\n\ntype Point struct{ X, Y float64 }\n\nfunc near(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-9 }\n\nfunc data() []float64 { return []float64{0.1, 0.7} }"
	const answer = "func Sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }\n\nfunc Mean(x []float64) float64 { return x[0] }\n\nfunc Scale(x []float64) []float64 { return x }\n\nfunc At(p Point) Point { return p }\n\nvar same = Sigmoid(1) == math.Tanh(1)\n\nfunc Gram(x []float64) *mat.Dense { return mat.NewDense(1, 1, x[:1]) }"
	cases := map[string]struct{ line, want string }{
		"exponential":           {`if x := 0.3; Sigmoid(x) != 1/(1+math.Exp(-x)) { t.Error() }`, "!= compares floats exactly"},
		"variables":             {`got := Mean(data()); want := 0.0; for _, v := range data() { want += v / 2 }; if got == want { t.Error() }`, "== compares"},
		"rounded constant":      {`if Mean([]float64{0.1, 0.2}) != 0.15 { t.Error() }`, "!= compares"},
		"named constant":        {`if Sigmoid(1) != math.Pi/4 { t.Error() }`, "!= compares"},
		"table":                 {`for _, c := range []struct{ x, want float64 }{{0, 0.5}, {1, 0.7310585786300049}} { if got := Sigmoid(c.x); got != c.want { t.Error() } }`, "!= compares"},
		"sum of answers":        {`if Sigmoid(2)+Sigmoid(-2) != 1 { t.Error() }`, "!= compares"},
		"switch":                {`switch Sigmoid(3) { case math.Tanh(1.5)/2 + 0.5: default: t.Error() }`, "switch compares"},
		"slices":                {`want := make([]float64, 2); for i, v := range data() { want[i] = v / 3 }; if !slices.Equal(Scale(data()), want) { t.Error() }`, "slices.Equal compares"},
		"deep":                  {`if !reflect.DeepEqual(Scale(data()), []float64{math.Sqrt(2)}) { t.Error() }`, "reflect.DeepEqual compares"},
		"struct":                {`if At(Point{}) != (Point{math.Sqrt(2), 0}) { t.Error() }`, "!= compares"},
		"matrix":                {`var G mat.Dense; G.Mul(mat.NewDense(1, 1, data()[:1]), mat.NewDense(1, 1, data()[:1])); if !mat.Equal(Gram(data()), &G) { t.Error() }`, "mat.Equal compares"},
		"sum":                   {`if Mean(data()) != floats.Sum(data())/2 { t.Error() }`, "!= compares"},
		"through a helper":      {`same := func(a, b float64) bool { return a == b }; _ = same; if !alike(Sigmoid(1), math.Tanh(1)) { t.Error() }`, "== compares"},
		"through a closure":     {`same := func(a, b float64) bool { return a == b }; if !same(Sigmoid(1), 1/(1+math.Exp(-1))) { t.Error() }`, "== compares"},
		"computed by a closure": {`want := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }; if Sigmoid(1) != want(1) { t.Error() }`, "!= compares"},
		"in a list":             {`if !slices.Contains(Scale(data()), math.Sqrt(2)) { t.Error() }`, "slices.Contains compares"},
		"cycle":                 {`a, b := 0.0, 1.0; for range 9 { a, b = b, a+b/3 }; if Sigmoid(1) != a { t.Error() }`, "!= compares"},
		"unsigned":              {`_ = uint64(data()[0] - 1)`, "uint64 of a negative float"},
		"whole constant":        {`if Mean([]float64{1, 2}) != 1.5 { t.Error() }`, ""},
		"table of whole ones":   {`for _, c := range []struct{ x []float64; want float64 }{{[]float64{0.1, 0.3}, 2}, {nil, -5}} { if got := Mean(c.x); got != c.want { t.Error() } }`, ""},
		"whole by conversion":   {`for n := range 5 { if Mean(nil) != float64(n*(n-1))*0.5 { t.Error() } }`, ""},
		"powers of two":         {`for i := range 5 { if Mean(data()) != float64(i)/2 || Mean(data()) != data()[0]*0.25 { t.Error() } }`, ""},
		"not a number":          {`if x := Sigmoid(math.NaN()); x == x || math.Inf(1) == Sigmoid(4) { t.Error() }`, ""},
		"data handed on":        {`if x := data(); Mean(x) != x[0] || Mean(x) != slices.Max(x) { t.Error() }`, ""},
		"unchanged":             {`x := data(); y := slices.Clone(x); if Scale(x); !slices.Equal(x, y) || !slices.Equal(x, []float64{0.1, 0.7}) { t.Error() }`, ""},
		"twice the same":        {`before := Sigmoid(0.3); if before != Sigmoid(0.3) { t.Error() }`, ""},
		"tolerance":             {`if !near(Sigmoid(0.3), 1/(1+math.Exp(-0.3))) || math.Abs(Sigmoid(1)-math.Tanh(1)) > 1 { t.Error() }`, ""},
		"no answer":             {`if math.Exp(1) != math.E { t.Log() }`, ""},
		"order, not equality":   {`if Sigmoid(1) < math.Tanh(0.3) { t.Error() }`, ""},
		"whole result":          {`if math.Floor(Mean(data())) != 0 { t.Error() }`, ""},
		"lists of whole ones":   {`if !slices.Equal(Scale(nil), []float64{1, 2.5}) || At(Point{}) != (Point{1, 2}) { t.Error() }`, ""},
		"unsigned and checked":  {`_ = uint64(int64(data()[0])) + uint64(math.Abs(data()[0])); _ = uint8(data()[0])`, ""},
	}
	test := "%test\n\nfunc alike(a, b float64) bool { return a == b }\n"
	names := slices.Sorted(maps.Keys(cases))
	for i, name := range names {
		test += fmt.Sprintf("func Test%d(t *testing.T) {\n%s\n}\n", i, cases[name].line)
	}
	a := read(t, []part{{"given", "given", given}, {"answer", "answer", answer}, {"tests", "it-test", test}})
	got := map[int][]string{}
	for _, p := range a.Doubts() {
		if p.Cell != "it-test" {
			t.Error(p)
		}
		got[p.Line] = append(got[p.Line], p.Text)
	}
	for i, name := range names {
		line, want := 5+3*i, cases[name].want
		if name == "through a helper" {
			line = 3
		}
		if (want == "") != (got[line] == nil) || want != "" && (len(got[line]) != 1 || !strings.HasPrefix(got[line][0], want)) {
			t.Errorf("%s: %q, want %q", name, got[line], want)
		}
	}
}

// The assignments of this repository compare with tolerances.
func TestNoDoubts(t *testing.T) {
	files, err := filepath.Glob("../../../notebooks/assignments/source/*/*.ipynb")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	root := must.Get(filepath.Abs("../../..")).Or(t)
	for _, file := range files {
		nb := must.Get(nbformat.Read(file)).Or(t)
		a := must.Get(assignment.Read(t.Context(), nb, root)).Or(t)
		for _, p := range a.Doubts() {
			t.Errorf("%s: %s", file, p)
		}
	}
}
