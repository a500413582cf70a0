package assignment_test

import (
	"fmt"
	"strings"
	"testing"

	"marginalia/internal/sandbox/host"
	"marginalia/internal/testkit/tier"
)

// A check whose answer does not end loses itself alone, in compiled code too: the loop of an answer, of one that calls
// the test's function, and of the test that calls an answer. What the test's function leaves to the collector
// meanwhile is more than the judge may hold: 64 KiB for each of some hundred thousand calls.
func TestEndless(t *testing.T) {
	tier.Long(t)
	parts := []part{
		{"given", "given", `import "testing"`},
		{"answer", "answer", `func Loop(n int) int {
	for i := 0; n > 0; i++ {
		n += i & 1
	}
	return n
}

func Back(n int, f func(int) []byte) int {
	for n > 0 {
		n = len(f(n))
	}
	return n
}

func Deep(n int) int {
	if n < 2 {
		return n
	}
	return Deep(n-1) + Deep(n-2)
}`},
		{"tests", "tests", `%test
var left []byte

func TestEnds(t *testing.T) {
	f := func(int) []byte { left = make([]byte, 64<<10); return left[:8] }
	for _, n := range []int{0, 1, 0} {
		t.Run("loop", func(t *testing.T) { Loop(n) })
		t.Run("call back", func(t *testing.T) { Back(n, f) })
		t.Run("deep", func(t *testing.T) { Deep(90 * n) })
		t.Run("test", func(t *testing.T) {
			for Loop(0) < n {
			}
		})
	}
}`},
	}
	a := read(t, parts)
	program, wasm := build(t, a, notebook(t, parts...))
	const late = "it takes too long"
	want := fmt.Sprint([]string{"failed", "passed", "passed", "passed", "passed", late, late, late, late, "passed", "passed", "passed", "passed"})
	for procs, compiled := range map[string]bool{"1": true, "2": false} {
		t.Setenv("GOMAXPROCS", procs)
		for _, r := range judged(t, program, host.Request{Wasm: wasm, Compiled: compiled}, a, 1) {
			var got []string
			for _, c := range r.Checks {
				switch {
				case c.Panic != "":
					got = append(got, strings.TrimSpace(c.Panic))
				case c.Passed:
					got = append(got, "passed")
				default:
					got = append(got, "failed")
				}
			}
			if fmt.Sprint(got) != want {
				t.Errorf("%s processors, compiled %t: %v, want %s", procs, compiled, got, want)
			}
		}
	}
}
