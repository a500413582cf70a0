//go:build unix

package peer_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/internal/testkit/must"
	"marginalia/mlkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/svm"
)

var svmModels = []model{
	{"svc", compareSVC, []rule{
		{"primal", 1e-4, "in units of ΣCᵢ + the optimum; LIBSVM keeps k in single precision, and its scores are wrong by Σα times that"},
		{"dual", 1e-7, "in the same units; it is stationary, so those errors count squared, and the violation of 1e-6 at which LIBSVM stops"},
		{"gap", 1, "mlkit's own, the certificate: a violation of ε leaves ε ΣCᵢ at most"},
		{"scores", 1, "‖w-w*‖² ≤ 2(P-D) for any w, so the scores less b differ by √(2·gap)‖φ(x)‖ of both at most"},
		{"bias", 1e-6, "its scale is 1 + Σα max k(x, x), what the single precision of k is multiplied by; compared if samples lie on the margin"},
	}},
}

// compareSVC compares soft margin classifiers with random C, class weights and sample
// weights. Without weights of samples they are also balanced: scikit-learn's "balanced" counts
// samples, whatever their weights.
func compareSVC(t *trial) {
	n, d := t.size()
	X := t.samples(n, d)
	y := t.signs(X)
	k := t.drawKernel(X, "linear", "poly", "rbf", "laplacian", "sigmoid")
	C := t.power(-3, 4) / k.scale
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = 1
	}
	if t.IntN(3) == 0 {
		weights = t.weights(y)
	}
	classes := map[int]float64{-1: 1, 1: 1}
	if t.IntN(3) == 0 {
		classes = map[int]float64{-1: t.power(-1, 1), 1: t.power(-1, 1)}
	}
	balanced := t.IntN(4) == 0 && floats.Min(weights) == 1 && floats.Max(weights) == 1
	if balanced {
		classes = nil
	}
	t.Logf("C %g, classes %v, balanced %v", C, classes, balanced)
	K := must.Get(kernel.Gram(k, X)).Or(t)
	if least, largest := spectrum(K); least < -1e-9*largest {
		t.explain("this sigmoid is no inner product on these samples (eigenvalues from %.2g to %.2g): the dual has many local maxima", least, largest)
		return
	}
	m, err := svm.Classifier{C: C, Kernel: k.Kernel, Tol: 1e-9, ClassWeights: classes, Balanced: balanced}.FitWith(mlkit.Options{Weights: weights}, X, y)
	if err != nil {
		t.Fatal(err)
	}
	Z := t.others(X, 10)
	var sk struct {
		Alpha, Scores, Fitted []float64
		B                     float64
	}
	t.ask(k.with(map[string]any{"X": rows(X), "y": y, "Z": rows(Z), "C": C, "classes": classes, "balanced": balanced, "weights": weights}), &sk)

	if balanced {
		classes = mlkit.BalancedWeights(y)
	}
	bounds := make([]float64, n)
	for i := range bounds {
		bounds[i] = C * classes[y[i]] * weights[i]
	}
	ours := svmValues(K, y, bounds, m.Alpha, m.Scores(nil, X))
	theirs := svmValues(K, y, bounds, sk.Alpha, sk.Fitted)
	price := floats.Sum(bounds)
	t.one("primal", ours.primal, theirs.primal, price+theirs.primal)
	t.one("dual", ours.dual, theirs.dual, price+theirs.primal)
	t.one("gap", ours.primal, ours.dual, 1e-9*price+1e-12*ours.dual)

	longest := 0.0
	less, skLess := m.Scores(nil, Z), sk.Scores
	for i := range less {
		z := Z.RawRowView(i)
		longest = max(longest, math.Sqrt(k.Eval(z, z)))
		less[i] -= m.B
		skLess[i] -= sk.B
	}
	apart := math.Sqrt(2*max(0, theirs.primal-ours.dual)) + math.Sqrt(2*max(0, ours.primal-ours.dual)) + 1e-9*math.Sqrt(2*ours.primal)
	t.near("scores", less, skLess, apart*longest)
	if len(m.Free) > 0 {
		t.one("bias", m.B, sk.B, 1+floats.Sum(m.Alpha)*mat.Max(K))
	}
}

// svmValue holds the values of the primal and the dual objective, at any α and scores
// of the samples.
type svmValue struct{ primal, dual float64 }

func svmValues(K mat.Matrix, y []int, bounds, alpha, scores []float64) svmValue {
	n := len(y)
	beta := mat.NewVecDense(n, nil)
	sum, slack := 0.0, 0.0
	for i := range n {
		beta.SetVec(i, float64(y[i])*alpha[i])
		sum += alpha[i]
		slack += bounds[i] * max(0, 1-float64(y[i])*scores[i])
	}
	half := mat.Inner(beta, K, beta) / 2
	return svmValue{half + slack, sum - half}
}

// spectrum returns the smallest and the largest eigenvalue of K.
func spectrum(K mat.Symmetric) (least, largest float64) {
	var e mat.EigenSym
	if !e.Factorize(K, false) {
		return math.NaN(), math.NaN()
	}
	v := e.Values(nil)
	return v[0], v[len(v)-1]
}
