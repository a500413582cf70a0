package build_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// A change is one after which what was learned may be wrong.
type change struct {
	name string
	make func(w *workshop)
	// same says that the go command makes the same program as before: the case is that Build
	// does not fail where it need not. Otherwise its program is another, or it makes none.
	same bool
}

// library is a tree of a program, packages beside it, and a module in a folder that replaces another.
func library() files {
	return files{
		"prog/go.mod": module("\nrequire example.org/lib v1.0.0\n\nreplace example.org/lib v1.0.0 => ../lib\n\nreplace example.org/lib v1.1.0 => ../lib2\n\n" +
			"require example.org/link v1.0.0\n\nreplace example.org/link => ../link\n"),
		"prog/main.go":                 calls("example.org/prog/beside", "example.org/prog/words", "example.org/prog/words/deep/below", "example.org/lib", "example.org/link"),
		"prog/beside/beside.go":        value("beside", "111"),
		"prog/beside/more.go":          "package beside\n\nfunc init() { println(\"more\") }\n",
		"prog/words/words.go":          words,
		"prog/words/one.txt":           "one",
		"prog/words/many/a.txt":        "a",
		"prog/words/many/sub/c.txt":    "c",
		"prog/words/deep/below/low.go": value("below", "5"),
		"lib/go.mod":                   goMod("example.org/lib"),
		"lib/lib.go":                   "package lib\n\nimport \"example.org/lib/internal/in\"\n\nfunc Value() int { return in.Value() }\n",
		"lib/internal/in/in.go":        value("in", "1"),
		"lib2/go.mod":                  goMod("example.org/lib"),
		"lib2/lib.go":                  value("lib", "2"),
		"link1/go.mod":                 goMod("example.org/link"),
		"link1/link.go":                value("link", "1"),
		"link2/go.mod":                 goMod("example.org/link"),
		"link2/link.go":                value("link", "2"),
	}
}

// workspace is a tree of a program and two modules, only one of them in the workspace.
func workspace() files {
	return files{
		"go.work":      "go 1.26.0\n\nuse (\n\t./prog\n\t./lib\n)\n",
		"other.work":   "go 1.26.0\n\nuse (\n\t./prog\n\t./lib2\n)\n",
		"prog/go.mod":  module(""),
		"prog/main.go": calls("example.org/lib"),
		"lib/go.mod":   goMod("example.org/lib"),
		"lib/lib.go":   value("lib", "1"),
		"lib2/go.mod":  goMod("example.org/lib"),
		"lib2/lib.go":  value("lib", "2"),
	}
}

