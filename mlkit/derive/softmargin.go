package derive

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
)

// SoftMargin is the support vector machine with slack variables, in Yuille's notation
// (sections 9 to 13),
//
//	minimise ½a·a + γ Σ z  subject to  y(x·a + b) ≥ 1 - z,  z ≥ 0,
//
// with points at which its derivations are computed. Theodoridis writes w, w₀, ξ, λ, μ
// and C for a, b, z, α, τ and γ; Cornell writes β and β₀ for a and b.
type SoftMargin struct {
	X     *mat.Dense // n×d
	Y     []int      // -1 or +1
	Gamma float64    // γ > 0, the price of a slack

	// An arbitrary plane, with slacks that satisfy the constraints.
	A []float64
	B float64
	Z []float64 // one slack per row

	// Arbitrary multipliers ≥ 0.
	Alpha, Tau []float64

	// An arbitrary point of the dual: 0 ≤ α ≤ γ and Σ αy = 0.
	Dual []float64

	// The solution α̂ and b̂, and the quantities derived from it: â = Σ α̂yx, ẑ = max{0,
	// 1 - y(x·â + b̂)} and τ̂ = γ - α̂.
	AlphaHat []float64
	BHat     float64   // b̂
	AHat     []float64 // â
	ZHat     []float64 // ẑ, one slack per row
	TauHat   []float64 // τ̂, one multiplier per row
}

// NewSoftMargin returns the problem for the rows of X (n×d) with labels y[i], each -1 or
// +1, and the solution given by α̂ and b̂, such as those of a trained machine. It does
// not check that they are the solution; PrimalToDual shows that. The other points are
// simple and may be changed: A is half of â with the slacks it needs, all Alpha and Tau
// are γ/2 and γ/4, and Dual is half of α̂. Nothing is copied. NewSoftMargin returns an
// error if X, y or gamma is invalid or alpha does not have one element per row of X.
func NewSoftMargin(X *mat.Dense, y []int, gamma float64, alpha []float64, b float64) (SoftMargin, error) {
	if err := check.Samples("derive", X); err != nil {
		return SoftMargin{}, err
	}
	n, _ := X.Dims()
	if err := check.Signs("derive", n, y); err != nil {
		return SoftMargin{}, err
	}
	if !(gamma > 0 && gamma <= math.MaxFloat64) {
		return SoftMargin{}, fmt.Errorf("derive: gamma = %v, want a positive number", gamma)
	}
	if len(alpha) != n {
		return SoftMargin{}, fmt.Errorf("derive: len(alpha) = %d, want %d, one multiplier for each row of X", len(alpha), n)
	}
	q := SoftMargin{X: X, Y: y, Gamma: gamma, AlphaHat: alpha, BHat: b}
	q.AHat = q.plane(alpha)
	q.ZHat = q.slacks(q.AHat, b)
	q.TauHat = q.tau(alpha)
	q.A, q.B = scaled(0.5, q.AHat), b
	q.Z = q.slacks(q.A, q.B)
	q.Alpha = each(n, func(int) float64 { return gamma / 2 })
	q.Tau = each(n, func(int) float64 { return gamma / 4 })
	q.Dual = scaled(0.5, alpha)
	return q, nil
}

// functional returns y(x·a + b) for sample i.
func (q SoftMargin) functional(i int, a []float64, b float64) float64 {
	return float64(q.Y[i]) * (floats.Dot(q.X.RawRowView(i), a) + b)
}

// slacks returns max{0, 1 - y(x·a + b)}.
func (q SoftMargin) slacks(a []float64, b float64) []float64 {
	return each(len(q.Y), func(i int) float64 { return max(0, 1-q.functional(i, a, b)) })
}

// signed returns αy.
func (q SoftMargin) signed(alpha []float64) []float64 {
	return each(len(alpha), func(i int) float64 { return alpha[i] * float64(q.Y[i]) })
}

