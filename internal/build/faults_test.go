package build_test

// The tests of this file found faults when they were written, or looked for them where they might be.
// Where a comment does not say otherwise, a failure means a program that go build would not make.

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/build"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// An embedded pattern matches files in folders that hold none so far.
func TestEmbeddedFolders(t *testing.T) {
	t.Parallel()
	tier.Long(t)
	for _, c := range []struct{ name, folder, file string }{
		{"empty folder", "many/empty", "many/empty/new.txt"},
		{"folder without a match", "other/none", "other/none/x.txt"},
	} {
		if c.folder != "many/empty" && !tier.IsLong(t) {
			continue
		}
		w := newWorkshop(t, library())
		must.Do(t, os.Symlink("link1", w.path("link")))
		w.edit("prog/words/words.go", "//go:embed many\n", "//go:embed many other/*/x.txt\n")
		w.write("prog/words/other/some/x.txt", "")
		must.Do(t, os.MkdirAll(w.path("prog/words/"+c.folder), 0o755))
		w.learn()
		w.write("prog/words/"+c.file, "new")
		w.builds(t.Context())
	}
}

// The setting that comes last counts, so the order of settings does.
func TestOrderOfEnvironment(t *testing.T) {
	tier.Long(t)
	tier.Long(t)
	w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": calls("example.org/prog/size"),
		"prog/size/big.go": "//go:build big\n\n" + value("size", "1000"), "prog/size/small.go": "//go:build !big\n\n" + value("size", "1")})
	env := w.env
	w.env = append(slices.Clip(env), "GOFLAGS=-tags=big", "GOFLAGS=-tags=small")
	w.learn()
	w.env = append(slices.Clip(env), "GOFLAGS=-tags=small", "GOFLAGS=-tags=big")
	w.builds(t.Context())
}

// The file GOENV may name the workspace, and a file in place of go.mod.
func TestGOENV(t *testing.T) {
	tier.Long(t)
	for name, goenv := range map[string]string{"workspace": "GOWORK=ROOT/elsewhere/go.work\n", "modfile": "GOFLAGS=-modfile=ROOT/elsewhere/go.mod\n"} {
		t.Run(name, func(t *testing.T) {
			w := newWorkshop(t, library())
			must.Do(t, os.Symlink("link1", w.path("link")))
			w.write("elsewhere/go.work", "go 1.26.0\n\nuse ../prog\n")
			w.write("elsewhere/go.mod", testfile.Read(t, w.path("prog/go.mod")))
			w.write("goenv", strings.ReplaceAll(goenv, "ROOT", w.root))
			if file, err := w.goBuilds(); err != nil {
				t.Fatal(file, err)
			}
			if err := w.builder.Learn(t.Context(), w.command()); err != nil {
				t.Logf("Learn: %v", err) // it may refuse
			}
			w.write("elsewhere/go.work", "go 1.26.0\n\nuse ../prog\n\nreplace example.org/lib v1.0.0 => ../lib2\n")
			w.edit("elsewhere/go.mod", "=> ../lib\n", "=> ../lib2\n")
			w.builds(t.Context())
		})
	}
}

// What else lies in the folder when Build learns, and is gone later, must not count.
func TestLearnedBesideOtherFiles(t *testing.T) {
	t.Parallel()
	tier.Long(t)
	for _, name := range []string{"a.syso", "default.pgo", "a.s", "a.h"} {
		t.Run(name, func(t *testing.T) {
			if name != "a.syso" { // with default.pgo all packages are compiled anew
				tier.Long(t)
			}
			w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": calls("example.org/prog/own"), "prog/own/own.go": value("own", "1")})
			w.learn() // the archives are in the build cache
			w.builder = new(build.Builder)
			w.write("prog/"+name, "")
			if _, err := w.goBuilds(); err != nil {
				t.Logf("go build: %v", err)
			}
			if err := w.builder.Learn(t.Context(), w.command(), "example.org/prog/own"); err != nil {
				t.Logf("Learn: %v", err) // it may refuse
			}
			w.remove("prog/" + name)
			w.builds(t.Context())
			w.edit("prog/main.go", "func main", "func other()\n\nfunc main") // without a body
			w.builds(t.Context())
		})
	}
}

