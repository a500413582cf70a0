package perceptron

import (
	"reflect"
	"testing"

	"marginalia/mlkit"
)

// The hyperplane with the longest run is kept, the first of several, even if the run goes on to
// overwrite it.
func TestLongest(t *testing.T) {
	start := mlkit.Hyperplane{W: []float64{1, 2}, B: 3}
	l := newLongest(start)
	h := start.Clone()
	// h is (2, 2) + 4 at the first mistake, (3, 2) + 5 at the second, and so on.
	for _, c := range []struct {
		survived int
		want     mlkit.Hyperplane
	}{
		{0, start},
		{4, mlkit.Hyperplane{W: []float64{3, 2}, B: 5}},
		{4, mlkit.Hyperplane{W: []float64{3, 2}, B: 5}},
		{3, mlkit.Hyperplane{W: []float64{3, 2}, B: 5}},
		{5, mlkit.Hyperplane{W: []float64{6, 2}, B: 8}},
	} {
		h.W[0]++
		h.B++
		if l.mistake(0, h, c.survived); !reflect.DeepEqual(l.h, c.want) {
			t.Errorf("after a run of %d: %v, want %v", c.survived, l.h, c.want)
		}
	}
}
