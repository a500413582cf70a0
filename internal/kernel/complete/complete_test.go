package complete

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/kernel"
	"marginalia/internal/notebook/cursor"
	"marginalia/internal/notebook/program"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// earlier is what a cell before has declared.
const earlier = `import (
	"strings"

	"marginalia/mlkit/svm"
)

var m svm.Classifier

type pt struct{ X, Yy float64 }

func (p pt) norm() float64 { return p.X }
`

// ask is the question in a cell with the cursor at "|".
func ask(t *testing.T, dir, source string) Question {
	t.Helper()
	s := program.NewSession(dir)
	s.Remember(s.Step("1", earlier))
	before, after, ok := strings.Cut(source, "|")
	if !ok {
		t.Fatalf("no cursor in %q", source)
	}
	return Question{Dir: dir, Earlier: s.Decls(), Cell: before + after, Cursor: len([]rune(before))}
}

// TestGopls asks the pinned gopls, which is built unless it is there, in a folder as GoNB
// makes it.
func TestGopls(t *testing.T) {
	tier.Kernel(t)
	root := repotest.Root(t)
	chain, err := kernel.New(t.Context(), root)
	if err == nil {
		err = chain.BuildGopls(t.Context(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, args := range [][]string{{"mod", "init", "gonb_test"}, {"work", "init", ".", root}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=", "PWD="+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s", out)
		}
	}
	// A %test cell leaves its program there.
	testfile.Write(t, filepath.Join(dir, "main_test.go"), "package main\n\nfunc TestMine() {}\n")
	c := New(filepath.Join(chain.Gopls, "gopls"), os.Environ())
	defer c.Close()
	if c.server != nil {
		t.Error("gopls runs before anybody has asked")
	}
	for _, test := range []struct {
		name string
		run  func(*testing.T, *Completer, string)
	}{{"complete", names}, {"inspect", documentation}, {"ends", ends}, {"module", newModule}} {
		t.Run(test.name, func(t *testing.T) { test.run(t, c, dir) })
	}
}

// gopls knows the names at a place. Those of mlkit, of gonum and of the standard library are
// exported by the packages; the others are declared in the cells.
func names(t *testing.T, c *Completer, dir string) {
	for source, want := range map[string]string{
		// Packages, with and without an import.
		"%%\nsvm.Subg|":          "SubgradientDescent",
		"%%\n_ = perceptron.Av|": "Averaged AveragedModel",
		"import p \"marginalia/mlkit/perceptron\"\n%%\n_ = p.Av|": "Averaged AveragedModel",
		"import \"marginalia/mlkit/neighb|\"":                     "neighbors",
		"%%\nrand.NormF|":                                         "NormFloat64",
		"%%\nsort.Search|Strings()":                               "Search SearchFloat64s SearchInts SearchStrings",
		"%%\nswi|":                                                "switch",
		"%%\nperceptro|":                                          "perceptron",
		// Members of variables of this cell and of earlier ones, with what embedded and unexported fields add.
		"%%\nx := mat.NewDense(2, 2, nil)\nx.RawR|":            "RawRowView",
		"%%\nvar p pt\np.|":                                    "X Yy norm",
		"func f() {\n\tm.FitW|\n":                              "FitWith",
		"%%\ntype own struct{ pt; z int }\nvar o own\no.|":     "X Yy norm pt z",
		"type pt struct{ Neu int }\n%%\nvar q pt\nq.|":         "Neu norm",
		"%%\nfor _, r := range \"ä\" {\n\tstrings.Conta|\n}\n": "Contains ContainsAny ContainsFunc ContainsRune",
		// Fields of literals, without those that are there.
		"%%\n_ = svm.Pegasos{Seed: 1, Lam|}": "Lambda",
		"%%\np := pt{Y|}":                    "Yy",
		// Nothing of tests, in comments and in commands.
		"%%\nTestM|":          "",
		"%%\nTes|":            "",
		"%%\n// svm.Subg|":    "",
		"%%\n/* svm.Subg| */": "",
		"%env svm.|":          "",
		"!ls svm.|\nsvm.":     "",
		"%%bash\nsvm.|":       "",
		// Columns count code points.
		"%%\nx := \"\U0001F600ä\"; m.FitM|": "FitMachines",
		// Cells that do not parse.
		"%%\nif {\n)\nm.FitM|":          "FitMachines",
		"func g( {\n%%\nm.FitM|\ny := ": "FitMachines",
	} {
		q := ask(t, dir, source)
		found, err := c.Complete(t.Context(), q)
		if err != nil {
			t.Fatalf("%q: %v", source, err)
		}
		var names []string
		for _, n := range found.Names {
			names = append(names, strings.TrimSuffix(n.Text, ": "))
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
		typed := string([]rune(q.Cell)[found.Start:found.End])
		if i := strings.LastIndexAny(typed, ". \n\"{"); found.End != q.Cursor || i >= 0 {
			t.Errorf("%q: %d to %d, %q, is replaced", source, found.Start, found.End, typed)
		}
	}
	found := must.Get(c.Complete(t.Context(), ask(t, dir, "%%\n|"))).Or(t)
	kinds := map[string]string{}
	for _, n := range found.Names {
		kinds[n.Text] = n.Kind
	}
	for name, want := range map[string]string{"m": "instance", "pt": "class", "svm": "module", "len": "function"} {
		if kinds[name] != want {
			t.Errorf("%s is a %q, want %q", name, kinds[name], want)
		}
	}
}

// The declaration and the documentation are those of the source.
func documentation(t *testing.T, c *Completer, dir string) {
	for source, want := range map[string]string{
		"%%\nsvm.Cla|ssifier{}":                        "Classifier is the support vector machine",
		"%%\nsvm.Classifier|{}":                        "Classifier is the support vector machine",
		"%%\nm.Fit(|":                                  "Fit trains a machine",
		"%%\nm.Fit(nil, strings.Fields(\"a b\"), |)":   "Fit trains a machine",
		"%%\nfmt.Println(svm.Classifier{C: 1}, |)":     "Println formats",
		"%%\nif strings.Contains(\"a\", \"b\") {\n\t|": "",
		"%%\nfmt.Println(\n\t|)":                       "Println formats",
		"%%\nnothing.Known|":                           "",
	} {
		got, err := c.Inspect(t.Context(), ask(t, dir, source))
		if err != nil || want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: %.100q, %v; want %q", source, got, err, want)
		}
	}
	if _, err := c.Inspect(t.Context(), ask(t, dir, "%en|v")); !errors.Is(err, ErrNotGo) {
		t.Errorf("a command: %v", err)
	}
}

// A gopls that is killed is started again by the next question, one that does not speak the
// protocol is an error, and whoever waits can give up.
func ends(t *testing.T, c *Completer, dir string) {
	q := ask(t, dir, "%%\nsvm.Subg|")
	must.Do(t, c.server.cmd.Process.Kill())
	<-c.server.ended
	if found, err := c.Complete(t.Context(), q); err != nil || len(found.Names) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Complete(ended, q); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	for _, wrong := range []string{"true", "yes"} {
		path := must.Get(exec.LookPath(wrong)).Or(t)
		c := New(path, os.Environ())
		if _, err := c.Complete(t.Context(), q); err == nil || c.server != nil {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	if _, err := New(filepath.Join(dir, "gopls"), nil).Complete(t.Context(), q); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no gopls: %v", err)
	}
}

// gopls is told of a module that GoNB adds while it runs, and sees its packages.
func newModule(t *testing.T, c *Completer, dir string) {
	q := ask(t, dir, "%%\nbrandnew.Na|")
	if found, err := c.Complete(t.Context(), q); err != nil || len(found.Names) > 0 {
		t.Fatalf("%v, %v", found, err)
	}
	other := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/brandnew\n\ngo 1.26\n", "brandnew.go": "package brandnew\n\nvar Name = 1\n"} {
		testfile.Write(t, filepath.Join(other, name), text)
	}
	cmd := exec.Command("go", "work", "use", other)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=", "PWD="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	if found, err := c.Complete(t.Context(), q); err != nil || len(found.Names) != 1 || found.Names[0].Text != "Name" {
		t.Errorf("%v, %v", found, err)
	}
}

