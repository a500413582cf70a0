package plotting

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// fold is the mean of a measure on training and test rows, and its spread.
type fold [3]float64

func (f fold) MeanTrain() float64 { return f[0] }
func (f fold) MeanTest() float64  { return f[1] }
func (f fold) StdTest() float64   { return f[2] }

type field struct {
	Name   string
	Values []any
}

// A wrong argument is a panic that names the function, the argument and what is wanted.
func TestPanics(t *testing.T) {
	x, y, w := mat.NewDense(6, 2, nil), make([]int, 6), []float64{1, 1}
	one, two, three := []float64{1}, []float64{1, 2}, make([]float64, 3)
	square, values := mat.NewDense(3, 3, nil), field{"C", []any{1, 2}}
	slide := func(s Slider) { Slide("x", s, func(float64) Drawing { return New("") }) }
	for want, f := range map[string]func(){
		"Classes: 6 rows, 5 labels":                                       func() { Classes(x, y[:5]) },
		"Classes: x is 4×3, want n×2":                                     func() { Classes(mat.NewDense(4, 3, nil), y[:4]) },
		"Classes: 3 names, 1 classes":                                     func() { Classes(x, y, Name("a", "b", "c")) },
		"Ring: idx[1] = 6, x has 6 rows":                                  func() { Ring(x, []int{0, 6}) },
		"Line: 2 xs, 3 ys":                                                func() { Line(two, three) },
		"Plane: w has 3 components, want 2":                               func() { Plane(three, 0) },
		"Image: 785 pixels, width 28, want whole rows":                    func() { Image(make([]float64, 785), 28) },
		"Digits: rows of 2 pixels, want 8×8":                              func() { Digits(x, 8, 8, 3) },
		"Digits: 6 images, 1 captions":                                    func() { Digits(x, 2, 1, 3, Captions("a")) },
		"Perpendicular: w = 0 has no plane":                               func() { Perpendicular(make([]float64, 2), 1, two, "") },
		"Alpha: 2, want 0 to 1":                                           func() { Alpha(2) },
		"Tile: figure 1 is nil":                                           func() { Tile(2, New(""), nil) },
		"With: layer 0 is nil":                                            func() { New("", nil) },
		"PNG: 0 dpi, want at least 1":                                     func() { New("").PNG(0) },
		"Range: a logarithmic axis from 0, want more than 0":              func() { New("").Range(0, 1, 0, 1).LogY().PNG(50) },
		"Range: x from 1 to 1, y from 0 to 1, want rising finite numbers": func() { New("").Range(1, 1, 0, 1) },

		"Points: 2 names, want 1":                  func() { Points(nil, nil, Name("a", "b")) },
		"Points: style 1 is nil":                   func() { Points(nil, nil, Name("a"), nil) },
		"Width: 0 points, want a positive number":  func() { Width(0) },
		"Size: NaN points, want a positive number": func() { Size(math.NaN()) },

		"Band: 1 xs, 2 ys":                                    func() { Band(one, nil, two, two) },
		"Band: 1 ys, 2 lower and 2 upper values":              func() { Band(nil, one, two, two) },
		"Band: lo[1] = 2, hi[1] = 1, want lo ≤ hi":            func() { Band(nil, nil, two, []float64{1, 1}) },
		"ErrorBars: 0 ys, 1 lower and 2 upper values":         func() { ErrorBars(nil, []float64{}, one, two) },
		"ErrorBars: no ys":                                    func() { ErrorBars(nil, nil, one, one) },
		"Samples: 1, want 2 to 4000":                          func() { Samples(1) },
		"Contour: levels[1] = NaN, want a finite number":      func() { Contour(nil, []float64{0, math.NaN()}) },
		"Mass: p[1] = 1, want between 0 and 1":                func() { Mass(0.1, 1) },
		"Ellipse: a mean of 3 elements, want 2":               func() { Ellipse(three, nil, nil) },
		"Ellipse: the covariance [[1 2] [3]], want 2×2":       func() { Ellipse(two, [][]float64{{1, 2}, {3}}, nil) },
		"Ellipse: radii[1] = -1, want more than 0":            func() { Ellipse(two, [][]float64{{1, 0}, {0, 1}}, []float64{1, -1}) },
		"Margin: w has 3 components, want 2":                  func() { Margin(three, 0, "") },
		"MarginAt: 0, want a positive number":                 func() { MarginAt(0) },
		"Slack: 6 rows, 5 labels":                             func() { Slack(x, y[:5], w, 0) },
		"Slack: y[0] = 0, want -1 or +1":                      func() { Slack(x, y, w, 0) },
		"Slack: x is 6×2, w has 3 components, want n×2 and 2": func() { Slack(x, y, three, 0) },

		"Bars: 2 categories, 3 values in series 1":                     func() { Bars([]string{"a", "b"}, [][]float64{{1, 2}, {1, 2, 3}}) },
		"Bars: 1 names, 2 series":                                      func() { Bars([]string{"a"}, [][]float64{{1}, {2}}, Name("x")) },
		"Bars: 0 categories, 1 series, want at least 1 of each":        func() { Bars(nil, [][]float64{{}}) },
		"Hist: 1 names, 2 classes":                                     func() { Hist([][]float64{{1}, {2}}, Name("a")) },
		"Hist: no samples, want one slice for each class":              func() { Hist(nil) },
		"Bins: 0, want 1 to 10000":                                     func() { Bins(0) },
		"Edges: at[1] = 1, want rising finite numbers":                 func() { Edges(1, 1) },
		"Edges: 1 borders, want at least 2":                            func() { Edges(1) },
		"Confusion: counts is empty, want a row for each class":        func() { Confusion(nil, nil) },
		"Confusion: len(counts[1]) = 3, want 2, a column for each row": func() { Confusion([][]int{{0, 0}, {0, 0, 0}}, nil) },
		"Confusion: counts[0][1] = -3, want at least 0":                func() { Confusion([][]int{{0, -3}, {0, 0}}, nil) },
		"Confusion: 2 classes, 3 names":                                func() { Confusion([][]int{{1, 0}, {0, 1}}, make([]string, 3)) },
		"Gram: the matrix is 2×3, want as many rows as columns":        func() { Gram(mat.NewDense(2, 3, nil), nil) },
		"Gram: 3 rows, 2 labels":                                       func() { Gram(square, y[:2]) },
		"Gram: 1 names, 2 classes":                                     func() { Gram(square, []int{1, -1, 1}, Name("a")) },
		"Cells: 4 rows, want 6, for 2×3 cells of 8 pixels":             func() { Cells(mat.NewDense(4, 9, nil), 24, 16, 8) },
		"Cells: 6×16 pixels with cells of 8, want at least one cell":   func() { Cells(mat.NewDense(4, 9, nil), 6, 16, 8) },

		"Learning: 2 sizes, 1 points":                                              func() { Learning([]int{1, 2}, []fold{{}}) },
		"Learning: 1 names, want 2, of the training and the test curve":            func() { Learning([]int{1}, []fold{{}}, Name("a")) },
		"Search: 3 points, want 2, for each combination of values, and at least 1": func() { Search(values, make([]fold, 3), 0) },
		"Search: 0 points, want 0, for each combination of values, and at least 1": func() { Search(field{"C", nil}, []fold{}, -1) },
		"Search: best = 2, want -1 to 1":                                           func() { Search(values, make([]fold, 2), 2) },
		"ROC: 1 values of fpr, 2 of tpr":                                           func() { ROC([]float64{0}, []float64{0, 1}) },
		"ROC: tpr[1] = NaN, want 0 to 1":                                           func() { ROC([]float64{0, 1}, []float64{0, math.NaN()}) },
		"ROC: fpr[2] = 0.4 after 0.5, want ascending values":                       func() { ROC([]float64{0, 0.5, 0.4}, []float64{0, 1, 1}) },
		"PrecisionRecall: precision[0] = 1.5, want 0 to 1":                         func() { PrecisionRecall([]float64{1.5}, one) },
		"PrecisionRecall: recall[1] = 0.1 after 0.5, want ascending values":        func() { PrecisionRecall(w, []float64{0.5, 0.1}) },
		"Posteriors: 1 probabilities, 2 labels": func() {
			New("", Posteriors(func(_, x []float64) []float64 { return []float64{1} }, []int{-1, 1})).PNG(30)
		},

		"Slide: x: |from 1 to 1":      func() { slide(Slider{Min: 1, Max: 1, Start: 1}) },
		"Slide: x: |starting at 3":    func() { slide(Slider{Min: 0, Max: 1, Start: 3}) },
		"Slide: x: |Step = -1":        func() { slide(Slider{Min: 0, Max: 1, Step: -1}) },
		"Slide: x: |from 0 to +Inf":   func() { slide(Slider{Min: 0, Max: math.Inf(1)}) },
		"Slide: x: |from NaN to +Inf": func() { slide(Slider{Min: math.NaN(), Max: math.Inf(1)}) },
	} {
		func() {
			defer func() {
				got, _ := recover().(string)
				begin, within, part := strings.Cut("plotting: "+want, "|")
				if !strings.HasPrefix(got, begin) || !strings.Contains(got, within) || !part && got != begin {
					t.Errorf("panic %q, want %q", got, want)
				}
			}()
			f()
		}()
	}
}

