package svm

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/fuzzing"
	"marginalia/mlkit/kernel"
)

func FuzzDecode(f *testing.F) {
	X := mat.NewDense(4, 2, []float64{0, 1, 2, 1, 4, 4, 5, 7})
	var models []any
	for _, fit := range []func() (any, error){
		func() (any, error) { return Classifier{Kernel: kernel.RBF{}}.Fit(X, []int{1, -1, 1, -1}) },
		func() (any, error) { return Newton{}.Fit(X, []int{1, -1, 1, -1}) },
		func() (any, error) { return OneAgainstAll[*Model]{Binary: Classifier{}}.Fit(X, []int{1, 1, 2, 2}) },
		func() (any, error) { return OneAgainstOne[*LinearModel]{Binary: Newton{}}.Fit(X, []int{1, 1, 2, 2}) },
	} {
		m, err := fit()
		if err != nil {
			f.Fatal(err)
		}
		models = append(models, m)
	}
	f.Add(uint8(0), []byte(`{"kernel":{"name":"rbf","parameters":{"gamma":-1}}}`))
	f.Add(uint8(2), []byte(`{"machines":[null,{}]}`))
	fuzzing.Decode(f, models...)
}
