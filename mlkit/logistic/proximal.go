package logistic

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// proximalStep minimises g·p + ½p·Hp + Σ L1|θ + p| by coordinate descent. In one
// coordinate the minimum is soft thresholding:
//
//	θₐ + pₐ ← S(θₐ + pₐ - (g + Hp)ₐ/Hₐₐ, L1/Hₐₐ),  S(t, c) = sign(t) max(|t| - c, 0)
//
// Sweeps find which weights are 0 but converge slowly on correlated columns, so
// solveNonzero solves for the other weights after every few sweeps.
func (p *problem) proximalStep(H *mat.SymDense, g, theta []float64) []float64 {
	at, slope := slices.Clone(theta), slices.Clone(g) // θ + p and g + Hp
	const rounds, sweeps = 100, 10
	for range rounds {
		moved := false
		for range sweeps {
			moved = p.sweep(H, at, slope)
		}
		if !moved || p.ctx.Err() != nil || p.solveNonzero(H, g, theta, at, slope) {
			break
		}
	}
	floats.Sub(at, theta)
	return at
}

// sweep passes once over the coordinates and reports whether one has moved.
func (p penalties) sweep(H *mat.SymDense, at, slope []float64) (moved bool) {
	for a := range at {
		h := H.At(a, a)
		if h == 0 {
			continue
		}
		t := at[a] - slope[a]/h
		next := math.Copysign(math.Max(math.Abs(t)-p.l1[a%len(p.l1)]/h, 0), t)
		if delta := next - at[a]; delta != 0 {
			moved = true
			at[a] = next
			for b := range slope {
				slope[b] += delta * H.At(a, b)
			}
		}
	}
	return moved
}

// solveNonzero minimises over the nonzero weights with their signs kept, and stops where
// the first of them becomes 0. It reports whether the result is the minimum over all
// weights.
func (p penalties) solveNonzero(H *mat.SymDense, g, theta, at, slope []float64) bool {
	e := len(p.l1)
	var active []int
	for a, t := range at {
		if (t != 0 || p.l1[a%e] == 0) && H.At(a, a) > 0 {
			active = append(active, a)
		}
	}
	S := mat.NewSymDense(len(active), nil)
	q := mat.NewVecDense(len(active), nil)
	scale := func(i int) float64 { return 1 / math.Sqrt(H.At(active[i], active[i])) }
	for i, a := range active {
		for j := i; j < len(active); j++ {
			S.SetSym(i, j, H.At(a, active[j])*scale(i)*scale(j))
		}
		// A little more than H: in a direction in which H is flat, the step is then long
		// but finite, and ends where a weight becomes 0.
		S.SetSym(i, i, 1+1e-11)
		q.SetVec(i, -(slope[a]+math.Copysign(p.l1[a%e], at[a]))*scale(i))
	}
	var chol mat.Cholesky
	if !chol.Factorize(S) {
		return false
	}
	_ = chol.SolveVecTo(q, q) // perhaps ill-conditioned, but a descent direction
	length, first := 1.0, -1
	for i, a := range active {
		q.SetVec(i, q.AtVec(i)*scale(i))
		if p.l1[a%e] == 0 {
			continue
		}
		if t := -at[a] / q.AtVec(i); t >= 0 && t < length {
			length, first = t, a
		}
	}
	for i, a := range active {
		at[a] += length * q.AtVec(i)
	}
	if first >= 0 {
		at[first] = 0
	}
	delta := mat.NewVecDense(len(at), nil)
	for a := range at {
		delta.SetVec(a, at[a]-theta[a])
	}
	delta.MulVec(H, delta)
	floats.AddTo(slope, g, delta.RawVector().Data)
	if first >= 0 {
		return false
	}
	for a, t := range at {
		if t == 0 && math.Abs(slope[a]) > p.l1[a%e]*(1+1e-9) {
			return false
		}
	}
	return true
}
