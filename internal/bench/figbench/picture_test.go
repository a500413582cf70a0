package figbench

import (
	"bytes"
	"testing"
)

// The picture fits into a notebook: under 400 KB as SVG. It is the same each time.
func TestSizeOfSVG(t *testing.T) {
	x, y := samples()
	svg := picture(x, y).SVG()
	if len(svg) >= 400_000 {
		t.Errorf("%d bytes, want less than 400 000", len(svg))
	}
	if !bytes.Equal(picture(x, y).SVG(), svg) {
		t.Error("a second drawing has other bytes")
	}
	if n := bytes.Count(svg, []byte("<circle ")) + bytes.Count(svg, []byte("<path ")); n < points {
		t.Errorf("%d shapes, want one for each of %d points at least", n, points)
	}
}
