// Package guest runs a student's answers as a WebAssembly guest under wazero, on
// every system and without rights. A guest has no network, processes or arguments, and
// no files but those that it is given to read; its clock advances by a fixed tick each time it is read, its random
// numbers are the same in each run; its memory, output and time are bounded. What
// it says is data, to be judged.
//
//	m := guest.Load(wasm, "", guest.Limits{})
//	…
//	in, err := m.Start(ctx, guest.Interpreted, fill)
//	err = in.End.Call("Update", args, results)
//	…
//	in.Close()
//
// A module is ready in the interpreter in a tenth of the time that compiling it takes, and runs there
// 30 to 55 times slower (BenchmarkArithmetic). So a judge starts interpreted, and compiles what
// takes long. Both must be interruptible: the interpreter polls its context, and compiled code
// pauses when its fuel is used up.
package guest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"marginalia/internal/sandbox/guest/wire"
)

// Limits are what a guest may use. Zero values stand for the defaults.
type Limits struct {
	Memory int // MiB, 256 by default
	Output int // bytes of standard output and error together, 1 MiB by default
	// Message is the number of bytes that may cross at once, 64 MiB by default.
	Message int
}

// A Mode is a way to execute a guest.
type Mode int

const (
	Interpreted Mode = iota
	Compiled
)

// A Module is a guest's program, which any number of instances run. It and they are used by one
// goroutine at a time. Only calls of an instance's End may come from several: they take turns.
type Module struct {
	// Recorder, if not nil, takes what instances print and show. Set it before the first one starts.
	Recorder *Recorder
	// Files are what instances can read in their working directory, by path. Set them before the first one starts.
	Files map[string][]byte

	wasm    []byte
	student string
	limits  Limits
	engines [2]engine
}

type engine struct {
	once    sync.Once
	runtime wazero.Runtime
	program wazero.CompiledModule
	globals int
	err     error
	memories
	idle  *Instance // closed, and as good as new with the memory of first
	first *snapshot // of an instance that has just been initialised
}

// Load takes a WebAssembly module that was built from a worker. student is the id that
// worker.Student returns there.
func Load(wasm []byte, student string, limits Limits) *Module {
	return &Module{wasm: wasm, student: student, limits: limits.defaults()}
}

func (l Limits) defaults() Limits {
	l.Memory = cmp.Or(l.Memory, 256)
	l.Output = cmp.Or(l.Output, 1<<20)
	l.Message = cmp.Or(l.Message, 64<<20)
	return l
}

// Memory returns the bytes that an instance may have.
func (m *Module) Memory() int { return m.limits.Memory << 20 }

// Close frees what the engines hold.
func (m *Module) Close(ctx context.Context) error {
	var errs []error
	for i := range m.engines {
		if r := m.engines[i].runtime; r != nil {
			errs = append(errs, r.Close(ctx))
		}
	}
	return errors.Join(errs...)
}

// engine returns the engine of a mode, made at its first use.
func (m *Module) engine(mode Mode) (*engine, error) {
	e := &m.engines[mode]
	e.once.Do(func() {
		ctx := context.Background()
		config := wazero.NewRuntimeConfigInterpreter()
		if mode == Compiled {
			config = wazero.NewRuntimeConfigCompiler()
		}
		e.runtime = wazero.NewRuntimeWithConfig(ctx, config.WithMemoryLimitPages(uint32(m.limits.Memory)*16).WithCloseOnContextDone(mode == Interpreted))
		if _, e.err = wasi_snapshot_preview1.Instantiate(ctx, e.runtime); e.err != nil {
			return
		}
		_, e.err = e.runtime.NewHostModuleBuilder("marginalia").
			NewFunctionBuilder().WithFunc(call).Export("call").
			NewFunctionBuilder().WithFunc(reply).Export("reply").
			NewFunctionBuilder().WithFunc(show).Export("show").
			NewFunctionBuilder().WithFunc(maxStack).Export("stack").
			NewFunctionBuilder().WithGoFunction(api.GoFunc(pause), nil, nil).Export("pause").
			Instantiate(ctx)
		wasm := m.wasm
		if e.err == nil && mode == Compiled {
			wasm, e.err = fueled(wasm)
		}
		if e.err == nil {
			wasm, e.globals, e.err = exportGlobals(wasm)
		}
		if e.err == nil {
			e.program, e.err = e.runtime.CompileModule(ctx, wasm)
		}
	})
	return e, e.err
}

