// Package layout is an exported notebook on disk: programs that run its cells (see
// package cellrun), each with the list of them.
//
//	p, err := layout.Open("01-perceptron/testdata/part1", "/tmp/cells")
//	…
//	err = p.Build(ctx)
package layout

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"

	"marginalia/internal/build"
	"marginalia/internal/notebook/workspace"
)

// A Cell describes a code cell before its program runs.
type Cell struct {
	ID       string
	Args     []string `json:",omitempty"` // of the program: os.Args[1:]
	Env      []string `json:",omitempty"` // KEY=VALUE, from %env here and in earlier cells
	Dir      string   `json:",omitempty"` // from %cd, relative to the notebook's folder unless absolute
	Prints   []Print  `json:",omitempty"` // what its commands print before the program runs
	Fails    string   `json:",omitempty"` // the error with which GoNB refuses the cell: no program runs
	Skip     string   `json:",omitempty"` // why it can't be tested
	Problems []string `json:",omitempty"` // where the kernel can't do what a test does: reported as failures
	Warnings []string `json:",omitempty"` // where GoNB does something else than the code says, here as on the kernel
	Missing  []string `json:",omitempty"` // modules that are not there, and what to do: it can't be built
	NoGo     bool     `json:",omitempty"` // nothing but commands
	Test     bool     `json:",omitempty"` // a %test cell
	Writes   *File    `json:",omitempty"` // the file that a %%writefile cell writes
	Caches   bool     `json:",omitempty"` // GoNB's cache is linked into its program, and makes a folder when that starts
	Outside  bool     `json:",omitempty"` // it may touch files, ports, processes: it runs after earlier ones that may

	// Key is a sum of the text of its program, where that only computes and shows: it depends on no
	// file. Else it is "".
	Key string `json:",omitempty"`

	Uses []Use `json:",omitempty"` // what its own lines name of the library, sorted

	// Program is the folder of a cell that is built by itself, relative to the
	// package; Build are the flags of its go build. Lines has the place in the
	// notebook, as id:line, of each line of that program, or of one that does not parse.
	Program string   `json:",omitempty"`
	Build   []string `json:",omitempty"`
	Lines   []string `json:",omitempty"`
}

// A File is written to Name, from the cell's Dir.
type File struct{ Name, Text string }

// A Print is text that a command of the cell prints. If Dir is not "", Text is
// a format and gets the absolute path of that folder.
type Print struct {
	Stream, Text string
	Dir          string `json:",omitempty"`
}

// A Use is a function or a type of mlkit, plotting or datasets, or a method, which has a Type.
type Use struct {
	Package, Name string
	Type          string `json:",omitempty"`
}

// Compare orders uses by package, methods below their types.
func (u Use) Compare(v Use) int {
	return cmp.Or(cmp.Compare(u.Package, v.Package), cmp.Compare(cmp.Or(u.Type, u.Name), cmp.Or(v.Type, v.Name)), cmp.Compare(u.Type, v.Type), cmp.Compare(u.Name, v.Name))
}

// ProgramDir returns the folder of the n-th program of an exported notebook, from 1, in that of
// the notebook's package.
func ProgramDir(n int) string { return fmt.Sprintf("testdata/part%d", n) }

// All opens the programs in the folder of a notebook's package: see Open. binary returns, for the
// folder of each, the file of the program.
func All(dir string, binary func(dir string) string) ([]Package, error) {
	lists, err := filepath.Glob(filepath.Join(dir, "testdata", "part*", CellsFile))
	if err != nil {
		return nil, err
	}
	var all []Package
	for _, list := range lists {
		at := filepath.Dir(list)
		p, err := Open(at, binary(at))
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// The files of an exported program: the list of its Cells, and, where it has
// been built, the program that runs them.
const (
	CellsFile   = "cells.json"
	ProgramFile = "cells"
)

// A Package is a program of an exported notebook, built.
type Package struct {
	Dir, Binary string
	Cells       []Cell
	// Overlay is a file for the go command's -overlay, an absolute path, or "": its files
	// take the place of others when the package is built.
	Overlay string
}

// Open reads the list of cells of the package in dir. Its program is built
// already, or will be, as the file binary, an absolute path.
func Open(dir, binary string) (Package, error) {
	p := Package{Dir: dir, Binary: binary}
	file := filepath.Join(dir, CellsFile)
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &p.Cells)
	}
	if err != nil {
		return p, fmt.Errorf("layout: the list of cells %s: %w", file, err)
	}
	return p, nil
}

// noSymbols leaves the symbol tables out: writing them is half the time of linking. Nor has a program
// an id, which would be another after each edit of a package, used or not (celltest.Store). A cell that
// asks for -ldflags of its own has those.
const noSymbols = "-ldflags=-buildid= -s"

// Build builds the program of the package. The error has the words of the compiler.
func (p Package) Build(ctx context.Context) error {
	c, err := p.command(p.Dir, p.Binary)
	if err != nil || Builder().Build(ctx, c) {
		return err
	}
	words, err := goCommand(ctx, c)
	if words != "" {
		return errors.New(words)
	}
	if err == nil {
		_ = Builder().Learn(ctx, c, workspace.Usual...) // else the next is built by the go command, too
	}
	return err
}

// Program returns the program of a cell, which it builds in tmp if the cell is
// a program of its own; or, if that does not compile, what the compiler says.
func (p Package) Program(ctx context.Context, c Cell, tmp string) (binary, words string, err error) {
	if c.Program == "" {
		return p.Binary, "", nil
	}
	binary = filepath.Join(tmp, "cell")
	dir := filepath.Join(p.Dir, c.Program)
	command, err := p.command(dir, binary, c.Build...)
	if c.Test {
		command, err = p.Tests(dir, binary, c.Build...)
	}
	// What is not known is learned when the notebook is exported: to learn reads all packages, and a
	// test that did would depend on them.
	if err != nil || Builder().Build(ctx, command) {
		return binary, "", err
	}
	words, err = goCommand(ctx, command)
	return binary, words, err
}

// Builder is the user's.
var Builder = sync.OnceValue(build.Users)

// command is the go command for the program in dir.
func (p Package) command(dir, binary string, more ...string) (build.Command, error) {
	return p.call(dir, slices.Concat([]string{"build", "-o", binary, "-mod=readonly", noSymbols, "-buildvcs=false"}, more))
}

// Tests is the go command for tests in dir. It vets them, as on the kernel.
func (p Package) Tests(dir, binary string, more ...string) (build.Command, error) {
	return p.call(dir, slices.Concat([]string{"test", "-c", "-o", binary, "-mod=readonly", noSymbols}, more))
}

func (p Package) call(dir string, args []string) (build.Command, error) {
	if p.Overlay != "" {
		args = append(args, "-overlay="+p.Overlay)
	}
	real, err := exec.LookPath("go")
	return build.Command{Go: real, Args: args, Dir: dir, Env: workspace.Environ(dir)}, err
}

// goCommand runs the go command, and returns what it says if it fails.
func goCommand(ctx context.Context, c build.Command) (words string, err error) {
	cmd := exec.CommandContext(ctx, c.Go, append(slices.Clip(c.Args), ".")...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	out, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); errors.As(err, &exit) && ctx.Err() == nil {
		return string(out), nil
	}
	return "", err
}
