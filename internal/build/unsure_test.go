package build_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"marginalia/internal/build"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// unsure are programs for which the go command does more than compile and link, or which it
// refuses. Each replaces the files of a program that Build builds. want is a part of go build's
// words if it fails, and "" if it builds the program.
var unsure = []struct {
	name, want string
	change     func(w *workshop)
}{
	{"cgo", "", func(w *workshop) { w.write("prog/main.go", "package main\n\nimport \"C\"\n\nfunc main() {}\n") }},
	{"embedded file", "", func(w *workshop) {
		w.write("prog/main.go", "package main\n\nimport _ \"embed\"\n\n//go:embed go.mod\nvar text string\n\nfunc main() { println(text) }\n")
	}},
	{"embedded file, no import", `go:embed requires import "embed"`, func(w *workshop) {
		w.write("prog/main.go", "package main\n\n//go:embed go.mod\nvar text string\n\nfunc main() { println(text) }\n")
	}},
	{"build line", "", func(w *workshop) { w.write("prog/other.go", "//go:build ignore\n\npackage main\n\nfunc main() {}\n") }},
	{"build line after a comment", "", func(w *workshop) {
		w.write("prog/other.go", "// Copyright\n\n \t//go:build nothing\r\n\npackage main\n\nfunc main() {}\n")
	}},
	{"old build line", "", func(w *workshop) { w.write("prog/other.go", "// +build ignore\n\npackage main\n\nfunc main() {}\n") }},
	{"build line for another system", "", func(w *workshop) {
		w.write("prog/other.go", "//go:build !linux && !darwin\n\npackage main\n\nfunc main() {}\n")
	}},
	{"file for one system", "", func(w *workshop) { w.write("prog/main_plan9.go", "package main\n\nfunc main() {}\n") }},
	{"file for this system", "", func(w *workshop) { w.write("prog/other_linux.go", "package main\n") }},
	{"file for one architecture", "", func(w *workshop) { w.write("prog/main_wasm.go", "package main\n\nfunc main() {}\n") }},
	{"tests only", "no non-test Go files", func(w *workshop) { w.rename("prog/main.go", "prog/main_test.go") }},
	{"no files", "no Go files", func(w *workshop) { w.remove("prog/main.go") }},
	{"no folder", "", func(w *workshop) { w.dir = w.path("nowhere") }},
	{"assembly", "", func(w *workshop) { w.write("prog/a.s", "\n") }},
	{"assembly for another system", "", func(w *workshop) { w.write("prog/a_plan9.s", "nonsense\n") }},
	{"object", "", func(w *workshop) { w.write("prog/a.syso", "") }},
	{"C", "C source files not allowed when not using cgo", func(w *workshop) { w.write("prog/a.c", "int a;\n") }},
	{"debug line", "", func(w *workshop) { w.edit("prog/main.go", "package main", "//go:debug panicnil=1\npackage main") }},
	{"wrong debug line", "unknown //go:debug setting", func(w *workshop) { w.edit("prog/main.go", "package main", "//go:debug nothing=1\npackage main") }},
	{"profile", "", func(w *workshop) { w.write("prog/default.pgo", "") }},
	{"package not main", "", func(w *workshop) { w.write("prog/main.go", "package other\n") }},
	{"two packages", "found packages", func(w *workshop) { w.write("prog/other.go", "package other\n") }},
	{"package documentation", "", func(w *workshop) { w.write("prog/other.go", "package documentation\n") }},
	{"import not learned", "", func(w *workshop) { w.edit("prog/main.go", "import (", "import (\n\t_ \"text/template\"") }},
	{"import of nothing", "is not in std", func(w *workshop) { w.edit("prog/main.go", "import (", "import (\n\t_ \"nothing\"") }},
	{"import of an internal package", "use of internal package", func(w *workshop) {
		w.edit("prog/main.go", "import (", "import (\n\t_ \"example.org/lib/internal/in\"")
	}},
	{"import of an internal package of Go", "use of internal package", func(w *workshop) { w.edit("prog/main.go", "import (", "import (\n\t_ \"internal/abi\"") }},
	{"import of a vendored package of Go", "", func(w *workshop) {
		w.edit("prog/main.go", "import (", "import (\n\t_ \"vendor/golang.org/x/net/dns/dnsmessage\"")
	}},
	{"import of an import", "no required module provides package golang.org/x/net", func(w *workshop) {
		w.edit("prog/main.go", "import (", "import (\n\t_ \"golang.org/x/net/dns/dnsmessage\"")
	}},
	{"import of a program", "is a program, not an importable package", func(w *workshop) { w.edit("prog/main.go", "import (", "import (\n\t_ \"example.org/prog/cmd\"") }},
	{"relative import", "relative import", func(w *workshop) { w.edit("prog/main.go", "import (", "import (\n\t_ \"./beside\"") }},
	{"syntax error", "syntax error", func(w *workshop) { w.edit("prog/main.go", "func main", "func func") }},
	{"syntax error in an import", "", func(w *workshop) { w.edit("prog/main.go", "import (", "import (\n\t5") }},
	{"type error", "undefined: nothing", func(w *workshop) { w.edit("prog/main.go", "func main() {", "func main() {\n\tnothing()") }},
	{"unused import", "imported and not used", func(w *workshop) { w.edit("prog/main.go", "import (", "import (\n\t\"errors\"") }},
	{"no main", "function main is undeclared", func(w *workshop) { w.edit("prog/main.go", "func main", "func other") }},
	{"two mains", "main redeclared", func(w *workshop) { w.write("prog/other.go", "package main\n\nfunc main() {}\n") }},
	{"function without a body", "missing function body", func(w *workshop) { w.edit("prog/main.go", "func main", "func other()\n\nfunc main") }},
	{"error of the linker", "relocation target main.elsewhere not defined", func(w *workshop) {
		w.edit("prog/main.go", "import (", "import (\n\t_ \"unsafe\"")
		w.edit("prog/main.go", "func main() {", "//go:linkname other main.elsewhere\nfunc other()\n\nfunc main() {\n\tother()")
	}},
	{"file that is a link", "", func(w *workshop) { must.Do(w, os.Symlink(w.path("lib/lib.go"), w.path("prog/other.go"))) }},
	{"file that is not there", "", func(w *workshop) { must.Do(w, os.Symlink("nowhere", w.path("prog/other.go"))) }},
	{"git", "", func(w *workshop) { must.Do(w, os.Mkdir(w.path("prog/.git"), 0o755)) }},
	{"git above", "", func(w *workshop) { w.write(".git", "gitdir: elsewhere\n") }},
	{"Mercurial", "", func(w *workshop) { must.Do(w, os.Mkdir(w.path("prog/.hg"), 0o755)) }},
	{"unknown flag", "", func(w *workshop) { w.flags = append(w.flags, "-trimpath") }},
	{"flag of another go command", "flag provided but not defined", func(w *workshop) { w.flags = append(w.flags, "-race2") }},
	{"flag without its value", "flag needs an argument", func(w *workshop) { w.flags = append(w.flags, "-tags") }},
	{"package named", "", func(w *workshop) { w.flags = append(w.flags, ".") }},
	{"file named", "", func(w *workshop) { w.flags = append(w.flags, "main.go") }},
}

