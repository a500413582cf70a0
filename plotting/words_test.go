package plotting_test

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/internal/testkit/tier"
)

// words is a canvas that draws nothing and records the places of texts.
type words struct {
	state
	saved  []state
	placed []word
}

type state struct {
	origin vg.Point
	angle  float64
	from   int // the first piece of the current text
}

// word is a text, or a piece of one, with its bounding box.
type word struct {
	text    string
	box     vg.Rectangle
	sloping bool
}

func (w *words) SetLineWidth(vg.Length)              {}
func (w *words) SetLineDash([]vg.Length, vg.Length)  {}
func (w *words) SetColor(color.Color)                {}
func (w *words) Stroke(vg.Path)                      {}
func (w *words) Fill(vg.Path)                        {}
func (w *words) DrawImage(vg.Rectangle, image.Image) {}
func (w *words) Scale(x, y float64)                  { panic("no text is scaled") }
func (w *words) Rotate(radians float64)              { w.angle += radians }
func (w *words) Translate(p vg.Point)                { w.origin = w.place(p) }
func (w *words) Push() {
	w.saved = append(w.saved, w.state)
	w.from = len(w.placed)
}

// Pop ends a text and merges its pieces; subscripts and superscripts are pieces of their own.
func (w *words) Pop() {
	if pieces := w.placed[w.from:]; len(pieces) > 0 {
		whole := pieces[0]
		for _, p := range pieces[1:] {
			whole.text += p.text
			whole.box.Min.X, whole.box.Min.Y = min(whole.box.Min.X, p.box.Min.X), min(whole.box.Min.Y, p.box.Min.Y)
			whole.box.Max.X, whole.box.Max.Y = max(whole.box.Max.X, p.box.Max.X), max(whole.box.Max.Y, p.box.Max.Y)
		}
		w.placed = append(w.placed[:w.from], whole)
	}
	w.state, w.saved = w.saved[len(w.saved)-1], w.saved[:len(w.saved)-1]
}

func (w *words) place(p vg.Point) vg.Point {
	sin, cos := math.Sincos(w.angle)
	return w.origin.Add(vg.Point{X: p.X*vg.Length(cos) - p.Y*vg.Length(sin), Y: p.X*vg.Length(sin) + p.Y*vg.Length(cos)})
}

// FillString records the box of the letters. Most letters reach up to at most three
// quarters of the face's ascent, and down less than its descent.
func (w *words) FillString(f font.Face, at vg.Point, text string) {
	if text == "" {
		return
	}
	long, high, deep := f.Width(text), 0.75*f.Extents().Ascent, 0.6*f.Extents().Descent
	r := vg.Rectangle{Min: vg.Point{X: vg.Inch * 1e6, Y: vg.Inch * 1e6}, Max: vg.Point{X: -vg.Inch * 1e6, Y: -vg.Inch * 1e6}}
	for _, c := range []vg.Point{{Y: -deep}, {Y: high}, {X: long, Y: -deep}, {X: long, Y: high}} {
		p := w.place(at.Add(c))
		r.Min.X, r.Min.Y = min(r.Min.X, p.X), min(r.Min.Y, p.Y)
		r.Max.X, r.Max.Y = max(r.Max.X, p.X), max(r.Max.Y, p.Y)
	}
	w.placed = append(w.placed, word{text, r, math.Abs(math.Mod(w.angle, math.Pi/2)) > 1e-9})
}

// In a column, on a page and on a slide no text leaves the canvas or covers another.
func TestWordsApart(t *testing.T) {
	tier.Long(t)
	for _, f := range figures {
		widths := []vg.Length{3.2, 10, 0, 6.5}
		if !tier.IsLong(t) {
			widths = widths[:2]
		}
		for _, inches := range widths {
			d, name := f.draw(), f.name
			if inches > 0 {
				d, name = resized(d, inches*vg.Inch), fmt.Sprintf("%s, %g inches", f.name, float64(inches))
			}
			var cv words
			w, h := d.Extent()
			d.Draw(draw.NewCanvas(&cv, w, h))
			for i, a := range cv.placed {
				if a.box.Min.X < 0 || a.box.Min.Y < 0 || a.box.Max.X > w || a.box.Max.Y > h {
					t.Errorf("%s: %q leaves the canvas of %v×%v: %v", name, a.text, w, h, a.box)
				}
				for _, b := range cv.placed[:i] {
					x := min(a.box.Max.X, b.box.Max.X) - max(a.box.Min.X, b.box.Min.X)
					y := min(a.box.Max.Y, b.box.Max.Y) - max(a.box.Min.Y, b.box.Min.Y)
					if !a.sloping && !b.sloping && a.text != b.text && x > 0.5 && y > 0.5 {
						t.Errorf("%s: %q covers %q by %.1f×%.1f points", name, a.text, b.text, x, y)
					}
				}
			}
		}
	}
}
