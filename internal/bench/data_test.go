package main

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"testing"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// The sums are those of the files when the sources were written; see source for what
// to do when they change. (Sines differ in their last bits from one kind of processor to
// another, so the moons are not among them.)
func TestDataAreTheSame(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		from source
		n, d int
		sum  string
	}{
		{sourceA, 5000, 20, "0545c7bf36437cfa"},
		{gaussians("classes", 7, 2000, 20, 5), 2000, 20, "370bc74bb0ffce79"},
		{blobs("blobs", 9, 1000, 10, 10), 1000, 10, "6e89a2e9854d7bc1"},
	} {
		s := must.Get(store(dir, c.from)).Or(t)
		b := testfile.Read(t, s.Path)
		sum := sha256.Sum256([]byte(b))
		if got := hex.EncodeToString(sum[:8]); s.N != c.n || s.D != c.d || got != c.sum {
			t.Errorf("%s: %d×%d, sum %s, want %d×%d, %s", c.from.name, s.N, s.D, got, c.n, c.d, c.sum)
		}
	}
}

// What is stored is what was made, is made once, and is made anew if it is broken.
func TestStore(t *testing.T) {
	dir := t.TempDir()
	made := 0
	from := twoGaussians("small", 1, 30, 4)
	counted := source{from.name, func() (samples, error) { made++; return from.make() }}
	want := must.Get(from.make()).Or(t)
	for range 2 {
		s := must.Get(store(dir, counted)).Or(t)
		got := must.Get(s.load()).Or(t)
		for i, y := range want.y {
			if got.y[i] != y {
				t.Fatalf("label %d is %d, want %d", i, got.y[i], y)
			}
			for j, x := range want.X.RawRowView(i) {
				if got.X.At(i, j) != x {
					t.Fatalf("x[%d][%d] = %g, want %g", i, j, got.X.At(i, j), x)
				}
			}
		}
	}
	if made != 1 {
		t.Errorf("made %d times, want once", made)
	}
	must.Do(t, os.Truncate(filepath.Join(dir, "small.f64"), 100))
	if _, err := store(dir, counted); err != nil || made != 2 {
		t.Errorf("cut short: made %d times, %v, want twice", made, err)
	}
}

// The first samples are the same for any number of them, and the classes are as far
// apart as they should be: the mean of y·x is (1 - 2·0.05)·μ with ‖μ‖ = 1.28, for 5 % of
// labels are turned round.
func TestTwoGaussians(t *testing.T) {
	few := must.Get(twoGaussians("few", 1, 100, 20).make()).Or(t)
	many := must.Get(sourceA.make()).Or(t)
	for i, y := range few.y {
		if many.y[i] != y || many.X.At(i, 19) != few.X.At(i, 19) {
			t.Fatalf("sample %d depends on how many there are", i)
		}
	}
	mean := make([]float64, 20)
	for i, y := range many.y {
		for j, x := range many.X.RawRowView(i) {
			mean[j] += float64(y) * x / float64(len(many.y))
		}
	}
	length := 0.0
	for _, m := range mean {
		length += m * m
	}
	// Twenty means of 5000 numbers of variance 1 or so: the sum of the squares of their
	// errors is 20/5000 = 0.004 on average, that of the length's is 0.014 = √(1/5000).
	if got, want := math.Sqrt(length), 0.9*1.28; math.Abs(got-want) > 4*0.014 {
		t.Errorf("‖mean of y·x‖ = %g, want about %g", got, want)
	}
}
