package assignment_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// A part is a code cell: its kind as nbgrader has it, its grade_id, its source.
type part struct{ kind, id, source string }

// notebook makes a notebook of code cells.
func notebook(t *testing.T, parts ...part) *nbformat.Notebook {
	t.Helper()
	nb := &nbformat.Notebook{Metadata: map[string]any{}, Minor: 5}
	for i, p := range parts {
		c := &nbformat.Cell{ID: fmt.Sprint("c", i), Type: "code", Source: p.source, Metadata: map[string]any{}}
		if p.kind != "extra" {
			c.Metadata["nbgrader"] = map[string]any{"schema_version": json.Number("3"), "grade_id": p.id, "grade": p.kind == "tests",
				"solution": p.kind == "answer", "locked": p.kind != "answer", "task": false, "points": json.Number("2")}
		}
		nb.Cells = append(nb.Cells, c)
	}
	return nb
}

var lecturer = []part{
	{"given", "imports", "import (\n\t\"errors\"\n\t\"math\"\n\t\"testing\"\n)"},
	{"given", "types", "type Point struct{ X, Y float64 }\n\nvar ErrEmpty = errors.New(\"empty\")\n\nfunc near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }"},
	{"extra", "", "const limit = 3 // nbgrader knows nothing of this cell"},
	{"answer", "norm", "func (p Point) Norm() float64 { return square(p) }\n\nfunc square(p Point) float64 { return math.Hypot(p.X, p.Y) }"},
	{"tests", "norm-test", "%test\n\nfunc TestNorm(t *testing.T) {\n\tif !near(Point{3, 4}.Norm(), 5) {\n\t\tt.Error(\"norm\")\n\t}\n}"},
	{"answer", "mean", "func Mean(ps []Point) (m Point, err error) {\n\tif len(ps) == 0 {\n\t\treturn m, ErrEmpty\n\t}\n\tfor _, p := range ps {\n\t\tm.X += p.X / float64(len(ps))\n\t\tm.Y += p.Y / float64(len(ps))\n\t}\n\treturn m, nil\n}"},
	{"tests", "mean-test", "%test\n\nfunc TestMean(t *testing.T) {\n\tif _, err := Mean(nil); !errors.Is(err, ErrEmpty) {\n\t\tt.Error(err)\n\t}\n}"},
}

func read(t *testing.T, parts []part) *assignment.Assignment {
	t.Helper()
	root := must.Get(filepath.Abs("../../..")).Or(t)
	return must.Get(assignment.Read(t.Context(), notebook(t, parts...), root)).Or(t)
}

// answers returns the lecturer's notebook with other cells in place of its own.
func answers(own ...part) []part {
	all := append([]part(nil), lecturer...)
	for _, p := range own {
		found := false
		for i := range all {
			if p.kind != "extra" && all[i].id == p.id && !found {
				all[i], found = p, true
			}
		}
		if !found {
			all = append(all, p)
		}
	}
	return all
}