// The lines of the cell are those of main.go, and earlier.go has no second declaration of
// what the cell declares, not even of a cell that does not parse.
func TestFiles(t *testing.T) {
	q := ask(t, "", "import \"fmt\"\n%env A=b\nfunc (p *pt) norm() {}\nvar m = 1\n%% -x\nfmt.Print(vec.New, strings.ToUpper, \"no.Name\", a.b.c)\nfor {|")
	p, ok := cursor.Find(q.Cell, q.Cursor)
	if !ok {
		t.Fatal("no place")
	}
	known := &packages{func() map[string][]found {
		return map[string][]found{"vec": {{path: "example.org/vec"}}, "no": {{path: "no"}}, "b": {{path: "b"}}, "fmt": {{path: "fmt"}}}
	}}
	main, earlier := p.Files(q.Earlier, known.find)
	const want = `package main; import  "strings"; import  "marginalia/mlkit/svm"; import vec "example.org/vec"

import "fmt"
func (p *pt) norm() {}
var m = 1
func main() {
	flag.Parse()
fmt.Print(vec.New, strings.ToUpper, "no.Name", a.b.c)
for {

}
`
	if main != want {
		t.Errorf("main.go is\n%swant\n%s", main, want)
	}
	if got := strings.Split(main, "\n")[p.Line]; got != "for {" || p.At != 5 {
		t.Errorf("the cursor is in line %q at %d", got, p.At)
	}
	for _, gone := range []string{"norm", "var m"} {
		if strings.Contains(earlier, gone) {
			t.Errorf("earlier.go has %s:\n%s", gone, earlier)
		}
	}
	if !strings.Contains(earlier, "type pt struct") {
		t.Errorf("earlier.go is\n%s", earlier)
	}
}

