package mlkit_test

import (
	"errors"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/discriminant"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/mlkittest"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/svm"
)

// fitOf is a method FitWith.
type fitOf func(o mlkit.Options, X *mat.Dense, y []int) (any, error)

func anyFit[M any](a mlkit.Algorithm[M, int]) fitOf {
	return func(o mlkit.Options, X *mat.Dense, y []int) (any, error) { return result(a.FitWith(o, X, y)) }
}

// A weigher is an algorithm with ClassWeights and Balanced; weighers has all, by "package.Type".
type weigher struct {
	many bool // takes more than two classes
	of   func(weights map[int]float64, balanced bool) fitOf
	tol  float64 // of the scores, for TestWeights; 0 if they take too many steps to be near
}

var (
	regression = logistic.Regression{L2: 1}
	weighers   = map[string]weigher{
		"discriminant.BernoulliNB": {true, func(w map[int]float64, b bool) fitOf {
			return func(o mlkit.Options, X *mat.Dense, y []int) (any, error) {
				return result(discriminant.BernoulliNB{ClassWeights: w, Balanced: b}.FitWith(o, bits(X), y))
			}
		}, 1e-11},
		"discriminant.DiagonalLDA": {true, func(w map[int]float64, b bool) fitOf {
			return anyFit(discriminant.DiagonalLDA{ClassWeights: w, Balanced: b})
		}, 1e-11},
		"discriminant.GaussianNB": {true, func(w map[int]float64, b bool) fitOf {
			return anyFit(discriminant.GaussianNB{ClassWeights: w, Balanced: b})
		}, 1e-11},
		"discriminant.LDA": {true, func(w map[int]float64, b bool) fitOf { return anyFit(discriminant.LDA{ClassWeights: w, Balanced: b}) }, 1e-11},
		"discriminant.QDA": {true, func(w map[int]float64, b bool) fitOf { return anyFit(discriminant.QDA{ClassWeights: w, Balanced: b}) }, 1e-11},
		"leastsquares.Classifier": {true, func(w map[int]float64, b bool) fitOf {
			return anyFit(leastsquares.Classifier{ClassWeights: w, Balanced: b})
		}, 1e-12},
		"logistic.Regression": {true, func(w map[int]float64, b bool) fitOf {
			return anyFit(logistic.Regression{L2: 1, ClassWeights: w, Balanced: b})
		}, 1e-7},
		"multiclass.OneVsOne": {true, func(w map[int]float64, b bool) fitOf {
			return anyFit(multiclass.OneVsOne[*logistic.Model]{Binary: regression, ClassWeights: w, Balanced: b})
		}, 1e-7},
		"multiclass.OneVsRest": {true, func(w map[int]float64, b bool) fitOf {
			return anyFit(multiclass.OneVsRest[*logistic.Model]{Binary: regression, ClassWeights: w, Balanced: b})
		}, 1e-7},
		"multiclass.ProbableOneVsOne": {true, func(w map[int]float64, b bool) fitOf {
			return anyFit(multiclass.ProbableOneVsOne[*logistic.Model]{Binary: regression, ClassWeights: w, Balanced: b})
		}, 1e-7},
		"multiclass.ProbableOneVsRest": {true, func(w map[int]float64, b bool) fitOf {
			return anyFit(multiclass.ProbableOneVsRest[*logistic.Model]{Binary: regression, ClassWeights: w, Balanced: b})
		}, 1e-7},
		"svm.Classifier": {false, func(w map[int]float64, b bool) fitOf {
			return anyFit(svm.Classifier{Tol: 1e-10, ClassWeights: w, Balanced: b})
		}, 1e-5},
		"svm.DualDescent": {false, func(w map[int]float64, b bool) fitOf {
			return anyFit(svm.DualDescent{Tol: 1e-12, Bias: mlkit.PenalizedBias, ClassWeights: w, Balanced: b})
		}, 1e-5},
		"svm.Newton": {false, func(w map[int]float64, b bool) fitOf { return anyFit(svm.Newton{ClassWeights: w, Balanced: b}) }, 1e-6},
		"svm.Pegasos": {false, func(w map[int]float64, b bool) fitOf {
			return anyFit(svm.Pegasos{Lambda: 0.1, ClassWeights: w, Balanced: b})
		}, 0},
		"svm.SubgradientDescent": {false, func(w map[int]float64, b bool) fitOf {
			return anyFit(svm.SubgradientDescent{Lambda: 0.1, ClassWeights: w, Balanced: b})
		}, 0},
	}
)

