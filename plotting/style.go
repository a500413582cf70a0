package plotting

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Style changes one property of a layer. A function that makes a layer panics if the
// layer lacks that property, and names the styles that it takes.
type Style struct {
	name string
	set  func(*look)
}

// look is the sum of a layer's styles.
type look struct {
	names    []string
	colour   color.Color
	nth      int // of the layers whose looks the figure chooses; see choose
	width    float64
	size     float64
	alpha    float64
	dashed   bool
	steps    bool
	shade    bool
	scaled   bool
	lo, hi   float64
	bar      bool
	barLabel string
	captions []string
	samples  int
	bins     int
	edges    []float64
	density  bool
	signed   bool
	level    float64
	labelled bool
	parallel bool
	rough    bool // isolines connect the samples directly
}

// newLook applies styles to a layer, which takes those named: Names if it has several
// names, Name if it has one.
func newLook(layer string, styles []Style, takes ...string) look {
	l := look{alpha: 1}
	for i, s := range styles {
		switch {
		case s.set == nil:
			panic(fmt.Sprintf("plotting: %s: style %d is the zero Style", layer, i))
		case s.name == "Name" && slices.Contains(takes, "Names"):
		case !slices.Contains(takes, s.name):
			panic(fmt.Sprintf("plotting: %s: style %s, want %s", layer, s.name, strings.ReplaceAll(alternatives(takes), "Names", "Name")))
		}
		s.set(&l)
	}
	if len(l.names) > 1 && slices.Contains(takes, "Name") {
		panic(fmt.Sprintf("plotting: %s: %d names, want 1", layer, len(l.names)))
	}
	return l
}

// alternatives joins words: a, b or c.
func alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Name gives the layer an entry in the legend. [Classes], [Gram], [Bars] and [Hist] take
// one name per class or series, in ascending order of the labels or in the order given.
func Name(names ...string) Style { return Style{"Name", func(l *look) { l.names = names }} }

// Colour sets the colour of lines, points and text.
func Colour(c color.Color) Style { return Style{"Colour", func(l *look) { l.colour = c }} }

// Width sets the width of lines, in points (1/72 inch).
func Width(points float64) Style {
	positive("Width", points)
	return Style{"Width", func(l *look) { l.width = points }}
}

// Dashed makes lines dashed.
func Dashed() Style { return Style{"Dashed", func(l *look) { l.dashed = true }} }

// Alpha makes the layer translucent: 0 is invisible, 1 opaque.
func Alpha(a float64) Style {
	if !(a >= 0 && a <= 1) {
		panic(fmt.Sprintf("plotting: Alpha: %g, want 0 to 1", a))
	}
	return Style{"Alpha", func(l *look) { l.alpha = a }}
}

// Size sets the diameter of points and rings or the height of text, in points
// (1/72 inch).
func Size(points float64) Style {
	positive("Size", points)
	return Style{"Size", func(l *look) { l.size = points }}
}

// Steps draws a line, curve or band as a staircase: each value holds until the next.
func Steps() Style { return Style{"Steps", func(l *look) { l.steps = true }} }

// Shade tints the positive side of a [Plane], w·x + b > 0, the strip of a [Margin], or
// the inside of an [Ellipse].
func Shade() Style { return Style{"Shade", func(l *look) { l.shade = true }} }

// Scale sets the values at the two ends of the palette of an image or a field.
func Scale(lo, hi float64) Style {
	if !(lo < hi) {
		panic(fmt.Sprintf("plotting: Scale: lo = %g, hi = %g, want lo < hi", lo, hi))
	}
	return Style{"Scale", func(l *look) { l.scaled, l.lo, l.hi = true, lo, hi }}
}

// Bar puts a colour bar beside an image or a field, with a label that may be empty.
func Bar(label string) Style { return Style{"Bar", func(l *look) { l.bar, l.barLabel = true, label }} }

// Captions writes a text below every image of a [Digits] sheet.
func Captions(texts ...string) Style { return Style{"Captions", func(l *look) { l.captions = texts }} }

func positive(what string, points float64) {
	if !(points > 0) || !finite(points) {
		panic(fmt.Sprintf("plotting: %s: %g points, want a positive number", what, points))
	}
}

// name returns the first name, or "" if there is none.
func (l *look) name() string {
	if len(l.names) == 0 {
		return ""
	}
	return l.names[0]
}

// paint returns the layer's colour, or otherwise if it has none, with its alpha.
func (l *look) paint(otherwise color.Color) color.Color {
	c := l.colour
	if c == nil {
		c = otherwise
	}
	return fade(c, l.alpha)
}

// choose sets the colour of layer k of those that leave it to the figure. After eight layers the
// colours repeat, and dashes or glyphs tell the layers apart.
func (l *look) choose(k int) { l.colour, l.nth = hue(k), k }

// turn returns how often the figure had used all of its colours before.
func (l *look) turn() int { return l.nth / len(hues) }

// glyph returns the kind of the layer's points: discs in the first turn, then those of the classes.
func (l *look) glyph() int {
	if l.nth < len(hues) {
		return 0
	}
	return len(hues) + (l.nth-len(hues))%(classLooks-len(hues))
}

// turnDashes are the dashes for each turn of the colours but the first, in widths of the line: dots,
// dots and dashes, long dashes. Neighbours in the palette differ, since orange and sky blue are
// equally light. None is that of [Dashed].
var turnDashes = [...][2][]float64{{{1, 1.5}, {1, 3}}, {{6, 1.5, 1, 1.5}, {4, 1.5, 1, 1.5, 1, 1.5}}, {{8, 3}, {5, 1.5}}}

func (l *look) line(otherwise color.Color, width float64) draw.LineStyle {
	if l.width > 0 {
		width = l.width
	}
	s := draw.LineStyle{Color: l.paint(otherwise), Width: vg.Points(width)}
	if l.dashed {
		s.Dashes = []vg.Length{vg.Points(3*width + 1), vg.Points(1.5*width + 1)}
	} else if turn := l.turn(); turn > 0 {
		for _, d := range turnDashes[(turn-1)%len(turnDashes)][l.nth%2] {
			s.Dashes = append(s.Dashes, vg.Points(d*width))
		}
	}
	return s
}

func (l *look) radius(diameter float64) vg.Length {
	if l.size > 0 {
		diameter = l.size
	}
	return vg.Points(diameter / 2)
}
