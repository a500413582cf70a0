package guest_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"marginalia/internal/sandbox/guest"
	"marginalia/internal/testkit/must"
)

// calls draws calls of all kinds and returns what came of each.
func calls(in *guest.Instance, r *rand.Rand) (log []string) {
	note := func(v ...any) { log = append(log, fmt.Sprint(v...)) }
	for range 20 {
		n, s := r.IntN(50), 0
		x := []float64{r.NormFloat64(), r.NormFloat64()}
		switch r.IntN(9) {
		case 0:
			w, y, changed := []float64{0.5, 1}, -1, false
			note(in.End.Call("Update", []any{&w, &x, &y}, []any{&w, &changed}), w, changed)
		case 1:
			var k func(a, b float64) float64
			var K []float64
			note(in.End.Call("Gaussian", []any{&x[0]}, []any{&k}))
			mine := func(a, b float64) float64 { return k(a, b) + 1 } // re-enters
			note(in.End.Call("Gram", []any{&x, &mine}, []any{&K}), K)
		case 2:
			note(in.End.Call("Goroutines", []any{&n}, []any{&s}), s)
		case 3:
			var now, since int64
			var random float64
			note(in.End.Call("Now", nil, []any{&now, &since, &random}), now, since, random)
		case 4:
			note(in.End.Call("Nil", nil, []any{&s}))
		case 5:
			n *= 10
			note(in.End.Call("Deep", []any{&n}, []any{&s}), s)
		case 6:
			note(in.Cell(0))
		case 7:
			grow, state := r.IntN(4), ""
			note(in.End.Call("State", []any{&grow}, []any{&state}), state)
		case 8:
			f := func(n int) int {
				state, grow := "", 0
				note(in.End.Call("State", []any{&grow}, []any{&state}), state)
				return n
			}
			note(in.End.Call("Nest", []any{&n, &f}, []any{&s}), s)
		}
	}
	return append(log, in.Output())
}

// An instance with the memory of another, and one with memory of its own that was not initialised, are as one that
// was, bit for bit: addresses, collections of garbage, the order of maps, the clock and random numbers too.
func TestSnapshot(t *testing.T) {
	m := load(t)
	for _, mode := range []guest.Mode{guest.Interpreted, guest.Compiled} {
		var used int
		for seed := range uint64(12) {
			run := func() []string {
				in := must.Get(m.Start(t.Context(), mode, table)).Or(t)
				defer in.Close()
				return calls(in, rand.New(rand.NewPCG(seed, 0)))
			}
			if m.Idle(mode) {
				used++
			}
			again := run()
			if m.Idle(mode) { // takes it away, so that the next one is new
				guest.Discard(start(t, t.Context(), mode))
			}
			anew := run()
			m.Forget(mode)
			fresh := run()
			for how, log := range map[string][]string{"used": again, "new": anew} {
				if slices.Equal(log, fresh) {
					continue
				}
				i := 0
				for log[i] == fresh[i] {
					i++
				}
				t.Fatalf("mode %d, seed %d, %s memory, result %d of %d:\n%s\nfresh:\n%s", mode, seed, how, i, len(fresh), log[i], fresh[i])
			}
		}
		if used < 4 { // else nothing was tested; those that grew by more than 8 MiB are not used again
			t.Errorf("mode %d: the memory of an instance was used again %d times", mode, used)
		}
	}
}

// The memory of an instance whose guest has ended is not used again, nor of one whose context is done:
// wazero may be about to close it. Nor has it grown much.
func TestNotAgain(t *testing.T) {
	for name, end := range map[string]func(in *guest.Instance, cancel func()){
		"left":     func(in *guest.Instance, _ func()) { code := 0; in.End.Call("Leave", []any{&code}, nil) },
		"canceled": func(_ *guest.Instance, cancel func()) { cancel() },
		"grown":    func(in *guest.Instance, _ func()) { n, s := 20, ""; in.End.Call("State", []any{&n}, []any{&s}) },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		in := start(t, ctx, guest.Interpreted)
		end(in, cancel)
		in.Close()
		if load(t).Idle(guest.Interpreted) {
			t.Errorf("%s: used again", name)
		}
		cancel()
	}
}

// Of several instances at once, all but the first begin with the state of the first one. Initialising the packages
// of a guest takes the interpreter as long as several tests.
func TestInitialisedOnce(t *testing.T) {
	m := load(t)
	first := start(t, t.Context(), guest.Interpreted)
	defer guest.Discard(first)
	m.Mark(guest.Interpreted, "not initialised")
	defer m.Forget(guest.Interpreted)
	for range 2 {
		in := start(t, t.Context(), guest.Interpreted)
		defer guest.Discard(in)
		n, s := 3, 0
		if err := in.End.Call("Goroutines", []any{&n}, []any{&s}); err != nil || s != 3 || in.Output() != "not initialised" {
			t.Errorf("%v, %d, printed %q", err, s, in.Output())
		}
	}
}