var libraryChanges = []change{
	{"source, unseen", func(w *workshop) { w.editUnseen("prog/beside/beside.go", "111", "222") }, false},
	{"source of a module in a folder, unseen", func(w *workshop) { w.editUnseen("lib/internal/in/in.go", "1", "7") }, false},
	{"source replaced", func(w *workshop) {
		w.write("prog/new", value("beside", "333"))
		w.rename("prog/new", "prog/beside/beside.go")
	}, false},
	{"file added to a package", func(w *workshop) {
		w.write("prog/beside/new.go", "package beside\n\nfunc init() { println(\"new\") }\n")
	}, false},
	{"file removed from a package", func(w *workshop) { w.remove("prog/beside/more.go") }, false},
	{"file renamed in a package", func(w *workshop) { w.rename("prog/beside/more.go", "prog/beside/more_windows.go") }, false},
	{"file of another package added", func(w *workshop) { w.write("prog/beside/new.go", "package other\n") }, false},
	{"assembly added", func(w *workshop) { w.write("prog/beside/new_plan9.s", "no assembly") }, true},
	{"broken assembly added", func(w *workshop) { w.write("prog/beside/new.s", "no assembly") }, false},
	{"test added", func(w *workshop) { w.write("prog/beside/a_test.go", "package beside\n") }, true},
	{"text added", func(w *workshop) { w.write("prog/beside/a.txt", "a") }, true},
	{"package removed", func(w *workshop) { w.remove("prog/beside") }, false},
	{"source is a link", func(w *workshop) {
		w.write("elsewhere/a.go", value("beside", "444"))
		w.remove("prog/beside/beside.go")
		must.Do(w, os.Symlink(w.path("elsewhere/a.go"), w.path("prog/beside/beside.go")))
	}, false},
	{"embedded file, unseen", func(w *workshop) { w.editUnseen("prog/words/one.txt", "one", "two") }, false},
	{"embedded file of a folder, unseen", func(w *workshop) { w.editUnseen("prog/words/many/a.txt", "a", "b") }, false},
	{"embedded file deep in a folder, unseen", func(w *workshop) { w.editUnseen("prog/words/many/sub/c.txt", "c", "d") }, false},
	{"file added that is embedded", func(w *workshop) { w.write("prog/words/many/b.txt", "b") }, false},
	{"file added that is embedded, deep", func(w *workshop) { w.write("prog/words/many/sub/d.txt", "d") }, false},
	{"folder added that is embedded", func(w *workshop) { w.write("prog/words/many/new/e.txt", "e") }, false},
	{"embedded file removed", func(w *workshop) { w.remove("prog/words/many/a.txt") }, false},
	{"module in an embedded folder", func(w *workshop) { w.write("prog/words/many/sub/go.mod", goMod("example.org/sub")) }, false},
	{"version of a requirement", func(w *workshop) {
		w.edit("prog/go.mod", "example.org/lib v1.0.0\n\nreplace", "example.org/lib v1.1.0\n\nreplace")
	}, false},
	{"folder of a replacement", func(w *workshop) { w.edit("prog/go.mod", "=> ../lib\n", "=> ../lib2\n") }, false},
	{"folder itself", func(w *workshop) {
		w.rename("lib", "lib3")
		w.rename("lib2", "lib")
	}, false},
	{"link to a folder", func(w *workshop) {
		w.remove("link")
		must.Do(w, os.Symlink("link2", w.path("link")))
	}, false},
	{"language of the program", func(w *workshop) { w.edit("prog/go.mod", "go 1.26.0", "go 1.20") }, false},
	{"language of a module in a folder", func(w *workshop) { w.edit("lib/go.mod", "go 1.26.0", "go 1.27.0") }, false},
	{"requirement of a module in a folder", func(w *workshop) {
		w.edit("lib/go.mod", "go 1.26.0\n", "go 1.26.0\n\nrequire example.org/lost v1.0.0\n")
	}, true},
	{"godebug", func(w *workshop) { w.edit("prog/go.mod", "go 1.26.0\n", "go 1.26.0\n\ngodebug panicnil=1\n") }, false},
	{"name of the module", func(w *workshop) { w.edit("prog/go.mod", "module example.org/prog", "module example.org/other") }, false},
	{"name of a module in a folder", func(w *workshop) { w.edit("lib/go.mod", "module example.org/lib", "module example.org/other") }, true},
	{"go.mod removed", func(w *workshop) { w.remove("prog/go.mod") }, false},
	{"go.mod broken", func(w *workshop) { w.write("prog/go.mod", module("nonsense\n")) }, false},
	{"workspace added", func(w *workshop) {
		w.write("go.work", "go 1.26.0\n\nuse ./prog\n\nreplace example.org/lib v1.0.0 => ./lib2\n")
	}, false},
	{"workspace added without the program", func(w *workshop) { w.write("go.work", "go 1.26.0\n\nuse ./lib\n") }, false},
	{"module between", func(w *workshop) { w.write("prog/beside/go.mod", goMod("example.org/prog/beside")) }, false},
	{"module in a folder above a package", func(w *workshop) { w.write("prog/words/deep/go.mod", goMod("example.org/deep")) }, false},
	{"module between in a module in a folder", func(w *workshop) { w.write("lib/internal/go.mod", goMod("example.org/lib/internal")) }, false},
	{"vendor folder", func(w *workshop) {
		if out, err := w.run("mod", "vendor"); err != nil {
			w.Fatalf("go mod vendor: %s", out)
		}
	}, false},
	{"empty vendor folder", func(w *workshop) { must.Do(w, os.Mkdir(w.path("prog/vendor"), 0o755)) }, false},
	{"flags of the file GOENV", func(w *workshop) {
		w.write("goenv", "GOFLAGS=-ldflags=-X=runtime.defaultGOROOT=/nowhere\nGOAMD64=v9\n")
	}, false},
	{"workspace of the file GOENV", func(w *workshop) {
		w.write("elsewhere/go.work", "go 1.26.0\n\nuse ../prog\n\nreplace example.org/lib v1.0.0 => ../lib2\n")
		w.write("goenv", "GOWORK="+w.path("elsewhere/go.work")+"\n")
	}, false},
	{"tags", func(w *workshop) { w.flags = append(w.flags, "-tags=some") }, false},
	{"compiler's flags", func(w *workshop) { w.flags = append(w.flags, "-gcflags=-N") }, false},
	{"linker's flags", func(w *workshop) { w.flags = []string{"-ldflags=-buildid= -s"} }, false},
	{"GOFLAGS", func(w *workshop) { w.env = append(w.env, "GOFLAGS=-tags=some") }, false},
	{"GOFLAGS that are not known", func(w *workshop) { w.env = append(w.env, "GOFLAGS=-trimpath") }, false},
	{"GOWORK", func(w *workshop) {
		w.write("elsewhere/go.work", "go 1.26.0\n\nuse ../prog\n\nreplace example.org/lib v1.0.0 => ../lib2\n")
		w.env = append(w.env, "GOWORK="+w.path("elsewhere/go.work"))
	}, false},
	{"CGO_ENABLED", func(w *workshop) { w.env = append(w.env, "CGO_ENABLED=0") }, false},
	{"GOAMD64", func(w *workshop) { w.env = append(w.env, "GOAMD64=v9") }, false},
	{"GOARCH", func(w *workshop) { w.env = append(w.env, "GOARCH=nothing") }, false},
	{"GOOS", func(w *workshop) { w.env = append(w.env, "GOOS=nothing") }, false},
	{"GOEXPERIMENT", func(w *workshop) { w.env = append(w.env, "GOEXPERIMENT=nothing") }, false},
	{"GOROOT", func(w *workshop) { w.env = append(w.env, "GOROOT=/nowhere") }, false},
	{"GO111MODULE", func(w *workshop) { w.env = append(w.env, "GO111MODULE=off") }, false},
	{"the program itself", func(w *workshop) { w.edit("prog/main.go", "{\n", "{\n\tprintln(\"new\")\n") }, false},
	{"the program, unseen", func(w *workshop) { w.editUnseen("prog/main.go", "println(lib", "print  (lib") }, false},
	{"a file of the program added", func(w *workshop) { w.write("prog/new.go", "package main\n\nfunc init() { println(\"new\") }\n") }, false},
	{"archive removed from the build cache", func(w *workshop) {
		out, err := w.run(slices.Concat([]string{"list", "-export", "-f", "{{.Export}}"}, w.flags, []string{"example.org/prog/beside"})...)
		must.Do(w, err)
		must.Do(w, os.Remove(strings.TrimSpace(out)))
	}, true},
}

