package guest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"marginalia/internal/sandbox/guest"
	"marginalia/internal/sandbox/guest/wire"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// student builds the guest of testdata once.
var student = sync.OnceValues(func() (*guest.Module, error) {
	dir, err := os.MkdirTemp("", "marginalia-guest-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "student.wasm")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-ldflags=-s -w -checklinkname=0", "-o", file, "./testdata/student")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	wasm, err := os.ReadFile(file)
	return guest.Load(wasm, "", guest.Limits{Memory: 64}), err
})

func table(*wire.End) *wire.Table {
	t := wire.NewTable()
	t.Type((**mat.Dense)(nil))
	return t
}

func load(t testing.TB) *guest.Module {
	t.Helper()
	tier.Long(t) // the first guest of a machine compiles the standard library for WebAssembly
	return must.Get(student()).Or(t)
}

func start(t testing.TB, ctx context.Context, mode guest.Mode) *guest.Instance {
	t.Helper()
	in := must.Get(load(t).Start(ctx, mode, table)).Or(t)
	t.Cleanup(in.Close)
	return in
}

func TestCalls(t *testing.T) {
	for _, mode := range []guest.Mode{guest.Interpreted, guest.Compiled} {
		in := start(t, t.Context(), mode)
		w, x, y, changed := []float64{0, 0}, []float64{1, 2}, -1, false
		given := w
		must.Do(t, in.End.Call("Update", []any{&w, &x, &y}, []any{&w, &changed}))
		if !changed || !slices.Equal(given, []float64{-1, -2}) || &given[0] != &w[0] {
			t.Errorf("Update: %v, %v", given, changed)
		}
		var k func(a, b float64) float64
		g := 2.0
		must.Do(t, in.End.Call("Gaussian", []any{&g}, []any{&k}))
		K, mine := []float64(nil), func(a, b float64) float64 { return k(a, b) + 1 }
		if err := in.End.Call("Gram", []any{&x, &mine}, []any{&K}); err != nil || !slices.Equal(K, []float64{3, 5, 5, 9}) {
			t.Errorf("Gram: %v, %v", K, err)
		}
		n, s := 100, 0
		if err := in.End.Call("Goroutines", []any{&n}, []any{&s}); err != nil || s != 4950 {
			t.Errorf("Goroutines: %d, %v", s, err)
		}
		if err := in.Cell(0); err != nil || in.Output() != "a cell\n" {
			t.Errorf("a cell: %q, %v", in.Output(), err)
		}
	}
}

func TestEnds(t *testing.T) {
	for _, mode := range []guest.Mode{guest.Interpreted, guest.Compiled} {
		for _, c := range []struct{ name, want string }{
			{"Leave", "the program left with os.Exit(0)"},
			{"Hog", "fatal error: out of memory"},
			{"Nil", "panic: runtime error: invalid memory address or nil pointer dereference"},
			{"Goexit", "fatal error: "},
			{"Deadlock", "fatal error: all goroutines are asleep - deadlock!"},
			{"Elsewhere", "panic: in a goroutine"},
			{"Forever", "too long"},
			{"Copies", "too long"},
		} {
			ctx, cancel := context.WithCancelCause(t.Context())
			in := start(t, ctx, mode)
			if c.want == "too long" {
				time.AfterFunc(100*time.Millisecond, func() { cancel(errors.New("too long")) })
			}
			args, code := []any{}, 0
			results := []any{}
			switch c.name {
			case "Leave":
				args = []any{&code}
			case "Hog", "Nil":
				results = []any{&code}
			}
			err := in.End.Call(c.name, args, results)
			cancel(nil)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("mode %d: %s: %v, want %s", mode, c.name, err, c.want)
			}
		}
	}
}

// The interpreter's stack is shallow and says so; a compiled guest nests as deep as its memory holds.
func TestDeep(t *testing.T) {
	for _, c := range []struct {
		mode guest.Mode
		n    int
		err  error
	}{{guest.Interpreted, 1000, nil}, {guest.Interpreted, 10000, guest.ErrStack}, {guest.Compiled, 300000, nil}} {
		in := start(t, t.Context(), c.mode)
		r := 0
		if err := in.End.Call("Deep", []any{&c.n}, []any{&r}); err != c.err || err == nil && r != c.n {
			t.Errorf("mode %d, %d deep: %d, %v, want %v", c.mode, c.n, r, err, c.err)
		}
		in.Close()
	}
}

