package discriminant

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// labelled holds which samples belong to which class, their weights, and the priors. Samples
// of weight 0 are absent.
type labelled struct {
	X       *mat.Dense // n×d
	n       int        // number of samples
	present []int      // the rows of the caller's X that they are; nil means all
	classes []int      // sorted labels
	index   []int      // of each sample's class
	weights []float64  // of each sample, in units of the largest; nil means 1
	unit    float64    // the largest weight
	counts  []int      // of samples in each class
	masses  []float64  // sums of weights in each class
	priors  []float64  // of each class
}

// given holds what a caller says about the shares of classes and samples.
type given struct {
	priors       []float64       // an algorithm's Priors
	classWeights map[int]float64 // an algorithm's ClassWeights
	balanced     bool            // an algorithm's Balanced
	weights      []float64       // those of mlkit.Options; nil means 1
}

// newLabeled checks X, y and what else is given.
func newLabeled(algorithm string, X *mat.Dense, y []int, given given) (*labelled, error) {
	if err := check.Samples("discriminant", X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if _, _, err := check.Classes("discriminant", n, y); err != nil {
		return nil, err
	}
	l := &labelled{unit: 1, present: rows.Present(given.weights)}
	if err := l.weigh(y, given); err != nil {
		return nil, err
	}
	l.X, l.weights = rows.Select(X, l.present), rows.Pick(l.weights, l.present)
	l.n, _ = l.X.Dims()
	var err error
	if l.classes, l.index, err = check.Classes("discriminant", l.n, rows.Pick(y, l.present)); err != nil {
		return nil, err
	}
	M := len(l.classes)
	l.counts, l.masses, l.priors = make([]int, M), make([]float64, M), make([]float64, M)
	for i, k := range l.index {
		l.counts[k]++
		l.masses[k] += l.weight(i)
	}
	for k, mass := range l.masses {
		l.priors[k] = mass / floats.Sum(l.masses)
	}
	if given.priors != nil {
		if err := checkPriors(algorithm, given.priors, l.classes); err != nil {
			return nil, err
		}
		copy(l.priors, given.priors)
	}
	return l, nil
}

func checkPriors(algorithm string, priors []float64, classes []int) error {
	if len(priors) != len(classes) {
		return fmt.Errorf("discriminant: %s.Priors has %d numbers, want %d, one for each class %v", algorithm, len(priors), len(classes), classes)
	}
	for k, p := range priors {
		if !(p > 0 && p < 1) {
			return fmt.Errorf("discriminant: %s.Priors[%d] = %v, want a number between 0 and 1", algorithm, k, p)
		}
	}
	if sum := floats.Sum(priors); math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("discriminant: %s.Priors have sum %v, want 1", algorithm, sum)
	}
	return nil
}

// machine returns the machine that knows only the priors: w_k = 0, and b_k is the
// logarithm of the prior.
func (l *labelled) machine(d int) mlkit.LogLinearMachine {
	m := mlkit.LinearMachine{Classes: l.classes, W: zeros(len(l.classes), d)}
	for _, p := range l.priors {
		m.B = append(m.B, math.Log(p))
	}
	return mlkit.LogLinearMachine{LinearMachine: m}
}

// unfinished returns the error of a fit that the context ended. Its model m knows only
// the priors.
func unfinished(algorithm string, cancelled error, n int, m any) error {
	return &mlkit.NotConvergedError{
		Algorithm: "discriminant: " + algorithm,
		Residual:  float64(n),
		Reason:    fmt.Sprintf("%v; nothing but the priors is learnt", cancelled),
		Model:     m,
		Err:       cancelled,
	}
}
