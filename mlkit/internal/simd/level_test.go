package simd

import (
	"os"
	"testing"
)

// eachLevel runs a test at all levels that this machine has.
func eachLevel(t *testing.T, test func(t *testing.T)) {
	chosen := use
	defer func() { use = chosen }()
	for l := scalar; l <= best(); l++ {
		use = l
		t.Run(Name(), test)
	}
}

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
	if asked := os.Getenv("MARGINALIA_SIMD"); asked != "" && names[asked] <= best() && Name() != asked {
		t.Errorf("MARGINALIA_SIMD=%s, but %s is in use", asked, Name())
	}
	t.Log("in use:", Name())
}
