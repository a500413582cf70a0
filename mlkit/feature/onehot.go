package feature

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// OneHot returns the n×M matrix with a 1 in row i at the index of label y[i] in
// classes, and 0 elsewhere: the targets of multiclass least squares. classes holds M
// distinct ints in any order; nil means Classes(y). OneHot returns an error if y is
// empty, if classes has duplicates, or if a label is not in classes.
func OneHot(y, classes []int) (*mat.Dense, error) {
	if len(y) == 0 {
		return nil, fmt.Errorf("feature: y is empty, want at least one label")
	}
	if classes == nil {
		classes = Classes(y)
	}
	if len(classes) == 0 || len(Classes(classes)) != len(classes) {
		return nil, fmt.Errorf("feature: classes = %v, want at least one, and none twice", classes)
	}
	if len(y) > maxNumbers/len(classes) {
		return nil, fmt.Errorf("feature: %d labels of %d classes, want at most %d numbers in all; are y targets of regression?", len(y), len(classes), maxNumbers)
	}
	Y := mat.NewDense(len(y), len(classes), nil)
	for i, label := range y {
		at := slices.Index(classes, label)
		if at < 0 {
			return nil, fmt.Errorf("feature: y[%d] = %d, want one of %v", i, label, classes)
		}
		Y.Set(i, at, 1)
	}
	return Y, nil
}

// FromOneHot returns, for each row of Y (n×M), the class with the largest element, the
// first in a tie. It is the inverse of OneHot, and the decision rule for M outputs. It
// returns an error if Y does not have one column per class, or contains NaN.
func FromOneHot(Y mat.Matrix, classes []int) ([]int, error) {
	if missing(Y) {
		return nil, fmt.Errorf("feature: Y is nil, want an n×%d matrix", len(classes))
	}
	n, m := Y.Dims()
	if m != len(classes) || m == 0 {
		return nil, fmt.Errorf("feature: Y is %d×%d, want %d columns, one for each class, and at least one", n, m, len(classes))
	}
	y := make([]int, n)
	for i := range y {
		best, largest := 0, math.Inf(-1)
		for j := range m {
			v := Y.At(i, j)
			if math.IsNaN(v) {
				return nil, fmt.Errorf("feature: Y[%d][%d] = NaN, want a number", i, j)
			}
			if v > largest {
				best, largest = j, v
			}
		}
		y[i] = classes[best]
	}
	return y, nil
}

// Classes returns the distinct labels of y in ascending order.
func Classes(y []int) []int {
	classes := slices.Clone(y)
	slices.Sort(classes)
	return slices.Compact(classes)
}
