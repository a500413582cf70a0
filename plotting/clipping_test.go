package plotting

import (
	"image"
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/canvas"
)

// tilted is a layer that draws under a transformation outside of Push.
type tilted struct{}

func (tilted) Plot(c draw.Canvas, _ *plot.Plot) {
	c.Translate(vg.Point{X: 150, Y: 20})
	c.Rotate(0.4)
	c.SetColor(color.Black)
	c.Fill(vg.Rectangle{Max: vg.Point{X: 60, Y: 60}}.Path())
}

// Within its rectangle a clipping canvas shows what a whole one shows, so that a legend finds the
// same corner; elsewhere it leaves out what is far away.
func TestClipping(t *testing.T) {
	const n, side = 400, 200
	X, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n { // all over the axes, by the golden section
		x := float64(i) * 0.6180339887498949
		X.SetRow(i, []float64{x - float64(int(x)), float64(i) / n})
		y[i] = i % 8
	}
	var spiral [2][]float64 // short lines, all over the axes
	for i := range 2000 {
		turns, r := float64(i)/80, 0.00025*float64(i)
		spiral[0], spiral[1] = append(spiral[0], 0.5+r*math.Cos(turns)), append(spiral[1], 0.5+r*math.Sin(turns))
	}
	figure := func(layers ...Layer) *view { return New("", layers...).Range(0, 1, 0, 1).view() }
	for name, v := range map[string]*view{
		"glyphs":  figure(Classes(X.Slice(0, 200, 0, 2), y[:200], Size(9))),
		"stamps":  figure(Classes(X, y)),
		"rings":   figure(Ring(X, []int{1, 5, 80, 200, 399}, Width(5))),
		"lines":   figure(Line(mat.Col(nil, 0, X), mat.Col(nil, 1, X), Width(6)), Plane([]float64{1, -1}, 0.1, Shade())),
		"spiral":  figure(Line(spiral[0], spiral[1], Width(3))),
		"dashes":  figure(Line(spiral[0], spiral[1], Width(3), Dashed())),
		"ellipse": figure(Ellipse([]float64{0.5, 0.5}, [][]float64{{0.05, 0.02}, {0.02, 0.05}}, []float64{1})),
		"text":    figure(Note(0.3, 0.7, "x₁ and x₂"), Arrow(0, 0, 0.9, 0.4, "w")),
		"tilted":  figure(tilted{}),
	} {
		size := vg.Point{X: side, Y: side}
		whole := newInk(size)
		for _, l := range v.layers {
			l.Plot(whole.c, v.plot())
		}
		left := 0
		for _, at := range []vg.Point{{X: 10, Y: 10}, {X: 120, Y: 150}, {X: 70, Y: 80}} {
			part := newInk(size)
			r := vg.Rectangle{Min: at, Max: at.Add(vg.Point{X: 60, Y: 30})}
			c := draw.Canvas{Canvas: &canvas.Clipping{Canvas: part.cv, Only: canvas.Grown(r, 2*vg.Inch/inkDPI)}, Rectangle: part.c.Rectangle}
			for _, l := range v.layers {
				l.Plot(c, v.plot())
			}
			dots := image.Rect(int(r.Min.X.Dots(inkDPI)), int((size.Y - r.Max.Y).Dots(inkDPI)), int(r.Max.X.Dots(inkDPI))+1, int((size.Y-r.Min.Y).Dots(inkDPI))+1)
			for y := range side / 2 {
				for x := range side / 2 {
					same := whole.cv.Image().At(x, y) == part.cv.Image().At(x, y)
					if (image.Point{X: x, Y: y}).In(dots) && !same {
						t.Fatalf("%s: the pixel %d, %d differs within %v", name, x, y, dots)
					} else if !same {
						left++
					}
				}
			}
		}
		if many := name == "glyphs" || name == "stamps" || name == "spiral" || name == "dashes"; many && left == 0 {
			t.Errorf("%s: nothing was left out", name)
		}
	}
}
