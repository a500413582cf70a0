package plotting

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/pen"
)

// Validated is a point of a cross-validation, such as an eval.LearningPoint or a point of
// an eval.Grid: the means of a measure on training and on test rows, and its standard
// deviation over the folds, NaN for a single fold.
type Validated interface {
	MeanTrain() float64
	MeanTest() float64
	StdTest() float64
}

// validation draws a measure on training and on test rows.
type validation struct {
	train *line
	test  *band
	best  int // index of the chosen point, -1 for none
	field string
	names []string // of the points, nil if they are numbers
}

// Learning draws a learning curve: for models of sizes[i] training rows, the mean of the
// measure on the training rows, dashed, and on the test rows, in a band of one standard
// deviation to each side. points are those of eval.LearningCurve for these sizes. [Name]
// renames the two curves.
//
//	points, err := eval.LearningCurve(mlkit.Options{Context: ctx}, plan, sizes, svm.Classifier{}, eval.Accuracy, X, y)
//	plotting.Show("learning", plotting.New("", plotting.Learning(sizes, points)).Labels("samples", "accuracy"))
func Learning[V Validated](sizes []int, points []V, s ...LearningStyle) Layer {
	if len(sizes) != len(points) {
		panic(fmt.Sprintf("plotting: Learning: %d sizes, %d points", len(sizes), len(points)))
	}
	xs := make([]float64, len(sizes))
	for i, n := range sizes {
		xs[i] = float64(n)
	}
	return newValidation("Learning", xs, points, s)
}

func newValidation[V Validated](what string, xs []float64, points []V, s []LearningStyle) *validation {
	looks := pen.NewLooks(what, s)
	if looks.Names == nil {
		looks.Names = []string{"training", "test"}
	}
	if len(looks.Names) != 2 {
		panic(fmt.Sprintf("plotting: %s: %d names, want 2, of the training and the test curve", what, len(looks.Names)))
	}
	train, test := pen.Look{Alpha: 1, Color: pen.Vermilion, Dashed: true, Size: 5, Names: looks.Names[:1]}, pen.Look{Alpha: 1, Color: pen.Blue, Size: 5, Names: looks.Names[1:]}
	var own, mean, lo, hi []float64
	for _, p := range points {
		m, d := p.MeanTest(), p.StdTest()
		own, mean, lo, hi = append(own, p.MeanTrain()), append(mean, m), append(lo, m-d), append(hi, m+d)
	}
	return &validation{
		train: &line{train, xs, own}, test: newBand(what, test, xs, mean, lo, hi),
		best: -1, field: "training samples",
	}
}

func (l *validation) coords() (xs, ys []float64) {
	x1, y1 := l.train.coords()
	x2, y2 := l.test.coords()
	return append(x2, x1...), append(y2, y1...)
}

func (l *validation) DataRange() (xmin, xmax, ymin, ymax float64) { return span(l.coords()) }

func (l *validation) Traits() pen.Traits { return pen.Traits{Names: l.names, Across: l.field} }

// dots returns the line of the test curve, with its points.
func (l *validation) dots() *line { return &line{l.test.Look, l.test.xs, l.test.ys} }

func (l *validation) Plot(c draw.Canvas, p *plot.Plot) {
	l.test.Plot(c, p)
	l.train.Plot(c, p)
	l.dots().Plot(c, p)
	if l.best >= 0 {
		tx, ty := p.Transforms(&c)
		ring := ring{Look: pen.Look{Alpha: 1}}
		ring.circle(&c, vg.Point{X: tx(l.test.xs[l.best]), Y: ty(l.test.ys[l.best])}, 12)
	}
}

func (l *validation) Entries() []pen.Entry {
	test := l.test.Entries()
	for i, band := range test {
		test[i].Sign = func(c *draw.Canvas, at vg.Point, w vg.Length) {
			band.Sign(c, at, w)
			for _, dot := range l.dots().Entries() {
				dot.Sign(c, at, w)
			}
		}
	}
	return append(l.train.Entries(), test...)
}

func (l *validation) Alt() string {
	s := l.train.Alt() + ", " + l.dots().Alt() + ", " + l.test.Alt()
	if l.best >= 0 {
		s += fmt.Sprintf(", best at %s = %s: %s", pen.Spoken(l.field), pen.Spoken(l.names[l.best]), pen.Short(l.test.ys[l.best]))
	}
	return s
}
