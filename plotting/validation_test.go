package plotting_test

import (
	"fmt"
	"math"

	"marginalia/mlkit/eval"
	. "marginalia/plotting"
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

// ranked returns labels and scores of 90 samples, a third of them +1. The scores of the two
// classes overlap the more, the larger mix is.
func ranked(mix float64) (y []int, scores []float64) {
	for i := range 90 {
		label := -1
		if i%3 == 0 {
			label = 1
		}
		y, scores = append(y, label), append(scores, float64(label)+mix*math.Sin(float64(7*i*i)))
	}
	return y, scores
}

func rankings() figure {
	roc, pr := New("ROC"), New("precision and recall")
	for name, mix := range [...]float64{1.3, 2.5} {
		y, scores := ranked(mix)
		r, err := eval.NewROC(y, scores)
		if err != nil {
			panic(err)
		}
		p, err := eval.NewPrecisionRecall(y, scores)
		if err != nil {
			panic(err)
		}
		named := Name([]string{"strokes", "pixels"}[name])
		roc.With(ROC(r.FPR, r.TPR, named))
		pr.With(PrecisionRecall(p.Precision, p.Recall, named))
	}
	return Tile(2, roc, pr)
}

// The scores 4, 3, 2, 1 of the labels +1, -1, +1, -1 put three of four pairs in order.
func ExampleROC() {
	r, err := eval.NewROC([]int{1, -1, 1, -1}, []float64{4, 3, 2, 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(New("", ROC(r.FPR, r.TPR, Name("score"))).Alt())
	// Output:
	// Figure: curve “score, AUC 0.750”. false positive rate from −0.05 to 1.05, true positive rate from −0.05 to 1.05; equal scales make one of them longer.
}

// The average precision is ½·1 + ½·⅔.
func ExamplePrecisionRecall() {
	p, err := eval.NewPrecisionRecall([]int{1, -1, 1, -1}, []float64{4, 3, 2, 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(New("", PrecisionRecall(p.Precision, p.Recall)).Alt())
	// Output:
	// Figure: curve “average precision 0.833”. recall from −0.05 to 1.05, precision from −0.05 to 1.05; equal scales make one of them longer.
}
