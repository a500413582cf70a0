package plotting

import (
	"testing"
)

func TestEquation(t *testing.T) {
	for _, c := range []struct {
		w    [2]float64
		b    float64
		want string
	}{
		{[2]float64{1, -2}, 0, "x₁ − 2x₂ = 0"},
		{[2]float64{-1, 0}, 0.5, "−x₁ + 0.5 = 0"},
		{[2]float64{0, 3}, -1, "3x₂ − 1 = 0"},
	} {
		if got := equation(c.w, c.b); got != c.want {
			t.Errorf("equation(%v, %g) = %q, want %q", c.w, c.b, got, c.want)
		}
	}
}
