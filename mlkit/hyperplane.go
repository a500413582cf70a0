package mlkit

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
)

var _ ClassifierModel = Hyperplane{}

// Hyperplane is the set of points x with w·x + b = 0, and the linear classifier that
// predicts +1 on the side to which w points. A positive multiple of (w, b) is the same
// classifier.
//
// W = 0 is not a hyperplane. Score then returns B everywhere, and whatever needs a
// normal (Distance, Project, geometric margins) is NaN. The perceptron starts there.
type Hyperplane struct {
	W []float64 `json:"w"` // normal, d numbers; ‖w‖ need not be 1
	B float64   `json:"b"` // bias
}

// Inputs returns d, the number of features of a sample.
func (h Hyperplane) Inputs() int { return len(h.W) }

// Norm returns ‖w‖.
func (h Hyperplane) Norm() float64 {
	// If the square is neither tiny nor huge, its root has one rounding less than
	// gonum's scaled sum; ‖(3, 4)‖ is then exactly 5.
	if s := floats.Dot(h.W, h.W); 1e-280 < s && s < 1e300 {
		return math.Sqrt(s)
	}
	return floats.Norm(h.W, 2)
}

// Score returns w·x + b. Its sign is the side of the hyperplane on which x lies. It
// panics if len(x) != len(h.W).
func (h Hyperplane) Score(x []float64) float64 {
	h.mustFit("Score", len(x))
	return floats.Dot(h.W, x) + h.B
}

// Scores sets dst[i] to the score of row i of X (n×d) and returns dst, a new slice if
// dst is nil. It panics if d != len(h.W) or len(dst) != n.
func (h Hyperplane) Scores(dst []float64, X mat.Matrix) []float64 {
	n, d, row := rows.Of(X)
	h.mustFit("Scores", d)
	dst = rows.Destination("mlkit", "Scores", dst, n)
	for i := range dst {
		dst[i] = floats.Dot(h.W, row(i)) + h.B
	}
	return dst
}

// Predict returns +1 if w·x + b ≥ 0 and -1 otherwise. A point on the hyperplane is
// positive, as in the decision rules of CMU and EE-559. Predict panics if len(x)
// != len(h.W).
func (h Hyperplane) Predict(x []float64) int {
	h.mustFit("Predict", len(x))
	return rows.Side(floats.Dot(h.W, x) + h.B)
}

// Predictions sets dst[i] to the label, -1 or +1, of row i of X (n×d) and returns dst,
// a new slice if dst is nil. It panics under the same conditions as Scores.
func (h Hyperplane) Predictions(dst []int, X mat.Matrix) []int {
	n, d, row := rows.Of(X)
	h.mustFit("Predictions", d)
	dst = rows.Destination("mlkit", "Predictions", dst, n)
	for i := range dst {
		dst[i] = rows.Side(floats.Dot(h.W, row(i)) + h.B)
	}
	return dst
}

// Distance returns the signed distance (w·x + b)/‖w‖ of x from the hyperplane, positive
// on the side to which w points (Yuille, sections 2 and 7), or NaN if w = 0. It panics
// if len(x) != len(h.W).
func (h Hyperplane) Distance(x []float64) float64 {
	h.mustFit("Distance", len(x))
	length := h.Norm()
	if length == 0 {
		return math.NaN()
	}
	return (floats.Dot(h.W, x) + h.B) / length
}

// Project sets dst to the projection of x onto the hyperplane, x - ((w·x + b)/‖w‖²) w
// (Yuille, section 7), and returns dst, a new slice if dst is nil. dst may be x. If
// w = 0, all elements are NaN. Project panics if len(x) or len(dst) differs from
// len(h.W).
func (h Hyperplane) Project(dst, x []float64) []float64 {
	h.mustFit("Project", len(x))
	dst = rows.Destination("mlkit", "Project", dst, len(x))
	length := h.Norm()
	if length == 0 {
		for j := range dst {
			dst[j] = math.NaN()
		}
		return dst
	}
	// Divide by ‖w‖ twice, since ‖w‖² may overflow or underflow where ‖w‖ doesn't.
	distance := (floats.Dot(h.W, x) + h.B) / length
	for j, w := range h.W {
		dst[j] = x[j] - distance*(w/length)
	}
	return dst
}

// Clone returns a copy that shares nothing with h.
func (h Hyperplane) Clone() Hyperplane {
	return Hyperplane{W: append([]float64(nil), h.W...), B: h.B}
}

func (h Hyperplane) mustFit(method string, d int) {
	if d != len(h.W) {
		panic(fmt.Sprintf("mlkit: %s: a sample has %d elements, want %d, the length of W", method, d, len(h.W)))
	}
}
