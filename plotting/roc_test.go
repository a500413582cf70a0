package plotting_test

import (
	"fmt"
	"math"

	. "marginalia/plotting"

	"marginalia/mlkit/eval"
)

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
