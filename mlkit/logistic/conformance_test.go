package logistic

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

// onBothPaths runs a test with the plain sums and with the fast ones, which a fit otherwise
// uses for large problems.
func onBothPaths(t *testing.T, test func(t *testing.T)) {
	rows, elements, outer, rough := manyRows, manyElements, outerFrom, roughly
	defer func() { manyRows, manyElements, outerFrom, roughly = rows, elements, outer, rough }()
	manyRows, manyElements, outerFrom = math.MaxInt, math.MaxInt, math.MaxInt
	t.Run("plain", test)
	manyRows, outerFrom, roughly = 1, 1, true
	t.Run("fast", test)
}

// contracts are the algorithms that keep the contract, with the tolerance of their scores
// where the optimum is unique.
var contracts = map[string]struct {
	l   Regression
	tol float64
}{
	"Newton": {Regression{L2: 1, Solver: Newton}, 1e-8}, "L-BFGS": {Regression{L2: 1, Solver: LBFGS}, 1e-4}, "L-BFGS, precise": {Regression{L2: 1, Solver: LBFGS, Tol: 1e-7}, 1e-4},
	"L1": {Regression{L1: 0.1, Solver: Newton}, 1e-8}, "elastic net": {Regression{L1: 0.1, L2: 0.1, Solver: Newton}, 1e-8},
	"descent": {Regression{L1: 0.1, Solver: CoordinateDescent, Tol: 1e-9}, 1e-8}, "descent with L2": {Regression{L1: 0.1, L2: 0.1, Solver: CoordinateDescent, Tol: 1e-9}, 1e-8},
}

// The clouds of the conformance test are separable, so without a penalty the likelihood
// has no maximum there. All algorithms give the same type of model, so the models of one
// algorithm are corrupted, and those of all in the tier long.
func TestLogisticConformance(t *testing.T) {
	onBothPaths(t, func(t *testing.T) {
		for name, c := range contracts {
			var except []string
			if name != "Newton" && !testkit.IsLong(t) {
				except = []string{"corrupt"}
			}
			if err := mlkittest.TestClassifier(c.l.Fit, except...); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if err := mlkittest.TestManyClasses(c.l.Fit, except...); err != nil {
				t.Errorf("%s, classes: %v", name, err)
			}
			if err := mlkittest.TestOrder(c.l.Fit, c.tol); err != nil {
				t.Errorf("%s, order: %v", name, err)
			}
		}
	})
}

// Without a penalty too, the optimum is unique.
func TestWeightsContract(t *testing.T) {
	testkit.NoRace(t)
	onBothPaths(t, func(t *testing.T) {
		for name, c := range contracts {
			testWeights(t, name, c.l, c.tol)
		}
		testWeights(t, "likelihood", Regression{Solver: Newton}, 1e-8)
		testWeights(t, "likelihood by L-BFGS", Regression{Solver: LBFGS, Tol: 1e-7}, 1e-4)
	})
}

func testWeights(t *testing.T, name string, l Regression, tol float64) {
	t.Helper()
	if err := mlkittest.TestWeights(l.FitWith, tol); err != nil { // of three classes too
		t.Errorf("%s: %v", name, err)
	}
}

// third returns the labels with every third replaced by 2, so that there are three.
func third(y []int) []int {
	classes := slices.Clone(y)
	for i := 1; i < len(y); i += 3 {
		classes[i] = 2
	}
	return classes
}

// Fits of many samples end soon after their context, and when MaxIter is not enough.
func TestLogisticContext(t *testing.T) {
	testkit.NoEmulation(t)
	testkit.OneLevel(t)
	rnd := rand.New(rand.NewPCG(9, 10))
	n := testkit.Size(t, 5000, 200000)
	X, y := noisy(rnd, n, 30)
	classes := third(y)
	onBothPaths(t, func(t *testing.T) {
		for name, l := range map[string]Regression{
			"Newton": {}, "L-BFGS": {Solver: LBFGS, Tol: 1e-7}, "float32": {L2: 1e-3, Solver: LBFGS}, "L1": {L1: 1}, "descent": {L1: 1, Solver: CoordinateDescent},
		} {
			if err := mlkittest.TestContext(func(ctx context.Context) (*Model, error) { return l.FitWith(mlkit.Options{Context: ctx}, X, y) }); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if err := mlkittest.TestContext(func(ctx context.Context) (*Model, error) { return l.FitWith(mlkit.Options{Context: ctx}, X, classes) }); err != nil {
				t.Errorf("%s, classes: %v", name, err)
			}
			l.MaxIter = 1
			if err := mlkittest.TestNotConverged(func() (*Model, error) { return l.Fit(X, y) }); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// The doc comments' promises about shifting and scaling columns. The tolerances follow from
// the stopping rules: a Newton decrement of 1e-8 leaves an error of 1e-7 in the scores, a
// gradient of 1e-7 n one of some 1e-5.
func TestUnitsOfColumns(t *testing.T) {
	testkit.NoRace(t)
	shift := mlkittest.Units{Offset: 1e12}
	each := mlkittest.Units{Offset: 1e12, Scale: 1e150, Each: true}
	onBothPaths(t, func(t *testing.T) {
		for _, c := range []struct {
			l       Regression
			promise mlkittest.Units
			tol     float64
		}{
			{Regression{}, each, 1e-12}, {Regression{Solver: LBFGS}, each, 1e-6}, {Regression{Solver: LBFGS, Tol: 1e-7}, each, 1e-5},
			{Regression{L2: 1}, shift, 1e-12}, {Regression{L2: 1, Solver: LBFGS, Tol: 1e-7}, shift, 1e-5},
			{Regression{L1: 1}, shift, 1e-6}, {Regression{L1: 2, L2: 1}, shift, 1e-6}, {Regression{L1: 1, Solver: CoordinateDescent, Tol: 1e-9}, shift, 1e-7},
		} {
			name := fmt.Sprintf("L1 %v, L2 %v, %v", c.l.L1, c.l.L2, c.l.Solver)
			if err := mlkittest.TestUnits(c.l.Fit, c.promise, c.tol); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			three := func(X *mat.Dense, y []int) (*Model, error) { return c.l.Fit(X, third(y)) }
			if err := mlkittest.TestUnits(three, c.promise, c.tol); err != nil {
				t.Errorf("%s, classes: %v", name, err)
			}
		}
	})
}

// A fit without a penalty and those with few steps end with errors, which are the same too.
func TestAbsence(t *testing.T) {
	for name, l := range map[string]Regression{
		"default": {}, "Newton": {L2: 1, Solver: Newton}, "L-BFGS": {L2: 1, Solver: LBFGS},
		"L1": {L1: 0.1}, "descent": {L1: 0.1, Solver: CoordinateDescent}, "one step": {L2: 1, MaxIter: 1},
	} {
		if err := mlkittest.TestAbsence(l.FitWith); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
