//go:build unix

package peer_test

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/internal/testkit/must"
	"marginalia/mlkit"
	"marginalia/mlkit/leastsquares"
)

var regressionModels = []model{
	{"least_squares", compareLeastSquares, []rule{
		{"weights", 1e-14, "in units of the largest, times the square of the condition of X: of the error of a least squares problem; of samples far from 0 times their distance from it"},
		{"fitted", 1e-14, "in units of the largest target, times the condition of X; unique even where the weights are not"},
		{"rank", 0, "a number"},
	}},
	{"ridge", compareRidge, []rule{
		{"weights", 1e-14, "as for least squares, with λ in the condition"},
		{"predictions", 1e-14, "as the weights"},
	}},
	{"ridge_classifier", compareRidgeClassifier, []rule{
		{"weights", 1e-14, "as for ridge"},
	}},
}

// compareLeastSquares fits one to three targets, by either method, with an intercept in
// both libraries or in neither. With an intercept, the minimum norm w is that of the
// centred features, and b does not count. X may be wide, its columns may be dependent
// or, if they are not, far from 0.
func compareLeastSquares(t *trial) {
	n, d := t.size()
	if t.IntN(4) == 0 {
		n = 2 + t.IntN(6) // wide
	}
	X := t.samples(n, d)
	bias, far := mlkit.FreeBias, 0.0
	Z := centred(X)
	switch t.IntN(3) {
	case 0:
		bias, Z = mlkit.NoBias, X
	case 1:
		if !dependent(X) {
			far = math.Round(t.power(0, 6)) // in standard deviations
			for j := range d {
				s := far * deviation(mat.Col(nil, j, X))
				for i := range n {
					X.Set(i, j, X.At(i, j)+s)
				}
			}
			Z = centred(X)
		}
	}
	M := 1 + t.IntN(3)
	Y := mat.NewDense(n, M, nil)
	for k := range M {
		Y.SetCol(k, t.targets(Z))
	}
	c := condition(Z)
	method := leastsquares.Solver(t.IntN(2))
	weights := t.positiveWeights(n)
	m, err := leastsquares.Regression{Solver: method, Bias: bias}.FitTargetsWith(mlkit.Options{Weights: weights}, X, Y)
	if err != nil && method == leastsquares.ByNormalEquations && (c > 1e5 || dependent(X)) {
		t.explain("normal equations refused: %v", err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var sk struct {
		W, Fitted [][]float64
		Rank      int
	}
	t.ask(map[string]any{"X": rows(X), "y": rows(Y), "intercept": bias != mlkit.NoBias, "weights": weights}, &sk)
	rank := sk.Rank // not counting the constant column
	if bias != mlkit.NoBias {
		rank++
	}
	t.one("rank", float64(m.Rank), float64(rank), 1)
	fitted := mat.NewDense(n, M, nil)
	for k := range M {
		for i := range n {
			fitted.Set(i, k, m.B[k]+mat.Dot(mat.NewVecDense(d, m.W[k]), X.RowView(i)))
		}
	}
	if method == leastsquares.ByNormalEquations {
		c *= c
	}
	if weights != nil {
		c *= 3.25 // they are from 0.5 to 3.25, and their roots are factors of the rows
	}
	// Centering samples far from 0 amplifies their rounding errors.
	far++
	t.near("weights", concat(m.W), concat(sk.W), far*c*c*size(concat(sk.W)))
	t.near("fitted", flat(fitted), concat(sk.Fitted), far*c*size(flat(Y)))
}

// centred returns X minus its column means.
func centred(X *mat.Dense) *mat.Dense {
	n, d := X.Dims()
	Z := mat.NewDense(n, d, nil)
	for j := range d {
		mean := mat.Sum(X.ColView(j)) / float64(n)
		for i := range n {
			Z.Set(i, j, X.At(i, j)-mean)
		}
	}
	return Z
}

func compareRidge(t *trial) {
	n, d := t.size()
	X := t.samples(n, d)
	y := t.targets(X)
	square := mat.Norm(X, 2) * mat.Norm(X, 2)
	lambda := t.power(-8, 4) * square
	method := leastsquares.Solver(t.IntN(2))
	var weights []float64
	if t.IntN(2) == 0 {
		weights = t.weights(make([]int, n))
		square *= 3.25 // the largest
	}
	m := must.Get(leastsquares.Regression{Lambda: lambda, Solver: method}.FitWith(mlkit.Options{Weights: weights}, X, y)).Or(t)
	Z := t.others(X, 10)
	var sk struct {
		W           []float64
		B           float64
		Predictions []float64
	}
	t.ask(map[string]any{"X": rows(X), "y": y, "Z": rows(Z), "lambda": lambda, "weights": weights}, &sk)
	// An upper bound on the condition number of X over √λ I.
	c := math.Sqrt(1 + square/lambda)
	loss := c * c
	t.near("weights", m.W, sk.W, loss*size(sk.W))
	t.near("predictions", append(m.Scores(nil, Z), m.B), append(sk.Predictions, sk.B), loss*(size(sk.Predictions)+math.Abs(sk.B)))
}

// compareRidgeClassifier fits two classes with weights of the samples and of the classes.
func compareRidgeClassifier(t *trial) {
	n, d := t.size()
	X := t.samples(n, d)
	y := t.signs(X)
	weights := t.weights(y)
	negative, positive := t.power(-1, 1), t.power(-1, 1)
	square := 32.5 * mat.Norm(X, 2) * mat.Norm(X, 2) // with the largest weight that there can be
	lambda := t.power(-8, 4) * square
	m, err := leastsquares.Classifier{Lambda: lambda, ClassWeights: map[int]float64{-1: negative, 1: positive}}.FitWith(mlkit.Options{Weights: weights}, X, y)
	if err != nil {
		t.Fatal(err)
	}
	var sk struct {
		W []float64
		B float64
	}
	t.ask(map[string]any{"X": rows(X), "y": y, "lambda": lambda, "weights": weights, "negative": negative, "positive": positive}, &sk)
	h := m.Between(1, 0)
	t.near("weights", append(h.W, h.B), append(sk.W, sk.B), (1+square/lambda)*size(append(sk.W, sk.B)))
}

// dependent reports whether the columns of X and a constant column are linearly
// dependent.
func dependent(X *mat.Dense) bool {
	n, d := X.Dims()
	E := mat.NewDense(n, d+1, nil)
	E.Augment(X, constant(n))
	var svd mat.SVD
	return !svd.Factorize(E, mat.SVDNone) || n <= d || svd.Rank(1e-12) <= d
}

// constant returns a column of n ones.
func constant(n int) *mat.Dense {
	ones := mat.NewDense(n, 1, nil)
	ones.Apply(func(int, int, float64) float64 { return 1 }, ones)
	return ones
}
