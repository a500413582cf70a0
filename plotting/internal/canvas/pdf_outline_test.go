//go:build !minimal

package canvas

import (
	"image/color"
	"math"
	"testing"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The outlines of glyphs, which stand for characters that fpdf can't write, cover the same pixels as
// the glyphs of the font.
func TestOutline(t *testing.T) {
	dejavu, err := opentype.Parse(dejavusans.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face := font.Face{Font: font.Font{Typeface: Typeface, Size: 60}, Face: dejavu}
	at := vg.Point{X: 10, Y: 25}
	for _, r := range "gÅ&𝔽😀𝟘" {
		a := PaintImage(func(c draw.Canvas) { c.SetColor(color.Black); c.FillString(face, at, string(r)) }, 90, 90, 72)
		b := PaintImage(func(c draw.Canvas) { c.SetColor(color.Black); c.Fill(outline(face, r, at)) }, 90, 90, 72)
		differ, ink := 0.0, 0.0
		for i := range a.Pix {
			differ += math.Abs(float64(a.Pix[i]) - float64(b.Pix[i]))
			ink += 255 - min(255, float64(a.Pix[i]))
		}
		// Two rasterisers differ at the edges: by less than a tenth of the ink of letters of 60 points.
		if ink == 0 || differ > 0.1*ink {
			t.Errorf("%c: the outline differs by %.0f of %.0f", r, differ, ink)
		}
	}
	if p := outline(face, '日', at); len(p) != 0 {
		t.Errorf("a character without a glyph has an outline of %d parts", len(p))
	}
}
