package plotting_test

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/internal/testkit/tier"
	. "marginalia/plotting"
	"marginalia/plotting/space"
)

// words is a canvas that draws nothing. It records the places of texts, and the largest rectangle
// that is stroked with a line of 0.7 points: the frame of the axes.
type words struct {
	state
	saved  []state
	placed []word
	size   vg.Point
	width  vg.Length // of lines
	frame  vg.Rectangle
}

// placed returns the places of the texts of a figure.
func placed(d figure) *words {
	w, h := d.Extent()
	cv := words{size: vg.Point{X: w, Y: h}}
	d.Draw(draw.NewCanvas(&cv, w, h))
	return &cv
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

func (w *words) SetLineWidth(width vg.Length)        { w.width = width }
func (w *words) SetLineDash([]vg.Length, vg.Length)  {}
func (w *words) SetColor(color.Color)                {}
func (w *words) Fill(vg.Path)                        {}
func (w *words) DrawImage(vg.Rectangle, image.Image) {}
func (w *words) Scale(x, y float64)                  { panic("no text is scaled") }
func (w *words) Rotate(radians float64)              { w.angle += radians }
func (w *words) Translate(p vg.Point)                { w.origin = w.place(p) }
func (w *words) Push() {
	w.saved = append(w.saved, w.state)
	w.from = len(w.placed)
}

func (w *words) Stroke(p vg.Path) {
	if w.width != 0.7 || len(p) != 5 || p[4].Type != vg.CloseComp {
		return
	}
	r := vg.Rectangle{Min: p[0].Pos, Max: p[2].Pos}
	if s, t := r.Size(), w.frame.Size(); s.X*s.Y > t.X*t.Y {
		w.frame = r
	}
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
			w := placed(d)
			w.inside(t, name)
			w.apart(t, name, func(a, b word) bool { return a.sloping || b.sloping || a.text == b.text }) // a halo is its text again
		}
	}
}

// inside fails if a text leaves the canvas.
func (w *words) inside(t *testing.T, name string) {
	t.Helper()
	for _, a := range w.placed {
		if a.box.Min.X < 0 || a.box.Min.Y < 0 || a.box.Max.X > w.size.X || a.box.Max.Y > w.size.Y {
			t.Errorf("%s: %q leaves the canvas of %v: %v", name, a.text, w.size, a.box)
		}
	}
}

// keepApart fails if a text leaves the canvas or covers another.
func keepApart(t *testing.T, name string, d figure) *words {
	t.Helper()
	w := placed(d)
	w.inside(t, name)
	w.apart(t, name, func(a, b word) bool { return a.sloping && b.sloping }) // the boxes of parallels overlap
	return w
}

// apart fails if a text covers another that it may not.
func (w *words) apart(t *testing.T, name string, may func(a, b word) bool) {
	t.Helper()
	for i, a := range w.placed {
		for _, b := range w.placed[:i] {
			x := min(a.box.Max.X, b.box.Max.X) - max(a.box.Min.X, b.box.Min.X)
			y := min(a.box.Max.Y, b.box.Max.Y) - max(a.box.Min.Y, b.box.Min.Y)
			if x > 0.5 && y > 0.5 && !may(a, b) {
				t.Errorf("%s: %q covers %q by %.1f×%.1f points", name, a.text, b.text, x, y)
			}
		}
	}
}

