package guest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"marginalia/internal/guest"
	"marginalia/internal/guest/wire"
)

// student builds the guest of testdata once.
var student = sync.OnceValues(func() (*guest.Module, error) {
	dir, err := os.MkdirTemp("", "marginalia-guest-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "student.wasm")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-ldflags=-s -w", "-o", file, "./testdata/student")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	wasm, err := os.ReadFile(file)
	return guest.Load(wasm, guest.Limits{Memory: 64}), err
})

func start(t *testing.T, ctx context.Context, mode guest.Mode) *guest.Instance {
	t.Helper()
	m, err := student()
	if err != nil {
		t.Fatal(err)
	}
	in, err := m.Start(ctx, mode, func(*wire.End) *wire.Table { return wire.NewTable() })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	return in
}

func TestCalls(t *testing.T) {
	for _, mode := range []guest.Mode{guest.Interpreted, guest.Compiled} {
		in := start(t, t.Context(), mode)
		w, x, y, changed := []float64{0, 0}, []float64{1, 2}, -1, false
		given := w
		if err := in.End.Call("Update", []any{&w, &x, &y}, []any{&w, &changed}); err != nil {
			t.Fatal(err)
		}
		if !changed || !slices.Equal(given, []float64{-1, -2}) || &given[0] != &w[0] {
			t.Errorf("Update: %v, %v", given, changed)
		}
		var k func(a, b float64) float64
		g := 2.0
		if err := in.End.Call("Gaussian", []any{&g}, []any{&k}); err != nil {
			t.Fatal(err)
		}
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
		} {
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, errors.New("too long"))
			if c.name == "Forever" {
				ctx, cancel = context.WithTimeoutCause(t.Context(), 100*time.Millisecond, errors.New("too long"))
			}
			in := start(t, ctx, mode)
			args, code := []any{}, 0
			results := []any{}
			switch c.name {
			case "Leave":
				args = []any{&code}
			case "Hog", "Nil":
				results = []any{&code}
			}
			err := in.End.Call(c.name, args, results)
			cancel()
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("mode %d: %s: %v, want %s", mode, c.name, err, c.want)
			}
		}
	}
}

func TestDeep(t *testing.T) {
	for _, mode := range []guest.Mode{guest.Interpreted, guest.Compiled} {
		for _, n := range []int{100, 1000, 10000, 100000, 1000000} {
			in := start(t, t.Context(), mode)
			r := 0
			err := in.End.Call("Deep", []any{&n}, []any{&r})
			t.Log(mode, n, r, err)
		}
	}
}

func TestOutside(t *testing.T) {
	in := start(t, t.Context(), guest.Interpreted)
	var all []string
	var now, since int64
	var random float64
	t.Log(in.End.Call("Outside", nil, []any{&all}), all)
	t.Log(in.End.Call("Now", nil, []any{&now, &since, &random}), now, since, random)
	t.Log(in.End.Call("Flood", nil, nil), len(in.Output()))
}
