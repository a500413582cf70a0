package plotting_test

import (
	"fmt"
	"math"

	. "marginalia/plotting"
)

// Confusion matrices of irises and of digits, with most samples predicted correctly.
func confusions() figure {
	irises := [][]int{{50, 0, 0}, {0, 47, 3}, {0, 11, 39}}
	digits := make([][]int, 10)
	for i := range digits {
		digits[i] = make([]int, 10)
		for j := range 10 {
			digits[i][j] = int(30 * math.Exp(-math.Abs(float64(i*7%10-j*7%10))))
		}
		digits[i][i] = 1135 - 20*i
	}
	return Tile(2,
		New("irises", Confusion(irises, []string{"setosa", "versicolor", "virginica"})),
		New("digits", Confusion(digits, nil, Bar("share of the row"))),
	)
}

func ExampleConfusion() {
	counts := [][]int{{48, 2}, {5, 45}}
	fmt.Println(New("", Confusion(counts, []string{"y = −1", "y = +1"})).Alt())
	// Output: Figure: confusion matrix of 2 classes: 93 of 100 right, 2 of y = −1 as y = +1, 5 of y = +1 as y = −1.
}
