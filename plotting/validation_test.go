package plotting_test

import (
	"fmt"
	"math"

	. "marginalia/plotting"

	"marginalia/mlkit/eval"
)

// twoFolds is a cross-validation with the given means; the test measures of the two folds
// are d away from theirs.
func twoFolds(train, test, d float64) eval.Validation {
	return eval.Validation{Train: []float64{train, train}, Test: []float64{test - d, test + d}}
}

// accuracies is a made-up learning curve: with n the measure rises on the test rows and falls
// on the training rows, towards 0.92.
func accuracies(sizes []int) (points []eval.LearningPoint) {
	for _, n := range sizes {
		d := 1 / math.Sqrt(float64(n))
		points = append(points, eval.LearningPoint{Size: n, Validation: twoFolds(0.92+0.25*d, 0.92-d, 0.3*d)})
	}
	return points
}

func validations() figure {
	sizes := []int{10, 20, 50, 100, 200, 500, 1000}
	g := searched(searchFields[0])
	return Tile(2,
		New("learning curve", Learning(sizes, accuracies(sizes))).LogX(),
		New("search over one field", Search(searchFields[0], g.Points, g.Best)).Labels("C", "accuracy"),
	)
}

func ExampleLearning() {
	points := []eval.LearningPoint{
		{Size: 10, Validation: eval.Validation{Train: []float64{1, 1}, Test: []float64{0.6, 0.8}}},
		{Size: 100, Validation: eval.Validation{Train: []float64{0.95, 0.97}, Test: []float64{0.85, 0.95}}},
	}
	fig := New("", Learning([]int{10, 100}, points)).Labels("training samples", "accuracy").LogX()
	fmt.Println(fig.Alt())
	// Output:
	// Figure: line “training” through 2 points, from (10, 1) to (100, 0.96), line “test” through 2 points, from (10, 0.7) to (100, 0.9), band “test” over 2 points, up to 0.2828 wide. training samples from 8.913 to 112.2 (logarithmic), accuracy from 0.5365 to 1.022.
}