// sureTree is a program that Build builds, and what its edits in [TestUnsure] may import.
func sureTree() files {
	return files{
		"prog/go.mod":           module("\nrequire example.org/lib v1.0.0\n\nreplace example.org/lib => ../lib\n"),
		"prog/main.go":          "package main\n\nimport (\n\t\"example.org/lib\"\n)\n\nfunc main() {\n\tprintln(lib.Value())\n}\n",
		"prog/beside/beside.go": value("beside", "1"),
		"prog/cmd/main.go":      "package main\n\nfunc main() {}\n",
		"lib/go.mod":            goMod("example.org/lib"),
		"lib/lib.go":            "package lib\n\nimport \"example.org/lib/internal/in\"\n\nfunc Value() int { return in.Value() }\n",
		"lib/internal/in/in.go": value("in", "1"),
	}
}

// If it failed, Build would make another program than the go command, or make one where that says
// what is wrong. The words are those of go 1.26.8.
func TestUnsure(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, sureTree())
	// All of these are known, so that only what is wrong can be in the way.
	more := []string{"embed", "errors", "unsafe", "net", "runtime/cgo", "internal/abi", "example.org/lib/internal/in", "example.org/prog/beside"}
	if out, err := w.run(slices.Concat([]string{"build"}, w.flags, more)...); err != nil {
		t.Fatalf("go build: %s", out)
	}
	must.Get(w.goBuilds()).Or(t)
	must.Do(t, w.builder.Learn(t.Context(), w.command(), append(more, "example.org/prog/cmd", "nothing")...))
	if !w.tries(t.Context()) {
		t.Fatal("Build says false after Learn")
	}
	w.remove("prog/program")
	old, dir, flags := w.tree(), w.dir, w.flags
	for _, c := range unsure {
		t.Run(c.name, func(t *testing.T) {
			w.TB = t
			c.change(w)
			if w.tries(t.Context()) {
				t.Error("Build says true")
			}
			if c.want == "" || !tier.IsLong(t) {
				return
			}
			if _, err := w.goBuilds(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("go build says %v, want %s", err, c.want)
			}
		})
		w.TB, w.dir, w.flags = t, dir, flags
		w.restore(old)
		if !w.builder.Complete(w.command()) {
			t.Fatalf("%s: Complete says false when all is as it was", c.name)
		}
	}
}

