package build_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/build"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// tested is a package of tests with all that the go command has lists of, and with a failure whose place is shown.
const tested = `package main

import (
	"fmt"
	"testing"

	"example.org/prog/own"
)

func TestOne(t *testing.T) { t.Log(own.Value()) }

func TestTwo(t *testing.T) {
	t.Run("part", func(t *testing.T) { t.Error("two") })
}

func helper(t *testing.T) {}

type suite struct{}

func (suite) TestThree(t *testing.T) {}

func BenchmarkFour(b *testing.B) {
	for b.Loop() {
	}
}

func FuzzFive(f *testing.F) { f.Fuzz(func(t *testing.T, n int) {}) }

func Example() {
	fmt.Println("a \"b\"")
	// Output: a "b"
}

func Example_unordered() {
	fmt.Println("b\na")
	// Unordered output:
	// a
	// b
}

func Example_nothing() {
	// Output:
}

func Example_notRun() { fmt.Println() }
`

func testTree() files {
	return files{"prog/go.mod": module(""), "prog/main_test.go": tested, "prog/own/own.go": value("own", "1")}
}

// A program of tests is that of "go test -c", with vet and without.
func TestSameTests(t *testing.T) {
	for name, flags := range map[string][]string{"vetted": nil, "not vetted": {"-vet=off"}, "race": {"-race", "-vet=off"}, "tags": {"-tags=big"}} {
		t.Run(name, func(t *testing.T) {
			if name != "vetted" && !tier.IsLong(t) {
				return
			}
			t.Parallel()
			w := newWorkshop(t, testTree())
			w.verb, w.flags = []string{"test", "-c"}, append(w.flags, flags...)
			w.same(w.learnt())
			edits := []string{"func TestSix(t *testing.T) { t.Skip() }", "func BenchmarkSeven(*testing.B) {}", "func ExampleTestOne() {\n\t// Output: 1\n}", "func F[T any](v ...T) int { return len(v) }"}
			if slices.Contains(flags, "-vet=off") {
				edits = append(edits, "func Testing(t *testing.T) {}") // vet's findings are the go command's
			}
			if !tier.IsLong(t) {
				edits = []string{strings.Join(edits, "\n\n")}
			}
			for _, edit := range edits {
				w.edit("prog/main_test.go", "func helper(", edit+"\n\nfunc helper(")
				if !w.builds(t.Context()) {
					t.Errorf("Build says false after %s", edit)
				}
			}
		})
	}
}

// learnt has the go command build the program, the Builder learn and build it. It returns the go command's.
func (w *workshop) learnt() (file string) {
	w.Helper()
	file = w.learn()
	if !w.tries(w.Context()) {
		w.Fatal("Build says false after Learn")
	}
	return file
}

// What another Builder has kept of tests is enough, and Passes says of tests what go test would.
func TestTestsKept(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, testTree())
	w.verb = []string{"test", "-c"}
	dir := t.TempDir()
	w.builder = &build.Builder{Dir: dir}
	w.learn()
	w.builder = &build.Builder{Dir: dir}
	if !w.builds(t.Context()) {
		t.Error("Build says false after another Builder has learned")
	}
	c := w.command()
	c.Dir = w.path("prog/nowhere") // the files need not lie in a folder
	for text, want := range map[string]bool{
		tested: true,
		strings.Replace(tested, "t.Log(own.Value())", `t.Logf("%s", own.Value())`, 1):                                    false,
		strings.Replace(tested, "func helper(", "func nobody()\n\nfunc helper(", 1):                                      false, // what the type checker accepts
		strings.Replace(tested, "func helper(", "type T int\n\nfunc TestT(t *T) {}\n\nfunc helper(", 1):                  false, // what the tests' main does not
		strings.Replace(tested, "func helper(", "//go:linkname nobody runtime.nobody\nfunc nobody()\n\nfunc helper(", 1): false, // what the linker refuses
	} {
		if got := w.builder.Passes(t.Context(), c, map[string][]byte{"main_test.go": []byte(text)}); got != want {
			t.Errorf("Passes says %t, want %t, of\n%s", got, want, text)
		}
	}
	w.edit("prog/own/own.go", "return 1", "return 2")
	if w.builder.Passes(t.Context(), c, map[string][]byte{"main_test.go": []byte(tested)}) {
		t.Error("Passes says true when a package has changed")
	}
}

