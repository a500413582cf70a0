package affine_test

import (
	"math"
	"testing"

	"marginalia/plotting/internal/affine"
)

// The last transformation is applied first: a point is scaled, rotated by a quarter turn,
// then translated: (1, 2) → (3, 10) → (-10, 3) → (-9, 5).
func TestOrder(t *testing.T) {
	m := affine.Identity.Translate(1, 2).Rotate(math.Pi/2).Scale(3, 5)
	x, y := m.At(1, 2)
	if math.Abs(x+9) > 1e-14 || math.Abs(y-5) > 1e-14 {
		t.Errorf("(1, 2) goes to (%g, %g), want (-9, 5)", x, y)
	}
	x, y = m.Inverse().At(x, y)
	if math.Abs(x-1) > 1e-14 || math.Abs(y-2) > 1e-14 {
		t.Errorf("and comes back to (%g, %g)", x, y)
	}
}

// A matrix with determinant 0 has no inverse.
func TestNoInverse(t *testing.T) {
	if m := affine.Identity.Scale(0, 1).Inverse(); !math.IsInf(m[3], 0) && !math.IsInf(m[0], 0) {
		t.Errorf("the inverse is %v", m)
	}
}