// A program in a repository is stamped, one in a folder with the same go.mod is not.
func TestLearnedInRepository(t *testing.T) {
	tier.Long(t)
	tier.Long(t)
	w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": calls()})
	// It says what git says of a commit.
	w.write("bin/git", "#!/bin/sh\ncase \"$*\" in\n*rev-parse*) echo "+w.path("prog")+" ;;\n*status*) ;;\n*log*) echo 0123456789012345678901234567890123456789:1700000000 ;;\nesac\n")
	must.Do(t, os.Chmod(w.path("bin/git"), 0o755))
	w.env = append(w.env, "PATH="+w.path("bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	must.Do(t, os.Mkdir(w.path("prog/.git"), 0o755))
	if out, err := w.run("build", "-o", w.target); err != nil {
		t.Fatalf("go build: %s", out)
	} else if out, err := w.run("version", "-m", w.target); err != nil || !strings.Contains(out, "vcs.revision") {
		t.Fatalf("go version -m: %s, %v, want vcs.revision", out, err)
	}
	if err := w.builder.Learn(t.Context(), w.command()); err != nil {
		t.Logf("Learn: %v", err) // it may refuse
	}
	w.remove("prog/.git")
	w.builds(t.Context())
}

// The folder may be reached by a link, as that of temporary files is on macOS, or by a relative path.
// Learn has to learn something then.
func TestFolderByAnotherPath(t *testing.T) {
	tier.Long(t)
	for _, name := range []string{"link", "relative", "current"} {
		t.Run(name, func(t *testing.T) {
			if name == "relative" {
				tier.Long(t)
			}
			w := newWorkshop(t, library())
			must.Do(t, os.Symlink("link1", w.path("link")))
			must.Do(t, os.Mkdir(w.path("links"), 0o755))
			must.Do(t, os.Symlink(w.dir, w.path("links/prog")))
			switch name {
			case "link":
				w.dir = w.path("links/prog")
			case "relative":
				t.Chdir(w.root)
				w.dir = "prog"
			case "current":
				t.Chdir(w.dir)
				w.dir = "."
			}
			w.learn()
			w.write("go.work", "go 1.26.0\n\nuse ./prog\n\nreplace example.org/lib v1.0.0 => ./lib2\n")
			w.builds(t.Context())
			w.remove("go.work")
			w.write(".git", "gitdir: nowhere\n")
			w.builds(t.Context())
		})
	}
}

// A longer module path comes to have the package too: go build calls the import ambiguous.
func TestAmbiguousImport(t *testing.T) {
	tier.Long(t)
	w := newWorkshop(t, files{
		"prog/go.mod": module("\nrequire (\n\texample.org/one v1.0.0\n\texample.org/one/two v1.0.0\n)\n\nreplace (\n\texample.org/one => ../one\n\texample.org/one/two => ../two\n)\n"),
		"one/go.mod":  goMod("example.org/one"), "one/two/x/x.go": value("x", "1"),
		"two/go.mod": goMod("example.org/one/two"), "two/two.go": value("two", "2"), "prog/main.go": calls("example.org/one/two/x")})
	w.learn()
	w.write("two/x/x.go", value("x", "2"))
	w.builds(t.Context())
}

// The go command refuses names of files that Build takes, and leaves out a file that it takes.
func TestFiles(t *testing.T) {
	t.Parallel()
	tier.Long(t)
	w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": calls("example.org/prog/own"), "prog/own/own.go": value("own", "1")})
	w.learn()
	old := w.tree()
	for name, write := range map[string]func(w *workshop){
		"two cases": func(w *workshop) { w.write("prog/a.go", "package main\n"); w.write("prog/A.go", "package main\n") },
		"hyphen":    func(w *workshop) { w.write("prog/-a.go", "package main\n") },
		"plus":      func(w *workshop) { w.write("prog/+a.go", "package main\n") },
		"space":     func(w *workshop) { w.write("prog/ a.go", "package main\n") },
		"BOM": func(w *workshop) {
			w.write("prog/a.go", "\ufeff//go:build !linux && !darwin\n\npackage main\n\nfunc init() { println(1) }\n")
		},
		"BOM, debug":   func(w *workshop) { w.write("prog/a.go", "\ufeff//go:debug panicnil=1\npackage main\n") },
		"second debug": func(w *workshop) { w.write("prog/a.go", "/* */ //go:debug panicnil=1\npackage main\n") },
		"form feed":    func(w *workshop) { w.write("prog/a.go", "\f//go:build !linux && !darwin\n\npackage main\n") },
		"no UTF-8":     func(w *workshop) { w.write("prog/a.go", "package main\n\n// \xff\n") },
		"NUL":          func(w *workshop) { w.write("prog/a.go", "package main\n\n// \x00\n") },
		"folder":       func(w *workshop) { w.write("prog/a.go/b.go", "package a\n") },
		"_cgo_":        func(w *workshop) { w.write("prog/a_cgo_.go", "package main\n") },
	} {
		t.Run(name, func(t *testing.T) {
			w.TB = t
			write(w)
			w.builds(t.Context())
		})
		w.TB = t
		w.restore(old)
	}
}

// A change of a source between "go list" and the rest must not go unseen.
func TestChangeWhileLearning(t *testing.T) {
	tier.Long(t)
	w := newWorkshop(t, library())
	must.Do(t, os.Symlink("link1", w.path("link")))
	w.learn("encoding/hex")
	w.builder = new(build.Builder)
	// The first call is go list's. Then the package embeds another file.
	real := must.Get(exec.LookPath("go")).Or(t)
	w.write("bin/go", "#!/bin/sh\n"+real+" \"$@\" || exit\nif [ \"$1\" = list ] && ! [ -e "+w.path("bin/done")+" ]; then\n\techo > "+w.path("bin/done")+
		"\n\tsed -i 's/^.*go:embed one.txt$/\\/\\/go:embed two.txt/' "+w.path("prog/words/words.go")+"\n\techo two > "+w.path("prog/words/two.txt")+
		"\n\tcd "+w.dir+" && "+real+" build -ldflags=-buildid= -o /dev/null\nfi\n")
	must.Do(t, os.Chmod(w.path("bin/go"), 0o755))
	c := w.command()
	c.Go = w.path("bin/go")
	if err := w.builder.Learn(t.Context(), c); err != nil {
		t.Logf("Learn: %v", err) // it may refuse
	}
	w.write("prog/words/two.txt", "2nd")
	if w.builder.Build(t.Context(), c) {
		w.same(must.Get(w.goBuilds()).Or(t))
	}
}

// A package that the build cache has not got stays unknown, and is in nobody's way. If it failed, all
// would be slow from the first embedding package on that is not compiled.
func TestMoreThatIsNotBuilt(t *testing.T) {
	t.Parallel()
	tier.Long(t)
	w := newWorkshop(t, library())
	must.Do(t, os.Symlink("link1", w.path("link")))
	w.write("prog/main.go", calls("example.org/lib"))
	if _, err := w.goBuilds(); err != nil {
		t.Fatal(err)
	}
	if err := w.builder.Learn(t.Context(), w.command(), "example.org/prog/words"); err != nil {
		t.Errorf("Learn: %v", err)
	}
	if !w.builds(t.Context()) {
		t.Error("Build says false after Learn")
	}
}

// The loop of the package's documentation ends in programs that Build makes: go build's own program
// is in the place of the new one. If it failed, Build would never be used.
func TestBuiltByGoBefore(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": calls()})
	for i := range 3 {
		if w.builder.Build(t.Context(), w.command()) {
			return
		}
		if out, err := w.run(w.command().Args...); err != nil {
			t.Fatalf("go build %d: %s", i, out)
		}
		must.Do(t, w.builder.Learn(t.Context(), w.command()))
	}
	t.Error("Build says false again and again")
}

// What Build has built may have been replaced since. The go command refuses to overwrite a text, and
// makes a folder for a program if the path ends in a slash.
func TestTargetAsGo(t *testing.T) {
	tier.Long(t)
	for name, target := range map[string]func(w *workshop) string{
		"text": func(w *workshop) string {
			if !w.tries(t.Context()) {
				w.Error("Build says false after Learn")
			}
			w.remove("prog/program")
			w.write("prog/program", "a text")
			return w.target
		},
		"folder to be":  func(w *workshop) string { return "folder/" },
		"dangling link": func(w *workshop) string { must.Do(w, os.Symlink("nowhere", w.path("prog/link"))); return "link" },
		"link to a program": func(w *workshop) string {
			file := must.Get(w.goBuilds()).Or(w)
			w.write("prog/other", testfile.Read(w, file))
			must.Do(w, os.Symlink("other", w.path("prog/link")))
			return "link"
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": calls("example.org/prog/own"), "prog/own/own.go": value("own", "1")})
			w.learn()
			w.target = target(w)
			before := w.tree()
			ok := w.builder.Build(t.Context(), w.command())
			ours := w.tree()
			w.restore(before)
			_, err := w.run(w.command().Args...)
			theirs := w.tree()
			if ok && err != nil {
				t.Error("Build says true, go build fails")
			} else if ok {
				for name := range theirs {
					if ours[name] != theirs[name] {
						t.Errorf("Build and go build leave another %s: %.10q, want %.10q", name, ours[name], theirs[name])
					}
				}
			}
		})
	}
}

// The race detector is linked, though no package imports it. It needs cgo. If it failed, Build would
// do nothing with -race.
func TestRace(t *testing.T) {
	tier.Long(t)
	check(t, sample{flags: []string{noBuildID, "-race"}, tree: files{"prog/go.mod": module(""), "prog/main.go": hello}})
}

// Folders with the same go.mod have other packages beside them, and other paths. What is learned in
// one must not get into another.
func TestTwoFolders(t *testing.T) {
	t.Parallel()
	for name, replace := range map[string]string{"own packages": "", "a module beside": "\nrequire example.org/lib v1.0.0\n\nreplace example.org/lib => ../lib\n"} {
		t.Run(name, func(t *testing.T) {
			dirs := []string{"one/prog", "two/prog", "one/prog/cmd", "two/prog/cmd"}
			if replace != "" {
				tier.Long(t)
			} else if !tier.IsLong(t) {
				dirs = dirs[:2]
			}
			tree, paths := files{}, []string{"example.org/prog/own"}
			if replace != "" {
				paths = []string{"example.org/lib"}
			}
			for i, root := range []string{"one", "two"} {
				tree[root+"/prog/go.mod"] = module(replace)
				tree[root+"/prog/main.go"] = calls(paths...)
				tree[root+"/prog/cmd/main.go"] = calls(paths...)
				tree[root+"/prog/own/own.go"] = value("own", []string{"10", "20"}[i])
				tree[root+"/lib/go.mod"] = goMod("example.org/lib")
				tree[root+"/lib/lib.go"] = value("lib", []string{"1", "2"}[i])
			}
			w := newWorkshop(t, tree)
			learned := map[string]string{}
			for range 2 { // Build may say false the first time, and must not the second
				for _, dir := range dirs {
					w.dir, w.target = w.path(dir), w.path(dir+"/program")
					if learned[dir] == "" {
						w.builds(t.Context())
						learned[dir] = w.learn()
					}
					if w.tries(t.Context()) {
						w.same(learned[dir])
					}
				}
			}
		})
	}
}

// What was begun ahead is of old packages once the Builder has learned again.
func TestAheadOfAnEdit(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": calls("example.org/prog/own"), "prog/own/own.go": value("own", "1")})
	w.learn()
	made(w.builder.Ahead(t.Context(), w.command(), map[string][]byte{"main.go": []byte(testfile.Read(t, w.path("prog/main.go")))}))
	w.editUnseen("prog/own/own.go", "1", "2")
	w.learn()
	if !w.builder.Build(t.Context(), w.command()) {
		t.Error("Build says false after Learn")
	} else {
		w.same(must.Get(w.goBuilds()).Or(t))
	}
}

// What another Builder has kept must not say more than what it has learned itself.
func TestKept(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, library())
	must.Do(t, os.Symlink("link1", w.path("link")))
	dir := t.TempDir()
	w.builder = &build.Builder{Dir: dir}
	w.learn()
	w.builder = &build.Builder{Dir: dir}
	if !w.builds(t.Context()) {
		t.Error("Build says false after another Builder has learned")
	}
	for _, name := range []string{"prog/words/one.txt", "prog/words/many/a.txt", "lib/internal/in/in.go"} {
		old := testfile.Read(t, w.path(name))
		w.write(name, strings.NewReplacer("one", "two", "a", "b", "1", "2").Replace(old))
		w.builder = &build.Builder{Dir: dir}
		w.builds(t.Context())
		w.write(name, old)
	}
	if !tier.IsLong(t) {
		return
	}
	// A file of no use is as none.
	for i, text := range []string{"", "{}", "null", "nonsense", "[]"} {
		files := must.Get(filepath.Glob(filepath.Join(dir, "*"))).Or(t)
		for _, file := range files {
			testfile.Write(t, file, text)
		}
		w.builder = &build.Builder{Dir: dir}
		if w.builds(t.Context()) {
			t.Errorf("Build says true with %d files of %q", len(files), text)
		}
		if i == 0 && len(files) == 0 {
			t.Error("the Builder keeps nothing")
		}
		if w.learn(); !w.builds(t.Context()) {
			t.Errorf("Build says false after Learn beside files of %q", text)
		}
	}
}

// Learn learns more, even if it knows what the program imports. If it failed, only what each program
// imports at first would be known.
func TestLearnMore(t *testing.T) {
	t.Parallel()
	tier.Long(t)
	w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": calls()})
	w.learn()
	w.learn("errors")
	w.write("prog/main.go", "package main\n\nimport \"errors\"\n\nfunc main() { println(errors.ErrUnsupported.Error()) }\n")
	if !w.builds(t.Context()) {
		t.Error("Build says false after Learn")
	}
}

// MARGINALIA_BUILDER=off leaves all to the go command.
func TestOff(t *testing.T) {
	w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": hello})
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("MARGINALIA_BUILDER", "off")
	w.builder = build.Users()
	w.learn()
	if c := w.command(); w.tries(t.Context()) || w.builder.Complete(c) || w.builder.Packages(c) != nil {
		t.Error("the Builder does something")
	}
}