// Recursion without end overflows the stack, and Go says in which function, though time was over before.
func TestOverflow(t *testing.T) {
	for name, late := range map[string]error{"in time": nil, "late": errors.New("too long")} {
		ctx, cancel := context.WithCancelCause(t.Context())
		in := start(t, ctx, guest.Compiled)
		calls, n, r := 0, 1<<40, 0
		f := func() {
			if calls++; late != nil && calls == 150 {
				cancel(late)
			}
		}
		err := in.End.Call("DeepAndBack", []any{&n, &f}, []any{&r})
		exit, ok := errors.AsType[*guest.ExitError](err)
		if !ok || !strings.HasPrefix(exit.Crash, "fatal error: stack overflow\n") || strings.Count(exit.Crash, "main.DeepAndBack(") < 20 {
			t.Errorf("%s, after %d calls: %.2000v", name, calls, err)
		}
		cancel(nil)
		in.Close()
	}
}

// There is nothing around a guest, its clock starts where world.go says, and its output ends at the limit.
func TestOutside(t *testing.T) {
	in := start(t, t.Context(), guest.Interpreted)
	var all []string
	must.Do(t, in.End.Call("Outside", nil, []any{&all}))
	want := []string{"open /etc/passwd: no such file or directory true", "read .: is a directory false", "open /proc/self/environ: no such file or directory true",
		"open nothere.csv: no such file or directory true", "open sub/nothere.csv: no such file or directory true", "open : invalid argument false",
		"stat nothere.csv: no such file or directory", "[] <nil>", "/<nil>",
		"open x: read-only file system", "mkdir x: read-only file system", "remove x: read-only file system", "rename x y: read-only file system", "chdir x: no such file or directory", "[] []"}
	if !slices.Equal(all, want) {
		t.Errorf("outside: %q, want %q", all, want)
	}
	var now, since int64
	var random float64
	must.Do(t, in.End.Call("Now", nil, []any{&now, &since, &random}))
	if first := int64(1735689600); now != first { // 2025-01-01 00:00:00 UTC
		t.Errorf("the clock says %d, want %d", now, first)
	}
	if hour := int64(time.Hour); since < hour || since > hour+int64(time.Millisecond) { // a microsecond for each look
		t.Errorf("an hour of sleep takes %v", time.Duration(since))
	}
	if err := in.End.Call("Flood", nil, nil); err != nil || len(in.Output()) != 1<<20 {
		t.Errorf("%d bytes of output, %v, want 1 MiB", len(in.Output()), err)
	}
}

// A test's function and the student's that call one another without end are stopped, while
// there is stack.
func TestNested(t *testing.T) {
	for _, mode := range []guest.Mode{guest.Interpreted, guest.Compiled} {
		in := start(t, t.Context(), mode)
		var f func(int) int
		calls, n, r := 0, 1<<40, 0
		f = func(n int) (r int) {
			calls++
			if err := in.End.Call("Nest", []any{&n, &f}, []any{&r}); err != nil {
				panic(err)
			}
			return r
		}
		if mode == guest.Compiled { // two hundred panics, one after the other, take the interpreter seconds
			err := in.End.Call("Nest", []any{&n, &f}, []any{&r})
			if err == nil || !strings.Contains(err.Error(), "call one another more than 200 deep") || calls != 200 {
				t.Errorf("%v after %d calls", err, calls)
			}
		}
		n = 100
		if err := in.End.Call("Nest", []any{&n, &f}, []any{&r}); err != nil || r != 100 {
			t.Errorf("mode %d: 100 deep: %d, %v", mode, r, err)
		}
		in.Close()
	}
}

// What a guest that ended leaves cannot be called, nor one whose test is over.
func TestAfter(t *testing.T) {
	in := start(t, t.Context(), guest.Interpreted)
	var k func(a, b float64) float64
	g := 2.0
	must.Do(t, in.End.Call("Gaussian", []any{&g}, []any{&k}))
	in.Close()
	in.Close()
	other := start(t, t.Context(), guest.Interpreted)
	defer func() {
		if v := recover(); v != guest.ErrClosed {
			t.Errorf("a function after its test: %v", v)
		}
		s, n := 0, 3
		if err := other.End.Call("Goroutines", []any{&n}, []any{&s}); err != nil || s != 3 {
			t.Errorf("the next guest: %d, %v", s, err)
		}
		if err := in.Cell(0); err != guest.ErrClosed {
			t.Errorf("a cell of a closed guest: %v", err)
		}
	}()
	k(1, 2)
}

// Go's collector stops all goroutines, one that is in compiled code too: without a pause in its loop, the
// collection would not end, nor anything else.
func TestCollect(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	in := start(t, ctx, guest.Compiled)
	begun, late := make(chan struct{}), errors.New("too long")
	go func() {
		<-begun
		for range 10 {
			runtime.GC()
		}
		cancel(late)
	}()
	f := func() { close(begun) }
	if err := in.End.Call("ForeverAfter", []any{&f}, nil); err != late {
		t.Error(err)
	}
}
