package perceptron

import (
	"math/rand/v2"
	"testing"

	"marginalia/mlkit"

	"gonum.org/v1/gonum/mat"
)

// opposed finds the same first pair as comparing all rows, whether or not the
// hyperplane gives distinct points distinct scores.
func TestOpposed(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 32))
	found, again := 0, 0
	for trial := range 600 {
		n, d := 2+random.IntN(60), 1+random.IntN(12)
		X, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range y {
			y[i] = 1 - 2*random.IntN(2)
			from := 0
			if trial%2 == 0 {
				from = d - min(d, 3)
			}
			for j := from; j < d; j++ {
				X.Set(i, j, float64(random.IntN(4)-1))
			}
		}
		p := Perceptron{Bias: []mlkit.Bias{mlkit.FreeBias, mlkit.NoBias}[trial%3%2]}
		r := newLearner(p, X, y)
		for j := range r.h.W {
			if r.h.W[j] = random.NormFloat64(); trial%2 == 0 {
				r.h.W[j] = float64(j / 3)
			}
		}
		want := [2]int{-1, -1}
		for i := n - 1; i >= 0; i-- {
			for j := n - 1; j >= i; j-- {
				same := mat.Equal(X.RowView(i), X.RowView(j))
				if i < j && same && y[i] != y[j] || i == j && p.Bias == mlkit.NoBias && mat.Norm(X.RowView(i), 1) == 0 {
					want = [2]int{i, j}
				}
			}
		}
		v := new(verdict)
		r.judge([]*verdict{v}, r.h)
		i, j, ok := r.opposed(v)
		if ok != (want[0] >= 0) || ok && [2]int{i, j} != want {
			t.Fatalf("trial %d: rows %d and %d, %v, want %v", trial, i, j, ok, want)
		}
		if ok {
			found++
		}
		s := opposedSearch{learner: r, keys: make([]uint64, n), steps: 4 * n} // equal keys
		if !s.run(v.wrong) {
			again++
		}
	}
	if found < 100 || found > 500 || again < 20 {
		t.Errorf("%d found and %d with too many alike, of 600: the trials test little", found, again)
	}
}
