//go:build unix

package peer_test

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/calibration"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/svm"
)

var classesSVMModels = []model{
	{"svm_one_against_one", compareOneVsOne, []rule{
		{"decisions", 0, "equal, but where the score of a machine is within 1e-3 of 0"},
	}},
	{"svm_one_against_all", compareOneVsRest, []rule{
		{"decisions", 0, "equal, but where the two largest scores are within 1e-3"},
	}},
	{"platt", comparePlatt, []rule{
		{"probabilities", 1e-4, "scikit-learn stops its L-BFGS there; mlkit's likelihood is not below"},
		{"likelihood", 1e-10, "-log of it, in units of its value, both for the targets of Platt"},
	}},
}

// drawClasses draws samples of three or more classes, and a binary classifier.
func (t *trial) drawClasses() (X, Z *mat.Dense, y []int, k namedKernel, c svm.Classifier) {
	n, d := t.size()
	X = t.samples(n+10, d)
	y = t.classes(X, 3+t.IntN(3))
	k = t.drawKernel(X, "linear", "poly", "rbf")
	c = svm.Classifier{C: t.power(-2, 2) / k.scale, Kernel: k.Kernel, Tol: 1e-6}
	return X, t.others(X, 20), y, k, c
}

func compareOneVsOne(t *trial) {
	X, Z, y, k, c := t.drawClasses()
	m, err := multiclass.OneVsOne[*svm.Model]{Binary: c}.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	var sk struct{ Decisions []int }
	t.ask(k.with(map[string]any{"X": rows(X), "y": y, "Z": rows(Z), "C": c.C}), &sk)
	t.same("decisions", m.Predictions(nil, Z), sk.Decisions, func(i int) bool {
		for j, f := range m.Decisions(nil, Z.RawRowView(i)) {
			if math.Abs(f) < 1e-3 || len(m.Machines[j].Free) == 0 { // without a free support vector b is not unique
				return true
			}
		}
		return false
	})
}

func compareOneVsRest(t *trial) {
	X, Z, y, k, c := t.drawClasses()
	m, err := multiclass.OneVsRest[*svm.Model]{Binary: c}.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	var sk struct{ Decisions []int }
	t.ask(k.with(map[string]any{"X": rows(X), "y": y, "Z": rows(Z), "C": c.C}), &sk)
	t.same("decisions", m.Predictions(nil, Z), sk.Decisions, func(i int) bool {
		first, second := math.Inf(-1), math.Inf(-1)
		for j, f := range m.Decisions(nil, Z.RawRowView(i)) {
			if len(m.Machines[j].Free) == 0 {
				return true
			}
			second = max(second, min(first, f))
			first = max(first, f)
		}
		return first-second < 1e-3
	})
}

func comparePlatt(t *trial) {
	y, scores := t.scored(10 + t.IntN(60))
	m, err := calibration.FitPlatt(scores, y)
	if err != nil {
		t.Fatal(err)
	}
	var sk struct{ A, B float64 }
	t.ask(map[string]any{"scores": scores, "y": y}, &sk)
	theirs := calibration.Platt{A: sk.A, B: sk.B}
	ours, want := make([]float64, len(y)), make([]float64, len(y))
	for i, s := range scores {
		ours[i], want[i] = m.Prob(s), theirs.Prob(s)
	}
	t.near("probabilities", ours, want, 1)
	value := plattValue(theirs, scores, y)
	t.notAbove("likelihood", plattValue(m, scores, y), value, value)
}

// plattValue returns -Σ (t log p + (1-t) log(1-p)) for Platt's targets t.
func plattValue(p calibration.Platt, scores []float64, y []int) float64 {
	positive, negative := float64(count(y, 1)), float64(count(y, -1))
	sum := 0.0
	for i, s := range scores {
		target := 1 / (negative + 2)
		if y[i] == 1 {
			target = (positive + 1) / (positive + 2)
		}
		q := p.Prob(s)
		sum -= target*math.Log(q) + (1-target)*math.Log1p(-q)
	}
	return sum
}
