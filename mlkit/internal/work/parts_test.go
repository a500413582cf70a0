package work

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// Parts hold each sample once, in order, for any number of processors.
func TestParts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, c := range []struct{ n, least, count int }{
		{0, 1, 0}, {1, 1, 1}, {128, 1, 1}, {129, 1, 2}, {1000, 128, 8}, {1000, 129, 4}, {1000, 5000, 1},
		{8192, 1, 64}, {8193, 1, 33}, {1 << 20, 1, 64}, {100000, 1024, 61},
	} {
		for _, processors := range []int{1, 2, 7} {
			runtime.GOMAXPROCS(processors)
			p := Divide(c.n, c.least)
			if p.Count() != c.count {
				t.Fatalf("Divide(%d, %d) has %d parts, want %d", c.n, c.least, p.Count(), c.count)
			}
			froms, tos := make([]int, c.count), make([]int, c.count)
			if err := p.Do(func(part, from, to int) error {
				froms[part], tos[part] = from, to
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			at := 0
			for k := range froms {
				if froms[k] != at || at%Multiple != 0 || tos[k] <= at || k < c.count-1 && tos[k]-at < c.least {
					t.Fatalf("Divide(%d, %d): part %d is %d to %d after %d", c.n, c.least, k, froms[k], tos[k], at)
				}
				at = tos[k]
			}
			if at != c.n {
				t.Fatalf("Divide(%d, %d): the parts end at %d", c.n, c.least, at)
			}
		}
	}
}

// The error is that of the first part that fails, and all parts before it have been done.
func TestPartsFail(t *testing.T) {
	var mu sync.Mutex
	var done []int
	wrong := [2]error{errors.New("part 5"), errors.New("part 9")}
	err := Divide(2000, 1).Do(func(part, from, to int) error {
		switch part {
		case 5:
			return wrong[0]
		case 9:
			return wrong[1]
		}
		mu.Lock()
		defer mu.Unlock()
		done = append(done, part)
		return nil
	})
	if err != wrong[0] {
		t.Errorf("the error is %v, want that of part 5", err)
	}
	for part := range 5 {
		if !slices.Contains(done, part) {
			t.Errorf("part %d has not been done", part)
		}
	}
}
