package plotting_test

import (
	"fmt"
	"math"

	. "marginalia/plotting"
)

// barCharts shows made-up numbers: one labelled series, several with negative values, and
// names that don't fit.
func barCharts() figure {
	return Tile(2,
		New("test error", Bars([]string{"perceptron", "logistic regression", "linear SVM", "RBF"},
			[][]float64{{0.14, 0.09, 0.085, 0.031}}, Labeled())).Labels("", "error"),
		New("weights of three features", Bars([]string{"x₁", "x₂", "x₁x₂"},
			[][]float64{{2, -1.5, 0.5}, {1.2, -0.8, -0.4}, {0.3, math.NaN(), -1}}, Name("λ = 0", "λ = 1", "λ = 10"), Labeled())),
		New("sloping names", Bars([]string{"sepal length", "sepalwidthandmore", "petal length", "petal width", "another feature", "last"},
			[][]float64{{5.1, 3.5, 1.4, 0.2, 2, 3}})),
		New("logarithmic", Bars([]string{"1", "2", "3", "4"},
			[][]float64{{1000, 120, 11, 2}, {800, 50, 0, 1}}, Name("train", "test"))).Labels("degree", "mistakes").LogY(),
	)
}

func ExampleBars() {
	fig := New("", Bars([]string{"train", "test"}, [][]float64{{0.98, 0.91}, {0.93, 0.92}}, Name("hard margin", "soft margin"))).Labels("", "accuracy")
	fmt.Println(fig.Alt())
	// Output:
	// Figure: bars “hard margin”: train 0.98, test 0.91; bars “soft margin”: train 0.93, test 0.92. x from 0.4 to 2.6, accuracy from 0 to 1.029.
}

// bell returns n quantiles of a Gaussian; their histogram is bell-shaped.
func bell(n int, mean, deviation float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = mean + deviation*math.Sqrt2*math.Erfinv(2*(float64(i)+0.5)/float64(n)-1)
	}
	return v
}

// histograms shows the overlapping scores of two classes, and densities of three classes
// over given bins.
func histograms() figure {
	return Tile(2,
		New("", Hist([][]float64{bell(300, -1, 1), bell(200, 1.5, 1.2)}, Name("y = −1", "y = +1"))).Labels("score w·x + b", "samples"),
		New("", Hist([][]float64{bell(300, 0, 1), bell(80, 1, 0.5), bell(500, 2, 1)}, Density(), Edges(-3, -2, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3, 5),
			Name("ω₁", "ω₂", "ω₃"))).Labels("x", "density"),
	)
}

func ExampleHist() {
	fig := New("", Hist([][]float64{{0, 1, 1, 2, 2.5, 4}}, Bins(4))).Labels("x", "")
	fmt.Println(fig.Alt())
	// Output:
	// Figure: histogram of 6 values in 4 bins, highest from 1 to 2. x from −0.2 to 4.2, y from 0 to 2.1.
}
