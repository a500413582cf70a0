package logistic

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/simd"
)

// step sets at to θ plus the step that minimises the quadratic model of the smooth part
// plus the penalty, and moved to the change of the scores. It ends when no derivative of
// the model moves by more than tol. The second derivatives of the softmax couple the
// classes: a step u of the scores changes the derivative of class k by
// p_k (u_k - Σ p_l u_l).
func (q *workingProblem) step(tol float64) error {
	copy(q.at, q.theta)
	clear(q.moved)
	const rounds = 20
	for range rounds {
		most := 0.0
		for k := range q.K {
			if err := q.ctx.Err(); err != nil {
				return err
			}
			moved := q.moved[k*q.n:][:q.n]
			q.weigh(k)
			before := append([]float64(nil), q.at[k*q.w:][:q.w]...)
			if err := q.sweeps(k, tol); err != nil {
				return err
			}
			for c, t := range before {
				delta := q.at[k*q.w+c] - t
				if delta != 0 {
					most = math.Max(most, math.Abs(delta)*q.curvature[c])
					simd.Axpy(moved, delta, q.column(c))
				}
			}
		}
		if q.K == 1 || most <= tol {
			break
		}
	}
	return nil
}

// weigh computes weighted, curvature and model for class k.
func (q *workingProblem) weigh(k int) {
	root := q.root[k*q.n:][:q.n]
	for c, j := range q.columns {
		to := q.weighted[c*q.n:][:q.n]
		floats.MulTo(to, q.column(c), root)
		q.curvature[c] = floats.Dot(to, to) + q.l2[j]
	}
	clear(q.model)
	if q.K == 1 {
		return // the step begins at θ, and there is no other class
	}
	for l := range q.K {
		p := q.prob[l*q.n:][:q.n]
		for i, u := range q.moved[l*q.n:][:q.n] {
			q.model[i] -= p[i] * u
		}
	}
	p, own := q.prob[k*q.n:][:q.n], q.moved[k*q.n:][:q.n]
	for i, r := range root {
		if r > 0 {
			q.model[i] = p[i] * (own[i] + q.model[i]) / r
		} else {
			q.model[i] = 0
		}
	}
}

// sweeps passes over the weights of class k: repeatedly over the nonzero ones, then once
// over all, until no derivative moves by more than tol or effort is spent. The minimum in
// one weight is soft thresholding, as in proximalStep. As there, passes converge slowly
// on correlated columns, so with a large effort conjugate gradients help.
func (q *workingProblem) sweeps(k int, tol float64) error {
	const together = 10
	nonzero := make([]int, 0, q.w)
	all := true
	for s := range q.effort {
		if err := q.ctx.Err(); err != nil {
			return err
		}
		most := 0.0
		if all {
			nonzero = nonzero[:0]
			for c := range q.w {
				most = math.Max(most, q.move(k, c))
				if q.at[k*q.w+c] != 0 {
					nonzero = append(nonzero, c)
				}
			}
			if most <= tol {
				break
			}
			all = false
			continue
		}
		for _, c := range nonzero {
			most = math.Max(most, q.move(k, c))
		}
		if all = most <= tol; !all && q.effort > 4*together && s%together == together-1 {
			q.conjugate(k, nonzero, tol)
		}
	}
	return nil
}

// move minimises the model in one weight and returns the change of its derivative.
func (q *workingProblem) move(k, c int) float64 {
	h := q.curvature[c]
	if h == 0 {
		return 0
	}
	a, j := k*q.w+c, q.columns[c]
	weighted := q.weighted[c*q.n:][:q.n]
	var product [1]float64
	simd.Products(product[:], weighted, q.n, q.model)
	t := q.at[a] - (q.grad[a]+product[0]+q.l2[j]*(q.at[a]-q.theta[a]))/h
	next := math.Copysign(math.Max(math.Abs(t)-q.l1[j]/h, 0), t)
	delta := next - q.at[a]
	if delta == 0 {
		return 0
	}
	q.at[a] = next
	simd.Axpy(q.model, delta, weighted)
	return math.Abs(delta) * h
}

// conjugate minimises the model over the nonzero weights of class k, with their signs
// kept, by preconditioned conjugate gradients. It ends where the first of them becomes 0.
func (q *workingProblem) conjugate(k int, columns []int, tol float64) {
	at, theta, grad := q.at[k*q.w:][:q.w], q.theta[k*q.w:][:q.w], q.grad[k*q.w:][:q.w]
	columns = slices.DeleteFunc(slices.Clone(columns), func(c int) bool { return at[c] == 0 || q.curvature[c] == 0 })
	m := len(columns)
	step, residual, direction, image := make([]float64, m), make([]float64, m), make([]float64, m), make([]float64, m)
	scores, sum := make([]float64, q.n), make([]float64, q.n)
	product := func(c int, v []float64) float64 {
		var p [1]float64
		simd.Products(p[:], q.weighted[c*q.n:][:q.n], q.n, v)
		return p[0]
	}
	size := 0.0 // the squared norm of the residual in the metric of the preconditioner
	for i, c := range columns {
		j := q.columns[c]
		residual[i] = -(grad[c] + product(c, q.model) + q.l2[j]*(at[c]-theta[c]) + math.Copysign(q.l1[j], at[c]))
		direction[i] = residual[i] / q.curvature[c]
		size += residual[i] * direction[i]
	}
	for range min(m, 20) {
		if floats.Norm(residual, math.Inf(1)) <= tol/10 || q.ctx.Err() != nil {
			break
		}
		clear(scores)
		for i, c := range columns {
			simd.Axpy(scores, direction[i], q.weighted[c*q.n:][:q.n])
		}
		curved := 0.0
		for i, c := range columns {
			image[i] = product(c, scores) + q.l2[q.columns[c]]*direction[i]
			curved += image[i] * direction[i]
		}
		length := size / curved
		if !(curved > 0) || !check.Finite(length) {
			break
		}
		floats.AddScaled(step, length, direction)
		floats.AddScaled(residual, -length, image)
		simd.Axpy(sum, length, scores)
		before := size
		size = 0
		for i, c := range columns {
			image[i] = residual[i] / q.curvature[c]
			size += residual[i] * image[i]
		}
		for i := range direction {
			direction[i] = image[i] + size/before*direction[i]
		}
	}
	length, first := 1.0, -1
	for i, c := range columns {
		if q.l1[q.columns[c]] == 0 {
			continue
		}
		if t := -at[c] / step[i]; t >= 0 && t < length {
			length, first = t, c
		}
	}
	for i, c := range columns {
		at[c] += length * step[i]
	}
	if first >= 0 {
		at[first] = 0
	}
	simd.Axpy(q.model, length, sum)
}