var workspaceChanges = []change{
	{"another use", func(w *workshop) { w.edit("go.work", "./lib\n", "./lib2\n") }, false},
	{"GOWORK", func(w *workshop) { w.env = append(w.env, "GOWORK="+w.path("other.work")) }, false},
	{"GOWORK off", func(w *workshop) { w.env = append(w.env, "GOWORK=off") }, false},
	{"workspace removed", func(w *workshop) { w.remove("go.work") }, false},
	{"workspace nearer", func(w *workshop) { w.write("prog/go.work", "go 1.26.0\n\nuse (\n\t.\n\t../lib2\n)\n") }, false},
	{"replacement in the workspace", func(w *workshop) {
		w.write("go.work", "go 1.26.0\n\nuse ./prog\n\nreplace example.org/lib => ./lib2\n")
		w.edit("prog/go.mod", "go 1.26.0\n", "go 1.26.0\n\nrequire example.org/lib v1.0.0\n")
	}, false},
	{"godebug of the workspace", func(w *workshop) { w.edit("go.work", "go 1.26.0\n", "go 1.26.0\n\ngodebug panicnil=1\n") }, false},
	{"folders exchanged", func(w *workshop) {
		w.rename("lib", "lib3")
		w.rename("lib2", "lib")
	}, false},
	{"source of a module, unseen", func(w *workshop) { w.editUnseen("lib/lib.go", "1", "7") }, false},
	{"requirement of a module", func(w *workshop) {
		w.edit("lib/go.mod", "go 1.26.0\n", "go 1.26.0\n\nrequire example.org/lost v1.0.0\n")
	}, true},
	{"name of a module", func(w *workshop) { w.edit("lib/go.mod", "module example.org/lib", "module example.org/other") }, false},
}

