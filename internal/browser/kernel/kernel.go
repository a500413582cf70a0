// Package kernel runs the cells of a notebook in a page as GoNB's kernel does on a computer: it
// composes the program of a cell from the cells above, compiles, links and runs it, and collects what
// it prints and shows. The worker that runs it is its [Host]. The program for pages is
// internal/browser/kernel/worker.
//
//	k := kernel.New(host, m)
//	ok := k.Execute(kernel.Cell{ID: "score", Source: source}, func(o kernel.Output) { … })
//
// What a cell means is the business of packages gonb and program, as on the kernel and in Go tests.
// Missing imports come from the manifest, by goimports' rules.
package kernel

import (
	"cmp"
	"errors"
	"fmt"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/browser/manifest"
	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/program"
)

// A Kernel is the state between two cells.
type Kernel struct {
	host    Host
	m       *manifest.Manifest
	dir     string // of the notebook
	session *program.Session
	count   int
	sources map[int]string // by the number of the cell
	keys    keyboard

	files map[string]string // of packages that were loaded for their types, by import path
	types types.Importer
}

// New returns a kernel for a notebook in a folder of the host. No cell of it has run.
func New(host Host, m *manifest.Manifest, dir string) *Kernel {
	return &Kernel{host: host, m: m, dir: dir, session: program.NewSession(dir), sources: map[int]string{}}
}

// A Cell is a code cell to execute.
type Cell struct {
	ID, Source string
	// Above are the sources of the code cells above it. If it is not nil, the cell is executed behind
	// these alone, as if they had been executed and compiled: a reader need not run them. Its number is
	// one more than theirs. If it is nil, the cell is executed behind all that this kernel executed.
	Above []string
	// Unnumbered: it takes no number of its own, but that of the last cell, as a request of Jupyter's that stores no
	// history.
	Unnumbered bool
	// Ask is called when the program waits for a line that somebody types. [Kernel.Type] answers. If it is
	// nil, nobody can type, and the program's input ends.
	Ask func(prompt string, password bool)
}

// An Output is an output as Jupyter stores it, and the display id under which it replaces an earlier one. An
// error may have marks.
type Output struct {
	nbformat.Output
	ID    string
	Marks []Mark
}

// A Mark is a place in a cell and what is wrong there, for an editor.
type Mark struct {
	Cell    int    `json:"cell"`   // from 1, its number in the words of the error
	Line    int    `json:"line"`   // from 1
	Column  int    `json:"column"` // from 1, in units of UTF-16, as JavaScript counts; 0 if it is not known
	Message string `json:"message"`
}

// Execute executes a cell. It calls show with each output when it comes, and reports whether the cell
// ended well, and its number.
func (k *Kernel) Execute(c Cell, show func(Output)) (ok bool, count int) {
	if strings.TrimSpace(c.Source) == "" {
		return true, 0 // as Jupyter: a blank cell has no outputs and no count
	}
	unread, lacks := 0, ""
	if c.Above != nil {
		k.session, k.count, k.sources = program.NewSession(k.dir), 0, map[int]string{}
		for _, source := range c.Above {
			k.count++
			k.sources[k.count] = source
			p := k.session.Step(strconv.Itoa(k.count), source)
			k.session.Remember(p)
			if unread == 0 && p.Fails != "" {
				unread, lacks = k.count, p.Fails
			}
		}
	}
	if !c.Unnumbered {
		k.count++
	}
	k.sources[k.count] = c.Source
	k.keys.begin(c.Ask)
	r := &run{Kernel: k, show: show, p: k.session.Step(strconv.Itoa(k.count), c.Source), unread: unread, lacks: lacks}
	if err := r.execute(); err != nil {
		r.fail(err.Error(), nil)
	}
	return !r.failed, k.count
}

// A run is one execution of a cell.
type run struct {
	*Kernel
	p *program.Program
	// unread is the first of the cells above that is not Go, so that what it declares is missing; 0: none. lacks
	// says so in GoNB's words.
	unread int
	lacks  string
	show   func(Output)
	failed bool
}

// execute does what GoNB does with a cell. The error is of what the cell cannot help.
func (r *run) execute() error {
	p := r.p
	if i := slices.IndexFunc(p.Problems, func(p gonb.Problem) bool { return p.Fatal }); i >= 0 {
		r.fail(p.Problems[i].What, nil)
		return nil
	}
	if w := p.Writes; w != nil {
		err := os.WriteFile(filepath.Join(r.abs(p.Dir), w.Name), []byte(w.Text), 0o644)
		if path, ok := errors.AsType[*fs.PathError](err); ok { // GoNB's words; in a page Go's begin with a capital letter
			why := path.Err.Error()
			return fmt.Errorf("failed to open %q: open %[1]s: %s", w.Name, strings.ToLower(why[:1])+why[1:])
		}
	}
	for _, print := range p.Prints {
		text := print.Text
		if print.Dir != "" {
			text = fmt.Sprintf(text, r.abs(print.Dir))
		}
		r.print(print.Stream, text)
	}
	if slices.ContainsFunc(p.Source.Commands, func(c gonb.Command) bool { return !c.Shell && c.Words[0] == "goflags" && len(p.Flags) > 0 }) {
		r.print("stderr", noFlags)
	}
	switch {
	case p.Fails != "":
		r.explain(p.Fails, nil, "")
		return nil
	case p.Skip != "":
		r.session.Remember(p) // as of a cell above that was not executed
		return errors.New(cmp.Or(notHere(p.Source), "this cell does not run in a page: "+p.Skip))
	case p.NoGo:
		return nil
	}
	r.p.Complete(r.m.PackageName, r.m.Find) // what is missing the compiler says
	if !p.Test {
		p.ShowLast(&packages{kernel: r.Kernel, text: p.File().Text})
	}
	built, err := r.build()
	if err == nil && built == "" && r.unread > 0 {
		r.explainCell(r.unread, r.lacks, nil, "")
	}
	if err != nil || built == "" {
		return err
	}
	r.session.Remember(p)
	return r.start(built)
}

func (r *run) abs(dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(r.dir, dir)
}

// print shows text that the cell prints.
func (r *run) print(stream, text string) {
	if text != "" {
		r.show(Output{Output: nbformat.Output{Type: "stream", Name: stream, Text: text}})
	}
}

// fail shows the error that ends the cell, with GoNB's words. traceback is what readers see, the words
// themselves if it is nil.
func (r *run) fail(words string, traceback []string, marks ...Mark) {
	if traceback == nil {
		traceback = []string{words}
	}
	r.failed = true
	r.show(Output{Output: nbformat.Output{Type: "error", EName: "ERROR", EValue: words, Traceback: traceback}, Marks: marks})
}
