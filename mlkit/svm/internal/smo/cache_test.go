package smo

import (
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/kernel"
)

// A full cache of three rows evicts the one used least recently.
func TestRowCache(t *testing.T) {
	c := newExact(kernel.Linear{}, mat.NewDense(5, 1, []float64{1, 2, 3, 4, 5}), 3*40)
	ctx := work.Never{}
	for _, i := range []int{0, 1, 2, 0, 3} { // 3 evicts 1
		row, err := c.Row(ctx, i)
		if err != nil || row[4] != float64(5*(i+1)) {
			t.Fatalf("row %d: %v, %v", i, row, err)
		}
	}
	for i, want := range []bool{true, false, true, true, false} {
		if got := c.cache.rows[i] != nil; got != want {
			t.Errorf("row %d in the cache: %v, want %v", i, got, want)
		}
	}
}

func TestRowCacheMemory(t *testing.T) {
	c := newRowCache(10, 4, 4, 3*16, [][]float32{make([]float32, 3), make([]float32, 9)})
	long := c.spare[1]
	if row := c.put(3); len(row) != 4 || &row[0] != &long[0] {
		t.Errorf("a row of length %d, want 4 of the spare one", len(row))
	}
	if row := c.put(4); len(row) != 4 {
		t.Errorf("a row of length %d in place of one that is too short, want 4", len(row))
	}
	if c.put(5); c.put(6) == nil || c.get(3) != nil || c.get(4) == nil {
		t.Error("row 3 is to make room for row 6")
	}
}

// part keeps the chosen elements of the chosen rows, in LRU order.
func TestRowCachePart(t *testing.T) {
	c := newRowCache[float64](6, 6, 8, 4*48, nil)
	for _, i := range []int{5, 1, 3, 0} {
		for j, row := 0, c.put(i); j < 6; j++ {
			row[j] = float64(10*i + j)
		}
	}
	c.get(5)
	q := c.part([]int{1, 2, 3, 5}, 4)
	for k, want := range [][]float64{{11, 12, 13, 15}, nil, {31, 32, 33, 35}, {51, 52, 53, 55}} {
		if !reflect.DeepEqual(q.rows[k], want) {
			t.Errorf("row %d is %v, want %v", k, q.rows[k], want)
		}
	}
	if len(q.all()) != 4 {
		t.Errorf("memory of %d rows, want 4", len(q.all()))
	}
	// In LRU order the rows are 1, 3, 5. put uses the buffer of row 0 before it evicts
	// one.
	q.put(1)
	if q.get(0) == nil || q.used != 4 || len(q.spare) != 0 {
		t.Errorf("%d rows, %d spare", q.used, len(q.spare))
	}
}
