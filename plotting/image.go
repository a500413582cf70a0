package plotting

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/canvas"
	"marginalia/plotting/internal/pen"
)

// raster is a matrix, or a sheet of matrices of one size, as coloured cells.
type raster struct {
	pen.Look
	cells [][]float64 // row by row
	w, h  int         // size of each, in cells
	cols  int         // images per row of the sheet
	name  string
	sheet bool // with gaps and rims, without a common frame
}

// Matrix draws the entries of m as square cells, the first row on top. If entries have
// both signs, the palette runs symmetrically from blue through white at 0 to vermilion, and
// a dash marks each negative entry, which tells it from a positive one in a grey print;
// otherwise from white at 0 to black. [Scale] sets other ends, [Bar] adds a colour bar.
func Matrix(m mat.Matrix, s ...ImageStyle) Layer {
	h, w := m.Dims()
	v := make([]float64, 0, h*w)
	for i := range h {
		for j := range w {
			v = append(v, m.At(i, j))
		}
	}
	return newRaster(pen.NewLook("Matrix", s), [][]float64{v}, w, h, 1, fmt.Sprintf("matrix %d×%d", h, w))
}

// Image draws pixels, given row by row, as [Matrix] draws entries: a digit, or the weights
// of a linear classifier of such images (without the bias).
func Image(pixels []float64, width int, s ...ImageStyle) Layer {
	if width <= 0 || len(pixels) == 0 || len(pixels)%width != 0 {
		panic(fmt.Sprintf("plotting: Image: %d pixels, width %d, want whole rows", len(pixels), width))
	}
	h := len(pixels) / width
	return newRaster(pen.NewLook("Image", s), [][]float64{pixels}, width, h, 1, fmt.Sprintf("image of %d×%d pixels", width, h))
}

// Digits draws every row of x, n×(w·h), as an image of w×h pixels, cols images per row of
// a sheet, all on the same scale. [Captions] writes a text below each.
func Digits(x mat.Matrix, w, h, cols int, s ...DigitsStyle) Layer {
	n, d := x.Dims()
	if w <= 0 || h <= 0 || d != w*h {
		panic(fmt.Sprintf("plotting: Digits: rows of %d pixels, want %d×%d", d, w, h))
	}
	if cols <= 0 {
		panic(fmt.Sprintf("plotting: Digits: %d columns, want at least 1", cols))
	}
	cells := make([][]float64, n)
	for i := range cells {
		cells[i] = mat.Row(nil, i, x)
	}
	l := newRaster(pen.NewLook("Digits", s), cells, w, h, min(cols, max(n, 1)), fmt.Sprintf("sheet of %s of %d×%d pixels", pen.Count(n, "image", "images"), w, h))
	if c := l.Captions; len(c) > 0 && len(c) != n {
		panic(fmt.Sprintf("plotting: Digits: %d images, %d captions", n, len(c)))
	}
	l.sheet = true
	return l
}

func newRaster(looks pen.Look, cells [][]float64, w, h, cols int, name string) *raster {
	l := &raster{Look: looks, cells: cells, w: w, h: h, cols: cols, name: name}
	if l.Scaled {
		return l
	}
	low, high := extremes(cells)
	l.Lo, l.Hi = math.Min(0, low), math.Max(0, high)
	if l.Lo < 0 && l.Hi > 0 {
		l.Hi = math.Max(l.Hi, -l.Lo)
		l.Lo = -l.Hi
	}
	if l.Lo == l.Hi {
		l.Hi = 1
	}
	return l
}

// shadeOf maps a value to its colour. NaN is grey; values beyond an end get its colour.
func (l *raster) shadeOf(x float64) color.NRGBA {
	if math.IsNaN(x) {
		return pen.Mix(pen.Edge, pen.Edge, 0)
	}
	t := math.Min(1, math.Max(0, (x-l.Lo)/(l.Hi-l.Lo)))
	switch {
	case l.Lo < 0 && l.Hi > 0:
		// Two halves, with white at 0 for any ends.
		if x < 0 {
			return pen.Ramp(pen.Cold[:], math.Min(1, x/l.Lo))
		}
		return pen.Ramp(pen.Warm[:], math.Min(1, x/l.Hi))
	case l.Hi <= 0:
		return pen.Mix(pen.Paper, pen.Black, 1-t)
	}
	return pen.Mix(pen.Paper, pen.Black, t)
}

// gap returns the gap between images of a sheet, and caption the height of a line of
// captions, both in pixels of the images.
func (l *raster) gap() float64 {
	if !l.sheet {
		return 0
	}
	return 0.12 * float64(max(l.w, l.h))
}

func (l *raster) caption() float64 {
	if len(l.Captions) == 0 {
		return 0
	}
	return 0.24 * float64(l.h)
}

