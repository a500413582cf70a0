package perceptron

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// The proof by two rows, or by one through the origin, names the first of them that
// comparing all rows finds, whatever the hyperplane.
func TestImpossible(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 32))
	found, alone := 0, 0
	for trial := range 600 {
		n, d := 2+random.IntN(40), 1+random.IntN(4)
		X, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range y {
			y[i] = 1 - 2*random.IntN(2)
			for j := range d {
				X.Set(i, j, float64(random.IntN(4)/2*(1-2*random.IntN(2))))
			}
		}
		y[0], y[1] = +1, -1
		p := Perceptron{Bias: []mlkit.Bias{mlkit.FreeBias, mlkit.NoBias}[trial%2], ZeroIsPositive: trial%4 > 1}
		want := make([]float64, n)
		some := false
		for i := n - 1; i >= 0; i-- {
			for j := n - 1; j >= i; j-- {
				zero := p.Bias == mlkit.NoBias && mat.Norm(X.RowView(i), 1) == 0 && !(p.ZeroIsPositive && y[i] > 0)
				if i == j && zero || i < j && mat.Equal(X.RowView(i), X.RowView(j)) && y[i] != y[j] {
					clear(want)
					want[i], want[j], some = 1, 1, true
				}
			}
		}
		r := testkit.Try(newRun(mlkit.Options{}, "Perceptron", p, maxIter, X, y)).Or(t)
		for j := range r.h.W {
			r.h.W[j] = float64(random.IntN(3)) * random.NormFloat64()
		}
		got, _ := r.impossible(unended, newCycle(r.h, n), r.h.Scores(nil, X))
		if (got != nil) != some || some && !mat.Equal(mat.NewVecDense(n, got), mat.NewVecDense(n, want)) {
			t.Fatalf("trial %d: α = %v, want %v", trial, got, want)
		}
		if some {
			found++
			if mat.Sum(mat.NewVecDense(n, want)) == 1 {
				alone++
			}
		}
	}
	if found < 100 || found > 590 || alone < 50 || alone == found {
		t.Errorf("%d proofs, %d by one row, of 600: the trials test little", found, alone)
	}
}
