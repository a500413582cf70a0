package pen

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Look is the sum of a layer's styles.
type Look struct {
	Names    []string
	Color    color.Color
	nth      int // of the layers whose looks the figure chooses; see Choose
	Width    float64
	Size     float64
	Alpha    float64
	Dashed   bool
	Steps    bool
	Shade    bool
	Scaled   bool
	Lo, Hi   float64
	Bar      bool
	BarLabel string
	Captions []string
	Samples  int
	Bins     int
	Edges    []float64
	Density  bool
	Signed   bool
	Level    float64
	Labeled  bool
	Parallel bool
	Rough    bool // isolines connect the samples directly
}

// Setter sets a part of a look.
type Setter interface{ Set(*Look) }

// NewLook returns the look of a layer with at most one name.
func NewLook[S Setter](layer string, styles []S) Look {
	l := NewLooks(layer, styles)
	if len(l.Names) > 1 {
		panic(fmt.Sprintf("plotting: %s: %d names, want 1", layer, len(l.Names)))
	}
	return l
}

// NewLooks returns the look of a layer with any number of names.
func NewLooks[S Setter](layer string, styles []S) Look {
	l := Look{Alpha: 1}
	for i, s := range styles {
		if any(s) == nil {
			panic(fmt.Sprintf("plotting: %s: style %d is nil", layer, i))
		}
		s.Set(&l)
	}
	return l
}

// Name returns the first name, or "" if there is none.
func (l *Look) Name() string {
	if len(l.Names) == 0 {
		return ""
	}
	return l.Names[0]
}

// Paint returns the layer's colour, or otherwise if it has none, with its alpha.
func (l *Look) Paint(otherwise color.Color) color.Color {
	c := l.Color
	if c == nil {
		c = otherwise
	}
	return Fade(c, l.Alpha)
}

// Choose sets the colour of layer k of those that leave it to the figure, and reports whether this
// is one of them. After eight layers the colours repeat, and dashes or glyphs tell the layers apart.
func (l *Look) Choose(k int) bool {
	if l.Color != nil {
		return false
	}
	l.Color, l.nth = NthHue(k), k
	return true
}

// turn returns how often the figure had used all of its colours before.
func (l *Look) turn() int { return l.nth / len(Hues) }

// Glyph returns the kind of the layer's points: discs in the first turn, then those of the classes.
func (l *Look) Glyph() int {
	if l.nth < len(Hues) {
		return 0
	}
	return len(Hues) + (l.nth-len(Hues))%(ClassLooks-len(Hues))
}

// turnDashes are the dashes for each turn of the colours but the first, in widths of the line: dots,
// dots and dashes, long dashes. Neighbours in the palette differ, since orange and sky blue are
// equally light. None is that of [Dashed].
var turnDashes = [...][2][]float64{{{1, 1.5}, {1, 3}}, {{6, 1.5, 1, 1.5}, {4, 1.5, 1, 1.5, 1, 1.5}}, {{8, 3}, {5, 1.5}}}

// Line returns the style of lines, with a colour and a width for a look that has none.
func (l *Look) Line(otherwise color.Color, width float64) draw.LineStyle {
	if l.Width > 0 {
		width = l.Width
	}
	s := draw.LineStyle{Color: l.Paint(otherwise), Width: vg.Points(width)}
	if l.Dashed {
		s.Dashes = []vg.Length{vg.Points(3*width + 1), vg.Points(1.5*width + 1)}
	} else if turn := l.turn(); turn > 0 {
		for _, d := range turnDashes[(turn-1)%len(turnDashes)][l.nth%2] {
			s.Dashes = append(s.Dashes, vg.Points(d*width))
		}
	}
	return s
}

// Radius returns the radius of points, with a diameter for a look that has none.
func (l *Look) Radius(diameter float64) vg.Length {
	if l.Size > 0 {
		diameter = l.Size
	}
	return vg.Points(diameter / 2)
}

// Dots are the legend entries of points with this look.
func (l *Look) Dots() []Entry {
	return Named(l.Name(), func(c *draw.Canvas, at vg.Point, _ vg.Length) {
		Mark(c, l.Glyph(), at, max(KeyMark, l.Radius(5.5)), l.Paint(Blue))
	})
}

// Rules are the legend entries of lines in a style.
func (l *Look) Rules(sty draw.LineStyle) []Entry {
	return Named(l.Name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		c.StrokeLine2(sty, at.X-w/2, at.Y, at.X+w/2, at.Y)
	})
}

// Segment returns the line of a segment or, with a head, of an arrow.
func (l *Look) Segment(head bool) draw.LineStyle {
	if head {
		return l.Line(Green, 2)
	}
	return l.Line(Edge, 1.2)
}

// Segments are the legend entries of segments or arrows with this look.
func (l *Look) Segments(head bool) []Entry {
	return Named(l.Name(), func(c *draw.Canvas, at vg.Point, w vg.Length) {
		from, to := vg.Point{X: at.X - w/2, Y: at.Y}, vg.Point{X: at.X + w/2, Y: at.Y}
		if head {
			Arrow(*c, from, to, l.Segment(head))
			return
		}
		c.StrokeLine2(l.Segment(head), from.X, from.Y, to.X, to.Y)
	})
}
