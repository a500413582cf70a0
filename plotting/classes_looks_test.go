package plotting

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Class k has the same look regardless of the other classes.
func TestClassLooks(t *testing.T) {
	for _, c := range []struct {
		y     []int
		kinds []int
	}{
		{[]int{1, -1}, []int{0, 1}},
		{[]int{1, 1}, []int{1}},
		{[]int{-1, -1}, []int{0}},
		{[]int{0, 1}, []int{0, 1}},
		{[]int{7, 2}, []int{2, 7}},
		{[]int{9, 3}, []int{3, 9}},
		{[]int{0, 25}, []int{0, 25}},
		{[]int{0, 26}, []int{0, 1}},
		{[]int{-1, 0, 1}, []int{0, 1, 2}},
		{[]int{10, 30, 20}, []int{0, 1, 2}},
	} {
		l := Classes(mat.NewDense(len(c.y), 2, nil), c.y).(*classes)
		if !slices.Equal(l.Kinds, c.kinds) {
			t.Errorf("labels %v look like classes %v, want %v", c.y, l.Kinds, c.kinds)
		}
	}
}
