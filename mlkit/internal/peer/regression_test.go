//go:build unix

package peer_test

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/linear"
)

var regressionModels = []model{
	{"least_squares", compareLeastSquares, []rule{
		{"weights", 1e-14, "in units of the largest, times the square of the condition of X: of the error of a least squares problem"},
		{"fitted", 1e-14, "in units of the largest target, times the condition of X; unique even where the weights are not"},
	}},
	{"ridge", compareRidge, []rule{
		{"weights", 1e-14, "as for least squares, with λ in the condition"},
		{"predictions", 1e-14, "as the weights"},
	}},
}

// compareLeastSquares gives scikit-learn the samples extended by a constant column
// and has it learn no intercept: the shortest (w, b) is then the same, where X is
// wide or its columns are dependent. One to three targets, both methods of ours.
func compareLeastSquares(t *trial) {
	n, d := t.size()
	if t.IntN(4) == 0 {
		n = 2 + t.IntN(6) // wide
	}
	X := t.samples(n, d)
	M := 1 + t.IntN(3)
	Y := mat.NewDense(n, M, nil)
	for k := range M {
		Y.SetCol(k, t.targets(X))
	}
	c := condition(X)
	method := linear.LeastSquaresMethod(t.IntN(2))
	m, err := linear.LeastSquares{Method: method}.FitTargets(X, Y)
	if err != nil && method == linear.ByNormalEquations && (c > 1e5 || dependent(X)) {
		t.explain("normal equations refused: %v", err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	extended := mat.NewDense(n, d+1, nil)
	extended.Augment(X, constant(n))
	var sk struct{ W, Fitted [][]float64 }
	t.ask(map[string]any{"X": rows(extended), "y": rows(Y)}, &sk)
	var weights []float64
	fitted := mat.NewDense(n, M, nil)
	for k := range M {
		weights = append(append(weights, m.W[k]...), m.B[k])
		for i := range n {
			fitted.Set(i, k, m.B[k]+mat.Dot(mat.NewVecDense(d, m.W[k]), X.RowView(i)))
		}
	}
	if method == linear.ByNormalEquations {
		c *= c
	}
	t.near("weights", weights, concat(sk.W), c*c*size(concat(sk.W)))
	t.near("fitted", flat(fitted), concat(sk.Fitted), c*size(flat(Y)))
}

func compareRidge(t *trial) {
	n, d := t.size()
	X := t.samples(n, d)
	y := t.targets(X)
	square := mat.Norm(X, 2) * mat.Norm(X, 2)
	lambda := t.power(-8, 4) * square
	method := linear.LeastSquaresMethod(t.IntN(2))
	m, err := linear.LeastSquares{Ridge: lambda, Method: method}.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	Z := t.others(X, 10)
	var sk struct {
		W           []float64
		B           float64
		Predictions []float64
	}
	t.ask(map[string]any{"X": rows(X), "y": y, "Z": rows(Z), "lambda": lambda}, &sk)
	// The condition of X over √λ I is at most this.
	c := math.Sqrt(1 + square/lambda)
	loss := c * c
	t.near("weights", m.W, sk.W, loss*size(sk.W))
	t.near("predictions", append(m.Scores(nil, Z), m.B), append(sk.Predictions, sk.B), loss*(size(sk.Predictions)+math.Abs(sk.B)))
}

// dependent says whether the columns of X and a constant one are dependent.
func dependent(X *mat.Dense) bool {
	n, d := X.Dims()
	E := mat.NewDense(n, d+1, nil)
	E.Augment(X, constant(n))
	var svd mat.SVD
	return !svd.Factorize(E, mat.SVDNone) || n <= d || svd.Rank(1e-12) <= d
}

// constant is a column of n ones.
func constant(n int) *mat.Dense {
	ones := mat.NewDense(n, 1, nil)
	ones.Apply(func(int, int, float64) float64 { return 1 }, ones)
	return ones
}