// Whatever a student makes of one answer, the guest compiles, and has the other answer.
func TestAssemble(t *testing.T) {
	a := read(t, lecturer)
	a.MayImport = func(path string) bool { return path == "sort" || path == "math/big" || path == "internal/abi" }
	norm := func(source string) []part { return []part{{"answer", "norm", source}} }
	const good = "func (p Point) Norm() float64 { return math.Hypot(p.X, p.Y) }"
	for name, c := range map[string]struct {
		own     []part
		note    string // in a note, "" for no notes
		missing string // of functions that the tests use
	}{
		"as it is":           {nil, "", ""},
		"without the helper": {norm(good), "", ""},
		"another helper":     {norm("func (p Point) Norm() float64 { return helper(p) }\nfunc helper(p Point) float64 { return math.Sqrt(p.X*p.X + p.Y*p.Y) }"), "", ""},
		"import by itself":   {norm("import \"sort\"\nfunc (p Point) Norm() float64 { sort.Float64s(nil); return 0 }"), "", ""},
		"import missing":     {norm("func (p Point) Norm() float64 { sort.Float64s(nil); return 0 }"), "", ""},
		"import unused":      {norm("import \"sort\"\n" + good), "", ""},
		"import refused":     {norm("import \"os/exec\"\nfunc (p Point) Norm() float64 { exec.Command(\"x\"); return 0 }"), "\"os/exec\" is not allowed", "Point.Norm"},
		"import unsafe":      {norm("import \"unsafe\"\nvar x = unsafe.Pointer(nil)\n" + good), "\"unsafe\" is not allowed", ""},
		"dot import":         {norm("import . \"math\"\n" + good), "not allowed", ""},
		"internal":           {norm("import \"marginalia/internal/sandbox/guest/wire\"\nvar x wire.End\n" + good), "not allowed", ""},
		"internal of Go":     {norm("import \"internal/abi\"\nvar x abi.Kind\n" + good), "not allowed", ""},
		"cgo":                {norm("// int f() { return 1; }\nimport \"C\"\n" + good), "\"C\" is not allowed", ""},
		"linkname":           {norm("//go:linkname f runtime.throw\nfunc f(s string)\n" + good), "f has no body", ""},
		"wasmimport":         {norm("//go:wasmimport marginalia call\nfunc f(a, b uint32) uint32\n" + good), "f has no body", ""},
		"wasmexport":         {norm("//go:wasmexport marginalia_serve\nfunc f() {}\n" + good), "", ""},
		"line directive":     {norm("/*line mean.cell:1*/ func (p Point) Norm() float64 { return 1 }"), "", ""},
		"syntax":             {norm("func (p Point) Norm() float64 { return"), "does not compile", "Point.Norm"},
		"syntax, line 3":     {norm("// a\n// b\nfunc (p Point) Norm() float64 { return p.X +* 2 p.Y }"), "cell norm, line 3: it does not compile: expected ';', found p", "Point.Norm"},
		"type error":         {norm("func (p Point) Norm() float64 { return \"x\" }"), "cannot use", "Point.Norm"},
		"undefined":          {norm("func (p Point) Norm() float64 { return hyp(p) }"), "undefined: hyp", "Point.Norm"},
		"signature":          {norm("func (p Point) Norm() float32 { return 1 }"), "it is func (Point) Norm() float32, want func (Point) Norm() float64", "Point.Norm"},
		"long path":          {norm("import \"math/big\"\nfunc (p Point) Norm() *big.Float { return nil }"), "it is func (Point) Norm() *big.Float, want func (Point) Norm() float64", "Point.Norm"},
		"pointer receiver":   {norm("func (p *Point) Norm() float64 { return 1 }"), "it is func (*Point) Norm() float64, want func (Point) Norm() float64", "Point.Norm"},
		"other names":        {[]part{{"answer", "mean", "func Mean(points []Point) (Point, error) { return Point{}, nil }"}}, "", ""},
		"empty":              {norm(""), "Point.Norm is missing", "Point.Norm"},
		"comments alone":     {norm("// nothing yet"), "Point.Norm is missing", "Point.Norm"},
		"shell":              {norm("!rm -rf /\n" + good), "", ""},
		"bash":               {norm("%%bash\nrm -rf /"), "missing", "Point.Norm"},
		"given again":        {norm("type Point struct{ X, Y, Z float64 }\n" + good), "declares Point again", ""},
		"near again":         {norm("func near(a, b float64) bool { return true }\n" + good), "declares near again", ""},
		"test of its own":    {norm("func TestNorm(t *testing.T) {}\n" + good), "", ""}, // tests are in no guest
		"other answer":       {norm("func Mean(ps []Point) (m Point, err error) { return }\n" + good), "declares Mean again", ""},
		"main":               {norm("%%\nprintln(1)"), "missing", "Point.Norm"},
		"func main":          {norm("func main() {}\n" + good), "", ""},
		"generated names":    {norm("func marginalia_table() {}\nfunc marginalia_main() {}\n" + good), "names that begin with marginalia_", ""},
		"built-ins":          {norm("type float64 string\nfunc panic(v any) {}\n" + good), "Go's own names", ""},
		"true":               {norm("const true = false\n" + good), "Go's own names", ""},
		"init":               {norm("func init_x() { panic(1) }\n" + good), "init_x does not run", ""},
		"variable loop":      {norm("var a = b\nvar b = a\n" + good), "initialization cycle", ""},
		"given changed":      {[]part{{"given", "types", "type Point struct{}"}}, "the cell was changed", ""},
		"cell of its own":    {[]part{{"answer", "norm", "func (p Point) Norm() float64 { return mine(p) }"}, {"extra", "", "func mine(p Point) float64 { return 5 }"}}, "", ""},
		"extra that fails":   {[]part{{"extra", "", "func broken() int { return \"\" }"}}, "broken does not compile", ""},
		"extra given again":  {[]part{{"extra", "", "func Mean() {}\nfunc near() {}"}}, "declares Mean again", ""},
		"plain cell again":   {[]part{{"extra", "", "const limit = 3 // nbgrader knows nothing of this cell\n"}}, "", ""},
		"plain cell changed": {[]part{{"extra", "", "const limit = 4\nfunc mine() {}"}}, "declares limit again", ""},
		"copy of a cell":     {[]part{{"answer", "norm", good}, {"answer", "norm2", good}}, "declares Point.Norm again", ""},
		"alias":              {norm("type P = Point\nfunc (p P) Norm() float64 { return 1 }"), "P.Norm does not compile: method Point.Norm already declared", "Point.Norm"},
		"wide":               {norm("var big [1 << 40]int\n" + good), "big does not compile: an array of more than 8388608 elements", ""},
		"recursive type":     {norm("type T struct{ t T }\n" + good), "invalid recursive type", ""},
		"generic bomb":       {norm("func f[T any](n int) { f[[]T](n) }\nfunc g() { f[int](1) }\n" + good), "f does not compile: instantiation cycle", ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := must.Get(a.Assemble(t.Context(), notebook(t, answers(c.own...)...), nil, nil)).Or(t)
			notes := fmt.Sprint(g.Notes)
			if c.note == "" && len(g.Notes) > 0 || !strings.Contains(notes, c.note) {
				t.Errorf("notes %s, want %q", notes, c.note)
			}
			worker := string(g.Files["worker.go"])
			if !strings.Contains(worker, "t.Func(\"Mean\", Mean)") {
				t.Error("the guest has lost Mean")
			}
			if c.missing != "" && g.Missing[strings.Replace(c.missing, ".", "~", 1)] == "" {
				t.Errorf("missing %v, want %s", g.Missing, c.missing)
			}
			if strings.Contains(string(g.Files["cells.go"]), "//go:") {
				t.Errorf("a directive is left:\n%s", g.Files["cells.go"])
			}
		})
	}
}

