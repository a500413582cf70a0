// Package export turns a notebook into a Go test package whose cells behave as
// they do on GoNB's kernel.
//
// On the kernel every cell is a new program: the declarations of earlier cells
// and its own, built anew. Building one program a cell costs most of a second
// each. Here the cells of a notebook share one package and one build: each
// declaration stands once; a package variable is set
// by a function, which a cell calls if its program has the variable; a cell's
// main is a function of its own name. What can't be shared (a redefinition, an import
// whose init other cells must not see, a cell that does not compile) gets a package or
// a program of its own.
//
//	e, err := export.Notebook(ctx, "01-perceptron.ipynb", root, root)
//	…
//	err = e.Write("somewhere", root)
//
// writes a package that plain `go test` runs: a test (package celltest) and, below its testdata,
// programs that run one cell in their process (package cellrun) with lists of their cells
// (package layout). No Go tool looks into testdata: `go vet` does not see what cells are free
// to do, and no package that a cell imports is linked into the test. Package built keeps such
// packages, compiled, in the user's cache: for `marginalia test` and `go test ./notebooks/...`.
package export

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/gotest/effects"
	"marginalia/internal/gotest/layout"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/program"
	"marginalia/internal/notebook/workspace"
)

// An Exported notebook is the files of its packages, by path.
type Exported struct {
	File     string            // the notebook
	Files    map[string][]byte // slash-separated paths
	Packages []string          // folders of the programs
	Shows    []string          // the last expressions that show themselves, as in program.Program

	groups []*group       // that of each program
	place  map[string]int // of each code cell, from 1
}

// Notebook exports the notebook in file. goDir is a folder of a Go module in
// which its imports can be found: the repository, or the module that
// WriteModule makes of the repository at root. adds is the folder where go get adds
// modules for the notebook: the repository, or the home of the modules beside it.
func Notebook(ctx context.Context, file, goDir, adds string) (*Exported, error) {
	types := program.NewChecker(goDir, adds)
	return notebook(ctx, file, types, effects.New(types))
}

func notebook(ctx context.Context, file string, types *program.Checker, graph *effects.Graph) (*Exported, error) {
	nb, err := nbformat.Read(file)
	if err != nil {
		return nil, err
	}
	if err := nb.WantGo(); err != nil {
		return nil, fmt.Errorf("%s is %w", file, err)
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	s := program.NewSession(dir)
	var units []*unit
	place, shows := map[string]int{}, []string(nil)
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		p, err := types.Step(ctx, s, c.ID, c.Source)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		u := &unit{Program: p}
		if p.Shows != "" {
			shows = append(shows, p.Shows)
		}
		if p.Compiles {
			u.can = graph.Of(p)
		}
		units = append(units, u)
		place[c.ID] = len(units)
	}
	e := &Exported{File: file, Files: map[string][]byte{}, Shows: shows, place: place}
	for i, g := range split(units) {
		dir := layout.ProgramDir(i + 1)
		e.Packages = append(e.Packages, dir)
		e.groups = append(e.groups, g)
		e.add(dir, g)
	}
	return e, nil
}

// add writes the files of a group, in their folder.
func (e *Exported) add(dir string, g *group) {
	for name, text := range g.generate(filepath.Base(e.File), e.place) {
		e.Files[path.Join(dir, name)] = text
	}
}

