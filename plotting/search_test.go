package plotting_test

import (
	"fmt"
	"math"

	. "marginalia/plotting"

	"marginalia/mlkit/eval"
)

var searchFields = []eval.Field{eval.Values("C", 0.01, 0.1, 1, 10, 100), eval.Values("Kernel.Gamma", 0.001, 0.01, 0.1, 1)}

// searched has a point for each combination of values of one or two fields. The measure is
// largest at the fourth value of the first and the third of the second.
func searched(fields ...eval.Field) (g eval.Grid[string]) {
	fields = append(fields, eval.Values("", 0))[:2]
	for i := range fields[0].Values {
		for j := range fields[1].Values {
			a, b := float64(i-3), float64(j-2)
			if len(fields[1].Values) == 1 {
				b = 0
			}
			v := twoFolds(0.9+0.02*float64(i+j), 0.95-0.03*a*a-0.05*b*b-0.02*a*b, 0.01+0.004*math.Abs(a))
			g.Points = append(g.Points, eval.GridPoint[string]{Validation: v})
			if v.MeanTest() > g.Points[g.Best].MeanTest() {
				g.Best = len(g.Points) - 1
			}
		}
	}
	return g
}

// searches has a small table with a missing value, and a large one without room for the
// spreads.
func searches() figure {
	g := searched(searchFields...)
	g.Points[3].Validation = twoFolds(math.NaN(), math.NaN(), 0)
	many := []eval.Field{eval.Values("Components", 1, 2, 3, 5, 8, 13, 21, 34), eval.Values("Steps[0].Degree", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)}
	var hits []eval.Validation
	for i := range 80 {
		hits = append(hits, twoFolds(100, 100-2*math.Abs(float64(i/10-4))-3*math.Abs(float64(i%10-6)), 1))
	}
	return Tile(2,
		New("accuracy", SearchPair(searchFields[0], searchFields[1], g.Points, g.Best, Bar("test accuracy"))),
		New("hits of 100", SearchPair(many[0], many[1], hits, 46, Scale(70, 100))),
	)
}

func ExampleSearchPair() {
	fields := []eval.Field{eval.Values("C", 0.1, 1, 10), eval.Values("Kernel.Degree", 1, 2)}
	g := searched(fields...)
	fmt.Println(New("accuracy", SearchPair(fields[0], fields[1], g.Points, g.Best)).Alt())
	// Output:
	// Figure “accuracy”: table of 3 values of C by 2 of Kernel.Degree, means from 0.36 to 0.85, best at C = 10, Kernel.Degree = 2: 0.85.
}
