package perceptron

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// Novikoff holds the quantities of Novikoff's theorem (Albert Novikoff, "On convergence
// proofs for perceptrons", 1962) for a labelled set and a hyperplane that separates it.
// A perceptron that starts from w = 0 makes at most (R/Δ)² mistakes in all its passes
// together, at any rate and for any order of the samples.
//
// With a bias, the theorem applies to the samples extended by a constant c, (x, c), and
// to the hyperplane (w, b/c) through the origin; see Bias. R, Margin, Norm and M refer
// to the extended samples. Margin is then less than the distance of the nearest sample
// from the hyperplane, unless b = 0.
//
// The texts write the same bound in three ways. CMU has (R/γ)² with ‖w*‖ = 1. Yuille
// (section 4) has β²‖â‖²/m², where β = R and m = M is the smallest â·x, since â need
// not have length 1. EE-559 has 4R²/γ², where γ is the width of the empty strip, 2Δ. Δ is
// Vladimir Vapnik's letter ("The nature of statistical learning theory", 2000, theorem 5.1).
type Novikoff struct {
	R      float64 // max‖xᵢ‖
	Margin float64 // Δ = min yᵢ(w·xᵢ)/‖w‖ > 0
	Norm   float64 // ‖w‖ of the hyperplane as given
	M      float64 // min yᵢ(w·xᵢ) of the hyperplane as given, so Margin = M/Norm
	Bound  float64 // (R/Δ)²
}

// NewNovikoff returns the quantities of Novikoff's theorem for the rows of X (n×d) with
// labels y[i], each -1 or +1, and a separating hyperplane h, such as one learnt by a
// Perceptron. They bound the mistakes of a Perceptron with the given bias. The bound is
// smallest for the h with the largest margin.
//
// NewNovikoff returns an error if a sample is on h or on its wrong side, if h.B is not
// 0 with NoBias, or if the bound overflows or underflows.
func NewNovikoff(X *mat.Dense, y []int, h mlkit.Hyperplane, bias mlkit.Bias) (Novikoff, error) {
	if !learnable(bias) {
		return Novikoff{}, fmt.Errorf("perceptron: bias = %v, want FreeBias, NoBias or RadiusBias", bias)
	}
	if bias == mlkit.NoBias && h.B != 0 {
		return Novikoff{}, fmt.Errorf("perceptron: h.B = %v, want 0 with NoBias", h.B)
	}
	if err := check.Labeled("perceptron", X, y, len(h.W)); err != nil {
		return Novikoff{}, err
	}
	margins, err := h.Margins(X, y)
	if err != nil {
		return Novikoff{}, err
	}
	m := margins.MinFunctional()
	if !(m > 0) {
		i := margins.Smallest
		return Novikoff{}, fmt.Errorf("perceptron: h does not separate X: y[%d](w·x + b) = %v in row %d, want a positive number", i, margins.Functional[i], i)
	}
	c2 := constant(bias, X)
	r2 := radius2(X) + c2
	norm2 := floats.Dot(h.W, h.W)
	if c2 > 0 {
		norm2 += h.B * h.B / c2
	}
	q := Novikoff{
		R:     math.Sqrt(r2),
		Norm:  math.Sqrt(norm2),
		M:     m,
		Bound: r2 * norm2 / (m * m),
	}
	q.Margin = q.M / q.Norm
	if !check.Finite(q.Bound) || !check.Finite(q.Margin) || q.Bound == 0 {
		return Novikoff{}, fmt.Errorf("perceptron: the bound can't be computed with R = %v, ‖w‖ = %v and m = %v; scale X or h", q.R, q.Norm, q.M)
	}
	return q, nil
}
