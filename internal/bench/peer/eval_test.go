//go:build unix

package peer_test

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/internal/testkit/must"
	"marginalia/mlkit/eval"
)

var evalModels = []model{
	{"confusion", compareConfusion, []rule{
		{"counts", 0, "whole numbers"},
		{"rates", 1e-15, "fractions of whole numbers"},
	}},
	{"roc", compareROC, []rule{
		{"auc", 1e-14, "the sum of at most sixty trapezia"},
		{"curve", 1e-15, "fractions of whole numbers, at the same thresholds"},
	}},
	{"losses", compareLosses, []rule{
		{"log", 1e-13, "the same logarithms, added in another order"},
		{"hinge", 1e-14, "the same terms"},
	}},
}

// labels draws n labels among k ints, and predictions that are often right.
func (t *trial) labels(n, k int) (y, predicted []int) {
	y, predicted = make([]int, n), make([]int, n)
	wrong := t.Float64()
	for i := range n {
		y[i] = 3*t.IntN(k) - 4
		predicted[i] = y[i]
		if t.Float64() < wrong {
			predicted[i] = 3*t.IntN(k+1) - 4 // one class more than y has
		}
	}
	return y, predicted
}

func compareConfusion(t *trial) {
	y, predicted := t.labels(1+t.IntN(80), 1+t.IntN(6))
	c := must.Get(eval.NewConfusion(y, predicted)).Or(t)
	var sk struct {
		Counts [][]float64
		Rates  []float64
	}
	t.ask(map[string]any{"y": y, "predicted": predicted}, &sk)
	var counts, rates []float64
	for i, class := range c.Classes {
		for _, n := range c.Counts[i] {
			counts = append(counts, float64(n))
		}
		r := c.Of(class)
		rates = append(rates, r.Precision, r.Recall, r.F1)
	}
	for _, r := range []eval.Rates{c.Micro(), c.Macro()} {
		rates = append(rates, r.Precision, r.Recall, r.F1)
	}
	t.near("counts", counts, concat(sk.Counts), 0)
	t.near("rates", append(rates, c.Accuracy()), sk.Rates, 1)
}

// scored draws labels -1 and +1, both present, and scores that often tie.
func (t *trial) scored(n int) (y []int, scores []float64) {
	y, scores = make([]int, n), make([]float64, n)
	steps := math.Pow(2, float64(t.IntN(12)))
	for i := range n {
		y[i] = 2*t.IntN(2) - 1
		if i < 2 {
			y[i] = 2*i - 1
		}
		scores[i] = math.Round(steps*(t.NormFloat64()+float64(y[i])/2)) / steps
	}
	return y, scores
}

func compareROC(t *trial) {
	y, scores := t.scored(2 + t.IntN(60))
	roc := must.Get(eval.NewROC(y, scores)).Or(t)
	var sk struct {
		Auc            float64
		Fpr, Tpr, Rest []float64
	}
	t.ask(map[string]any{"y": y, "scores": scores}, &sk)
	t.one("auc", roc.AUC(), sk.Auc, 1)
	t.near("curve", append(append(roc.FPR, roc.TPR...), roc.Thresholds[1:]...), append(append(sk.Fpr, sk.Tpr...), sk.Rest...), 1)
}

func compareLosses(t *trial) {
	y, scores := t.scored(2 + t.IntN(60))
	p := make([]float64, len(y))
	for i, s := range scores {
		p[i] = 1 / (1 + math.Exp(-3*s))
	}
	log := must.Get(eval.LogLoss(y, p)).Or(t)
	hinge := must.Get(eval.HingeLoss(y, scores)).Or(t)
	// Multiclass: the classes of y and a third, which has a share of every prediction.
	classes := []int{-1, 1, 5}
	P := mat.NewDense(len(y), 3, nil)
	for i, q := range p {
		other := t.Float64() / 2
		P.SetRow(i, []float64{(1 - other) * (1 - q), (1 - other) * q, other})
	}
	y[0] = 5
	many := must.Get(eval.LogLossMany(y, classes, P)).Or(t)
	two := append([]int{-1}, y[1:]...)
	var sk struct{ Log, Many, Hinge float64 }
	t.ask(map[string]any{"y": two, "scores": scores, "p": p, "three": y, "P": rows(P)}, &sk)
	t.near("log", []float64{log, many}, []float64{sk.Log, sk.Many}, 0)
	t.one("hinge", hinge, sk.Hinge, 0)
}
