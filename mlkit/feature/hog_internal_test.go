package feature

import (
	"math"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// Votes by hand. Each row of the image is 0 0 1 3, so the gradient points right with
// magnitudes 0, 1, 3 and 2 (the border's pixel is repeated). With two cells of two
// pixels, the columns lie at -¼, ¼, ¾ and 1¼ between the centres of the cells: the left
// cell gets ¾·1 + ¼·3 = 3/2 and the right one ¼·1 + ¾·3 + ¾·2 = 4. The rows likewise
// have the total weight ¾ + ¾ + ¼ = 7/4 for the upper cell and the same for the lower.
// The angle 0° is halfway between the bins at 170° and 10°.
func TestHOGVotes(t *testing.T) {
	h := testkit.Try(NewHOG(4, 4, 2, 1, 9)).Or(t)
	x := []float64{0, 0, 1, 3, 0, 0, 1, 3, 0, 0, 1, 3, 0, 0, 1, 3}
	for at, got := range h.votes(x) {
		want := 0.0
		if bin := at % 9; bin == 0 || bin == 8 {
			want = []float64{1.5, 4, 1.5, 4}[at/9] * 7 / 4 / 2
		}
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("cell %d, bin %d: %v, want %v", at/9, at%9, got, want)
		}
	}

	// One pixel is a cell with gradient (3, 3), of magnitude 3√2 and angle 45°: a
	// quarter goes to the bin at 30°, three quarters to the one at 50°.
	one := testkit.Try(NewHOG(3, 3, 1, 1, 9)).Or(t)
	centre := one.votes([]float64{0, 0, 0, 0, 0, 3, 0, 3, 0})[4*9:][:9]
	for bin, got := range centre {
		want := map[int]float64{1: 3 * math.Sqrt2 / 4, 2: 9 * math.Sqrt2 / 4}[bin]
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("45°, bin %d: %v, want %v", bin, got, want)
		}
	}
}

// (8, 6, 1, …, 1) with 21 ones has norm 11. Divided by it, the first two exceed 0.2 and
// are clipped, the rest are 1/11, and the norm becomes √(2·0.04 + 21/121).
func TestHOGNormalize(t *testing.T) {
	v := []float64{8, 6}
	for range 21 {
		v = append(v, 1)
	}
	normaliseBlock(v)
	length := math.Sqrt(2*0.04 + 21.0/121)
	for i, got := range v {
		want := 0.2 / length
		if i > 1 {
			want = 1 / 11.0 / length
		}
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("element %d = %v, want %v", i, got, want)
		}
	}
}
