package eval

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// MarginShattering holds the margin with which hyperplanes through the origin shatter a
// set of points.
type MarginShattering struct {
	// Margin is the largest Δ such that every labelling has a unit vector w with
	// yᵢ(w·xᵢ) ≥ Δ for all i: the minimum of the maximum margin over all labellings. It
	// is 0 if the points are not shattered.
	Margin float64
	Labels []int   // the labelling with margin Δ, the first in a tie
	R      float64 // max‖xᵢ‖

	// Bound is (R/Δ)², an upper bound on the number of points (CMU, "Complexity of
	// Large Margin Linear Sep."): some labelling makes ‖Σ yᵢxᵢ‖² at most Σ‖xᵢ‖² ≤ nR²,
	// while w·Σ yᵢxᵢ ≥ nΔ. It is +Inf if Margin is 0.
	Bound float64
}

// ShatterMargin tries all labellings of the rows of X (n×d, n at most 16). The largest
// margin of a labelling is the distance of the convex hull of the yᵢxᵢ from the origin.
// It is computed up to rounding error, and a Margin of at most 1e-7·R is returned as 0.
func ShatterMargin(X *mat.Dense) (MarginShattering, error) {
	if err := checkShatter(X); err != nil {
		return MarginShattering{}, err
	}
	s := MarginShattering{Margin: math.Inf(1)}
	n, _ := X.Dims()
	for i := range n {
		s.R = max(s.R, floats.Norm(X.RawRowView(i), 2))
	}
	if math.IsInf(s.R, 1) {
		return MarginShattering{}, fmt.Errorf("eval: the norm of a row of X overflows, want a smaller unit")
	}
	err := labellings(X, func(y []int) (bool, error) {
		// Scale into the unit ball, where no square overflows.
		z := make([][]float64, n)
		for i, label := range y {
			z[i] = mat.Row(nil, i, X)
			for j, v := range z[i] {
				if s.R > 0 {
					z[i][j] = float64(label) * (v / s.R)
				}
			}
		}
		if margin := s.R * floats.Norm(nearestToOrigin(z), 2); margin < s.Margin*(1-1e-12) {
			s.Margin, s.Labels = margin, slices.Clone(y)
		}
		return true, nil
	})
	if err != nil {
		return MarginShattering{}, err
	}
	if s.Margin <= 1e-7*s.R {
		s.Margin = 0
		s.Bound = math.Inf(1)
		return s, nil
	}
	s.Bound = (s.R / s.Margin) * (s.R / s.Margin)
	return s, nil
}

// nearestToOrigin returns the point of the convex hull of the z that is nearest to the
// origin (Philip Wolfe, "Finding the nearest point in a polytope", 1976). The point is
// Σ λᵢzᵢ over a corral: affinely independent z whose affine hull has its nearest point
// inside their convex hull. Each iteration adds the z that is farthest in the direction
// of the origin, and drops those that get a weight of 0.
func nearestToOrigin(z [][]float64) []float64 {
	first, largest := 0, 0.0
	for i := range z {
		n := floats.Norm(z[i], 2)
		largest = max(largest, n)
		if n < floats.Norm(z[first], 2) {
			first = i
		}
	}
	eps := 1e-13 * largest * largest
	corral, lambda := []int{first}, []float64{1}
	x := slices.Clone(z[first])
	for {
		best := 0
		for i := range z {
			if floats.Dot(x, z[i]) < floats.Dot(x, z[best]) {
				best = i
			}
		}
		if floats.Dot(x, x)-floats.Dot(x, z[best]) <= eps || slices.Contains(corral, best) {
			return x
		}
		corral, lambda = append(corral, best), append(lambda, 0)
		for {
			alpha, ok := nearestInSpan(z, corral)
			if !ok {
				return x
			}
			// Move from λ towards α until a weight becomes 0.
			theta, leaves := 1.0, -1
			for i, a := range alpha {
				if a < 0 && lambda[i]/(lambda[i]-a) < theta {
					theta, leaves = lambda[i]/(lambda[i]-a), i
				}
			}
			for i, a := range alpha {
				lambda[i] += theta * (a - lambda[i])
			}
			if leaves < 0 {
				break
			}
			corral, lambda = slices.Delete(corral, leaves, leaves+1), slices.Delete(lambda, leaves, leaves+1)
		}
		next := make([]float64, len(x))
		for i, l := range lambda {
			floats.AddScaled(next, l, z[corral[i]])
		}
		if floats.Dot(next, next) >= floats.Dot(x, x) {
			return x // no progress beyond rounding error
		}
		x = next
	}
}

// nearestInSpan returns the weights, with sum 1, of the point of the affine hull nearest
// to the origin: u/Σu with (eeᵀ + G)u = e and G the Gram matrix.
func nearestInSpan(z [][]float64, corral []int) (alpha []float64, ok bool) {
	k := len(corral)
	scale := 0.0
	for _, i := range corral {
		scale = max(scale, floats.Dot(z[i], z[i]))
	}
	A, e := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil)
	for a := range k {
		e.SetVec(a, 1)
		for b := a; b < k; b++ {
			A.SetSym(a, b, 1+floats.Dot(z[corral[a]], z[corral[b]])/scale)
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(A) {
		return nil, false
	}
	var u mat.VecDense
	if err := chol.SolveVecTo(&u, e); err != nil {
		return nil, false
	}
	alpha = slices.Clone(u.RawVector().Data)
	floats.Scale(1/floats.Sum(alpha), alpha)
	return alpha, true
}