// If it failed, a program would be built from what is no longer there: a student would see the output
// of an edit before the last. What has to come out is what go build builds then.
func TestNeverStale(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, library())
	must.Do(t, os.Symlink("link1", w.path("link")))
	neverStale(t, w, libraryChanges)
}

func TestNeverStaleWorkspace(t *testing.T) {
	t.Parallel()
	neverStale(t, newWorkshop(t, workspace()), workspaceChanges)
}

// neverStale makes changes, each to what the tree was at first. In the tier long it asks the go
// command whether each matters.
func neverStale(t *testing.T, w *workshop, changes []change) {
	var program string // of the tree as it is at first
	learn := func() {
		program = w.learn()
		if !w.tries(t.Context()) {
			t.Fatal("Build says false after Learn")
		}
		w.same(program)
		w.remove("prog/program")
	}
	learn()
	old, flags, env := w.tree(), w.flags, slices.Clip(w.env)
	for _, c := range changes {
		t.Run(c.name, func(t *testing.T) {
			w.TB = t
			c.make(w)
			built := w.builds(t.Context())
			if !built && w.builder.Complete(w.command()) && !c.same {
				t.Error("Complete says true, Build false")
			}
			if tier.IsLong(t) {
				file, err := w.goBuilds()
				if same := err == nil && testfile.Read(t, file) == testfile.Read(t, program); same != c.same {
					t.Errorf("go build makes the same program as before: %v (%v), want %v", same, err, c.same)
				}
			}
		})
		w.TB = t
		w.restore(old)
		w.flags, w.env = flags, env
		if !w.builder.Complete(w.command()) {
			learn()
		}
	}
	if program = w.learn(); !w.tries(t.Context()) {
		t.Error("Build says false when all is as it was")
	} else {
		w.same(program)
	}
}

// Without archives there is nothing to build from, until the go command has made them anew.
func TestNeverStaleCacheCleaned(t *testing.T) {
	tier.Long(t)
	w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": calls("example.org/prog/beside"), "prog/beside/beside.go": value("beside", "1")})
	w.env = append(w.env, "GOCACHE="+t.TempDir())
	for range 2 {
		file := w.learn()
		if !w.tries(t.Context()) {
			t.Fatal("Build says false after Learn")
		}
		w.same(file)
		if out, err := w.run("clean", "-cache"); err != nil {
			t.Fatalf("go clean: %s", out)
		}
		if w.builds(t.Context()) {
			t.Error("Build says true without a build cache")
		}
		if out, err := w.run("clean", "-cache"); err != nil { // of what go build has made
			t.Fatalf("go clean: %s", out)
		}
	}
}
