package mlkit

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
)

// Margins holds the margins of a labelled set with respect to a hyperplane. A margin is
// positive if the sample is on its own side and negative otherwise (CMU, "The margin of
// example x"; Yuille, section 7).
type Margins struct {
	Functional []float64 // yᵢ(w·xᵢ + b) for each sample; scales with (w, b)
	Geometric  []float64 // Functional over ‖w‖, a signed distance; does not depend on the scale of (w, b); all NaN if w = 0
	Smallest   int       // row of the smallest margin, the first in a tie
}

// MinFunctional returns the smallest functional margin. It is positive if and only if
// the hyperplane separates the classes with no sample on it.
func (m Margins) MinFunctional() float64 { return m.Functional[m.Smallest] }

// MinGeometric returns the smallest geometric margin, the margin Δ of the set with
// respect to the hyperplane, or NaN if w = 0.
func (m Margins) MinGeometric() float64 { return m.Geometric[m.Smallest] }

// Margins returns the margins of the rows of X (n×d) with labels y[i], each -1 or +1.
// Both classes need not occur. It returns an error if X or y is invalid.
func (h Hyperplane) Margins(X *mat.Dense, y []int) (Margins, error) {
	if err := check.Labeled("mlkit", X, y, len(h.W)); err != nil {
		return Margins{}, err
	}
	m := Margins{Functional: h.Scores(nil, X), Geometric: make([]float64, len(y))}
	length := h.Norm()
	for i := range y {
		m.Functional[i] = float64(y[i])*m.Functional[i] + 0 // + 0 turns -0 into 0
		m.Geometric[i] = m.Functional[i] / length
		if length == 0 {
			m.Geometric[i] = math.NaN()
		}
		if m.Functional[i] < m.Functional[m.Smallest] {
			m.Smallest = i
		}
	}
	return m, nil
}
