package discriminant

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// labelled holds which samples belong to which class, and the priors.
type labelled struct {
	classes []int     // sorted labels
	index   []int     // of each sample's class
	counts  []int     // samples per class
	priors  []float64 // of each class
}

// newLabelled checks X and y. priors are an algorithm's Priors.
func newLabelled(algorithm string, X *mat.Dense, y []int, priors []float64) (*labelled, error) {
	if err := check.Samples("discriminant", X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	classes, index, err := check.Classes("discriminant", n, y)
	if err != nil {
		return nil, err
	}
	l := &labelled{classes, index, make([]int, len(classes)), make([]float64, len(classes))}
	for _, k := range index {
		l.counts[k]++
	}
	for k, c := range l.counts {
		l.priors[k] = float64(c) / float64(n)
	}
	if priors != nil {
		if err := checkPriors(algorithm, priors, classes); err != nil {
			return nil, err
		}
		copy(l.priors, priors)
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

// machine returns the linear machine that knows only the priors: w_k = 0, and b_k is the
// logarithm of the prior.
func (l *labelled) machine(d int) mlkit.LinearMachine {
	m := mlkit.LinearMachine{Classes: l.classes, W: zeros(len(l.classes), d)}
	for _, p := range l.priors {
		m.B = append(m.B, math.Log(p))
	}
	return m
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