// What has no values, or nowhere to stand, draws nothing and panics at nothing.
func TestNothingToDraw(t *testing.T) {
	nan, two := []float64{math.NaN(), math.NaN()}, []float64{1, 2}
	for _, l := range []Layer{Band(nan, two, two, two), Band(two, nan, two, two), Band(two, nil, nan, two), ErrorBars(two, two, two, nan)} {
		l := l.(*band)
		if l.drawn(0) || l.drawn(1) {
			t.Errorf("%s draws a sample that is not a number", l.what)
		}
		New("", l).PNG(50)
	}
	one, none := field{"C", []any{1, 2}}, fold{math.NaN(), math.NaN(), math.NaN()}
	for _, l := range []Layer{
		Learning([]int{}, []fold{}), Learning([]int{3}, []fold{none}), Search(one, []fold{none, none}, -1),
		SearchPair(one, one, []fold{none, none, none, none}, -1), SearchPair(one, one, make([]fold, 4), 3),
		ROC(nil, nil), PrecisionRecall(nil, nil),
		Posteriors(func(_, x []float64) []float64 { return nan }, nil),
		Posteriors(func(_, x []float64) []float64 { return []float64{1} }, nil),
		Posteriors(func(_, x []float64) []float64 { return nil }, nil),
		Cells(mat.NewDense(1, 2, []float64{math.NaN(), 0}), 8, 8, 8), Margin([]float64{0, 0}, 1, "w"),
	} {
		f := New("", l)
		f.PNG(40)
		f.SVG()
		f.Alt()
	}
	x, y := mat.NewDense(6, 2, nil), []int{1, 1, 1, -1, -1, -1}
	New("", Margin([]float64{1, 1}, 100, "w"), Classes(x, y)).Range(-1, 1, -1, 1).PNG(50) // a plane outside of the axes
}
