package plotting

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"marginalia/plotting/internal/pen"
)

// A Style changes one property of a layer. A function that makes a layer panics if the
// layer lacks that property, and names the styles that it takes.
type Style struct {
	name string
	set  func(*pen.Look)
}

// newLook applies styles to a layer, which takes those named: Names if it has several
// names, Name if it has one.
func newLook(layer string, styles []Style, takes ...string) pen.Look {
	l := pen.Look{Alpha: 1}
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
	if len(l.Names) > 1 && slices.Contains(takes, "Name") {
		panic(fmt.Sprintf("plotting: %s: %d names, want 1", layer, len(l.Names)))
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
func Name(names ...string) Style { return Style{"Name", func(l *pen.Look) { l.Names = names }} }

// Colour sets the colour of lines, points and text.
func Colour(c color.Color) Style { return Style{"Colour", func(l *pen.Look) { l.Colour = c }} }

// Width sets the width of lines, in points (1/72 inch).
func Width(points float64) Style {
	positive("Width", points)
	return Style{"Width", func(l *pen.Look) { l.Width = points }}
}

// Dashed makes lines dashed.
func Dashed() Style { return Style{"Dashed", func(l *pen.Look) { l.Dashed = true }} }

// Alpha makes the layer translucent: 0 is invisible, 1 opaque.
func Alpha(a float64) Style {
	if !(a >= 0 && a <= 1) {
		panic(fmt.Sprintf("plotting: Alpha: %g, want 0 to 1", a))
	}
	return Style{"Alpha", func(l *pen.Look) { l.Alpha = a }}
}

// Size sets the diameter of points and rings or the height of text, in points
// (1/72 inch).
func Size(points float64) Style {
	positive("Size", points)
	return Style{"Size", func(l *pen.Look) { l.Size = points }}
}

// Steps draws a line, curve or band as a staircase: each value holds until the next.
func Steps() Style { return Style{"Steps", func(l *pen.Look) { l.Steps = true }} }

// Shade tints the positive side of a [Plane], w·x + b > 0, the strip of a [Margin], or
// the inside of an [Ellipse].
func Shade() Style { return Style{"Shade", func(l *pen.Look) { l.Shade = true }} }

// Scale sets the values at the two ends of the palette of an image or a field.
func Scale(lo, hi float64) Style {
	if !(lo < hi) {
		panic(fmt.Sprintf("plotting: Scale: lo = %g, hi = %g, want lo < hi", lo, hi))
	}
	return Style{"Scale", func(l *pen.Look) { l.Scaled, l.Lo, l.Hi = true, lo, hi }}
}

// Bar puts a colour bar beside an image or a field, with a label that may be empty.
func Bar(label string) Style {
	return Style{"Bar", func(l *pen.Look) { l.Bar, l.BarLabel = true, label }}
}

// Captions writes a text below every image of a [Digits] sheet.
func Captions(texts ...string) Style {
	return Style{"Captions", func(l *pen.Look) { l.Captions = texts }}
}

func positive(what string, points float64) {
	if !(points > 0) || !pen.Finite(points) {
		panic(fmt.Sprintf("plotting: %s: %g points, want a positive number", what, points))
	}
}
