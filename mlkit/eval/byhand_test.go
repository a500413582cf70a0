package eval

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// The mean of (1-3)² = 4, (2-1)² = 1 and (6-3)² = 9 is 14/3; the variance of 1, 2 and 6
// is 14/3 as well.
func TestMeanSquaredByHand(t *testing.T) {
	X, y := mat.NewDense(3, 1, []float64{1, 0, 1}), []float64{1, 2, 6}
	m := line{w: 2, b: 1}
	got, err := MeanSquaredError(m, X, y)
	if err != nil || math.Abs(got-14.0/3) > 1e-15 {
		t.Errorf("%v, %v; want 14/3", got, err)
	}
	if r2, err := R2(m, X, y); err != nil || math.Abs(r2) > 1e-15 {
		t.Errorf("R² = %v, %v; want 0", r2, err)
	}
}

// GridSearch selects the point that is best on the test rows; here another one is best on
// the training rows.
func TestGridSearchTests(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{0, 1, 2, 3}), []int{-1, -1, 1, 1}
	measure := func(m threshold, A *mat.Dense, _ []int) (float64, error) {
		if n, _ := A.Dims(); n == 1 { // the test rows
			return -float64(m), nil
		}
		return float64(m), nil
	}
	fit := func(param float64, _ *mat.Dense, _ []int) (threshold, error) { return threshold(param), nil }
	p := Plan{Folds: []Fold{{Train: []int{0, 1, 2}, Test: []int{3}}}}
	g, err := GridSearch(mlkit.Options{Context: background}, p, []float64{2, 1, 3}, fit, measure, X, y)
	if err != nil || g.Best != 1 {
		t.Errorf("best %d, %v; want 1, whose test measure is -1", g.Best, err)
	}
}

// Shuffled shuffles two folds with the same training rows differently.
func TestShuffledEachItsOwn(t *testing.T) {
	rows := order(20, false, 0)
	folds := Shuffled([]Fold{{Train: rows, Test: rows}, {Train: rows, Test: rows}}, 1)
	if reflect.DeepEqual(folds[0].Train, folds[1].Train) || reflect.DeepEqual(folds[0].Train, rows) {
		t.Errorf("training rows %v and %v", folds[0].Train, folds[1].Train)
	}
	if _, err := LearningCurve(mlkit.Options{Context: background}, Plan{Folds: folds}, []int{3, 0}, mlkit.FitFunc(fitMean), MeanSquaredError, mat.NewDense(20, 1, nil), make([]float64, 20)); err == nil || !strings.Contains(err.Error(), "sizes[1] = 0, want from 1 to 20") {
		t.Errorf("err = %v", err)
	}
}

// Functions that try 2ⁿ cases accept 16 rows. The mean of 16 targets with noise ±1 has
// the variance 1/16.
func TestSixteenRows(t *testing.T) {
	X := mat.NewDense(16, 1, nil)
	for i := range 16 {
		X.Set(i, 0, float64(i))
	}
	d, err := ExactBiasVariance(background, Process{F: func([]float64) float64 { return 2 }, Sigma: 1}, fitMean, X, X)
	if err != nil || math.Abs(d.Variance-1.0/16) > 1e-12 || d.Runs != 1<<16 {
		t.Errorf("variance %v of %d runs, %v; want 1/16 of 65536", d.Variance, d.Runs, err)
	}
	if s, err := Shatter(X); err != nil || s.Shattered {
		t.Errorf("%v, %v; points on a line are not shattered", s, err)
	}
	// The threshold lies in one of 16 places, and either side may be +1: 2·16.
	if n, err := Dichotomies(X); err != nil || n != 32 {
		t.Errorf("%d dichotomies, %v; want 32", n, err)
	}
}
