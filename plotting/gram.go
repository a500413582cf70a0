package plotting

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/axis"
	"marginalia/plotting/internal/pen"
)

// gram is a Gram matrix with its samples sorted by class.
type gram struct {
	*raster
	classes pen.Groups // labels and looks of the samples, sorted
	n       int
}

// Gram draws the n×n Gram matrix of n samples with a colour bar; [Bar] sets its label.
// With labels y, rows and columns are sorted by class, and strips beside the matrix and
// lines through it mark the classes: a kernel that suits the problem shows a pattern of
// blocks. If y is nil, the order is unchanged. Colours and [Scale] work as in [Matrix].
// With more than 512 samples each cell is the mean of several entries.
func Gram(k mat.Matrix, y []int, s ...GramStyle) Layer {
	n, c := k.Dims()
	if n != c || n == 0 {
		panic(fmt.Sprintf("plotting: Gram: the matrix is %d×%d, want as many rows as columns", n, c))
	}
	if y != nil && len(y) != n {
		panic(fmt.Sprintf("plotting: Gram: %d rows, %d labels", n, len(y)))
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	l := &gram{n: n}
	if y != nil {
		slices.SortStableFunc(order, func(i, j int) int { return y[i] - y[j] })
	}
	sorted := make([]int, len(y))
	for i := range sorted {
		sorted[i] = y[order[i]]
	}
	l.classes = pen.NewGroups("Gram", sorted, pen.NewLooks("Gram", s))
	cells, m := gramCells(k, order)
	l.raster = newRaster(l.classes.Look, [][]float64{cells}, m, m, 1, "")
	return l
}

// gramCells returns the m×m cells of the reordered matrix, row by row: single entries, or
// means of blocks if there are too many entries to see.
func gramCells(k mat.Matrix, order []int) (cells []float64, m int) {
	const most = 512
	n := len(order)
	m = min(n, most)
	cells = make([]float64, m*m)
	for a := range m {
		for b := range m {
			sum, of := 0.0, 0
			for _, i := range order[a*n/m : (a+1)*n/m] {
				for _, j := range order[b*n/m : (b+1)*n/m] {
					sum, of = sum+k.At(i, j), of+1
				}
			}
			cells[a*m+b] = sum / float64(of)
		}
	}
	return cells, m
}

// strip returns the width of the strips that show the classes, with the gap to the matrix.
func (l *gram) strip() float64 {
	if len(l.classes.Labels) == 0 {
		return 0
	}
	return 0.045 * float64(l.n)
}

func (l *gram) coords() (xs, ys []float64) {
	n := float64(l.n)
	return []float64{-l.strip(), n}, []float64{l.strip(), -n}
}

func (l *gram) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

// Traits puts the names of the classes beside the middles of their strips.
func (l *gram) Traits() pen.Traits {
	t := pen.Traits{Image: true}
	start := 0
	for k, n := range l.classes.Sizes() {
		t.Rows = append(t.Rows, l.classes.NameOf(k))
		t.RowsAt = append(t.RowsAt, -float64(start)-float64(n)/2)
		start += n
	}
	return t
}

func (l *gram) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	box := func(x0, x1, y0, y1 float64) vg.Rectangle {
		return vg.Rectangle{Min: vg.Point{X: tx(x0), Y: ty(y0)}, Max: vg.Point{X: tx(x1), Y: ty(y1)}}
	}
	n, wide := float64(l.n), 0.7*l.strip()
	paintCells(c, box(0, n, -n, 0), l.w, l.h, func(i, j int) color.NRGBA { return l.shadeOf(l.cells[0][i*l.w+j]) })
	start := 0
	for k, count := range l.classes.Sizes() {
		a, b := float64(start), float64(start+count)
		c.SetColor(l.classes.ColourOf(k))
		c.Fill(box(a, b, l.strip()-wide, l.strip()).Path())
		c.Fill(box(-l.strip(), wide-l.strip(), -b, -a).Path())
		if start > 0 {
			for _, sty := range []draw.LineStyle{{Color: pen.Paper, Width: 1.6}, {Color: pen.Edge, Width: 0.7}} {
				c.StrokeLine2(sty, tx(a), ty(l.strip()), tx(a), ty(-n))
				c.StrokeLine2(sty, tx(-l.strip()), ty(-a), tx(n), ty(-a))
			}
		}
		start += count
	}
}

func (l *gram) scaleBar() *colourBar {
	label := l.BarLabel
	if !l.Bar {
		label = "k(x, z)"
	}
	return &colourBar{axis.Axis{Min: l.Lo, Max: l.Hi, Label: label}, l.shadeOf}
}

func (l *gram) Alt() string {
	s := "Gram matrix of " + pen.Count(l.n, "sample", "samples")
	if lo, hi := extremes(l.cells); lo <= hi {
		s += fmt.Sprintf(", values from %s to %s", pen.Short(lo), pen.Short(hi))
	}
	for k, n := range l.classes.Sizes() {
		if k == 0 {
			s += ", sorted by class: "
		} else {
			s += ", "
		}
		s += fmt.Sprintf("%d with %s", n, pen.Spoken(l.classes.NameOf(k)))
	}
	return s
}
