//go:build unix

// Package buildserver builds the programs of cells for the commands go and goimports that GoNB
// calls. The front of a kernel serves a socket in the kernel's folder, and the commands, which are
// both internal/kernel/gocommand, ask there first:
//
//	a, ran := buildserver.Ask(call)
//	if !a.Done {
//		… run the real command …
//		ran(ok)
//	}
//
// What is served is [build.Builder]'s work, "go get" where nothing is missing, and goimports where
// no import is missing (imports.go). A program is built so that its last expression shows itself (last.go).
// MARGINALIA_BUILDER=off leaves everything to the real commands.
package buildserver

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"

	"marginalia/internal/build"
	"marginalia/internal/notebook/program"
	"marginalia/internal/notebook/stays"
	"marginalia/internal/notebook/workspace"
)

// A Call is how GoNB calls a command.
type Call struct {
	Name string // go or goimports
	Args []string
	Dir  string
	Env  []string
}

// An Answer says whether the server has done what the command should.
type Answer struct {
	Done   bool
	Edited map[string][]byte // what the real command is to read instead of some files of the folder, by name
	Unsure bool              // whether files are to be edited is not known
}

// A result is what the client says after it has run the real command.
type result struct{ OK bool }

// Path is the socket for the kernel in a folder.
func Path(folder string) string { return filepath.Join(folder, "k-go") }

// Ask has the server do the work of a command. If it did not, run the real command and tell ran whether
// that succeeded.
func Ask(c Call) (a Answer, ran func(ok bool)) {
	nobody := Answer{Unsure: true}
	ran = func(bool) {}
	folder := os.Getenv(workspace.FolderEnv)
	if folder == "" || build.Off() {
		return nobody, ran
	}
	conn, err := net.Dial("unix", Path(folder))
	if err != nil {
		return nobody, ran
	}
	if json.NewEncoder(conn).Encode(c) != nil || json.NewDecoder(conn).Decode(&a) != nil {
		return nobody, ran
	}
	return a, func(ok bool) {
		_ = json.NewEncoder(conn).Encode(result{ok}) // the front may have ended
		_, _ = io.Copy(io.Discard, conn)             // what GoNB calls next finds what the server learns from this
	}
}

// A Server answers the commands of one kernel.
type Server struct {
	Builder *build.Builder
	Go      string // the go command itself
	Vets    bool   // Vetted will be asked

	ahead  chan cell
	types  typing
	vetter vetter
}

// A cell has the program of one for which GoNB will soon call the go command.
type cell struct {
	ctx     context.Context
	command build.Command
	program *program.Program
}

// New returns a server that builds with b, and with the go command whose path is real, until the
// context is done.
func New(ctx context.Context, b *build.Builder, real string) *Server {
	s := &Server{Builder: b, Go: real, ahead: make(chan cell, 16)}
	go s.makeAhead(ctx)
	return s
}

// Ahead builds the program of a cell for which GoNB will soon call the go command by c.
func (s *Server) Ahead(ctx context.Context, c build.Command, p *program.Program) {
	select {
	case s.ahead <- cell{ctx, c, p}:
	default: // it is built when it is asked for
	}
}

// makeAhead builds cells in their order, on all processors.
func (s *Server) makeAhead(ctx context.Context) {
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for {
		select {
		case <-ctx.Done():
			return
		case c := <-s.ahead:
			if m := s.compose(c); m != nil {
				go func() {
					slots <- struct{}{}
					m.Make()
					<-slots
				}()
			}
		}
	}
}

// compose returns the program of a cell as it will be built, nil if that is not sure.
func (s *Server) compose(cell cell) *build.Making {
	c, p := cell.command, cell.program
	names := s.names(c)
	if names == nil || !p.Settle(names) {
		return nil
	}
	name := p.FileName()
	files := map[string][]byte{name: []byte(p.File().Text)}
	if edited := stays.Add(files[name]); edited != nil && !p.Test {
		files[name], files[stays.File] = edited, []byte(stays.Source)
	}
	if edited, _ := s.showLast(c, files[name]); edited != nil {
		files[name] = edited
	}
	c, _ = s.lean(c, files)
	return s.Builder.Ahead(cell.ctx, c, files)
}

