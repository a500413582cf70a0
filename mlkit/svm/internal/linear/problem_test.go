package linear

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// Many samples take the fast path, and so do few samples with many features.
func TestMany(t *testing.T) {
	for _, c := range []struct {
		n, d int
		want bool
	}{{10000, 2, true}, {9999, 2, false}, {512, 2048, true}, {512, 2047, false}} {
		if p := (&Problem{X: mat.NewDense(c.n, c.d, nil)}); p.Many() != c.want {
			t.Errorf("%d×%d is many: %v, want %v", c.n, c.d, p.Many(), c.want)
		}
	}
}

// The weighted median by hand: three samples at 0, labelled +, +, -, with C = 1 have
// corners at b = 1, 1 and -1. The sum 2max(0, 1-b) + max(0, 1+b) is least at b = 1. With
// C = 2 for the third it is constant and least from b = -1 to 1.
func TestBestBias(t *testing.T) {
	X := mat.NewDense(3, 1, nil)
	for _, c := range []struct {
		C    []float64
		want float64
	}{{[]float64{1, 1, 1}, 1}, {[]float64{1, 1, 2}, 0}, {[]float64{1, 1, 3}, -1}, {[]float64{1, 0, 1}, 0}} {
		p := New(X, []int{1, 1, -1}, c.C, false, mlkit.FreeBias)
		if b := p.BestBias(make([]float64, len(p.Y))); b != c.want {
			t.Errorf("C = %v: b = %v, want %v", c.C, b, c.want)
		}
	}
}
