package smo

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/work"
)

// gradient evaluates g from its definition, in float32 for samples that are clear of the margin
// and in float64 for all others. Let m and M be those of First over the support vectors. If one
// of these has αᵢ < Cᵢ, it is in both I_up and I_low, and b lies between M and m. A sample with
// αᵢ = 0 and yᵢ = +1 is in I_up alone. If gᵢ < M, the sample changes neither m nor M and has no
// slack, since yᵢ(gᵢ - b) < 0. The same holds for yᵢ = -1 and gᵢ > m. So every number of a model
// has the same bits whether such a gᵢ is exact or not. For most of these samples float32, with a
// bound on its error, is enough to tell.
func (a *shrinking) gradient(ctx work.Ender, d *Dual) error {
	count, free := 0, false
	for i, α := range d.Alpha {
		if α != 0 {
			count++
			free = free || α < d.C[i]
		}
	}
	if count == 0 {
		copy(d.G, d.Y)
		return ctx.Err()
	}
	support, zero := make([]int, 0, count), make([]int, 0, len(d.Alpha)-count)
	for i, α := range d.Alpha {
		if α == 0 {
			zero = append(zero, i)
		} else {
			support = append(support, i)
		}
	}
	g := make([]float64, len(d.G))
	if err := a.evaluateSupport(ctx, d, g, support); err != nil {
		return err
	}
	if free {
		var err error
		if zero, err = a.judge(ctx, d, g, support, zero); err != nil {
			return err
		}
	}
	if err := a.evaluate(ctx, d, g, support, zero); err != nil {
		return err
	}
	copy(d.G, g)
	return nil
}

// evaluateSupport sets gᵢ = yᵢ - Σⱼ αⱼyⱼKᵢⱼ of the support vectors, in float64.
func (a *shrinking) evaluateSupport(ctx work.Ender, d *Dual, g []float64, support []int) error {
	vectors, coef := make([][]float64, len(support)), make([]float64, len(support))
	for k, j := range support {
		vectors[k], coef[k] = a.samples.Row(j), d.Alpha[j]*d.Y[j]
	}
	sum := make([]float64, len(support))
	if err := gram.SelfSums(ctx, sum, a.function, vectors, coef, a.shift, &a.space.sums); err != nil {
		return err
	}
	for k, i := range support {
		g[i] = d.Y[i] - sum[k]
	}
	return nil
}

// evaluate sets gᵢ of the samples at, in float64.
func (a *shrinking) evaluate(ctx work.Ender, d *Dual, g []float64, support, at []int) error {
	vectors, terms := make([][]float64, len(support)), make([][]gram.Term, len(support))
	for k, j := range support {
		vectors[k], terms[k] = a.samples.Row(j), []gram.Term{{Coef: d.Alpha[j] * d.Y[j]}}
	}
	sum := make([]float64, len(at))
	row := func(k int) []float64 { return a.samples.Row(at[k]) }
	if err := gram.Sums(ctx, [][]float64{sum}, a.function, vectors, terms, len(at), row, a.shift, &a.space.sums); err != nil {
		return err
	}
	for k, i := range at {
		g[i] = d.Y[i] - sum[k]
	}
	return nil
}

// judge sets gᵢ of the samples zero, with αᵢ = 0, in float32. It returns those that may not be
// clear of the margin. It reads g of the support vectors.
func (a *shrinking) judge(ctx work.Ender, d *Dual, g []float64, support, zero []int) (unclear []int, err error) {
	relative, absolute := a.matrix.Error()
	if math.IsInf(relative, 1) {
		return zero, nil
	}
	total := 0.0
	var sums [2][]float64 // Σ αⱼKᵢⱼ over the support vectors of each class
	all, coefs := make([]int, len(support)), make([]float64, len(support))
	for class, y := range []float64{-1, +1} {
		of, coef := all[:0], coefs[:0]
		for _, j := range support {
			if d.Y[j] == y {
				of, coef = append(of, j), append(coef, d.Alpha[j])
			}
		}
		sums[class] = make([]float64, len(zero))
		if err := a.matrix.Sums(ctx, sums[class], of, coef, zero); err != nil {
			return nil, err
		}
		total += floats.Sum(coef)
	}
	m, M := math.Inf(-1), math.Inf(1)
	for _, j := range support {
		if d.up(j) {
			m = max(m, g[j])
		}
		if d.low(j) {
			M = min(M, g[j])
		}
	}
	for k, i := range zero {
		minus, plus := sums[0][k], sums[1][k]
		off := relative*(minus+plus) + absolute*total
		g[i] = d.Y[i] - (plus - minus)
		if d.Y[i] > 0 && !(g[i]+off < M) || d.Y[i] < 0 && !(g[i]-off > m) {
			unclear = append(unclear, i)
		}
	}
	return unclear, nil
}
