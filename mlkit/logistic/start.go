package logistic

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/check"
)

// start returns the weights and biases of Start, those of its hyperplane for two classes, or
// nil if there is none. It returns an error if they don't fit the classes and d columns.
func (l Regression) start(classes []int, d int) (W [][]float64, B []float64, err error) {
	if l.Start == nil {
		return nil, nil, nil
	}
	W, B = l.Start.W, l.Start.B
	if !slices.Equal(l.Start.Classes, classes) {
		return nil, nil, fmt.Errorf("logistic: Regression.Start.Classes = %v, want %v, the labels in y", l.Start.Classes, classes)
	}
	if len(W) != len(classes) || len(B) != len(classes) {
		return nil, nil, fmt.Errorf("logistic: Regression.Start has %d rows W and %d biases B, want %d, one for each class", len(W), len(B), len(classes))
	}
	for k, w := range W {
		if len(w) != d {
			return nil, nil, fmt.Errorf("logistic: Regression.Start.W[%d] has %d elements, want %d, one for each column of X", k, len(w), d)
		}
		for j, v := range w {
			if !check.Finite(v) {
				return nil, nil, fmt.Errorf("logistic: Regression.Start.W[%d][%d] = %v, want a finite number", k, j, v)
			}
		}
		if !check.Finite(B[k]) {
			return nil, nil, fmt.Errorf("logistic: Regression.Start.B[%d] = %v, want a finite number", k, B[k])
		}
	}
	if len(classes) == 2 {
		h := l.Start.Between(1, 0)
		return [][]float64{h.W}, []float64{h.B}, nil
	}
	return W, B, nil
}

// begin moves the run from θ = 0 to the given weights and biases, unless the objective is
// no smaller there. It first shortens them so that no sample is on its wrong side by more
// than 20. Beyond that, the second derivative of its loss, e⁻²⁰, would be lost beside those
// of others in the Hessian, and Newton's method would not see its slope.
func (p *problem) begin(run *state, W [][]float64, B []float64) {
	const wrong = 20
	factor := math.Min(1, wrong/p.worst(W, B))
	theta, K, e := p.standard(W, B), len(W), len(p.l2)
	for j := range e {
		mean := 0.0
		if K > 1 && p.l1[j] == 0 {
			// Shifting the weights of all classes alike changes no probability. Their sum is
			// 0 at the optimum with L2, and 0 by choice without.
			for k := range K {
				mean += theta[k*e+j] / float64(K)
			}
		}
		for k := range K {
			theta[k*e+j] = factor * (theta[k*e+j] - mean)
		}
	}
	q := *p
	if p.exact != nil {
		q.sums = p.exact
	}
	loss, objective := q.value(theta, nil)
	if objective += p.absolute(theta); objective < run.objective {
		run.theta, run.loss, run.objective = theta, loss, objective
	}
}

// worst returns the largest amount by which a sample is on its wrong side, or 0. If the
// context is done, it may be too small.
func (p *problem) worst(W [][]float64, B []float64) (most float64) {
	f := make([]float64, len(W))
	p.rows(p.n, func(i int) {
		for k, w := range W {
			f[k] = floats.Dot(w, p.X.RawRowView(i)) + B[k]
		}
		most = math.Max(most, -p.loss.margin(i, f))
	})
	return most
}
