package rows

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Sigmoid is σ(s) = 1/(1 + e⁻ˢ) of EE-559.
func Sigmoid(s float64) float64 {
	if s >= 0 {
		return 1 / (1 + math.Exp(-s))
	}
	// The same function, accurate where σ is nearly 0.
	e := math.Exp(s)
	return e / (1 + e)
}

// Sigmoids replaces each score by its Sigmoid and returns s.
func Sigmoids(s []float64) []float64 {
	for i, v := range s {
		s[i] = Sigmoid(v)
	}
	return s
}

// Posterior replaces the discriminants g_k by the probabilities of the classes: e^{g_k}
// over their sum, and for two classes σ of the difference, as Sigmoid of the score.
func Posterior(g []float64) {
	if len(g) == 2 {
		s := g[1] - g[0]
		g[0], g[1] = Sigmoid(-s), Sigmoid(s)
		return
	}
	Softmax(g)
}

// Softmax replaces g_k by e^{g_k} / Σ e^{g_l} and returns log Σ e^{g_l}. It subtracts
// the largest g first, so nothing overflows.
func Softmax(g []float64) (logSum float64) {
	top, sum := g[Largest(g)], 0.0
	for k, v := range g {
		g[k] = math.Exp(v - top)
		sum += g[k]
	}
	for k := range g {
		g[k] /= sum
	}
	return top + math.Log(sum)
}

// Posteriors sets dst (n×M) to the posteriors of all rows of X (n×d), a new matrix if dst is nil,
// and returns it; one sets those of one sample. It panics, in the name of pkg, if the
// shapes differ from these.
func Posteriors(pkg string, dst *mat.Dense, X mat.Matrix, M, d int, one func(dst, x []float64)) *mat.Dense {
	n, columns, row := Of(X)
	if columns != d {
		panic(fmt.Sprintf("%s: Posteriors: X has %d columns, want %d", pkg, columns, d))
	}
	dst = PosteriorsIn(pkg, dst, n, M)
	for i := range n {
		one(dst.RawRowView(i), row(i))
	}
	return dst
}

// PosteriorsIn returns dst, or a new n×M matrix if dst is nil. It panics, in the name of pkg,
// if dst has another shape or n is 0.
func PosteriorsIn(pkg string, dst *mat.Dense, n, M int) *mat.Dense {
	if n == 0 {
		panic(pkg + ": Posteriors: X has no rows, want at least one")
	}
	if dst == nil {
		return NewDense(n, M)
	}
	if r, c := dst.Dims(); r != n || c != M {
		panic(fmt.Sprintf("%s: Posteriors: dst is %d×%d, want %d×%d", pkg, r, c, n, M))
	}
	return dst
}