// An answer is the student's, however it is declared: in another cell, if its own does without it or has it as it was
// released, with another receiver, by an embedded field, with helpers of any kind.
func TestElsewhere(t *testing.T) {
	a := read(t, []part{
		{"given", "imports", "import \"testing\""},
		{"answer", "stack", "type Stack struct{ xs []int }\n\nfunc (s *Stack) Push(x int) { s.xs = append(s.xs, x) }\n\nfunc (s *Stack) Len() int { return len(s.xs) }"},
		{"tests", "stack-test", "%test\nfunc TestStack(t *testing.T) {\n\ts := &Stack{}\n\tif s.Push(1); s.Len() != 1 {\n\t\tt.Error(\"length\")\n\t}\n}"},
		{"answer", "sum", "func Sum(xs ...int) (sum int) {\n\tfor _, x := range xs {\n\t\tsum += x\n\t}\n\treturn sum\n}"},
		{"tests", "sum-test", "%test\nfunc TestSum(t *testing.T) {\n\tif Sum(1, 2) != 3 {\n\t\tt.Error(\"sum\")\n\t}\n}"},
	})
	const (
		stack  = "type Stack []int\nfunc (s *Stack) Push(x int) { *s = append(*s, x) }"
		length = "func (s Stack) Len() int { return len(s) }"
		sum    = "func Sum(xs ...int) int { return add(xs) }\nfunc add(xs []int) int { return 7 }"
		stub   = "func Sum(xs ...int) (sum int) {\n\t// YOUR CODE HERE\n\tpanic(\"not implemented\")\n}"
	)
	for name, c := range map[string]struct {
		own       []part
		reference []string
		has       []string // in the guest
		note      string
	}{
		"receiver":          {own: []part{{"answer", "stack", stack + "\n" + length}, {"answer", "sum", sum}}, has: []string{`"Stack.Push", (*Stack).Push)`, `"Stack.Len", (*Stack).Len)`}},
		"embedded":          {own: []part{{"answer", "stack", "type base []int\nfunc (b *base) Push(x int) {}\nfunc (b base) Len() int { return len(b) }\ntype Stack struct{ base }"}, {"answer", "sum", sum}}, has: []string{`"Stack.Len", (*Stack).Len)`}},
		"embedded and less": {own: []part{{"answer", "stack", "type base []int\nfunc (b *base) Push(x int) {}\ntype Stack struct{ base }"}, {"answer", "sum", sum}}, has: []string{"Stack.Len: it is not declared"}, note: "cell stack: Stack.Len is missing"},
		"own cells":         {own: []part{{"answer", "stack", stack}, {"answer", "sum", stub}, {"extra", "", length}, {"extra", "", sum}}, has: []string{"return len(s)", "return add(xs)", "(*Stack).Len"}},
		"another answer":    {own: []part{{"answer", "stack", sum + "\n" + stack + "\n" + length}, {"answer", "sum", stub}}, has: []string{"return add(xs)"}},
		"merged":            {own: []part{{"answer", "sum", sum + "\n" + stack + "\n" + length}}, has: []string{"return len(s)"}, note: "cell stack: the cell is missing"},
		"no body":           {own: []part{{"answer", "stack", stack}, {"answer", "sum", stub}, {"extra", "", "func Sum(xs ...int) int"}}, has: []string{"not implemented"}, note: "Sum has no body"},
		"both":              {own: []part{{"answer", "stack", stack + "\n" + length}, {"answer", "sum", sum}, {"extra", "", "func Sum(xs ...int) int { return 8 }"}}, has: []string{"return add(xs)"}, note: "it declares Sum again"},
		"generic helpers":   {own: []part{{"answer", "stack", stack + "\n" + length}, {"answer", "sum", "type box[K comparable, V any] struct{ v V }\nfunc (b *box[K,V]) set(v V) { b.v = v }\nfunc (b box[A, B]) get() B { return b.v }\nfunc Sum(xs ...int) int {\n\tvar b box[string, int]\n\tb.set(1)\n\treturn b.get()\n}"}}, has: []string{"{ b.v = v }", "{ return b.v }"}},
		"helper of another": {own: []part{{"answer", "stack", stack + "\nfunc (s *Stack) Len() int { return add(*s) }"}, {"answer", "sum", sum}}, reference: []string{"sum"}, has: []string{"return add(*s)", "return 7", "sum += x"}},
		"not allowed":       {own: []part{{"answer", "stack", stack + "\n" + length}, {"answer", "sum", "func Sum(xs ...int) int {\n\tlog.Print(1)\n\treturn 3\n}"}}, has: []string{"return len(s)"}, note: `Sum does not compile: undefined: log: the import \"log\" is not allowed`},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := a.Assemble(t.Context(), notebook(t, append(c.own, part{"given", "imports", a.Cells[0].Source})...), c.reference, nil)
			must.Do(t, err)
			if notes := fmt.Sprint(g.Notes); len(g.Notes) > 0 != (c.note != "") || !strings.Contains(notes, strings.ReplaceAll(c.note, `\"`, `"`)) {
				t.Errorf("notes %s, want %q", notes, c.note)
			}
			text := string(g.Files["cells.go"]) + string(g.Files["worker.go"])
			for _, has := range c.has {
				if !strings.Contains(text, has) {
					t.Errorf("no %s in\n%s", has, text)
				}
			}
		})
	}
}

