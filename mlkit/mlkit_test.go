package mlkit_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"maps"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/perceptron"
)

func TestSigns(t *testing.T) {
	for _, c := range []struct{ y, want []int }{
		{[]int{0, 1, 1, 0}, []int{-1, +1, +1, -1}},
		{[]int{1, 0}, []int{+1, -1}}, // the order of the rows is no matter
		{[]int{+1, -1, -1}, []int{+1, -1, -1}},
		{[]int{2, 1, 2}, []int{+1, -1, +1}},
		{[]int{-5, -7}, []int{+1, -1}},
		{[]int{math.MaxInt, math.MinInt}, []int{+1, -1}},
	} {
		y := slices.Clone(c.y)
		got, err := mlkit.Signs(y)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v become %v, %v, want %v", c.y, got, err, c.want)
		}
		if !slices.Equal(y, c.y) || err == nil && &got[0] == &y[0] {
			t.Errorf("y is %v after the call, was %v; the result must be a copy", y, c.y)
		}
	}
}

func TestSignsRefused(t *testing.T) {
	for _, c := range []struct {
		y    []int
		want string
	}{
		{nil, "mlkit: y is empty, want labels of two classes"},
		{[]int{1, 1, 1}, "mlkit: y has only the label 1 in its 3 rows, want two"},
		{[]int{1, 0, 1, 2, 3}, "mlkit: y[3] = 2, want 0 or 1, the labels before it; for more than two classes see package multiclass"},
		{[]int{-1, 1, 0}, "mlkit: y[2] = 0, want -1 or 1, the labels before it; for more than two classes see package multiclass"},
	} {
		if got, err := mlkit.Signs(c.y); got != nil || err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, %v, want %s", c.y, got, err, c.want)
		}
	}
}

// Labels 0 and 1 are refused, with the call that converts them.
func ExampleSigns() {
	X := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0})
	y := []int{1, 1, 0, 0}
	_, err := perceptron.Perceptron{}.Fit(X, y)
	fmt.Println(err)

	signs, err := mlkit.Signs(y)
	if err != nil {
		log.Fatal(err)
	}
	model, err := perceptron.Perceptron{}.Fit(X, signs)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(signs, model.W, model.B)
	// Output:
	// perceptron: y[2] = 0, want -1 or +1; mlkit.Signs converts the labels 0 and 1
	// [1 1 -1 -1] [-1 1] 0
}

func TestBiasString(t *testing.T) {
	for b, want := range map[mlkit.Bias]string{
		mlkit.FreeBias: "FreeBias", mlkit.NoBias: "NoBias", mlkit.PenalizedBias: "PenalizedBias", mlkit.RadiusBias: "RadiusBias", 9: "Bias(9)",
	} {
		if got := b.String(); got != want {
			t.Errorf("%d is %q, want %q", int(b), got, want)
		}
	}
}

// Every class has the total weight n/k, whatever its labels and its size.
func TestBalancedWeights(t *testing.T) {
	for _, c := range []struct {
		y    []int
		want map[int]float64
	}{
		{[]int{7, 7, 7, -1}, map[int]float64{7: 4. / (2 * 3), -1: 4. / (2 * 1)}},
		{[]int{0, 1, 2, 1, 1, 2}, map[int]float64{0: 6. / (3 * 1), 1: 6. / (3 * 3), 2: 6. / (3 * 2)}},
		{[]int{5, 5}, map[int]float64{5: 1}},
		{nil, map[int]float64{}},
	} {
		if got := mlkit.BalancedWeights(c.y); !maps.Equal(got, c.want) {
			t.Errorf("labels %v have the weights %v, want %v", c.y, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	nc := &mlkit.NotConvergedError{Algorithm: "p: Alg", Reason: "7 of 9 are wrong", Model: "m", Err: context.DeadlineExceeded}
	if got, want := nc.Error(), "p: Alg: not converged: 7 of 9 are wrong"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	ns := &mlkit.NotSeparableError{Alpha: []float64{1, 1}, Reason: "two are one", Fit: nc}
	if got, want := ns.Error(), "p: Alg: not separable: two are one"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var inner *mlkit.NotConvergedError
	if !errors.As(ns, &inner) || inner.Model != any("m") {
		t.Error("a NotSeparableError does not lead to its NotConvergedError")
	}
	if !errors.Is(ns, context.DeadlineExceeded) {
		t.Error("the context's error can't be found")
	}
}
