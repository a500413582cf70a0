package logistic

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/simd"
)

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
	q := p.over(Z, p.loss.of(rows))
	share := q.total / p.total
	q.l1 = floats.ScaleTo(make([]float64, len(p.l1)), share, p.l1)
	q.l2 = floats.ScaleTo(make([]float64, len(p.l2)), share, p.l2)
	q.Tol, q.MaxIter, q.Trace = 1, 20, nil
	few := &state{theta: make([]float64, len(run.theta)), loss: q.total * math.Ln2}
	few.objective = few.loss
	_ = q.newton(few) // after MaxIter iterations θ is a start all the same
	loss, objective := p.value(few.theta, nil)
	if objective += p.absolute(few.theta); objective < run.objective { // false if the context is done
		run.theta, run.loss, run.objective = few.theta, loss, objective
	}
}
