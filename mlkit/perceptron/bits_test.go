package perceptron

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// nearTies returns n samples whose coordinates are tenths from -0.3 to 0.3, with random
// labels. In exact arithmetic the weights of a perceptron remain tenths, and many
// scores are 0. Tenths are not binary fractions, so in float64 the sign of such a score
// depends on the order and rounding of every earlier sum.
func nearTies(n, d int) (*mat.Dense, []int) {
	r := rand.New(rand.NewPCG(3, 4))
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = 2*r.IntN(2) - 1
		for j := range d {
			X.Set(i, j, float64(r.IntN(7)-3)/10)
		}
	}
	return X, y
}

// A perceptron's mistakes are bit for bit those of the update rule applied sample by
// sample with gonum's sums. This holds for many and for few samples, with and without a
// trace, and on any number of processors. A single score rounded to the other side of 0
// would change every later weight.
func TestPerceptronBits(t *testing.T) {
	testkit.NoRace(t)
	const n, d = 50077, 5
	X, y := nearTies(n, d)
	for _, p := range []Perceptron{{MaxIter: 3, Rate: 0.1}, {MaxIter: 3, Rate: 0.7, ZeroIsPositive: true}, {MaxIter: 2, Bias: mlkit.NoBias, Rate: 0.3}} {
		rate, mistakes, ties := p.Rate, 0, 0
		if rate == 0 {
			rate = 1
		}
		h := mlkit.Hyperplane{W: make([]float64, d)}
		for range p.MaxIter {
			for i := range n {
				s := floats.Dot(h.W, X.RawRowView(i)) + h.B
				if math.Abs(s) < 1e-9 {
					ties++
				}
				if m := s * float64(y[i]); m < 0 || s == 0 && !(p.ZeroIsPositive && y[i] > 0) {
					floats.AddScaled(h.W, rate*float64(y[i]), X.RawRowView(i))
					if p.Bias == mlkit.FreeBias {
						h.B += rate * float64(y[i])
					}
					mistakes++
				}
			}
		}
		if ties < 1000 {
			t.Errorf("%+v: %d near ties, too few to see anything", p, ties)
		}
		counts := []int{1, 3}
		if !testkit.IsLong(t) {
			counts = counts[1:]
		}
		for _, procs := range counts {
			for _, trace := range []func(Step) bool{nil, func(Step) bool { return true }} {
				got, last := fitLast(t, p, trace, procs, X, y)
				if !slices.Equal(last.W, h.W) || last.B != h.B || got.Mistakes != mistakes {
					t.Errorf("%+v, %d processors, traced %v: %v + %v after %d mistakes, want %v + %v after %d", p, procs, trace != nil, last.W, last.B, got.Mistakes, h.W, h.B, mistakes)
				}
			}
		}
	}
}

// fitLast fits p to samples that are not separable. It returns the model and the
// hyperplane after the last pass; the model holds the pocket's instead if that is
// better.
func fitLast(t *testing.T, p Perceptron, trace func(Step) bool, procs int, X *mat.Dense, y []int) (*Model, mlkit.Hyperplane) {
	t.Helper()
	was := runtime.GOMAXPROCS(procs)
	defer runtime.GOMAXPROCS(was)
	var last mlkit.Hyperplane
	p.Trace = trace
	p.TraceEpoch = func(e Epoch) bool { last = e.Hyperplane; return true }
	m, err := p.Fit(X, y)
	if !errors.As(err, new(*mlkit.NotConvergedError)) {
		t.Fatalf("err = %v, want one that has not converged", err)
	}
	return m, last
}
