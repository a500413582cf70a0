package plotting

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/pen"
)

// fold is the mean of a measure on training and test rows, and its spread.
type fold [3]float64

func (f fold) MeanTrain() float64 { return f[0] }
func (f fold) MeanTest() float64  { return f[1] }
func (f fold) StdTest() float64   { return f[2] }

// everyStyle has each style with values that no layer of the test has by default; n is the
// number of names that the layer takes.
func everyStyle(n int) map[string]Style {
	names := []string{"one", "two", "three"}[:n]
	return map[string]Style{
		"Name": Name(names...), "Colour": Colour(pen.Orange), "Width": Width(3.7), "Dashed": Dashed(), "Alpha": Alpha(0.3),
		"Size": Size(17), "Steps": Steps(), "Shade": Shade(), "Scale": Scale(-0.3, 0.9), "Bar": Bar("key"),
		"Captions": Captions("one", "two"), "Labelled": Labelled(), "Samples": Samples(7), "Parallel": Parallel(),
		"Bins": Bins(3), "Edges": Edges(-1, 0.5, 4), "Density": Density(), "Signed": Signed(), "MarginAt": MarginAt(0.7),
	}
}

// A layer either uses a style, which changes the picture or its description, or refuses it
// and names the styles that it takes. None ignores one.
func TestStyles(t *testing.T) {
	x, y := mat.NewDense(4, 2, []float64{-1, 0.3, 0.2, 1, 0.4, -1.2, 1, 0.1}), []int{-1, -1, 1, 1}
	x3 := mat.NewDense(4, 3, []float64{-1, 0.3, 0, 0.2, 1, 1, 0.4, -1.2, 2, 1, 0.1, -1})
	xs, ys, lo, hi := []float64{1, 2, 4}, []float64{1, 3, 2}, []float64{0, 2, 1}, []float64{2, 4, 3}
	w, p, q := []float64{0.8, -0.6}, []float64{0, 0, 0}, []float64{1, 2, 3}
	field := func(x, y float64) float64 { return math.Sin(3*x) + y*y - 0.4 }
	square := mat.NewDense(2, 2, []float64{0.5, -0.1, 0.25, 0.6})
	space := func(l Layer3) Layer {
		return Space(View{Azimuth: -60, Elevation: 25}, Points3(x3, Colour(pen.Black)), l)
	}
	fields := []struct {
		Name   string
		Values []any
	}{{"C", []any{1, 2}}}
	measured := []fold{{0.9, 0.7, 0.1}, {0.8, 0.75, 0.05}}
	layers := []struct {
		name  string
		names int
		make  func(s ...Style) Layer
	}{
		{"Points", 1, func(s ...Style) Layer { return Points(xs, ys, s...) }},
		{"Line", 1, func(s ...Style) Layer { return Line(xs, ys, s...) }},
		{"Curve", 1, func(s ...Style) Layer { return Curve(math.Sin, s...) }},
		{"Classes", 2, func(s ...Style) Layer { return Classes(x, y, s...) }},
		{"Ring", 1, func(s ...Style) Layer { return Ring(x, []int{1}, s...) }},
		{"Bars", 2, func(s ...Style) Layer { return Bars([]string{"a", "b"}, [][]float64{{1, 2}, {3, 1}}, s...) }},
		{"Hist", 2, func(s ...Style) Layer { return Hist([][]float64{{0, 1, 1, 2}, {1, 2, 3, 3}}, s...) }},
		{"Band", 1, func(s ...Style) Layer { return Band(xs, ys, lo, hi, s...) }},
		{"ErrorBars", 1, func(s ...Style) Layer { return ErrorBars(xs, ys, lo, hi, s...) }},
		{"Score", 1, func(s ...Style) Layer { return Score(field, s...) }},
		{"Probability", 1, func(s ...Style) Layer { return Probability(field, s...) }},
		{"Regions", 1, func(s ...Style) Layer { return Regions(Sign(field), s...) }},
		{"Contour", 1, func(s ...Style) Layer { return Contour(field, []float64{0, 0.3}, s...) }},
		{"Boundary", 1, func(s ...Style) Layer { return Boundary(field, s...) }},
		{"Ellipse", 1, func(s ...Style) Layer { return Ellipse([]float64{0, 1}, [][]float64{{2, 1}, {1, 2}}, nil, s...) }},
		{"Plane", 1, func(s ...Style) Layer { return Plane(w, 0.1, s...) }},
		{"Margin", 1, func(s ...Style) Layer { return Margin(w, 0.1, "m", s...) }},
		{"Slack", 1, func(s ...Style) Layer { return Slack(x, y, w, 0.1, s...) }},
		{"Arrow", 1, func(s ...Style) Layer { return Arrow(0, 0, 1, 2, "a", s...) }},
		{"Segment", 1, func(s ...Style) Layer { return Segment(0, 0, 1, 2, "s", s...) }},
		{"Perpendicular", 1, func(s ...Style) Layer { return Perpendicular(w, 0.1, []float64{1, 2}, "d", s...) }},
		{"RightAngle", 1, func(s ...Style) Layer { return RightAngle(0, 0, 1, 2, s...) }},
		{"Note", 1, func(s ...Style) Layer { return Note(0, 0, "note", s...) }},
		{"Matrix", 1, func(s ...Style) Layer { return Matrix(square, s...) }},
		{"Image", 1, func(s ...Style) Layer { return Image([]float64{0.5, -0.1, 0.25, 0.6}, 2, s...) }},
		{"Digits", 1, func(s ...Style) Layer {
			return Digits(mat.NewDense(2, 4, []float64{0, 1, 1, 0, 1, 0, 0, 0.5}), 2, 2, 2, s...)
		}},
		{"Cells", 1, func(s ...Style) Layer { return Cells(square, 8, 4, 4, s...) }},
		{"Confusion", 1, func(s ...Style) Layer { return Confusion([][]int{{3, 1}, {0, 2}}, nil, s...) }},
		{"Gram", 2, func(s ...Style) Layer { return Gram(square, []int{-1, 1}, s...) }},
		{"Posteriors", 1, func(s ...Style) Layer {
			return Posteriors(func(_, x []float64) []float64 {
				p := 1 / (1 + math.Exp(-field(x[0], x[1])))
				return []float64{p, 1 - p}
			}, nil, s...)
		}},
		{"ROC", 1, func(s ...Style) Layer { return ROC([]float64{0, 0.2, 1}, []float64{0, 0.7, 1}, s...) }},
		{"PrecisionRecall", 1, func(s ...Style) Layer { return PrecisionRecall([]float64{1, 0.5}, []float64{0.4, 1}, s...) }},
		{"Learning", 2, func(s ...Style) Layer { return Learning([]int{1, 2}, measured, s...) }},
		{"Search", 2, func(s ...Style) Layer { return Search(fields[:1], measured, 0, s...) }},
		{"Search", 1, func(s ...Style) Layer {
			return Search(append(fields, fields[0]), append(measured, measured...), 0, s...)
		}},
		{"Points3", 1, func(s ...Style) Layer { return space(Points3(x3, s...)) }},
		{"Classes3", 2, func(s ...Style) Layer { return space(Classes3(x3, y, s...)) }},
		{"Plane3", 1, func(s ...Style) Layer { return space(Plane3(q, 0, s...)) }},
		{"Arrow3", 1, func(s ...Style) Layer { return space(Arrow3(p, q, "a", s...)) }},
		{"Segment3", 1, func(s ...Style) Layer { return space(Segment3(p, q, "s", s...)) }},
		{"Curve3", 1, func(s ...Style) Layer { return space(Curve3(x3, s...)) }},
		{"Drops3", 1, func(s ...Style) Layer { return space(Drops3(x3, q, 0, s...)) }},
		{"RightAngle3", 1, func(s ...Style) Layer { return space(RightAngle3(p, []float64{1, 0, 0}, []float64{0, 1, 0}, s...)) }},
	}
	for _, l := range layers {
		picture := func(s ...Style) []byte {
			f := New("", l.make(s...)).Size(3*vg.Inch, 3*vg.Inch)
			return append(f.SVG(), f.Alt()...)
		}
		plain, taken, refused := picture(), map[string]bool{}, map[string]string{}
		for name, s := range everyStyle(l.names) {
			func() {
				defer func() {
					if r := recover(); r != nil {
						refused[name] = fmt.Sprint(r)
					}
				}()
				taken[name] = true
				with, without := picture(s), plain
				if name == "Size" && (l.name == "Bars" || l.name == "Slack") { // of the labels
					with, without = picture(s, Labelled()), picture(Labelled())
				}
				if bytes.Equal(with, without) != (name == "Parallel") {
					t.Errorf("%s ignores %s", l.name, name)
				}
			}()
		}
		for name, message := range refused {
			delete(taken, name)
			list, ok := strings.CutPrefix(message, fmt.Sprintf("plotting: %s: style %s, want ", l.name, name))
			if !ok {
				t.Errorf("%s with %s: %s", l.name, name, message)
			}
			for _, offered := range strings.Split(strings.Replace(list, " or ", ", ", 1), ", ") {
				if _, no := refused[offered]; no {
					t.Errorf("%s offers %s, and refuses it", l.name, offered)
				}
			}
			if n := strings.Count(list, ", ") + strings.Count(list, " or ") + 1; n != len(everyStyle(1))-len(refused) {
				t.Errorf("%s offers %d styles (%s), and takes %d", l.name, n, list, len(everyStyle(1))-len(refused))
			}
		}
		if len(taken) == 0 || len(refused) == 0 {
			t.Errorf("%s takes %d styles and refuses %d, want some of each", l.name, len(taken), len(refused))
		}
	}
}