// plane returns Σ αyx.
func (q SoftMargin) plane(alpha []float64) []float64 { return combination(q.signed(alpha), q.X) }

// tau returns γ - α.
func (q SoftMargin) tau(alpha []float64) []float64 {
	return each(len(alpha), func(i int) float64 { return q.Gamma - alpha[i] })
}

// primal returns ½a·a + γ Σ z.
func (q SoftMargin) primal(a, z []float64) float64 { return norm2(a)/2 + q.Gamma*floats.Sum(z) }

// dual returns Σ α - ½ Σ Σ αα′yy′ x·x′.
func (q SoftMargin) dual(alpha []float64) float64 {
	c := q.signed(alpha)
	n := len(c)
	return floats.Sum(alpha) - sum(n, func(i int) float64 {
		return sum(n, func(j int) float64 {
			return c[i] * c[j] * floats.Dot(q.X.RawRowView(i), q.X.RawRowView(j))
		})
	})/2
}

// lagrangian returns L_p as section 9 defines it.
func (q SoftMargin) lagrangian(a []float64, b float64, z, alpha, tau []float64) float64 {
	return q.primal(a, z) -
		sum(len(z), func(i int) float64 { return alpha[i] * (q.functional(i, a, b) - (1 - z[i])) }) -
		floats.Dot(tau, z)
}

// rearranged returns L_p as section 13 writes it.
func (q SoftMargin) rearranged(a []float64, b float64, z, alpha, tau []float64) float64 {
	return -norm2(a)/2 + floats.Sum(alpha) + floats.Dot(a, plus(a, -1, q.plane(alpha))) +
		sum(len(z), func(i int) float64 { return z[i] * (q.Gamma - tau[i] - alpha[i]) }) -
		b*floats.Sum(q.signed(alpha))
}

// size returns the size of the terms that the Lagrangian adds up, also near (A, B, Z).
func (q SoftMargin) size() float64 {
	return q.primal(q.A, q.Z) + sum(len(q.Y), func(i int) float64 {
		reach := 1 + math.Abs(q.functional(i, q.A, q.B)) + floats.Norm(q.X.RawRowView(i), 1)
		return (q.Gamma + q.Alpha[i] + q.Dual[i] + q.Tau[i]) * (reach + q.Z[i])
	})
}

// price returns γ.
func (q SoftMargin) price() float64 { return q.Gamma }

// givenSamples describes the samples and the arbitrary plane.
func (q SoftMargin) givenSamples() string {
	return fmt.Sprintf(`For the samples $x=%s$, $y=%s$, one a row, with $\gamma=%s$, and as any plane $a=%s$, $b=%s$ with the slacks $z=%s$:`,
		matrixTeX(q.X), tuple(q.Y), numTeX(q.Gamma), tuple(q.A), numTeX(q.B), tuple(q.Z))
}

// given describes all quantities.
func (q SoftMargin) given() string {
	return fmt.Sprintf(`%s as any multipliers $\alpha=%s$, $\tau=%s$; as any point of the dual $\alpha'=%s$; and the solution $\hat\alpha=%s$, $\hat a=%s$, $\hat b=%s$, $\hat z=%s$:`,
		strings.TrimSuffix(q.givenSamples(), ":")+";", tuple(q.Alpha), tuple(q.Tau), tuple(q.Dual),
		tuple(q.AlphaHat), tuple(q.AHat), numTeX(q.BHat), tuple(q.ZHat))
}

// exampleSoftMargin returns five samples in the plane. The first two are on the margin,
// with α̂ = ½, and the third is outside. The last two are the same point with both
// labels; their slacks are positive, so α̂ = γ = 1. By hand, â = (1, 0), b̂ = 0, and both
// objectives are 2½.
func exampleSoftMargin() SoftMargin {
	X := mat.NewDense(5, 2, []float64{1, 0, -1, 0, 2, 1, 0, 1, 0, 1})
	q, err := NewSoftMargin(X, []int{+1, -1, +1, +1, -1}, 1, []float64{0.5, 0.5, 0, 1, 1}, 0)
	if err != nil {
		panic(err) // the problem above is valid
	}
	return q
}

