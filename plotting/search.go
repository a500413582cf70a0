package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// Search draws the points of a search over one field of an algorithm: those of eval.Search, or of
// eval.GridSearch with the fields of eval.Vary. best is the index of the chosen point, which gets a
// ring; -1 means none. The values stand side by side, with the curves of [Learning] over them;
// [Name] renames the curves.
//
//	s, err := eval.Search(mlkit.Options{Context: ctx}, plan, svm.Classifier{}, fields, eval.Accuracy, X, y)
//	plotting.Show("search", plotting.New("accuracy", plotting.Search(s.Fields[0], s.Points, s.Best)))
func Search[F searched, V Validated](field F, points []V, best int, s ...LearningStyle) Layer {
	name, values := nameAndValues(field)
	checkSearch("Search", len(points), len(values), best)
	l := newValidation("Search", abscissae("Search", nil, make([]float64, len(points))), points, s)
	l.best, l.field, l.names = best, name, values
	return l
}

// SearchPair draws the points of a [Search] over two fields as a table, a row for each value of
// the first: each cell has the mean of the measure on the test rows, which its shade shows too,
// and, if there is room, the standard deviation over the folds. best gets a frame. [Scale] sets
// the ends of the shades and [Bar] adds their key.
func SearchPair[F searched, V Validated](down, across F, points []V, best int, s ...ImageStyle) Layer {
	rowName, rows := nameAndValues(down)
	colName, cols := nameAndValues(across)
	checkSearch("SearchPair", len(points), len(rows)*len(cols), best)
	l := &heat{Look: pen.NewLook("SearchPair", s), fields: []string{rowName, colName}, rows: rows, cols: cols, best: best}
	for _, p := range points {
		l.mean, l.spread = append(l.mean, p.MeanTest()), append(l.spread, p.StdTest())
	}
	low, high := extremes([][]float64{l.mean})
	if !l.Scaled {
		l.Lo, l.Hi = low, high
	}
	if !(l.Lo < l.Hi) { // all are equal, or none is a number
		l.Lo, l.Hi = math.Min(low, 0), math.Max(low, 0)+1
	}
	return l
}

// searched is a field of an algorithm with the values that were tried, as eval.Field.
type searched interface {
	~struct {
		Name   string
		Values []any
	}
}

func nameAndValues[F searched](f F) (name string, values []string) {
	field := struct {
		Name   string
		Values []any
	}(f)
	for _, v := range field.Values {
		values = append(values, valueText(v))
	}
	return field.Name, values
}

func checkSearch(who string, points, want, best int) {
	if points != want || want == 0 {
		panic(fmt.Sprintf("plotting: %s: %d points, want %d, for each combination of values, and at least 1", who, points, want))
	}
	if best < -1 || best >= want {
		panic(fmt.Sprintf("plotting: %s: best = %d, want -1 to %d", who, best, want-1))
	}
}

// valueText formats the value of a field.
func valueText(v any) string {
	switch v := v.(type) {
	case float64:
		return pen.Short(v)
	case float32:
		return pen.Short(float64(v))
	}
	return strings.ReplaceAll(fmt.Sprint(v), "-", "−")
}

// heat is a table of means, a row for each value of the first field.
type heat struct {
	pen.Look
	fields       []string
	rows, cols   []string
	mean, spread []float64 // row by row
	best         int
}

func (l *heat) Traits() pen.Traits {
	return pen.Traits{Image: true, Names: l.cols, Rows: l.rows, Across: l.fields[1], Down: l.fields[0]}
}

func (l *heat) coords() (xs, ys []float64) {
	return []float64{0.5, float64(len(l.cols)) + 0.5}, []float64{-0.5, -float64(len(l.rows)) - 0.5}
}

func (l *heat) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

// shadeOf maps a mean to its colour. NaN is grey.
func (l *heat) shadeOf(v float64) color.NRGBA {
	if math.IsNaN(v) {
		return pen.Mix(pen.Zero, pen.Zero, 0)
	}
	return pen.Ramp(pen.Cold[:], share((v-l.Lo)/(l.Hi-l.Lo)))
}

func (l *heat) Plot(c draw.Canvas, p *plot.Plot) {
	at := func(i, j int) float64 { return l.mean[i*len(l.cols)+j] }
	places, whole := l.places(), 0
	if slices.ContainsFunc(l.mean, func(v float64) bool { return pen.Finite(v) && v != math.Trunc(v) }) {
		whole = places
	}
	text := func(v float64, places int) string {
		if !pen.Finite(v) {
			return "–"
		}
		// Shares such as 391/400 lie between two of these decimals. A last bit must not choose.
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
		return strings.Replace(strconv.FormatFloat(v, 'f', places, 64), "-", "−", 1)
	}
	spread := func(i, j int) string {
		if d := l.spread[i*len(l.cols)+j]; pen.Finite(d) {
			return "±" + text(d, places)
		}
		return ""
	}
	paintTable(c, p, len(l.rows), len(l.cols), func(i, j int) color.Color { return l.shadeOf(at(i, j)) },
		func(i, j int) string { return text(at(i, j), whole) }, spread)
	if l.best >= 0 {
		tx, ty := p.Transforms(&c)
		x, y := float64(l.best%len(l.cols)+1), -float64(l.best/len(l.cols)+1)
		in := vg.Point{X: 1.5, Y: 1.5}
		frame := vg.Rectangle{Min: vg.Point{X: tx(x - 0.5), Y: ty(y - 0.5)}.Add(in), Max: vg.Point{X: tx(x + 0.5), Y: ty(y + 0.5)}.Sub(in)}
		c.SetLineStyle(draw.LineStyle{Color: pen.Vermilion, Width: 2.5})
		c.Stroke(frame.Path())
	}
}

// places returns the number of decimal places: three up to 10, fewer for larger numbers.
func (l *heat) places() int {
	low, high := extremes([][]float64{l.mean})
	return max(0, 3-int(math.Floor(math.Log10(math.Max(1, math.Max(-low, high))))))
}

func (l *heat) scaleBar() *colourBar { return barOf(&l.Look, l.shadeOf) }

func (l *heat) Alt() string {
	low, high := extremes([][]float64{l.mean})
	s := fmt.Sprintf("table of %s of %s by %d of %s, means from %s to %s", pen.Count(len(l.rows), "value", "values"), pen.Spoken(l.fields[0]),
		len(l.cols), pen.Spoken(l.fields[1]), pen.Short(low), pen.Short(high))
	if l.best >= 0 {
		s += fmt.Sprintf(", best at %s = %s, %s = %s: %s", pen.Spoken(l.fields[0]), pen.Spoken(l.rows[l.best/len(l.cols)]),
			pen.Spoken(l.fields[1]), pen.Spoken(l.cols[l.best%len(l.cols)]), pen.Short(l.mean[l.best]))
	}
	return s
}
