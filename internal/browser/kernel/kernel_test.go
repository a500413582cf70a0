package kernel_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/browser/kernel"
	"marginalia/internal/browser/kernel/kerneltest"
	"marginalia/internal/browser/toolchain"
	"marginalia/internal/testkit/must"
)

// said is what a cell printed, and its error as readers see it.
type said struct {
	stdout, stderr, failure string
}

func execute(k *kernel.Kernel, source string) (s said, ok bool) {
	ok, _ = k.Execute(kernel.Cell{ID: "cell", Source: source}, func(o kernel.Output) {
		if !utf8.ValidString(o.Text) {
			s.failure += fmt.Sprintf("%q is no text", o.Text)
		}
		switch o.Name {
		case "stdout":
			s.stdout += o.Text
		case "stderr":
			s.stderr += o.Text
		}
		s.failure += plain.Replace(strings.Join(o.Traceback, "\n"))
	})
	return s, ok
}

var plain = strings.NewReplacer("\x1b[31m", "", "\x1b[1m", "", "\x1b[0m", "")

// A kernel for pages says of cells what GoNB's kernel with its front says: their outputs, errors with
// the line of the cell, panics with the lines on the stack. What fails to compile is not remembered.
func TestCells(t *testing.T) {
	k := kerneltest.New(t, "errors", "flag", "fmt", "math/rand", "math/rand/v2", "os", "strings", "runtime", "testing", "testing/internal/testdeps")
	for i, tt := range []struct {
		source string
		said   said
	}{
		{"import (\n\t\"fmt\"\n\t\"os\"\n)\nfunc twice(x int) int {\n\treturn 2 * x\n}", said{}},
		{"%%\nfmt.Println(twice(21))", said{stdout: "42\n"}},
		{"%%\nfmt.Println(strings.ToUpper(\"go\"), rand.N(1))", said{stdout: "GO 0\n"}}, // found by goimports' rules
		{"func twice(x int) int { return 3 * x }\n\n%%\nfmt.Println(nowhere)", said{failure: "line 4: undefined: nowhere\n  fmt.Println(nowhere)\n              ^"}},
		{"%%\nfmt.Println(twice(21))", said{stdout: "42\n"}},
		{"%%\nfmt.Print(\"before \")\nvar v []int\nfmt.Println(v[twice(1)])", said{stdout: "before ",
			failure: "panic: index out of range [2] with length 0\n  line 4: fmt.Println(v[twice(1)])\n  → the indices of a slice of n elements are 0 to n-1"}},
		{"%%\nfmt.Fprintln(os.Stderr, \"bad\")\nos.Exit(3)", said{stderr: "bad\n", failure: "the program ended with exit status 3, by log.Fatal or os.Exit"}},
		{"%%\nfor _, b := range []byte(\"wᵀx\") {\n\tos.Stdout.Write([]byte{b})\n}", said{stdout: "wᵀx"}}, // no character comes in two pieces
		{"import \"net/http\"", said{failure: "line 1: programs in a page can't import this package\n  import \"net/http\"\n          ^"}},
		{"import \"syscall/js\"\n\n%%\n_ = js.Global()", said{failure: "line 1: programs in a page can't import this package\n  import \"syscall/js\"\n          ^"}},
		{"import \"fmtt\"", said{failure: "line 1: there is no package of this path\n  import \"fmtt\"\n         ^\n  → did you mean \"fmt\"?"}},
		{"import . \"strings\"\n%%\nfmt.Println(ToTitle(\"dotted\"))", said{stdout: "DOTTED\n"}},
		{"%rm .~strings\n%%\nfmt.Println(\"gone\")", said{stdout: ". removed import .~strings\ngone\n"}},
		{"%%\nos.Stdout.Write([]byte(\"a\\xff \\xe4\\xb8 b\"))", said{stdout: "a\ufffd \ufffd\ufffd b"}},
		{"%env A 1\n%%\nfmt.Println(os.Getenv(\"A\"))", said{stdout: "Set: A=\"1\"\n1\n"}},
		{"%%\nfmt.Println(", said{failure: "line 2: expected operand, found '}'\n  fmt.Println(\n              ^"}},
		{"%test\nfunc TestIt(t *testing.T) {}\n\nfunc Example() {\n\tfmt.Println(1)\n\t// Output: 1\n}", said{stdout: "✓ TestIt\n"}},
		{"%test\nfunc TestNo(t *testing.T) {\n\tt.Error(twice(1))\n}", said{stdout: "✗ TestNo, line 3: 2\n", failure: "a test failed"}},
		{"%test\nfunc TestBroken(t *testing.T) {\n\tt.Error(nowhere)\n}", said{failure: "line 3: undefined: nowhere\n      t.Error(nowhere)\n              ^"}},
		{"%test\nfunc TestPanics(t *testing.T) {\n\tpanic(\"no\")\n}", said{stdout: "✗ TestPanics\n", failure: "panic: no\n  line 3: panic(\"no\")"}},
		{"%test\nfunc TestMain(m *testing.M) { m.Run() }", said{failure: "marginalia: in a page a %test cell has tests, benchmarks or examples of the usual form, and no TestMain"}},
	} {
		got, ok := execute(k, tt.source)
		if got != tt.said || ok != (tt.said.failure == "") {
			t.Errorf("cell %d\n%s\nsays %+v, want %+v", i+1, tt.source, got, tt.said)
		}
	}
}

