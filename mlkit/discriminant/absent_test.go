package discriminant

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/mlkittest"
)

func TestAbsence(t *testing.T) {
	for name, err := range map[string]error{
		"LDA":                  mlkittest.TestAbsence(LDA{}.FitWeighted),
		"LDA, Ledoit-Wolf":     mlkittest.TestAbsence(LDA{LedoitWolf: true}.FitWeighted),
		"LDA, classes":         mlkittest.TestAbsence(LDA{Shrinkage: 0.1}.FitClassesWeighted),
		"QDA":                  mlkittest.TestAbsence(QDA{}.FitWeighted),
		"QDA, classes":         mlkittest.TestAbsence(QDA{Divisor: MaximumLikelihood}.FitClassesWeighted),
		"GaussianNB":           mlkittest.TestAbsence(GaussianNB{}.FitWeighted),
		"GaussianNB, classes":  mlkittest.TestAbsence(GaussianNB{VarSmoothing: 0.1}.FitClassesWeighted),
		"DiagonalLDA":          mlkittest.TestAbsence(DiagonalLDA{}.FitWeighted),
		"DiagonalLDA, classes": mlkittest.TestAbsence(DiagonalLDA{VarSmoothing: 0.1}.FitClassesWeighted),
		"BernoulliNB": mlkittest.TestAbsence(func(X *mat.Dense, y []int, weights []float64) (*BernoulliNBModel, error) {
			return BernoulliNB{}.FitWeighted(bits(X), y, weights)
		}),
		"BernoulliNB, classes": mlkittest.TestAbsence(func(X *mat.Dense, y []int, weights []float64) (*BernoulliNBClassesModel, error) {
			return BernoulliNB{}.FitClassesWeighted(bits(X), y, weights)
		}),
		"LDA of small weights": mlkittest.TestAbsence(func(X *mat.Dense, y []int, weights []float64) (*LDAModel, error) {
			return LDA{ClassWeights: map[int]float64{1: 1e-9, -1: 1e-9}}.FitWeighted(X, y, weights)
		}),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
