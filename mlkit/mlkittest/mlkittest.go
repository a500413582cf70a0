// Package mlkittest tests implementations of the contract of package mlkit, as
// testing/fstest does for file systems. There is a test for each kind of model,
//
//	func TestPerceptron(t *testing.T) {
//		if err := mlkittest.TestClassifier(linear.Perceptron{}.Fit); err != nil {
//			t.Fatal(err)
//		}
//	}
//
// and tests of what only some algorithms promise: TestOrder of an algorithm whose
// solution is unique, TestUnits of one that the units and origins of the columns don't
// matter to, TestWeights of one that weights samples, TestContext of one that can be
// cancelled, TestNotConverged of one that can fail to converge. TestDecoding tests a model
// that no fit returns, TestMisuse all functions of a package.
//
// # Methods
//
// Every kind of model is looked at through its methods whose names begin with
// Score, Predict, Prob or Transform and that have one of the forms
//
//	Score(x []float64) R              one sample; R is float64 or int
//	Probs(dst, x []float64) []float64 one sample, many numbers
//	Scores(dst []R, X mat.Matrix) []R one number a row
//	Transform(dst *mat.Dense, X mat.Matrix) *mat.Dense
//
// and through its fields Labels and Classes of type []int. A method of one sample
// and one of a matrix with the same beginning have to agree.
//
// # Rules
//
// The rules of every kind are
//
//	finite        the numbers that a model gives for its samples are finite
//	refit         the same input gives the same bits, whatever GOMAXPROCS is
//	input         Fit leaves X and y as they were
//	no-reference  the model does not change when X and y do
//	views         rows that are not contiguous in memory are read rightly
//	batch         the methods of a matrix are those of a sample, row by row, in
//	              any order and any part of the matrix
//	destination   they write to the slice or matrix they are given, and return it
//	concurrent    many goroutines may read one model
//	dimension     one column is enough
//	one-sample    one sample is refused, or learnt
//	extreme       huge, tiny, and equal samples are refused, or learnt
//	gob, json     a decoded model is the encoded one, bit by bit in all its fields
//	corrupt       a decoded model is whole: TestDecoding says what that is; it takes
//	              longest, so "go test -short" leaves it out
//	length        a sample of the wrong length makes a method panic
//	nan           a NaN in a sample makes its score NaN and nothing panic
//	refuse        empty, mismatched, non-finite input is an error that names the
//	              package, the argument, the row ("X[5][1]", "y[7]") and the rule
//	              ("want …"), wherever in X or y it is
//
// To them come, of classifiers,
//
//	separates     well separated classes are learnt without an error
//	one-class     samples of one class only are an error
//	classes       two classes: Predict is +1 where Score ≥ 0 and -1 elsewhere;
//	              many: Classes, if the model has it, is sorted and complete
//	opposite      two classes: exchanging the labels changes the sign of the scores
//	labels        many classes: any ints will do, in the same order
//	prob          probabilities are in [0, 1]; of two classes, they rise with the
//	              score; of many, they sum to 1
//	half          the likelier class is the one that is predicted
//
// and
//
//	learns        a regression explains most of a linear function
//	constant      a regression of equal targets gives them back
//	rows          a transformer gives a row for each row
//	groups        a clusterer of two finds two clouds, labelled 0 and 1
//
// Some algorithms are allowed an exception: the rules named in except are left
// out. An unknown name is an error. All rules that are broken are reported, each
// with what the rule is.
package mlkittest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// TestClassifier tests the fit of a classifier of two classes, labelled -1 and
// +1.
func TestClassifier[M mlkit.Classifier](fit func(X *mat.Dense, y []int) (M, error), except ...string) error {
	return run(twoClasses(fit), except)
}

// TestManyClasses tests the fit of a classifier of any number of classes, labelled
// with any ints.
func TestManyClasses[M mlkit.Predictor](fit func(X *mat.Dense, y []int) (M, error), except ...string) error {
	return run(manyClasses(fit), except)
}

// TestRegression tests the fit of a regression: a model whose score is its
// prediction.
func TestRegression[M mlkit.Scorer](fit func(X *mat.Dense, y []float64) (M, error), except ...string) error {
	return run(regression(fit), except)
}

// TestTransformer tests the fit of a model that maps samples to samples by a
// method that begins with Transform.
func TestTransformer[M any](fit func(X *mat.Dense) (M, error), except ...string) error {
	return run(transformer(fit), except)
}

// TestClusterer tests the fit of two clusters. Their labels are the field Labels
// of the model, or else its predictions.
func TestClusterer[M any](fit func(X *mat.Dense) (M, error), except ...string) error {
	return run(clusterer(fit), except)
}

// run tests k against its rules but the exceptions.
func run(k kind, except []string) error {
	var broken []error
	for _, name := range except {
		if !slices.ContainsFunc(k.rules, func(r rule) bool { return r.name == name }) {
			broken = append(broken, fmt.Errorf("mlkittest: no rule of a %s is named %q", k.name, name))
		}
	}
	for _, r := range k.rules {
		if slices.Contains(except, r.name) || r.name == "corrupt" && testing.Testing() && testing.Short() {
			continue
		}
		err := withoutPanic(func() error {
			s := k.new()
			m, err := k.fit(s)
			if err != nil {
				return fmt.Errorf("the samples of the test are refused: %w", err)
			}
			return r.test(k, s, m)
		})
		if err != nil {
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
