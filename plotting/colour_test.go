package plotting

import (
	"image/color"
	"math"
	"testing"

	"marginalia/plotting/internal/pen"
)

// Numbers are legible on every shade: the contrast is at least 4.5.
func TestInkOn(t *testing.T) {
	for k := range 1001 {
		ground := tableShade(float64(k) / 1000)
		if c := pen.Contrast(pen.InkOn(ground), ground); c < 4.5 {
			t.Errorf("share %v: contrast %.2f, want 4.5", float64(k)/1000, c)
		}
	}
	// WCAG's own examples: black on white has 21, a colour on itself 1. #767676 is known
	// as the lightest grey that reaches 4.5 on white.
	for _, c := range []struct {
		a    pen.Hue
		want float64
	}{{pen.Black, 21}, {pen.Paper, 1}, {0x767676, 4.54}} {
		if got := pen.Contrast(c.a, color.White); math.Abs(got-c.want) > 0.005 {
			t.Errorf("%06x on white: %.3f, want %v", uint32(c.a), got, c.want)
		}
	}
}