// The numbers of axes and colour bars, their notes, the labels and the titles keep apart and on
// the canvas: in a figure, in panels side by side, and for data, whatever their range.
func TestNumbersApart(t *testing.T) {
	tier.NoRace(t)
	for _, r := range [][2]float64{
		{0, 1}, {-4, 4}, {1700000000, 1700007200}, {1e9, 1e9 + 3}, {0.6e6, 1.4e6}, {1e-12, 3e-12}, {0.45, 0.46}, {1.01, 1.05}, {0.41, 0.53},
		{1e-300, 1e300}, {1e-300, 3e-300}, {1, math.Nextafter(1, 2)}, {1e16, 1e16 + 4}, {-1e16 - 8, -1e16}, {1, math.MaxFloat64},
		{-9e307, 9e307}, {-math.MaxFloat64, math.MaxFloat64}, {12345.25, 12345.5}, {-1e-5, 3e-5}, {0.123456, 0.123457},
	} {
		v := []float64{r[0], r[0]/2 + r[1]/2, r[1]}
		figs := func(w, h vg.Length) []*Figure {
			figs := []*Figure{
				New("a line", Line(v, v)).Labels("the first", "the second").Size(w, h),
				New("a matrix", Matrix(mat.NewDense(1, 3, v), Scale(r[0], r[1]), Bar("values"))).Size(w, h),
				New("a score", Score(func(x, y float64) float64 { return x }, Scale(r[0], r[1]), Bar("score"))).Range(r[0], r[1], 0, 1).Size(w, h),
			}
			if r[0] > 0 {
				figs = append(figs, New("powers", Line(v, v)).LogX().LogY().Size(w, h))
			}
			return figs
		}
		for _, size := range []vg.Point{{X: 5, Y: 3.4}, {X: 2, Y: 2}, {X: 2.6, Y: 1.8}} {
			name := fmt.Sprintf("from %v to %v, %v inches", r[0], r[1], size)
			for i, f := range figs(size.X*vg.Inch, size.Y*vg.Inch) {
				keepApart(t, fmt.Sprintf("%s, figure %d", name, i), f)
			}
			keepApart(t, name+", panels", Tile(2, figs(size.X*vg.Inch, size.Y*vg.Inch)...))
		}
	}
}

// Names of rows and columns keep apart, and so do the values of bars, however many and long they
// are and however small the figure is.
func TestManyNamesApart(t *testing.T) {
	for _, n := range []int{3, 12, 30} {
		for _, long := range []int{1, 12, 200} {
			var names []string
			values, counts := make([]float64, n), make([][]int, n)
			for k := range n {
				names = append(names, fmt.Sprint(k)+strings.Repeat("a name ", long)[:long])
				values[k] = float64(1-2*(k%2)) * 1234.5 * float64(k+1)
				counts[k] = make([]int, n)
				counts[k][k] = 1000 + k
			}
			one := make([][]float64, n) // a bar of each of n series
			for k := range one {
				one[k] = values[k : k+1]
			}
			for _, inches := range []vg.Length{2, 3, 5} {
				name := fmt.Sprintf("%d names of %d letters, %v inches", n, long, inches)
				w, h := inches*vg.Inch, 0.7*inches*vg.Inch
				keepApart(t, name+", bars", New("bars", Bars(names, [][]float64{values}, Labeled())).Size(w, h))
				keepApart(t, name+", series", New("series", Bars([]string{"a"}, one, Labeled())).Size(w, h))
				keepApart(t, name+", confusion", New("confusion", Confusion(counts, names)).Size(w, h))
			}
		}
	}
}

// The axes of a space at least three inches wide have numbers, whatever the range: their notes may
// be wide.
func TestSpaceHasNumbers(t *testing.T) {
	for _, r := range [][2]float64{{-1, 1}, {1e9, 1e9 + 3}, {-1e308, 1e308}, {1e-12, 2e-12}, {1.7e9, 1.7e9 + 3600}, {1, 1 + 1e-9}} {
		x := mat.NewDense(2, 3, []float64{r[0], r[0], r[0], r[1], r[1], r[1]})
		for _, inches := range []vg.Length{3, 3.5, 5} {
			name := fmt.Sprintf("from %v to %v, %v inches", r[0], r[1], inches)
			f := New("space", space.New(space.View{Azimuth: -60, Elevation: 25, Labels: [3]string{"x₁", "a label of the second", "x₃"}}, space.Points(x)))
			numbers := 0
			for _, word := range keepApart(t, name, f.Size(inches*vg.Inch, 0.85*inches*vg.Inch)).placed {
				if strings.ContainsAny(word.text, "0123456789") && !slices.Contains([]string{"+", "×"}, string([]rune(word.text)[:1])) {
					numbers++
				}
			}
			if numbers < 6 {
				t.Errorf("%s: %d numbers, want two on each axis", name, numbers)
			}
		}
	}
}
