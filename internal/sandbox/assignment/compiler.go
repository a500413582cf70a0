package assignment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"marginalia/internal/base/processes"
	"marginalia/internal/notebook/nbformat"
)

// A Compiler makes guests of submissions in a process of its own, this program once more (see CompilerMain), since what
// a student has written may take the type checker, the compiler or the linker any time and
// memory. The process is ended when it takes too much, and the submission is Refused. A Compiler is used by one goroutine
// at a time.
type Compiler struct {
	// CPU is what a submission may take of the processor, and Memory what the process and the go command
	// may take together, in bytes.
	CPU    time.Duration
	Memory int64
	// Patience is how long it may last by the clock: for what hangs.
	Patience time.Duration
	// Unbounded is for the lecturer's own: Go may have to compile all packages first.
	Unbounded bool

	assignment *Assignment
	cmd        *exec.Cmd
	in         io.WriteCloser
	out        *json.Decoder
	requests   int // that the process has answered

	watched sync.Mutex    // of what follows
	before  time.Duration // of the processor, when the submission began
	since   time.Time
	paused  bool          // it takes no time: packages are prepared
	taken   time.Duration // of the processor, when that began
	at      time.Time
}

// maxRequests is how many requests one process answers: it grows by some 50 kB with each.
const maxRequests = 1000

// Compiler returns a compiler with bounds that are some ten times what a page of code takes.
func (a *Assignment) Compiler() *Compiler {
	return &Compiler{CPU: 10 * time.Second, Memory: 3 << 29, Patience: 5 * time.Minute, assignment: a}
}

// Refused says why there can't be a guest of a submission: what is left of it does not compile, or it
// takes too much.
type Refused struct{ Why string }

func (r *Refused) Error() string { return "assignment: " + r.Why }

// A compileRequest is a line of the process's standard input. The first has the lecturer's notebook.
type compileRequest struct {
	Notebook  []byte            `json:",omitempty"`
	Root      string            `json:",omitempty"`
	Allowed   *bool             `json:",omitempty"` // the answer to a compileReply's Asks or Prepares
	Reference []string          `json:",omitempty"`
	Out       map[string]string `json:",omitempty"`
	Dir       string            `json:",omitempty"`
	// Show asks for the programs that run the cells if it is -1, and for the one of this number, from 1, to be
	// built in Dir. Split gives each cell a program.
	Show  int  `json:",omitempty"`
	Split bool `json:",omitempty"`
}

// A compileReply is a line of its standard output.
type compileReply struct {
	Asks string `json:",omitempty"` // whether a package may be imported
	// Prepares says that packages are to be compiled, which a submission may import and which the machine has not compiled yet, and
	// Prepared that they are. It takes none of the submission's time.
	Prepares, Prepared bool `json:",omitempty"`

	Made    Made
	Shown   showReply
	Refused string
	Err     string
}

// A Made is a guest that was assembled, or built.
type Made struct {
	File    string
	Notes   []Problem // see [Guest]
	Student string
	Key     string // a hash of its text
	Less    bool   // the build has left out something of the text, as notes say
	// Circles are the tests cells whose answers need each other in the student's version, each group in the order of the notebook.
	Circles [][]string
}

// Compile assembles a submission (see Assemble) and builds it in dir, unless dir is "".
func (c *Compiler) Compile(ctx context.Context, nb *nbformat.Notebook, reference []string, out map[string]string, dir string) (*Made, error) {
	r, err := c.request(ctx, nb, compileRequest{Reference: reference, Out: out, Dir: dir})
	if err != nil {
		return nil, err
	}
	return &r.Made, nil
}

