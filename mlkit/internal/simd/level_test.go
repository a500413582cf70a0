package simd

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"
)

// eachLevel runs a test at all levels of this machine.
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
}

// MARGINALIA_SIMD is read when a program starts, so the test sets it for child
// processes.
func TestVariable(t *testing.T) {
	const child = "MARGINALIA_TEST_LEVEL"
	if os.Getenv(child) != "" {
		fmt.Print(Name())
		os.Exit(0) // skip the test's own report
	}
	if best() == scalar {
		t.Skip("needs a processor with AVX2")
	}
	for asked, l := range names {
		cmd := exec.Command(os.Args[0], "-test.run=^TestVariable$")
		cmd.Env = append(os.Environ(), child+"=1", "MARGINALIA_SIMD="+asked)
		got, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if want := min(l, best()); names[string(got)] != want || len(got) == 0 {
			t.Errorf("MARGINALIA_SIMD=%s: %q is in use, want level %d", asked, got, want)
		}
	}
}

// AVX2 and AVX-512 do the same operations on every number, so they give the same bits.
func TestSameBits(t *testing.T) {
	if best() < avx512 {
		t.Skip("needs a processor with AVX-512")
	}
	chosen := use
	defer func() { use = chosen }()
	random := rand.New(rand.NewPCG(13, 14))
	const d = 37
	panel, x, features, squares := make([]float32, d*64), make([]float32, d*Rows), make([]uint32, d), make([]float32, 64)
	for i := range panel {
		panel[i] = float32(random.NormFloat64())
	}
	for i := range x {
		x[i] = float32(random.NormFloat64())
	}
	for k := range features {
		features[k] = uint32(k)
	}
	for i := range squares {
		squares[i] = d + random.Float32()
	}
	g0, up, low, ki, kj := state(random, 100)
	dst0 := make([]float64, 100)
	var tiles [2][]float32
	var gs, dsts [2][]float64
	for k, l := range []level{avx2, avx512} {
		use = l
		tiles[k] = make([]float32, Rows*64)
		Tile(tiles[k], panel, x, features, Rows)
		Gauss(tiles[k], squares[:Rows], squares, 0.05)
		gs[k], dsts[k] = slices.Clone(g0), slices.Clone(dst0)
		Update(gs[k], up, low, ki, kj, 0.3, -0.7)
		Axpy(dsts[k], 0.1, g0)
	}
	if !slices.Equal(tiles[0], tiles[1]) || !slices.Equal(gs[0], gs[1]) || !slices.Equal(dsts[0], dsts[1]) {
		t.Error("AVX2 and AVX-512 differ")
	}
}