// A cell that imports what the site could not build says why. Others run.
func TestLacking(t *testing.T) {
	m := must.Get(toolchain.Here(t.Context(), repotest.Root(t), []string{"flag", "fmt"})).Or(t)
	m.Lacking["example.org/c"], m.Lacking["fmt"] = "it needs cgo", "another module has none"
	k := kerneltest.Of(t, m)
	for source, want := range map[string]said{
		"import \"example.org/c\"\n\n%%\nfmt.Println(c.X)": {failure: "line 1: this site has no such package: it needs cgo\n  import \"example.org/c\"\n          ^\n  → JupyterLab runs the cell: go run . lab"},
		"%%\nfmt.Println(\"there\")":                       {stdout: "there\n"},
	} {
		if got, _ := execute(k, source); got != want {
			t.Errorf("the cell\n%s\nsays %+v, want %+v", source, got, want)
		}
	}
}

// Each command of GoNB works, or says why a page has no such thing and what to do. The list is that of GoNB
// v0.11.5 (internal/specialcmd/help.md); %% and %test are in TestCells.
func TestCommands(t *testing.T) {
	k := kerneltest.New(t, "flag", "fmt", "os")
	const lab = "\n  → JupyterLab runs the cell: go run . lab"
	for _, tt := range []struct {
		source string
		said   said
	}{
		{"%main a \"b c\"\nfmt.Printf(\"%q\\n\", os.Args[1:])", said{stdout: "[\"a\" \"b c\"]\n"}},
		{"%args x y\nfunc main() { fmt.Println(os.Args[1:]) }", said{stdout: "[x y]\n"}},
		{"%exec hi\nfunc hi() { fmt.Println(\"hi\") }", said{stdout: "hi\n"}},
		{"%env AB=b\n%%\nfmt.Println(os.Getenv(\"AB\"))", said{stdout: "Set: AB=\"b\"\nb\n"}},
		{"%%\nfmt.Println(os.Mkdir(\"sub\", 0o755))", said{stdout: "<nil>\n"}},
		{"%cd nowhere", said{failure: "executing special commands in cell: `%cd \"nowhere\"` failed: chdir nowhere: no such file or directory"}},
		{"%goflags -race", said{stdout: "%goflags=[\"-race\"]\n", stderr: noFlags}},
		{"%autoget\n%noautoget", said{}},
		{"%rm hi nobody", said{stdout: ". removed func hi\n", stderr: ". key \"nobody\" not found in any definition, not removed\n"}},
		{"%%\nhi()", said{failure: "line 2: undefined: hi\n  hi()\n  ^\n  → cell [3] declares hi: run it again; if it fails, mend it first"}},
		{"%reset", said{stdout: "* State reset: all memorized declarations discarded.\n"}},
		{"%%writefile a.txt\nfrom a cell", said{stderr: "Cell contents written to \"a.txt\".\n"}},
		{"%%\ntext, err := os.ReadFile(\"a.txt\")\nfmt.Printf(\"%q %v\\n\", text, err)", said{stdout: "\"from a cell\\n\" <nil>\n"}},
		{"%%writefile -a a.txt\nmore", said{failure: "line 1: a page writes files with plain names, and does not append to them\n  %%writefile -a a.txt\n  → %%writefile notes.txt"}},
		{"%%writefile no/a.txt\n", said{failure: "failed to open \"no/a.txt\": open no/a.txt: no such file or directory"}},
		{"!ls\nfunc beside() int { return 7 }", said{failure: "line 1: a page has no shell\n  !ls" + lab}},
		{"%%\nfmt.Println(beside())", said{stdout: "7\n"}},
		{"!*go get golang.org/x/text", said{failure: "line 1: a page can't get modules\n  !*go get golang.org/x/text\n  → its cells import marginalia, gonum and much of the standard library; JupyterLab runs the cell: go run . lab"}},
		{"%%bash\nls", said{failure: "line 1: the cell is not Go, and a page has nothing else that could run it\n  %%bash" + lab}},
		{"%%script python3\n1", said{failure: "line 1: the cell is not Go, and a page has nothing else that could run it\n  %%script python3" + lab}},
		{"%ls", said{failure: "line 1: only GoNB's kernel lists what it remembers\n  %ls\n  → here a cell knows the declarations of all cells above it"}},
		{"// first\n%with_inputs\n!read x", said{failure: "line 2: the command is for shell lines, and a page has no shell\n  %with_inputs\n  → a program that reads gets a box to type into without it"}},
		{"%nonsense\n%%\nfmt.Println(1)", said{stdout: "1\n", stderr: "\"%nonsense\" unknown or not implemented yet."}},
	} {
		got, ok := execute(k, tt.source)
		if got != tt.said || ok != (tt.said.failure == "") {
			t.Errorf("%s\nsays %+v, want %+v", tt.source, got, tt.said)
		}
	}
	for _, name := range []string{"list", "help", "version", "widgets", "widgets_hb", "with_password", "track", "untrack", "goworkfix", "capture", "wasm"} {
		if got, ok := execute(k, "%"+name+" x"); ok || !strings.HasPrefix(got.failure, "line 1: ") || !strings.Contains(got.failure, "\n  → ") {
			t.Errorf("%%%s says %+v", name, got)
		}
	}
}

