//go:build !noasm

package simd

import "testing"

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		asked      string
		have, want level
	}{
		{"", neon, neon},
		{"", scalar, scalar},
		{"off", neon, scalar},
		{"neon", neon, neon},
		{"avx2", neon, neon},
	} {
		if got := choose(c.asked, c.have); got != c.want {
			t.Errorf("%q on a machine with %d: %d, want %d", c.asked, c.have, got, c.want)
		}
	}
}
