// Package program says what a notebook is by GoNB's rules: the program that each cell amounts to.
package program

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/imports"

	"marginalia/internal/cell"
	"marginalia/internal/nbformat"
)

// A Session goes through the cells of a notebook in order and keeps the state
// that GoNB's kernel would have: what is remembered, %env, %cd, %goflags.
type Session struct {
	dir    string // the notebook's folder
	goDir  string // a folder of the module in which the cells are built
	root   string // the repository, whose go.mod says which modules there are
	types  *Checker
	decls  *cell.Decls
	setenv []string
	cwd    string // relative to dir, or absolute
	flags  []string
	lost   map[string]string // names declared in cells that want a module, with the cell
}

// NewSession returns the session of a notebook in folder dir. goDir is a folder
// of a Go module in which its imports can be found, root the repository.
func NewSession(dir, goDir, root string, types *Checker) *Session {
	return &Session{dir: dir, goDir: goDir, root: root, types: types, decls: cell.NewDecls(), lost: map[string]string{}}
}

// A Program is what GoNB would build for one cell, and how it would run it.
type Program struct {
	ID       string
	Args     []string // of the program: os.Args[1:]
	Env      []string // KEY=VALUE, from %env here and in earlier cells
	Dir      string   // from %cd, relative to the notebook's folder unless absolute
	Flags    []string // of go build, from %goflags
	Prints   []Print  // what its commands print before the program runs
	Fails    string   // the error with which GoNB refuses the cell: no program runs
	Skip     string   // why it can't be tested
	Problems []string // where GoNB itself misbehaves
	Missing  []string // modules that are not there, and what to do: it can't be built
	NoGo     bool     // nothing but commands
	Test     bool     // a %test cell

	Source *cell.Cell
	Decls  *cell.Decls // all it has, imports included that goimports found
	Main   *cell.Func
	File   cell.File // GoNB's main.go, or main_test.go

	Fset     *token.FileSet
	Syntax   *ast.File
	Info     *types.Info
	Pkg      *types.Package
	Compiles bool
}

// A Print is text that a command of the cell prints. If Dir is not "", Text is
// a format and gets the absolute path of that folder.
type Print struct{ Stream, Text, Dir string }

func (p *Program) skip(format string, args ...any) {
	if p.Skip == "" {
		p.Skip = fmt.Sprintf(format, args...)
	}
}

// Step takes the next code cell.
func (s *Session) Step(ctx context.Context, nb *nbformat.Cell) (*Program, error) {
	c := cell.Read(nb.ID, nb.Source)
	p := &Program{ID: nb.ID, Test: c.Test, Source: c}
	for _, problem := range c.Problems() {
		p.Problems = append(p.Problems, fmt.Sprintf("line %d: %s", problem.Line+1, problem.What))
	}
	if c.Kind == cell.Magic {
		p.skip("line 1: %%%s is not Go", c.Commands[0].Words[0][1:])
		p.NoGo = true
		return p, nil
	}
	fatal := slices.ContainsFunc(c.Problems(), func(p cell.Problem) bool { return p.Fatal })
	if fatal {
		p.NoGo = true
		return p, nil
	}
	for _, cmd := range c.Commands {
		if err := s.command(cmd, p); err != nil {
			p.Fails, p.NoGo = err.Error(), true
			return p, nil
		}
	}
	p.Env, p.Dir, p.Args, p.Flags = slices.Clone(s.setenv), s.cwd, c.Args, s.flags
	if !c.HasGo() {
		p.NoGo = true
		return p, nil
	}
	return p, s.program(ctx, p)
}

// program composes and checks the program of a cell, and remembers its
// declarations if it compiles, whether it will run well or not.
func (s *Session) program(ctx context.Context, p *Program) error {
	newer, main, err := p.Source.Parse()
	if err != nil {
		// GoNB names the file with its folder.
		p.Fails, p.NoGo = withFolder.Replace(err.Error()), true
		return nil
	}
	for _, h := range cell.Hazards(s.decls, newer) {
		p.Problems = append(p.Problems, fmt.Sprintf("line %d: %s", h.Line+1, h.What))
	}
	merged := s.decls.Clone()
	merged.Merge(newer)
	p.Main = main
	p.Decls = merged.Clone()
	if p.Decls.Imports, err = s.resolveImports(merged, main); err != nil {
		return fmt.Errorf("cell %s: %w", p.ID, err)
	}
	p.File = p.Decls.Compose(main)
	if err := s.types.check(ctx, p); err != nil {
		return fmt.Errorf("cell %s: %w", p.ID, err)
	}
	s.wanting(p, newer)
	if p.Compiles {
		s.decls = merged
	}
	if p.Test && len(p.Args) == 0 {
		p.Args = defaultTestArgs(newer)
	}
	return nil
}

// withFolder puts a folder such as the kernel's before the file of a syntax error.
var withFolder = strings.NewReplacer("main.go:", "gonb_00000000/main.go:", "main_test.go:", "gonb_00000000/main_test.go:")

// resolveImports returns the imports that the program uses: remembered ones,
// and those that goimports finds, which are not remembered.
func (s *Session) resolveImports(d *cell.Decls, main *cell.Func) (map[string]*cell.Import, error) {
	name := filepath.Join(s.goDir, "cell", "main.go")
	out, err := imports.Process(name, []byte(d.Compose(main).Text), &imports.Options{
		TabWidth: 8, TabIndent: true, Comments: true, Fragment: true,
	})
	if err != nil {
		return nil, fmt.Errorf("goimports: %w", err)
	}
	found, err := cell.ParseFile(name, string(out))
	if err != nil {
		return nil, err
	}
	used := found.Imports
	for key := range used {
		if i := d.Imports[key]; i != nil {
			used[key] = i
		}
	}
	return used, nil
}

// defaultTestArgs are the flags with which GoNB runs the tests of a %test cell that names none.
func defaultTestArgs(d *cell.Decls) []string {
	args := []string{"-test.v"}
	var run []string
	benchmarks := false
	for _, name := range slices.Sorted(maps.Keys(d.Funcs)) {
		bench := strings.HasPrefix(name, "Benchmark")
		if strings.Contains(name, "~") || name == "TestMain" || !bench && !strings.HasPrefix(name, "Test") {
			continue
		}
		benchmarks = benchmarks || bench
		run = append(run, "^"+name+"$")
	}
	if benchmarks {
		args = append(args, "-test.bench=.")
	}
	if len(run) > 0 {
		args = append(args, "-test.run="+strings.Join(run, "|"))
	}
	return args
}
