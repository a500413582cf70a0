package plotting

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/axis"
	"marginalia/plotting/internal/pen"
)

// Bars start at the frame unless some are negative. Labeled values get a line of room.
func TestBarsRange(t *testing.T) {
	for _, c := range []struct {
		name   string
		series [][]float64
		s      []BarsStyle
		lo, hi float64
	}{
		{"positive", [][]float64{{1, 10}}, nil, 0, 10.5},
		{"negative", [][]float64{{-1, -10}}, nil, -10.5, 0},
		{"both", [][]float64{{-10, math.NaN()}, {10, math.Inf(1)}}, nil, -11, 11},
		{"labelled", [][]float64{{-10, 10}}, []BarsStyle{Labeled()}, -12.4 - 1.24, 12.4 + 1.24},
	} {
		v := New("", Bars([]string{"a", "b"}, c.series, c.s...)).view()
		if math.Abs(v.y.Min-c.lo) > 1e-9 || math.Abs(v.y.Max-c.hi) > 1e-9 {
			t.Errorf("%s: y from %g to %g, want %g to %g", c.name, v.y.Min, v.y.Max, c.lo, c.hi)
		}
	}
}

// The colour in the middle of each bar of a figure, and above the bar.
func TestBarsPixels(t *testing.T) {
	fig := New("", Bars([]string{"a", "b", "c"}, [][]float64{{4, -2, math.NaN()}})).Range(0.5, 3.5, -4, 4)
	w, h := fig.Extent()
	_, box := fitted(fig, w, h)
	img := decoded(t, fig.PNG(96))
	for _, c := range []struct {
		x, y float64
		want pen.Hue
	}{{1, 2, pen.Blue}, {1, 3.9, pen.Blue}, {1, -0.5, pen.Paper}, {2, -1, pen.Blue}, {2, -2.5, pen.Paper}, {2, 0.5, pen.Paper}, {3, 1, pen.Paper}, {1.5, 1, pen.Paper}} {
		at := vg.Point{X: box.Min.X + vg.Length((c.x-0.5)/3)*box.Size().X, Y: box.Min.Y + vg.Length((c.y+4)/8)*box.Size().Y}
		got := color.RGBAModel.Convert(img.At(int(at.X.Dots(96)), int((h - at.Y).Dots(96))))
		if want := color.RGBAModel.Convert(c.want); got != want {
			t.Errorf("at (%g, %g) the colour is %v, want %v", c.x, c.y, got, want)
		}
	}
}

// Names are broken into lines at spaces if that suffices, and slope otherwise. At 40
// degrees, lines of 9-point text, 10.5 points high in DejaVu Sans, are 16.3 points apart.
func TestNames(t *testing.T) {
	a := axis.Axis{Min: 0.5, Max: 3.5, Names: []string{"one two", "three", "four five six"}}
	for _, c := range []struct {
		length vg.Length
		want   string
		slope  float64
	}{
		{300, "one two|three|four five six", 0},
		{160, "one two|three|four five\nsix", 0},
		{120, "one\ntwo|three|four\nfive six", 0},
		{60, "one two|three|four five six", axis.Sloping},
		{3 * 16.5, "one two|three|four five six", axis.Sloping},
		{3 * 16.1, "one two|three|four five six", axis.Upright},
	} {
		a.SetNames(c.length)
		var got []string
		for _, tick := range a.Ticks {
			got = append(got, tick.Label)
		}
		if s := strings.Join(got, "|"); s != c.want || a.Slope != c.slope {
			t.Errorf("on %v points: %q, sloping %v, want %q, %v", c.length, s, a.Slope, c.want, c.slope)
		}
		sty := pen.Style(pen.TickSize)
		for _, tick := range a.Ticks {
			if a.Slope == 0 && sty.Width(tick.Label) > c.length/3-5 {
				t.Errorf("on %v points: %q is %v wide", c.length, tick.Label, sty.Width(tick.Label))
			}
		}
	}
}

// In a narrow column panels are stacked, with full rows if possible.
func TestTileResizedColumns(t *testing.T) {
	fig := func() *Figure { return New("", Curve(math.Sin)) }
	for _, c := range []struct {
		cols, n int
		inches  vg.Length
		want    int
	}{
		{2, 2, 6, 2}, {2, 2, 4.1, 2}, {2, 2, 4, 1}, {2, 4, 3.2, 1}, {4, 4, 6.5, 2}, {4, 4, 9, 4}, {3, 5, 4.5, 2}, {3, 3, 1, 1},
		{3, 3, 6.2, 3}, {3, 3, 5, 3}, {3, 3, 4.2, 1}, {2, 3, 4.2, 2}, // three stay in a row, or in a column
	} {
		var figs []*Figure
		for range c.n {
			figs = append(figs, fig())
		}
		p := Tile(c.cols, figs...).Resized(c.inches * vg.Inch)
		if p.cols != c.want {
			t.Errorf("%d panels of %d columns in %v inches: %d columns, want %d", c.n, c.cols, float64(c.inches), p.cols, c.want)
		}
		if w, _ := p.Extent(); math.Abs(float64(w-c.inches*vg.Inch)) > 2*float64(c.cols) {
			t.Errorf("%d panels of %d columns in %v inches are %v inches wide", c.n, c.cols, float64(c.inches), float64(w/vg.Inch))
		}
	}
}

// A legend that loses its free corner when the panels are aligned moves beside the axes.
func TestTileLegendHidesNothing(t *testing.T) {
	narrow := New("", Bars([]string{"x₁", "x₂", "x₁x₂"}, [][]float64{{2, -1.5, 0.5}, {1.2, -0.8, -0.4}, {0.3, 1, -1}}, Name("λ = 0", "λ = 1", "λ = 10")))
	sloping := New("", Bars([]string{"a rather long name", "another of them", "last"}, [][]float64{{1, 2, 3}})).Size(2*vg.Inch, 3*vg.Inch)
	s := Tile(2, narrow, sloping).sheet()
	r := vg.Rectangle{}
	r.Max.X, r.Max.Y = s.size()
	for i, v := range s.views {
		v.fit(s.cell(i, r))
	}
	boxes, fits := s.boxes(r)
	for !fits {
		boxes, fits = s.boxes(r)
	}
	for i, v := range s.views {
		if v.legend != nil && v.freeCorner(boxes[i]) == nil {
			t.Errorf("panel %d: the legend hides bars", i)
		}
	}
}
