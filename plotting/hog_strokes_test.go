package plotting

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/plotting/internal/pen"
)

// Gradient angles are measured clockwise, since rows of pixels run downwards. If values
// rise downwards, at 90°, the edge is level. If they rise to the lower right, at 45°, the
// edge goes up to the right. The centres of four bins over 180° are 22.5°, 67.5°, 112.5°
// and 157.5°. If signed, the strokes follow the gradient itself.
func TestCellStrokes(t *testing.T) {
	for _, c := range []struct {
		k, bins int
		signed  bool
		angle   float64 // in the figure, counterclockwise, in degrees; modulo 180 unless signed
	}{
		{0, 4, false, 90 - 22.5},
		{1, 4, false, 90 - 67.5},
		{2, 4, false, 90 - 112.5},
		{0, 1, false, 0},
		{0, 2, false, 45},
		{0, 1, true, 180},
		{0, 2, true, -90},
		{0, 4, true, -45},
	} {
		l := cells{Look: pen.Look{Signed: c.signed}}
		x, y := l.stroke(c.k, c.bins)
		turn := 180.0
		if c.signed {
			turn = 360
		}
		d := math.Mod(math.Atan2(y, x)*180/math.Pi-c.angle+2*turn, turn)
		if math.Min(d, turn-d) > 1e-9 || math.Abs(math.Hypot(x, y)-1) > 1e-12 {
			t.Errorf("bin %d of %d, signed %v: direction (%g, %g), want %g°", c.k, c.bins, c.signed, x, y, c.angle)
		}
	}
}

// Two cells of 8 pixels leave out one of 17 pixels, at the right.
func TestCellPlaces(t *testing.T) {
	l := Cells(mat.NewDense(4, 3, nil), 17, 16, 8).(*cells)
	for i, want := range [][2]float64{{4, -4}, {12, -4}, {4, -12}, {12, -12}} {
		if x, y := l.centre(i); x != want[0] || y != want[1] {
			t.Errorf("cell %d is around (%g, %g), want %v", i, x, y, want)
		}
	}
	// 20 pixels leave out two on each side.
	if x, y := Cells(mat.NewDense(4, 3, nil), 20, 16, 8).(*cells).centre(0); x != 6 || y != -4 {
		t.Errorf("cell 0 is around (%g, %g), want (6, -4)", x, y)
	}
	panics(t, "plotting: Cells: 4 rows, want 6, for 2×3 cells of 8 pixels", func() { Cells(mat.NewDense(4, 9, nil), 24, 16, 8) })
	panics(t, "plotting: Cells: 6×16 pixels with cells of 8, want at least one cell", func() { Cells(mat.NewDense(4, 9, nil), 6, 16, 8) })
	// Nothing to draw, and a NaN.
	New("", Cells(mat.NewDense(1, 2, []float64{math.NaN(), 0}), 8, 8, 8)).PNG(50)
}
