package logistic

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/simd"
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
	if loss, objective := q.value(theta, nil); objective < run.objective {
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
		most = math.Max(most, -p.margin(i, f))
	})
	return most
}

// subsampleStride selects every seventh sample. It is prime, since data sets often repeat
// their classes in a short cycle.
const subsampleStride = 7

// startsOnSubsample reports whether Newton's method starts at the minimum for a subsample. That
// needs many samples, and a penalty, with which the objective has a minimum for any labels.
func (p *problem) startsOnSubsample() bool {
	return p.Solver == Newton && !p.likelihood() && outerPays(p.n/subsampleStride, p.loss)
}

// startOnSubsample moves the run from θ = 0 to the minimum for the subsample if the objective of
// all samples is smaller there. An iteration on the subsample takes a seventh of the time. It
// stops at a Newton decrement of 1: the minimum for a subsample differs from that for all by
// about its standard error anyway. Richard Byrd, Gillian Chin, Jorge Nocedal and Yuchen Wu,
// "Sample size selection in optimization methods for machine learning", 2012, let the
// subsample grow.
func (p *problem) startOnSubsample(run *state) {
	count, d := (p.n+subsampleStride-1)/subsampleStride, len(p.mean)
	rows, Z := make([]int, count), mat.NewDense(count, d+1, nil)
	for k := range rows {
		rows[k] = k * subsampleStride
		z := Z.RawRowView(k)
		simd.Standardize(z[:d], p.X.RawRowView(rows[k]), p.mean, p.perScale)
		z[d] = 1
	}
	q := p.over(Z, p.labels.of(rows))
	share := q.total / p.total
	q.l1 = floats.ScaleTo(make([]float64, len(p.l1)), share, p.l1)
	q.l2 = floats.ScaleTo(make([]float64, len(p.l2)), share, p.l2)
	q.Tol, q.MaxIter, q.Trace, q.report = 1, 20, nil, nil
	few := &state{theta: make([]float64, len(run.theta)), loss: q.atZero()}
	few.objective = few.loss
	_ = q.newton(few) // after MaxIter iterations θ is a start all the same

	grad := make([]float64, len(few.theta))
	loss, objective, H := p.evaluate(few.theta, grad, true)
	if objective < run.objective && p.ctx.Err() == nil {
		run.theta, run.loss, run.objective, run.grad, run.hessian = few.theta, loss, objective, grad, H
	}
}
