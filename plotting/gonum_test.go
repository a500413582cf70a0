package plotting_test

import (
	"bytes"
	"image"
	"image/color"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	. "marginalia/plotting"

	"marginalia/internal/testkit/tier"
)

// saddle is x·y on a grid of the integers from 0 to 4, as a field of gonum/plot.
type saddle struct{}

func (saddle) Dims() (c, r int)           { return 5, 5 }
func (saddle) Z(c, r int) float64         { return float64(c * r) }
func (saddle) X(c int) float64            { return float64(c) }
func (saddle) Y(r int) float64            { return float64(r) }
func (saddle) Vector(c, r int) plotter.XY { return plotter.XY{X: float64(c), Y: float64(r)} }

// spread is points with errors.
type spread struct {
	plotter.XYs
	plotter.XErrors
	plotter.YErrors
}

func made[P plot.Plotter](p P, err error) plot.Plotter {
	if err != nil {
		panic(err)
	}
	return p
}

// gonums returns plotters of gonum/plot.
func gonums() map[string]plot.Plotter {
	xys := plotter.XYs{{X: 1, Y: 1}, {X: 2, Y: 4}, {X: 3, Y: 9}}
	values := plotter.Values{1, 2, 3, 3, 4, 9}
	errs := spread{xys, plotter.XErrors{{Low: -1, High: 1}, {}, {}}, plotter.YErrors{{Low: -1, High: 1}, {}, {}}}
	blue := image.NewGray(image.Rect(0, 0, 2, 2))
	return map[string]plot.Plotter{
		"Scatter":    made(plotter.NewScatter(xys)),
		"Line":       made(plotter.NewLine(xys)),
		"Polygon":    made(plotter.NewPolygon(xys)),
		"Function":   plotter.NewFunction(func(x float64) float64 { return x / 2 }),
		"HeatMap":    plotter.NewHeatMap(saddle{}, palette.Heat(12, 1)),
		"Contour":    plotter.NewContour(saddle{}, []float64{2, 6}, palette.Heat(2, 1)),
		"Field":      plotter.NewField(saddle{}),
		"BoxPlot":    made(plotter.NewBoxPlot(20, 0, values)),
		"QuartPlot":  made(plotter.NewQuartPlot(0, values)),
		"BarChart":   made(plotter.NewBarChart(values, 20)),
		"Histogram":  made(plotter.NewHist(values, 3)),
		"Labels":     made(plotter.NewLabels(plotter.XYLabels{XYs: xys, Labels: []string{"one", "two", "three"}})),
		"XErrorBars": made(plotter.NewXErrorBars(errs)),
		"YErrorBars": made(plotter.NewYErrorBars(errs)),
		"Image":      plotter.NewImage(blue, 0, 0, 4, 4),
		"Grid":       plotter.NewGrid(),
	}
}

// A plotter of gonum/plot is a layer of a figure: the axes are those of invisible points
// at the ends of its range, and every format shows something.
func TestPlottersOfGonumInAFigure(t *testing.T) {
	tier.Long(t)
	for name, p := range gonums() {
		t.Run(name, func(t *testing.T) {
			with := New("", p)
			var corners Layer = Note(0, 0, "")
			if r, ok := p.(plot.DataRanger); ok {
				x0, x1, y0, y1 := r.DataRange()
				corners = Points([]float64{x0, x1}, []float64{y0, y1}, Alpha(0))
				if got, want := axes(with), axes(New("", corners)); got != want {
					t.Errorf("axes %q, want %q", got, want)
				}
			}
			without := New("", corners)
			if bytes.Equal(with.PNG(48), without.PNG(48)) {
				t.Error("nothing is drawn")
			}
			if bytes.Equal(with.SVG(), without.SVG()) || bytes.Equal(with.PDF(), without.PDF()) {
				t.Error("nothing is drawn in SVG or PDF")
			}
		})
	}
}

// axes returns the part of a figure's description that follows the layers.
func axes(f *Figure) string {
	alt := f.Alt()
	return alt[strings.LastIndex(alt, "x from"):]
}

// spans are the ranges of layers of this package: xmin, xmax, ymin, ymax. The test leaves the
// ranges of the other kinds open.
var spans = map[string][4]float64{
	"Points": {1, 4, 1, 3}, "Line": {1, 4, 1, 3}, "Band": {1, 4, 0, 4}, "ErrorBars": {1, 4, 0, 4}, "Classes": {-1, 1, -1.2, 1}, "Ring": {0.2, 0.2, 1, 1},
	"Segment": {0, 1, 0, 2}, "Arrow": {0, 1, 0, 2}, "Note": {0, 0, 0, 0}, "Ellipse": {0, 2, 0, 2},
}

// A layer of this package is a plotter of gonum/plot: added to a plot, it draws, and sets
// the axes to its range.
func TestLayersInAPlotOfGonum(t *testing.T) {
	tier.Long(t)
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			with := plot.New()
			with.Add(k.layer())
			want, known := spans[k.name]
			if got := [4]float64{with.X.Min, with.X.Max, with.Y.Min, with.Y.Max}; known && got != want {
				t.Errorf("axes %v, want %v", got, want)
			}
			with.X.Min, with.X.Max, with.Y.Min, with.Y.Max = with.X.Min-1, with.X.Max+1, with.Y.Min-1, with.Y.Max+1 // slack lies beyond its points
			got := onVgimg(with)
			without := plot.New()
			without.X.Min, without.X.Max, without.Y.Min, without.Y.Max = with.X.Min, with.X.Max, with.Y.Min, with.Y.Max
			if bytes.Equal(got, onVgimg(without)) {
				t.Error("nothing is drawn")
			}
		})
	}
}

// onVgimg draws a plot with gonum/plot's own back end, 5 by 3.75 inches at 48 dpi.
func onVgimg(p *plot.Plot) []byte {
	c := vgimg.NewWith(vgimg.UseWH(5*vg.Inch, 3.75*vg.Inch), vgimg.UseDPI(48), vgimg.UseBackgroundColor(color.White))
	p.Draw(draw.New(c))
	return c.Image().(*image.RGBA).Pix
}
