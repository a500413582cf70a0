package plotting

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// classes draws samples with one colour and glyph per class.
type classes struct {
	look
	xs, ys []float64
	y      []int
	labels []int // the distinct labels, ascending
	kinds  []int // for each label, the index of its colour and glyph
}

// Classes draws the rows of x, n×2, each with the colour and the glyph of its
// label y[i]. Of two classes labelled -1 and +1 or 0 and 1, the lower is always
// a blue disc and the upper a vermilion square. Labels 0 to 25 always look the
// same, no matter which of them occur, and no two alike: without their colours too, their
// glyphs differ. Of more classes than 26 the looks repeat, and the legend says so.
func Classes(x mat.Matrix, y []int, s ...Style) Layer {
	n, d := x.Dims()
	if d != 2 {
		panic(fmt.Sprintf("plotting: Classes: x is %d×%d, want n×2", n, d))
	}
	if len(y) != n {
		panic(fmt.Sprintf("plotting: Classes: %d rows, %d labels", n, len(y)))
	}
	l := newClasses("Classes", y, s)
	for i := range n {
		l.xs, l.ys = append(l.xs, x.At(i, 0)), append(l.ys, x.At(i, 1))
	}
	return l
}

// newClasses returns the layer without its samples.
func newClasses(what string, y []int, s []Style) *classes {
	l := &classes{look: newLook(what, s, "Names", "Colour", "Size", "Alpha"), y: y}
	l.labels = slices.Compact(slices.Sorted(slices.Values(y)))
	l.kinds = kindsOf(l.labels)
	if len(l.names) > 0 && len(l.names) != len(l.labels) {
		panic(fmt.Sprintf("plotting: %s: %d names, %d classes", what, len(l.names), len(l.labels)))
	}
	return l
}

// kindsOf returns the index of colour and glyph for each of the ascending labels.
func kindsOf(labels []int) []int {
	var kinds []int
	for k, label := range labels {
		kind := label
		switch {
		case signed(labels):
			kind = (label + 1) / 2
		case labels[0] < 0 || labels[len(labels)-1] >= classLooks:
			kind = k
		}
		kinds = append(kinds, kind%classLooks)
	}
	return kinds
}

// signed reports whether every label is -1 or +1.
func signed(labels []int) bool {
	return !slices.ContainsFunc(labels, func(y int) bool { return y != -1 && y != 1 })
}

func (l *classes) coords() (xs, ys []float64) { return l.xs, l.ys }

func (l *classes) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *classes) traits() traits { return traits{features: true} }

func (l *classes) colourOf(k int) color.Color { return l.paint(hue(classHue(l.kinds[k]))) }

func (l *classes) diameter() float64 {
	switch n := len(l.y); {
	case n <= 100:
		return 7.5
	case n <= 500:
		return 5.5
	}
	return 4
}

// index returns the index of sample i's class in l.labels.
func (l *classes) index(i int) int {
	k, _ := slices.BinarySearch(l.labels, l.y[i])
	return k
}

func (l *classes) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	pen := newStamps(&c, len(l.xs))
	for i := range l.xs {
		k := l.index(i)
		pen.mark(l.kinds[k], vg.Point{X: tx(l.xs[i]), Y: ty(l.ys[i])}, l.radius(l.diameter()), l.colourOf(k), func() string {
			return at([]float64{l.xs[i], l.ys[i]}, lengths(p)) + " " + spoken(l.nameOf(k))
		})
	}
}

func (l *classes) nameOf(k int) string {
	switch y := l.labels[k]; {
	case len(l.names) > 0:
		return l.names[k]
	case signed(l.labels) && y > 0:
		return "y = +1"
	case y < 0:
		return fmt.Sprintf("y = −%d", -y)
	default:
		return fmt.Sprintf("y = %d", y)
	}
}

func (l *classes) entries() []entry {
	var es []entry
	for k := range l.labels {
		es = append(es, named(l.nameOf(k), func(c *draw.Canvas, at vg.Point, _ vg.Length) {
			mark(c, l.kinds[k], at, max(keyMark, l.radius(7)), l.colourOf(k))
		})...)
	}
	if n := len(l.labels); n > classLooks && len(es) > 0 {
		es = append(es, repetition(classLooks))
	}
	return es
}

// repetition returns an entry of the legend that says from where on looks are used again.
func repetition(after int) entry {
	return entry{name: fmt.Sprintf("(looks repeat after %d)", after), sign: func(*draw.Canvas, vg.Point, vg.Length) {}}
}

// sizes returns the number of samples in each class.
func (l *classes) sizes() []int {
	n := make([]int, len(l.labels))
	for _, y := range l.y {
		k, _ := slices.BinarySearch(l.labels, y)
		n[k]++
	}
	return n
}

func (l *classes) alt() string {
	var parts []string
	for k, n := range l.sizes() {
		kind := l.kinds[k]
		shape, holed := form(kind)
		look := glyphNames[shape]
		if l.colour == nil {
			look = hueNames[classHue(kind)] + " " + look
		}
		if holed {
			look += " with a hole"
		}
		parts = append(parts, fmt.Sprintf("%d with %s (%s)", n, spoken(l.nameOf(k)), look))
	}
	return count(len(l.y), "point", "points") + ": " + strings.Join(parts, ", ")
}
