//go:build unix

package peer_test

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/svm"
)

var linearSVMModels = []model{
	{"svm_dual_descent", compareDualDescent, []rule{
		{"objective", 1e-5, "in units of ΣCᵢ + the optimum: LIBLINEAR and LIBSVM end at a violation of 1e-7, LIBSVM in single precision"},
		{"weights", 1, "‖w-w*‖² ≤ 2(P-D) for any w, with b in w if it is penalised"},
	}},
	{"svm_newton", compareNewton, []rule{
		{"objective", 1e-9, "in the same units; both solve in the primal"},
		{"weights", 1, "as for dual descent"},
	}},
	{"svm_hinge_descent", compareHingeDescent, []rule{
		{"objective", 0.01, "in units of the optimum: where the gap ends the fit; gradients and random samples lead to few digits"},
	}},
}

// linearSVM is the problem of minimising ½‖w‖² (+ ½b²) + Σ Cᵢ ξᵢ or Σ Cᵢ ξᵢ².
type linearSVM struct {
	X       *mat.Dense
	y       []int
	C       float64
	classes map[int]float64
	weights []float64
	squared bool
	bias    mlkit.Bias
}

func (t *trial) drawLinearSVM() linearSVM {
	n, d := t.size()
	X := standardised(t.samples(n, d))
	p := linearSVM{X: X, y: t.signs(X), C: t.power(-4, 2), squared: t.IntN(2) == 0, bias: []mlkit.Bias{mlkit.FreeBias, mlkit.PenalizedBias, mlkit.NoBias}[t.IntN(3)], classes: map[int]float64{-1: 1, 1: 1}}
	p.weights = make([]float64, n)
	floats.AddConst(1, p.weights)
	if t.IntN(3) == 0 {
		p.weights = t.weights(p.y)
	}
	if t.IntN(3) == 0 {
		p.classes = map[int]float64{-1: t.power(-1, 1), 1: t.power(-1, 1)}
	}
	return p
}

// value returns the primal objective.
func (p linearSVM) value(h mlkit.Hyperplane) float64 {
	sum := floats.Dot(h.W, h.W) / 2
	if p.bias == mlkit.PenalizedBias {
		sum += h.B * h.B / 2
	}
	for i, f := range h.Scores(nil, p.X) {
		slack := max(0, 1-float64(p.y[i])*f)
		if p.squared {
			slack *= slack
		}
		sum += p.C * p.classes[p.y[i]] * p.weights[i] * slack
	}
	return sum
}

func compareDualDescent(t *trial) {
	p := t.drawLinearSVM()
	if p.bias == mlkit.FreeBias {
		p.squared = false // scikit-learn has no squared loss with a free bias
	}
	loss := svm.Hinge
	if p.squared {
		loss = svm.SquaredHinge
	}
	t.Logf("C %g, squared %v, %v", p.C, p.squared, p.bias)
	m, err := svm.DualDescent{C: p.C, Loss: loss, Bias: p.bias, Tol: 1e-7, MaxIter: 1e6, ClassWeights: p.classes}.FitWith(mlkit.Options{Weights: p.weights}, p.X, p.y)
	if err != nil {
		t.Fatal(err)
	}
	p.compare(t, m)
}

func compareNewton(t *trial) {
	p := t.drawLinearSVM()
	p.squared = true
	if p.bias == mlkit.FreeBias {
		p.bias = mlkit.PenalizedBias
	}
	t.Logf("C %g, %v", p.C, p.bias)
	m, err := svm.Newton{C: p.C, Bias: p.bias, Tol: 1e-12, ClassWeights: p.classes}.FitWith(mlkit.Options{Weights: p.weights}, p.X, p.y)
	if err != nil {
		t.Fatal(err)
	}
	p.compare(t, m)
}

// compareHingeDescent compares EE-559's form, minimised by subgradient descent or by
// Pegasos, with LIBSVM's form with C. A lower value than LIBSVM's is as good.
func compareHingeDescent(t *trial) {
	p := t.drawLinearSVM()
	p.squared, p.bias = false, mlkit.FreeBias
	n, _ := p.X.Dims()
	lambda := t.power(-2, 1)
	p.C = svm.COfLambda(lambda, n)
	for i := range p.weights {
		p.weights[i] = 1
	}
	p.classes = map[int]float64{-1: 1, 1: 1}
	var m *svm.LinearModel
	var err error
	if t.IntN(2) == 0 {
		m, err = svm.SubgradientDescent{Lambda: lambda, Tol: 0.01, MaxIter: 1e6}.Fit(p.X, p.y)
	} else {
		m, err = svm.Pegasos{Lambda: lambda, Tol: 0.01, MaxIter: 1e6, BatchSize: 1 + t.IntN(n)}.Fit(p.X, p.y)
	}
	value := p.value(p.ask(t))
	if late := new(mlkit.NotConvergedError); errors.As(err, &late) {
		// The final gap is still a certificate.
		if ours := p.value(m.Hyperplane); ours-value > m.Gap+1e-9*ours {
			t.Errorf("the value is %g, scikit-learn has %g: apart by more than the gap", ours, value)
		}
		t.explain("columns of unlike sizes: %v", err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	t.notAbove("objective", p.value(m.Hyperplane), value, value)
}

// ask returns scikit-learn's solution.
func (p linearSVM) ask(t *trial) mlkit.Hyperplane {
	var sk struct {
		W []float64
		B float64
	}
	t.ask(map[string]any{"model": "linear_svm", "X": rows(p.X), "y": p.y, "C": p.C, "squared": p.squared, "bias": p.bias.String(),
		"negative": p.classes[-1], "positive": p.classes[1], "weights": p.weights}, &sk)
	return mlkit.Hyperplane{W: sk.W, B: sk.B}
}

func (p linearSVM) compare(t *trial, m *svm.LinearModel) {
	theirs := p.ask(t)
	value := p.value(theirs)
	price := 0.0
	for i, y := range p.y {
		price += p.C * p.classes[y] * p.weights[i]
	}
	t.one("objective", p.value(m.Hyperplane), value, price+value)
	apart := math.Sqrt(2*max(0, value-m.Dual)) + math.Sqrt(2*max(0, m.Gap)) + 1e-7*math.Sqrt(2*value) // the values are accurate to about 1e-15
	w, skW := m.W, theirs.W
	if p.bias == mlkit.PenalizedBias {
		w, skW = append(w, m.B), append(skW, theirs.B)
	}
	t.one("weights", floats.Distance(w, skW, 2), 0, apart)
}
