package mlkit

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
)

// Margins are the margins of a labelled set with regard to a hyperplane. They
// are positive for the samples on their own side and negative for the others
// (CMU, "The margin of example x"; Yuille, section 7).
type Margins struct {
	Functional []float64 // yᵢ(w·xᵢ + b) for each sample: scales with (w, b)
	Geometric  []float64 // the same over ‖w‖, the distance: does not; all NaN if w = 0
	Smallest   int       // row of the smallest margin, the first of equals
}

// MinFunctional returns the smallest functional margin, positive if and only if
// the hyperplane separates the classes with no sample on it.
func (m Margins) MinFunctional() float64 { return m.Functional[m.Smallest] }

// MinGeometric returns the smallest geometric margin, the margin γ of the set
// with regard to the hyperplane, or NaN if w = 0.
func (m Margins) MinGeometric() float64 { return m.Geometric[m.Smallest] }

// Margins returns the margins of the rows of X (n×d) with labels y[i], each -1 or
// +1; one class alone will do. The error names what is wrong with X or y.
func (h Hyperplane) Margins(X *mat.Dense, y []int) (Margins, error) {
	if err := check.Labelled("mlkit", X, y, len(h.W)); err != nil {
		return Margins{}, err
	}
	m := Margins{Functional: h.Scores(nil, X), Geometric: make([]float64, len(y))}
	length := h.Norm()
	for i := range y {
		m.Functional[i] = float64(y[i])*m.Functional[i] + 0 // + 0 makes -0 a 0
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
