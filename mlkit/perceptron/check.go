package perceptron

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// A limit is the field that limits the passes of an algorithm, and its default.
type limit struct {
	field string
	usual int
}

// check validates the samples and the hyperparameters of the algorithm of the given name.
func (p Perceptron) check(name string, l limit, X *mat.Dense, y []int) error {
	if !learnable(p.Bias) {
		return fmt.Errorf("perceptron: %s.Bias = %v, want FreeBias, NoBias or RadiusBias", name, p.Bias)
	}
	if !(p.Rate >= 0 && p.Rate <= math.MaxFloat64) {
		return fmt.Errorf("perceptron: %s.Rate = %v, want a positive number, or 0 for 1", name, p.Rate)
	}
	if p.MaxIter < 0 {
		return fmt.Errorf("perceptron: %s.%s = %d, want a positive number, or 0 for %d", name, l.field, p.MaxIter, l.usual)
	}
	if err := check.Samples("perceptron", X); err != nil {
		return err
	}
	n, d := X.Dims()
	if err := check.Signs("perceptron", n, y); err != nil {
		return err
	}
	if p.Bias != mlkit.NoBias {
		if err := check.BothSigns("perceptron", y); err != nil {
			return err
		}
	}
	return p.checkStart(name, d)
}

func (p Perceptron) checkStart(name string, d int) error {
	if p.Start == nil {
		return nil
	}
	if len(p.Start.W) != d {
		return fmt.Errorf("perceptron: %s.Start has %d weights, want %d, one for each column of X", name, len(p.Start.W), d)
	}
	for j, w := range p.Start.W {
		if !check.Finite(w) {
			return fmt.Errorf("perceptron: %s.Start.W[%d] = %v, want a finite number", name, j, w)
		}
	}
	if !check.Finite(p.Start.B) {
		return fmt.Errorf("perceptron: %s.Start.B = %v, want a finite number", name, p.Start.B)
	}
	if p.Bias == mlkit.NoBias && p.Start.B != 0 {
		return fmt.Errorf("perceptron: %s.Start.B = %v, want 0 with NoBias", name, p.Start.B)
	}
	return nil
}
