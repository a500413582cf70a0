package plotting

import (
	"fmt"
	"image/color"

	"marginalia/plotting/internal/pen"
)

// Name gives the layer an entry in the legend. [Classes], [Gram], [Bars] and [Hist] take
// one name per class or series, in ascending order of the labels or in the order given. A
// class named "" has no entry.
func Name(names ...string) NameStyle { return option(func(l *pen.Look) { l.Names = names }) }

// Color sets the colour of lines, points and text.
func Color(c color.Color) ColorStyle { return option(func(l *pen.Look) { l.Color = c }) }

// Width sets the width of lines, in points (1/72 inch).
func Width(points float64) WidthStyle {
	positive("Width", points)
	return option(func(l *pen.Look) { l.Width = points })
}

// Dashed makes lines dashed.
func Dashed() DashedStyle { return option(func(l *pen.Look) { l.Dashed = true }) }

// Alpha makes the layer translucent: 0 is invisible, 1 opaque.
func Alpha(a float64) AlphaStyle {
	if !(a >= 0 && a <= 1) {
		panic(fmt.Sprintf("plotting: Alpha: %g, want 0 to 1", a))
	}
	return option(func(l *pen.Look) { l.Alpha = a })
}

// Size sets the diameter of points and rings or the height of text, in points
// (1/72 inch).
func Size(points float64) SizeStyle {
	positive("Size", points)
	return option(func(l *pen.Look) { l.Size = points })
}

// Steps draws a line, curve or band as a staircase: each value holds until the next.
func Steps() interface {
	CurveStyle
	LineStyle
} {
	return option(func(l *pen.Look) { l.Steps = true })
}

// Shade tints the positive side of a [Plane], w·x + b > 0, the strip of a [Margin], or
// the inside of an [Ellipse].
func Shade() interface {
	EllipseStyle
	MarginStyle
	PlaneStyle
} {
	return option(func(l *pen.Look) { l.Shade = true })
}

// Scale sets the values at the two ends of the palette of an image or a field.
func Scale(lo, hi float64) ScaleStyle {
	if !(lo < hi) {
		panic(fmt.Sprintf("plotting: Scale: lo = %g, hi = %g, want lo < hi", lo, hi))
	}
	return option(func(l *pen.Look) { l.Scaled, l.Lo, l.Hi = true, lo, hi })
}

// Bar puts a colour bar beside an image or a field, with a label that may be empty.
func Bar(label string) BarStyle {
	return option(func(l *pen.Look) { l.Bar, l.BarLabel = true, label })
}

// Captions writes a text below every image of a [Digits] sheet.
func Captions(texts ...string) DigitsStyle {
	return option(func(l *pen.Look) { l.Captions = texts })
}

func positive(what string, points float64) {
	if !(points > 0) || !pen.Finite(points) {
		panic(fmt.Sprintf("plotting: %s: %g points, want a positive number", what, points))
	}
}
