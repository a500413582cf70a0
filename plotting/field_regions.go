package plotting

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
	"marginalia/plotting/isoline"
)

// regions tints the plane by class.
type regions struct{ sampled }

// Regions tints each point of the plane in the colour of its class, and draws the
// borders between classes. The field f is a label, such as OfLabels(m.Predict) or
// Sign(score). Classes have the colours that [Classes] gives them, from the ninth on with
// stripes or dots. Where f is NaN the plane stays white.
func Regions(f Field, s ...RegionsStyle) Layer {
	l := pen.NewLook("Regions", s)
	return &regions{sampled{Look: l, f: f}}
}

func (l *regions) fresh() Layer { return &regions{l.anew()} }

func (l *regions) Traits() pen.Traits { return pen.Traits{Features: true} }

// fine is the number of pieces per edge of a grid cell along a border of classes.
const fine = 4

func (l *regions) Plot(c draw.Canvas, p *plot.Plot) {
	g := l.values(p)
	axes := axesOf(p)
	nx, ny := len(g.X), len(g.Y)
	// Labels of the pieces, evaluated only in cells with different labels at the corners.
	w, h := fine*(nx-1), fine*(ny-1)
	labels := make([]float64, w*h)
	for y := range h {
		for x := range w {
			z := g.Z[y/fine*nx+x/fine:]
			label := z[0]
			if z[1] != label || z[nx] != label || z[nx+1] != label {
				label = l.f(axes.at((float64(x)+0.5)/float64(w), (float64(y)+0.5)/float64(h)))
			}
			labels[y*w+x] = label
		}
	}
	classes, kinds := classesIn(labels)
	palette := []color.NRGBA{pen.Mix(pen.Paper, pen.Paper, 0)}
	for _, strength := range []float64{1, striped} {
		for _, h := range pen.Hues {
			palette = append(palette, pen.Mix(pen.Paper, h, tintOf(h)*l.Alpha*strength))
		}
	}
	size := c.Size()
	colours := make([]uint8, len(labels))
	for i, v := range labels {
		if i > 0 && v == labels[i-1] {
			colours[i] = colours[i-1]
		} else if k, ok := slices.BinarySearch(classes, v); ok {
			colours[i] = uint8(kinds[k] + 1)
		}
	}
	paintRows(c, w, palette, func(v float64, us []float64, dst []uint8) {
		line := colours[min(int(v*float64(h)), h-1)*w:]
		for x, u := range us {
			if dst[x] = line[min(int(u*float64(w)), w-1)]; dst[x] == 0 {
				continue
			}
			kind := int(dst[x]) - 1
			dst[x] = uint8(1 + pen.ClassHue(kind))
			if stripe(kind, u*size.X.Points(), v*size.Y.Points()) {
				dst[x] += uint8(len(pen.Hues))
			}
		}
	})
	// Each border separates two classes, so one class can be left out.
	for k := range len(classes) - 1 {
		for _, path := range l.border(g, classes[k]) {
			xs, ys := coordinates(path)
			lineAt(c, p, l.Line(pen.Edge, 0.9), xs, ys)
		}
	}
}

// classesIn returns the distinct finite labels, ascending, and the look of each.
func classesIn(labels []float64) (classes []float64, kinds []int) {
	for i, v := range labels {
		if !pen.Finite(v) || i > 0 && v == labels[i-1] {
			continue
		}
		if k, found := slices.BinarySearch(classes, v); !found {
			classes = slices.Insert(classes, k, v)
		}
	}
	whole := make([]int, len(classes))
	for k, v := range classes {
		whole[k] = int(math.Round(v))
	}
	return classes, pen.KindsOf(whole)
}

// striped is the strength of the tint in the stripes of a class.
const striped = 0.3

// stripe reports whether a point, given in points of length, lies in a stripe of a class. The first
// eight classes have none. The others have six patterns at three distances.
func stripe(kind int, x, y float64) bool {
	kind -= len(pen.Hues)
	if kind < 0 {
		return false
	}
	apart := []float64{6, 9, 13}[kind/6%3]
	in := func(at float64) bool { return at/apart-math.Floor(at/apart) < 0.36 }
	switch kind % 6 {
	case 0:
		return in((x + y) / math.Sqrt2)
	case 1:
		return in((x - y) / math.Sqrt2)
	case 2:
		return in(y)
	case 3:
		return in(x)
	case 4:
		return in(x) || in(y)
	}
	return in(x) && in(y) // dots
}

// tintOf returns the share of a colour in its tint. All tints are equally light, and
// light enough for points and text. In greyscale print the borders tell classes apart.
func tintOf(h pen.Hue) float64 { return min(0.4, 0.115/(1-luminance(h))) }

// luminance returns the lightness of a colour, from 0 to 1, from its screen values.
//
// Source of the weights: ITU-R BT.709-6 (2015), table 3.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	return (0.2126*float64(r) + 0.7152*float64(g) + 0.0722*float64(b)) / 0xFFFF
}

// border returns the lines around a class.
func (l *regions) border(g isoline.Grid, class float64) []isoline.Path {
	side := func(v float64) float64 {
		switch {
		case math.IsNaN(v):
			return v
		case v == class:
			return 1
		}
		return -1
	}
	b := isoline.Grid{X: g.X, Y: g.Y, Z: make([]float64, len(g.Z)), F: func(x, y float64) float64 { return side(l.f(x, y)) }}
	for i, v := range g.Z {
		b.Z[i] = side(v)
	}
	return b.Lines(0)
}

func (l *regions) Alt() string { return "the plane tinted by class" }

// lineAt strokes a polyline given in data coordinates.
func lineAt(c draw.Canvas, p *plot.Plot, sty draw.LineStyle, xs, ys []float64) {
	polyline(c, sty, onCanvas(c, p, xs, ys))
}

// onCanvas returns the places of points on the canvas.
func onCanvas(c draw.Canvas, p *plot.Plot, xs, ys []float64) []vg.Point {
	tx, ty := p.Transforms(&c)
	points := make([]vg.Point, len(xs))
	for i := range xs {
		points[i] = vg.Point{X: tx(xs[i]), Y: ty(ys[i])}
	}
	return points
}