// The go command replaces no file that is no program, and makes folders for one.
func TestUnsureTarget(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, sureTree())
	w.learn()
	for _, c := range []struct {
		name, target string
		made         func(target string) error
	}{
		{"folder", "target", func(target string) error { return os.Mkdir(target, 0o755) }},
		{"text", "target", func(target string) error { return os.WriteFile(target, []byte("a text"), 0o644) }},
		{"short text", "target", func(target string) error { return os.WriteFile(target, []byte("a"), 0o644) }},
		{"its source", "main.go", nil},
		{"link to a text", "target", func(target string) error { return os.Symlink("main.go", target) }},
		{"link to a folder", "target", func(target string) error { return os.Symlink("beside", target) }},
		{"in no folder", "nowhere/target", nil},
		{"in a file", "main.go/target", nil},
		{"no name", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w.TB, w.target = t, c.target
			old := w.tree()
			defer w.restore(old)
			if c.made != nil {
				must.Do(t, c.made(filepath.Join(w.dir, c.target)))
			}
			before := w.tree()
			if w.builder.Build(t.Context(), w.command()) {
				t.Error("Build says true")
			}
			w.unchanged(before, w.tree())
		})
	}
}

// Only "go build -o file" and "go test -c -o file" are built, and nothing is learned from other commands.
func TestUnsureCommand(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, sureTree())
	w.learn()
	for _, args := range [][]string{{}, {"build"}, {"build", "-o"}, {"build", noBuildID}, {"build", noBuildID, "-o", w.target}, {"run", "-o", w.target}, {"install", "-o", w.target},
		{"test", "-o", w.target}, {"test", "-c"}, {"test", "-c", "-o"}, {"test", "-c", noBuildID, "-o", w.target}, {"build", "--o", w.target}, {"build", "-o", w.target, "-o", w.target}, {"build", "-o", w.target, "-n"}, {"build", "-o", w.target, "--", "./cmd"}} {
		c := w.command()
		c.Args = args
		before := w.tree()
		must.Do(t, w.builder.Learn(t.Context(), c))
		if w.builder.Complete(c) || w.builder.Build(t.Context(), c) {
			t.Errorf("Build or Complete says true for go %q", args)
		}
		w.unchanged(before, w.tree())
	}
	var b build.Builder
	if b.Complete(w.command()) || b.Build(t.Context(), w.command()) {
		t.Error("a Builder that has learned nothing says true")
	}
}

// If it failed, two cells that are built at once would get each other's program, or none. Each
// Build is right or does nothing, and what is built is there whole at any time.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	tree := files{}
	dirs := []string{"a", "b", "c"}
	for i, dir := range dirs {
		tree[dir+"/go.mod"] = module(strings.Repeat("\n", i)) // each with an entry of its own
		tree[dir+"/main.go"] = calls("example.org/prog/own")
		tree[dir+"/own/own.go"] = value("own", strings.Repeat("1", i+1))
	}
	w := newWorkshop(t, tree)
	programs := map[string]string{}
	for _, dir := range dirs {
		w.dir = w.path(dir)
		programs[dir] = testfile.Read(t, must.Get(w.goBuilds()).Or(t))
	}
	rounds := tier.Size(t, 1, 20)
	var wg sync.WaitGroup
	built := make([]int, len(dirs))
	var mu sync.Mutex
	for i, dir := range dirs {
		for worker := range 3 {
			c := w.command()
			c.Dir = w.path(dir)
			c.Args = slices.Clone(c.Args)
			// The first two write the same file.
			c.Args[2] = filepath.Join(c.Dir, []string{"program", "program", "other"}[worker])
			wg.Go(func() {
				for range rounds {
					if err := w.builder.Learn(t.Context(), c); err != nil {
						t.Errorf("Learn: %v", err)
					}
					if !w.builder.Complete(c) {
						t.Error("Complete says false after Learn")
					}
					if !w.builder.Build(t.Context(), c) {
						continue
					}
					mu.Lock()
					built[i]++
					mu.Unlock()
					if text, err := os.ReadFile(c.Args[2]); err != nil || string(text) != programs[dir] {
						t.Errorf("%s: %d bytes (%v) are not the program of go build", c.Args[2], len(text), err)
					}
				}
			})
		}
	}
	wg.Wait()
	for i, n := range built {
		if n < rounds { // at least those of the file that nobody else writes
			t.Errorf("Build says true for %s %d times, want %d at least", dirs[i], n, rounds)
		}
		entries, err := filepath.Glob(w.path(dirs[i] + "/.building-*"))
		if must.Do(t, err); entries != nil {
			t.Errorf("Build leaves %q", entries)
		}
	}
}

