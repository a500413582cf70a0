// Package mlkittest tests implementations of the contract of package mlkit, as
// testing/fstest does for file systems.
//
//	func TestPerceptron(t *testing.T) {
//		if err := mlkittest.TestClassifier(linear.Perceptron{}.Fit); err != nil {
//			t.Fatal(err)
//		}
//	}
package mlkittest

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// A rule is one clause of the contract of a classifier of two classes.
type rule[M mlkit.Classifier] struct {
	name string // for skipping it
	why  string // what the contract says, for the message
	test func(fit fitter[M]) error
}

type fitter[M mlkit.Classifier] func(X *mat.Dense, y []int) (M, error)

// TestClassifier tests the fit of a classifier of two classes against every rule
// of the contract and returns all rules it breaks, each with what the rule is, or
// nil. Some algorithms are allowed an exception; the rules named in except are
// left out. An unknown name is an error. The rules are
//
//	separates     well separated classes are learnt without an error
//	classes       Predict is +1 where Score ≥ 0 and -1 elsewhere
//	refit         the same input gives the same model, whatever GOMAXPROCS is
//	input         Fit leaves X and y as they were
//	no-reference  the model does not change when X and y do
//	views         rows that are not contiguous in memory are read rightly
//	batch         Scores and Predictions are Score and Predict row by row
//	destination   they write to the slice they are given, and return it
//	opposite      exchanging the labels changes the sign of the scores
//	dimension     one column is enough
//	gob, json     a decoded model scores as the encoded one
//	refuse        empty, mismatched, non-finite, mislabelled input: an error
//	one-class     samples of one class only: an error
func TestClassifier[M mlkit.Classifier](fit func(X *mat.Dense, y []int) (M, error), except ...string) error {
	rules := rulesOf[M]()
	var broken []error
	for _, name := range except {
		if !slices.ContainsFunc(rules, func(r rule[M]) bool { return r.name == name }) {
			broken = append(broken, fmt.Errorf("mlkittest: no rule is named %q", name))
		}
	}
	for _, r := range rules {
		if slices.Contains(except, r.name) {
			continue
		}
		if err := withoutPanic(func() error { return r.test(fit) }); err != nil {
			broken = append(broken, fmt.Errorf("%s: %w\n\t(the rule: %s)", r.name, err, r.why))
		}
	}
	return errors.Join(broken...)
}

// withoutPanic calls f and makes an error of a panic.
func withoutPanic(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return f()
}

// clouds returns two well separated classes in the plane, on two sides of the
// origin.
func clouds() (*mat.Dense, []int) {
	const n = 24
	X, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = 1 - 2*(i%2)
		s := float64(y[i])
		// A grid of steps that have no exact binary value.
		X.Set(i, 0, 2*s+0.1*float64(i%5))
		X.Set(i, 1, 1.5*s-0.1*float64(i%7))
	}
	return X, y
}

// fitClouds fits the two clouds.
func fitClouds[M mlkit.Classifier](fit fitter[M]) (X *mat.Dense, y []int, m M, err error) {
	X, y = clouds()
	m, err = fit(X, y)
	return X, y, m, err
}
