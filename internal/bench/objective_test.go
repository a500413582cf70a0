package main

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Two samples at the distance 2 with γ = 1/4: kxz = k(x, z) = 1/e. All values
// below follow by hand.
var (
	pair      = samples{mat.NewDense(2, 1, []float64{-1, 1}), []int{-1, 1}}
	kxz       = math.Exp(-1)
	pairTask  = task{Params: params{C: 10, Gamma: 0.25, Lambda: 2, Tol: 1e-3, K: 1}}
	pairAlpha = 1 / (1 - kxz) // minimises ½α²(2 - 2k) - 2α, whose value there is -1/(1 - k)
)

func pairMachine(alpha, b float64) solution {
	return solution{Machines: []machine{{Positive: 1, Negative: -1, Rows: []int{0, 1}, Coef: []float64{-alpha, alpha}, B: b}}}
}

// near holds an objective against the value by hand.
func near(t *testing.T, what string, got float64, err error, want float64) {
	t.Helper()
	if err != nil || !(math.Abs(got-want) <= 1e-14*(1+math.Abs(want))) { // rounding of a few operations
		t.Errorf("%s: %.17g, %v, want %.17g", what, got, err, want)
	}
}

func TestDualValue(t *testing.T) {
	got, err := dualValue(pairTask, pair, samples{}, pairMachine(pairAlpha, 0))
	near(t, "the solution", got, err, -pairAlpha)
	turned := pairMachine(-pairAlpha, 0)
	turned.Machines[0].Positive, turned.Machines[0].Negative = -1, 1
	got, err = dualValue(pairTask, pair, samples{}, turned)
	near(t, "the solution, classes the other way round", got, err, -pairAlpha)
	got, err = dualValue(pairTask, pair, samples{}, pairMachine(pairAlpha*0.999, 0))
	near(t, "beside the solution", got, err, 0.999*0.999*pairAlpha-2*0.999*pairAlpha)

	wrong := map[string]solution{
		"above C":          pairMachine(10.1, 0),
		"below 0":          pairMachine(-0.1, 0),
		"another bias":     pairMachine(pairAlpha, 0.5),
		"not balanced":     {Machines: []machine{{Positive: 1, Negative: -1, Rows: []int{1}, Coef: []float64{1}}}},
		"no such row":      {Machines: []machine{{Positive: 1, Negative: -1, Rows: []int{2}, Coef: []float64{1}}}},
		"another class":    {Machines: []machine{{Positive: 1, Negative: 7, Rows: []int{0}, Coef: []float64{1}}}},
		"no machine":       {},
		"not a number":     pairMachine(math.NaN(), 0),
		"infinite, in b":   pairMachine(pairAlpha, math.Inf(1)),
		"machine too many": {Machines: append(pairMachine(1, 0).Machines, pairMachine(1, 0).Machines...)},
	}
	for what, s := range wrong {
		if v, err := dualValue(pairTask, pair, samples{}, s); err == nil {
			t.Errorf("%s: no error, %g", what, v)
		}
	}
}

func TestPredictionError(t *testing.T) {
	s := pairMachine(1, 0.5)
	s.Predicted = []float64{-(1 - kxz) + 0.5, (1 - kxz) + 0.5}
	got, err := predictionError(pairTask, pair, pair, s)
	near(t, "the right scores", got, err, 1)
	s.Predicted[0] += 1e-3
	got, err = predictionError(pairTask, pair, pair, s)
	near(t, "off by 1/1000", got, err, 1+1e-3/(1-kxz+0.5))
	s.Predicted = s.Predicted[:1]
	if _, err := predictionError(pairTask, pair, pair, s); err == nil {
		t.Error("a score too few: no error")
	}
}