// names says how the packages are named that are known, nil if none are.
func (s *Server) names(c build.Command) func(path string) (string, bool) {
	packages := s.Builder.Packages(c)
	if packages == nil {
		return nil
	}
	return func(path string) (string, bool) {
		p, ok := packages(path)
		return p.Name, ok
	}
}

// Serve answers what is called in the folder of a kernel until the listener is closed. What a user
// calls elsewhere is for the real commands.
func (s *Server) Serve(ctx context.Context, l net.Listener, dir string) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go s.answer(ctx, conn, dir)
	}
}

func (s *Server) answer(ctx context.Context, conn net.Conn, dir string) {
	defer conn.Close()
	dec, enc := json.NewDecoder(conn), json.NewEncoder(conn)
	var c Call
	if dec.Decode(&c) != nil {
		return
	}
	if !sameFolder(c.Dir, dir) {
		_ = enc.Encode(Answer{})
		return
	}
	asked, gone := context.WithCancel(ctx) // a client that is killed wants nothing any more
	defer gone()
	s.vet(c)
	ran := make(chan bool, 1)
	go func() {
		var r result
		if dec.Decode(&r) != nil {
			gone()
		}
		ran <- r.OK
	}()
	a := s.do(asked, c)
	if enc.Encode(a) == nil && !a.Done && <-ran && c.builds() {
		learn := s.learning(s.command(c))
		conn.Close()
		learn(ctx)
	}
}

func sameFolder(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// builds reports whether the call builds a program.
func (c Call) builds() bool {
	return c.Name == "go" && len(c.Args) > 0 && (c.Args[0] == "build" || c.Args[0] == "test")
}

func (s *Server) do(ctx context.Context, c Call) (a Answer) {
	switch {
	case c.Name == "goimports" && len(c.Args) == 2 && c.Args[0] == "-w":
		b := s.command(c)
		a.Done = s.Builder.Complete(b) && imports(c.Args[1], s.names(b))
	case c.Name == "go" && (slices.Equal(c.Args, []string{"get"}) || slices.Equal(c.Args, []string{"get", "-t"})):
		a.Done = s.Builder.Complete(s.command(c))
	case c.builds():
		b := s.command(c)
		files := programFiles(c.Dir)
		main := filepath.Join(c.Dir, mainFile)
		if edited, sure := s.showLast(b, files[main]); edited != nil {
			files[main], a.Edited = edited, map[string][]byte{mainFile: edited}
		} else {
			a.Unsure = !sure
		}
		b.Edited = a.Edited
		lean, ok := s.lean(b, files)
		a.Done = ok && s.Builder.Build(ctx, lean) || s.Builder.Build(ctx, b)
	}
	return a
}

// command is the command that builds the cell, also if c comes before it.
func (s *Server) command(c Call) build.Command {
	b := build.Command{Go: s.Go, Args: c.Args, Dir: c.Dir, Env: c.Env}
	if !c.builds() {
		b.Args = []string{"build", "-o", "cell"}
		if _, err := os.Stat(filepath.Join(c.Dir, "main_test.go")); err == nil { // a %test cell's
			b.Args = []string{"test", "-c", "-o", "cell"}
		}
	}
	return b
}

// Prepare begins to learn what cells usually import, unless that is known, for the kernel that builds in
// a folder, and returns the rest.
func (s *Server) Prepare(dir string, env []string) (learn func(context.Context)) {
	return s.learning(s.command(Call{Dir: dir, Env: env}))
}

// learning begins to learn what cells import, and the same for those that are built lean, and returns
// the rest. If that fails, cells are built by the go command.
func (s *Server) learning(c build.Command) (learn func(context.Context)) {
	files := programFiles(c.Dir)
	all := []func(context.Context, ...string) error{s.Builder.Learning(c)}
	if len(c.Args) == 3 && (len(files) == 0 || draws(files)) {
		c.Args = append(slices.Clip(c.Args), minimal)
		all = append(all, s.Builder.Learning(c))
	}
	return func(ctx context.Context) {
		for _, learn := range all {
			_ = learn(ctx, workspace.Usual...)
		}
		debug.FreeOSMemory() // the go command's listings are garbage now
	}
}
