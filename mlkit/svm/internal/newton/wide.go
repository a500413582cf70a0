package newton

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/gram"
)

// With more columns than samples Newton's direction comes from a system with an equation for
// each sample with slack, instead of one for each column (Olivier Chapelle, "Training a support
// vector machine in the primal", 2007, section 4). With the matrix Z of these samples, K = ZZᵀ,
// D the diagonal matrix of the 1/(2Cᵢ), and the gradient (g, h) in w and b, Δ = (-g - Zᵀq, β)
// where
//
//	(K + D)q = -Zg + β1,  1·q = -h        if b is free
//	(K + D + 11ᵀ)q = -Zg - h1,  β = -h - 1·q   if b is penalised
//	(K + D)q = -Zg,  β = 0                without b
//
// If b is free, the samples are centred first: it changes b alone.

// wideProblem has what stays the same from step to step.
type wideProblem struct {
	K    *mat.SymDense // of all samples
	mean []float64     // subtracted from the samples; 0 unless b is free
}

// wideMultiplications is the number of multiplications, n²d, from which vector instructions
// are worth their different bits.
var wideMultiplications = 1e8

func (r *Fit) large() bool {
	n, d := r.X.Dims()
	return float64(n)*float64(n)*float64(d) >= wideMultiplications
}

// newWideProblem returns nil if ctx is done.
func (r *Fit) newWideProblem(ctx context.Context) *wideProblem {
	n, d := r.X.Dims()
	p := &wideProblem{K: mat.NewSymDense(n, nil), mean: make([]float64, d)}
	X := r.X
	if r.Bias == mlkit.FreeBias {
		for i := range n {
			floats.AddScaled(p.mean, 1/float64(n), X.RawRowView(i))
		}
		X = mat.DenseCopyOf(X)
		for i := range n {
			floats.Sub(X.RawRowView(i), p.mean)
		}
	}
	large := r.large()
	for i := range n {
		if ctx.Err() != nil {
			return nil
		}
		for j := i; j < n && (j == i || !large); j++ {
			p.K.SetSym(i, j, floats.Dot(X.RawRowView(i), X.RawRowView(j)))
		}
	}
	if large && gram.Symmetric(ctx, gram.Function{Gamma: 1, Degree: 1}, p.K, d, X.RawRowView) != nil {
		return nil
	}
	return p
}

// wideDirection is direction for more columns than samples. slack lists the samples that have
// some.
func (r *Fit) wideDirection(ctx context.Context, gradient []float64, slack []int) []float64 {
	if r.wide == nil {
		if r.wide = r.newWideProblem(ctx); r.wide == nil {
			return nil
		}
	}
	p, d := r.wide, len(gradient)-1
	h := gradient[d]
	floats.AddScaled(gradient[:d], -h, p.mean) // that of the centred samples
	Δ := floats.ScaleTo(make([]float64, d+1), -1, gradient)
	if r.Bias != mlkit.PenalizedBias {
		Δ[d] = 0
	}
	if len(slack) > 0 {
		β, ok := r.addSlack(ctx, Δ[:d], h, slack)
		if !ok {
			return nil
		}
		Δ[d] = β
	}
	Δ[d] -= floats.Dot(p.mean, Δ[:d])
	return Δ
}

// addSlack turns Δ = -g into -g - Zᵀq and returns β. It returns false if ctx is done or the
// system is not positive definite.
func (r *Fit) addSlack(ctx context.Context, Δ []float64, h float64, slack []int) (β float64, ok bool) {
	p, a := r.wide, len(slack)
	A, q, ones := mat.NewSymDense(a, nil), make([]float64, a), make([]float64, a)
	offset := floats.Dot(p.mean, Δ)
	products := r.Products(Δ)
	for s, i := range slack {
		for t := s; t < a; t++ {
			v := p.K.At(i, slack[t])
			if r.Bias == mlkit.PenalizedBias {
				v++
			}
			A.SetSym(s, t, v)
		}
		A.SetSym(s, s, A.At(s, s)+1/(2*r.C[i]))
		q[s], ones[s] = products[i]-offset, 1
		if r.Bias == mlkit.PenalizedBias {
			q[s] -= h
		}
	}
	solve := r.factorise(ctx, A)
	if solve == nil {
		return 0, false
	}
	solve(q)
	switch r.Bias {
	case mlkit.FreeBias:
		solve(ones)
		β = -(h + floats.Sum(q)) / floats.Sum(ones)
		floats.AddScaled(q, β, ones)
	case mlkit.PenalizedBias:
		β = -h - floats.Sum(q)
	}
	weights := make([]float64, len(r.scores))
	for s, i := range slack {
		weights[i] = q[s]
	}
	floats.Sub(Δ, r.Combination(weights))
	floats.AddScaled(Δ, floats.Sum(q), p.mean)
	return β, !math.IsNaN(β)
}

// factorise returns a function that overwrites b with A⁻¹b, or nil if ctx is done or A is not
// positive definite.
func (r *Fit) factorise(ctx context.Context, A *mat.SymDense) func(b []float64) {
	if r.large() {
		if c, ok, err := gram.NewCholesky(ctx, A, 0); ok && err == nil {
			return c.Solve
		}
		return nil
	}
	if c, ok, err := gram.NewFactor(ctx, A, 0); ok && err == nil {
		return c.Solve
	}
	return nil
}
