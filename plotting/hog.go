package plotting

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// cells are histograms of oriented gradients.
type cells struct {
	pen.Look
	hist         [][]float64 // by cell, row by row
	w, h         int         // size of the image in pixels
	cell         int         // side of a cell in pixels
	down, across int
}

// Cells draws histograms of oriented gradients over a faded image of w×h pixels. hist has
// a row per square cell of cell×cell pixels, row by row, and a column per orientation. Bin
// k of n stands for gradients at (k + ½)·180°/n, measured clockwise from the direction of
// the rows. A stroke runs along the edge, perpendicular to the gradient, and is as long
// as the bin's value. Negative values, such as weights of a classifier, are blue. With
// [Signed] the bins cover 360°, and strokes point to where the pixel values rise.
//
// Pixels that don't fill a cell are left out at the borders, equally on both sides or one
// more at the right and bottom. The rows are those of feature.HOG with blocks of one
// cell.
func Cells(hist mat.Matrix, w, h, cell int, s ...CellsStyle) Layer {
	if cell < 1 || w < cell || h < cell {
		panic(fmt.Sprintf("plotting: Cells: %d×%d pixels with cells of %d, want at least one cell", w, h, cell))
	}
	l := &cells{Look: pen.NewLook("Cells", s), w: w, h: h, cell: cell, down: h / cell, across: w / cell}
	n, bins := hist.Dims()
	if n != l.down*l.across {
		panic(fmt.Sprintf("plotting: Cells: %d rows, want %d, for %d×%d cells of %d pixels", n, l.down*l.across, l.down, l.across, cell))
	}
	for i := range n {
		row := make([]float64, bins)
		for k := range row {
			row[k] = hist.At(i, k)
		}
		l.hist = append(l.hist, row)
	}
	return l
}

// Signed makes the bins of [Cells] cover 360° instead of 180°.
func Signed() CellsStyle { return option(func(l *pen.Look) { l.Signed = true }) }

func (l *cells) coords() (xs, ys []float64) {
	return []float64{0, float64(l.w)}, []float64{0, -float64(l.h)}
}

func (l *cells) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *cells) Traits() pen.Traits { return pen.Traits{Image: true} }

// centre returns the centre of a cell in pixels, with y upwards from the upper left corner.
func (l *cells) centre(i int) (x, y float64) {
	left, top := (l.w-l.across*l.cell)/2, (l.h-l.down*l.cell)/2
	return float64(left) + (float64(i%l.across)+0.5)*float64(l.cell), -float64(top) - (float64(i/l.across)+0.5)*float64(l.cell)
}

// stroke returns the direction of bin k in the figure, with y upwards: along the edge or,
// if signed, along the gradient.
func (l *cells) stroke(k, bins int) (x, y float64) {
	angle := (float64(k) + 0.5) / float64(bins)
	if l.Signed {
		sin, cos := math.Sincos(2 * math.Pi * angle)
		return cos, -sin
	}
	sin, cos := math.Sincos(math.Pi * angle)
	return sin, cos
}

// longest returns the greatest absolute value. Its stroke is as long as the cell is wide.
func (l *cells) longest() float64 {
	low, high := extremes(l.hist)
	return math.Max(0, math.Max(-low, high))
}

func (l *cells) colourOf(v float64) color.Color {
	if v < 0 {
		return pen.Fade(pen.Blue, l.Alpha)
	}
	return l.Paint(pen.Vermilion)
}

func (l *cells) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	veil := []vg.Point{{X: tx(0), Y: ty(0)}, {X: tx(float64(l.w)), Y: ty(0)}, {X: tx(float64(l.w)), Y: ty(-float64(l.h))}, {X: tx(0), Y: ty(-float64(l.h))}}
	c.FillPolygon(pen.Fade(pen.Paper, 0.6), c.ClipPolygonXY(veil))
	most := l.longest()
	if most == 0 {
		return
	}
	side := tx(float64(l.cell)) - tx(0)
	width := l.Width
	if width == 0 {
		width = math.Min(2, math.Max(0.5, 0.06*float64(side)))
	}
	for i, row := range l.hist {
		x, y := l.centre(i)
		at := vg.Point{X: tx(x), Y: ty(y)}
		for k, v := range row {
			if !pen.Finite(v) || v == 0 {
				continue
			}
			dx, dy := l.stroke(k, len(row))
			d := vg.Point{X: vg.Length(dx), Y: vg.Length(dy)}.Scale(0.5 * side * vg.Length(math.Abs(v)/most))
			from := at.Sub(d)
			if l.Signed {
				from = at
			}
			sty := draw.LineStyle{Color: l.colourOf(v), Width: vg.Points(width)}
			c.StrokeLines(sty, c.ClipLinesXY([]vg.Point{from, at.Add(d)})...)
		}
	}
}

func (l *cells) Entries() []pen.Entry {
	return pen.Named(l.Name(), func(c *draw.Canvas, at vg.Point, _ vg.Length) {
		const rays = 4
		for k := range rays {
			sin, cos := math.Sincos(math.Pi * float64(k) / rays)
			d := vg.Point{X: vg.Length(cos), Y: vg.Length(sin)}.Scale(vg.Length(6 - k))
			c.StrokeLine2(draw.LineStyle{Color: l.colourOf(1), Width: 1}, at.X-d.X, at.Y-d.Y, at.X+d.X, at.Y+d.Y)
		}
	})
}

func (l *cells) Alt() string {
	bins := 0
	if len(l.hist) > 0 {
		bins = len(l.hist[0])
	}
	return fmt.Sprintf("oriented gradients%s in %d×%d cells of %d×%d pixels, %d orientations", pen.Called(l.Name()), l.down, l.across, l.cell, l.cell, bins)
}
