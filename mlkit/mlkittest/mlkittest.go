// Package mlkittest tests implementations of the contract of package mlkit, as
// testing/fstest does for file systems. There is one test for each kind of model,
//
//	func TestPerceptron(t *testing.T) {
//		if err := mlkittest.TestClassifier(perceptron.Perceptron{}.Fit); err != nil {
//			t.Fatal(err)
//		}
//	}
//
// and there are tests of promises that only some algorithms make. TestOrder is for
// algorithms with a unique solution, TestUnits for those that the units and origins of
// the columns do not affect, TestWeights and TestAbsence for sample weights, TestUnweighted for
// algorithms that refuse these, TestContext for cancellation, TestReport for reports, and
// TestNotConverged for fits that may fail to converge. TestBits tests large samples on any
// number of processors, TestDecoding a model that no fit returns, TestMisuse all functions of a
// package.
//
// # Methods
//
// The tests call every method of a model whose name begins with Score, Predict, Prob,
// Posterior or Transform and whose form is one of
//
//	Score(x []float64) R                  one sample; R is float64 or int
//	Posterior(dst, x []float64) []float64 one sample, many numbers
//	Scores(dst []R, X mat.Matrix) []R     one number per row
//	Transform(dst *mat.Dense, X mat.Matrix) *mat.Dense
//
// They also read the fields Labels and Classes of type []int. A method of one sample and
// a method of a matrix must agree if their names begin with the same of these words.
//
// # Rules
//
// The rules for every kind of model are
//
//	finite        the numbers that a model gives for its samples are finite
//	refit         the same input gives the same bits, whatever GOMAXPROCS is
//	input         Fit does not change X or y
//	no-reference  the model does not change when X and y do
//	views         X may be a view, whose rows are not contiguous in memory
//	batch         methods of a matrix agree with those of a sample, row by row, in
//	              any order and for any part of the matrix
//	destination   methods write to the slice or matrix they are given and return it
//	concurrent    many goroutines may read one model
//	dimension     one column is enough
//	wide          more columns than samples are either refused or learnt as fewer are:
//	              finite numbers, the same bits again, and the rule batch
//	one-sample    one sample is either refused or learnt
//	extreme       huge, tiny and equal samples are either refused or learnt
//	json          a decoded model equals the encoded one, bit for bit in all fields
//	file          so does one from a file of package modelfile, if the model has a
//	              method ModelKind; a damaged file is refused
//	corrupt       a decoded model is complete, as TestDecoding defines it; "go test
//	              -short" skips this rule, the slowest
//	length        a sample of the wrong length makes a method panic
//	nan           a NaN in a sample makes its score NaN and causes no panic
//	refuse        empty, mismatched or non-finite input is an error that names the
//	              package, the argument, the row ("X[5][1]", "y[7]") and the rule
//	              ("want …"), wherever in X or y it is
//
// Classifiers also have the rules
//
//	separates     well separated classes are learnt without an error
//	one-class     samples of one class only are an error
//	classes       two classes: Predict is +1 where Score ≥ 0 and -1 elsewhere;
//	              many: Classes, if the model has it, is sorted and complete
//	opposite      two classes: exchanging the labels changes the sign of the scores
//	labels        many classes: any ints will do, in the same order
//	prob          probabilities are in [0, 1]; for two classes, they rise with the
//	              score; for many, they sum to 1
//	half          the more probable class is predicted
//
// and other kinds have
//
//	learns        a regression explains most of a linear function
//	constant      a regression of equal targets reproduces them
//	rows          a map gives one row per row
//	groups        a clusterer with two clusters finds two clouds, labelled 0 and 1
//
// The argument except names rules that are not tested, for algorithms that are allowed an
// exception. An unknown name is an error. The tests report every broken rule with a
// description.
//
// # The files
//
//   - kind.go: what a kind of model is; observe.go: the methods of a model that are called
//   - rules.go, classes.go, others.go, refuse.go: the rules
//   - encoding.go, decoding.go, corrupt_json.go: the rules json, file
//     and corrupt
//   - promises.go, absent.go, units.go, context.go, report.go, bits.go: what only some algorithms promise
//   - misuse.go: TestMisuse
package mlkittest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// TestClassifier tests the fit of a two-class classifier, with labels -1 and +1.
func TestClassifier[M mlkit.ClassifierModel](fit func(X *mat.Dense, y []int) (M, error), except ...string) error {
	return run(twoClasses(fit), except)
}

// TestManyClasses tests the fit of a classifier for any number of classes, with any ints
// as labels.
func TestManyClasses[M mlkit.Predictor](fit func(X *mat.Dense, y []int) (M, error), except ...string) error {
	return run(manyClasses(fit), except)
}

// TestRegression tests the fit of a regression, a model whose score is its prediction.
func TestRegression[M mlkit.Scorer](fit func(X *mat.Dense, y []float64) (M, error), except ...string) error {
	return run(regression(fit), except)
}

// TestMap tests the fit of a model that maps samples to samples by a method whose
// name begins with Transform.
func TestMap[M any](fit func(X *mat.Dense) (M, error), except ...string) error {
	return run(mapping(fit), except)
}

// TestClusterer tests a fit with two clusters. Their labels are the model's predictions
// or its field Labels, which must agree if it has both.
func TestClusterer[M any](fit func(X *mat.Dense) (M, error), except ...string) error {
	return run(clusterer(fit), except)
}

// run tests k against its rules except the named ones.
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

// withoutPanic calls f and turns a panic into an error.
func withoutPanic(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return f()
}