// An Instance is one run of a module, with memory of its own.
type Instance struct {
	End     *wire.End
	ctx     context.Context
	engine  *engine
	module  api.Module
	world   *world
	limits  Limits
	reply   []byte      // of the last call back
	buffer  uint32      // where the guest takes requests
	room    int         // bytes there
	deep    atomic.Bool // its stack is large
	pushed  int         // how often it has paused since time is over
	deepest uint32      // the goroutine whose stack it is, in its memory
	mu      sync.Mutex
	ended   error // how the guest ended
}

type key struct{}

// Start makes an instance whose packages are initialised. ctx bounds all that the
// instance does; fill makes the judge's table.
func (m *Module) Start(ctx context.Context, mode Mode, fill func(*wire.End) *wire.Table) (*Instance, error) {
	e, err := m.engine(mode)
	if err != nil {
		return nil, fmt.Errorf("guest: %w", err)
	}
	in := &Instance{engine: e, limits: m.limits, End: wire.NewEnd(true, fill)}
	in.ctx = experimental.WithMemoryAllocator(context.WithValue(ctx, key{}, in), &e.memories)
	in.End.Send, in.End.Limit = in.send, m.limits.Message
	if old := e.idle; old != nil {
		// The packages of a Go program take some 20 ms to be initialised in the interpreter, and
		// its memory a tenth of that to be put back. Between two calls all state is there.
		e.idle = nil
		in.module, in.world = old.module, old.world
		return in, e.first.restore(in)
	}
	in.world = &world{recorder: m.Recorder, files: filesOf(m.Files)}
	in.world.out.reset(m.limits.Output)
	config := in.world.config(m.student)
	if e.first != nil {
		config = config.WithStartFunctions() // restore does what they do
	}
	in.module, err = e.runtime.InstantiateModule(in.ctx, e.program, config)
	if err != nil {
		return nil, in.end(err)
	}
	if e.first != nil {
		return in, e.first.restore(in)
	}
	for name, results := range map[string]int{"marginalia_alloc": 1, "marginalia_serve": 1, "marginalia_cell": 0} {
		if f := in.module.ExportedFunction(name); f == nil || len(f.Definition().ResultTypes()) != results {
			return nil, fmt.Errorf("guest: the module has no %s with %d results", name, results)
		}
	}
	if m.Recorder == nil && !in.world.reads() {
		e.first, err = takeSnapshot(in)
	}
	return in, err
}

// Prepare makes the engine of a mode ready. Start does so at its first use.
func (m *Module) Prepare(mode Mode) error {
	_, err := m.engine(mode)
	return err
}

// Ready reports whether the engine of a mode is there.
func (m *Module) Ready(mode Mode) bool { return m.engines[mode].program != nil }

// Ended says how the guest ended, or nil if it can be called.
func (in *Instance) Ended() error { return in.finish(nil) }

// finish keeps how the guest ended, unless that is known or err is nil, and returns it.
func (in *Instance) finish(err error) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.ended == nil {
		in.ended = err
	}
	return in.ended
}

// Close ends the instance. Its memory is used again, by another instance, unless the guest has
// ended or may be just ending: wazero closes a module some time after its context is done.
func (in *Instance) Close() {
	if in.module == nil {
		return
	}
	if e := in.engine; in.Ended() == nil && in.ctx.Err() == nil && e.idle == nil && e.first != nil && !in.world.reads() &&
		int(in.module.Memory().Size()) <= len(e.first.memory)+maxGrown {
		e.idle = &Instance{module: in.module, world: in.world}
		in.world = &world{out: in.world.out}
	} else {
		in.module.Close(context.WithoutCancel(in.ctx))
	}
	in.module = nil
	in.finish(ErrClosed)
}

// ErrClosed says that a function of a guest is called whose test is over.
var ErrClosed = errors.New("the program that the function belongs to has ended with its test")

// Output returns what the guest has printed so far.
func (in *Instance) Output() string { return in.world.out.buf.String() }

// Cell runs the main function of a cell.
func (in *Instance) Cell(i int) error {
	if err := in.end(in.ctx.Err()); err != nil {
		return err
	}
	_, err := in.module.ExportedFunction("marginalia_cell").Call(in.ctx, uint64(i))
	return in.end(err)
}