// within returns the sheet for a column of width w: with fewer images per row if they
// would be less than half an inch wide, spread evenly over the rows.
func (l *raster) within(w vg.Length) *raster {
	const least = vg.Inch / 2
	q := *l
	if fit := max(1, int(w/(least*vg.Length(1+l.gap()/float64(l.w))))); fit < l.cols {
		rows := (len(l.cells) + fit - 1) / fit
		q.cols = (len(l.cells) + rows - 1) / rows
	}
	return &q
}

// place returns the upper left corner of image k.
func (l *raster) place(k int) (x, y float64) {
	col, row := k%l.cols, k/l.cols
	return float64(col) * (float64(l.w) + l.gap()), -float64(row) * (float64(l.h) + l.caption() + l.gap())
}

func (l *raster) coords() (xs, ys []float64) {
	rows := (len(l.cells) + l.cols - 1) / l.cols
	return []float64{0, float64(l.cols)*(float64(l.w)+l.gap()) - l.gap()},
		[]float64{0, -float64(rows)*(float64(l.h)+l.caption()+l.gap()) + l.gap()}
}

func (l *raster) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *raster) Traits() pen.Traits { return pen.Traits{Image: true, Sheet: l.sheet} }

func (l *raster) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for k, v := range l.cells {
		x, y := l.place(k)
		r := vg.Rectangle{Min: vg.Point{X: tx(x), Y: ty(y - float64(l.h))}, Max: vg.Point{X: tx(x + float64(l.w)), Y: ty(y)}}
		paintCells(c, r, l.w, l.h, func(i, j int) color.NRGBA { return l.shadeOf(v[i*l.w+j]) })
		if l.Lo < 0 && l.Hi > 0 {
			l.minus(c, r, v)
		}
		if !l.sheet {
			continue
		}
		c.SetLineStyle(draw.LineStyle{Color: pen.Zero, Width: vg.Points(0.5)})
		c.Stroke(r.Path())
		if len(l.Captions) > 0 {
			high := float64(ty(0) - ty(l.caption()))
			if high < 0 {
				high = -high
			}
			sty := pen.Style(math.Min(pen.TickSize, 0.75*high))
			sty.YAlign = text.YTop
			caption := pen.Shorten(l.Captions[k], math.Min(pen.TickSize, 0.75*high), r.Size().X+min(tx(l.gap())-tx(0), 2*pen.Border))
			c.FillText(sty, vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: r.Min.Y - vg.Length(0.08*high)}, caption)
		}
	}
}

// minus draws a dash in the middle of each negative cell, black on light cells and white on
// dark ones.
func (l *raster) minus(c draw.Canvas, r vg.Rectangle, v []float64) {
	wide, high := r.Size().X/vg.Length(l.w), r.Size().Y/vg.Length(l.h)
	var onLight, onDark vg.Path
	for k, x := range v {
		if x >= 0 || math.IsNaN(x) {
			continue
		}
		path := &onLight
		if x < 0.45*l.Lo {
			path = &onDark
		}
		at := vg.Point{X: r.Min.X + (vg.Length(k%l.w)+0.5)*wide, Y: r.Max.Y - (vg.Length(k/l.w)+0.5)*high}
		path.Move(vg.Point{X: at.X - wide/5, Y: at.Y})
		path.Line(vg.Point{X: at.X + wide/5, Y: at.Y})
	}
	for _, dashes := range []struct {
		path vg.Path
		hue  color.Color
	}{{onLight, pen.Fade(pen.Black, 0.7)}, {onDark, pen.Paper}} {
		if len(dashes.path) > 0 {
			c.SetLineStyle(draw.LineStyle{Color: dashes.hue, Width: min(high/12, vg.Points(1.2))})
			c.Stroke(dashes.path)
		}
	}
}

// paintCells fills a rectangle with w×h equal cells with sharp borders. On a canvas of
// pixels it sets the pixels itself, because gonum/plot's DrawImage would interpolate
// between cells. On other canvases each cell is one pixel of an image (see [Figure.SVG]
// for how it stays sharp).
func paintCells(c draw.Canvas, r vg.Rectangle, w, h int, at func(i, j int) color.NRGBA) {
	if img, dpi, ok := canvas.PixelsOf(c.Canvas); ok {
		high := img.Bounds().Dy()
		x0, x1 := int(math.Round(r.Min.X.Dots(dpi))), int(math.Round(r.Max.X.Dots(dpi)))
		y0, y1 := high-int(math.Round(r.Max.Y.Dots(dpi))), high-int(math.Round(r.Min.Y.Dots(dpi)))
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				img.Set(x, y, at((y-y0)*h/(y1-y0), (x-x0)*w/(x1-x0)))
			}
		}
		return
	}
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range h {
		for j := range w {
			img.SetNRGBA(j, i, at(i, j))
		}
	}
	c.DrawImage(r, img)
}

func (l *raster) scaleBar() *colourBar { return barOf(&l.Look, l.shadeOf) }

func (l *raster) Alt() string {
	return fmt.Sprintf("%s, values shown from %s to %s", l.name, pen.Short(l.Lo), pen.Short(l.Hi))
}