// A test that prints a value of the student's prints no number of the wire's, and what prints itself does.
func TestPrinted(t *testing.T) {
	a := read(t, []part{
		{"given", "imports", "import \"testing\"\n\ntype Shape interface{ Area() float64 }\n\ntype Named interface{ String() string }"},
		{"answer", "box", "type Box struct{ w float64 }\n\nfunc (b *Box) Area() float64 { return b.w }\n\ntype Word struct{ w string }\n\nfunc (w *Word) String() string { return w.w }\n\nfunc Make() (*Box, *Word, Shape, Named) { return nil, nil, nil, nil }"},
		{"tests", "box-test", "%test\n\nfunc TestBox(t *testing.T) {\n\tt.Log(Make())\n}"},
	})
	files := must.Get(a.Judge(t.Context())).Or(t)
	text := string(files["stubs.go"])
	for _, what := range []string{"Box", "Shape"} {
		if !strings.Contains(text, `"a value of `+what+`"`) {
			t.Errorf("no value of %s in\n%s", what, text)
		}
	}
	if n := strings.Count(text, "a value of"); n != 2 {
		t.Errorf("%d types are printed otherwise than by themselves, want 2\n%s", n, text)
	}
}

// What only the compiler refuses is left out when the guest is built.
func TestBuild(t *testing.T) {
	tier.Long(t)
	a := read(t, lecturer)
	g, err := a.Assemble(t.Context(), notebook(t, answers(part{"answer", "norm", "\nvar big [1 << 50]int\n\nfunc (p Point) Norm() float64 { return float64(big[0]) }"})...), nil, nil)
	must.Do(t, err)
	var modules [2][]byte
	for i := range modules {
		file := must.Get(g.Build(t.Context(), t.TempDir())).Or(t)
		modules[i] = must.Get(os.ReadFile(file)).Or(t)
	}
	if !bytes.Equal(modules[0], modules[1]) {
		t.Error("the same files are another module in another folder")
	}
	if notes := fmt.Sprint(g.Notes); !strings.Contains(notes, "line 2: big does not compile") || g.Missing["Point~Norm"] == "" {
		t.Errorf("notes %s, missing %v", notes, g.Missing)
	}
}

// The judge's program asks for an answer's variable or constant at each use, since zero may be right and is what
// a missing one holds.
func TestValues(t *testing.T) {
	a := read(t, []part{
		{"given", "imports", "import \"testing\"\n\nvar within = func(x int) bool { return x <= Bound }"},
		{"answer", "bound", "const Bound = 0\n\nvar Limits = []int{0}"},
		{"tests", "bound-test", "%test\n\nfunc TestBound(t *testing.T) {\n\tif Bound := 1; !within(0) || Bound != 1 || Limits[Bound-1] != 0 {\n\t\tt.Error(\"bound\")\n\t}\n}"},
	})
	files := must.Get(a.Judge(t.Context())).Or(t)
	for _, want := range []string{"return x <= (*marginalia_of_Bound()) }", "Bound != 1 || (*marginalia_of_Limits())[Bound-1] != 0 {"} {
		if !strings.Contains(string(files["cells.go"]), want) {
			t.Errorf("no %s in\n%s", want, files["cells.go"])
		}
	}
}
