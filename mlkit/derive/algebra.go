package derive

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// sigma returns σ(t) = 1/(1+e⁻ᵗ).
func sigma(t float64) float64 { return 1 / (1 + math.Exp(-t)) }

// square returns t².
func square(t float64) float64 { return t * t }

// norm2 returns ‖v‖².
func norm2(v []float64) float64 { return floats.Dot(v, v) }

// plus returns u + sv.
func plus(u []float64, s float64, v []float64) []float64 {
	return floats.AddScaledTo(make([]float64, len(u)), u, s, v)
}

// scaled returns sv.
func scaled(s float64, v []float64) []float64 {
	return floats.ScaleTo(make([]float64, len(v)), s, v)
}

// combination returns Σ cᵢxᵢ, where xᵢ is row i of X.
func combination(c []float64, X *mat.Dense) []float64 {
	_, d := X.Dims()
	sum := make([]float64, d)
	for i, c := range c {
		floats.AddScaled(sum, c, X.RawRowView(i))
	}
	return sum
}

// times returns A·v.
func times(A mat.Matrix, v []float64) []float64 {
	var p mat.VecDense
	p.MulVec(A, mat.NewVecDense(len(v), v))
	return p.RawVector().Data
}

// each returns f(0), …, f(n-1).
func each(n int, f func(i int) float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = f(i)
	}
	return v
}

// sum returns f(0) + … + f(n-1).
func sum(n int, f func(i int) float64) float64 {
	var s float64
	for i := range n {
		s += f(i)
	}
	return s
}

// difference returns the gradient of f at x by central differences of step h. It is exact
// up to rounding error for a polynomial of degree 2 and for a function that is linear
// within h of x.
func difference(f func(x []float64) float64, x []float64, h float64) []float64 {
	return fd.Gradient(nil, f, x, &fd.Settings{Formula: fd.Central, Step: h})
}

// normal returns n numbers drawn from the standard normal distribution.
func normal(rng *rand.Rand, n int) []float64 {
	return each(n, func(int) float64 { return rng.NormFloat64() })
}

// uniform returns a random number from lo to hi.
func uniform(rng *rand.Rand, lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }

// sign returns -1 or +1 with equal probability.
func sign(rng *rand.Rand) int { return 2*rng.IntN(2) - 1 }

// labels returns n random labels, -1 or +1, with at least one of each if n ≥ 2.
func labels(rng *rand.Rand, n int) []int {
	y := make([]int, n)
	for i := range y {
		y[i] = sign(rng)
	}
	if n >= 2 {
		y[0], y[1] = +1, -1
	}
	return y
}

// written is the largest number of rows or columns of a matrix or vector that is written
// out.
const written = 12

// tuple writes v as (1,\ 2) in TeX, abbreviated if v is long.
func tuple[N int | float64](v []N) string {
	words := make([]string, len(v))
	for i, x := range v {
		words[i] = numTeX(float64(x))
	}
	if n := len(words); n > written {
		words = append(words[:shown-1:shown-1], `\dots`, words[n-1])
	}
	return "(" + strings.Join(words, `,\ `) + ")"
}

// matrixTeX writes A in TeX, or only its size if it is large.
func matrixTeX(A mat.Matrix) string {
	n, d := A.Dims()
	if n > written || d > written {
		return fmt.Sprintf(`\text{(a matrix of }%d\times%d\text{)}`, n, d)
	}
	rows := make([]string, n)
	for i := range rows {
		cells := make([]string, d)
		for j := range cells {
			cells[j] = numTeX(A.At(i, j))
		}
		rows[i] = strings.Join(cells, " & ")
	}
	return fmt.Sprintf(`\begin{pmatrix} %s \end{pmatrix}`, strings.Join(rows, ` \\ `))
}
