package plotting_test

import (
	"fmt"
	"math"

	. "marginalia/plotting"
)

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
