//go:build !js

package program

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/imports"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/workspace"
)

// A Checker finds out what needs the go command: which packages a program
// imports, its types, and whether it compiles. It may serve several sessions,
// one after the other; packages are read once, from the export data that the go
// command keeps in its build cache.
type Checker struct {
	dir, adds string
	env       []string          // of the go command
	flags     []string          // of goimports' go command, found out when it first runs
	language  string            // "go1.26.0", from go.mod
	fset      *token.FileSet    // of all programs and packages
	exports   map[string]string // import path to file of export data
	tried     map[string]bool
	absent    map[string]bool // packages whose module go.mod does not require
	packages  map[string]*Package
	modules   []string // those of the workspace, found out when a package is missing
	imp       types.Importer

	// Tests, if not nil, finds out whether the program of a %test cell, the text of its file, compiles
	// and vet has nothing to say of it. build asks the go command.
	Tests func(ctx context.Context, text string, build func() bool) bool
}

// NewChecker returns a checker that finds packages as the go command does in
// folder dir, that of a go.mod. adds is the folder where a user is told to add modules.
func NewChecker(dir, adds string) *Checker {
	c := &Checker{dir: dir, adds: adds, env: workspace.Environ(dir), fset: token.NewFileSet(), exports: map[string]string{}, tried: map[string]bool{}, absent: map[string]bool{}, packages: map[string]*Package{}}
	c.imp = importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) {
		if f := c.exports[path]; f != "" {
			return os.Open(f)
		}
		return nil, fmt.Errorf("no package %s", path)
	})
	// Where go.mod can't be read, the go command says so when it is asked for a package.
	if data, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
		if mod, err := modfile.ParseLax("go.mod", data, nil); err == nil && mod.Go != nil {
			c.language = "go" + mod.Go.Version
		}
	}
	return c
}

// Step takes the next code cell of a session as its Step does, checks the
// program, and has the session remember it if it compiles.
func (c *Checker) Step(ctx context.Context, s *Session, id, source string) (*Program, error) {
	p := s.Step(id, source)
	if p.NoGo {
		return p, nil
	}
	if err := c.Check(ctx, p); err != nil {
		return nil, fmt.Errorf("cell %s: %w", id, err)
	}
	c.missing(s, p)
	if p.Compiles {
		s.Remember(p)
	}
	return p, nil
}

// Check resolves the imports of a program and fills in what is known of its
// types, and whether it compiles.
func (c *Checker) Check(ctx context.Context, p *Program) error {
	if err := c.Imports(ctx, p); err != nil {
		return err
	}
	if err := c.Types(ctx, p); err != nil || !p.Compiles {
		return err
	}
	if p.Fails = c.closed(p); p.Fails != "" {
		p.Compiles = false
		return nil
	}
	p.blanks()
	if p.Test {
		return c.vet(ctx, p)
	}
	return nil
}

// Imports leaves a program the imports that it uses, and adds those that goimports finds.
func (c *Checker) Imports(ctx context.Context, p *Program) error {
	paths := []string{"flag"} // of the main that GoNB writes
	for _, i := range p.Decls.Imports {
		paths = append(paths, i.Path)
	}
	// What is remembered is looked up at once, used here or not: one run of the
	// go command is enough for most notebooks.
	if err := c.load(ctx, paths); err != nil || c.remembered(p) {
		return err
	}
	return c.resolve(p)
}

// ShowLast is the function ShowLast with the packages that the go command finds.
func (c *Checker) ShowLast(ctx context.Context, name string, text []byte) (edited []byte, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil || last(f) == nil {
		return nil, nil // the compiler says what is wrong
	}
	paths := []string{ShowPath}
	for _, i := range f.Imports {
		path, _ := strconv.Unquote(i.Path.Value) // the parser has accepted it
		paths = append(paths, path)
	}
	if err := c.load(ctx, paths); err != nil {
		return nil, err
	}
	edited, _ = ShowLast(name, text, c.imp)
	return edited, nil
}

// Types fills in what is known of a program's types, and whether it compiles, with
// the imports that it has. Of a last expression that shows itself it makes a call that does.
func (c *Checker) Types(ctx context.Context, p *Program) error {
	if err := c.types(ctx, p); err != nil || p.Syntax == nil || p.Test {
		return err
	}
	e := last(p.Syntax)
	if e == nil || !shows(e, p.Info, p.Errors) {
		return nil
	}
	if err := c.load(ctx, []string{ShowPath}); err != nil || !can(c.imp) {
		return err
	}
	p.show(newShown(c.fset, p.Syntax, e, p.File().Text))
	return c.types(ctx, p)
}

