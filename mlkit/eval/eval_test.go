package eval_test

import (
	"fmt"
	"log"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/eval"
)

func ExampleErrors() {
	X := mat.NewDense(4, 1, []float64{-2, -1, 1, 2})
	h := mlkit.Hyperplane{W: []float64{1}, B: 1.5}
	wrong, err := eval.Errors(h, X, []int{-1, -1, +1, +1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d wrong, %.0f %%\n", wrong, 100*float64(wrong)/4)
	// Output: 1 wrong, 25 %
}

func TestErrorsRefused(t *testing.T) {
	h := mlkit.Hyperplane{W: []float64{1}}
	X := mat.NewDense(2, 1, []float64{1, 2})
	for want, f := range map[string]func() (int, error){
		"eval: X is nil, want an n×d matrix, one sample a row":  func() (int, error) { return eval.Errors(h, nil, nil) },
		"eval: len(y) = 1, want 2, one label for each row of X": func() (int, error) { return eval.Errors(h, X, []int{1}) },
	} {
		if _, err := f(); err == nil || err.Error() != want {
			t.Errorf("err = %v, want %s", err, want)
		}
	}
}
