package program

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"marginalia/internal/notebook/gonb"
)

// A Program is what GoNB builds for one cell, and how it runs it.
type Program struct {
	ID       string
	Args     []string // os.Args[1:]
	Env      []string // KEY=VALUE, from %env here and in earlier cells
	Dir      string   // from %cd, relative to the notebook's folder unless absolute
	Flags    []string // of go build, from %goflags
	Test     bool     // a %test cell: File is main_test.go, built with go test
	Prints   []Print  // what the cell's commands print before the program runs
	Problems []gonb.Problem

	// NoGo says that there is no program: the cell has nothing but commands,
	// GoNB refuses it (Fails), its kernel would die of it (Problems), it writes a
	// file (Writes), or it is for another interpreter (Skip). The fields from Own on
	// are empty then, save the origins in File of a cell that does not parse.
	NoGo  bool
	Fails string // the error with which GoNB refuses the cell, or, if not NoGo, the go command its imports
	Skip  string // the first command that only the kernel can execute, and why

	Writes *Written // what a %%writefile cell writes

	Source *gonb.Source
	Own    *gonb.Decls // what the cell itself declares
	Decls  *gonb.Decls // what the program declares, with what was remembered
	Main   *gonb.Func

	// What a Checker finds out. It leaves in Decls the imports that the program
	// uses, and adds those that goimports finds. Syntax and Info are of File; Info
	// and Pkg are partial if the program does not compile.
	Compiles bool
	Effects  bool          // it has a `var _ = …` that does something
	Errors   []types.Error // why it does not compile; empty if the parser said so
	Missing  []string      // modules that go.mod does not require, and what to do
	Shows    string        // its last expression, which shows itself, with its cell and line: `sum, line 3: x + 1`
	Fset     *token.FileSet
	Syntax   *ast.File
	Info     *types.Info
	Pkg      *types.Package

	after *gonb.Decls // what is remembered if the program compiles
	file  gonb.File
}

// Of returns the program that declarations and a main function amount to, which no
// cell of a session has.
func Of(decls *gonb.Decls, main *gonb.Func) *Program { return &Program{Decls: decls, Main: main} }

// File returns GoNB's main.go, or main_test.go, with the origin of each line. Of a
// cell that does not parse it has the origins alone.
func (p *Program) File() gonb.File {
	if p.file.Text == "" && p.Decls != nil {
		p.file = p.Decls.Compose(p.Main)
	}
	return p.file
}

// Origin returns the origin of a line, from 1, of the main.go that GoNB built for the program.
// It counts from the end, where both agree: GoNB's file begins with more imports, those that
// goimports found.
func (p *Program) Origin(built string, line int) (at gonb.Origin, ok bool) {
	file := p.File()
	ours, theirs := strings.Split(file.Text, "\n"), strings.Split(built, "\n")
	k := line - 1 - len(theirs) + len(ours)
	if line < 1 || line > len(theirs) || k < 0 || k >= len(file.Origins) || ours[k] != theirs[line-1] {
		return gonb.Origin{}, false
	}
	return file.Origins[k], file.Origins[k].Cell != ""
}

// A Print is text that a command of the cell prints. If Dir is not "", Text is
// a format and gets the absolute path of that folder.
type Print struct{ Stream, Text, Dir string }

// A Written is a file that a cell writes, from its folder.
type Written struct{ Name, Text string }

func (p *Program) skip(format string, args ...any) {
	if p.Skip == "" {
		p.Skip = fmt.Sprintf(format, args...)
	}
}

// FileName returns what GoNB calls the file of the program.
func (p *Program) FileName() string {
	if p.Test {
		return "main_test.go"
	}
	return "main.go"
}

// testArgs are the flags with which GoNB runs the tests of a %test cell that names none.
func testArgs(d *gonb.Decls) []string {
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
