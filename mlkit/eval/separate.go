package eval

import (
	"fmt"
	"math"
	"math/big"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/perceptron"
)

// Separation reports whether a hyperplane strictly separates labelled points, with a
// proof. By Gordan's theorem (Paul Gordan, 1873) exactly one of the two proofs exists.
type Separation struct {
	Separable bool // whether a hyperplane separates the points

	// Hyperplane has yᵢ(w·xᵢ + b) > 0 for all i, if Separable. It is one of many; it does
	// not maximise the margin.
	Hyperplane mlkit.Hyperplane

	// Alpha has αᵢ ≥ 0, Σ αᵢ = 1, Σ αᵢyᵢ = 0 and Σ αᵢyᵢxᵢ = 0, if not Separable. The
	// means of the two classes with weights 2αᵢ are then the same point, in the convex
	// hulls of both classes. The exact αᵢ are rational; they are rounded to float64.
	Alpha []float64
}

// Separate decides whether a hyperplane strictly separates the rows of X (n×d) with label
// y[i] = +1 from those with -1; samples of one class are separable. The answer is exact:
// Separate proves it in rational arithmetic, for the elements of X as the fractions they
// are. It first tries a perceptron. If that finds no hyperplane that passes the exact
// check, Separate solves a linear program by the simplex method, which is slow for more
// than a few hundred samples.
func Separate(X *mat.Dense, y []int) (Separation, error) {
	if err := checkSamples(X, len(y), "label"); err != nil {
		return Separation{}, err
	}
	if err := check.Signs("eval", len(y), y); err != nil {
		return Separation{}, err
	}
	if check.BothSigns("eval", y) != nil {
		_, d := X.Dims()
		return Separation{Separable: true, Hyperplane: mlkit.Hyperplane{W: make([]float64, d), B: float64(y[0])}}, nil
	}
	if h, ok := byPerceptron(X, y); ok {
		return Separation{Separable: true, Hyperplane: h}, nil
	}
	z := extended(X, y)
	alpha, u := gordan(z)
	if alpha != nil {
		return Separation{Alpha: floatsOf(alpha)}, nil
	}
	h, ok := hyperplaneOf(u)
	if !ok || !proves(h, z) {
		return Separation{}, fmt.Errorf("eval: X is separable, but by so little that no hyperplane of float64 numbers does it; want samples that are farther apart")
	}
	return Separation{Separable: true, Hyperplane: h}, nil
}

// byPerceptron returns the hyperplane of a perceptron if it is found quickly and proves
// that the samples are separable.
func byPerceptron(X *mat.Dense, y []int) (mlkit.Hyperplane, bool) {
	m, err := perceptron.Perceptron{Bias: mlkit.RadiusBias, MaxIter: 100}.Fit(X, y)
	if err != nil {
		return mlkit.Hyperplane{}, false
	}
	return m.Hyperplane, proves(m.Hyperplane, extended(X, y))
}

// extended returns the rows yᵢ(xᵢ, 1) as rationals.
func extended(X *mat.Dense, y []int) [][]*big.Rat {
	z := make([][]*big.Rat, len(y))
	for i, label := range y {
		for _, v := range append(mat.Row(nil, i, X), 1) {
			z[i] = append(z[i], new(big.Rat).SetFloat64(float64(label)*v))
		}
	}
	return z
}

// proves reports whether (w, b)·z > 0 for all rows of z, in exact arithmetic.
func proves(h mlkit.Hyperplane, z [][]*big.Rat) bool {
	var w []*big.Rat
	for _, v := range append(append([]float64(nil), h.W...), h.B) {
		w = append(w, new(big.Rat).SetFloat64(v))
	}
	for _, row := range z {
		if dot(w, row).Sign() <= 0 {
			return false
		}
	}
	return true
}

func dot(a, b []*big.Rat) *big.Rat {
	sum, product := new(big.Rat), new(big.Rat)
	for j := range a {
		sum.Add(sum, product.Mul(a[j], b[j]))
	}
	return sum
}

// hyperplaneOf divides u = (w, b) by its largest absolute value and rounds it to float64.
func hyperplaneOf(u []*big.Rat) (mlkit.Hyperplane, bool) {
	largest := new(big.Rat)
	for _, v := range u {
		if a := new(big.Rat).Abs(v); a.Cmp(largest) > 0 {
			largest = a
		}
	}
	if largest.Sign() == 0 {
		return mlkit.Hyperplane{}, false
	}
	scaled := make([]*big.Rat, len(u))
	for j, v := range u {
		scaled[j] = new(big.Rat).Quo(v, largest)
	}
	w := floatsOf(scaled)
	d := len(w) - 1
	return mlkit.Hyperplane{W: w[:d:d], B: w[d]}, !math.IsNaN(w[d])
}

func floatsOf(v []*big.Rat) []float64 {
	f := make([]float64, len(v))
	for i, r := range v {
		f[i], _ = r.Float64()
	}
	return f
}