func (c *Checker) types(ctx context.Context, p *Program) error {
	var paths []string
	for _, i := range p.Decls.Imports {
		paths = append(paths, i.Path)
	}
	if err := c.load(ctx, paths); err != nil {
		return err
	}
	f, err := parser.ParseFile(c.fset, p.FileName(), p.File().Text, parser.ParseComments)
	if err != nil {
		return nil // GoNB finds out when it builds the program
	}
	p.Syntax, p.Fset, p.Errors = f, c.fset, nil
	p.Info = &types.Info{
		Uses:       map[*ast.Ident]types.Object{},
		Defs:       map[*ast.Ident]types.Object{},
		Types:      map[ast.Expr]types.TypeAndValue{},
		Instances:  map[*ast.Ident]types.Instance{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	conf := types.Config{Importer: c.imp, GoVersion: c.language, FakeImportC: true, Error: func(err error) {
		if e, ok := errors.AsType[types.Error](err); ok {
			p.Errors = append(p.Errors, e)
		}
	}}
	p.Pkg, err = conf.Check("main", c.fset, []*ast.File{f}, p.Info)
	p.Compiles = err == nil
	return nil
}

// closed returns the words with which the go command refuses a program that imports an internal
// package or another program, and "" if it does neither. The type checker accepts both.
func (c *Checker) closed(p *Program) string {
	for _, i := range p.Syntax.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		place := fmt.Sprintf("%s:%d:%d: ", p.FileName(), c.fset.Position(i.Path.Pos()).Line, c.fset.Position(i.Path.Pos()).Column)
		if slices.Contains(strings.Split(path, "/"), "internal") {
			return "package gonb_00000000\n\t" + place + "use of internal package " + path + " not allowed\n"
		}
		if pkg := c.packages[path]; pkg != nil && pkg.Name == "main" {
			return place + "import " + strconv.Quote(path) + " is a program, not an importable package\n"
		}
	}
	return ""
}

// vet has go test build the program of a %test cell, as GoNB does: it vets first,
// and a program that fails does not compile.
func (c *Checker) vet(ctx context.Context, p *Program) (err error) {
	build := func() (built bool) { built, err = c.build(ctx, p); return built }
	if c.Tests != nil {
		p.Compiles = c.Tests(ctx, p.File().Text, build)
	} else {
		p.Compiles = build()
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (c *Checker) build(ctx context.Context, p *Program) (built bool, err error) {
	tmp, err := os.MkdirTemp("", "marginalia-vet-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(tmp)
	file := filepath.Join(tmp, p.FileName())
	if err := os.WriteFile(file, []byte(p.File().Text), 0o600); err != nil {
		return false, err
	}
	// No symbol tables: nobody runs it, and linking is half the time.
	cmd := exec.CommandContext(ctx, "go", "test", "-mod=readonly", "-c", "-ldflags=-s", "-o", os.DevNull, file)
	cmd.Dir = c.dir
	cmd.Env = append([]string{"GOGC=400"}, c.env...) // it collects less garbage: see kernel/gocommand
	return cmd.Run() == nil, nil
}

// remembered reports whether the remembered imports are enough for a program: see [Program.Settle].
// For want of any, goimports would run the go command, and read the folders of all modules, also for
// a package of the standard library.
func (c *Checker) remembered(p *Program) bool {
	return p.Settle(func(path string) (string, bool) {
		pkg, err := c.imp.Import(path)
		if err != nil {
			return "", false
		}
		return pkg.Name(), true
	})
}

// resolve leaves a program the imports that it uses: those remembered, and
// those that goimports finds, which are not remembered.
func (c *Checker) resolve(p *Program) error {
	if c.flags == nil {
		cmd := exec.Command("go", "env", "GOFLAGS")
		cmd.Dir, cmd.Env = c.dir, c.env
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("go env: %w", err)
		}
		c.flags = append(workspace.Flags(string(out)), "-mod=readonly")
	}
	// goimports asks the go command, and has nothing but this process's own environment
	// to tell it of a workspace. All other go commands have theirs from workspace.Environ.
	if err := errors.Join(os.Setenv("GOWORK", workspace.Of(c.dir)), os.Setenv("GOFLAGS", strings.Join(c.flags, " "))); err != nil {
		return err
	}
	name := filepath.Join(c.dir, "cell", "main.go")
	out, err := imports.Process(name, []byte(p.File().Text), &imports.Options{
		TabWidth: 8, TabIndent: true, Comments: true, Fragment: true,
	})
	if err != nil {
		return fmt.Errorf("goimports: %w", err)
	}
	found, err := gonb.ParseFile(name, string(out))
	if err != nil {
		return err
	}
	for key, i := range found.Imports {
		if remembered := p.Decls.Imports[key]; remembered != nil {
			found.Imports[key] = remembered
		} else if strings.Contains(i.Path, "/internal/") {
			delete(found.Imports, key) // of our module, which the cell's on the kernel is not part of
		}
	}
	p.Decls.Imports = found.Imports
	p.file = gonb.File{}
	return nil
}
