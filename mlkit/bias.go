package mlkit

import "fmt"

// Bias says how the b of w·x + b is learnt. An algorithm that has no use for one of these
// returns an error.
type Bias int

const (
	// FreeBias learns b beside w, outside any penalty on w. A perceptron's step is then
	// b ← b + ρy: it extends each sample by the constant 1 (Theodoridis, "The Perceptron
	// Algorithm", and the remark on b in EE-559).
	FreeBias Bias = iota

	// NoBias fixes b = 0: the hyperplane passes through the origin (CMU, "WLOG w₀ = 0";
	// Yuille, section 1; EE-559).
	NoBias

	// PenalizedBias extends each sample by the constant 1 and penalises its weight b like
	// the others: ½‖w‖² + ½b². LIBLINEAR, and so scikit-learn's LinearSVC, does this. The
	// result then depends on the origin.
	PenalizedBias

	// RadiusBias extends each sample by the constant R = max‖xᵢ‖ (Yuille, section 14,
	// where R is called K): a perceptron's step is b ← b + ρyR². The bias then scales
	// with the samples, so the fit does not depend on their unit. Yuille's K is the radius
	// of the smallest ball that contains the data; here the ball is centred at the origin,
	// as in Novikoff's theorem.
	RadiusBias
)

func (b Bias) String() string {
	switch b {
	case FreeBias:
		return "FreeBias"
	case NoBias:
		return "NoBias"
	case PenalizedBias:
		return "PenalizedBias"
	case RadiusBias:
		return "RadiusBias"
	}
	return fmt.Sprintf("Bias(%d)", int(b))
}
