package mlkit_test

import (
	"fmt"
	"log"
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