func TestLinearObjectives(t *testing.T) {
	line := solution{W: [][]float64{{0.5}}, B: []float64{0.25}} // scores -0.25 and 0.75, slacks 0.75 and 0.25
	got, err := hinge(pairTask, pair, samples{}, line)
	near(t, "hinge", got, err, (0.25+0.0625)/2+10*1)
	got, err = squaredHinge(pairTask, pair, samples{}, line)
	near(t, "squared hinge", got, err, (0.25+0.0625)/2+10*(0.5625+0.0625))
	got, err = logisticLoss(pairTask, pair, samples{}, line)
	near(t, "logistic", got, err, 0.125+10*(math.Log(1+math.Exp(-0.25))+math.Log(1+math.Exp(-0.75))))
	got, err = sparseLogisticLoss(pairTask, pair, samples{}, line)
	near(t, "logistic with L1", got, err, 0.5+10*(math.Log(1+math.Exp(-0.25))+math.Log(1+math.Exp(-0.75))))
	got, err = squaredError(pairTask, pair, samples{}, line)
	near(t, "ridge", got, err, 0.5625+0.0625+2*0.25)
	got, err = squaredError(task{}, pair, samples{}, line)
	near(t, "least squares", got, err, 0.5625+0.0625)
	wide := samples{mat.NewDense(1, 2, []float64{3, 4}), []int{1}}
	got, err = squaredError(task{}, wide, samples{}, solution{W: [][]float64{{0.12, 0.16}}, B: []float64{0}})
	near(t, "the shortest", got, err, 0.04)
	if _, err = squaredError(task{}, wide, samples{}, solution{W: [][]float64{{0.12, 0.1}}, B: []float64{0}}); err == nil {
		t.Error("an error where none need be is not refused")
	}
	right := solution{W: [][]float64{{-0.5}}, B: []float64{0.25}} // scores 0.75 and -0.25, both wrong
	got, err = perceptronCost(pairTask, pair, samples{}, right)
	near(t, "perceptron", got, err, 1)

	classes := samples{pair.X, []int{0, 1}}
	three := pairTask
	three.Params.K = 3
	got, err = softmaxLoss(three, classes, samples{}, solution{W: [][]float64{{0}, {0}, {0}}, B: []float64{0, 0, 0}})
	near(t, "softmax of zeros", got, err, 10*2*math.Log(3))
	two := pairTask
	two.Params.K = 2
	got, err = softmaxLoss(two, classes, samples{}, solution{W: [][]float64{{-0.25}, {0.25}}, B: []float64{-0.125, 0.125}})
	near(t, "softmax of two classes", got, err, 0.0625+10*(math.Log(1+math.Exp(-0.25))+math.Log(1+math.Exp(-0.75))))

	for what, s := range map[string]solution{
		"weights of another number": {W: [][]float64{{1, 2}}, B: []float64{0}},
		"no bias":                   {W: [][]float64{{1}}},
	} {
		if _, err := hinge(pairTask, pair, samples{}, s); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

// Four samples on a line, classes about -2 and +2 with variance 1 each way: Σ = 4/4
// = 1, so w = 4, and the value there is -½·4·w = -8.
func TestFisher(t *testing.T) {
	line := samples{mat.NewDense(4, 1, []float64{-3, -1, 1, 3}), []int{-1, -1, 1, 1}}
	at := func(w, b float64) solution { return solution{W: [][]float64{{w}}, B: []float64{b}} }
	got, err := fisher(pairTask, line, samples{}, at(4, 0))
	near(t, "the solution", got, err, -8)
	got, err = fisher(pairTask, line, samples{}, at(4.5, 0))
	near(t, "beside it", got, err, 4.5*4.5/2-4*4.5)
	if _, err := fisher(pairTask, line, samples{}, at(4, 0.5)); err == nil || !strings.Contains(err.Error(), "b is off by 0.5") {
		t.Errorf("another b: %v", err)
	}
}

func TestKernelObjectives(t *testing.T) {
	// (K + 2I)α = y has the solution y/(3 - k), and the value there is -½ α·y.
	got, err := ridgeValue(pairTask, pair, samples{}, solution{Alpha: []float64{-1 / (3 - kxz), 1 / (3 - kxz)}})
	near(t, "kernel ridge", got, err, -1/(3-kxz))
	if _, err := ridgeValue(pairTask, pair, samples{}, solution{Alpha: []float64{1}}); err == nil {
		t.Error("a coefficient too few: no error")
	}

	// The centred Gram matrix is (1-k)/2 times (1 -1; -1 1), with the eigenvalue 1-k.
	got, err = lostVariance(pairTask, pair, samples{}, solution{Vectors: [][]float64{{-3, 3}}})
	near(t, "kernel PCA", got, err, -(1 - kxz))
	got, err = lostVariance(pairTask, pair, samples{}, solution{Vectors: [][]float64{{0, 3}}})
	near(t, "another direction", got, err, -(1-kxz)/2)
	two := pairTask
	two.Params.K = 2
	if _, err := lostVariance(two, pair, samples{}, solution{Vectors: [][]float64{{0, 3}, {1, 1}}}); err == nil {
		t.Error("components that are not orthogonal: no error")
	}

	got, err = inertia(pairTask, pair, samples{}, solution{Centers: [][]float64{{0}}})
	near(t, "k-means", got, err, 2)
	if _, err := inertia(pairTask, pair, samples{}, solution{Centers: [][]float64{{0}, {1}}}); err == nil {
		t.Error("a centre too many: no error")
	}

	// Each sample is a cluster: what is cut is k, what a cluster has in all 1 + k.
	got, err = normalisedCut(pairTask, pair, samples{}, solution{Labels: []int{5, 3}})
	near(t, "spectral", got, err, 2*kxz/(1+kxz))
	if _, err := normalisedCut(pairTask, pair, samples{}, solution{Labels: []int{1}}); err == nil {
		t.Error("a label too few: no error")
	}
}
