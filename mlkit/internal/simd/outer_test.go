package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// Each sum is off by no more than the error bound of an inner product, as in testTile, plus one
// rounding in float64 for the addition to dst. Only the given rows and columns of dst change.
// The rest of a panel's row is NaN, which would spoil the sums if it were read.
func testOuter[T Float](t *testing.T, u float64) {
	random := rand.New(rand.NewPCG(3, 4))
	w, unit := OuterWidth[T]()
	if w%12 != 0 || w%unit != 0 || unit%OuterRows != 0 {
		t.Fatalf("the width is %d and the unit %d", w, unit)
	}
	for _, count := range []int{1, 2, 3, 17, 128} {
		for columns := unit; columns <= w; columns += unit {
			a, b := rowsOf[T](random, count, OuterRows, w, 1), rowsOf[T](random, count, columns, w, 1)
			to := columns + random.IntN(5)
			dst := rowsOf[float64](random, OuterRows, columns, to, 10)
			before := slices.Clone(dst)
			Outer(dst, to, a, b, count, columns)
			x, y := make([]T, count), make([]T, count)
			for at, got := range dst {
				r, c := at/to, at%to
				if c >= columns {
					if got == got {
						t.Fatalf("%d rows, %d columns: dst[%d] is written", count, columns, at)
					}
					continue
				}
				for k := range count {
					x[k], y[k] = a[k*w+r], b[k*w+c]
				}
				want, size := exact(x, y)
				bound := float64(count)*u/(1-float64(count)*u)*size + 0x1p-53*math.Abs(before[at]+want)*(1+u)
				if err := math.Abs(got - before[at] - want); !(err <= bound+0x1p-52*math.Abs(before[at])) {
					t.Fatalf("%d rows, %d columns: sum %d, %d is off by %v, want at most %v", count, columns, r, c, err, bound)
				}
			}
		}
	}
}

func TestOuter(t *testing.T) {
	eachType(t, func(t *testing.T) { testOuter[float32](t, 0x1p-24) }, func(t *testing.T) { testOuter[float64](t, 0x1p-53) })
}

func TestOuterMisuse(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		w, unit := OuterWidth[float64]()
		for name, call := range map[string]func(dst, a, b []float64){
			"dst":        func(dst, a, b []float64) { Outer(dst[1:], w, a, b, 2, w) },
			"a":          func(dst, a, b []float64) { Outer(dst, w, a[1:], b, 2, w) },
			"b":          func(dst, a, b []float64) { Outer(dst, w, a, b[1:], 2, w) },
			"unit":       func(dst, a, b []float64) { Outer(dst, w, a, b, 2, unit-1) },
			"columns":    func(dst, a, b []float64) { Outer(dst, w+unit, a, b, 1, w+unit) },
			"overlapped": func(dst, a, b []float64) { Outer(dst, w-1, a, b, 2, w) },
		} {
			testkit.Panics(t, name, func() { call(make([]float64, OuterRows*w), make([]float64, w+OuterRows), make([]float64, 2*w)) })
		}
	})
}
