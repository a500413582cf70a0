package codec

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"marginalia/mlkit/internal/check"
)

// The functions below are checks that several models use. Each returns nil, or an error
// that names the field, the index, the value and the rule. None looks beyond its
// arguments, so a model may run all its checks and return the first error.

// First returns the first of errs that is not nil, or nil.
func First(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Length checks that a field has want elements, one for each of something.
func Length(field string, got, want int, each string) error {
	if got != want {
		return fmt.Errorf("len(%s) = %d, want %d, one for each of %s", field, got, want, each)
	}
	return nil
}

// AtLeast checks that got ≥ least.
func AtLeast(field string, got, least int) error {
	if got < least {
		return fmt.Errorf("%s = %d, want at least %d", field, got, least)
	}
	return nil
}

// Counts checks that every count is at least least.
func Counts(field string, counts []int, least int) error {
	for i, c := range counts {
		if err := AtLeast(fmt.Sprintf("%s[%d]", field, i), c, least); err != nil {
			return err
		}
	}
	return nil
}

// NotNull checks that v is a value, not nil or a nil pointer.
func NotNull(field string, v any, want string) error {
	if check.Nil(v) {
		return fmt.Errorf("%s is null, want %s", field, want)
	}
	return nil
}

// Finite checks that v is neither infinite nor NaN.
func Finite(field string, v float64) error {
	if !(math.Abs(v) <= math.MaxFloat64) {
		return fmt.Errorf("%s = %v, want a finite number", field, v)
	}
	return nil
}

// AllFinite checks that all elements are finite.
func AllFinite(field string, v []float64) error {
	for i, x := range v {
		if !(math.Abs(x) <= math.MaxFloat64) {
			return fmt.Errorf("%s[%d] = %v, want a finite number", field, i, x)
		}
	}
	return nil
}

// Rows checks that all rows have length cols and finite elements.
func Rows(field string, rows [][]float64, cols int) error {
	for i, row := range rows {
		if len(row) != cols {
			return fmt.Errorf("len(%s[%d]) = %d, want %d", field, i, len(row), cols)
		}
		if err := AllFinite(fmt.Sprintf("%s[%d]", field, i), row); err != nil {
			return err
		}
	}
	return nil
}

// Indices checks that all elements are from 0 to n-1.
func Indices(field string, indices []int, n int) error {
	for i, v := range indices {
		if v < 0 || v >= n {
			return fmt.Errorf("%s[%d] = %d, want from 0 to %d", field, i, v, n-1)
		}
	}
	return nil
}

// Sizes checks that sizes has how often each of its indices is in labels.
func Sizes(sizes, labels []int) error {
	counts := make([]int, len(sizes))
	for _, k := range labels {
		counts[k]++
	}
	for k, count := range counts {
		if sizes[k] != count {
			return fmt.Errorf("sizes[%d] = %d, want %d, as often as labels has it", k, sizes[k], count)
		}
	}
	return nil
}

// Ascending checks that the elements are strictly increasing.
func Ascending(field string, v []int) error {
	for i := 1; i < len(v); i++ {
		if v[i] <= v[i-1] {
			return fmt.Errorf("%s[%d] = %d after %d, want ascending numbers, none twice", field, i, v[i], v[i-1])
		}
	}
	return nil
}

// Classes checks the labels of a multiclass classifier: at least two, strictly
// increasing.
func Classes(field string, classes []int) error {
	if len(classes) < 2 {
		return fmt.Errorf("len(%s) = %d, want at least two labels", field, len(classes))
	}
	return Ascending(field, classes)
}

// OneOf checks that each element of v is an element of among.
func OneOf(field string, v, among []int) error {
	for i, x := range v {
		if !slices.Contains(among, x) {
			return fmt.Errorf("%s[%d] = %d, want one of %v", field, i, x, among)
		}
	}
	return nil
}

// Square checks that rows is a d×d matrix of finite numbers, one row for each of w, or
// empty as after a cancelled fit.
func Square(field string, rows [][]float64, d int) error {
	if len(rows) != 0 && len(rows) != d {
		return fmt.Errorf("len(%s) = %d, want %d, one for each of w, or 0", field, len(rows), d)
	}
	return Rows(field, rows, d)
}

// Hyperplane checks the fields of an mlkit.Hyperplane in a model: at least one weight, and
// finite numbers.
func Hyperplane(w []float64, b float64) error {
	return First(AtLeast("len(w)", len(w), 1), AllFinite("w", w), Finite("b", b))
}

// LinearMachine checks the fields of an mlkit.LinearMachine in a model: at least two
// classes, each with its row of w and its b, and finite numbers.
func LinearMachine(classes []int, W [][]float64, b []float64) error {
	if err := First(
		Classes("classes", classes),
		Length("w", len(W), len(classes), "classes"),
		Length("b", len(b), len(classes), "classes"),
		AllFinite("b", b),
	); err != nil {
		return err
	}
	return First(AtLeast("len(w[0])", len(W[0]), 1), Rows("w", W, len(W[0])))
}

// TwoClasses checks that a model, or that of a pipeline, has two classes if it has a field
// Classes: with more, it would have no score.
func TwoClasses(field string, model any) error {
	classes, ok := ClassesOf(model)
	if ok && len(classes) > 0 && len(classes) != 2 {
		return fmt.Errorf("%s has the classes %d, want two, for a score", field, classes)
	}
	return nil
}

// ClassesOf returns the field Classes of a model, or of its field Model, and whether there is
// one.
func ClassesOf(model any) ([]int, bool) {
	v := reflect.Indirect(reflect.ValueOf(model))
	if v.Kind() != reflect.Struct {
		return nil, false
	}
	if f, ok := v.Type().FieldByName("Classes"); ok && f.Type == reflect.TypeFor[[]int]() {
		classes, err := v.FieldByIndexErr(f.Index)
		if err != nil {
			return nil, false // embedded by a nil pointer
		}
		return classes.Interface().([]int), true
	}
	if f, ok := v.Type().FieldByName("Model"); ok && f.IsExported() {
		if inner, err := v.FieldByIndexErr(f.Index); err == nil {
			return ClassesOf(inner.Interface())
		}
	}
	return nil, false
}
