package linear

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Bias says how a hyperplane gets its bias b. The lectures have three ways, all of the
// same form: extend each sample x by a constant c to (x, c), and seek a hyperplane (w,
// v) through the origin there; b = c·v. A step v ← v + ρyc is then a step b ← b + ρyc².
type Bias int

const (
	// ExtendedByOne extends each sample by c = 1 (Theodoridis, "The Perceptron
	// Algorithm", and the remark on b in EE-559): b ← b + ρy.
	ExtendedByOne Bias = iota
	// ThroughOrigin leaves the samples as they are, c = 0 (CMU, "WLOG w₀ = 0";
	// Yuille, section 1; EE-559): b stays 0.
	ThroughOrigin
	// ExtendedByRadius extends each sample by c = R = max‖xᵢ‖ (Yuille, section 14,
	// where R is called K): b ← b + ρyR². The bias then scales with the samples, so the
	// fit does not depend on their unit. Yuille's K is the radius of the smallest ball
	// that contains the data; here the ball is centred at the origin, as in Novikoff's
	// theorem.
	ExtendedByRadius
)

func (b Bias) String() string {
	switch b {
	case ExtendedByOne:
		return "ExtendedByOne"
	case ThroughOrigin:
		return "ThroughOrigin"
	case ExtendedByRadius:
		return "ExtendedByRadius"
	}
	return fmt.Sprintf("Bias(%d)", int(b))
}

func (b Bias) valid() bool { return b >= ExtendedByOne && b <= ExtendedByRadius }

// constant returns c², the square of the constant that extends the rows of X.
func (b Bias) constant(X *mat.Dense) float64 {
	switch b {
	case ThroughOrigin:
		return 0
	case ExtendedByRadius:
		return radius2(X)
	}
	return 1
}

// radius2 returns R² = max‖xᵢ‖² over the rows of X.
func radius2(X *mat.Dense) float64 {
	n, _ := X.Dims()
	var r2 float64
	for i := range n {
		x := X.RawRowView(i)
		r2 = max(r2, floats.Dot(x, x))
	}
	return r2
}
