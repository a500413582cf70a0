package smo

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A cache under random get, put, drop and part holds what a map with an order of use holds, and no two of its
// rows share memory.
func TestCacheModel(t *testing.T) {
	for seed := range uint64(400) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		n := 2 + rnd.IntN(30)
		length := n + rnd.IntN(3)
		c := newRowCache[float64](n, length, 8, int64(8*length*rnd.IntN(n+3)), nil)
		if rnd.IntN(2) == 0 { // buffers of an earlier problem, of other lengths
			for range rnd.IntN(5) {
				c.spare = append(c.spare, make([]float64, 1+rnd.IntN(2*length)))
			}
		}
		model, order := map[int][]float64{}, []int{} // most recently used first
		use := func(i int) {
			order = slices.DeleteFunc(order, func(j int) bool { return j == i })
			order = append([]int{i}, order...)
		}
		for step := range 300 {
			i := rnd.IntN(n)
			switch op := rnd.IntN(40); {
			case op < 38:
				row := c.get(i)
				if (row != nil) != (model[i] != nil) {
					t.Fatalf("seed %d, step %d: row %d is cached: %v, want %v", seed, step, i, row != nil, model[i] != nil)
				}
				if row == nil {
					if len(order) == c.capacity {
						last := order[len(order)-1]
						delete(model, last)
						order = order[:len(order)-1]
					}
					row = c.put(i)
					if len(row) != c.length {
						t.Fatalf("seed %d, step %d: a row of %d, want %d", seed, step, len(row), c.length)
					}
					want := make([]float64, len(row))
					for j := range want {
						want[j] = rnd.Float64()
					}
					copy(row, want)
					model[i] = want
					if rnd.IntN(8) == 0 {
						c.drop(i)
						delete(model, i)
						order = slices.DeleteFunc(order, func(j int) bool { return j == i })
						break
					}
				}
				use(i)
			case n > 4:
				var keep []int
				for j := range n {
					if rnd.IntN(5) > 0 {
						keep = append(keep, j)
					}
				}
				if len(keep) < 2 {
					continue
				}
				length := len(keep) + rnd.IntN(c.length-len(keep)+1)
				before, was := model, order
				c = c.part(keep, length)
				model, order, n = map[int][]float64{}, nil, len(keep)
				for k := len(was) - 1; k >= 0 && len(order) < c.capacity; k-- {
					to, kept := slices.BinarySearch(keep, was[k])
					if !kept {
						continue
					}
					row := make([]float64, length)
					for l, from := range keep {
						row[l] = before[was[k]][from]
					}
					model[to] = row
					order = append([]int{to}, order...)
				}
			}
			if c.used != len(model) {
				t.Fatalf("seed %d, step %d: %d used, want %d", seed, step, c.used, len(model))
			}
			for i, want := range model {
				if got := c.rows[i]; !slices.Equal(got[:min(n, len(got))], want[:min(n, len(want))]) {
					t.Fatalf("seed %d, step %d: row %d is %v, want %v", seed, step, i, got, want)
				}
			}
			rows := c.all()
			for a := range rows {
				for b := range a {
					x, y := rows[a][:cap(rows[a])], rows[b][:cap(rows[b])]
					if &x[0] == &y[0] || &x[len(x)-1] == &y[len(y)-1] {
						t.Fatalf("seed %d, step %d: buffers %d and %d share memory", seed, step, a, b)
					}
				}
			}
		}
	}
}