// What is known of other programs says which packages tests may import.
func TestTestsComplete(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, testTree())
	w.write("prog/main.go", calls("example.org/prog/own"))
	w.learn("testing", "fmt")
	w.remove("prog/main.go")
	w.verb = []string{"test", "-c"}
	c := w.command()
	if packages := w.builder.Packages(c); !w.builder.Complete(c) || packages == nil {
		t.Error("Complete says false, or no packages are known")
	} else if p, ok := packages("example.org/prog/own"); p.Name != "own" || !ok {
		t.Errorf("the package own is %v, %t", p, ok)
	}
	if w.builds(t.Context()) {
		t.Error("Build says true before Learn")
	}
	w.edit("prog/main_test.go", "import (", "import (\n\t_ \"text/template\"")
	if w.builder.Complete(c) {
		t.Error("Complete says true of what is not known")
	}
}

// What the tests print, where they fail, and what they say of themselves is as with the go command.
func TestTestsRun(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, testTree())
	w.verb, w.flags = []string{"test", "-c"}, nil
	file := w.learnt()
	run := func(file string) string {
		cmd := exec.Command(file, "-test.v", "-test.bench=.", "-test.benchtime=1x")
		cmd.Dir = w.dir
		out, err := cmd.CombinedOutput()
		if err == nil {
			t.Errorf("%s succeeds", file)
		}
		return timeless(string(out))
	}
	ours, theirs := run(w.target), run(file)
	if ours != theirs || !strings.Contains(ours, "main_test.go:13: two") || !strings.Contains(ours, "--- PASS: Example_unordered") {
		t.Errorf("the tests print\n%s\nwant\n%s", ours, theirs)
	}
}

// timeless leaves out what differs from run to run.
func timeless(out string) string {
	var lines []string
	for line := range strings.Lines(out) {
		if i := strings.Index(line, "("); i >= 0 && strings.HasSuffix(line, "s)\n") {
			line = line[:i] + "\n"
		}
		if !strings.Contains(line, "ns/op") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// unsureTests are tests that are left to the go command, which refuses those with a want.
var unsureTests = []struct{ name, old, new, want string }{
	{"vet complains", `t.Log(own.Value())`, `t.Logf("%s", own.Value())`, "has arg own.Value() of wrong type int"},
	{"does not compile", `t.Log(own.Value())`, `t.Log(own.Nothing())`, "undefined: own.Nothing"},
	{"own main", "func helper(", "func TestMain(m *testing.M) { m.Run() }\n\nfunc helper(", ""},
	{"wrong signature", "func helper(", "func TestSix() {}\n\nfunc helper(", "wrong signature for TestSix"},
	{"type parameters", "func helper(", "func TestSix[T any](t *testing.T) {}\n\nfunc helper(", "cannot have type parameters"},
	{"embedded file", "func helper(", "//go:embed main_test.go\nvar text string\n\nfunc helper(", `go:embed requires import "embed"`},
	{"import not learned", "import (", "import (\n\t_ \"text/template\"", ""},
	{"another package", "package main", "package main_test", ""},
}

func TestUnsureTests(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, testTree())
	w.verb = []string{"test", "-c"}
	w.learnt()
	w.remove("prog/program")
	old := w.tree()
	for _, c := range unsureTests {
		t.Run(c.name, func(t *testing.T) {
			w.TB = t
			w.edit("prog/main_test.go", c.old, c.new)
			if w.tries(t.Context()) {
				t.Error("Build says true")
			}
			if c.want != "" && tier.IsLong(t) {
				if _, err := w.goBuilds(); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("go test says %v, want %q", err, c.want)
				}
			}
		})
		w.TB = t
		w.restore(old)
	}
	beside := files{"prog/main.go": hello, "prog/other_test.go": "package main\n", "prog/a.s": "\n"}
	for name, text := range beside {
		w.write(name, text)
		if w.tries(t.Context()) {
			t.Errorf("Build says true with %s beside the tests", name)
		}
		w.restore(old)
	}
	w.write("prog/main_test.go", "package main\n\nimport \"testing\"\n\nfunc none(*testing.T) {}\n")
	if w.tries(t.Context()) {
		t.Error("Build says true without tests")
	}
	w.restore(old)
	w.edit("prog/own/own.go", "return 1", "return 2")
	if w.tries(t.Context()) {
		t.Error("Build says true when a package has changed")
	}
	must.Get(w.goBuilds()).Or(t)
}
