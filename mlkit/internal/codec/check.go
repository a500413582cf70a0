package codec

import (
	"fmt"
	"math"
	"slices"
)

// What follows are the checks that models have in common. Each returns nil or an error
// that names the field, the index, the value and the rule, and looks at nothing outside
// what it is given, so that all checks of a model may be made before the first error of
// them is returned.

// First returns the first error.
func First(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Length checks that a field has want elements, which are one for each of something.
func Length(field string, got, want int, each string) error {
	if got != want {
		return fmt.Errorf("len(%s) = %d, want %d, one for each of %s", field, got, want, each)
	}
	return nil
}

// AtLeast checks a number.
func AtLeast(field string, got, least int) error {
	if got < least {
		return fmt.Errorf("%s = %d, want at least %d", field, got, least)
	}
	return nil
}

// Counts checks that no element is less than least.
func Counts(field string, counts []int, least int) error {
	for i, c := range counts {
		if err := AtLeast(fmt.Sprintf("%s[%d]", field, i), c, least); err != nil {
			return err
		}
	}
	return nil
}

// Finite checks that a number is one.
func Finite(field string, v float64) error {
	if !(math.Abs(v) <= math.MaxFloat64) {
		return fmt.Errorf("%s = %v, want a finite number", field, v)
	}
	return nil
}

// AllFinite checks the elements of a field.
func AllFinite(field string, v []float64) error {
	for i, x := range v {
		if !(math.Abs(x) <= math.MaxFloat64) {
			return fmt.Errorf("%s[%d] = %v, want a finite number", field, i, x)
		}
	}
	return nil
}

// Rows checks that all rows have length cols, and finite elements.
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

// Indices checks that the elements of a field are from 0 to below n.
func Indices(field string, indices []int, n int) error {
	for i, v := range indices {
		if v < 0 || v >= n {
			return fmt.Errorf("%s[%d] = %d, want from 0 to %d", field, i, v, n-1)
		}
	}
	return nil
}

// Ascending checks that each element of a field is above the one before it.
func Ascending(field string, v []int) error {
	for i := 1; i < len(v); i++ {
		if v[i] <= v[i-1] {
			return fmt.Errorf("%s[%d] = %d after %d, want ascending numbers, none twice", field, i, v[i], v[i-1])
		}
	}
	return nil
}

// Classes checks the labels of a classifier of many classes: two or more, ascending.
func Classes(field string, classes []int) error {
	if len(classes) < 2 {
		return fmt.Errorf("len(%s) = %d, want at least two labels", field, len(classes))
	}
	return Ascending(field, classes)
}

// OneOf checks that the elements of a field are among some.
func OneOf(field string, v, among []int) error {
	for i, x := range v {
		if !slices.Contains(among, x) {
			return fmt.Errorf("%s[%d] = %d, want one of %v", field, i, x, among)
		}
	}
	return nil
}
