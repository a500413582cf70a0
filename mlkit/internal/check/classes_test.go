package check

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Labels near each other and labels far apart give what sorting gives.
func TestClasses(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n, M := 2+rnd.IntN(60), 2+rnd.IntN(5)
		labels := make([]int, M)
		for k := range labels {
			switch rnd.IntN(4) {
			case 0:
				labels[k] = rnd.IntN(10) - 5
			case 1:
				labels[k] = rnd.IntN(n+1100) - 500
			case 2:
				labels[k] = int(rnd.Uint64())
			case 3:
				labels[k] = []int{math.MinInt, math.MaxInt}[rnd.IntN(2)]
			}
		}
		y := make([]int, n)
		for i := range y {
			y[i] = labels[rnd.IntN(M)]
		}
		want := slices.Compact(slices.Sorted(slices.Values(y)))
		classes, index, err := Classes("check", n, y)
		if len(want) < 2 {
			if err == nil {
				t.Fatalf("%v: no error", y)
			}
			continue
		}
		if err != nil || !slices.Equal(classes, want) {
			t.Fatalf("%v: classes %v, err = %v, want %v", y, classes, err, want)
		}
		for i, label := range y {
			if classes[index[i]] != label {
				t.Fatalf("%v: sample %d has index %d of %v", y, i, index[i], classes)
			}
		}
	}
}
