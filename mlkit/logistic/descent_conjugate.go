package logistic

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/simd"
)

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
