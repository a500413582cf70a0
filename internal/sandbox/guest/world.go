package guest

import (
	"math/rand/v2"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental/sysfs"
	"github.com/tetratelabs/wazero/sys"

	"marginalia/internal/sandbox/guest/wire"
)

// A world is all that a guest can tell of what is around it: a clock and random numbers,
// the same in every run, files that it can read, and where its output goes.
type world struct {
	clock  int64 // nanoseconds since the start
	random rand.PCG
	out    output
	files  *files

	recorder *Recorder
}

// start is when a guest starts: 2025-01-01 00:00:00 UTC, in seconds since 1970.
const start = 1735689600

// now goes on a microsecond at each look.
func (w *world) now() int64 { w.clock += 1000; return w.clock }

// reads reports whether the guest has files open.
func (w *world) reads() bool { return w.files.open > 0 }

// Read gives random numbers.
func (w *world) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(w.random.Uint64())
	}
	return len(b), nil
}

// config makes the world a guest's. A sleep takes no time, and moves the clock on. The environment has the
// student's id and nothing else. A folder is there without files too: Go says of what is not in it that it does not exist, and without a
// folder that the file descriptor is bad.
func (w *world) config(student string) wazero.ModuleConfig {
	config := wazero.NewModuleConfig()
	if student != "" {
		config = config.WithEnv(wire.Student, student)
	}
	return config.WithFSConfig(wazero.NewFSConfig().(sysfs.FSConfig).WithSysFSMount(readOnly(w.files), "/")).WithName("").WithStartFunctions("_initialize").
		WithStdout(w.recorder.beside("stdout", &w.out)).WithStderr(w.recorder.beside("stderr", &w.out.err)).WithRandSource(w).
		WithNanotime(w.now, sys.ClockResolution(1)).
		WithWalltime(func() (sec int64, nsec int32) {
			t := w.now()
			return start + t/1e9, int32(t % 1e9)
		}, sys.ClockResolution(1)).
		WithNanosleep(func(ns int64) { w.clock += max(ns, 0) })
}

// output is what a guest prints: both streams in their order, up to a limit, and
// the end of standard error by itself, where crashes are.
type output struct {
	buf  strings.Builder
	left int
	err  errput
}

// reset empties the output, and bounds what comes.
func (o *output) reset(limit int) { *o = output{left: limit, err: errput{out: o}} }

func (o *output) Write(b []byte) (int, error) {
	o.buf.Write(b[:min(o.left, len(b))])
	o.left -= min(o.left, len(b))
	return len(b), nil
}

type errput struct {
	out  *output
	tail tail
}

func (e *errput) Write(b []byte) (int, error) {
	e.tail.Write(b)
	return e.out.Write(b)
}

// tail keeps the last 64 KiB.
type tail struct{ b []byte }

func (t *tail) Write(b []byte) {
	t.b = append(t.b, b[max(0, len(b)-64<<10):]...)
	if n := len(t.b) - 64<<10; n > 0 {
		t.b = t.b[n:]
	}
}

func (t *tail) String() string { return string(t.b) }
