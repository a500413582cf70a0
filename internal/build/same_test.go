package build_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// A sample is a program that the Builder has to build.
type sample struct {
	name  string
	long  bool
	tree  files
	more  string   // packages to learn that the program does not import
	flags []string // instead of noBuildID alone
	env   []string
	dir   string // of the program, if it is not prog
}

// hello is the smallest program that prints.
const hello = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n"

// calls is a program that prints what functions of other packages return, by way of println.
func calls(paths ...string) string {
	imports, main := "", ""
	for _, path := range paths {
		imports += "import \"" + path + "\"\n"
		main += "\tprintln(" + path[strings.LastIndex(path, "/")+1:] + ".Value())\n"
	}
	return "package main\n\n" + imports + "\nfunc main() {\n" + main + "}\n"
}

// value is a package with a function that returns an expression.
func value(name, expression string) string {
	return "package " + name + "\n\nfunc Value() int { return " + expression + " }\n"
}

var samples = []sample{
	{name: "hello", long: true, tree: files{"prog/go.mod": module(""), "prog/main.go": hello}},
	{name: "no import", long: true, more: "fmt", tree: files{"prog/go.mod": module(""), "prog/main.go": calls()}},
	// The order of files decides that of initialization.
	{name: "several files", tree: files{"prog/go.mod": module(""),
		"prog/b.go": "package main\n\nvar b = say(\"b\")\n",
		"prog/a.go": "package main\n\nvar a = say(\"a\")\n\nfunc main() { println(a, b) }\n",
		"prog/ü.go": "package main\n\nimport \"os\"\n\nfunc say(s string) int { println(s, len(os.Args)); return 1 }\n",
		// None of these is compiled.
		"prog/_c.go": "package c\n", "prog/.d.go": "package d\n", "prog/e_test.go": "package main\n\nimport \"testing\"\n\nfunc TestE(*testing.T) {}\n",
		"prog/notes.txt": "", "prog/sub/other.go": "package other\n",
	}},
	{name: "unsafe", long: true, more: "unsafe", tree: files{"prog/go.mod": module(""),
		"prog/main.go": "package main\n\nimport \"unsafe\"\n\nfunc main() { println(unsafe.Sizeof(main)) }\n"}},
	{name: "generic", long: true, tree: files{"prog/go.mod": module(""),
		"prog/main.go": "package main\n\nimport (\n\t\"fmt\"\n\t\"maps\"\n\t\"slices\"\n)\n\ntype list[T any] struct {\n\tv    T\n\tnext *list[T]\n}\n\n" +
			"func sum[T int | float64](v ...T) (s T) {\n\tfor _, x := range v {\n\t\ts += x\n\t}\n\treturn s\n}\n\n" +
			"func main() { fmt.Println(sum(1, 2), sum(1.5), slices.Sorted(maps.Keys(map[string]int{\"a\": 1})), list[list[int]]{}) }\n"}},
	// Packages with cgo are linked: net, os/user, runtime/cgo.
	{name: "net/http", long: true, tree: files{"prog/go.mod": module(""),
		"prog/main.go": "package main\n\nimport \"net/http\"\n\nfunc main() { println(http.StatusText(http.StatusTeapot)) }\n"}},
	{name: "workspace", long: true, tree: files{"go.work": "go 1.26.0\n\nuse (\n\t./prog\n\t./lib\n)\n", "prog/go.mod": module(""), "prog/main.go": calls("example.org/lib"),
		"lib/go.mod": goMod("example.org/lib"), "lib/lib.go": value("lib", "3"), "lib/other/other.go": value("other", "4")},
		more: "example.org/lib/other"},
	{name: "replaced by a folder", long: true, tree: files{"prog/go.mod": module("\nrequire example.org/lib v1.2.3\n\nreplace example.org/lib => ../lib\n"), "prog/main.go": calls("example.org/lib"),
		"lib/go.mod": goMod("example.org/lib"), "lib/lib.go": value("lib", "3")}},
	// Only one of two modules is linked, and so named in the program.
	{name: "one of two modules", long: true, tree: files{
		"prog/go.mod": module("\nrequire (\n\texample.org/one v1.0.0\n\texample.org/two v1.0.0\n)\n\nreplace (\n\texample.org/one => ../one\n\texample.org/two => ../two\n)\n"),
		"one/go.mod":  goMod("example.org/one"), "one/one.go": value("one", "1"),
		"two/go.mod": goMod("example.org/two"), "two/two.go": value("two", "2"), "prog/main.go": calls("example.org/two")},
		more: "example.org/one"},
	// The other module is linked by way of a third package.
	{name: "modules of imports of imports", tree: files{
		"prog/go.mod": module("\nrequire (\n\texample.org/one v1.0.0\n\texample.org/two v1.0.0\n)\n\nreplace (\n\texample.org/one => ../one\n\texample.org/two => ../two\n)\n"),
		"one/go.mod":  goMod("example.org/one"), "one/one.go": value("one", "1"),
		"two/go.mod":   "module example.org/two\n\ngo 1.26.0\n\nrequire example.org/one v1.0.0\n",
		"two/two.go":   "package two\n\nimport \"example.org/two/internal/deep\"\n\nfunc Value() int { return deep.Value() }\n",
		"prog/main.go": calls("example.org/two"), "two/internal/deep/deep.go": "package deep\n\nimport \"example.org/one\"\n\nfunc Value() int { return one.Value() }\n"}},
	{name: "embedding package", long: true, tree: files{"prog/go.mod": module(""), "prog/main.go": calls("example.org/prog/words"), "prog/words/words.go": words,
		"prog/words/one.txt": "one", "prog/words/many/a.txt": "a"}},
	{name: "tags", long: true, flags: []string{noBuildID, "-tags=big"}, tree: files{"prog/go.mod": module(""), "prog/main.go": calls("example.org/prog/size"),
		"prog/size/big.go": "//go:build big\n\n" + value("size", "1000"), "prog/size/small.go": "//go:build !big\n\n" + value("size", "1")}},
	{name: "gcflags", long: true, flags: []string{noBuildID, "-gcflags=-N -l"}, tree: files{"prog/go.mod": module(""), "prog/main.go": hello}},
	{name: "ldflags", long: true, flags: []string{"-ldflags=-buildid= -s -X main.version=3 -X 'main.words=a b \"c\" \\'"}, tree: files{"prog/go.mod": module(""),
		"prog/main.go": "package main\n\nvar version, words string\n\nfunc main() { println(version, words) }\n"}},
	{name: "flags of GOFLAGS", long: true, env: []string{"GOFLAGS=-tags=big -gcflags=-N"}, tree: files{"prog/go.mod": module(""), "prog/main.go": calls("example.org/prog/size"),
		"prog/size/big.go": "//go:build big\n\n" + value("size", "1000"), "prog/size/small.go": "//go:build !big\n\n" + value("size", "1")}},
	// A loop has one variable in this language, and the settings of GODEBUG are those of Go 1.20.
	{name: "old language", long: true, tree: files{"prog/go.mod": "module example.org/prog\n\ngo 1.20\n",
		"prog/main.go": "package main\n\nfunc main() {\n\tvar f []func()\n\tfor i := 0; i < 3; i++ {\n\t\tf = append(f, func() { println(i) })\n\t}\n\tfor _, f := range f {\n\t\tf()\n\t}\n}\n"}},
	{name: "godebug of go.mod", long: true, tree: files{"prog/go.mod": module("\ngodebug panicnil=1\n"), "prog/main.go": calls()}},
	{name: "below its module", long: true, dir: "prog/cmd/a", tree: files{"prog/go.mod": module(""), "prog/cmd/a/main.go": calls("example.org/prog/lib"), "prog/lib/lib.go": value("lib", "7")}},
	{name: "odd folder", dir: "prog/a b'ü", tree: files{"prog/a b'ü/go.mod": module(""), "prog/a b'ü/main.go": "\ufeffpackage main\r\n\r\nfunc main() {\r\n\tprintln(`\r\n`)\r\n}\r\n"}},
	{name: "CGO_ENABLED", env: []string{"CGO_ENABLED=0"}, long: true, tree: files{"prog/go.mod": module(""), "prog/main.go": hello}},
	{name: "GOARCH", env: []string{"GOARCH=arm64"}, long: true, tree: files{"prog/go.mod": module(""), "prog/main.go": hello}},
}

