package simd

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
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

// MARGINALIA_SIMD is read when a program starts, so the test sets it for child
// processes.
func TestVariable(t *testing.T) {
	const child = "MARGINALIA_TEST_LEVEL"
	if os.Getenv(child) != "" {
		fmt.Print(Name())
		os.Exit(0) // skip the test's own report
	}
	if best() == scalar {
		t.Skip("needs a processor with vectors")
	}
	for asked, l := range names {
		cmd := exec.Command(os.Args[0], "-test.run=^TestVariable$")
		cmd.Env = append(os.Environ(), child+"=1", "MARGINALIA_SIMD="+asked)
		got, err := cmd.Output()
		if errors.Is(err, syscall.ENOEXEC) {
			t.Skip("this processor is emulated, and can't start the test as a child")
		}
		if err != nil {
			t.Fatal(err)
		}
		if want := min(l, best()); names[string(got)] != want || len(got) == 0 {
			t.Errorf("MARGINALIA_SIMD=%s: %q is in use, want level %d", asked, got, want)
		}
	}
}

// Kernels do the same operations on every number at every level, so they give the same
// bits, on amd64 and on arm64. The sum is of the bits that the AVX2 kernels give.
func TestSameBits(t *testing.T) {
	const want = 0xb2b0ba7fe1e0191c
	if best() == scalar {
		t.Skip("needs a processor with vectors")
	}
	chosen := use
	defer func() { use = chosen }()
	for use = scalar + 1; use <= best(); use++ {
		sum := fnv.New64a()
		sameBits[float32](t, sum)
		sameBits[float64](t, sum)
		if got := sum.Sum64(); got != want {
			t.Errorf("%s: the sum of the bits is %#x, want %#x", Name(), got, uint64(want))
		}
	}
}

// sameBits adds to sum what the kernels compute whose bits depend on no level. The
// numbers are multiples of 2⁻⁵³, which no compiler rounds differently.
func sameBits[T Float](t *testing.T, sum io.Writer) {
	random := rand.New(rand.NewPCG(13, 14))
	const d, n = 37, 96 // with an n that leaves nothing to plain Go, which may round products
	w := Width[T]()
	add := func(results any) {
		if err := binary.Write(sum, binary.LittleEndian, results); err != nil {
			t.Fatal(err)
		}
	}
	panel, x, features, squares := uniform[T](random, d*w), uniform[T](random, d*Rows), make([]uint32, d), uniform[T](random, w)
	for k := range features {
		features[k] = uint32(k)
	}
	tile := make([]T, Rows*w)
	Tile(tile, panel, x, features, Rows)
	add(tile)
	Tile(tile[:w], panel, x[:d], features, 1)
	add(tile)
	for i := range squares {
		squares[i] += d
	}
	Gauss(tile, squares[:Rows], squares, 0.05)
	add(tile)

	g, dst, c := uniform[float64](random, n), uniform[float64](random, n), uniform[float64](random, d)
	up, low, ki, kj := make([]float32, n), make([]float32, n), uniform[float32](random, n), uniform[float32](random, n)
	for i := range n / 3 {
		up[3*i], low[3*i+1] = -inf32, inf32
	}
	index, most, least := Update(g, up, low, ki, kj, 0.3, -0.7, 0.1)
	add(g)
	add([]float64{float64(index), float64(most), float64(least)})
	add([]float64{float64(Partner(g, low, ki, kj, 0.25, 1))})
	Axpy(dst, 0.1, g)
	add(dst)
	Combine(dst[:33], x, 34, c[:6])
	add(dst)
	rough := make([]T, n)
	Standardize(rough, g, dst, uniform[float64](random, n))
	add(rough)
	centres, indices, distances := uniform[float64](random, 3*d), make([]int64, 32), make([]float64, 32)
	samples := uniform[float64](random, d*32)
	Distances(distances, samples, centres[:d])
	add(distances)
	Nearest(indices, distances, samples, centres, d)
	add(distances)
	add(indices)
}

// uniform returns n numbers between -1/2 and 1/2.
func uniform[T Float](random *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(random.Float64() - 0.5)
	}
	return x
}
