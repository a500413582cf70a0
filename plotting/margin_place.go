package plotting

import (
	"image"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"marginalia/plotting/internal/canvas"
	"marginalia/plotting/internal/pen"
)

// placing is a layer that can put its labels in several places.
type placing interface {
	Layer
	labels() int
	// bare returns the layer without its labels.
	bare() Layer
	// place returns the layer with its labels where they cover the least ink.
	place(ink func(vg.Rectangle) int, c draw.Canvas, p *plot.Plot) Layer
}

// inkMap is a small drawing of the layers; it shows where there is room.
type inkMap struct {
	cv *vgimg.Canvas
	c  draw.Canvas
}

const inkDPI = 36

func newInk(size vg.Point) *inkMap {
	cv := canvas.NewPixels(size.X, size.Y, inkDPI, pen.Paper)
	return &inkMap{cv, draw.New(cv)}
}

// in counts the dots of ink in a rectangle and right beside it. For a rectangle that
// leaves the paper it returns math.MaxInt.
func (k *inkMap) in(r vg.Rectangle) (n int) {
	size := k.c.Size()
	if r.Min.X < 0 || r.Min.Y < 0 || r.Max.X > size.X || r.Max.Y > size.Y {
		return math.MaxInt
	}
	dots := func(x vg.Length) int { return int(math.Floor(x.Dots(inkDPI))) }
	for y := dots(size.Y - r.Max.Y); y <= dots(size.Y-r.Min.Y); y++ {
		for x := dots(r.Min.X); x <= dots(r.Max.X); x++ {
			if !blank(k.cv.Image(), image.Rect(x, y, x+1, y+1)) {
				n++
			}
		}
	}
	return n
}

// settle makes the layers place their labels for axes of the given size. Each avoids the
// drawings of all layers and the labels placed before it.
func (v *view) settle(size vg.Point) {
	some := false
	for _, l := range v.layers {
		if q, ok := l.(placing); ok {
			some = some || q.labels() > 0
		}
	}
	if !some {
		return
	}
	k, p := newInk(size), v.plot()
	for _, l := range v.layers {
		if q, ok := l.(placing); ok {
			l = q.bare()
		}
		if !traitsOf(l).Ground {
			l.Plot(k.c, p)
		}
	}
	for i, l := range v.layers {
		if q, ok := l.(placing); ok && q.labels() > 0 {
			v.layers[i] = q.place(k.in, k.c, p)
			v.layers[i].Plot(k.c, p)
		}
	}
}

// spot is the place of a label: how far along a line, and on which side.
type spot struct{ along, side float64 }

// spots returns the places to try, the best first.
func spots(alongs ...float64) (all []spot) {
	for _, t := range alongs {
		all = append(all, spot{t, 1}, spot{t, -1})
	}
	return all
}

// unit returns the unit vector from a to b, upwards if a = b.
func unit(a, b vg.Point) vg.Point {
	if a == b {
		return vg.Point{Y: 1}
	}
	return b.Sub(a).Scale(1 / apartBy(a, b))
}
