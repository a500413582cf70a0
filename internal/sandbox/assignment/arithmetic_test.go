package assignment_test

import (
	"testing"

	"marginalia/internal/sandbox/host"
	"marginalia/internal/testkit/tier"
)

// Tests compute what answers compute, bit for bit: else a right answer fails where a test compares exactly. The cells are
// in testdata/arithmetic.
func TestArithmetic(t *testing.T) {
	tier.Long(t)
	parts := cells(t, "testdata/arithmetic")
	a := read(t, parts)
	program, wasm := build(t, a, notebook(t, parts...))
	for _, compiled := range []bool{false, true} {
		for _, r := range judged(t, program, host.Request{Wasm: wasm, Compiled: compiled}, a, 60) {
			for _, c := range r.Checks {
				for _, m := range c.Messages {
					if t.Log(m.Text); !m.Log {
						t.Errorf("compiled %t: %s", compiled, m.Text)
					}
				}
				if !c.Passed {
					t.Errorf("compiled %t: %s %s", compiled, c.Name, c.Panic)
				}
			}
		}
	}
}