func TestStylePanics(t *testing.T) {
	panics(t, "plotting: Note: style Width, want Colour, Size or Alpha", func() { Note(0, 0, "x", Width(2)) })
	panics(t, "plotting: Confusion: style Scale, want Bar", func() { Confusion([][]int{{1}}, nil, Scale(0, 1)) })
	panics(t, "plotting: Points: 2 names, want 1", func() { Points(nil, nil, Name("a", "b")) })
	panics(t, "plotting: Points: style 1 is the zero Style", func() { Points(nil, nil, Name("a"), Style{}) })
	panics(t, "plotting: Width: 0 points, want a positive number", func() { Width(0) })
	panics(t, "plotting: Size: NaN points, want a positive number", func() { Size(math.NaN()) })
	panics(t, "plotting: Learning: style Scale, want Name", func() { Learning([]int{1}, []fold{{}}, Scale(0, 1)) })
}

func TestEvalPanics(t *testing.T) {
	type field struct {
		Name   string
		Values []any
	}
	one := []field{{"C", []any{1, 2}}}
	panics(t, "plotting: Learning: 2 sizes, 1 points", func() { Learning([]int{1, 2}, []fold{{}}) })
	panics(t, "plotting: Learning: 1 names, want 2, of the training and the test curve", func() { Learning([]int{1}, []fold{{}}, Name("a")) })
	panics(t, "plotting: Search: 0 fields, want 1 or 2", func() { Search([]field{}, []fold{{}}, 0) })
	panics(t, "plotting: Search: 3 fields, want 1 or 2", func() { Search([]field{one[0], one[0], one[0]}, make([]fold, 8), 0) })
	panics(t, "plotting: Search: 3 points, want 2, for each combination of values, and at least 1", func() { Search(one, make([]fold, 3), 0) })
	panics(t, "plotting: Search: 0 points, want 0, for each combination of values, and at least 1", func() { Search([]field{{"C", nil}}, []fold{}, -1) })
	panics(t, "plotting: Search: best = 2, want -1 to 1", func() { Search(one, make([]fold, 2), 2) })
	panics(t, "plotting: ROC: 1 values of fpr, 2 of tpr", func() { ROC([]float64{0}, []float64{0, 1}) })
	panics(t, "plotting: ROC: tpr[1] = NaN, want 0 to 1", func() { ROC([]float64{0, 1}, []float64{0, math.NaN()}) })
	panics(t, "plotting: ROC: fpr[2] = 0.4 after 0.5, want ascending values", func() { ROC([]float64{0, 0.5, 0.4}, []float64{0, 1, 1}) })
	panics(t, "plotting: PrecisionRecall: precision[0] = 1.5, want 0 to 1", func() { PrecisionRecall([]float64{1.5}, []float64{1}) })
	panics(t, "plotting: PrecisionRecall: recall[1] = 0.1 after 0.5, want ascending values", func() { PrecisionRecall([]float64{1, 1}, []float64{0.5, 0.1}) })
	panics(t, "plotting: Posteriors: 1 probabilities, 2 labels", func() {
		New("", Posteriors(func(_, x []float64) []float64 { return []float64{1} }, []int{-1, 1})).PNG(30)
	})
	// What has no values draws nothing, and panics at nothing.
	nan := fold{math.NaN(), math.NaN(), math.NaN()}
	for _, l := range []Layer{
		Learning([]int{}, []fold{}), Learning([]int{3}, []fold{nan}), Search(one, []fold{nan, nan}, -1),
		Search([]field{one[0], one[0]}, []fold{nan, nan, nan, nan}, -1), Search([]field{one[0], one[0]}, make([]fold, 4), 3),
		ROC(nil, nil), PrecisionRecall(nil, nil),
		Posteriors(func(_, x []float64) []float64 { return []float64{math.NaN(), math.NaN()} }, nil),
		Posteriors(func(_, x []float64) []float64 { return []float64{1} }, nil),
		Posteriors(func(_, x []float64) []float64 { return nil }, nil),
	} {
		f := New("", l)
		f.PNG(40)
		f.SVG()
		f.Alt()
	}
}
