// Package check validates the data that callers pass to mlkit. Every error begins with
// the name of the calling package, then names the argument, the row and the rule.
package check

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Samples checks that X has at least one row and one column and that all its elements
// are finite.
func Samples(pkg string, X *mat.Dense) error {
	if err := Shape(pkg, X); err != nil {
		return err
	}
	n, _ := X.Dims()
	for i := range n {
		x := X.RawRowView(i)
		// A finite ‖x‖² proves that all elements are finite, in a fraction of the time
		// of testing each. An infinite one may be overflow.
		if s := floats.Dot(x, x); s <= math.MaxFloat64 {
			continue
		}
		for j, v := range x {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%s: X[%d][%d] = %v, want a finite number", pkg, i, j, v)
			}
		}
	}
	return nil
}

// Shape checks, as Samples does, that X has at least one row and one column. It does
// not look at the elements.
func Shape(pkg string, X *mat.Dense) error {
	if X == nil {
		return fmt.Errorf("%s: X is nil, want an n×d matrix, one sample a row", pkg)
	}
	if n, d := X.Dims(); n == 0 || d == 0 {
		return fmt.Errorf("%s: X is %d×%d, want at least one row and one column", pkg, n, d)
	}
	return nil
}

// Signs checks that y has n labels, one for each row of X, each -1 or +1. If all are of two
// other classes, the error names mlkit.Signs, which converts them; if there are more, package
// multiclass.
func Signs(pkg string, n int, y []int) error {
	if len(y) != n {
		return fmt.Errorf("%s: len(y) = %d, want %d, one label for each row of X", pkg, len(y), n)
	}
	for i, v := range y {
		if v != -1 && v != +1 {
			return fmt.Errorf("%s: y[%d] = %d, want -1 or +1%s", pkg, i, v, convertible(y))
		}
	}
	return nil
}

// convertible returns the advice for labels that are not -1 and +1. It returns "" if there is
// only one, or if one of several is -1: then the others are rather a slip.
func convertible(y []int) string {
	low, high := slices.Min(y), slices.Max(y)
	if low == high {
		return ""
	}
	if slices.ContainsFunc(y, func(v int) bool { return v != low && v != high }) {
		if low == -1 {
			return ""
		}
		return "; for more than two classes see package multiclass"
	}
	return fmt.Sprintf("; mlkit.Signs converts the labels %d and %d", low, high)
}

// BothSigns checks that both labels occur in y. The labels must have passed Signs.
func BothSigns(pkg string, y []int) error {
	for _, v := range y {
		if v != y[0] {
			return nil
		}
	}
	return fmt.Errorf("%s: y has only the label %+d in its %d rows, want both -1 and +1", pkg, y[0], len(y))
}

// TwoClasses checks X as Samples does and y as Signs and BothSigns do: valid samples of
// two classes.
func TwoClasses(pkg string, X *mat.Dense, y []int) error {
	if err := Samples(pkg, X); err != nil {
		return err
	}
	n, _ := X.Dims()
	if err := Signs(pkg, n, y); err != nil {
		return err
	}
	return BothSigns(pkg, y)
}

// Classes returns the labels in y, sorted, and for each sample the index of its label. It
// returns an error unless len(y) = n and y has at least two different labels.
func Classes(pkg string, n int, y []int) (classes, index []int, err error) {
	if len(y) != n {
		return nil, nil, fmt.Errorf("%s: len(y) = %d, want %d, one label for each row of X", pkg, len(y), n)
	}
	index = make([]int, n)
	// Labels are usually few and near each other. A table of all between them needs no search.
	low, high := slices.Min(y), slices.Max(y)
	if span := uint(high) - uint(low); span < uint(n)+1000 {
		place := make([]int, span+1) // 1 for labels of y, later their index
		for _, label := range y {
			place[label-low] = 1
		}
		for i, there := range place {
			place[i] = len(classes)
			if there == 1 {
				classes = append(classes, low+i)
			}
		}
		for i, label := range y {
			index[i] = place[label-low]
		}
	} else {
		classes = slices.Clone(y)
		slices.Sort(classes)
		classes = slices.Compact(classes)
		for i, label := range y {
			index[i], _ = slices.BinarySearch(classes, label)
		}
	}
	if len(classes) < 2 {
		return nil, nil, fmt.Errorf("%s: y has only the label %d in its %d rows, want at least two", pkg, y[0], n)
	}
	return classes, index, nil
}

// ClassWeights checks the weights of classes by label: those of the labels in y must be
// positive.
func ClassWeights(pkg string, weights map[int]float64, y []int) error {
	if len(weights) == 0 {
		return nil
	}
	for _, label := range y {
		if v, ok := weights[label]; ok && !(v > 0 && Finite(v)) {
			return fmt.Errorf("%s: ClassWeights[%d] = %v, want a positive number", pkg, label, v)
		}
	}
	return nil
}

