//go:build unix

package peer_test

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/linear"
	"marginalia/mlkit/svm"
)

var linearSVMModels = []model{
	{"svm_dual_descent", compareDualDescent, []rule{
		{"objective", 1e-5, "in units of the optimum: ours ends at a gap of 1e-7 of it, LIBLINEAR and LIBSVM at a violation of 1e-7"},
		{"weights", 1, "‖w-w*‖² ≤ 2(P-D) for any w, with b in w if it is penalised"},
	}},
	{"svm_newton", compareNewton, []rule{
		{"objective", 1e-9, "in units of the optimum: ours ends at a gap of 1e-12 of it"},
		{"weights", 1, "as for dual descent"},
	}},
}

// linearSVM is a problem of ½‖w‖² (+ ½b²) + Σ Cᵢ ξᵢ or ξᵢ².
type linearSVM struct {
	X       *mat.Dense
	y       []int
	C       float64
	classes map[int]float64
	weights []float64
	squared bool
	bias    svm.Bias
}

func (t *trial) drawLinearSVM() linearSVM {
	n, d := t.size()
	X := standardised(t.samples(n, d))
	p := linearSVM{X: X, y: t.signs(X), C: t.power(-4, 2), squared: t.IntN(2) == 0, bias: svm.Bias(t.IntN(3)), classes: map[int]float64{-1: 1, 1: 1}}
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

// value is that of the primal problem.
func (p linearSVM) value(h linear.Hyperplane) float64 {
	sum := floats.Dot(h.W, h.W) / 2
	if p.bias == svm.PenalisedBias {
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
	if p.bias == svm.FreeBias {
		p.squared = false // of the squared loss with a free b scikit-learn has nothing
	}
	loss := svm.Hinge
	if p.squared {
		loss = svm.SquaredHinge
	}
	t.Logf("C %g, squared %v, %v", p.C, p.squared, p.bias)
	m, err := svm.DualDescent{C: p.C, Loss: loss, Bias: p.bias, Tol: 1e-7, MaxPasses: 1e6, ClassWeights: p.classes}.FitWeighted(context.Background(), p.X, p.y, p.weights)
	if err != nil {
		t.Fatal(err)
	}
	p.compare(t, m)
}

func compareNewton(t *trial) {
	p := t.drawLinearSVM()
	p.squared = true
	if p.bias == svm.FreeBias {
		p.bias = svm.PenalisedBias
	}
	t.Logf("C %g, %v", p.C, p.bias)
	m, err := svm.Newton{C: p.C, Bias: p.bias, Tol: 1e-12, ClassWeights: p.classes}.FitWeighted(context.Background(), p.X, p.y, p.weights)
	if err != nil {
		t.Fatal(err)
	}
	p.compare(t, m)
}

func (p linearSVM) compare(t *trial, m *svm.LinearModel) {
	var sk struct {
		W []float64
		B float64
	}
	t.ask(map[string]any{"model": "linear_svm", "X": rows(p.X), "y": p.y, "C": p.C, "squared": p.squared, "bias": int(p.bias),
		"negative": p.classes[-1], "positive": p.classes[1], "weights": p.weights}, &sk)
	theirs := linear.Hyperplane{W: sk.W, B: sk.B}
	value := p.value(theirs)
	t.one("objective", p.value(m.Hyperplane), value, value)
	apart := math.Sqrt(2*max(0, value-m.Dual)) + math.Sqrt(2*max(0, m.Gap)) + 1e-7*math.Sqrt(2*value) // the values are known to some 1e-15
	w, skW := m.W, sk.W
	if p.bias == svm.PenalisedBias {
		w, skW = append(w, m.B), append(skW, sk.B)
	}
	t.one("weights", floats.Distance(w, skW, 2), 0, apart)
}
