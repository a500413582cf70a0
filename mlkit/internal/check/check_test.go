package check_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
)

func TestMessages(t *testing.T) {
	big := mat.NewDense(2, 2, []float64{1e300, -1e300, 1, 2}) // ‖x‖² overflows, the elements don't
	holed := mat.NewDense(3, 2, []float64{1, 2, 3, math.NaN(), 5, 6})
	endless := mat.NewDense(1, 3, []float64{1e300, 0, math.Inf(-1)})
	// The rows of a slice of a larger matrix are not contiguous.
	within := mat.NewDense(3, 3, []float64{math.NaN(), 1, 2, math.NaN(), 3, 4, math.NaN(), 5, 6}).Slice(0, 3, 1, 3).(*mat.Dense)
	for _, c := range []struct {
		name string
		err  error
		want string // empty if there is no error
	}{
		{"nil", check.Samples("p", nil), "p: X is nil, want an n×d matrix, one sample a row"},
		{"empty", check.Samples("p", new(mat.Dense)), "p: X is 0×0, want at least one row and one column"},
		{"NaN", check.Samples("p", holed), "p: X[1][1] = NaN, want a finite number"},
		{"Inf", check.Samples("p", endless), "p: X[0][2] = -Inf, want a finite number"},
		{"large", check.Samples("p", big), ""},
		{"slice", check.Samples("p", within), ""},
		{"few labels", check.Signs("p", 3, []int{1, -1}), "p: len(y) = 2, want 3, one label for each row of X"},
		{"no labels", check.Signs("p", 3, nil), "p: len(y) = 0, want 3, one label for each row of X"},
		{"label 0", check.Signs("p", 3, []int{1, -1, 0}), "p: y[2] = 0, want -1 or +1"},
		{"labels 0 and 1", check.Signs("p", 3, []int{1, 0, 1}), "p: y[1] = 0, want -1 or +1; mlkit.Signs converts the labels 0 and 1"},
		{"three classes", check.Signs("p", 3, []int{0, 1, 2}), "p: y[0] = 0, want -1 or +1; for more than two classes see package multiclass"},
		{"labels 1 and 2", check.Signs("p", 2, []int{1, 2}), "p: y[1] = 2, want -1 or +1; mlkit.Signs converts the labels 1 and 2"},
		{"only 0", check.Signs("p", 2, []int{0, 0}), "p: y[0] = 0, want -1 or +1"},
		{"good labels", check.Signs("p", 3, []int{1, -1, -1}), ""},
		{"no weights", check.Weights("p", 3, nil), ""},
		{"weights", check.Weights("p", 3, []float64{0, 1, 2.5}), ""},
		{"few weights", check.Weights("p", 3, []float64{0, 1}), "p: len(weights) = 2, want 3, one for each row of X"},
		{"a negative weight", check.Weights("p", 2, []float64{1, -1}), "p: weights[1] = -1, want a finite number of at least 0"},
		{"an infinite weight", check.Weights("p", 2, []float64{math.Inf(1), 1}), "p: weights[0] = +Inf, want a finite number of at least 0"},
		{"weights of labels", labelWeights(map[int]float64{7: 2}, false, []int{7, 5, 7}, []float64{0, 1, 2}), ""},
		{"no weights of labels", labelWeights(nil, false, []int{7, 5}, nil), ""},
		{"a class weight of 0", labelWeights(map[int]float64{7: 0}, false, []int{7, 5}, nil), "p: ClassWeights[7] = 0, want a positive number"},
		{"few weights of labels", labelWeights(nil, false, []int{7, 5}, []float64{1}), "p: len(weights) = 1, want 2, one for each row of X"},
		{"one class left", labelWeights(nil, false, []int{7, 5, 5}, []float64{0, 1, 2}), "p: weights are above 0 only in rows with y = 5, want rows of at least two labels"},
		{"both weights of labels", labelWeights(map[int]float64{7: 2}, true, []int{7, 5}, nil), "p: ClassWeights has 1 weights, want none with Balanced, which computes them"},
		{"unequal sums", labelWeights(nil, true, []int{7, 5}, []float64{1e300, 1e-300}), "p: Balanced gives the class 5 the weight +Inf, want weights of the samples that add up to nearer sizes"},
		{"weights of 0", check.Weights("p", 2, []float64{0, 0}), "p: weights are all 0, want at least one above"},
		{"one class", check.BothSigns("p", []int{1, 1}), "p: y has only the label +1 in its 2 rows, want both -1 and +1"},
		{"two classes", check.BothSigns("p", []int{1, -1}), ""},
	} {
		got := ""
		if c.err != nil {
			got = c.err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func labelWeights(classes map[int]float64, balanced bool, y []int, weights []float64) error {
	_, err := check.LabelWeights("p", classes, balanced, y, weights)
	return err
}