const noFlags = "marginalia: in a page no go command builds the cells: these flags change nothing here\n"

// A cell whose cells above are known is executed behind these, whatever was executed before.
func TestAbove(t *testing.T) {
	k := kerneltest.New(t, "flag", "fmt")
	for _, tt := range []struct {
		above []string
		want  string
	}{
		{[]string{"func f() int { return 1 }", "%%\nfmt.Println(\"does not run\")"}, "1\n"},
		{[]string{"func f() int { return 2 }"}, "2\n"},
		{nil, "2\n"},
	} {
		got := ""
		k.Execute(kernel.Cell{ID: "cell", Source: "%%\nfmt.Println(f())", Above: tt.above}, func(o kernel.Output) { got += o.Text })
		if got != tt.want {
			t.Errorf("behind %q it prints %q, want %q", tt.above, got, tt.want)
		}
	}
}

// A cell that is unnumbered has the number of the last, and the next one its own.
func TestUnnumbered(t *testing.T) {
	k := kerneltest.New(t, "flag", "fmt")
	for _, tt := range []struct {
		unnumbered bool
		count      int
	}{{false, 1}, {true, 1}, {false, 2}} {
		if ok, count := k.Execute(kernel.Cell{ID: "cell", Source: "%%\nfmt.Println(1)", Unnumbered: tt.unnumbered}, func(kernel.Output) {}); !ok || count != tt.count {
			t.Errorf("unnumbered %v: the cell has number %d, want %d", tt.unnumbered, count, tt.count)
		}
	}
}

// An error has marks for an editor: the line in its cell, the column in units of UTF-16 (𝑥, U+1D465, has two, and
// four bytes), and what is wrong. A cell above that is not Go is named when this one does not compile, since what it
// declares is missing.
func TestMarks(t *testing.T) {
	k := kerneltest.New(t, "flag", "fmt")
	for _, tt := range []struct {
		above  []string
		source string
		words  string
		marks  []kernel.Mark
	}{
		{nil, "%%\n\tfmt.Println(\"𝑥\", nowhere)", "line 2: undefined: nowhere", []kernel.Mark{{1, 2, 20, "undefined: nowhere"}}},
		{[]string{}, "%%\nfmt.Println(", "line 2: expected operand, found '}'", []kernel.Mark{{1, 2, 13, "expected operand, found '}'"}}},
		{[]string{"var a = 1"}, "%%\nvar v []int\nfmt.Println(v[a])", "panic: index out of range [1] with length 0", []kernel.Mark{{2, 3, 0, "panic: index out of range [1] with length 0"}}},
		{[]string{"var a = 1\n\nfunc f() int { return \"\" }"}, "%%\nfmt.Println(f())", "cell [1], line 3: cannot use", []kernel.Mark{{1, 3, 23, "cannot use \"\" (untyped string constant) as int value in return statement"}}},
		{[]string{"var b = 2", "func f( int { return 1 }"}, "%%\nfmt.Println(f())", "line 2: undefined: f\ncell [2], line 1: ", []kernel.Mark{{3, 2, 13, "undefined: f"}, {2, 1, 13, "missing ',' in parameter list"}}},
	} {
		var words []string
		var marks []kernel.Mark
		k.Execute(kernel.Cell{ID: "cell", Source: tt.source, Above: tt.above}, func(o kernel.Output) {
			if o.Type == "error" {
				words = append(words, plain.Replace(o.Traceback[0]))
			}
			marks = append(marks, o.Marks...)
		})
		if got := strings.Join(words, "\n"); !strings.HasPrefix(got, tt.words) || !slices.Equal(marks, tt.marks) {
			t.Errorf("behind %q, %q says %q with the marks %v, want %q with %v", tt.above, tt.source, got, marks, tt.words, tt.marks)
		}
	}
}