// Write writes the package into dir, which must be new, empty, or the place of
// an earlier export; files there that export did not write stay. The notebook
// is copied into testdata, and its cells run in its folder while that is there. Outside the repository at root the package gets a
// go.mod that points there, and a go.work for the modules beside the notebook.
func (e *Exported) Write(dir, root string) error {
	if err := writable(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	data, err := os.ReadFile(e.File)
	if err != nil {
		return err
	}
	home, err := relative(dir, filepath.Dir(e.File))
	if err != nil {
		return err
	}
	files, base := maps.Clone(e.Files), filepath.Base(e.File)
	files["testdata/"+base] = data
	files["notebook_test.go"] = fmt.Appendf(nil, `%s
package main

import (
	"os"
	"testing"

	"marginalia/internal/gotest/celltest"
)

func TestMain(m *testing.M) {
	celltest.StarterMain()
	os.Exit(m.Run())
}

func TestNotebook(t *testing.T) { celltest.Run(t, %q, %q) }
`, header(base), "testdata/"+base, filepath.ToSlash(home))
	if err := writeAll(dir, files); err != nil {
		return err
	}
	if err := removeStale(dir, files); err != nil {
		return err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	modules, err := workspace.Find(filepath.Dir(e.File), root)
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(root, abs); err == nil && filepath.IsLocal(rel) && modules == nil {
		return nil // the repository's own go.mod serves it
	}
	return WriteModule(dir, root, modules)
}

// writable refuses a folder that holds something else than an earlier export.
func writable(dir string) error {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(filepath.Join(dir, "notebook_test.go")); err != nil || !strings.HasPrefix(string(old), generated) {
		return fmt.Errorf("%s holds files and is not an earlier export: name a new folder with -o", dir)
	}
	return nil
}

// writeAll writes files below dir.
func writeAll(dir string, files map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := atomicfile.Write(path, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// removeStale removes generated Go files below dir that are not among files.
func removeStale(dir string, files map[string][]byte) error {
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || files[filepath.ToSlash(rel)] != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(text), generated) {
			err = os.Remove(path)
			if filepath.Base(path) == "cells.go" {
				os.Remove(filepath.Join(filepath.Dir(path), layout.CellsFile))
			}
		}
		return err
	})
}

// A Job is a notebook that is exported and compiled into a folder.
type Job struct{ File, Dir string }

// Compile exports notebooks into their folders, which it empties, and
// compiles the packages there against the repository at root and the modules beside the
// notebook. Each leaves its program in its folder, under the name layout.ProgramFile. It
// returns what is wrong with each notebook. One is compiled while the next is exported, and
// what those of one module import is read once for all.
func Compile(ctx context.Context, jobs []Job, root string) []error {
	errs := make([]error, len(jobs))
	checkers, graphs := map[string]*program.Checker{}, map[string]*effects.Graph{} // by what stands in go.work: the modules of such folders are alike
	var builds errgroup.Group
	builds.SetLimit(runtime.GOMAXPROCS(0))
	for i, j := range jobs {
		modules, err := workspace.Find(filepath.Dir(j.File), root)
		if err == nil {
			err = prepare(j.Dir, root, modules)
		}
		if errs[i] = err; err != nil {
			continue
		}
		work, adds := "", root
		if modules != nil {
			text, err := modules.Work(root)
			if errs[i] = err; err != nil {
				continue
			}
			work, adds = string(text), modules.Home
		}
		if checkers[work] == nil {
			checkers[work] = program.NewChecker(j.Dir, adds)
			checkers[work].Tests = tests(j.Dir)
			graphs[work] = effects.New(checkers[work])
		}
		e, err := notebook(ctx, j.File, checkers[work], graphs[work])
		if err == nil {
			err = writeAll(j.Dir, e.Files)
		}
		if err != nil {
			errs[i] = err
			continue
		}
		builds.Go(func() error {
			errs[i] = e.build(ctx, j.Dir)
			return nil
		})
	}
	builds.Wait()
	return errs
}

// prepare makes dir an empty module.
func prepare(dir, root string, modules *workspace.Modules) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, testsFolder), 0o755); err != nil {
		return err
	}
	return WriteModule(dir, root, modules)
}

// build compiles the programs of the notebook, which have been written into dir.
//
// What the type checker accepts may still not build: a package whose assembler or C code fails,
// say. The cells of such a program become programs of their own, so that only those fail that
// need what does not build.
func (e *Exported) build(ctx context.Context, dir string) error {
	var builds errgroup.Group
	for i, p := range e.Packages {
		builds.Go(func() error {
			at := filepath.Join(dir, p)
			err := buildProgram(ctx, at)
			if err == nil || ctx.Err() != nil {
				return err
			}
			apart := e.groups[i].apart(e.place)
			if err := writeAll(at, apart.generate(filepath.Base(e.File), e.place)); err != nil {
				return err
			}
			if buildProgram(ctx, at) != nil {
				return fmt.Errorf("%s: the exported program does not compile, which is a fault of the exporter:\n%w", e.File, err)
			}
			return nil
		})
	}
	return builds.Wait()
}

func buildProgram(ctx context.Context, dir string) error {
	p, err := layout.Open(dir, filepath.Join(dir, layout.ProgramFile))
	if err != nil {
		return err
	}
	return p.Build(ctx)
}

// tests finds out whether the program of a %test cell builds, for the notebook in a module in dir.
func tests(dir string) func(ctx context.Context, text string, build func() bool) bool {
	return func(ctx context.Context, text string, build func() bool) bool {
		c, err := layout.Package{}.Tests(filepath.Join(dir, testsFolder), os.DevNull)
		if err != nil {
			return build()
		}
		files := map[string][]byte{"main_test.go": []byte(text)}
		if layout.Builder().Passes(ctx, c, files) {
			return true
		}
		if !build() {
			return false
		}
		if f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly); err == nil {
			more := slices.Clone(workspace.Usual)
			for _, i := range f.Imports {
				path, _ := strconv.Unquote(i.Path.Value) // the parser has accepted it
				more = append(more, path)
			}
			_ = layout.Builder().Learn(ctx, c, more...) // else the next is built by the go command, too
		}
		return true
	}
}

// testsFolder is a folder without files in the module of an exported notebook.
const testsFolder = "tests"
