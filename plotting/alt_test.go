package plotting

import (
	"strings"
	"testing"
)

// With SameAxes both panels have the union of the two ranges, and their descriptions say
// so.
func TestAltOfSameAxes(t *testing.T) {
	small := New("", Line([]float64{0, 1}, []float64{0, 1})).Range(0, 1, 0, 1)
	large := New("", Line([]float64{0, 4}, []float64{-2, 2})).Range(0, 4, -2, 2)
	for i, line := range strings.Split(Tile(2, small, large).SameAxes().Alt(), "\n") {
		if !strings.Contains(line, "x from 0 to 4, y from −2 to 2.") {
			t.Errorf("panel %d: %s", i+1, line)
		}
	}
}
