// Package program says what a notebook is by GoNB's rules: the program that
// each of its code cells amounts to, and where every line of it comes from.
//
// A Session goes through the cells in order, as a kernel would, and keeps the
// kernel's state: the declarations it remembers, %env, %cd, %goflags. It reads
// a thousand cells in a fraction of a second, needs no Go module, and executes
// nothing:
//
//	s := program.NewSession("notebooks")
//	for _, c := range cells {
//		p := s.Step(c.ID, c.Source)
//		s.Remember(p)
//	}
//	text, origins := p.File().Text, p.File().Origins // GoNB's main.go of the last cell
//
// GoNB remembers what a cell declares once its program has compiled. A caller
// who knows whether it did, from a kernel's answer say, calls Remember only then.
// A Checker finds out: it resolves imports as goimports does and runs the type
// checker. It needs the go command and a folder in a module.
//
//	types := program.NewChecker(root, root)
//	p, err := types.Step(ctx, s, c.ID, c.Source)
//
// To continue from one cell in several ways, Clone the session there. A student's
// answer after cell i is a Step of the clone taken after i.
package program

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/notebook/gonb"
)

// A Session is the state of GoNB's kernel between two cells.
type Session struct {
	dir   string      // the notebook's folder
	decls *gonb.Decls // remembered; replaced and never changed, since programs and clones share it
	env   []string
	cwd   string // relative to dir, or absolute
	flags []string
	lost  map[string]string // names declared in cells that want a module, with the cell
}

// NewSession returns the state of a kernel that was just started for a notebook
// in folder dir.
func NewSession(dir string) *Session {
	return &Session{dir: dir, decls: gonb.NewDecls(), lost: map[string]string{}}
}

// Clone returns a session in the same state. What becomes of one does not
// change the other.
func (s *Session) Clone() *Session {
	c := *s
	c.env, c.lost = slices.Clip(s.env), maps.Clone(s.lost)
	return &c
}

// Step takes the next code cell. It executes the commands that change the state
// (%env, %cd, %goflags, %rm, %reset) and composes the program from what is
// remembered and what the cell has.
func (s *Session) Step(id, source string) *Program {
	c := gonb.Read(id, source)
	p := &Program{ID: id, Test: c.Test, Source: c, Problems: c.Problems(), NoGo: true}
	if c.Magic {
		s.magic(p)
		return p
	}
	if slices.ContainsFunc(p.Problems, func(p gonb.Problem) bool { return p.Fatal }) {
		return p
	}
	for _, cmd := range c.Commands {
		if err := s.command(cmd, p); err != nil {
			p.Fails = err.Error()
			return p
		}
	}
	p.Args, p.Env, p.Dir, p.Flags = c.Args, slices.Clone(s.env), s.cwd, s.flags
	if !c.HasGo() {
		return p
	}
	own, main, err := c.Parse()
	if err != nil {
		p.Fails = withFolder.Replace(err.Error())
		if syntax, ok := errors.AsType[*gonb.SyntaxError](err); ok {
			p.file.Origins = syntax.Origins
		}
		return p
	}
	if p.Test && len(p.Args) == 0 {
		p.Args = testArgs(own)
	}
	p.NoGo = false
	p.Problems = append(p.Problems, gonb.Hazards(s.decls, own)...)
	p.Own, p.Main, p.after = own, main, s.decls.Clone()
	p.after.Merge(own)
	all := *p.after
	p.Decls = &all
	return p
}

// magic takes a cell that is not Go. A file with a plain name is written here, too.
func (s *Session) magic(p *Program) {
	words := p.Source.Commands[0].Words
	if words[0] != "%%writefile" || len(words) != 2 || strings.ContainsAny(words[1], "~$") || filepath.IsAbs(words[1]) {
		p.skip("line 1: %s is not Go", strings.Join(words, " "))
		return
	}
	_, text, more := strings.Cut(p.Source.Source, "\n")
	if more {
		text += "\n"
	}
	p.Dir, p.Writes = s.cwd, &Written{words[1], text}
	p.Prints = append(p.Prints, Print{Stream: "stderr", Text: fmt.Sprintf("Cell contents written to %q.\n", words[1])})
}

// withFolder puts a folder such as the kernel's before the file of a syntax error.
var withFolder = strings.NewReplacer("main.go:", "gonb_00000000/main.go:", "main_test.go:", "gonb_00000000/main_test.go:")

// Remember has the session remember what the cell of p, the last that it took,
// declares. GoNB does so once the program has compiled, whether it then ran well or not.
func (s *Session) Remember(p *Program) {
	if !p.NoGo {
		s.decls = p.after
	}
}

// Decls returns what is remembered, which must not be changed.
func (s *Session) Decls() *gonb.Decls { return s.decls }

// Again returns what brings a new kernel into the state of the session: its environment, its
// folder, and a cell with the declarations to memorise.
func (s *Session) Again() (env []string, dir, source string) {
	dir = s.cwd
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(s.dir, dir)
	}
	if len(s.flags) > 0 {
		source = "%goflags"
		for _, flag := range s.flags {
			source += ` "` + quote.Replace(flag) + `"`
		}
		source += "\n"
	}
	return slices.Clone(s.env), dir, source + s.decls.Source()
}

var quote = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)
