package plotting

import (
	"math"
	"testing"
)

// fold is the mean of a measure on training and test rows, and its spread.
type fold [3]float64

func (f fold) MeanTrain() float64 { return f[0] }
func (f fold) MeanTest() float64  { return f[1] }
func (f fold) StdTest() float64   { return f[2] }

func TestEvalPanics(t *testing.T) {
	type field struct {
		Name   string
		Values []any
	}
	one := field{"C", []any{1, 2}}
	panics(t, "plotting: Learning: 2 sizes, 1 points", func() { Learning([]int{1, 2}, []fold{{}}) })
	panics(t, "plotting: Learning: 1 names, want 2, of the training and the test curve", func() { Learning([]int{1}, []fold{{}}, Name("a")) })
	panics(t, "plotting: Search: 3 points, want 2, for each combination of values, and at least 1", func() { Search(one, make([]fold, 3), 0) })
	panics(t, "plotting: Search: 0 points, want 0, for each combination of values, and at least 1", func() { Search(field{"C", nil}, []fold{}, -1) })
	panics(t, "plotting: Search: best = 2, want -1 to 1", func() { Search(one, make([]fold, 2), 2) })
	panics(t, "plotting: ROC: 1 values of fpr, 2 of tpr", func() { ROC([]float64{0}, []float64{0, 1}) })
	panics(t, "plotting: ROC: tpr[1] = NaN, want 0 to 1", func() { ROC([]float64{0, 1}, []float64{0, math.NaN()}) })
	panics(t, "plotting: ROC: fpr[2] = 0.4 after 0.5, want ascending values", func() { ROC([]float64{0, 0.5, 0.4}, []float64{0, 1, 1}) })
	panics(t, "plotting: PrecisionRecall: precision[0] = 1.5, want 0 to 1", func() { PrecisionRecall([]float64{1.5}, []float64{1}) })
	panics(t, "plotting: PrecisionRecall: recall[1] = 0.1 after 0.5, want ascending values", func() { PrecisionRecall([]float64{1, 1}, []float64{0.5, 0.1}) })
	panics(t, "plotting: Posteriors: 1 probabilities, 2 labels", func() {
		New("", Posteriors(func(_, x []float64) []float64 { return []float64{1} }, []int{-1, 1})).PNG(30)
	})
	// What has no values draws nothing, and panics at nothing.
	nan := fold{math.NaN(), math.NaN(), math.NaN()}
	for _, l := range []Layer{
		Learning([]int{}, []fold{}), Learning([]int{3}, []fold{nan}), Search(one, []fold{nan, nan}, -1),
		SearchPair(one, one, []fold{nan, nan, nan, nan}, -1), SearchPair(one, one, make([]fold, 4), 3),
		ROC(nil, nil), PrecisionRecall(nil, nil),
		Posteriors(func(_, x []float64) []float64 { return []float64{math.NaN(), math.NaN()} }, nil),
		Posteriors(func(_, x []float64) []float64 { return []float64{1} }, nil),
		Posteriors(func(_, x []float64) []float64 { return nil }, nil),
	} {
		f := New("", l)
		f.PNG(40)
		f.SVG()
		f.Alt()
	}
}