// A name with members means the package that has most of them, the standard library's first
// and of its packages the shortest path.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                 "module example.org/m\n\ngo 1.26\n",
		"sort/sort.go":           "package sort\n\nfunc Bubble() {}\n",
		"own/own.go":             "package own\n",
		"own/internal/in/in.go":  "package in\n",
		"testdata/data/d.go":     "package data\n",
		"nested/go.mod":          "module example.org/nested\n",
		"nested/n.go":            "package nested\n",
		"v2/m.go":                "package m\n",
		"only/only_test.go":      "package only\n",
		"broken/broken.go":       "package",
		"broken/sub/sub.go":      "package sub\n",
		"_hidden/hidden.go":      "package hidden\n",
		"sort/sort_test.go":      "package sort\n\nfunc Search2() {}\n",
		"deep/er/math/math.go":   "package math\n\nfunc Ours() {}\n",
		"deep/er/math/extra.txt": "",
	} {
		path := filepath.Join(dir, name)
		must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
	}
	p := newPackages(dir, append(os.Environ(), "GOWORK=off", "GOPROXY=off", "PWD="+dir))
	for _, c := range []struct {
		name, members, want string
	}{
		{"sort", "", "sort"},
		{"sort", "Bubble", "example.org/m/sort"},
		{"sort", "Strings Bubble", "sort"},
		{"sort", "Search2", "sort"},
		{"rand", "NormFloat64", "math/rand"},
		{"rand", "N", "math/rand/v2"},
		{"rand", "Prime", "crypto/rand"},
		{"math", "Ours", "example.org/m/deep/er/math"},
		{"own", "", "example.org/m/own"},
		{"m", "", "example.org/m/v2"},
		{"sub", "", "example.org/m/broken/sub"},
		{"in", "", ""}, {"data", "", ""}, {"nested", "", ""}, {"only", "", ""}, {"hidden", "", ""}, {"nothing", "", ""},
	} {
		if got := p.find(c.name, strings.Fields(c.members)); got != c.want {
			t.Errorf("%s with %q is %q, want %q", c.name, c.members, got, c.want)
		}
	}
}