// Programs that are begun ahead and asked for at once, to several files, are whole and the same.
func TestAheadAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": calls()})
	program := testfile.Read(t, w.learn())
	var wg sync.WaitGroup
	for i := range tier.Size(t, 3, 30) {
		c := w.command()
		c.Args = slices.Clone(c.Args)
		c.Args[2] += strconv.Itoa(i)
		wg.Go(func() {
			made(w.builder.Ahead(t.Context(), c, map[string][]byte{"main.go": []byte(calls())}))
		})
		wg.Go(func() {
			if !w.builder.Build(t.Context(), c) {
				t.Error("Build says false after Learn")
			} else if text, err := os.ReadFile(c.Args[2]); err != nil || string(text) != program {
				t.Errorf("%s: %d bytes (%v) are not the program of go build", c.Args[2], len(text), err)
			}
		})
	}
	wg.Wait()
}

// If it failed, an interrupted cell would leave a broken program, or a folder with each
// interruption. Build is ended at each step that can be seen from outside.
func TestKilled(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": hello})
	file := w.learn()
	steps := []string{"", ".building-*", ".building-*/main.a", ".building-*/program"}
	for _, step := range steps {
		t.Run(step, func(t *testing.T) {
			w.TB = t
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if step == "" {
				cancel()
			}
			ended := make(chan struct{})
			go func() {
				defer cancel()
				for step != "" {
					if found, _ := filepath.Glob(w.path("prog/" + step)); found != nil { // the pattern is well-formed
						return
					}
					select {
					case <-ended:
						return
					case <-time.After(time.Millisecond / 4):
					}
				}
			}()
			ok := w.tries(ctx)
			close(ended)
			if ok { // it had ended by then
				w.same(file)
				if step == "" {
					t.Error("Build says true, though its context had ended before")
				}
			}
			must.Do(t, os.RemoveAll(w.target))
		})
	}
	if w.TB = t; !w.tries(t.Context()) {
		t.Error("Build says false after it was interrupted")
	}
	if err := new(build.Builder).Learn(ended(t), w.command()); err == nil {
		t.Error("Learn says nothing of an interruption")
	}
}

// ended returns a context that has ended.
func ended(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// The name of a module is in no key: a program that the go command refuses for it must not be built from
// what another module's has taught.
func TestUnsureModule(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": "package main\n\nimport \"sort\"\n\nfunc main() { println(sort.IsSorted(nil)) }\n",
		"prog/a/internal/in/in.go": value("in", "1"), "prog/b/internal/in/in.go": value("in", "2")})
	w.learn()
	old := w.tree()
	for _, name := range []string{"sort", "std", "cmd", "runtime", "\"ex ample\""} {
		w.edit("prog/go.mod", "module example.org/prog", "module "+name)
		if w.tries(t.Context()) {
			t.Errorf("Build says true in the module %s", name)
		}
		w.restore(old)
	}
	// Packages named internal are open to the programs in the folder above them.
	w.write("prog/a/main.go", calls("example.org/prog/a/internal/in"))
	w.write("prog/b/main.go", calls("example.org/prog/a/internal/in"))
	w.dir = w.path("prog/a")
	w.learn()
	if !w.builds(t.Context()) {
		t.Error("Build says false of a program with a package internal to it")
	}
	w.dir = w.path("prog/b")
	if w.tries(t.Context()) {
		t.Error("Build says true of a program with a package internal to another")
	}
}
