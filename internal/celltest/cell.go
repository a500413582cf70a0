// Package celltest runs the cells of an exported notebook, each in a process
// of its own as GoNB does, and compares what they print and show with what the
// notebook holds.
//
// A package that `marginalia export` writes lists its cells and hands them over:
//
//	func TestMain(m *testing.M)      { celltest.Main(m, cells) }
//	func TestNotebook(t *testing.T)  { celltest.Run(t, "testdata/01-perceptron.ipynb", cells) }
//
// The test binary then runs itself again for each cell, with the cell's id in
// the environment: Main sees it, initialises the package variables that the
// cell's program has, and calls the cell's main.
package celltest

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// A Cell is one code cell as a program.
type Cell struct {
	ID       string
	Args     []string `json:",omitempty"` // of the program: os.Args[1:]
	Env      []string `json:",omitempty"` // KEY=VALUE, from %env here and in earlier cells
	Dir      string   `json:",omitempty"` // from %cd, relative to the notebook's folder unless absolute
	Prints   []Print  `json:",omitempty"` // what its commands print before the program runs
	Fails    string   `json:",omitempty"` // the error with which GoNB refuses the cell: no program runs
	Skip     string   `json:",omitempty"` // why it can't be tested
	Problems []string `json:",omitempty"` // where GoNB itself misbehaves: reported as failures
	Missing  []string `json:",omitempty"` // modules that are not there, and what to do: it can't be built
	NoGo     bool     `json:",omitempty"` // nothing but commands

	// Program is the folder of a cell that is built by itself, relative to the
	// package; Build are the flags of its go build. Such a cell has no Main.
	Program string   `json:",omitempty"`
	Build   []string `json:",omitempty"`

	Test bool     `json:",omitempty"` // a %test cell
	Init []func() `json:"-"`          // initialisers of package variables, then init functions, in GoNB's order
	Main func()   `json:"-"`

	Tests      []testing.InternalTest      `json:"-"` // of a %test cell
	Benchmarks []testing.InternalBenchmark `json:"-"`
}

// A Print is text that a command of the cell prints. If Dir is not "", Text is
// a format and gets the absolute path of that folder.
type Print struct {
	Stream, Text string
	Dir          string `json:",omitempty"`
}

// cellEnv names the cell that a process is to run. listCells asks for the list of cells instead.
const (
	cellEnv   = "MARGINALIA_CELL"
	listCells = "?"
)

// Main is the body of an exported package's TestMain.
func Main(m *testing.M, cells []Cell) {
	id, ok := os.LookupEnv(cellEnv)
	if !ok {
		os.Exit(m.Run())
	}
	os.Unsetenv(cellEnv)
	if id == listCells {
		json.NewEncoder(os.Stdout).Encode(cells)
		os.Exit(0)
	}
	for _, c := range cells {
		if c.ID == id {
			c.run()
			os.Exit(0)
		}
	}
	fmt.Fprintf(os.Stderr, "celltest: there is no cell %q\n", id)
	os.Exit(2)
}

// run does what the program of the cell does, in this process.
func (c Cell) run() {
	if !c.Test {
		withoutTestFlags()
	}
	for _, f := range c.Init {
		f()
	}
	if c.Test {
		testing.Main(matchString, c.Tests, c.Benchmarks, nil)
		return
	}
	c.Main()
}

// withoutTestFlags leaves flag.CommandLine as a program that is no test has it.
func withoutTestFlags() {
	all := flag.CommandLine
	flag.CommandLine = flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	flag.CommandLine.Usage = func() { flag.Usage() }
	all.VisitAll(func(f *flag.Flag) {
		if !strings.HasPrefix(f.Name, "test.") {
			flag.Var(f.Value, f.Name, f.Usage)
		}
	})
}

func matchString(pattern, name string) (bool, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return false, err
	}
	return re.MatchString(name), nil
}
