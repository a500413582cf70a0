package plotting_test

import (
	"fmt"
	"math"

	. "marginalia/plotting"
)

func ExampleLine() {
	mistakes := []float64{12, 5, 2, 1, 0}
	fig := New("", Line(nil, mistakes, Steps())).Labels("epoch", "mistakes")
	fmt.Println(fig.Alt())
	// Output:
	// Figure: line through 5 points, from (1, 12) to (5, 0). epoch from 0.8 to 5.2, mistakes from −0.6 to 12.6.
}

// A line has a gap where a coordinate is not a number.
func ExampleLine_gap() {
	fmt.Println(New("", Line([]float64{0, 1, math.NaN(), 2, 3}, []float64{0, 1, math.NaN(), 1, 0})).Alt())
	// Output:
	// Figure: line through 4 points in 2 pieces. x from −0.15 to 3.15, y from −0.05 to 1.05.
}

var epochErrors = []float64{0.62, 0.21, 0.09, 0.05, 0.03, 0.012, 0.008, 0.004, 0.0008, 0}

func epochs() figure {
	linear := New("linear", Line(nil, epochErrors, Name("train"), Size(5)), Line(nil, []float64{0.4, 0.2, 0.11, 0.09, 0.08, 0.1, 0.09, 0.12, 0.1, 0.14}, Name("test"), Dashed())).
		Labels("epoch", "error (%)")
	log := New("logarithmic", Line(nil, epochErrors, Name("train"), Size(5)), Line(nil, []float64{0.4, 0.2, 0.11, 0.09, 0.08, 0.1, 0.09, 0.12, 0.1, 0.14}, Name("test"), Dashed())).
		Labels("epoch", "error (%)").LogY()
	return Tile(2, linear, log)
}

func hinge(m float64) float64 { return math.Max(0, 1-m) }

func zeroOne(m float64) float64 {
	if m < 0 {
		return 1
	}
	return 0
}

func losses() figure {
	return New("",
		Curve(hinge, Name("hinge: max(0, 1 − m)")),
		Curve(zeroOne, Name("0/1: ∑_{i} 1[m_{i} < 0]"), Steps()),
		Curve(func(m float64) float64 { return math.Log1p(math.Exp(-m)) / math.Ln2 }, Name("logistic: log₂(1 + e^{−m})"), Dashed()),
	).Labels("margin m = y (w·x + b), x ∈ ℝ²", "loss")
}

func ExampleCurve() {
	hinge := func(m float64) float64 { return math.Max(0, 1-m) }
	fig := New("", Curve(hinge, Name("hinge loss"))).Labels("y (w·x + b)", "loss").Range(-2, 2, 0, 3)
	fmt.Println(fig.Alt())
	// Output:
	// Figure: curve “hinge loss”. y (w·x + b) from −2 to 2, loss from 0 to 3.
}

// learning is a made-up learning curve: the error and its spread fall with the number of
// samples.
func learning(at float64) (n, train, test, deviation []float64) {
	for k := range 9 {
		m := 10 * math.Pow(2, float64(k))
		n = append(n, m)
		train = append(train, at*(1-1/math.Sqrt(m/5)))
		test = append(test, at*(1+4/math.Sqrt(m)))
		deviation = append(deviation, at*1.2/math.Sqrt(m))
	}
	return n, train, test, deviation
}

func around(v, d []float64, sign float64) []float64 {
	w := make([]float64, len(v))
	for i := range w {
		w[i] = v[i] + sign*d[i]
	}
	return w
}

func bands() figure {
	n, train, test, d := learning(0.1)
	gap := around(train, d, 1)
	gap[4] = math.NaN()
	return Tile(2,
		New("", Band(n, train, around(train, d, -1), gap, Name("train")), Band(n, test, around(test, d, -1), around(test, d, 1), Name("test"))).
			Labels("samples", "error").LogX(),
		New("", ErrorBars(n, test, around(test, d, -1), around(test, d, 1), Name("test ± 1 σ")), Band(n, nil, around(train, d, -0.5), around(train, d, 0.5), Name("bound"))).
			Labels("samples", "error").LogX().LogY(),
	)
}

func ExampleBand() {
	fig := New("", Band(nil, []float64{3, 2, 1.5}, []float64{2, 1.5, 1}, []float64{4, 2.5, 2}, Name("mean ± σ")))
	fmt.Println(fig.Alt())
	// Output:
	// Figure: band “mean ± σ” over 3 points, up to 2 wide. x from 0.9 to 3.1, y from 0.85 to 4.15.
}

func ExampleErrorBars() {
	mean, deviation := []float64{0.8, 0.9, 0.92}, 0.05
	var lo, hi []float64
	for _, m := range mean {
		lo, hi = append(lo, m-deviation), append(hi, m+deviation)
	}
	fig := New("", ErrorBars([]float64{10, 100, 1000}, mean, lo, hi)).LogX().Labels("samples", "accuracy")
	fmt.Println(fig.Alt())
	// Output:
	// Figure: 3 points with error bars, up to 0.1 wide. samples from 7.943 to 1259 (logarithmic), accuracy from 0.739 to 0.981.
}

// endLabels has names that would overlap, a curve that leaves at the top, a line that ends
// early, and points that stay in the legend.
func endLabels() figure {
	losses := New("", Curve(hinge, Name("hinge")), Curve(zeroOne, Name("0/1"), Steps()),
		Curve(func(m float64) float64 { return math.Log1p(math.Exp(-m)) / math.Ln2 }, Name("logistic")),
		Curve(func(m float64) float64 { return (1 - m) * (1 - m) }, Name("squares")),
		Points([]float64{-1, 0, 1}, []float64{2, 1, 0}, Name("hinge at −1, 0, 1"), Color(Black)),
	).Labels("margin m", "loss").Range(-2, 2.5, 0, 3.2).EndLabels()
	n, train, test, d := learning(0.1)
	curves := New("", Line(n, train, Name("train")), Band(n, test, around(test, d, -1), around(test, d, 1), Name("test")),
		Line([]float64{10, 300}, []float64{0.2, 0.05}, Name("ends early"))).Labels("samples", "error").LogX().EndLabels()
	return Tile(2, losses, curves)
}

func ExampleFigure_EndLabels() {
	fig := New("", Curve(math.Sin, Name("sine")), Curve(math.Cos, Name("cosine"))).EndLabels()
	fmt.Println(fig.Alt())
	// Output:
	// Figure: curve “sine”; curve “cosine”. x from −3 to 3, y from −1.1 to 1.1.
}
