package plotting

import (
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// Text goes into as few lines as possible, about equally long. No line is wider than the
// room unless it is a single word.
func TestWrap(t *testing.T) {
	const long = "fitted to zeros and ones, it finds the posterior"
	sty := style(titleSize)
	for _, c := range []struct {
		text, want string
		width      vg.Length
	}{
		{long, long, sty.Width(long)},
		{long, long, 0}, // the room is not known
		{long, "fitted to zeros and ones,\nit finds the posterior", sty.Width(long) - 1},
		{long, "fitted to zeros\nand ones, it finds\nthe posterior", sty.Width("finds the posterior") + 1},
		{"one\ntwo three", "one\ntwo\nthree", sty.Width("three") + 1},
		{"γ^{2 of 5} and more", "γ^{2 of 5}\nand\nmore", 1},
		{"incomprehensible", "incomprehensible", 5},
		{"σ = 1   λ = 2", "σ = 1\nλ = 2", sty.Width("σ = 1 ") + 1},
	} {
		got := wrap(c.text, titleSize, c.width)
		if got != c.want {
			t.Errorf("%q on %v points: %q, want %q", c.text, c.width, got, c.want)
		}
		for _, line := range strings.Split(got, "\n") {
			if strings.Contains(line, " ") && !strings.Contains(line, "{") && c.width > 0 && sty.Width(line) > c.width {
				t.Errorf("%q on %v points: %q is %v wide", c.text, c.width, line, sty.Width(line))
			}
		}
	}
}