// words is a package that embeds a file and a folder.
const words = `package words

import "embed"

//go:embed one.txt
var one string

//go:embed many
var many embed.FS

func Value() string {
	entries, err := many.ReadDir("many")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		text, _ := many.ReadFile("many/" + e.Name())
		one += " " + e.Name() + string(text)
	}
	return one
}
`

// If it failed, a cell would not be the program that the go command makes of it. The bytes are
// those of go build.
func TestSame(t *testing.T) {
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			if s.long {
				tier.Long(t)
			}
			t.Parallel()
			check(t, s)
		})
	}
}

// check has the Builder learn a sample and build it.
func check(t *testing.T, s sample) {
	t.Helper()
	w := newWorkshop(t, s.tree)
	if s.dir != "" {
		w.dir = w.path(s.dir)
	}
	if s.flags != nil {
		w.flags = s.flags
	}
	w.env = append(w.env, s.env...)
	w.target = w.path("program")
	file := w.learn(strings.Fields(s.more)...)
	if !w.builder.Complete(w.command()) {
		t.Error("Complete says false after Learn")
	}
	if w.tries(t.Context()) {
		w.same(file)
	} else {
		t.Error("Build says false after Learn")
	}
}

// The modules of the module cache have sums in the program.
func TestSameModuleCache(t *testing.T) {
	t.Parallel()
	text := testfile.Read(t, filepath.Join("..", "..", "go.mod"))
	require := "\nrequire (\n"
	for _, r := range must.Get(modfile.ParseLax("go.mod", []byte(text), nil)).Or(t).Require {
		if p := r.Mod.Path; p == "golang.org/x/sync" || p == "github.com/google/uuid" {
			require += "\t" + p + " " + r.Mod.Version + "\n"
		}
	}
	check(t, sample{more: "github.com/google/uuid", tree: files{"prog/go.mod": module(require + ")\n"), "prog/go.sum": testfile.Read(t, filepath.Join("..", "..", "go.sum")),
		"prog/main.go": "package main\n\nimport \"golang.org/x/sync/errgroup\"\n\nfunc main() { new(errgroup.Group).Wait() }\n"}})
}