// Weights checks that weights are nil, or one for each of the n rows of X: finite numbers of
// at least 0, not all of them 0.
func Weights(pkg string, n int, weights []float64) error {
	if weights == nil {
		return nil
	}
	if len(weights) != n {
		return fmt.Errorf("%s: len(weights) = %d, want %d, one for each row of X", pkg, len(weights), n)
	}
	positive := false
	for i, v := range weights {
		if !(v >= 0 && Finite(v)) {
			return fmt.Errorf("%s: weights[%d] = %v, want a finite number of at least 0", pkg, i, v)
		}
		positive = positive || v > 0
	}
	if !positive {
		return fmt.Errorf("%s: weights are all 0, want at least one above", pkg)
	}
	return nil
}

// LabelWeights checks the weights of classes and rows, as ClassWeights and Weights do. A row
// of weight 0 is absent, and so is a class without other rows: at least two must be left. It
// returns the weights of the classes, which are those of Balanced if balanced is set.
func LabelWeights(pkg string, classes map[int]float64, balanced bool, y []int, weights []float64) (map[int]float64, error) {
	if balanced && len(classes) > 0 {
		return nil, fmt.Errorf("%s: ClassWeights has %d weights, want none with Balanced, which computes them", pkg, len(classes))
	}
	if err := ClassWeights(pkg, classes, y); err != nil {
		return nil, err
	}
	if err := Weights(pkg, len(y), weights); err != nil {
		return nil, err
	}
	if weights != nil {
		if left, _ := Present(y, weights); len(left) < 2 {
			return nil, fmt.Errorf("%s: weights are above 0 only in rows with y = %d, want rows of at least two labels", pkg, left[0])
		}
	}
	if !balanced {
		return classes, nil
	}
	classes = Balanced(y, weights)
	for _, label := range y {
		if v, ok := classes[label]; ok && !(v > 0 && Finite(v)) {
			return nil, fmt.Errorf("%s: Balanced gives the class %d the weight %v, want weights of the samples that add up to nearer sizes", pkg, label, v)
		}
	}
	return classes, nil
}

// Balanced returns the weight W/(k Wₘ) for each label of y, where W is the sum of the weights
// of all rows, Wₘ of those with the label, and k the number of labels. Rows of weight 0 are
// absent; nil weights are 1.
func Balanced(y []int, weights []float64) map[int]float64 {
	total, classes := 0.0, map[int]float64{}
	for i, label := range y {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		if w > 0 {
			total += w
			classes[label] += w
		}
	}
	for label, w := range classes {
		classes[label] = total / (float64(len(classes)) * w)
	}
	return classes
}

// Present returns the labels of the rows with a weight above 0, sorted, and for each row the
// index of its label, -1 if its weight is 0. The weights have passed Weights.
func Present(y []int, weights []float64) (classes, index []int) {
	for i, label := range y {
		if weights[i] > 0 {
			classes = append(classes, label)
		}
	}
	slices.Sort(classes)
	classes = slices.Compact(classes)
	index = make([]int, len(y))
	for i, label := range y {
		if index[i] = -1; weights[i] > 0 {
			index[i], _ = slices.BinarySearch(classes, label)
		}
	}
	return classes, index
}

// Labeled checks X as Samples does and y as Signs does, and that X has as many columns
// as a hyperplane has weights.
func Labeled(pkg string, X *mat.Dense, y []int, weights int) error {
	if err := Samples(pkg, X); err != nil {
		return err
	}
	n, d := X.Dims()
	if d != weights {
		return fmt.Errorf("%s: X has %d columns, want %d, the length of W", pkg, d, weights)
	}
	return Signs(pkg, n, y)
}

// Nil reports whether v is nil, or a nil pointer: an algorithm or a model that is not there.
func Nil(v any) bool {
	r := reflect.ValueOf(v)
	return !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil()
}

// Finite reports whether v is neither infinite nor NaN.
func Finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// AllFinite reports whether all elements of v are finite.
func AllFinite(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return !Finite(x) })
}

// Positive checks a parameter that must be positive and finite, or 0 for its default.
func Positive(pkg, name string, v float64, zero string) error {
	if !(v >= 0 && Finite(v)) {
		return fmt.Errorf("%s: %s = %v, want a positive number, or 0 for %s", pkg, name, v, zero)
	}
	return nil
}

// FiniteParameter checks a parameter that may be any finite number.
func FiniteParameter(pkg, name string, v float64) error {
	if !Finite(v) {
		return fmt.Errorf("%s: %s = %v, want a finite number", pkg, name, v)
	}
	return nil
}