// request sends the process a submission's code cells, and bounds what it takes for its reply.
func (c *Compiler) request(ctx context.Context, nb *nbformat.Notebook, q compileRequest) (r compileReply, err error) {
	cells, _ := c.assignment.submitted(nb)
	sent := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{}}
	for _, s := range cells {
		sent.Cells = append(sent.Cells, &nbformat.Cell{ID: s.ID, Type: "code", Source: s.Source, Metadata: s.Metadata})
	}
	if q.Notebook, err = sent.Encode(); err != nil {
		return r, err
	}
	if c.requests++; c.requests > maxRequests {
		c.Close()
	}
	if c.cmd == nil {
		if err := c.start(); err != nil {
			return r, err
		}
		c.requests = 1
	}
	stop := c.watch(ctx)
	r, err = c.ask(q)
	refused := stop()
	switch {
	case ctx.Err() != nil:
		c.Close()
		return r, context.Cause(ctx)
	case refused == nil && err != nil:
		if exit := c.died(); exit != nil && Killed(exit) {
			return r, &MachineError{fmt.Sprintf("the compiler was ended (%v)", exit)}
		}
		refused = &Refused{"the compiler does not come to an end with it"}
		fallthrough
	case refused != nil:
		c.Close()
		return r, refused
	case r.Refused != "":
		return r, &Refused{r.Refused}
	case r.Err != "":
		return r, errors.New(r.Err)
	}
	return r, nil
}

func (c *Compiler) start() error {
	if !compilerReady.Load() {
		return errors.New("assignment: a submission was compiled before CompilerMain: call assignment.CompilerMain first thing in main or TestMain")
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c.cmd = processes.Command(context.Background(), self)
	c.cmd.Env = append(os.Environ(), compilerEnv+"=1", fmt.Sprint("GOMEMLIMIT=", c.Memory/2))
	c.cmd.WaitDelay = time.Second
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	c.out = json.NewDecoder(out)
	if err := c.cmd.Start(); err != nil {
		c.cmd = nil
		return fmt.Errorf("assignment: the compiler does not start: %w", err)
	}
	r, err := c.ask(compileRequest{Notebook: c.assignment.notebook, Root: c.assignment.root})
	if err == nil && r.Err != "" {
		err = errors.New(r.Err)
	}
	if err != nil {
		c.Close()
		return fmt.Errorf("assignment: the compiler does not start: %w", err)
	}
	return nil
}

// ask sends a request, answers what the process asks, and returns its reply.
func (c *Compiler) ask(q compileRequest) (r compileReply, err error) {
	enc := json.NewEncoder(c.in)
	for {
		if err := enc.Encode(q); err != nil {
			return r, err
		}
		r = compileReply{}
		if err := c.out.Decode(&r); err != nil || r.Asks == "" && !r.Prepares && !r.Prepared {
			return r, err
		}
		allowed := true
		switch {
		case r.Prepares:
			c.pause(true)
		case r.Prepared:
			c.pause(false)
		default:
			allowed = c.assignment.MayImport != nil && c.assignment.MayImport(r.Asks)
		}
		q = compileRequest{Allowed: &allowed}
	}
}

// watch kills the process once it takes too much, or the context ends. stop ends watching, and says what it took too much of.
func (c *Compiler) watch(ctx context.Context) (stop func() *Refused) {
	pid := c.cmd.Process.Pid
	c.before, c.since, c.paused = processes.Usage(pid).CPU, time.Now(), false
	var refused *Refused
	end := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		tick := time.NewTicker(300 * time.Millisecond) // a look at all processes takes some milliseconds
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-ctx.Done():
				processes.Kill(pid)
				return
			case <-tick.C:
			}
			c.watched.Lock()
			paused, before, start := c.paused, c.before, c.since
			load := processes.Usage(pid)
			c.watched.Unlock()
			switch {
			case c.Unbounded || paused:
				continue
			case load.CPU-before > c.CPU:
				refused = &Refused{fmt.Sprintf("it takes more than %v to be compiled", c.CPU)}
			case load.Memory > c.Memory:
				refused = &Refused{fmt.Sprintf("it takes more than %d MB to be compiled", c.Memory>>20)}
			case time.Since(start) > c.Patience:
				refused = &Refused{fmt.Sprintf("it is not compiled after %v", c.Patience)}
			default:
				continue
			}
			processes.Kill(pid)
			return
		}
	})
	return func() *Refused {
		close(end)
		watching.Wait()
		return refused
	}
}

// pause leaves out of what the process takes all that it takes from now on, or counts again.
func (c *Compiler) pause(paused bool) {
	c.watched.Lock()
	defer c.watched.Unlock()
	now, taken := time.Now(), processes.Usage(c.cmd.Process.Pid).CPU
	if c.paused && !paused {
		c.before, c.since = c.before+taken-c.taken, c.since.Add(now.Sub(c.at))
	}
	c.paused, c.taken, c.at = paused, taken, now
}

