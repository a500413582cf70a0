package logistic

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// labels are the labels of the samples, their weights, and the number of scores.
type labels struct {
	y []int // -1 or +1; with many classes, the index of the class
	weights
	K int // scores per sample: 1 for two classes, otherwise one per class
}

// weights are the factors of the samples in the likelihood; nil means 1 for all.
type weights []float64

// weight returns the weight of sample i.
func (v weights) weight(i int) float64 {
	if v == nil {
		return 1
	}
	return v[i]
}

// amounts returns the total and the least weight of n samples.
func (v weights) amounts(n int) (total, least float64) {
	if v == nil {
		return float64(n), 1
	}
	least = math.Inf(1)
	for _, w := range v {
		total += w
		least = min(least, w)
	}
	return total, least
}

// of returns the labels of the given samples, numbered from 0.
func (l labels) of(some []int) labels {
	return labels{rows.Pick(l.y, some), rows.Pick(l.weights, some), l.K}
}

// margins calls do once per class other than that of sample i, with the c for which c·f is the
// amount by which scores f prefer its own class. It modifies c afterwards.
func (l labels) margins(i int, do func(c []float64)) {
	c := make([]float64, l.K)
	if l.K == 1 {
		c[0] = float64(l.y[i])
		do(c)
		return
	}
	for k := range c {
		if k == l.y[i] {
			continue
		}
		clear(c)
		c[l.y[i]], c[k] = 1, -1
		do(c)
	}
}

// margin returns the smallest of these amounts.
func (l labels) margin(i int, f []float64) float64 {
	least := math.Inf(1)
	l.margins(i, func(c []float64) { least = math.Min(least, floats.Dot(c, f)) })
	return least
}

// has reports whether sample i counts for score k: is of class k or, of two, +1.
func (l labels) has(i, k int) bool { return l.y[i] == k && l.K > 1 || l.y[i] > 0 && l.K == 1 }

// labelled are the samples of a fit that have a weight above 0, with their classes.
type labelled struct {
	X       *mat.Dense
	classes []int // the labels, ascending
	index   []int // of each sample's class
	weights
}

// labelled checks X, y and the weights.
func (l Regression) labelled(o mlkit.Options, X *mat.Dense, y []int) (s labelled, err error) {
	if err := check.Samples("logistic", X); err != nil {
		return s, err
	}
	n, _ := X.Dims()
	if s.classes, s.index, err = check.Classes("logistic", n, y); err != nil {
		return s, err
	}
	if s.X, y, s.weights, err = l.weighted(X, y, o.Weights); err != nil {
		return s, err
	}
	if len(y) < n { // without some rows, some classes may be absent
		s.classes, s.index, err = check.Classes("logistic", len(y), y)
	}
	return s, err
}

// weighted returns the samples of positive weight, which is that of the row times that of
// its class, and their weights. It returns X and y themselves if there are no others.
func (l Regression) weighted(X *mat.Dense, y []int, of []float64) (*mat.Dense, []int, weights, error) {
	if of == nil && len(l.ClassWeights) == 0 && !l.Balanced {
		return X, y, nil, nil
	}
	v, err := l.multiply(y, of)
	if err != nil {
		return nil, nil, nil, err
	}
	present := rows.Present(v)
	X, y, v = rows.Select(X, present), rows.Pick(y, present), rows.Pick(v, present)
	if !slices.ContainsFunc(v, func(w float64) bool { return w != 1 }) {
		v = nil // the same bits as without weights
	}
	return X, y, v, nil
}

// multiply returns the weights of the rows times those of their classes.
func (l Regression) multiply(y []int, of []float64) ([]float64, error) {
	classWeights, err := check.LabelWeights("logistic", l.ClassWeights, l.Balanced, y, of)
	if err != nil {
		return nil, err
	}
	v := make([]float64, len(y))
	for i, label := range y {
		v[i] = 1
		if w, ok := classWeights[label]; ok {
			v[i] = w
		}
		if of != nil {
			v[i] *= of[i]
		}
	}
	for i, w := range v {
		// Their squares must not overflow.
		switch {
		case w >= 1e-100 && w <= 1e100 || of != nil && of[i] == 0:
		case of == nil:
			return nil, fmt.Errorf("logistic: ClassWeights[%d] = %v, want a number from 1e-100 to 1e100", y[i], w)
		default:
			return nil, fmt.Errorf("logistic: weights[%d]: the weight of the row times that of its class is %v, want 0 or a number from 1e-100 to 1e100", i, w)
		}
	}
	return v, nil
}
