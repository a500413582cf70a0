package leastsquares_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/leastsquares"
)

// At the solution the gradient is 0: Xᵀ(Xw + b - y) + λw = 0. It is the shortest such w,
// since it lies in the row space of X or, with a bias, of the centred X (Theodoridis;
// Roger Penrose, "A generalized inverse for matrices", 1955). As λ → 0 the ridge solution
// converges to it.
func TestLeastSquaresNormal(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		d := rapid.IntRange(1, 8).Draw(t, "d")
		X := testkit.Matrix(t, n, d)
		y := testkit.Matrix(t, 1, n).RawRowView(0)
		bias := rapid.SampledFrom([]mlkit.Bias{mlkit.FreeBias, mlkit.NoBias}).Draw(t, "bias")
		E, p := X, d
		if bias == mlkit.FreeBias {
			E, p = new(mat.Dense), d+1
			E.Augment(X, mat.NewDense(n, 1, slices.Repeat([]float64{1}, n)))
		}
		fit := func(ridge float64) *mat.VecDense {
			m := testkit.Try(leastsquares.Regression{Bias: bias, Lambda: ridge}.Fit(X, y)).Or(t)
			w := mat.NewVecDense(p, nil)
			copy(w.RawVector().Data, m.W)
			if p > d {
				w.SetVec(d, m.B)
			}
			return w
		}
		gradient := func(w *mat.VecDense) *mat.VecDense {
			var r, g mat.VecDense
			r.MulVec(E, w)
			r.SubVec(&r, mat.NewVecDense(n, y))
			g.MulVec(E.T(), &r)
			return &g
		}
		w := fit(0)
		if g := gradient(w); mat.Norm(g, math.Inf(1)) > 1e-9 {
			t.Errorf("the gradient is %v", mat.Formatted(g.T()))
		}
		Z := mat.DenseCopyOf(X)
		if p > d {
			for j := range d {
				mean := mat.Sum(X.ColView(j)) / float64(n)
				for i := range n {
					Z.Set(i, j, X.At(i, j)-mean)
				}
			}
		}
		inverse, _, err := leastsquares.PseudoInverse(Z)
		if err != nil {
			t.Fatal(err)
		}
		if mat.Norm(inverse, 2) > 1e6 {
			return // here the rounding error of a mean counts as a column
		}
		var rows, part, projected mat.VecDense // Z#Zw is the part of w in the row space
		part.MulVec(Z, w.SliceVec(0, d))
		projected.MulVec(inverse, &part)
		if !mat.EqualApprox(&projected, w.SliceVec(0, d), 1e-9) {
			t.Errorf("w = %v has a part outside the space of the rows, in it is %v", mat.Formatted(w.T()), mat.Formatted(projected.T()))
		}
		rows.MulVec(E, w)
		const lambda = 0.5
		ridge := fit(lambda)
		g := gradient(ridge)
		for j := range d {
			if v := g.AtVec(j) + lambda*ridge.AtVec(j); math.Abs(v) > 1e-9 {
				t.Errorf("the gradient of the ridge in w_%d is %v", j, v)
			}
		}
		if p > d && math.Abs(g.AtVec(d)) > 1e-9 {
			t.Errorf("the gradient of the ridge in b is %v", g.AtVec(d))
		}
		// A ridge shortens the component of w along a singular value σ by the fraction
		// λ/(σ² + λ). Where σ = 0, rounding error makes it some ε‖X‖, here at most 4ε‖X‖.
		// Along it, a residual r adds up to that times ‖r‖/λ.
		var residual mat.VecDense
		residual.SubVec(mat.NewVecDense(n, y), &rows)
		rounding := 0x1p-50 * mat.Norm(E, 2) * mat.Norm(&residual, 2)
		for _, small := range []float64{1e-7, 1e-10} {
			far := 1e-9 + small*math.Pow(mat.Norm(inverse, 2), 2)*mat.Norm(w, 2) + rounding/small
			if r := fit(small); !mat.EqualApprox(r.SliceVec(0, d), w.SliceVec(0, d), far) {
				t.Errorf("the ridge of %v has %v, least squares %v", small, mat.Formatted(r.T()), mat.Formatted(w.T()))
			}
		}
	})
}

// Shifting columns by up to 10¹² and scaling them by 2⁻⁵⁰⁰ to 2⁵⁰⁰, without rounding
// error, leaves the problem the same: rank and MSE stay, the weights change with the
// units, and b with the shifts. If w is unique, each column may have its own unit; if
// not, all have the same.
func TestLeastSquaresUnits(t *testing.T) {
	testkit.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 14).Draw(t, "n")
		d := rapid.IntRange(1, 7).Draw(t, "d")
		X := mat.NewDense(n, d, rapid.SliceOfN(rapid.Map(rapid.IntRange(-9, 9), func(v int) float64 { return float64(v) }), n*d, n*d).Draw(t, "X"))
		y := testkit.Matrix(t, 1, n).RawRowView(0)
		l := leastsquares.Regression{Lambda: rapid.SampledFrom([]float64{0, 0, 3}).Draw(t, "ridge")}
		plain := testkit.Try(l.Fit(X, y)).Or(t)
		Z := mat.DenseCopyOf(X)
		for j := range d {
			mean := mat.Sum(X.ColView(j)) / float64(n)
			for i := range n {
				Z.Set(i, j, X.At(i, j)-mean)
			}
		}
		inverse, _, err := leastsquares.PseudoInverse(Z)
		if err != nil || mat.Norm(inverse, 2) > 1e3 {
			return
		}
		common := rapid.IntRange(-500, 500).Draw(t, "unit")
		if l.Lambda > 0 {
			common = 0
		}
		units, moves := make([]float64, d), make([]float64, d)
		var moved mat.Dense
		moved.CloneFrom(X)
		for j := range d {
			exponent := common
			if plain.Rank == d+1 && l.Lambda == 0 {
				exponent = rapid.IntRange(-500, 500).Draw(t, "units")
			}
			units[j], moves[j] = math.Ldexp(1, exponent), float64(rapid.IntRange(-1e12, 1e12).Draw(t, "moves"))
			for i := range n {
				moved.Set(i, j, units[j]*(X.At(i, j)+moves[j]))
			}
		}
		m := testkit.Try(l.Fit(&moved, y)).Or(t)
		if m.Rank != plain.Rank || math.Abs(m.MSE-plain.MSE) > 1e-12*(1+plain.MSE) {
			t.Errorf("rank %d, MSE %v, want %d, %v", m.Rank, m.MSE, plain.Rank, plain.MSE)
		}
		b, size := plain.B, 1+math.Abs(plain.B)
		for j, w := range plain.W {
			if got := m.W[j] * units[j]; math.Abs(got-w) > 1e-10*(1+math.Abs(w)) {
				t.Errorf("w[%d] = %v, want %v, in units of %v", j, got, w, units[j])
			}
			b -= w * moves[j]
			size += 100 * (1 + math.Abs(w)) * math.Abs(moves[j]) // the accuracy of w
		}
		if math.Abs(m.B-b) > 1e-12*size {
			t.Errorf("b = %v, want %v", m.B, b)
		}
	})
}
