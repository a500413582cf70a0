//go:build !noasm

package simd

import "testing"

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		asked      string
		have, want level
	}{
		{"", avx512, avx512},
		{"", scalar, scalar},
		{"off", avx512, scalar},
		{"avx2", avx512, avx2},
		{"avx512", avx512, avx512},
		{"avx512", avx2, avx2},
		{"avx2", scalar, scalar},
		{"AVX1024", avx2, avx2},
	} {
		if got := choose(c.asked, c.have); got != c.want {
			t.Errorf("%q on a machine with %d: %d, want %d", c.asked, c.have, got, c.want)
		}
	}
}