// drawSoftMargin draws a problem together with its solution, without a solver. The
// Karush-Kuhn-Tucker conditions are sufficient here, so it chooses a plane and
// multipliers and then samples that satisfy the conditions for them. The first nf samples
// are on the margin, the next nb within it or misclassified, the rest outside.
func drawSoftMargin(rng *rand.Rand) SoftMargin {
	d := 1 + rng.IntN(4)
	nf, nb, no := 2+rng.IntN(3), 2*(1+rng.IntN(2)), 1+rng.IntN(3)
	n := nf + nb + no
	gamma := uniform(rng, 0.5, 2)
	y := labels(rng, n)

	// Σ α̂y = 0: samples at the bound come in pairs of both labels, free ones are scaled.
	alpha := make([]float64, n)
	var total [2]float64
	for i := range nf {
		alpha[i] = uniform(rng, 0.1, 0.9) * gamma
		total[(y[i]+1)/2] += alpha[i]
	}
	for i := range nf {
		alpha[i] *= min(total[0], total[1]) / total[(y[i]+1)/2]
	}
	for i := nf; i < nf+nb; i++ {
		alpha[i], y[i] = gamma, 1-2*(i%2)
	}

	// With the margins m = y(x·a + b), Σ α̂yx·a = a·a becomes Σ α̂m = ‖a‖².
	m := each(n, func(i int) float64 {
		switch {
		case i < nf:
			return 1
		case i < nf+nb:
			return uniform(rng, -0.5, 0.9)
		}
		return uniform(rng, 1.1, 3)
	})
	b := rng.NormFloat64()
	a := normal(rng, d)
	length2 := floats.Dot(alpha, m)
	if !(length2 > 0.05*gamma) {
		return drawSoftMargin(rng) // the slacks used up the margin
	}
	floats.Scale(math.Sqrt(length2/norm2(a)), a)

	// Along a, each sample is where its margin requires; across a, anywhere. The first
	// sample balances the others, so Σ α̂yx has no part across a.
	X := mat.NewDense(n, d, nil)
	across := make([]float64, d)
	for i := n - 1; i >= 0; i-- {
		t := normal(rng, d)
		floats.AddScaled(t, -floats.Dot(t, a)/length2, a)
		if i == 0 {
			t = scaled(-1/(alpha[0]*float64(y[0])), across)
		}
		floats.AddScaled(across, alpha[i]*float64(y[i]), t)
		X.SetRow(i, plus(t, (float64(y[i])*m[i]-b)/length2, a))
	}
	q, err := NewSoftMargin(X, y, gamma, alpha, b)
	if err != nil {
		return drawSoftMargin(rng) // overflow
	}

	// Arbitrary other points.
	q.A, q.B = normal(rng, d), rng.NormFloat64()
	q.Z = plus(q.slacks(q.A, q.B), 1, each(n, func(int) float64 { return rng.ExpFloat64() * float64(rng.IntN(2)) }))
	q.Alpha = each(n, func(int) float64 { return rng.ExpFloat64() })
	q.Tau = each(n, func(int) float64 { return rng.ExpFloat64() })
	q.Dual = q.drawDual(rng)
	return q
}

// drawDual draws α with 0 ≤ α ≤ γ and Σ αy = 0.
func (q SoftMargin) drawDual(rng *rand.Rand) []float64 {
	alpha := each(len(q.Y), func(int) float64 { return q.Gamma * rng.Float64() })
	var total [2]float64
	for i, y := range q.Y {
		total[(y+1)/2] += alpha[i]
	}
	for i, y := range q.Y {
		alpha[i] *= min(total[0], total[1]) / total[(y+1)/2]
	}
	return alpha
}
