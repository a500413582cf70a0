package plotting

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/axis"
	"marginalia/plotting/internal/pen"
)

// confusion is a table of counts, one row per true class.
type confusion struct {
	pen.Look
	counts  *mat.Dense
	classes []string
}

// Confusion draws a k×k confusion matrix: counts[i][j] samples of class i were predicted as
// class j, as in the Counts of an eval.Confusion. The true classes are rows, from the top,
// the predicted classes columns. The shade of a cell shows its share of its row,
// so small classes show their mistakes as clearly as large ones. A count of 0 is left
// blank. [Bar] adds the key to the shades. classes names the classes; nil means 0, 1, 2, …, and other labels, such as -1
// and +1, need names.
//
//	c, err := eval.NewConfusion(y, predicted)
//	plotting.Show("confusion", plotting.New("", plotting.Confusion(c.Counts, []string{"−1", "+1"})))
func Confusion(counts [][]int, classes []string, s ...ConfusionStyle) Layer {
	k := len(counts)
	if k == 0 {
		panic("plotting: Confusion: counts is empty, want a row for each class")
	}
	table := mat.NewDense(k, k, nil)
	for i, row := range counts {
		if len(row) != k {
			panic(fmt.Sprintf("plotting: Confusion: len(counts[%d]) = %d, want %d, a column for each row", i, len(row), k))
		}
		for j, n := range row {
			if n < 0 {
				panic(fmt.Sprintf("plotting: Confusion: counts[%d][%d] = %d, want at least 0", i, j, n))
			}
			table.Set(i, j, float64(n))
		}
	}
	if classes == nil {
		for i := range k {
			classes = append(classes, strconv.Itoa(i))
		}
	}
	if len(classes) != k {
		panic(fmt.Sprintf("plotting: Confusion: %d classes, %d names", k, len(classes)))
	}
	return &confusion{pen.NewLook("Confusion", s), table, classes}
}

func (l *confusion) Traits() pen.Traits {
	return pen.Traits{Image: true, Names: l.classes, Rows: l.classes, Across: "predicted", Down: "true"}
}

func (l *confusion) coords() (xs, ys []float64) {
	k := float64(len(l.classes)) + 0.5
	return []float64{0.5, k}, []float64{-0.5, -k}
}

func (l *confusion) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

// share returns the share of row i in column j, NaN for an empty row.
func (l *confusion) share(i, j int) float64 {
	return l.counts.At(i, j) / mat.Sum(l.counts.RowView(i))
}

// tableShade maps a share to its colour; 0 and NaN are white.
func tableShade(share float64) color.NRGBA {
	if !(share > 0) {
		return pen.Mix(pen.Paper, pen.Paper, 0)
	}
	return pen.Ramp(pen.Cold[:], math.Min(1, share))
}

func (l *confusion) Plot(c draw.Canvas, p *plot.Plot) {
	n := len(l.classes)
	paintTable(c, p, n, n, func(i, j int) color.Color { return tableShade(l.share(i, j)) },
		l.entry, nil)
}

// entry returns the text of a cell. Zeros are left out, so the mistakes stand out.
func (l *confusion) entry(i, j int) string {
	if l.counts.At(i, j) == 0 {
		return ""
	}
	return entryText(l.counts.At(i, j))
}

// paintTable draws a table of square cells around x = 1, 2, … and y = -1, -2, …, each with
// its shade, a text, and below that, if below is not nil and there is room in all cells, a
// smaller one.
func paintTable(c draw.Canvas, p *plot.Plot, rows, cols int, shade func(i, j int) color.Color, entry, below func(i, j int) string) {
	tx, ty := p.Transforms(&c)
	cell := tx(2) - tx(1)
	// One size for all numbers, small enough for the longest.
	sty, small := pen.Style(pen.LabelSize), pen.Style(pen.TickSize-1)
	longest, second := vg.Length(0), vg.Length(0)
	for i := range rows {
		for j := range cols {
			longest = max(longest, sty.Width(entry(i, j)))
			if below != nil {
				second = max(second, small.Width(below(i, j)))
			}
		}
	}
	sty = pen.Style(pen.LabelSize * math.Min(1, math.Min(float64(0.86*cell/longest), float64(0.8*cell/pen.LabelSize))))
	two := second > 0 && second < 0.9*cell && 2.6*pen.LabelSize < cell && longest < 0.86*cell
	for i := range rows {
		for j := range cols {
			x, y := float64(j+1), -float64(i+1)
			ground := shade(i, j)
			c.SetColor(ground)
			c.Fill(vg.Rectangle{Min: vg.Point{X: tx(x - 0.5), Y: ty(y - 0.5)}, Max: vg.Point{X: tx(x + 0.5), Y: ty(y + 0.5)}}.Path())
			sty.Color, small.Color = pen.InkOn(ground), pen.InkOn(ground)
			at := vg.Point{X: tx(x), Y: ty(y)}
			if two {
				c.FillText(small, at.Sub(vg.Point{Y: 0.65 * pen.LabelSize}), below(i, j))
				at.Y += 0.55 * pen.LabelSize
			}
			c.FillText(sty, at, entry(i, j))
		}
	}
	between := draw.LineStyle{Color: pen.Grid, Width: 0.5}
	for k := 1; k < cols; k++ {
		at := tx(float64(k) + 0.5)
		c.StrokeLine2(between, at, c.Min.Y, at, c.Max.Y)
	}
	for k := 1; k < rows; k++ {
		at := ty(-float64(k) - 0.5)
		c.StrokeLine2(between, c.Min.X, at, c.Max.X, at)
	}
}

// entryText formats a count, or a share with up to three digits.
func entryText(v float64) string {
	if !pen.Finite(v) {
		return "–"
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e7 {
		return strings.Replace(strconv.FormatFloat(v, 'f', 0, 64), "-", "−", 1)
	}
	return strings.ReplaceAll(strconv.FormatFloat(v, 'g', 3, 64), "-", "−")
}

func (l *confusion) scaleBar() *colourBar {
	if !l.Bar {
		return nil
	}
	return &colourBar{axis.Axis{Min: 0, Max: 1, Label: l.BarLabel}, tableShade}
}

func (l *confusion) Alt() string {
	n := len(l.classes)
	right, all := 0.0, mat.Sum(l.counts)
	var mistakes []string
	for i := range n {
		right += l.counts.At(i, i)
		for j := range n {
			if v := l.counts.At(i, j); i != j && v > 0 {
				mistakes = append(mistakes, fmt.Sprintf("%s of %s as %s", entryText(v), pen.Spoken(l.classes[i]), pen.Spoken(l.classes[j])))
			}
		}
	}
	s := fmt.Sprintf("confusion matrix of %s: %s of %s right", pen.Count(n, "class", "classes"), entryText(right), entryText(all))
	const listed = 12
	if len(mistakes) > 0 && len(mistakes) <= listed {
		s += ", " + strings.Join(mistakes, ", ")
	}
	return s
}