// died waits for the end of a process that has ended, or is about to, and says how it did. One that goes on is killed.
func (c *Compiler) died() *exec.ExitError {
	kill := time.AfterFunc(10*time.Second, func() { processes.Kill(c.cmd.Process.Pid) })
	c.in.Close()
	err := c.cmd.Wait()
	c.cmd = nil
	exit, _ := errors.AsType[*exec.ExitError](err)
	if !kill.Stop() {
		return nil
	}
	return exit
}

// Close ends the process, if it runs.
func (c *Compiler) Close() {
	if c.cmd == nil {
		return
	}
	c.in.Close()
	processes.Kill(c.cmd.Process.Pid)
	c.cmd.Wait()
	c.cmd = nil
}

// compilerEnv, in the environment, makes a program that calls CompilerMain the process of a Compiler.
const compilerEnv = "MARGINALIA_COMPILER"

// compilerReady is set when CompilerMain was called. Without that call a Compiler would start the
// program as such again, which may start it again.
var compilerReady atomic.Bool

// CompilerMain makes this process that of a Compiler if it was started as one, and does not return
// then. Otherwise it returns at once and permits a Compiler to start its process.
func CompilerMain() {
	if os.Getenv(compilerEnv) == "" {
		compilerReady.Store(true)
		return
	}
	os.Unsetenv(compilerEnv)
	os.Setenv("GOPROXY", "off") // the first to read the notebook has loaded its packages
	debug.SetGCPercent(400)     // what it holds are mostly the types of packages, which stay
	serveCompiler(os.Stdin, os.Stdout)
	os.Exit(0)
}

// serveCompiler answers requests. When the input ends, or the program at its other end has been killed, it
// takes along what it has started.
func serveCompiler(r io.Reader, w io.Writer) {
	requests := make(chan compileRequest)
	go func() {
		for dec := json.NewDecoder(r); ; {
			var q compileRequest
			if dec.Decode(&q) != nil {
				processes.KillGroup()
			}
			requests <- q
		}
	}()
	enc := json.NewEncoder(w)
	ask := func(what compileReply) bool {
		enc.Encode(what)
		answer := <-requests
		return answer.Allowed != nil && *answer.Allowed
	}
	ctx := context.Background()
	var a *Assignment
	for q := range requests {
		var reply compileReply
		nb, err := nbformat.Decode(q.Notebook)
		if err == nil && a != nil {
			err = a.prepare(ctx, nb, ask)
		}
		switch {
		case err != nil:
		case a == nil:
			if a, err = Read(ctx, nb, q.Root); err == nil {
				a.MayImport = func(path string) bool { return ask(compileReply{Asks: path}) }
				err = a.prepare(ctx, nb, func(compileReply) bool { return true }) // nobody's time
			}
		case q.Show != 0:
			reply.Shown, reply.Made.File, err = a.show(ctx, nb, q)
		default:
			reply.Made, err = a.make(ctx, nb, q)
		}
		if refused, ok := errors.AsType[*Refused](err); ok {
			reply.Refused = refused.Why
		} else if err != nil {
			reply.Err = err.Error()
		}
		enc.Encode(reply)
	}
}

// make answers a request for a guest. One that was assembled for the request before is built as it is.
func (a *Assignment) make(ctx context.Context, nb *nbformat.Notebook, q compileRequest) (made Made, err error) {
	dir := q.Dir
	q.Dir = ""
	asked, err := json.Marshal(q)
	if err != nil {
		return made, err
	}
	g := a.guest
	if g == nil || a.asked != string(asked) {
		if g, err = a.Assemble(ctx, nb, q.Reference, q.Out); err != nil {
			return made, err
		}
	}
	a.guest, a.asked = g, string(asked)
	made = Made{Notes: g.Notes, Student: g.Student, Key: keyOf(g.Files), Circles: g.circles}
	if dir == "" {
		return made, nil
	}
	a.guest = nil // building changes it
	made.File, err = g.Build(ctx, dir)
	made.Less, made.Notes = keyOf(g.Files) != made.Key, g.Notes
	return made, err
}