// Every algorithm with ClassWeights is among the weighers, and so has Balanced.
func TestWeighers(t *testing.T) {
	skipShort(t)
	readTree(t)
	l := listPackages()
	if l.err != nil {
		t.Fatalf("go list: %v", l.err)
	}
	found := 0
	for _, p := range l.packages {
		for _, named := range p.inside.exported() {
			object, _, _ := types.LookupFieldOrMethod(named, false, named.Obj().Pkg(), "ClassWeights")
			if _, field := object.(*types.Var); !field {
				continue
			}
			found++
			if name := named.Obj().Pkg().Name() + "." + named.Obj().Name(); weighers[name].of == nil {
				t.Errorf("%s is not in weighers", name)
			}
		}
	}
	if found != len(weighers) {
		t.Errorf("%d algorithms with ClassWeights, want %d: the search has lost some", found, len(weighers))
	}
}

// Balanced is a fit with the weights n/(k nₘ), bit for bit: those of BalancedWeights, and with
// weights of the samples those with sums of weights in place of n and nₘ.
func TestBalanced(t *testing.T) {
	p := newProblem(90, 3)
	weights, sum := make([]float64, 90), map[int]float64{}
	for i := range 90 {
		p.two[i], p.many[i] = []int{-1, -1, -1, 1}[i%4], []int{4, 7, 7, 9, 4, 7}[i%6]
		weights[i] = []float64{0, 1, 0.25, 2, 1}[i%5]
	}
	for name, a := range weighers {
		y := p.two
		if a.many {
			y = p.many
		}
		clear(sum)
		total := 0.0
		for i, v := range weights {
			sum[y[i]] += v
			total += v
		}
		for label, v := range sum {
			sum[label] = total / (float64(len(sum)) * v)
		}
		for o, fixed := range map[*mlkit.Options]map[int]float64{{}: mlkit.BalancedWeights(y), {Weights: weights}: sum} {
			got, err := a.of(nil, true)(*o, p.X, y)
			want, wantErr := a.of(fixed, false)(*o, p.X, y)
			if err != nil || wantErr != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, weights %v: %+v, %v, want %+v, %v", name, o.Weights != nil, got, err, want, wantErr)
			}
			plain, err := a.of(nil, false)(*o, p.X, y)
			if err != nil || reflect.DeepEqual(got, plain) {
				t.Errorf("%s, weights %v: the model is that without Balanced, %v", name, o.Weights != nil, err)
			}
		}
		_, err := a.of(map[int]float64{1: 2}, true)(mlkit.Options{}, p.X, y)
		if err == nil || !strings.HasSuffix(err.Error(), ": ClassWeights has 1 weights, want none with Balanced, which computes them") {
			t.Errorf("%s with both: %v", name, err)
		}
		if _, err := a.of(nil, true)(mlkit.Options{Weights: weights[1:]}, p.X, y); err == nil || !strings.Contains(err.Error(), "len(weights) = 89") {
			t.Errorf("%s, too few weights: %v", name, err)
		}
	}
}

// A sample of weight 2 counts as two for the weights of the classes, too, and one of weight 0
// is absent bit for bit. The tolerances are those of the packages' own tests.
func TestBalancedWeightsOfSamples(t *testing.T) {
	for name, a := range weighers {
		fit := a.of(nil, true)
		var err error
		if a.tol > 0 {
			err = mlkittest.TestWeights(fit, a.tol)
		}
		if err = errors.Join(err, mlkittest.TestAbsence(fit)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The Balanced of a Binary gives both sides of a machine the same weight: with OneVsRest the
// one class that of all others, which is a fit to the labels of the machine.
func TestBalancedBinary(t *testing.T) {
	p := newProblem(90, 3)
	m, err := multiclass.OneVsRest[*svm.Model]{Binary: svm.Classifier{Balanced: true}}.Fit(p.X, p.many)
	if err != nil {
		t.Fatal(err)
	}
	signs := make([]int, 90) // 30 samples against 60
	for i, label := range p.many {
		signs[i] = -1
		if label == 2 {
			signs[i] = 1
		}
	}
	want, err := svm.Classifier{ClassWeights: map[int]float64{1: 1.5, -1: 0.75}}.Fit(p.X, signs)
	if err != nil || !reflect.DeepEqual(m.Machines[2].Alpha, want.Alpha) || m.Machines[2].B != want.B {
		t.Errorf("α = %v, b = %v, want %v, %v, %v", m.Machines[2].Alpha, m.Machines[2].B, want.Alpha, want.B, err)
	}
}
