package effects_test

import (
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/gotest/effects"
	"marginalia/internal/notebook/program"
	"marginalia/internal/notebook/workspace"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// course is a module beside a notebook, and what its packages do.
var course = map[string]string{
	"go.mod":         "module example.org/course\n\ngo 1.26\n",
	"pure/pure.go":   "package pure\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n\t\"os\"\n)\n\nvar Err, ready = errors.New(\"e\"), true\n\ntype Named interface{ Nickname() string }\n\nfunc F() string { return fmt.Sprint(ready, os.Getenv(\"HOME\")) }\n\nfunc Save(f string) error { return os.WriteFile(f, nil, 0o644) }\n\ntype Table struct{}\n\nfunc (Table) Rows() int { return 0 }\n\nfunc (Table) Load(f string) { os.ReadFile(f) }\n\nfunc (Table) Nickname() string { os.Remove(\"f\"); return \"\" }\n\nfunc Print(n Named) { fmt.Println(n.Nickname()) }\n",
	"through/t.go":   "package through\n\nimport \"example.org/course/pure\"\n\nvar save = pure.Save\n\nfunc Keep(f string) error { return save(f) }\n",
	"prints/p.go":    "package prints\n\nimport \"fmt\"\n\nfunc init() { fmt.Println(\"loaded\") }\n\nfunc V() int { return 1 }\n",
	"flags/f.go":     "package flags\n\nimport \"flag\"\n\nvar Verbose = flag.Bool(\"verbose\", false, \"\")\n",
	"writes/w.go":    "package writes\n\nimport \"os\"\n\nvar err = os.WriteFile(\"f\", nil, 0o644)\n\nfunc V() error { return err }\n",
	"imports/i.go":   "package imports\n\nimport _ \"example.org/course/prints\"\n\nfunc V() int { return 2 }\n",
	"pictures/pi.go": "package pictures\n\nimport (\n\t\"image\"\n\t\"io\"\n)\n\nfunc Read(r io.Reader) (image.Image, error) { m, _, err := image.Decode(r); return m, err }\n",
}

// loaded is what the cells here import, so that the go command is asked once.
const loaded = "flag fmt image image/png log mime/multipart net net/http net/textproto os os/exec path/filepath strings syscall testing text/template " +
	"example.org/course/pure example.org/course/through example.org/course/prints example.org/course/flags example.org/course/writes " +
	"example.org/course/imports example.org/course/pictures github.com/janpfeifer/gonb/cache github.com/janpfeifer/gonb/gonbui " +
	"marginalia/datasets marginalia/plotting gonum.org/v1/gonum/mat gonum.org/v1/plot gonum.org/v1/plot/vg"

// graph returns a graph of the repository and the course, and the session's folder.
func graph(t *testing.T) (*program.Checker, *effects.Graph, string) {
	t.Helper()
	root := repotest.Root(t)
	dir, at := t.TempDir(), t.TempDir()
	for name, text := range course {
		file := filepath.Join(dir, name)
		testfile.Write(t, file, text)
	}
	modules := must.Get(workspace.Find(dir, root)).Or(t)
	work := must.Get(modules.Work(root)).Or(t)
	for name, text := range map[string]string{"go.mod": "module marginalia/cells\n\ngo 1.26\n", "go.work": string(work)} {
		testfile.Write(t, filepath.Join(at, name), text)
	}
	c := program.NewChecker(at, dir)
	must.Do(t, c.Load(t.Context(), strings.Fields(loaded)))
	return c, effects.New(c), dir
}

// imports is the cell before those that are tried, so that nobody looks for their imports.
const imports = `import (
	"fmt"
	"image"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)`

// of returns what the program of a cell can do.
func of(t *testing.T, c *program.Checker, g *effects.Graph, dir, source string) effects.Reach {
	t.Helper()
	s := program.NewSession(dir)
	must.Get(c.Step(t.Context(), s, "imports", imports)).Or(t)
	p := must.Get(c.Step(t.Context(), s, "cell", source)).Or(t)
	if !p.Compiles {
		t.Fatalf("%s\ndoes not compile: %v %v", source, p.Errors, p.Missing)
	}
	return g.Of(p)
}

func TestReach(t *testing.T) {
	c, g, dir := graph(t)
	t.Run("outside", func(t *testing.T) { testOutside(t, c, g, dir) })
	t.Run("start", func(t *testing.T) { testStart(t, c, g, dir) })
	t.Run("the table of os", func(t *testing.T) { testTheTableOfOS(t, c) })
	t.Run("ours are silent", func(t *testing.T) { testOursAreSilent(t, c, g) })
}

// A cell counts as one that touches the outside by what it can call, not by its words.
func testOutside(t *testing.T, c *program.Checker, g *effects.Graph, dir string) {
	for source, want := range map[string]bool{
		"%%\nfmt.Println(\"os.WriteFile net.Listen\") // os.Remove(f)":                                                   false,
		"%%\nfmt.Fprintln(os.Stderr, os.Args, os.Getenv(\"A\"))\nos.Exit(0)":                                             false,
		"%%\nlog.Fatal(strings.NewReader(\"a\"))":                                                                        false,
		"type T struct{}\nfunc (T) WriteFile(string) {}\n%%\nT{}.WriteFile(\"f\")":                                       false,
		"func save() { os.WriteFile(\"f\", nil, 0o644) }\n%%\nfmt.Println(1)":                                            false, // it does not call it
		"func save() { os.WriteFile(\"f\", nil, 0o644) }\n%%\nf := save\nf()":                                            true,
		"var made = os.Mkdir(\"d\", 0o755)":                                                                              true,
		"func init_d() { os.Mkdir(\"d\", 0o755) }":                                                                       true,
		"import o \"os\"\n%%\no.Remove(\"f\")":                                                                           true,
		"import . \"os\"\n%%\nRemove(\"f\")":                                                                             true,
		"%%\nexec.Command(\"ls\").Run()":                                                                                 true,
		"%%\nhttp.Get(\"http://127.0.0.1:1\")":                                                                           true,
		"%%\nnet.Listen(\"tcp\", \":0\")":                                                                                true,
		"%%\nsyscall.Unlink(\"f\")":                                                                                      true,
		"%%\nfilepath.Walk(\".\", nil)":                                                                                  true,
		"import \"text/template\"\n%%\ntemplate.New(\"a\").ParseFiles(\"f\")":                                            true,
		"import \"net/textproto\"\n%%\ntextproto.Dial(\"tcp\", \":1\")":                                                  true,
		"import \"mime/multipart\"\n%%\nmultipart.NewReader(nil, \"\").ReadForm(0)":                                      true,
		"import \"text/template\"\n%%\ntemplate.New(\"a\").Parse(\"f\")":                                                 false,
		"import \"github.com/janpfeifer/gonb/cache\"\n%%\nfmt.Println(cache.Cache(\"k\", func() int { return 1 }))":      true,
		"import \"github.com/janpfeifer/gonb/gonbui\"\n%%\ngonbui.DisplayHTML(\"a\")":                                    false,
		"import \"example.org/course/pure\"\n%%\nfmt.Println(pure.F(), pure.Table{}.Rows())":                             false,
		"import \"example.org/course/pure\"\n%%\npure.Save(\"f\")":                                                       true,
		"import \"example.org/course/pure\"\n%%\npure.Table{}.Load(\"f\")":                                               true,
		"import \"example.org/course/pure\"\n%%\npure.Print(pure.Table{})":                                               true, // through an interface
		"import \"example.org/course/through\"\n%%\nthrough.Keep(\"f\")":                                                 true,
		"import \"example.org/course/writes\"\n%%\nfmt.Println(writes.V())":                                              true, // when it starts
		"import \"marginalia/datasets\"\n%%\nfmt.Println(datasets.Iris())":                                               false,
		"import \"marginalia/datasets\"\n%%\nfmt.Println(datasets.MNIST())":                                              false, // it reads the cache
		"import \"marginalia/plotting\"\n%%\nplotting.Show(\"a\", plotting.New(\"\"))":                                   false,
		"import (\n\"gonum.org/v1/plot\"\n\"gonum.org/v1/plot/vg\"\n)\n%%\nplot.New().Save(vg.Inch, vg.Inch, \"a.png\")": true,
	} {
		got := of(t, c, g, dir, source)
		if got.Outside != want {
			t.Errorf("touches the outside: %v, want %v:\n%s", got.Outside, want, source)
		}
		if mnist := strings.Contains(source, "MNIST"); got.Reads != mnist {
			t.Errorf("reads the cache: %v, want %v:\n%s", got.Reads, mnist, source)
		}
	}
}

// Two programs can share a build if their packages do the same, as far as it is seen, when they start.
func testStart(t *testing.T, c *program.Checker, g *effects.Graph, dir string) {
	start := func(source string) string { return of(t, c, g, dir, source).Start }
	cell := func(path, use string) string { return "import \"" + path + "\"\n%%\nfmt.Println(" + use + ")" }
	silent := start("%%\nfmt.Println(1)")
	for _, source := range []string{cell("example.org/course/pure", "pure.F()"), cell("gonum.org/v1/gonum/mat", "mat.NewDense(1, 1, nil)"), cell("image/png", "png.Encode(nil, nil)")} {
		if got := start(source); got != silent {
			t.Errorf("start %q, want that of a cell without imports:\n%s", got, source)
		}
	}
	seen := map[string]string{silent: "a cell without imports"}
	for _, source := range []string{
		cell("example.org/course/prints", "prints.V()"),
		cell("example.org/course/flags", "flags.Verbose"),
		cell("example.org/course/writes", "writes.V()"),
		"%%\nfmt.Println(image.Decode(os.Stdin))",
		"import _ \"image/png\"\n%%\nfmt.Println(image.Decode(os.Stdin))",
	} {
		got := start(source)
		if other := seen[got]; other != "" {
			t.Errorf("start %q is that of %s as well:\n%s", got, other, source)
		}
		seen[got] = source
	}
	// The runtime sees no deadlock in a program that has C in it. With a compiler for C, package net has.
	hasC := len(c.Package("net").CgoFiles) > 0
	for _, source := range []string{"%%\nfmt.Println(net.ErrClosed)", cell("github.com/janpfeifer/gonb/gonbui", "gonbui.IsNotebook")} {
		if got := start(source); (got != silent) != hasC {
			t.Errorf("start %q, and that the program has C is %v:\n%s", got, hasC, source)
		}
	}
	if a, b := start(cell("example.org/course/imports", "imports.V()")), start(cell("example.org/course/prints", "prints.V()")); a != b {
		t.Errorf("of the start of a package that imports another only that one's is seen: %q, want %q", a, b)
	}
	if a, b := start(cell("example.org/course/pictures", "pictures.Read(nil)")), start("%%\nfmt.Println(image.Decode(os.Stdin))"); a != b {
		t.Errorf("two that decode without a format: %q and %q", a, b)
	}
}

// The table of package os has each of its functions, or it is here.
func testTheTableOfOS(t *testing.T, c *program.Checker) {
	const harmless = "Chdir Clearenv Environ Executable Exit Expand ExpandEnv Getegid Getenv Geteuid Getgid Getgroups Getpagesize Getpid Getppid Getuid Getwd " +
		"Hostname IsExist IsNotExist IsPathSeparator IsPermission IsTimeout LookupEnv NewFile NewSyscallError Pipe SameFile Setenv TempDir Unsetenv " +
		"UserCacheDir UserConfigDir UserHomeDir"
	pkg := must.Get(c.Import("os")).Or(t)
	for _, name := range pkg.Scope().Names() {
		if _, ok := pkg.Scope().Lookup(name).(*types.Func); !ok || !token.IsExported(name) {
			continue
		}
		if in := effects.Touches("os", name); in == strings.Contains(" "+harmless+" ", " "+name+" ") {
			t.Errorf("os.%s touches the outside: %v, and the list of harmless functions says the same", name, in)
		}
	}
}

// Of the starts of the repository's packages, and of what they import, nothing is seen: cells that
// import some and cells that don't share a program.
func testOursAreSilent(t *testing.T, c *program.Checker, g *effects.Graph) {
	tier.Long(t)
	list := exec.Command("go", "list", "-e", "marginalia/mlkit/...", "marginalia/datasets", "marginalia/plotting", "gonum.org/v1/plot")
	list.Env = append(os.Environ(), "GOWORK=off")
	out := must.Get(list.Output()).Or(t)
	var paths []string
	for _, path := range strings.Fields(string(out)) {
		if !strings.Contains(path, "/internal/") {
			paths = append(paths, path)
		}
	}
	must.Do(t, c.Load(t.Context(), paths))
	if loud := g.Loud(paths); len(loud) > 0 {
		t.Errorf("something is seen of the starts of %v", loud)
	}
}
