package plotting

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Samples are sorted by class and keep their order within a class, in rows and columns.
func TestGramOrder(t *testing.T) {
	k := mat.NewDense(3, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9})
	l := Gram(k, []int{1, -1, 1}).(*gram)
	if want := []float64{5, 4, 6, 2, 1, 3, 8, 7, 9}; !slices.Equal(l.cells[0], want) {
		t.Errorf("cells %v, want %v", l.cells[0], want)
	}
	tr := l.Traits()
	if !slices.Equal(tr.Rows, []string{"y = −1", "y = +1"}) || !slices.Equal(tr.RowsAt, []float64{-0.5, -2}) {
		t.Errorf("names %v at %v", tr.Rows, tr.RowsAt)
	}
	if plain := Gram(k, nil).(*gram); !slices.Equal(plain.cells[0], k.RawMatrix().Data) || plain.strip() != 0 {
		t.Errorf("without labels: %v", plain.cells[0])
	}
	panics(t, "plotting: Gram: the matrix is 2×3, want as many rows as columns", func() { Gram(mat.NewDense(2, 3, nil), nil) })
	panics(t, "plotting: Gram: 3 rows, 2 labels", func() { Gram(k, []int{1, 1}) })
	panics(t, "plotting: Gram: 1 names, 2 classes", func() { Gram(k, []int{1, -1, 1}, Name("a")) })
}

// With 1030 samples a cell has two or three samples per side. The mean of k(i, j) = i + j
// over a block is the sum of the means of its sides.
func TestGramOfMany(t *testing.T) {
	const n = 1030
	k, order := mat.NewDense(n, n, nil), make([]int, n)
	for i := range n {
		order[i] = i
		for j := range n {
			k.Set(i, j, float64(i+j))
		}
	}
	cells, m := gramCells(k, order)
	if m != 512 || len(cells) != m*m {
		t.Fatalf("%d cells a side, want 512", m)
	}
	middle := func(a int) float64 { return float64(a*n/m+(a+1)*n/m-1) / 2 }
	for _, c := range [][2]int{{0, 0}, {511, 511}, {3, 200}, {300, 17}} {
		if got, want := cells[c[0]*m+c[1]], middle(c[0])+middle(c[1]); math.Abs(got-want) > 1e-9 {
			t.Errorf("cell %v is %v, want %v", c, got, want)
		}
	}
}