// send brings a request to the guest and its reply back.
func (in *Instance) send(request []byte) ([]byte, error) {
	if err := in.end(in.ctx.Err()); err != nil {
		return nil, err
	}
	returned := false
	defer func() {
		if !returned {
			in.finish(errLeft)
		}
	}()
	reply, err := in.exchange(request)
	returned = true
	return reply, err
}

func (in *Instance) exchange(request []byte) ([]byte, error) {
	if len(request) > in.room {
		room := max(2*len(request), 1<<12)
		at, err := in.module.ExportedFunction("marginalia_alloc").Call(in.ctx, uint64(room))
		if err != nil {
			return nil, in.end(err)
		}
		in.buffer, in.room = uint32(at[0]), room
	}
	if !in.module.Memory().Write(in.buffer, request) {
		return nil, in.fault("a request of %d bytes at %#x", len(request), in.buffer)
	}
	r, err := in.module.ExportedFunction("marginalia_serve").Call(in.ctx, uint64(len(request)))
	if err != nil {
		return nil, in.end(err)
	}
	return in.read(uint32(r[0]>>32), uint32(r[0]))
}

// errLeft is how a guest ended whose call was left by way of a test's function that it had called.
var errLeft = errors.New("a test has ended within a call")

// read copies a message out of the guest's memory.
func (in *Instance) read(at, n uint32) ([]byte, error) {
	if int(n) > in.limits.Message {
		return nil, in.fault("a message of %d bytes, at most %d can cross", n, in.limits.Message)
	}
	b, ok := in.module.Memory().Read(at, n)
	if !ok {
		return nil, in.fault("a message of %d bytes at %#x is outside the memory", n, at)
	}
	return bytes.Clone(b), nil
}

// call takes a request of the guest. A test's function that ends its goroutine, as
// t.FailNow does, unwinds the guest's calls on its way.
func call(ctx context.Context, _ api.Module, at, n uint32) uint32 {
	in := ctx.Value(key{}).(*Instance)
	request, err := in.read(at, n)
	if err != nil {
		panic(err)
	}
	reply := in.End.Serve(request)
	if err := in.finish(in.End.Over()); err != nil { // in a call that the judge's function made, or because of one
		panic(err)
	}
	in.reply = reply
	return uint32(len(in.reply))
}

func reply(ctx context.Context, m api.Module, to uint32) {
	in := ctx.Value(key{}).(*Instance)
	if !m.Memory().Write(to, in.reply) {
		panic(in.fault("a reply of %d bytes at %#x", len(in.reply), to))
	}
	in.reply = nil
}

// A Fault says that a guest broke the rules of the wire, which generated code never does.
type Fault struct{ What string }

func (f *Fault) Error() string { return "guest: " + f.What }

func (in *Instance) fault(format string, args ...any) error {
	return in.finish(&Fault{fmt.Sprintf(format, args...)})
}

// An ExitError says how a guest ended that did not return.
type ExitError struct {
	Code  int    // of os.Exit; 2 of a panic that no function recovers from
	Crash string // what Go's runtime printed then
}

// Overflow reports whether the guest's stack has overflowed.
func (e *ExitError) Overflow() bool { return strings.HasPrefix(e.Crash, overflow) }

func (e *ExitError) Error() string {
	if e.Crash != "" {
		return e.Crash
	}
	return fmt.Sprintf("the program left with os.Exit(%d)", e.Code)
}

// ErrStack says that calls were nested too deeply.
var ErrStack = errors.New("calls are nested too deeply")

// end keeps how the guest ended, if err says so.
func (in *Instance) end(err error) error {
	if ended := in.Ended(); err == nil || ended != nil {
		return ended
	}
	exit := new(sys.ExitError)
	crash := ""
	for _, word := range []string{"fatal error: ", "panic: "} {
		// Of wazero's stack overflow Go's runtime says nothing: such words are the student's.
		if _, text, ok := strings.Cut(in.world.out.err.tail.String(), word); ok && !errors.Is(err, tooDeep()) {
			crash = word + text
			break
		}
	}
	switch {
	case err == errOverflow && crash != "":
		err = &ExitError{2, crash}
	case in.ctx.Err() != nil:
		err = context.Cause(in.ctx)
	case errors.Is(err, ErrFull):
		err = ErrFull
	case crash != "":
		err = &ExitError{2, crash}
	case errors.As(err, &exit):
		err = &ExitError{Code: int(exit.ExitCode())}
	case errors.Is(err, tooDeep()):
		err = ErrStack
	default:
		err = fmt.Errorf("guest: %w", err)
	}
	return in.finish(err)
}
