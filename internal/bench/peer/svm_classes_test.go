//go:build unix

package peer_test

import (
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"marginalia/internal/testkit/must"
	"marginalia/mlkit"
	"marginalia/mlkit/calibration"
	"marginalia/mlkit/eval"
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
	{"svm_normalised", compareNormalised, []rule{
		{"posteriors", 2e-4, "as the probabilities of platt, and of machines with a violation of up to 1e-8"},
		{"loss", 2e-4, "as the posteriors"},
	}},
	{"svm_coupled", compareCoupled, []rule{
		{"posteriors", 2e-4, "as in svm_normalised"},
		{"loss", 2e-4, "as the posteriors"},
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
	balanced := t.IntN(3) == 0
	m := must.Get(multiclass.OneVsOne[*svm.Model]{Binary: c, Balanced: balanced}.Fit(X, y)).Or(t)
	var sk struct{ Decisions []int }
	t.ask(k.with(map[string]any{"X": rows(X), "y": y, "Z": rows(Z), "C": c.C, "balanced": balanced}), &sk)
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
	c.Balanced = t.IntN(3) == 0
	m := must.Get(multiclass.OneVsRest[*svm.Model]{Binary: c}.Fit(X, y)).Or(t)
	var sk struct{ Decisions []int }
	t.ask(k.with(map[string]any{"X": rows(X), "y": y, "Z": rows(Z), "C": c.C, "balanced": c.Balanced}), &sk)
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

type calibratedSVM = calibration.ClassifierModel[*svm.Model]

// bounded is a Classifier that counts machines without a free support vector, whose b is not
// unique.
type bounded struct {
	svm.Classifier
	count *atomic.Int64
}

func (b bounded) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*svm.Model, error) {
	m, err := b.Classifier.FitWith(o, X, y)
	if err == nil && len(m.Free) == 0 {
		b.count.Add(1)
	}
	return m, err
}

// binary hides all other methods of an algorithm.
type binary struct {
	mlkit.Algorithm[*svm.Model, int]
}

func compareNormalised(t *trial) {
	comparePosteriors(t, func(c calibration.Classifier[*svm.Model], X *mat.Dense, y []int) (posteriors, []*calibratedSVM, error) {
		m, err := multiclass.ProbableOneVsRest[*calibratedSVM]{Binary: c}.Fit(X, y)
		if err != nil {
			return nil, nil, err
		}
		return m, m.Machines, nil
	})
}

func compareCoupled(t *trial) {
	comparePosteriors(t, func(c calibration.Classifier[*svm.Model], X *mat.Dense, y []int) (posteriors, []*calibratedSVM, error) {
		m, err := multiclass.ProbableOneVsOne[*calibratedSVM]{Binary: c}.Fit(X, y)
		if err != nil {
			return nil, nil, err
		}
		return m, m.Machines, nil
	})
}

type posteriors interface {
	Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense
}

// comparePosteriors leaves out each distinct sample, so that both libraries have the same
// folds.
func comparePosteriors(t *trial, fit func(c calibration.Classifier[*svm.Model], X *mat.Dense, y []int) (posteriors, []*calibratedSVM, error)) {
	X, Z, y, k, c := t.drawClasses()
	c.Tol = 1e-8
	free := bounded{c, new(atomic.Int64)}
	n, _ := X.Dims()
	m, machines, err := fit(calibration.Classifier[*svm.Model]{Algorithm: binary{free}, Folds: n}, X, y)
	if err != nil {
		t.explain("%v", err)
		return
	}
	if free.count.Load() > 0 {
		t.explain("%d machines have no free support vector, so their b is not unique", free.count.Load())
		return
	}
	for i, machine := range machines {
		if machine.Sigmoid.A == 0 {
			t.explain("machine %d ranks samples left out in the wrong order: A = 0, where scikit-learn's is above 0", i)
			return
		}
	}
	classes := slices.Compact(slices.Sorted(slices.Values(y)))
	rowsZ, _ := Z.Dims()
	z := make([]int, rowsZ)
	for i := range z {
		z[i] = classes[t.IntN(len(classes))]
	}
	P := m.Posteriors(nil, Z)
	loss := must.Get(eval.LogLossMany(z, classes, P)).Or(t)
	var sk struct {
		Posteriors [][]float64
		Loss       float64
	}
	t.ask(k.with(map[string]any{"X": rows(X), "y": y, "Z": rows(Z), "z": z, "C": c.C}), &sk)
	t.near("posteriors", concat(rows(P)), concat(sk.Posteriors), 1)
	t.one("loss", loss, sk.Loss, 1)
}

func comparePlatt(t *trial) {
	y, scores := t.scored(10 + t.IntN(60))
	m := must.Get(calibration.FitPlatt(scores, y, nil)).Or(t)
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
