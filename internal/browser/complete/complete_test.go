package complete

import (
	"slices"
	"strings"
	"testing"

	"marginalia/internal/browser/kernel"
	"marginalia/internal/browser/kernel/kerneltest"
)

// asked is the question about the place that | marks in a cell.
func asked(t *testing.T, k *kernel.Kernel, marked string, inspect bool) (kernel.Question, bool) {
	t.Helper()
	before, after, _ := strings.Cut(marked, "|")
	q, ok, err := k.Ask(before+after, len([]rune(before)), inspect)
	if err != nil {
		t.Fatal(err)
	}
	return q, ok
}

// The kernel with its packages, and the declarations of a cell that ran.
func asking(t *testing.T) *kernel.Kernel {
	k := kerneltest.New(t, "flag", "fmt", "strings", "unicode/utf8", "marginalia/mlkit/perceptron")
	if ok, _ := k.Execute(kernel.Cell{ID: "a", Source: "import \"strings\"\n\ntype pt struct{ X, y float64 }\n\nfunc (p pt) Norm() float64 { return p.X }\n\nvar µ = pt{}\nvar b strings.Builder"},
		func(o kernel.Output) { t.Log(o.Text, o.Traceback) }); !ok {
		t.Fatal("the cell does not run")
	}
	return k
}

// What may stand at a place: members of packages, imported or not, fields and methods of values of
// earlier cells, what the cell declares above the place, keywords, in cells that do not parse, too; nothing in
// comments, strings and commands.
func TestComplete(t *testing.T) {
	k, c := asking(t), New()
	for _, tt := range []struct{ marked, has, lacks string }{
		{"%%\nfmt.Pri|", "Print Printf Println", "Sprint print"},
		{"%%\nstrings.|", "Builder ToUpper", "asciiSet"},
		{"%%\nx := 1\nutf8.RuneL|\nfmt.Println(x)", "RuneLen", "RuneCount"}, // nothing imports it yet
		{"%%\nµ.|", "X y Norm", "fmt"},
		{"%%\nfmt.Println(µ.n|", "Norm", "X"}, // letters of either case
		{"%%\nb.Write|", "WriteString WriteByte", "String buf"},
		{"%%\nvar fit perceptron.|", "Perceptron", "learn"},
		{"%%\nfor count := range 3 {\n\tcou|\n}", "count", "continue"},
		{"%%\ncou|\ncount := 1", "", "count"},
		{"%%\nfu|", "func", "fmt"},
		{"func f(p pt) float64 {\n\treturn p.|\n}", "X y Norm", ""},
		{"%%\nf|", "fmt flag for float64", "main"},
		{"%%\n// fmt.|", "", "Print"},
		{"%%\nfmt.Print(\"fmt.|\")", "", "Print"},
		{"!fmt.|", "", "Print"},
	} {
		q, ok := asked(t, k, tt.marked, false)
		var texts []string
		if ok {
			for _, n := range c.Complete(q) {
				texts = append(texts, n.Text)
			}
		}
		for _, want := range strings.Fields(tt.has) {
			if !slices.Contains(texts, want) {
				t.Errorf("%q: %q lacks %s", tt.marked, texts, want)
			}
		}
		for _, other := range strings.Fields(tt.lacks) {
			if slices.Contains(texts, other) {
				t.Errorf("%q: %q has %s", tt.marked, texts, other)
			}
		}
	}
}

// Inspect declares the name at the cursor or, among arguments, the function that is called.
func TestInspect(t *testing.T) {
	k, c := asking(t), New()
	for _, tt := range []struct{ marked, want string }{
		{"%%\nfmt.Prin|tln()", "func fmt.Println(a ...any) (n int, err error)"},
		{"%%\nfmt.Println(|)", "func fmt.Println(a ...any) (n int, err error)"},
		{"%%\nfm|t.Println()", "package fmt // import \"fmt\""},
		{"%%\nvar p p|t", "type pt struct {\n\tX float64\n\ty float64\n}\nfunc (pt).Norm() float64"},
		{"%%\nfmt.Print(µ|)", "var µ pt"},
		{"%%\nn := 2\n_ = n|", "var n int"},
		{"%%\n(|)", ""},
	} {
		got := ""
		if q, ok := asked(t, k, tt.marked, true); ok {
			got = c.Inspect(q)
		}
		if got != tt.want {
			t.Errorf("%q is %q, want %q", tt.marked, got, tt.want)
		}
	}
}
