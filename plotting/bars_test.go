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
			[][]float64{{0.14, 0.09, 0.085, 0.031}}, Labelled())).Labels("", "error"),
		New("weights of three features", Bars([]string{"x₁", "x₂", "x₁x₂"},
			[][]float64{{2, -1.5, 0.5}, {1.2, -0.8, -0.4}, {0.3, math.NaN(), -1}}, Name("λ = 0", "λ = 1", "λ = 10"), Labelled())),
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