// With build IDs the programs differ, but say and print the same.
func TestRuns(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": hello})
	w.flags = nil
	w.learn()
	if !w.builder.Build(t.Context(), w.command()) {
		t.Fatal("Build says false after Learn")
	}
	if out, err := exec.Command(w.target).CombinedOutput(); err != nil || string(out) != "hello\n" {
		t.Errorf("the program prints %q, %v, want hello", out, err)
	}
	file := must.Get(w.goBuilds()).Or(t)
	if ours, theirs := must.Get(os.Stat(w.target)).Or(t).Mode(), must.Get(os.Stat(file)).Or(t).Mode(); ours != theirs {
		t.Errorf("its mode is %v, that of go build's %v", ours, theirs)
	}
	say := func(file string) string {
		out, err := w.run("version", "-m", file)
		must.Do(t, err)
		_, out, _ = strings.Cut(out, "\n") // after its name
		return out
	}
	if ours, theirs := say(w.target), say(file); ours != theirs || !strings.Contains(ours, "example.org/prog") {
		t.Errorf("go version -m says\n%s\nwant\n%s", ours, theirs)
	}
	// Built again, it is the same: nothing of the temporary folder gets in.
	first := testfile.Read(t, w.target)
	if !w.builder.Build(t.Context(), w.command()) || !bytes.Equal([]byte(testfile.Read(t, w.target)), []byte(first)) {
		t.Error("built again, it is another program")
	}
}

// A program that was begun ahead is that of go build, and that of no other text.
func TestSameAhead(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": calls("example.org/prog/own"), "prog/own/own.go": value("own", "1")})
	w.learn()
	next := func(n string) map[string][]byte {
		return map[string][]byte{"main.go": []byte(calls("example.org/prog/own") + "\nfunc init() { println(" + n + ") }\n")}
	}
	c := w.command()
	made(w.builder.Ahead(t.Context(), c, next("1")))
	made(w.builder.Ahead(t.Context(), c, next("2")))
	made(w.builder.Ahead(t.Context(), c, next("2")))
	made(w.builder.Ahead(ended(t), c, next("3")))
	made(w.builder.Ahead(t.Context(), c, map[string][]byte{"main.go": []byte("package main\n\nfunc main() { nothing() }\n")}))
	for _, n := range []string{"2", "3", "1"} {
		w.write("prog/main.go", string(next(n)["main.go"]))
		if w.builder.Build(t.Context(), c) {
			w.same(must.Get(w.goBuilds()).Or(t))
		} else if n == "2" {
			t.Error("Build says false for what was made ahead")
		}
	}
}
